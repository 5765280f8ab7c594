/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/gather.h"
#include "harness/model/suggest.h"
#include "reference/dml.h"
#include "reference/dml_index.h"
#include "reference/dml_interpretations.h"

#include <inttypes.h>

#define PAGE "DML_GATHER_OPERATOR_DESC"

/* gather_suggest.c */
ts_suggest dml_gather_suggest_axis, dml_gather_suggest_index_dims, dml_gather_suggest_leading_sizes,
    dml_gather_suggest_crop;

/* clang-format off */
enum { IN, INDICES, OUT };
static const ts_tensor_decl tensors[] = {
    { "InputTensor",   "in",      TS_INPUT,  false },
    { "IndicesTensor", "indices", TS_INPUT,  false },
    { "OutputTensor",  "out",     TS_OUTPUT, false },
};

#define FIELD(name) .offset = offsetof(ts_dml_gather, name)
static const ts_attr_decl attrs[] = {
    { "Axis",            "axis",       TS_ATTR_U32, TS_SCALAR, FIELD(Axis),            .capacity = 1 },
    { "IndexDimensions", "index_dims", TS_ATTR_U32, TS_SCALAR, FIELD(IndexDimensions), .capacity = 1 },
};

#define UNSIGNED_32 TS_DTYPE_BIT(TS_UINT32)
#define INDEX_TYPES (TS_DTYPE_BIT(TS_INT64) | TS_DTYPE_BIT(TS_INT32) | \
                     TS_DTYPE_BIT(TS_UINT64) | TS_DTYPE_BIT(TS_UINT32))
static const ts_support_row support[] = {
    { TS_LEVEL_1_0, { { 4, 4, DML_FLOATS },   { 4, 4, UNSIGNED_32 }, { 4, 4, DML_FLOATS } } },
    { TS_LEVEL_2_1, { { 4, 4, DML_8_TYPES },  { 4, 4, UNSIGNED_32 }, { 4, 4, DML_8_TYPES } } },
    { TS_LEVEL_3_0, { { 1, 8, DML_8_TYPES },  { 1, 8, INDEX_TYPES }, { 1, 8, DML_8_TYPES } } },
    { TS_LEVEL_4_1, { { 1, 8, DML_11_TYPES }, { 1, 8, INDEX_TYPES }, { 1, 8, DML_11_TYPES } } },
};

static const ts_clause clauses[] = {
    { "GA-01", "the operator exists from feature level 1_0 on; no pointer is null",
      PAGE, "Availability", TS_IMPLIED, .result = TS_RESULT_INVALID,
      .ground = "the level is stated; pointers that may be null are marked with _Maybenull_, and these are not" },
    { "GA-02", "all tensors have the same DimensionCount D, one of the feature level's row",
      PAGE, "Tensor constraints", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = suggest_same_dims },
    { "GA-03", "InputTensor and OutputTensor have the same DataType, one of the feature level's row",
      PAGE, "Tensor constraints", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = suggest_same_type },
    { "GA-04", "indices are UINT32; from feature level 3_0 on also INT32, UINT64 or INT64",
      PAGE, "Tensor support", TS_STATED, .result = TS_RESULT_INVALID },
    { "GA-05", "Axis < D",
      PAGE, "Axis", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = dml_gather_suggest_axis },
    { "GA-06", "IndexDimensions <= D, inclusive",
      PAGE, "IndexDimensions", TS_IMPLIED, .result = TS_RESULT_INVALID,
      .suggest = dml_gather_suggest_index_dims,
      .ground = "example 1 has IndexDimensions 1 and one dimension, the bound that the printed range excludes" },
    { "GA-07", "all IndicesTensor.Sizes before the last IndexDimensions are 1",
      PAGE, "IndexDimensions", TS_DECIDED, .result = TS_RESULT_INVALID,
      .suggest = dml_gather_suggest_leading_sizes,
      .ground = "\"irrelevant leading ones\" does not say what other sizes mean there",
      .refused_by = "DirectML 1.15.4", .computes = true },
    { "GA-08", "IndexDimensions - 1 <= the number of leading ones of InputTensor.Sizes, and <= Axis",
      PAGE, "OutputTensor", TS_IMPLIED, .result = TS_RESULT_INVALID,
      .suggest = dml_gather_suggest_crop,
      .ground = "the page bounds the number of dimensions; it crops sizes of the input, so none from Axis on" },
    { "GA-09", "OutputTensor.Sizes = Input[0..Axis) ++ Indices[D-IndexDimensions..D) ++ Input(Axis..D), right-aligned",
      PAGE, "OutputTensor", TS_IMPLIED, .result = TS_RESULT_INVALID,
      .ground = "examples 4 and 5 have these sizes only if the printed ranges exclude their ends" },
    { "GA-10", "output[...] = input[..., indices[...], ...]",
      PAGE, "Description", TS_IMPLIED, .result = TS_RESULT_NONE,
      .ground = "examples 1, 2, 4 and 5 leave one meaning of the pseudo-code's \"...\"" },
    { "GA-11", "a negative index counts from the end of the axis; unsigned ones never do",
      PAGE, "IndicesTensor", TS_STATED, .result = TS_RESULT_NONE },
    { "GA-12", "an index beyond the axis does not fail the call; the elements that it selects are undefined",
      PAGE, "IndicesTensor", TS_STATED, .result = TS_RESULT_NONE },
    { "GA-13", "elements are copied bit for bit",
      PAGE, "Description", TS_IMPLIED, .result = TS_RESULT_NONE,
      .ground = "the page gathers elements; in Direct3D no move of data changes a bit" },
    { "GA-14", "with IndexDimensions 0, OutputTensor.Sizes[0] is 1",
      PAGE, "OutputTensor", TS_DECIDED, .result = TS_RESULT_INVALID,
      .ground = "the page then lists one size fewer than the output has, and does not say what the first one is" },
};
/* clang-format on */

