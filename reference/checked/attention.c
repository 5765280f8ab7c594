/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Attention. The names of sizes are those of the pages: B batchSize, S sequenceLength, KV keyValueSequenceLength, P
 * pastSequenceLength.
 */
#include "reference/checked/checked.h"

/* clang-format off */

/* The tensors of both operators, but PastSequenceLengthsTensor between them. */
#define ATTENTION_INPUTS                                                                                               \
    CHECKED_OPTIONAL_INPUT("QueryTensor"),                                                                             \
    CHECKED_OPTIONAL_INPUT("KeyTensor"),                                                                               \
    CHECKED_OPTIONAL_INPUT("ValueTensor"),                                                                             \
    CHECKED_OPTIONAL_INPUT("StackedQueryKeyTensor"),                                                                   \
    CHECKED_OPTIONAL_INPUT("StackedKeyValueTensor"),                                                                   \
    CHECKED_OPTIONAL_INPUT("StackedQueryKeyValueTensor"),                                                              \
    CHECKED_OPTIONAL_INPUT("BiasTensor"),                                                                              \
    CHECKED_OPTIONAL_INPUT("MaskTensor"),                                                                              \
    CHECKED_OPTIONAL_INPUT("RelativePositionBiasTensor"),                                                              \
    CHECKED_OPTIONAL_INPUT("PastKeyTensor"),                                                                           \
    CHECKED_OPTIONAL_INPUT("PastValueTensor")
#define ATTENTION_OUTPUTS                                                                                              \
    CHECKED_OUTPUT("OutputTensor"),                                                                                    \
    CHECKED_OPTIONAL_OUTPUT("OutputPresentKeyTensor"),                                                                 \
    CHECKED_OPTIONAL_OUTPUT("OutputPresentValueTensor")

/* ---- DML_MULTIHEAD_ATTENTION_OPERATOR_DESC ---- */
static const ts_tensor_decl multihead_attention_tensors[] = {
    ATTENTION_INPUTS,
    ATTENTION_OUTPUTS,
};
typedef struct multihead_attention {
    float Scale, MaskFilterValue;
    uint32_t HeadCount, MaskType;
} multihead_attention;
static const ts_attr_decl multihead_attention_attrs[] = {
    CHECKED_F32(multihead_attention, Scale),
    CHECKED_F32(multihead_attention, MaskFilterValue),
    CHECKED_U32(multihead_attention, HeadCount),
    CHECKED_ENUM(multihead_attention, MaskType, checked_multihead_attention_mask_type),
};
static const ts_support_row multihead_attention_support[] = {
    { TS_LEVEL_6_1, { { 3, 5, DML_FLOATS }, { 3, 5, DML_FLOATS }, { 3, 5, DML_FLOATS }, { 5, 5, DML_FLOATS },
        { 5, 5, DML_FLOATS }, { 5, 5, DML_FLOATS }, { 1, 5, DML_FLOATS }, { 1, 5, T_I32 }, { 4, 5, DML_FLOATS },
        { 4, 5, DML_FLOATS }, { 4, 5, DML_FLOATS }, { 3, 5, DML_FLOATS }, { 4, 5, DML_FLOATS },
        { 4, 5, DML_FLOATS } } },
};
/* Clauses and rules of both operators. Q and KV are the attributes that count the heads of queries, and of keys and
   values. TYPES are the tensors of one DataType, in words, and `types` their bits; `output` is the index of
   OutputTensor, and `mask` that of the attribute MaskType. */
