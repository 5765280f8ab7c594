/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/cumulative_summation.h"
#include "harness/model/suggest.h"
#include "reference/dml.h"

#include <inttypes.h>

#define PAGE "DML_CUMULATIVE_SUMMATION_OPERATOR_DESC"

/* cumulative_summation_suggest.c */
ts_suggest dml_cumulative_summation_suggest_axis, dml_cumulative_summation_suggest_direction;

/* clang-format off */
enum { IN, OUT };
static const ts_tensor_decl tensors[] = {
    { "InputTensor",  "in",  TS_INPUT,  false },
    { "OutputTensor", "out", TS_OUTPUT, false },
};

static const char *const directions[] = { "DML_AXIS_DIRECTION_INCREASING", "DML_AXIS_DIRECTION_DECREASING", NULL };
static const ts_attr_decl attrs[] = {
    { "Axis",            "axis",      TS_ATTR_U32,  TS_SCALAR,
      .offset = offsetof(ts_dml_cumulative_summation, Axis), .capacity = 1 },
    { "AxisDirection",   "direction", TS_ATTR_U32,  TS_SCALAR,
      .offset = offsetof(ts_dml_cumulative_summation, AxisDirection), .capacity = 1, .names = directions },
    { "HasExclusiveSum", "exclusive", TS_ATTR_BOOL, TS_SCALAR,
      .offset = offsetof(ts_dml_cumulative_summation, HasExclusiveSum), .capacity = 1 },
};

#define NARROW (DML_FLOATS | TS_DTYPE_BIT(TS_INT32) | TS_DTYPE_BIT(TS_UINT32))
#define ALL    (NARROW | TS_DTYPE_BIT(TS_INT64) | TS_DTYPE_BIT(TS_UINT64))
static const ts_support_row support[] = {
    { TS_LEVEL_2_1, { { 4, 4, NARROW }, { 4, 4, NARROW } } },
    { TS_LEVEL_4_0, { { 1, 8, NARROW }, { 1, 8, NARROW } } },
    { TS_LEVEL_5_0, { { 1, 8, ALL },    { 1, 8, ALL } } },
};

static const ts_clause clauses[] = {
    { "CS-01", "the operator exists from feature level 2_1 on; no pointer is null",
      PAGE, "Availability", TS_IMPLIED, .result = TS_RESULT_INVALID,
      .ground = "the level is stated; pointers that may be null are marked with _Maybenull_, and these are not" },
    { "CS-02", "both tensors have the same DataType, one of the feature level's row",
      PAGE, "Tensor constraints", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = suggest_same_type },
    { "CS-03", "both tensors have the same DimensionCount, one of the feature level's row",
      PAGE, "Tensor constraints", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = suggest_same_dims },
    { "CS-04", "both tensors have the same Sizes",
      PAGE, "Tensor constraints", TS_STATED, .result = TS_RESULT_INVALID },
    { "CS-05", "Axis < InputTensor.DimensionCount",
      PAGE, "Axis", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = dml_cumulative_summation_suggest_axis },
    { "CS-06", "AxisDirection is DML_AXIS_DIRECTION_INCREASING or DML_AXIS_DIRECTION_DECREASING",
      PAGE, "AxisDirection", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = dml_cumulative_summation_suggest_direction },
    { "CS-07", "an element of the output is the sum of the input's elements along Axis, up to its own index; "
               "DECREASING: from its own index on",
      PAGE, "AxisDirection", TS_STATED, .result = TS_RESULT_NONE },
    { "CS-08", "HasExclusiveSum: the element of the same index is not part of the sum, so that the first sum is 0",
      PAGE, "HasExclusiveSum", TS_STATED, .result = TS_RESULT_NONE },
    { "CS-09", "sums of integers are modulo 2^n, n bits being the size of an element",
      PAGE, "Description", TS_IMPLIED, .result = TS_RESULT_NONE,
      .ground = "Direct3D's iadd keeps the low bits of a sum, whatever its sign; DXIL adds 64 bits modulo 2^64" },
    { "CS-10", "sums of floats are rounded, in an order of additions that the page does not state: they are judged in "
               "the examples that the page prints, and nowhere else",
      PAGE, "Description", TS_DECIDED, .result = TS_RESULT_NONE,
      .ground = "the page states neither the order of the additions nor the width of their results" },
    { "CS-11", "each value of HasExclusiveSum but 0 is TRUE",
      PAGE, "HasExclusiveSum", TS_DECIDED, .result = TS_RESULT_NONE,
      .ground = "a BOOL \"should be TRUE or FALSE\"; no page says what another value means" },
};
/* clang-format on */

static void check_sizes(const ts_descriptor *d, ts_report *report)
{
    const ts_tensor *in = &d->tensors[IN], *out = &d->tensors[OUT];
    if (out->rank != in->rank) {
        operator_violate(report, "CS-03", TS_RESULT_INVALID, OUT, -1,
                         "OutputTensor.DimensionCount = %u differs from InputTensor.DimensionCount = %u", out->rank,
                         in->rank);
        return;
    }
    for (uint32_t i = 0; i < in->rank && i < TS_MAX_DIMS; ++i) {
        if (out->sizes[i] != in->sizes[i] && out->sizes[i] != 0 && in->sizes[i] != 0) /* zeros are BUF-06 */
            operator_violate(report, "CS-04", TS_RESULT_INVALID, OUT, (int)i,
                             "OutputTensor.Sizes[%u] = %" PRIu64 " differs from InputTensor.Sizes[%u] = %" PRIu64, i,
                             out->sizes[i], i, in->sizes[i]);
    }
}

