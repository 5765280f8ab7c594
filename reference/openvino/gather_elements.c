/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/openvino/gather_elements.h"
#include "harness/model/suggest.h"
#include "reference/openvino_index.h"

#include <inttypes.h>

#define PAGE      "GatherElements-6"
#define MOST_DIMS 8

/* gather_elements_suggest.c */
ts_suggest openvino_gather_elements_suggest_axis, openvino_gather_elements_suggest_size;

/* clang-format off */
enum { DATA, INDICES, OUT };
static const ts_tensor_decl tensors[] = {
    { "data",    "data",    TS_INPUT,  false },
    { "indices", "indices", TS_INPUT,  false },
    { "output",  "out",     TS_OUTPUT, false },
};

static const ts_attr_decl attrs[] = {
    { "axis", "axis", TS_ATTR_I64, TS_SCALAR, .offset = offsetof(ts_openvino_gather_elements, axis), .capacity = 1 },
};

static const ts_support_row support[] = {
    { 0, { { 1, MOST_DIMS, OPENVINO_TYPES }, { 1, MOST_DIMS, OPENVINO_INDEX_TYPES }, { 1, MOST_DIMS, OPENVINO_TYPES } } },
};

static const ts_clause clauses[] = {
    { "GE6-01", "data, indices and axis are given, and every tensor has a shape",
      PAGE, "Inputs", TS_STATED, .result = TS_RESULT_INVALID },
    { "GE6-02", "data has the rank r >= 1; judged up to 8 dimensions of less than 2^63 elements",
      PAGE, "Inputs", TS_STATED, .result = TS_RESULT_INVALID },
    { "GE6-03", "output has the type of data, which may be any type",
      PAGE, "Types", TS_STATED, .result = TS_RESULT_INVALID, .suggest = suggest_same_type },
    { "GE6-04", "indices are i32 or i64",
      PAGE, "Types", TS_STATED, .result = TS_RESULT_INVALID },
    { "GE6-05", "every tensor has as many bytes as its elements span",
      PAGE, "Inputs", TS_IMPLIED, .result = TS_RESULT_INVALID,
      .ground = "arithmetic: a smaller buffer does not hold all elements" },
    { "GE6-06", "-r <= axis < r; a negative axis counts from r",
      PAGE, "axis", TS_STATED, .result = TS_RESULT_INVALID, .suggest = openvino_gather_elements_suggest_axis },
    { "GE6-07", "indices have the rank of data",
      PAGE, "Detailed description", TS_STATED, .result = TS_RESULT_INVALID },
    { "GE6-08", "indices have the sizes of data, except along the axis, where they may have any",
      PAGE, "Detailed description", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = openvino_gather_elements_suggest_size },
    { "GE6-09", "output has the shape of indices",
      PAGE, "Outputs", TS_STATED, .result = TS_RESULT_INVALID },
    { "GE6-10", "output[i, j, ...] = data[i, j, ...] with the coordinate along axis replaced by indices[i, j, ...]",
      PAGE, "Detailed description", TS_STATED, .result = TS_RESULT_NONE },
    { "GE6-11", "indices are -s to s - 1, where s is the size of data along axis (openvino#30800, OpenVINO 2025.3; 0 "
                "to "
                "s - 1 before, in edition 0992f8bd)",
      PAGE, "Inputs", TS_STATED, .result = TS_RESULT_NONE },
    { "GE6-12", "with another index, the call fails, or the elements that it selects are undefined",
      PAGE, "Inputs", TS_DECIDED, .result = TS_RESULT_NONE,
      .ground = "the page expects a range, and says nothing about other indices" },
    { "GE6-13", "elements are copied bit for bit",
      PAGE, "Outputs", TS_IMPLIED, .result = TS_RESULT_NONE,
      .ground = "the operation takes elements, and the equations assign without arithmetic" },
    { "GE6-14", "a negative index counts from the end of the axis (openvino#30800)",
      PAGE, "Inputs", TS_IMPLIED, .result = TS_RESULT_NONE,
      .ground = "-s to -1 name the s elements once more, and Gather-8 calls negative indices reverse indexing" },
};

static const ts_ir_layer ir = { "GatherElements", "opset6", "GE6-01", 0, NULL, NULL };
/* clang-format on */

/* The axis, counted from the first dimension. The attribute is legal. */
static uint32_t axis_of(const ts_descriptor *d)
{
    const int64_t axis = TS_ATTRS(ts_openvino_gather_elements, d)->axis;
    return (uint32_t)(axis < 0 ? axis + d->tensors[DATA].rank : axis);
}

static void check_sizes(const ts_descriptor *d, ts_report *report)
{
    const ts_tensor *data = &d->tensors[DATA], *indices = &d->tensors[INDICES];
    const uint32_t axis = axis_of(d);
    for (uint32_t i = 0; i < data->rank; ++i)
        if (i != axis && indices->sizes[i] != data->sizes[i])
            operator_violate(report, "GE6-08", TS_RESULT_INVALID, INDICES, (int)i,
                             "indices' dimension %u = %" PRIu64 " differs from data's, %" PRIu64, i, indices->sizes[i],
                             data->sizes[i]);
}

