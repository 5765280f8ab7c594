/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/gather_elements.h"
#include "harness/model/suggest.h"
#include "reference/dml.h"
#include "reference/dml_index.h"
#include "reference/dml_interpretations.h"

#include <inttypes.h>

#define PAGE "DML_GATHER_ELEMENTS_OPERATOR_DESC"

/* gather_elements_suggest.c */
ts_suggest dml_gather_elements_suggest_axis, dml_gather_elements_suggest_size;

/* clang-format off */
enum { IN, INDICES, OUT };
static const ts_tensor_decl tensors[] = {
    { "InputTensor",   "in",      TS_INPUT,  false },
    { "IndicesTensor", "indices", TS_INPUT,  false },
    { "OutputTensor",  "out",     TS_OUTPUT, false },
};

static const ts_attr_decl attrs[] = {
    { "Axis", "axis", TS_ATTR_U32, TS_SCALAR, .offset = offsetof(ts_dml_gather_elements, Axis), .capacity = 1 },
};

#define UNSIGNED_32 TS_DTYPE_BIT(TS_UINT32)
#define INDEX_TYPES (TS_DTYPE_BIT(TS_INT64) | TS_DTYPE_BIT(TS_INT32) | \
                     TS_DTYPE_BIT(TS_UINT64) | TS_DTYPE_BIT(TS_UINT32))
static const ts_support_row support[] = {
    { TS_LEVEL_2_1, { { 4, 4, DML_8_TYPES },  { 4, 4, UNSIGNED_32 }, { 4, 4, DML_8_TYPES } } },
    { TS_LEVEL_3_0, { { 1, 8, DML_8_TYPES },  { 1, 8, INDEX_TYPES }, { 1, 8, DML_8_TYPES } } },
    { TS_LEVEL_4_1, { { 1, 8, DML_11_TYPES }, { 1, 8, INDEX_TYPES }, { 1, 8, DML_11_TYPES } } },
};

static const ts_clause clauses[] = {
    { "GE-01", "the operator exists from feature level 2_1 on; no pointer is null",
      PAGE, "Availability", TS_IMPLIED, .result = TS_RESULT_INVALID,
      .ground = "the level is stated; pointers that may be null are marked with _Maybenull_, and these are not" },
    { "GE-02", "all tensors have the same DimensionCount D, one of the feature level's row",
      PAGE, "Tensor constraints", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = suggest_same_dims },
    { "GE-03", "InputTensor and OutputTensor have the same DataType, one of the feature level's row",
      PAGE, "Tensor constraints", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = suggest_same_type },
    { "GE-04", "indices are UINT32; from feature level 3_0 on also INT32, UINT64 or INT64",
      PAGE, "Tensor support", TS_STATED, .result = TS_RESULT_INVALID },
    { "GE-05", "Axis < D",
      PAGE, "Axis", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = dml_gather_elements_suggest_axis },
    { "GE-06", "IndicesTensor.Sizes[i] = InputTensor.Sizes[i] for every dimension i but Axis",
      PAGE, "IndicesTensor", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = dml_gather_elements_suggest_size },
    { "GE-07", "OutputTensor.Sizes = IndicesTensor.Sizes",
      PAGE, "OutputTensor", TS_STATED, .result = TS_RESULT_INVALID },
    { "GE-08", "output[i, j, ...] = input[i, j, ...] with the coordinate along Axis replaced by indices[i, j, ...]",
      PAGE, "Description", TS_STATED, .result = TS_RESULT_NONE },
    { "GE-09", "a negative index counts from the end of the axis; unsigned ones never do",
      PAGE, "IndicesTensor", TS_STATED, .result = TS_RESULT_NONE },
    { "GE-10", "an index beyond the axis does not fail the call; the elements that it selects are undefined",
      PAGE, "IndicesTensor", TS_DECIDED, .result = TS_RESULT_NONE,
      .ground = "the page has no sentence about indices beyond the axis" },
    { "GE-11", "elements are copied bit for bit",
      PAGE, "Description", TS_IMPLIED, .result = TS_RESULT_NONE,
      .ground = "the page gathers elements; in Direct3D no move of data changes a bit" },
};
/* clang-format on */