/* GA-08: the number of leading sizes of 1 of the input, which may be cropped. */
static uint32_t leading_ones(const ts_tensor *in)
{
    uint32_t n = 0;
    while (n < in->rank && in->sizes[n] == 1)
        ++n;
    return n;
}

/* GA-08: may IndexDimensions - 1 leading dimensions be cropped? */
static bool may_crop(const ts_dml_gather *a, const ts_tensor *in)
{
    return a->IndexDimensions <= 1 || (a->IndexDimensions - 1 <= leading_ones(in) && a->IndexDimensions - 1 <= a->Axis);
}

/* GA-09, if D is within TS_MAX_DIMS and GA-05, GA-06 and GA-08 hold. */
static void output_sizes(const ts_dml_gather *a, const ts_tensor *in, const ts_tensor *indices,
                         uint64_t sizes[TS_MAX_DIMS])
{
    uint64_t full[2 * TS_MAX_DIMS];
    uint32_t n = 0, dims = in->rank;
    if (a->IndexDimensions == 0)
        full[n++] = 1; /* one dimension fewer than D: a leading 1 takes its place */
    for (uint32_t i = 0; i < a->Axis; ++i)
        full[n++] = in->sizes[i];
    for (uint32_t i = dims - a->IndexDimensions; i < dims; ++i)
        full[n++] = indices->sizes[i];
    for (uint32_t i = a->Axis + 1; i < dims; ++i)
        full[n++] = in->sizes[i];
    memcpy(sizes, full + (n - dims), dims * sizeof sizes[0]); /* right-aligned */
}

/* GA-09, and GA-14 where the first size alone differs, if GA-05, GA-06 and GA-08 hold. */
static void check_output(const ts_descriptor *d, ts_report *report)
{
    const ts_dml_gather *a = TS_ATTRS(ts_dml_gather, d);
    const ts_tensor *in = &d->tensors[IN], *out = &d->tensors[OUT];
    const uint32_t dims = in->rank;
    uint64_t sizes[TS_MAX_DIMS];
    output_sizes(a, in, &d->tensors[INDICES], sizes);
    const bool first_alone =
        a->IndexDimensions == 0 && memcmp(out->sizes + 1, sizes + 1, (dims - 1) * sizeof sizes[0]) == 0;
    for (uint32_t i = 0; i < dims; ++i) {
        if (out->sizes[i] != sizes[i] && out->sizes[i] != 0 && sizes[i] != 0) /* zeros are BUF-06 */
            operator_violate(report, first_alone ? "GA-14" : "GA-09", TS_RESULT_INVALID, OUT, (int)i,
                             "OutputTensor.Sizes[%u] = %" PRIu64 ", expected %" PRIu64, i, out->sizes[i], sizes[i]);
    }
}

