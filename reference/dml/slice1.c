/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/slice1.h"
#include "reference/dml.h"
#include "harness/model/suggest.h"

#include <assert.h>
#include <inttypes.h>

#define PAGE "DML_SLICE1_OPERATOR_DESC"

/* slice1_suggest.c */
ts_suggest dml_slice1_suggest_dims, dml_slice1_suggest_window, dml_slice1_suggest_window_size,
    dml_slice1_suggest_stride, dml_slice1_suggest_output;

/* clang-format off */
enum { IN, OUT };
static const ts_tensor_decl tensors[] = {
    { "InputTensor",  "in",  TS_INPUT,  false },
    { "OutputTensor", "out", TS_OUTPUT, false },
};

#define FIELD(name) offsetof(ts_dml_slice1, name)
static const ts_attr_decl attrs[] = {
    { "DimensionCount", "dims", TS_ATTR_U32, TS_SCALAR, FIELD(DimensionCount), 0, .capacity = 1, .counts = true },
    { "InputWindowOffsets", "offset", TS_ATTR_U32, TS_ARRAY,
      FIELD(InputWindowOffsets), FIELD(DimensionCount), .capacity = TS_SLICE1_DIMS },
    { "InputWindowSizes",   "window", TS_ATTR_U32, TS_ARRAY,
      FIELD(InputWindowSizes),   FIELD(DimensionCount), .capacity = TS_SLICE1_DIMS },
    { "InputWindowStrides", "stride", TS_ATTR_I32, TS_ARRAY,
      FIELD(InputWindowStrides), FIELD(DimensionCount), .capacity = TS_SLICE1_DIMS },
};

static const ts_support_row support[] = {
    { TS_LEVEL_2_1, { { 4, 5, DML_8_TYPES },  { 4, 5, DML_8_TYPES } } },
    { TS_LEVEL_3_0, { { 1, 8, DML_8_TYPES },  { 1, 8, DML_8_TYPES } } },
    { TS_LEVEL_4_1, { { 1, 8, DML_11_TYPES }, { 1, 8, DML_11_TYPES } } },
};

static const ts_clause clauses[] = {
    { "SL-01", "the operator exists from feature level 2_1 on",
      PAGE, "Availability", TS_STATED, .result = TS_RESULT_UNSUPPORTED_FL },
    { "SL-02", "no pointer is null",
      PAGE, "Syntax", TS_IMPLIED, .result = TS_RESULT_INVALID,
      .ground = "pointers that may be null are marked with _Maybenull_, and these are not" },
    { "SL-03", "DimensionCount equals that of both tensors: 1 to 8, or 4 to 5 at feature level 2_1",
      PAGE, "DimensionCount", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = dml_slice1_suggest_dims },
    { "SL-04", "both tensors have the same DataType, one of the feature level's row",
      PAGE, "Tensor constraints", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = suggest_same_type },
    { "SL-05", "InputWindowOffsets[i] + InputWindowSizes[i] <= InputTensor.Sizes[i], without wrapping",
      PAGE, "InputWindowOffsets", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = dml_slice1_suggest_window },
    { "SL-06", "InputWindowSizes[i] >= 1: the window is not empty",
      PAGE, "Description", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = dml_slice1_suggest_window_size },
    { "SL-07", "InputWindowStrides[i] is not 0",
      PAGE, "InputWindowStrides", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = dml_slice1_suggest_stride },
    { "SL-08", "1 <= OutputTensor.Sizes[i] <= 1 + (InputWindowSizes[i] - 1) / |InputWindowStrides[i]|",
      PAGE, "Description", TS_IMPLIED, .result = TS_RESULT_INVALID,
      .suggest = dml_slice1_suggest_output,
      .ground = "example 2 copies 2 elements of a window of 4 with a stride of -2, which a signed quotient forbids" },
    { "SL-09", "a stride may exceed the window and may have any sign",
      PAGE, "InputWindowStrides", TS_IMPLIED, .result = TS_RESULT_NONE,
      .ground = "\"Strides may not be 0\" is the only bound, and the text gives both signs a meaning" },
    { "SL-10", "start[i] = Offsets[i] + (Strides[i] < 0 ? Sizes[i] - 1 : 0); Output[o] = Input[start + Strides * o]",
      PAGE, "Description", TS_STATED, .result = TS_RESULT_NONE },
    { "SL-11", "elements are copied bit for bit",
      PAGE, "Description", TS_IMPLIED, .result = TS_RESULT_NONE,
      .ground = "the page copies elements; in Direct3D no move of data changes a bit" },
};
/* clang-format on */

/* SL-08: how many elements of a window can be copied. The magnitude of INT32_MIN needs more than 32 bits. */
static uint64_t max_copied_elements(uint32_t window, int32_t stride)
{
    return 1 + ((uint64_t)window - 1) / (uint64_t)(stride < 0 ? -(int64_t)stride : stride);
}