static void check_sizes(const ts_descriptor *d, ts_report *report)
{
    const uint32_t axis = TS_ATTRS(ts_dml_gather_elements, d)->Axis;
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES], *out = &d->tensors[OUT];
    for (uint32_t i = 0; i < in->rank; ++i) { /* sizes of zero are BUF-06 */
        if (i != axis && indices->sizes[i] != in->sizes[i] && indices->sizes[i] != 0 && in->sizes[i] != 0)
            operator_violate(report, "GE-06", TS_RESULT_INVALID, INDICES, (int)i,
                             "IndicesTensor.Sizes[%u] = %" PRIu64 " differs from InputTensor.Sizes[%u] = %" PRIu64, i,
                             indices->sizes[i], i, in->sizes[i]);
        if (out->sizes[i] != indices->sizes[i] && out->sizes[i] != 0 && indices->sizes[i] != 0)
            operator_violate(report, "GE-07", TS_RESULT_INVALID, OUT, (int)i,
                             "OutputTensor.Sizes[%u] = %" PRIu64 " differs from IndicesTensor.Sizes[%u] = %" PRIu64, i,
                             out->sizes[i], i, indices->sizes[i]);
    }
}

static void check(const ts_descriptor *d, ts_report *report)
{
    const uint32_t axis = TS_ATTRS(ts_dml_gather_elements, d)->Axis;
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES], *out = &d->tensors[OUT];
    const uint32_t dims = in->rank;
    bool comparable = dml_check_tensors(d, report, "GE-01", (const char *[]){ "GE-02", "GE-02", "GE-02" },
                                        (const char *[]){ "GE-03", "GE-04", "GE-03" });
    if (!operator_check_given(d, report, "GE-01") || !comparable)
        return;
    if (out->dtype != in->dtype)
        operator_violate(report, "GE-03", TS_RESULT_INVALID, OUT, -1,
                         "OutputTensor.DataType = %s differs from InputTensor.DataType = %s",
                         operator_dtype_name(d->op, out->dtype), operator_dtype_name(d->op, in->dtype));
    if (indices->rank != dims || out->rank != dims) {
        operator_violate(report, "GE-02", TS_RESULT_INVALID, -1, -1,
                         "the DimensionCounts of InputTensor, IndicesTensor and OutputTensor differ: %u, %u, %u", dims,
                         indices->rank, out->rank);
        return;
    }
    if (dims < 1 || dims > TS_MAX_DIMS)
        return; /* BUF-05 */
    if (axis >= dims)
        operator_violate(report, "GE-05", TS_RESULT_INVALID, IN, -1, "Axis = %u is not below DimensionCount = %u", axis,
                         dims);
    else
        check_sizes(d, report);
}

static bool shape(ts_descriptor *d)
{
    const ts_tensor *indices = &d->tensors[INDICES];
    ts_tensor *out = &d->tensors[OUT];
    if (indices->rank < 1 || indices->rank > TS_MAX_DIMS)
        return false;
    out->rank = indices->rank;
    memcpy(out->sizes, indices->sizes, indices->rank * sizeof out->sizes[0]);
    return true;
}

static void run(const ts_descriptor *d, ts_unspecified *unspecified)
{
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES], *out = &d->tensors[OUT];
    const uint32_t axis = TS_ATTRS(ts_dml_gather_elements, d)->Axis;
    uint64_t o[TS_MAX_DIMS] = { 0 }, from[TS_MAX_DIMS];
    do {
        bool inside;
        memcpy(from, o, sizeof from);
        from[axis] = dml_index(indices, o, in->sizes[axis], &inside);
        if (!inside)
            operator_unspecified(unspecified, OUT, tensor_number(out, o));
        tensor_copy_element(out, o, in, from);
    } while (tensor_next(out, o));
}

ts_explain dml_gather_elements_explain; /* gather_elements_explain.c */

const ts_operator operator_dml_gather_elements = {
    .name = "dml.gather_elements",
    .title = PAGE,
    .page = "https://learn.microsoft.com/windows/win32/api/directml/ns-directml-dml_gather_elements_operator_desc",
    .tensor_count = sizeof tensors / sizeof tensors[0],
    .tensors = tensors,
    .attr_count = sizeof attrs / sizeof attrs[0],
    .attrs = attrs,
    .attrs_size = sizeof(ts_dml_gather_elements),
    .support_count = sizeof support / sizeof support[0],
    .support = support,
    .clause_count = sizeof clauses / sizeof clauses[0],
    .clauses = clauses,
    .shared_count = DML_CLAUSE_COUNT,
    .shared = dml_clauses,
    .run_clause = "GE-08",
    .copy_clause = "GE-11",
    .index_clause = "GE-09",
    .shape_clause = "GE-07",
    .write_clause = "BUF-19",
    .read_clause = "BUF-16",
    .undefined = "E-GE-2",
    .interpretation_count = DML_GATHER_ELEMENTS_INTERPRETATIONS,
    .interpretations = dml_gather_elements_interpretations,
    .check = check,
    .shape = shape,
    .run = run,
    .explain = dml_gather_elements_explain,
};
