/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/gather_nd1.h"
#include "harness/model/suggest.h"
#include "reference/dml/gather_nd_shared.h"
#include "reference/dml_interpretations.h"

#define PAGE "DML_GATHER_ND1_OPERATOR_DESC"

/* clang-format off */
#define FIELD(name) .offset = offsetof(ts_dml_gather_nd1, name)
static const ts_attr_decl attrs[] = {
    { "InputDimensionCount",   "input_dims",   TS_ATTR_U32, TS_SCALAR, FIELD(InputDimensionCount),   .capacity = 1 },
    { "IndicesDimensionCount", "indices_dims", TS_ATTR_U32, TS_SCALAR, FIELD(IndicesDimensionCount), .capacity = 1 },
    { "BatchDimensionCount",   "batch_dims",   TS_ATTR_U32, TS_SCALAR, FIELD(BatchDimensionCount),   .capacity = 1 },
};

static const ts_support_row support[] = {
    { TS_LEVEL_3_0, { { 1, 8, DML_8_TYPES },  { 1, 8, DML_GATHER_ND_INDEX_TYPES }, { 1, 8, DML_8_TYPES } } },
    { TS_LEVEL_4_1, { { 1, 8, DML_11_TYPES }, { 1, 8, DML_GATHER_ND_INDEX_TYPES }, { 1, 8, DML_11_TYPES } } },
};

static const ts_clause clauses[] = {
    [ND_GIVEN] = { "ND1-01", "the operator exists from feature level 3_0 on; no pointer is null",
      PAGE, "Availability", TS_IMPLIED, .result = TS_RESULT_INVALID,
      .ground = "the level is stated; pointers that may be null are marked with _Maybenull_, and these are not" },
    [ND_DIMS] = { "ND1-02", "all tensors have the same DimensionCount D, one of the feature level's row",
      PAGE, "Tensor constraints", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = suggest_same_dims },
    [ND_TYPE] = { "ND1-03", "InputTensor and OutputTensor have the same DataType, one of the feature level's row",
      PAGE, "Tensor constraints", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = suggest_same_type },
    [ND_INDEX_TYPE] = { "ND1-04", "indices are UINT32, INT32, UINT64 or INT64",
      PAGE, "Tensor support", TS_STATED, .result = TS_RESULT_INVALID },
    [ND_INPUT_COUNT] = { "ND1-05", "1 <= InputDimensionCount <= D",
      PAGE, "InputDimensionCount", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = dml_gather_nd_suggest_input_count },
    [ND_INDICES_COUNT] = { "ND1-06", "1 <= IndicesDimensionCount <= D",
      PAGE, "IndicesDimensionCount", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = dml_gather_nd_suggest_indices_count },
    [ND_INPUT_ONES] = { "ND1-07", "all InputTensor.Sizes before the last InputDimensionCount are 1",
      PAGE, "InputDimensionCount", TS_DECIDED, .result = TS_RESULT_INVALID,
      .suggest = dml_gather_nd_suggest_ones,
      .ground = "\"irrelevant leading ones\" does not say what other sizes mean there",
      .refused_by = "DirectML 1.15.4" },
    [ND_INDICES_ONES] = { "ND1-08", "all IndicesTensor.Sizes before the last IndicesDimensionCount are 1",
      PAGE, "IndicesDimensionCount", TS_DECIDED, .result = TS_RESULT_INVALID,
      .suggest = dml_gather_nd_suggest_ones,
      .ground = "\"irrelevant leading ones\" does not say what other sizes mean there",
      .refused_by = "DirectML 1.15.4" },
    [ND_TUPLE] = { "ND1-09", "the last size of the indices, of a tuple, is at most D",
      PAGE, "IndicesTensor", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = dml_gather_nd_suggest_tuple },
    [ND_SIZES] = { "ND1-10", "OutputTensor.Sizes = Indices without the tuple ++ Input behind the tuple, right-aligned",
      PAGE, "OutputTensor", TS_IMPLIED, .result = TS_RESULT_INVALID,
      .ground = "the sizes that the page prints, and example 2, agree with this and not with its formula" },
    [ND_FORMULA] = { "ND1-11", "output[b, ..., i, ..., j, ...] = input[b, ..., indices[b, ..., i, ..., 0], ..., j, ...]",
      PAGE, "Description", TS_IMPLIED, .result = TS_RESULT_NONE,
      .ground = "examples 1 and 2 leave one meaning of the pseudo-code's \"...\"" },
    [ND_NEGATIVE] = { "ND1-12", "a negative index counts from the end of its dimension; unsigned ones never do",
      PAGE, "IndicesTensor", TS_STATED, .result = TS_RESULT_NONE },
    [ND_BEYOND] = { "ND1-13", "an index beyond its dimension does not fail the call; its elements are undefined",
      PAGE, "IndicesTensor", TS_DECIDED, .result = TS_RESULT_NONE,
      .ground = "the page has no sentence about indices beyond their dimension" },
    [ND_BITS] = { "ND1-14", "elements are copied bit for bit",
      PAGE, "Description", TS_IMPLIED, .result = TS_RESULT_NONE,
      .ground = "the page gathers elements; in Direct3D no move of data changes a bit" },
    [ND_BATCH_COUNT] = { "ND1-15", "BatchDimensionCount < D",
      PAGE, "BatchDimensionCount", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = dml_gather_nd_suggest_batch_count },
    [ND_BATCH_SIZES] = { "ND1-16", "the first BatchDimensionCount sizes that count are the same in both inputs",
      PAGE, "BatchDimensionCount", TS_DECIDED, .result = TS_RESULT_INVALID,
      .suggest = dml_gather_nd_suggest_batch_size,
      .ground = "the page does not say that these sizes are equal, nor that others are illegal" },
    [ND_MANY_BATCHES] = { "ND1-17", "BatchDimensionCount < InputDimensionCount, and < IndicesDimensionCount",
      PAGE, "BatchDimensionCount", TS_DECIDED, .result = TS_RESULT_INVALID,
      .suggest = dml_gather_nd_suggest_batch_count,
      .ground = "the page bounds the batch dimensions by DimensionCount alone",
      .refused_by = "DirectML 1.15.4" },
    [ND_LONG_TUPLE] = { "ND1-18", "the last size of the indices, of a tuple, is at most InputDimensionCount - "
                                  "BatchDimensionCount",
      PAGE, "IndicesTensor", TS_DECIDED, .result = TS_RESULT_INVALID,
      .suggest = dml_gather_nd_suggest_tuple,
      .ground = "the page bounds a tuple by DimensionCount alone",
      .refused_by = "DirectML 1.15.4" },
};
/* clang-format on */