static void check_output(const ts_descriptor *d, ts_report *report)
{
    const ts_tensor *indices = &d->tensors[INDICES], *out = &d->tensors[OUT];
    if (out->rank != indices->rank) {
        operator_violate(report, "GE6-09", TS_RESULT_INVALID, OUT, -1, "output has %u dimensions, expected %u",
                         out->rank, indices->rank);
        return;
    }
    for (uint32_t i = 0; i < out->rank; ++i)
        if (out->sizes[i] != indices->sizes[i])
            operator_violate(report, "GE6-09", TS_RESULT_INVALID, OUT, (int)i,
                             "output's dimension %u = %" PRIu64 ", expected %" PRIu64, i, out->sizes[i],
                             indices->sizes[i]);
}

static void check(const ts_descriptor *d, ts_report *report)
{
    const int64_t axis = TS_ATTRS(ts_openvino_gather_elements, d)->axis, rank = d->tensors[DATA].rank;
    operator_check_support(d, report, "GE6-01", (const char *[]){ NULL, NULL, NULL },
                           (const char *[]){ "GE6-03", "GE6-04", "GE6-03" });
    if (!operator_check_given(d, report, "GE6-01") || !openvino_check_tensors(d, "GE6-01", "GE6-05", report))
        return;
    openvino_check_same_type(d, OUT, "GE6-03", report);
    if (!openvino_check_dims(d, DATA, 1, MOST_DIMS, "GE6-02", report))
        return;
    if (axis < -rank || axis >= rank)
        operator_violate(report, "GE6-06", TS_RESULT_INVALID, DATA, -1,
                         "axis = %" PRId64 " is not within -%" PRId64 " to %" PRId64 ", as data has rank %" PRId64,
                         axis, rank, rank - 1, rank);
    if (d->tensors[INDICES].rank != rank) {
        operator_violate(report, "GE6-07", TS_RESULT_INVALID, INDICES, -1,
                         "indices have %u dimensions, and data has %" PRId64, d->tensors[INDICES].rank, rank);
        return;
    }
    if (!openvino_check_dims(d, INDICES, 1, MOST_DIMS, "GE6-02", report))
        return;
    if (axis >= -rank && axis < rank)
        check_sizes(d, report);
    check_output(d, report);
}

static bool shape(ts_descriptor *d)
{
    const ts_tensor *indices = &d->tensors[INDICES];
    ts_tensor *out = &d->tensors[OUT];
    if (!openvino_check_dims(d, INDICES, 1, MOST_DIMS, NULL, NULL))
        return false;
    out->rank = indices->rank;
    memcpy(out->sizes, indices->sizes, indices->rank * sizeof out->sizes[0]);
    return true;
}

static void run(const ts_descriptor *d, ts_unspecified *unspecified)
{
    const ts_tensor *data = &d->tensors[DATA], *indices = &d->tensors[INDICES], *out = &d->tensors[OUT];
    const uint32_t axis = axis_of(d);
    uint64_t o[TS_MAX_DIMS] = { 0 }, from[TS_MAX_DIMS], elements;
    if (!tensor_element_count(out, &elements) || elements == 0)
        return;
    do {
        bool negative;
        const uint64_t stated = openvino_index(indices, o, &negative);
        memcpy(from, o, sizeof from);
        if (openvino_from_either_end(stated, negative, data->sizes[axis], &from[axis])) { /* GE6-14 */
            tensor_copy_element(out, o, data, from);
        } else { /* GE6-12 */
            memset(tensor_at(out, o), 0, tensor_element_bytes(out->dtype));
            openvino_stray(unspecified, OUT, tensor_number(out, o));
        }
    } while (tensor_next(out, o));
}

ts_explain openvino_gather_elements_explain; /* gather_elements_explain.c */

/* gather_elements_interpretations.c */
#define INTERPRETATIONS 2
extern const ts_interpretation openvino_gather_elements_interpretations[INTERPRETATIONS];

const ts_operator operator_openvino_gather_elements = {
    .name = "openvino.gather_elements",
    .title = PAGE,
    .page = "https://docs.openvino.ai/2025/documentation/openvino-ir-format/operation-sets/operation-specs/movement/"
            "gather-elements-6.html",
    .tensor_count = sizeof tensors / sizeof tensors[0],
    .tensors = tensors,
    .attr_count = sizeof attrs / sizeof attrs[0],
    .attrs = attrs,
    .attrs_size = sizeof(ts_openvino_gather_elements),
    .support_count = sizeof support / sizeof support[0],
    .support = support,
    .clause_count = sizeof clauses / sizeof clauses[0],
    .clauses = clauses,
    .run_clause = "GE6-10",
    .copy_clause = "GE6-13",
    .index_clause = "GE6-14",
    .shape_clause = "GE6-09",
    .openvino_types = true,
    .ir = &ir,
    .undefined = "E-GE6-1",
    .interpretation_count = INTERPRETATIONS,
    .interpretations = openvino_gather_elements_interpretations,
    .check = check,
    .shape = shape,
    .run = run,
    .explain = openvino_gather_elements_explain,
};