#define ATTENTION_CLAUSES(TYPES, Q, KV)                                                                                \
    CHECKED_CLAUSES,                                                                                                   \
    CHECKED_CLAUSE("OP-06", TYPES " have the same DataType", "Tensor constraints"),                                    \
    CHECKED_CLAUSE("OP-07", "exactly one of QueryTensor, StackedQueryKeyTensor and StackedQueryKeyValueTensor is "     \
                   "given", "QueryTensor"),                                                                            \
    CHECKED_CLAUSE("OP-08", "exactly one of KeyTensor, StackedQueryKeyTensor, StackedKeyValueTensor and "              \
                   "StackedQueryKeyValueTensor is given", "KeyTensor"),                                                \
    CHECKED_CLAUSE("OP-09", "exactly one of ValueTensor, StackedKeyValueTensor and StackedQueryKeyValueTensor is "     \
                   "given", "ValueTensor"),                                                                            \
    CHECKED_CLAUSE("OP-10", "QueryTensor.Sizes = { B, S, " Q "*headSize }", "QueryTensor"),                            \
    CHECKED_CLAUSE("OP-11", "StackedQueryKeyTensor.Sizes = { B, S, " Q ", 2, headSize }, S = KV",                      \
                   "StackedQueryKeyTensor"),                                                                           \
    CHECKED_CLAUSE("OP-12", "StackedQueryKeyValueTensor.Sizes = { B, S, " Q ", 3, headSize }, S = KV",                 \
                   "StackedQueryKeyValueTensor"),                                                                      \
    CHECKED_CLAUSE("OP-13", "KeyTensor.Sizes = { B, KV, " KV "*headSize }", "KeyTensor"),                              \
    CHECKED_CLAUSE("OP-14", "StackedKeyValueTensor.Sizes = { B, KV, " KV ", 2, headSize }", "StackedKeyValueTensor"),  \
    CHECKED_CLAUSE("OP-15", "ValueTensor.Sizes = { B, KV, " KV "*valueHeadSize }", "ValueTensor"),                     \
    CHECKED_CLAUSE("OP-16", "PastKeyTensor.Sizes = { B, " KV ", P, headSize }", "PastKeyTensor"),                      \
    CHECKED_CLAUSE("OP-17", "OutputTensor.Sizes = { B, S, " Q "*valueHeadSize }", "OutputTensor"),                     \
    CHECKED_OBSERVED("OP-18", "QueryTensor, KeyTensor, ValueTensor and OutputTensor have the same DimensionCount",     \
                     "the page gives each tensor 3 to 5 dimensions, and no sentence relates their DimensionCounts"),   \
    CHECKED_IMPLIED("OP-19", "PastKeyTensor and PastValueTensor are given together", "Description",                    \
                    "with P+KV columns of scores, the product with the values needs as many rows: past keys and "      \
                    "past values of one P, or neither"),                                                               \
    CHECKED_CLAUSE("OP-20", "PastValueTensor.Sizes = { B, " KV ", P, any }", "PastValueTensor"),                       \
    CHECKED_CLAUSE("OP-21", "OutputPresentKeyTensor.Sizes = { B, " KV ", P+KV, headSize }", "OutputPresentKeyTensor"), \
    CHECKED_CLAUSE("OP-22", "OutputPresentValueTensor.Sizes = { B, " KV ", P+KV, any }", "OutputPresentValueTensor"),  \
    CHECKED_CLAUSE("OP-23", "BiasTensor.Sizes = { hiddenSize + hiddenSize + valueHiddenSize }", "BiasTensor"),         \
    CHECKED_OBSERVED("OP-24", "RelativePositionBiasTensor.Sizes = { B, " Q ", S, P+KV }",                              \
                     "the page says that it is added to the product, and gives it no sizes"),                          \
    CHECKED_CLAUSE("OP-25", "MaskTensor has the sizes of its MaskType: { 1, B } of KEY_SEQUENCE_LENGTH, { 2, B } of "  \
                   "KEY_SEQUENCE_END_START, { B*3+2 } of KEY_QUERY_SEQUENCE_LENGTH_START_END", "MaskType"),            \
    CHECKED_OBSERVED("OP-26", "MaskTensor.Sizes = { B, " Q ", S, P+KV } where MaskType = BOOLEAN",                     \
                     "the page gives the mask of this type no sizes"),                                                 \
    CHECKED_OBSERVED("OP-27", "MaskTensor is null where MaskType = NONE",                                              \
                     "the page does not describe MaskType NONE"),                                                      \
    CHECKED_OBSERVED("OP-31", "the last size of PastValueTensor is valueHeadSize", ATTENTION_HEAD_SIZE),               \
    CHECKED_OBSERVED("OP-32", "the last size of OutputPresentValueTensor is valueHeadSize", ATTENTION_HEAD_SIZE)