static void check(const ts_descriptor *d, ts_report *report)
{
    const ts_dml_slice1 *a = TS_ATTRS(ts_dml_slice1, d);
    const ts_tensor *in = &d->tensors[IN], *out = &d->tensors[OUT];
    bool comparable = dml_check_tensors(d, report, "SL-01", (const char *[]){ "SL-03", "SL-03" },
                                        (const char *[]){ "SL-04", "SL-04" });
    if (!operator_check_given(d, report, "SL-02") || !comparable)
        return;
    if (out->dtype != in->dtype)
        operator_violate(report, "SL-04", TS_RESULT_INVALID, OUT, -1,
                         "OutputTensor.DataType = %s differs from InputTensor.DataType = %s",
                         operator_dtype_name(d->op, out->dtype), operator_dtype_name(d->op, in->dtype));
    if (in->rank != a->DimensionCount || out->rank != a->DimensionCount) {
        operator_violate(
            report, "SL-03", TS_RESULT_INVALID, -1, -1,
            "DimensionCount = %u, InputTensor.DimensionCount = %u and OutputTensor.DimensionCount = %u differ",
            (unsigned)a->DimensionCount, (unsigned)in->rank, (unsigned)out->rank);
        return;
    }
    for (uint32_t i = 0; i < a->DimensionCount && i < TS_SLICE1_DIMS; ++i) {
        uint32_t offset = a->InputWindowOffsets[i], window = a->InputWindowSizes[i];
        int32_t stride = a->InputWindowStrides[i];
        if (in->sizes[i] != 0 && (uint64_t)offset + window > in->sizes[i])
            operator_violate(report, "SL-05", TS_RESULT_INVALID, IN, (int)i,
                             "InputWindowOffsets[%u] + InputWindowSizes[%u] = %u + %u = %" PRIu64
                             " exceeds InputTensor.Sizes[%u] = %" PRIu64,
                             i, i, offset, window, (uint64_t)offset + window, i, in->sizes[i]);
        if (window == 0)
            operator_violate(report, "SL-06", TS_RESULT_INVALID, IN, (int)i, "InputWindowSizes[%u] = 0", i);
        if (stride == 0)
            operator_violate(report, "SL-07", TS_RESULT_INVALID, IN, (int)i, "InputWindowStrides[%u] = 0", i);
        if (window != 0 && stride == 0 && out->sizes[i] > window)
            operator_violate(report, "SL-08", TS_RESULT_INVALID, OUT, (int)i,
                             "OutputTensor.Sizes[%u] = %" PRIu64
                             " exceeds InputWindowSizes[%u] = %u, the most that any stride allows",
                             i, out->sizes[i], i, window);
        if (window != 0 && stride != 0 && out->sizes[i] > max_copied_elements(window, stride))
            operator_violate(report, "SL-08", TS_RESULT_INVALID, OUT, (int)i,
                             "OutputTensor.Sizes[%u] = %" PRIu64 " exceeds 1 + (%u - 1) / |%d| = %" PRIu64, i,
                             out->sizes[i], window, stride, max_copied_elements(window, stride));
    }
}

static bool shape(ts_descriptor *d)
{
    const ts_dml_slice1 *a = TS_ATTRS(ts_dml_slice1, d);
    ts_tensor *out = &d->tensors[OUT];
    if (a->DimensionCount < 1 || a->DimensionCount > TS_SLICE1_DIMS)
        return false;
    for (uint32_t i = 0; i < a->DimensionCount; ++i) {
        if (a->InputWindowSizes[i] == 0 || a->InputWindowStrides[i] == 0)
            return false;
    }
    out->rank = a->DimensionCount;
    for (uint32_t i = 0; i < out->rank; ++i)
        out->sizes[i] = max_copied_elements(a->InputWindowSizes[i], a->InputWindowStrides[i]);
    return true;
}

static void run(const ts_descriptor *d, ts_unspecified *unspecified)
{
    const ts_dml_slice1 *a = TS_ATTRS(ts_dml_slice1, d);
    const ts_tensor *in = &d->tensors[IN], *out = &d->tensors[OUT];
    int64_t copy_start[TS_MAX_DIMS];
    uint64_t o[TS_MAX_DIMS] = { 0 }, from[TS_MAX_DIMS];
    (void)unspecified; /* every element is defined */
    for (uint32_t i = 0; i < a->DimensionCount; ++i) {
        copy_start[i] = a->InputWindowOffsets[i];
        if (a->InputWindowStrides[i] < 0)
            copy_start[i] += (int64_t)a->InputWindowSizes[i] - 1; /* start at the end of the window */
    }
    do {
        for (uint32_t i = 0; i < a->DimensionCount; ++i) {
            from[i] = (uint64_t)(copy_start[i] + a->InputWindowStrides[i] * (int64_t)o[i]);
            assert(from[i] - a->InputWindowOffsets[i] < a->InputWindowSizes[i]); /* by SL-05 to SL-08 */
        }
        tensor_copy_element(out, o, in, from);
    } while (tensor_next(out, o));
}

ts_explain dml_slice1_explain; /* slice1_explain.c */

const ts_operator operator_dml_slice1 = {
    .name = "dml.slice1",
    .title = PAGE,
    .page = "https://learn.microsoft.com/windows/win32/api/directml/ns-directml-dml_slice1_operator_desc",
    .tensor_count = sizeof tensors / sizeof tensors[0],
    .tensors = tensors,
    .attr_count = sizeof attrs / sizeof attrs[0],
    .attrs = attrs,
    .attrs_size = sizeof(ts_dml_slice1),
    .support_count = sizeof support / sizeof support[0],
    .support = support,
    .clause_count = sizeof clauses / sizeof clauses[0],
    .clauses = clauses,
    .shared_count = DML_CLAUSE_COUNT,
    .shared = dml_clauses,
    .run_clause = "SL-10",
    .copy_clause = "SL-11",
    .shape_clause = "SL-08",
    .write_clause = "BUF-19",
    .read_clause = "BUF-16",
    .check = check,
    .shape = shape,
    .run = run,
    .explain = dml_slice1_explain,
};
