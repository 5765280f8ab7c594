/* SPDX-License-Identifier: Apache-2.0 */
/* Pooling. */
#include "reference/checked/checked.h"

/* clang-format off */

/* ---- DML_AVERAGE_POOLING_OPERATOR_DESC ---- */
static const ts_tensor_decl in_out_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    CHECKED_OUTPUT("OutputTensor"),
};
typedef struct average_pooling {
    uint32_t DimensionCount, Strides[TS_MAX_DIMS], WindowSize[TS_MAX_DIMS], StartPadding[TS_MAX_DIMS];
    uint32_t EndPadding[TS_MAX_DIMS], IncludePadding;
} average_pooling;
static const ts_attr_decl average_pooling_attrs[] = {
    CHECKED_COUNTER(average_pooling, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, average_pooling, Strides, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, average_pooling, WindowSize, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, average_pooling, StartPadding, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, average_pooling, EndPadding, DimensionCount),
    CHECKED_BOOL(average_pooling, IncludePadding),
};
static const ts_support_row average_pooling_support[] = {
    { TS_LEVEL_1_0, { CHECKED_2({ 4, 5, DML_FLOATS }) } },
};
static const ts_clause average_pooling_clauses[] = {
    CHECKED_COMPARABLE("InputTensor and OutputTensor"),
    CHECKED_CLAUSE("OP-08", "DimensionCount = InputTensor.DimensionCount - 2", "DimensionCount"),
    CHECKED_IMPLIED("OP-09", "Strides[i] >= 1", "OutputTensor",
                    "the formula of the output's size divides by Strides[i], and has no value for 0"),
    CHECKED_DECISION("OP-10", "WindowSize[i] >= 1",
                     "no sentence excludes a window of 0, and the formula of the output's size has a value for it"),
    CHECKED_CLAUSE("OP-11", "OutputTensor.Sizes[i + 2] = (InputTensor.Sizes[i + 2] + StartPadding[i] + EndPadding[i] "
                   "- window) / Strides[i] + 1; batches and channels are the same",
                   "OutputTensor"),
};
static const checked_rule average_pooling_rules[] = {
    CHECKED_COMPARABLE_RULES(0x3),
    { "OP-08", checked_counts_dims, .tensors = 0x1, .attr = 0, .number = 2 },
    { "OP-09", checked_at_least, .attr = 1, .number = 1 },
    { "OP-10", checked_at_least, .attr = 2, .number = 1 },
    { "OP-11", checked_pooled, .attr = 0, .number = 1 },
};
const checked_operator checked_dml_average_pooling =
    CHECKED("average_pooling", "AVERAGE_POOLING", 56, "ttaaaaaa", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(average_pooling_attrs, average_pooling), average_pooling_support, average_pooling_clauses,
            CHECKED_RULES(average_pooling_rules));