#define ATTENTION_HEAD_SIZE                                                                                            \
    "the page prints headSize, which its own concatenation with values of valueHeadSize contradicts"

#define ATTENTION_RULES(types, output, mask, Q, KV)                                                                    \
    { "OP-06", checked_same_type, .tensors = types },                                                                  \
    { "OP-07", checked_one_given, .tensors = 0x29 },                                                                   \
    { "OP-08", checked_one_given, .tensors = 0x3a },                                                                   \
    { "OP-09", checked_one_given, .tensors = 0x34 },                                                                   \
    { "OP-10", checked_shape, .tensors = 0x1, .shape = "{ B, S, " Q "*headSize }" },                                   \
    { "OP-11", checked_shape, .tensors = 0x8, .shape = "{ B, S, " Q ", 2, headSize }" },                               \
    { "OP-11", checked_shape, .tensors = 0x8, .shape = "{ B, KV, " KV ", 2, headSize }" },                             \
    { "OP-12", checked_shape, .tensors = 0x20, .shape = "{ B, S, " Q ", 3, headSize }" },                              \
    { "OP-12", checked_shape, .tensors = 0x20, .shape = "{ B, KV, " KV ", 3, valueHeadSize }" },                       \
    { "OP-13", checked_shape, .tensors = 0x2, .shape = "{ B, KV, " KV "*headSize }" },                                 \
    { "OP-14", checked_shape, .tensors = 0x10, .shape = "{ B, KV, " KV ", 2, headSize }" },                            \
    { NULL, checked_shape, .tensors = 0x10, .shape = "{ B, KV, " KV ", 2, valueHeadSize }" },                          \
    { "OP-15", checked_shape, .tensors = 0x4, .shape = "{ B, KV, " KV "*valueHeadSize }" },                            \
    { "OP-16", checked_shape, .tensors = 0x200, .shape = "{ B, " KV ", P, headSize }" },                               \
    { "OP-17", checked_shape, .tensors = UINT32_C(1) << (output), .shape = "{ B, S, " Q "*valueHeadSize }" },          \
    { "OP-18", checked_same_rank, .tensors = UINT32_C(1) << (output) | 0x7 },                                          \
    { "OP-19", checked_all_given, .tensors = 0x600 },                                                                  \
    { "OP-20", checked_shape, .tensors = 0x400, .shape = "{ B, " KV ", P, pastValueSize }" },                          \
    { "OP-21", checked_present, .tensors = UINT32_C(2) << (output), .shape = "{ B, " KV ", P+KV, headSize }" },        \
    { "OP-22", checked_present, .tensors = UINT32_C(4) << (output), .shape = "{ B, " KV ", P+KV, presentSize }" },     \
    { "OP-23", checked_shape, .tensors = 0x40,                                                                         \
      .shape = "{ " Q "*headSize+" KV "*headSize+" KV "*valueHeadSize }" },                                            \
    { "OP-24", checked_shape, .tensors = 0x100, .shape = "{ B, " Q ", S, P+KV }" },                                    \
    { "OP-25", checked_mask, .tensors = 0x80, .attr = mask, .number = 1, .shape = "{ 1, B }" },                        \
    { "OP-25", checked_mask, .tensors = 0x80, .attr = mask, .number = 2, .shape = "{ 2, B }" },                        \
    { "OP-25", checked_mask, .tensors = 0x80, .attr = mask, .number = 3, .shape = "{ B*3+2 }" },                       \
    { "OP-26", checked_mask, .tensors = 0x80, .attr = mask, .number = 4, .shape = "{ B, " Q ", S, P+KV }" },           \
    { "OP-27", checked_mask, .tensors = 0x80, .attr = mask, .number = 0 },                                             \
    { "OP-31", checked_shape, .tensors = 0x400, .shape = "{ pastB, pastHeads, pastP, valueHeadSize }" },               \
    { "OP-32", checked_shape, .tensors = UINT32_C(4) << (output),                                                      \
      .shape = "{ presentB, presentHeads, presentP, valueHeadSize }" }