static void check(const ts_descriptor *d, ts_report *report)
{
    const ts_dml_gather *a = TS_ATTRS(ts_dml_gather, d);
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES], *out = &d->tensors[OUT];
    uint32_t dims = in->rank;
    bool comparable = dml_check_tensors(d, report, "GA-01", (const char *[]){ "GA-02", "GA-02", "GA-02" },
                                        (const char *[]){ "GA-03", "GA-04", "GA-03" });
    if (!operator_check_given(d, report, "GA-01") || !comparable)
        return;
    if (out->dtype != in->dtype)
        operator_violate(report, "GA-03", TS_RESULT_INVALID, OUT, -1,
                         "OutputTensor.DataType = %s differs from InputTensor.DataType = %s",
                         operator_dtype_name(d->op, out->dtype), operator_dtype_name(d->op, in->dtype));
    if (indices->rank != dims || out->rank != dims) {
        operator_violate(report, "GA-02", TS_RESULT_INVALID, -1, -1,
                         "the DimensionCounts of InputTensor, IndicesTensor and OutputTensor differ: %u, %u, %u", dims,
                         indices->rank, out->rank);
        return;
    }
    if (dims < 1 || dims > TS_MAX_DIMS)
        return; /* BUF-05 */
    if (a->Axis >= dims)
        operator_violate(report, "GA-05", TS_RESULT_INVALID, IN, -1, "Axis = %u is not below DimensionCount = %u",
                         a->Axis, dims);
    if (a->IndexDimensions > dims)
        operator_violate(report, "GA-06", TS_RESULT_INVALID, INDICES, -1,
                         "IndexDimensions = %u exceeds DimensionCount = %u", a->IndexDimensions, dims);
    for (uint32_t i = 0; i + a->IndexDimensions < dims && a->IndexDimensions <= dims; ++i) {
        if (indices->sizes[i] > 1)
            operator_violate(report, "GA-07", TS_RESULT_INVALID, INDICES, (int)i,
                             "IndicesTensor.Sizes[%u] = %" PRIu64
                             " is not 1, but precedes the last IndexDimensions = %u",
                             i, indices->sizes[i], a->IndexDimensions);
    }
    if (a->Axis >= dims || a->IndexDimensions > dims)
        return;
    if (!may_crop(a, in)) {
        uint32_t crop = a->IndexDimensions - 1, ones = leading_ones(in);
        if (crop > ones)
            operator_violate(report, "GA-08", TS_RESULT_INVALID, OUT, -1,
                             "IndexDimensions - 1 = %u exceeds the number of leading ones of InputTensor.Sizes, %u",
                             crop, ones);
        if (crop > a->Axis)
            operator_violate(report, "GA-08", TS_RESULT_INVALID, OUT, -1, "IndexDimensions - 1 = %u exceeds Axis = %u",
                             crop, a->Axis);
        return;
    }
    check_output(d, report);
}

static bool shape(ts_descriptor *d)
{
    const ts_dml_gather *a = TS_ATTRS(ts_dml_gather, d);
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES];
    ts_tensor *out = &d->tensors[OUT];
    if (in->rank < 1 || in->rank > TS_MAX_DIMS || indices->rank != in->rank || a->Axis >= in->rank ||
        a->IndexDimensions > in->rank || !may_crop(a, in))
        return false;
    out->rank = in->rank;
    output_sizes(a, in, indices, out->sizes);
    return true;
}

/* Component i of the coordinate before cropping: (count-1 zeros) ++ o, or for count 0, o without its first. */
static uint64_t uncropped(const uint64_t *o, uint32_t count, uint32_t i)
{
    return i + 1 < count ? 0 : o[i + 1 - count];
}

void dml_gather_trace(const ts_descriptor *d, const uint64_t *o, uint64_t *from, uint64_t *index)
{
    const ts_dml_gather *a = TS_ATTRS(ts_dml_gather, d);
    uint32_t dims = d->tensors[IN].rank, count = a->IndexDimensions;
    for (uint32_t i = 0; i < dims - count; ++i)
        index[i] = 0;
    for (uint32_t i = 0; i < count; ++i)
        index[dims - count + i] = uncropped(o, count, a->Axis + i);
    for (uint32_t i = 0; i < a->Axis; ++i)
        from[i] = uncropped(o, count, i);
    for (uint32_t i = a->Axis + 1; i < dims; ++i)
        from[i] = uncropped(o, count, i + count - 1);
}

static void run(const ts_descriptor *d, ts_unspecified *unspecified)
{
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES], *out = &d->tensors[OUT];
    uint32_t axis = TS_ATTRS(ts_dml_gather, d)->Axis;
    uint64_t o[TS_MAX_DIMS] = { 0 }, from[TS_MAX_DIMS], index[TS_MAX_DIMS];
    do {
        bool inside;
        dml_gather_trace(d, o, from, index);
        from[axis] = dml_index(indices, index, in->sizes[axis], &inside);
        if (!inside)
            operator_unspecified(unspecified, OUT, tensor_number(out, o));
        tensor_copy_element(out, o, in, from);
    } while (tensor_next(out, o));
}

ts_explain dml_gather_explain; /* gather_explain.c */

const ts_operator operator_dml_gather = {
    .name = "dml.gather",
    .title = PAGE,
    .page = "https://learn.microsoft.com/windows/win32/api/directml/ns-directml-dml_gather_operator_desc",
    .tensor_count = sizeof tensors / sizeof tensors[0],
    .tensors = tensors,
    .attr_count = sizeof attrs / sizeof attrs[0],
    .attrs = attrs,
    .attrs_size = sizeof(ts_dml_gather),
    .support_count = sizeof support / sizeof support[0],
    .support = support,
    .clause_count = sizeof clauses / sizeof clauses[0],
    .clauses = clauses,
    .shared_count = DML_CLAUSE_COUNT,
    .shared = dml_clauses,
    .run_clause = "GA-10",
    .copy_clause = "GA-13",
    .index_clause = "GA-11",
    .accepts_undefined = "GA-12",
    .shape_clause = "GA-09",
    .write_clause = "BUF-19",
    .read_clause = "BUF-16",
    .undefined = "E-GA-10",
    .interpretation_count = DML_GATHER_INTERPRETATIONS,
    .interpretations = dml_gather_interpretations,
    .check = check,
    .shape = shape,
    .run = run,
    .explain = dml_gather_explain,
};