/* ---- DML_AVERAGE_POOLING1_OPERATOR_DESC ---- */
typedef struct average_pooling1 {
    uint32_t DimensionCount, Strides[TS_MAX_DIMS], WindowSize[TS_MAX_DIMS], StartPadding[TS_MAX_DIMS];
    uint32_t EndPadding[TS_MAX_DIMS], Dilations[TS_MAX_DIMS], IncludePadding;
} average_pooling1;
static const ts_attr_decl average_pooling1_attrs[] = {
    CHECKED_COUNTER(average_pooling1, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, average_pooling1, Strides, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, average_pooling1, WindowSize, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, average_pooling1, StartPadding, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, average_pooling1, EndPadding, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, average_pooling1, Dilations, DimensionCount),
    CHECKED_BOOL(average_pooling1, IncludePadding),
};
static const ts_support_row average_pooling1_support[] = {
    { TS_LEVEL_6_2, { CHECKED_2({ 4, 5, DML_FLOATS }) } },
};
static const ts_clause average_pooling1_clauses[] = {
    CHECKED_COMPARABLE("InputTensor and OutputTensor"),
    CHECKED_CLAUSE("OP-08", "DimensionCount = InputTensor.DimensionCount - 2", "DimensionCount"),
    CHECKED_IMPLIED("OP-09", "Strides[i] >= 1", "OutputTensor",
                    "the formula of the output's size divides by Strides[i], and has no value for 0"),
    CHECKED_DECISION("OP-10", "WindowSize[i] >= 1",
                     "no sentence excludes a window of 0, and the formula of the output's size has a value for it"),
    CHECKED_DECISION("OP-11", "Dilations[i] >= 1",
                     "the page calls a dilation the step between elements of the window, and does not exclude 0"),
    CHECKED_CLAUSE("OP-12", "OutputTensor.Sizes[i + 2] = (InputTensor.Sizes[i + 2] + StartPadding[i] + EndPadding[i] "
                   "- window) / Strides[i] + 1; batches and channels are the same",
                   "OutputTensor"),
};
static const checked_rule average_pooling1_rules[] = {
    CHECKED_COMPARABLE_RULES(0x3),
    { "OP-08", checked_counts_dims, .tensors = 0x1, .attr = 0, .number = 2 },
    { "OP-09", checked_at_least, .attr = 1, .number = 1 },
    { "OP-10", checked_at_least, .attr = 2, .number = 1 },
    { "OP-11", checked_at_least, .attr = 5, .number = 1 },
    { "OP-12", checked_pooled, .attr = 0, .number = 1 },
};
const checked_operator checked_dml_average_pooling1 =
    CHECKED("average_pooling1", "AVERAGE_POOLING1", 166, "ttaaaaaaa", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(average_pooling1_attrs, average_pooling1), average_pooling1_support, average_pooling1_clauses,
            CHECKED_RULES(average_pooling1_rules));

/* ---- DML_AVERAGE_POOLING_GRAD_OPERATOR_DESC ---- */
static const ts_tensor_decl average_pooling_grad_tensors[] = {
    CHECKED_INPUT("InputGradientTensor"),
    CHECKED_OUTPUT("OutputGradientTensor"),
};
static const ts_support_row average_pooling_grad_support[] = {
    { TS_LEVEL_3_0, { CHECKED_2({ 4, 5, DML_FLOATS }) } },
};
static const ts_clause average_pooling_grad_clauses[] = {
    CHECKED_COMPARABLE("InputGradientTensor and OutputGradientTensor"),
    CHECKED_CLAUSE("OP-08", "DimensionCount = OutputGradientTensor.DimensionCount - 2", "DimensionCount"),
    CHECKED_IMPLIED("OP-09", "Strides[i] >= 1", "OutputTensor",
                    "the formula of the output's size divides by Strides[i], and has no value for 0"),
    CHECKED_DECISION("OP-10", "WindowSize[i] >= 1",
                     "no sentence excludes a window of 0, and the formula of the output's size has a value for it"),
    CHECKED_CLAUSE("OP-11", "InputGradientTensor.Sizes[i + 2] = (OutputGradientTensor.Sizes[i + 2] + StartPadding[i] "
                   "+ EndPadding[i] - window) / Strides[i] + 1; batches and channels are the same",
                   "InputGradientTensor"),
};
static const checked_rule average_pooling_grad_rules[] = {
    CHECKED_COMPARABLE_RULES(0x3),
    { "OP-08", checked_counts_dims, .tensors = 0x2, .attr = 0, .number = 2 },
    { "OP-09", checked_at_least, .attr = 1, .number = 1 },
    { "OP-10", checked_at_least, .attr = 2, .number = 1 },
    { "OP-11", checked_pooled, .attr = 1, .number = 0 },
};
const checked_operator checked_dml_average_pooling_grad =
    CHECKED("average_pooling_grad", "AVERAGE_POOLING_GRAD", 130, "ttaaaaaa", average_pooling_grad_tensors,
            CHECKED_NO_LISTS, CHECKED_ATTRS(average_pooling_attrs, average_pooling), average_pooling_grad_support,
            average_pooling_grad_clauses, CHECKED_RULES(average_pooling_grad_rules));