static const ts_clause multihead_attention_clauses[] = {
    ATTENTION_CLAUSES("all tensors but MaskTensor", "HeadCount", "HeadCount"),
};
static const checked_rule multihead_attention_rules[] = {
    ATTENTION_RULES(0x3f7f, 11, 3, "HeadCount", "HeadCount"),
};
const checked_operator checked_dml_multihead_attention =
    CHECKED("multihead_attention", "MULTIHEAD_ATTENTION", 164, "ttttttttttttttaaaa", multihead_attention_tensors,
            CHECKED_NO_LISTS, CHECKED_ATTRS(multihead_attention_attrs, multihead_attention),
            multihead_attention_support, multihead_attention_clauses, CHECKED_RULES(multihead_attention_rules));

/* ---- DML_MULTIHEAD_ATTENTION1_OPERATOR_DESC ---- */
static const ts_tensor_decl multihead_attention1_tensors[] = {
    ATTENTION_INPUTS,
    CHECKED_OPTIONAL_INPUT("PastSequenceLengthsTensor"),
    ATTENTION_OUTPUTS,
};
typedef struct multihead_attention1 {
    float Scale, MaskFilterValue;
    uint32_t QueryHeadCount, KeyValueHeadCount, MaskType;
} multihead_attention1;
static const ts_attr_decl multihead_attention1_attrs[] = {
    CHECKED_F32(multihead_attention1, Scale),
    CHECKED_F32(multihead_attention1, MaskFilterValue),
    CHECKED_U32(multihead_attention1, QueryHeadCount),
    CHECKED_U32(multihead_attention1, KeyValueHeadCount),
    CHECKED_ENUM(multihead_attention1, MaskType, checked_multihead_attention_mask_type),
};
static const ts_support_row multihead_attention1_support[] = {
    { TS_LEVEL_6_3, { { 3, 5, DML_FLOATS }, { 3, 5, DML_FLOATS }, { 3, 5, DML_FLOATS }, { 5, 5, DML_FLOATS },
        { 5, 5, DML_FLOATS }, { 5, 5, DML_FLOATS }, { 1, 5, DML_FLOATS }, { 1, 5, T_I32 }, { 4, 5, DML_FLOATS },
        { 4, 5, DML_FLOATS }, { 4, 5, DML_FLOATS }, { 1, 5, T_I32 }, { 3, 5, DML_FLOATS }, { 4, 5, DML_FLOATS },
        { 4, 5, DML_FLOATS } } },
};
static const ts_clause multihead_attention1_clauses[] = {
    ATTENTION_CLAUSES("all tensors but MaskTensor and PastSequenceLengthsTensor", "QueryHeadCount",
                      "KeyValueHeadCount"),
    CHECKED_OBSERVED("OP-28", "KeyValueHeadCount divides QueryHeadCount", "the page says TBD of both counts"),
    CHECKED_OBSERVED("OP-29", "PastSequenceLengthsTensor.Sizes = { B }", "the page says TBD of the tensor"),
    CHECKED_OBSERVED("OP-30", "with PastSequenceLengthsTensor, both present tensors are given, with equal sizes of at "
                     "least KV along the sequence, and neither past tensors, MaskTensor nor "
                     "RelativePositionBiasTensor", "the page says TBD of the tensor"),
};
static const checked_rule multihead_attention1_rules[] = {
    ATTENTION_RULES(0x777f, 12, 4, "QueryHeadCount", "KeyValueHeadCount"),
    { "OP-28", checked_head_counts, .attr = 2 },
    { "OP-29", checked_shape, .tensors = 0x800, .shape = "{ B }" },
    { "OP-30", checked_past_lengths, .tensors = 0x780 },
};
const checked_operator checked_dml_multihead_attention1 =
    CHECKED("multihead_attention1", "MULTIHEAD_ATTENTION1", 172, "tttttttttttttttaaaaa", multihead_attention1_tensors,
            CHECKED_NO_LISTS, CHECKED_ATTRS(multihead_attention1_attrs, multihead_attention1),
            multihead_attention1_support, multihead_attention1_clauses, CHECKED_RULES(multihead_attention1_rules));
