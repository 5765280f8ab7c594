/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/join.h"
#include "harness/model/suggest.h"
#include "reference/dml.h"

#include <inttypes.h>

#define PAGE "DML_JOIN_OPERATOR_DESC"

ts_suggest dml_join_suggest_axis, dml_join_suggest_size; /* join_suggest.c */

/* clang-format off */
enum { IN, OUT = TS_JOIN_OUTPUT, COUNT = 0 };
static const ts_tensor_decl tensors[] = {
    TS_TENSOR_LIST("InputTensors", "in", TS_INPUT),
    { "OutputTensor", "out", TS_OUTPUT, false },
};

static const ts_tensor_list lists[] = {
    { "InputTensors", "in", IN, TS_JOIN_MAX_INPUTS, COUNT },
};

static const ts_attr_decl attrs[] = {
    { "InputCount", "count", TS_ATTR_U32, TS_SCALAR, .offset = offsetof(ts_dml_join, InputCount), .capacity = 1,
      .counts = true },
    { "Axis",       "axis",  TS_ATTR_U32, TS_SCALAR, .offset = offsetof(ts_dml_join, Axis),       .capacity = 1 },
};

#define WIDER_6_TYPES (DML_8_TYPES & ~(TS_DTYPE_BIT(TS_INT8) | TS_DTYPE_BIT(TS_UINT8)))
#define ALL(...) { TS_FOR_LIST({ __VA_ARGS__ }), { __VA_ARGS__ } }
static const ts_support_row support[] = {
    { TS_LEVEL_1_0, ALL(4, 4, WIDER_6_TYPES) },
    { TS_LEVEL_2_1, ALL(4, 4, DML_8_TYPES) },
    { TS_LEVEL_3_0, ALL(4, 5, DML_8_TYPES) },
    { TS_LEVEL_4_1, ALL(1, 8, DML_11_TYPES) },
};

static const ts_clause clauses[] = {
    { "JO-01", "the operator exists from feature level 1_0 on; no pointer is null",
      PAGE, "Availability", TS_IMPLIED, .result = TS_RESULT_INVALID,
      .ground = "the level is stated; pointers that may be null are marked with _Maybenull_, and these are not" },
    { "JO-02", "InputCount >= 1",
      PAGE, "InputCount", TS_STATED, .result = TS_RESULT_INVALID },
    { "JO-03", "all tensors have the same DataType, one of the feature level's row",
      PAGE, "Tensor constraints", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = suggest_same_type },
    { "JO-04", "all tensors have the same DimensionCount D, one of the feature level's row",
      PAGE, "Tensor constraints", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = suggest_same_dims },
    { "JO-05", "Axis < D",
      PAGE, "Axis", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = dml_join_suggest_axis },
    { "JO-06", "InputTensors[k].Sizes[i] = OutputTensor.Sizes[i] for every dimension i but Axis",
      PAGE, "InputTensors", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = dml_join_suggest_size },
    { "JO-07", "OutputTensor.Sizes[Axis] is the sum of InputTensors[k].Sizes[Axis]",
      PAGE, "OutputTensor", TS_STATED, .result = TS_RESULT_INVALID },
    { "JO-08", "along Axis, the output has the elements of InputTensors[0], then those of InputTensors[1], and so on",
      PAGE, "Description", TS_STATED, .result = TS_RESULT_NONE },
    { "JO-09", "elements are copied bit for bit",
      PAGE, "Description", TS_IMPLIED, .result = TS_RESULT_NONE,
      .ground = "the page joins elements, and copies a single input; in Direct3D no move of data changes a bit" },
    { "JO-10", "at feature levels 3_1 and 4_0, tensors have 4 or 5 dimensions",
      PAGE, "Tensor support", TS_DECIDED, .result = TS_RESULT_UNSUPPORTED_FL,
      .ground = "so the page's table; the history of feature levels gives the operator up to 8 dimensions from 3_1 on",
      .computes = true },
};
/* clang-format on */

/* Do all inputs have the type and dimension count of the output? */
static bool check_alike(const ts_descriptor *d, unsigned count, ts_report *report)
{
    const ts_tensor *out = &d->tensors[OUT];
    bool alike = true;
    for (unsigned k = 0; k < count; ++k) {
        const ts_tensor *in = &d->tensors[IN + k];
        if (in->dtype != out->dtype)
            operator_violate(report, "JO-03", TS_RESULT_INVALID, (int)(IN + k), -1,
                             "InputTensors[%u].DataType = %s differs from OutputTensor.DataType = %s", k,
                             operator_dtype_name(d->op, in->dtype), operator_dtype_name(d->op, out->dtype));
        if (in->rank == out->rank)
            continue;
        operator_violate(report, "JO-04", TS_RESULT_INVALID, (int)(IN + k), -1,
                         "InputTensors[%u].DimensionCount = %u differs from OutputTensor.DimensionCount = %u", k,
                         in->rank, out->rank);
        alike = false;
    }
    return alike;
}