/* ---- DML_LP_POOLING_OPERATOR_DESC ---- */
typedef struct lp_pooling {
    uint32_t DimensionCount, Strides[TS_MAX_DIMS], WindowSize[TS_MAX_DIMS], StartPadding[TS_MAX_DIMS];
    uint32_t EndPadding[TS_MAX_DIMS], P;
} lp_pooling;
static const ts_attr_decl lp_pooling_attrs[] = {
    CHECKED_COUNTER(lp_pooling, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, lp_pooling, Strides, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, lp_pooling, WindowSize, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, lp_pooling, StartPadding, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, lp_pooling, EndPadding, DimensionCount),
    CHECKED_U32(lp_pooling, P),
};
const checked_operator checked_dml_lp_pooling =
    CHECKED("lp_pooling", "LP_POOLING", 57, "ttaaaaaa", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(lp_pooling_attrs, lp_pooling), average_pooling_support, average_pooling_clauses,
            CHECKED_RULES(average_pooling_rules));

/* ---- DML_LP_POOLING1_OPERATOR_DESC ---- */
typedef struct lp_pooling1 {
    uint32_t DimensionCount, Strides[TS_MAX_DIMS], WindowSize[TS_MAX_DIMS], StartPadding[TS_MAX_DIMS];
    uint32_t EndPadding[TS_MAX_DIMS], Dilations[TS_MAX_DIMS], P;
} lp_pooling1;
static const ts_attr_decl lp_pooling1_attrs[] = {
    CHECKED_COUNTER(lp_pooling1, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, lp_pooling1, Strides, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, lp_pooling1, WindowSize, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, lp_pooling1, StartPadding, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, lp_pooling1, EndPadding, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, lp_pooling1, Dilations, DimensionCount),
    CHECKED_U32(lp_pooling1, P),
};
const checked_operator checked_dml_lp_pooling1 =
    CHECKED("lp_pooling1", "LP_POOLING1", 165, "ttaaaaaaa", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(lp_pooling1_attrs, lp_pooling1), average_pooling1_support, average_pooling1_clauses,
            CHECKED_RULES(average_pooling1_rules));

/* ---- DML_MAX_POOLING_OPERATOR_DESC ---- */
typedef struct max_pooling {
    uint32_t DimensionCount, Strides[TS_MAX_DIMS], WindowSize[TS_MAX_DIMS], StartPadding[TS_MAX_DIMS];
    uint32_t EndPadding[TS_MAX_DIMS];
} max_pooling;
static const ts_attr_decl max_pooling_attrs[] = {
    CHECKED_COUNTER(max_pooling, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, max_pooling, Strides, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, max_pooling, WindowSize, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, max_pooling, StartPadding, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, max_pooling, EndPadding, DimensionCount),
};
static const ts_support_row max_pooling_support[] = {
    { TS_LEVEL_1_0, { CHECKED_2({ 4, 5, DML_FLOATS }) } },
    { TS_LEVEL_3_0, { CHECKED_2({ 4, 5, DML_FLOATS | T_I8 | T_U8 }) } },
    { TS_LEVEL_5_0, { CHECKED_2({ 4, 5, DML_8_TYPES | T_I64 | T_U64 }) } },
};
const checked_operator checked_dml_max_pooling =
    CHECKED("max_pooling", "MAX_POOLING", 58, "ttaaaaa", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(max_pooling_attrs, max_pooling), max_pooling_support, average_pooling_clauses,
            CHECKED_RULES(average_pooling_rules));