static void check(const ts_descriptor *d, ts_report *report)
{
    const ts_dml_cumulative_summation *a = TS_ATTRS(ts_dml_cumulative_summation, d);
    const ts_tensor *in = &d->tensors[IN], *out = &d->tensors[OUT];
    bool comparable = dml_check_tensors(d, report, "CS-01", (const char *[]){ "CS-03", "CS-03" },
                                        (const char *[]){ "CS-02", "CS-02" });
    if (!operator_check_given(d, report, "CS-01"))
        return;
    if (a->AxisDirection > TS_AXIS_DECREASING)
        operator_violate(report, "CS-06", TS_RESULT_INVALID, -1, -1,
                         "AxisDirection = %u is neither INCREASING = 0 nor DECREASING = 1", a->AxisDirection);
    if (!comparable)
        return;
    if (out->dtype != in->dtype)
        operator_violate(report, "CS-02", TS_RESULT_INVALID, OUT, -1,
                         "OutputTensor.DataType = %s differs from InputTensor.DataType = %s",
                         operator_dtype_name(d->op, out->dtype), operator_dtype_name(d->op, in->dtype));
    check_sizes(d, report);
    if (in->rank >= 1 && a->Axis >= in->rank)
        operator_violate(report, "CS-05", TS_RESULT_INVALID, IN, -1,
                         "Axis = %u is not below InputTensor.DimensionCount = %u", a->Axis, in->rank);
}

static bool shape(ts_descriptor *d)
{
    const ts_tensor *in = &d->tensors[IN];
    ts_tensor *out = &d->tensors[OUT];
    if (in->rank < 1 || in->rank > TS_MAX_DIMS)
        return false;
    out->rank = in->rank;
    memcpy(out->sizes, in->sizes, in->rank * sizeof in->sizes[0]);
    return true;
}

/* cumulative_summation_unjudged.c */
uint64_t dml_cumulative_summation_add_floats(uint32_t dtype, uint64_t a, uint64_t b);

static uint64_t element_at(const ts_tensor *t, const uint64_t *coord)
{
    uint64_t bits = 0; /* little-endian */
    memcpy(&bits, tensor_at(t, coord), tensor_element_bytes(t->dtype));
    return bits;
}

static void run(const ts_descriptor *d, ts_unspecified *unspecified)
{
    const ts_dml_cumulative_summation *a = TS_ATTRS(ts_dml_cumulative_summation, d);
    const ts_tensor *in = &d->tensors[IN], *out = &d->tensors[OUT];
    const uint64_t count = in->sizes[a->Axis];
    uint64_t c[TS_MAX_DIMS] = { 0 };
    (void)unspecified; /* every element is defined */
    do {
        if (c[a->Axis] != 0)
            continue; /* a line along the axis follows from its first element */
        uint64_t tally = 0, at[TS_MAX_DIMS];
        memcpy(at, c, sizeof at);
        for (uint64_t k = 0; k < count; ++k) {
            at[a->Axis] = a->AxisDirection == TS_AXIS_INCREASING ? k : count - 1 - k;
            const uint64_t element = element_at(in, at), before = tally; /* in place, it is overwritten below */
            tally = operator_judges(d->op, in->dtype)                    /* else a float */
                        ? tally + element                                /* of which the lowest bits count (CS-09) */
                        : dml_cumulative_summation_add_floats(in->dtype, tally, element);
            memcpy(tensor_at(out, at), a->HasExclusiveSum ? &before : &tally, tensor_element_bytes(out->dtype));
        }
    } while (tensor_next(in, c));
}

ts_explain dml_cumulative_summation_explain; /* cumulative_summation_explain.c */

const ts_operator operator_dml_cumulative_summation = {
    .name = "dml.cumulative_summation",
    .title = PAGE,
    .page = "https://learn.microsoft.com/windows/win32/api/directml/ns-directml-dml_cumulative_summation_operator_desc",
    .tensor_count = sizeof tensors / sizeof tensors[0],
    .tensors = tensors,
    .attr_count = sizeof attrs / sizeof attrs[0],
    .attrs = attrs,
    .attrs_size = sizeof(ts_dml_cumulative_summation),
    .support_count = sizeof support / sizeof support[0],
    .support = support,
    .unjudged = DML_FLOATS,
    .clause_count = sizeof clauses / sizeof clauses[0],
    .clauses = clauses,
    .shared_count = DML_CLAUSE_COUNT,
    .shared = dml_clauses,
    .run_clause = "CS-07",
    .shape_clause = "CS-04",
    .write_clause = "BUF-19",
    .read_clause = "BUF-16",
    .in_place = true,
    .check = check,
    .shape = shape,
    .run = run,
    .explain = dml_cumulative_summation_explain,
};