const ts_operator operator_dml_gather_nd1 = {
    .name = "dml.gather_nd1",
    .title = PAGE,
    .page = "https://learn.microsoft.com/windows/win32/api/directml/ns-directml-dml_gather_nd1_operator_desc",
    .tensor_count = sizeof dml_gather_nd_tensors / sizeof dml_gather_nd_tensors[0],
    .tensors = dml_gather_nd_tensors,
    .attr_count = sizeof attrs / sizeof attrs[0],
    .attrs = attrs,
    .attrs_size = sizeof(ts_dml_gather_nd1),
    .support_count = sizeof support / sizeof support[0],
    .support = support,
    .clause_count = sizeof clauses / sizeof clauses[0],
    .clauses = clauses,
    .shared_count = DML_CLAUSE_COUNT,
    .shared = dml_clauses,
    .run_clause = "ND1-11",
    .copy_clause = "ND1-14",
    .index_clause = "ND1-12",
    .shape_clause = "ND1-10",
    .write_clause = "BUF-19",
    .read_clause = "BUF-16",
    .undefined = "E-ND1-2",
    .interpretation_count = DML_GATHER_ND_INTERPRETATIONS,
    .interpretations = dml_gather_nd1_interpretations,
    .check = dml_gather_nd_check,
    .shape = dml_gather_nd_shape,
    .run = dml_gather_nd_run,
    .explain = dml_gather_nd_explain,
};