/* ---- DML_MAX_POOLING1_OPERATOR_DESC ---- */
static const ts_tensor_decl max_pooling1_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    CHECKED_OUTPUT("OutputTensor"),
    CHECKED_OPTIONAL_OUTPUT("OutputIndicesTensor"),
};
static const ts_support_row max_pooling1_support[] = {
    { TS_LEVEL_2_0, { { 4, 5, DML_FLOATS }, { 4, 5, DML_FLOATS }, { 4, 5, T_U32 } } },
    { TS_LEVEL_3_0, { { 4, 5, DML_FLOATS | T_I8 | T_U8 }, { 4, 5, DML_FLOATS | T_I8 | T_U8 }, { 4, 5, T_U32 } } },
    { TS_LEVEL_5_0, { { 4, 5, DML_8_TYPES | T_I64 | T_U64 }, { 4, 5, DML_8_TYPES | T_I64 | T_U64 },
        { 4, 5, T_U64 | T_U32 } } },
};
static const ts_clause max_pooling1_clauses[] = {
    CHECKED_CLAUSES,
    CHECKED_CLAUSE("OP-06", "InputTensor and OutputTensor have the same DataType", "Tensor constraints"),
    CHECKED_CLAUSE("OP-07", "InputTensor, OutputTensor and OutputIndicesTensor have the same DimensionCount",
                   "Tensor constraints"),
    CHECKED_CLAUSE("OP-08", "OutputTensor and OutputIndicesTensor have the same Sizes", "Tensor constraints"),
    CHECKED_CLAUSE("OP-09", "DimensionCount = InputTensor.DimensionCount - 2", "DimensionCount"),
    CHECKED_IMPLIED("OP-10", "Strides[i] >= 1", "OutputTensor",
                    "the formula of the output's size divides by Strides[i], and has no value for 0"),
    CHECKED_DECISION("OP-11", "WindowSize[i] >= 1",
                     "no sentence excludes a window of 0, and the formula of the output's size has a value for it"),
    CHECKED_CLAUSE("OP-12", "OutputTensor.Sizes[i + 2] = (InputTensor.Sizes[i + 2] + StartPadding[i] + EndPadding[i] "
                   "- window) / Strides[i] + 1; batches and channels are the same",
                   "OutputTensor"),
};
static const checked_rule max_pooling1_rules[] = {
    { "OP-06", checked_same_type, .tensors = 0x3 },
    { "OP-07", checked_same_rank, .tensors = 0x7 },
    { "OP-08", checked_same_sizes, .tensors = 0x6 },
    { "OP-09", checked_counts_dims, .tensors = 0x1, .attr = 0, .number = 2 },
    { "OP-10", checked_at_least, .attr = 1, .number = 1 },
    { "OP-11", checked_at_least, .attr = 2, .number = 1 },
    { "OP-12", checked_pooled, .attr = 0, .number = 1 },
};
const checked_operator checked_dml_max_pooling1 =
    CHECKED("max_pooling1", "MAX_POOLING1", 91, "tttaaaaa", max_pooling1_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(max_pooling_attrs, max_pooling), max_pooling1_support, max_pooling1_clauses,
            CHECKED_RULES(max_pooling1_rules));