static void check_sizes(const ts_descriptor *d, unsigned count, ts_report *report)
{
    const uint32_t axis = TS_ATTRS(ts_dml_join, d)->Axis;
    const ts_tensor *out = &d->tensors[OUT];
    const uint64_t sum = tensor_sum_along(&d->tensors[IN], count, axis);
    bool empty = out->sizes[axis] == 0; /* BUF-06 */
    for (unsigned k = 0; k < count; ++k) {
        const ts_tensor *in = &d->tensors[IN + k];
        empty = empty || in->sizes[axis] == 0;
        for (uint32_t i = 0; i < out->rank; ++i)
            if (i != axis && in->sizes[i] != out->sizes[i] && in->sizes[i] != 0 && out->sizes[i] != 0)
                operator_violate(report, "JO-06", TS_RESULT_INVALID, (int)(IN + k), (int)i,
                                 "InputTensors[%u].Sizes[%u] = %" PRIu64
                                 " differs from OutputTensor.Sizes[%u] = %" PRIu64,
                                 k, i, in->sizes[i], i, out->sizes[i]);
    }
    if (sum != out->sizes[axis] && !empty)
        operator_violate(report, "JO-07", TS_RESULT_INVALID, OUT, (int)axis,
                         "OutputTensor.Sizes[%u] = %" PRIu64 " is not %" PRIu64 ", the sum of the inputs' Sizes[%u]",
                         axis, out->sizes[axis], sum, axis);
}

static void check(const ts_descriptor *d, ts_report *report)
{
    const ts_dml_join *a = TS_ATTRS(ts_dml_join, d);
    const unsigned count = operator_list_length(d, &lists[0]);
    bool disputed = d->feature_level >= TS_LEVEL_3_1 && d->feature_level < TS_LEVEL_4_1;
    const char *dims[OUT + 1], *dtypes[OUT + 1];
    for (unsigned k = 0; k < count; ++k)
        disputed = disputed && d->tensors[IN + k].rank == d->tensors[OUT].rank; /* else JO-04 is broken anyhow */
    for (unsigned k = 0; k <= OUT; ++k) {
        dims[k] = disputed ? "JO-10" : "JO-04";
        dtypes[k] = "JO-03";
    }
    bool comparable = dml_check_tensors(d, report, "JO-01", dims, dtypes);
    bool given = operator_check_given(d, report, "JO-01");
    if (count == 0)
        operator_violate(report, "JO-02", TS_RESULT_INVALID, -1, -1, "InputCount = 0: there is nothing to join");
    if (!given || !comparable || !check_alike(d, count, report))
        return;
    const uint32_t rank = d->tensors[OUT].rank;
    if (rank < 1 || rank > TS_MAX_DIMS)
        return; /* BUF-05 */
    if (a->Axis >= rank)
        operator_violate(report, "JO-05", TS_RESULT_INVALID, OUT, -1, "Axis = %u is not below DimensionCount = %u",
                         a->Axis, rank);
    else if (count > 0)
        check_sizes(d, count, report);
}

static bool shape(ts_descriptor *d)
{
    const uint32_t axis = TS_ATTRS(ts_dml_join, d)->Axis;
    const unsigned count = operator_list_length(d, &lists[0]);
    const ts_tensor *first = &d->tensors[IN];
    ts_tensor *out = &d->tensors[OUT];
    if (count == 0 || first->rank < 1 || first->rank > TS_MAX_DIMS || axis >= first->rank)
        return false;
    for (unsigned k = 0; k < count; ++k)
        if (d->tensors[IN + k].rank != first->rank)
            return false;
    out->rank = first->rank;
    memcpy(out->sizes, first->sizes, first->rank * sizeof out->sizes[0]);
    out->sizes[axis] = tensor_sum_along(first, count, axis);
    return true;
}

static void run(const ts_descriptor *d, ts_unspecified *unspecified)
{
    const uint32_t axis = TS_ATTRS(ts_dml_join, d)->Axis;
    const unsigned count = operator_list_length(d, &lists[0]);
    const ts_tensor *out = &d->tensors[OUT];
    uint64_t start = 0;
    (void)unspecified; /* every element is defined */
    for (unsigned k = 0; k < count; ++k) {
        const ts_tensor *in = &d->tensors[IN + k];
        uint64_t c[TS_MAX_DIMS] = { 0 }, o[TS_MAX_DIMS];
        do {
            memcpy(o, c, sizeof o);
            o[axis] += start;
            tensor_copy_element(out, o, in, c);
        } while (tensor_next(in, c));
        start += in->sizes[axis];
    }
}

ts_explain dml_join_explain; /* join_explain.c */

const ts_operator operator_dml_join = {
    .name = "dml.join",
    .title = PAGE,
    .page = "https://learn.microsoft.com/windows/win32/api/directml/ns-directml-dml_join_operator_desc",
    .tensor_count = sizeof tensors / sizeof tensors[0],
    .tensors = tensors,
    .list_count = sizeof lists / sizeof lists[0],
    .lists = lists,
    .attr_count = sizeof attrs / sizeof attrs[0],
    .attrs = attrs,
    .attrs_size = sizeof(ts_dml_join),
    .support_count = sizeof support / sizeof support[0],
    .support = support,
    .clause_count = sizeof clauses / sizeof clauses[0],
    .clauses = clauses,
    .shared_count = DML_CLAUSE_COUNT,
    .shared = dml_clauses,
    .run_clause = "JO-08",
    .copy_clause = "JO-09",
    .shape_clause = "JO-07",
    .write_clause = "BUF-19",
    .read_clause = "BUF-16",
    .copied = (1u << TS_JOIN_MAX_INPUTS) - 1,
    .check = check,
    .shape = shape,
    .run = run,
    .explain = dml_join_explain,
};