/* ---- DML_MAX_POOLING2_OPERATOR_DESC ---- */
typedef struct max_pooling2 {
    uint32_t DimensionCount, Strides[TS_MAX_DIMS], WindowSize[TS_MAX_DIMS], StartPadding[TS_MAX_DIMS];
    uint32_t EndPadding[TS_MAX_DIMS], Dilations[TS_MAX_DIMS];
} max_pooling2;
static const ts_attr_decl max_pooling2_attrs[] = {
    CHECKED_COUNTER(max_pooling2, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, max_pooling2, Strides, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, max_pooling2, WindowSize, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, max_pooling2, StartPadding, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, max_pooling2, EndPadding, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, max_pooling2, Dilations, DimensionCount),
};
static const ts_support_row max_pooling2_support[] = {
    { TS_LEVEL_2_1, { { 4, 5, DML_FLOATS }, { 4, 5, DML_FLOATS }, { 4, 5, T_U32 } } },
    { TS_LEVEL_3_0, { { 4, 5, DML_FLOATS | T_I8 | T_U8 }, { 4, 5, DML_FLOATS | T_I8 | T_U8 }, { 4, 5, T_U32 } } },
    { TS_LEVEL_5_0, { { 4, 5, DML_8_TYPES | T_I64 | T_U64 }, { 4, 5, DML_8_TYPES | T_I64 | T_U64 },
        { 4, 5, T_U64 | T_U32 } } },
};
static const ts_clause max_pooling2_clauses[] = {
    CHECKED_CLAUSES,
    CHECKED_CLAUSE("OP-06", "InputTensor and OutputTensor have the same DataType", "Tensor constraints"),
    CHECKED_CLAUSE("OP-07", "InputTensor, OutputTensor and OutputIndicesTensor have the same DimensionCount",
                   "Tensor constraints"),
    CHECKED_CLAUSE("OP-08", "OutputTensor and OutputIndicesTensor have the same Sizes", "Tensor constraints"),
    CHECKED_CLAUSE("OP-09", "DimensionCount = InputTensor.DimensionCount - 2", "DimensionCount"),
    CHECKED_IMPLIED("OP-10", "Strides[i] >= 1", "OutputTensor",
                    "the formula of the output's size divides by Strides[i], and has no value for 0"),
    CHECKED_DECISION("OP-11", "WindowSize[i] >= 1",
                     "no sentence excludes a window of 0, and the formula of the output's size has a value for it"),
    CHECKED_DECISION("OP-12", "Dilations[i] >= 1",
                     "the page calls a dilation the step between elements of the window, and does not exclude 0"),
    CHECKED_CLAUSE("OP-13", "OutputTensor.Sizes[i + 2] = (InputTensor.Sizes[i + 2] + StartPadding[i] + EndPadding[i] "
                   "- window) / Strides[i] + 1; batches and channels are the same",
                   "OutputTensor"),
};
static const checked_rule max_pooling2_rules[] = {
    { "OP-06", checked_same_type, .tensors = 0x3 },
    { "OP-07", checked_same_rank, .tensors = 0x7 },
    { "OP-08", checked_same_sizes, .tensors = 0x6 },
    { "OP-09", checked_counts_dims, .tensors = 0x1, .attr = 0, .number = 2 },
    { "OP-10", checked_at_least, .attr = 1, .number = 1 },
    { "OP-11", checked_at_least, .attr = 2, .number = 1 },
    { "OP-12", checked_at_least, .attr = 5, .number = 1 },
    { "OP-13", checked_pooled, .attr = 0, .number = 1 },
};
const checked_operator checked_dml_max_pooling2 =
    CHECKED("max_pooling2", "MAX_POOLING2", 110, "tttaaaaaa", max_pooling1_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(max_pooling2_attrs, max_pooling2), max_pooling2_support, max_pooling2_clauses,
            CHECKED_RULES(max_pooling2_rules));

/* ---- DML_MAX_POOLING_GRAD_OPERATOR_DESC ---- */
static const ts_tensor_decl max_pooling_grad_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    CHECKED_INPUT("InputGradientTensor"),
    CHECKED_OUTPUT("OutputGradientTensor"),
};
static const ts_support_row max_pooling_grad_support[] = {
    { TS_LEVEL_3_0, { CHECKED_3({ 4, 4, DML_FLOATS }) } },
    { TS_LEVEL_4_0, { CHECKED_3({ 4, 5, DML_FLOATS }) } },
};
static const ts_clause max_pooling_grad_clauses[] = {
    CHECKED_COMPARABLE("InputTensor, InputGradientTensor and OutputGradientTensor"),
    CHECKED_CLAUSE("OP-08", "InputTensor and OutputGradientTensor have the same Sizes", "Tensor constraints"),
    CHECKED_CLAUSE("OP-09", "DimensionCount = OutputGradientTensor.DimensionCount - 2", "DimensionCount"),
    CHECKED_IMPLIED("OP-10", "Strides[i] >= 1", "OutputTensor",
                    "the formula of the output's size divides by Strides[i], and has no value for 0"),
    CHECKED_DECISION("OP-11", "WindowSize[i] >= 1",
                     "no sentence excludes a window of 0, and the formula of the output's size has a value for it"),
    CHECKED_DECISION("OP-12", "Dilations[i] >= 1",
                     "the page calls a dilation the step between elements of the window, and does not exclude 0"),
    CHECKED_CLAUSE("OP-13", "InputGradientTensor.Sizes[i + 2] = (OutputGradientTensor.Sizes[i + 2] + StartPadding[i] "
                   "+ EndPadding[i] - window) / Strides[i] + 1; batches and channels are the same",
                   "InputGradientTensor"),
};
static const checked_rule max_pooling_grad_rules[] = {
    CHECKED_COMPARABLE_RULES(0x7),
    { "OP-08", checked_same_sizes, .tensors = 0x5 },
    { "OP-09", checked_counts_dims, .tensors = 0x4, .attr = 0, .number = 2 },
    { "OP-10", checked_at_least, .attr = 1, .number = 1 },
    { "OP-11", checked_at_least, .attr = 2, .number = 1 },
    { "OP-12", checked_at_least, .attr = 5, .number = 1 },
    { "OP-13", checked_pooled, .attr = 2, .number = 1 },
};
const checked_operator checked_dml_max_pooling_grad =
    CHECKED("max_pooling_grad", "MAX_POOLING_GRAD", 131, "tttaaaaaa", max_pooling_grad_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(max_pooling2_attrs, max_pooling2), max_pooling_grad_support, max_pooling_grad_clauses,
            CHECKED_RULES(max_pooling_grad_rules));

/* ---- DML_MAX_UNPOOLING_OPERATOR_DESC ---- */
static const ts_tensor_decl max_unpooling_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    CHECKED_INPUT("IndicesTensor"),
    CHECKED_OUTPUT("OutputTensor"),
};
static const ts_support_row max_unpooling_support[] = {
    { TS_LEVEL_3_0, { { 4, 4, DML_FLOATS }, { 4, 4, T_U32 }, { 4, 4, DML_FLOATS } } },
    { TS_LEVEL_5_0, { { 4, 4, DML_8_TYPES | T_I64 | T_U64 }, { 4, 4, T_U64 | T_U32 },
        { 4, 4, DML_8_TYPES | T_I64 | T_U64 } } },
};
static const ts_clause max_unpooling_clauses[] = {
    CHECKED_COMPARABLE("InputTensor and OutputTensor"),
    CHECKED_CLAUSE("OP-08", "InputTensor and IndicesTensor have the same Sizes", "Tensor constraints"),
};
static const checked_rule max_unpooling_rules[] = {
    CHECKED_COMPARABLE_RULES(0x5),
    { "OP-08", checked_same_sizes, .tensors = 0x3 },
};
const checked_operator checked_dml_max_unpooling =
    CHECKED("max_unpooling", "MAX_UNPOOLING", 92, "ttt", max_unpooling_tensors, CHECKED_NO_LISTS, CHECKED_NO_ATTRS,
            max_unpooling_support, max_unpooling_clauses, CHECKED_RULES(max_unpooling_rules));

/* ---- DML_QUANTIZED_LINEAR_AVERAGE_POOLING_OPERATOR_DESC ---- */
static const ts_tensor_decl quantized_linear_average_pooling_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    CHECKED_INPUT("InputScaleTensor"),
    CHECKED_OPTIONAL_INPUT("InputZeroPointTensor"),
    CHECKED_INPUT("OutputScaleTensor"),
    CHECKED_OPTIONAL_INPUT("OutputZeroPointTensor"),
    CHECKED_OUTPUT("OutputTensor"),
};
static const ts_support_row quantized_linear_average_pooling_support[] = {
    { TS_LEVEL_6_2, { { 4, 5, T_I8 | T_U8 }, { 1, 5, T_F32 }, { 1, 5, T_I8 | T_U8 }, { 1, 5, T_F32 },
        { 1, 5, T_I8 | T_U8 }, { 4, 5, T_I8 | T_U8 } } },
};
static const ts_clause quantized_linear_average_pooling_clauses[] = {
    CHECKED_CLAUSES,
    CHECKED_CLAUSE("OP-06", "InputTensor and InputZeroPointTensor have the same DataType", "Tensor constraints"),
    CHECKED_CLAUSE("OP-07", "OutputZeroPointTensor and OutputTensor have the same DataType", "Tensor constraints"),
    CHECKED_CLAUSE("OP-08", "InputTensor and OutputTensor have the same DimensionCount", "Tensor constraints"),
    CHECKED_CLAUSE("OP-09", "DimensionCount = InputTensor.DimensionCount - 2", "DimensionCount"),
    CHECKED_IMPLIED("OP-10", "Strides[i] >= 1", "OutputTensor",
                    "the formula of the output's size divides by Strides[i], and has no value for 0"),
    CHECKED_DECISION("OP-11", "WindowSize[i] >= 1",
                     "no sentence excludes a window of 0, and the formula of the output's size has a value for it"),
    CHECKED_DECISION("OP-12", "Dilations[i] >= 1",
                     "the page calls a dilation the step between elements of the window, and does not exclude 0"),
    CHECKED_CLAUSE("OP-13", "OutputTensor.Sizes[i + 2] = (InputTensor.Sizes[i + 2] + StartPadding[i] + EndPadding[i] "
                   "- window) / Strides[i] + 1; batches and channels are the same",
                   "OutputTensor"),
    CHECKED_OBSERVED("OP-14", "all tensors have the same DimensionCount",
                     "the page requires it of InputTensor and OutputTensor only, and allows scales 1 to 5 dimensions"),
    CHECKED_CLAUSE("OP-15", "InputScaleTensor, InputZeroPointTensor, OutputScaleTensor and "
                   "OutputZeroPointTensor.Sizes = { 1, 1, [1], 1, 1 } or { 1, C, [1], 1, 1 }",
                   "InputScaleTensor"),
    CHECKED_OBSERVED("OP-16", "a zero point has the Sizes of its scale",
                     "the page gives a scale and a zero point two shapes each, and does not relate them"),
    CHECKED_OBSERVED("OP-17", "InputTensor and OutputTensor have the same DataType",
                     "the page relates each tensor's DataType to that of its zero point only"),
};
static const checked_rule quantized_linear_average_pooling_rules[] = {
    { "OP-06", checked_same_type, .tensors = 0x5 },
    { "OP-07", checked_same_type, .tensors = 0x30 },
    { "OP-08", checked_same_rank, .tensors = 0x21 },
    { "OP-09", checked_counts_dims, .tensors = 0x1, .attr = 0, .number = 2 },
    { "OP-10", checked_at_least, .attr = 1, .number = 1 },
    { "OP-11", checked_at_least, .attr = 2, .number = 1 },
    { "OP-12", checked_at_least, .attr = 5, .number = 1 },
    { "OP-13", checked_pooled, .attr = 0, .number = 5 },
    { "OP-14", checked_same_rank, .tensors = 0x3f },
    { NULL, checked_shape, .tensors = 0x1, .shape = "{ N, C, [D], H, W }" },
    { "OP-15", checked_shape, .tensors = 0x1e, .shape = "{ 1, 1, [1], 1, 1 } or { 1, C, [1], 1, 1 }" },
    { "OP-16", checked_same_sizes, .tensors = 0x6 },
    { "OP-16", checked_same_sizes, .tensors = 0x18 },
    { "OP-17", checked_same_type, .tensors = 0x21 },
};
const checked_operator checked_dml_quantized_linear_average_pooling =
    CHECKED("quantized_linear_average_pooling", "QUANTIZED_LINEAR_AVERAGE_POOLING", 169, "ttttttaaaaaaa",
            quantized_linear_average_pooling_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(average_pooling1_attrs, average_pooling1), quantized_linear_average_pooling_support,
            quantized_linear_average_pooling_clauses, CHECKED_RULES(quantized_linear_average_pooling_rules));
