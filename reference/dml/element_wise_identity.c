/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/element_wise_identity.h"
#include "reference/dml.h"
#include "harness/model/suggest.h"

#include <inttypes.h>

#define PAGE "DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC"

/* clang-format off */
enum { IN, OUT };
static const ts_tensor_decl tensors[] = {
    { "InputTensor",  "in",  TS_INPUT,  false },
    { "OutputTensor", "out", TS_OUTPUT, false },
};

static const ts_support_row support[] = {
    { TS_LEVEL_1_0, { { 4, 5, DML_FLOATS },   { 4, 5, DML_FLOATS } } },
    { TS_LEVEL_2_1, { { 4, 5, DML_8_TYPES },  { 4, 5, DML_8_TYPES } } },
    { TS_LEVEL_3_0, { { 1, 8, DML_8_TYPES },  { 1, 8, DML_8_TYPES } } },
    { TS_LEVEL_4_1, { { 1, 8, DML_11_TYPES }, { 1, 8, DML_11_TYPES } } },
};

static const ts_clause clauses[] = {
    { "EI-01", "the operator exists from feature level 1_0 on; no tensor is null",
      PAGE, "Availability", TS_IMPLIED, .result = TS_RESULT_INVALID,
      .ground = "the level is stated; the page marks ScaleBias with _Maybenull_, and the tensors not" },
    { "EI-02", "both tensors have the same DataType, one of the feature level's row",
      PAGE, "Tensor constraints", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = suggest_same_type },
    { "EI-03", "both tensors have the same DimensionCount, one of the feature level's row",
      PAGE, "Tensor constraints", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = suggest_same_dims },
    { "EI-04", "both tensors have the same Sizes",
      PAGE, "Tensor constraints", TS_STATED, .result = TS_RESULT_INVALID },
    { "EI-05", "Output[c] = Input[c], if ScaleBias is null",
      PAGE, "Description", TS_STATED, .result = TS_RESULT_NONE },
    { "EI-06", "elements are copied bit for bit, if ScaleBias is null",
      PAGE, "Remarks", TS_IMPLIED, .result = TS_RESULT_NONE,
      .ground = "\"often used to copy a tensor\"; in Direct3D no move of data changes a bit" },
};
/* clang-format on */

static void check(const ts_descriptor *d, ts_report *report)
{
    const ts_tensor *in = &d->tensors[IN], *out = &d->tensors[OUT];
    bool comparable = dml_check_tensors(d, report, "EI-01", (const char *[]){ "EI-03", "EI-03" },
                                        (const char *[]){ "EI-02", "EI-02" });
    if (!operator_check_given(d, report, "EI-01") || !comparable)
        return;
    if (out->dtype != in->dtype)
        operator_violate(report, "EI-02", TS_RESULT_INVALID, OUT, -1,
                         "OutputTensor.DataType = %s differs from InputTensor.DataType = %s",
                         operator_dtype_name(d->op, out->dtype), operator_dtype_name(d->op, in->dtype));
    if (out->rank != in->rank) {
        operator_violate(report, "EI-03", TS_RESULT_INVALID, OUT, -1,
                         "OutputTensor.DimensionCount = %u differs from InputTensor.DimensionCount = %u", out->rank,
                         in->rank);
        return;
    }
    for (uint32_t i = 0; i < in->rank && i < TS_MAX_DIMS; ++i) {
        if (out->sizes[i] != in->sizes[i] && out->sizes[i] != 0 && in->sizes[i] != 0) /* zeros are BUF-06 */
            operator_violate(report, "EI-04", TS_RESULT_INVALID, OUT, (int)i,
                             "OutputTensor.Sizes[%u] = %" PRIu64 " differs from InputTensor.Sizes[%u] = %" PRIu64, i,
                             out->sizes[i], i, in->sizes[i]);
    }
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

static void run(const ts_descriptor *d, ts_unspecified *unspecified)
{
    const ts_tensor *in = &d->tensors[IN], *out = &d->tensors[OUT];
    uint64_t c[TS_MAX_DIMS] = { 0 };
    (void)unspecified; /* every element is defined */
    do
        tensor_copy_element(out, c, in, c);
    while (tensor_next(out, c));
}

static const char *const unjudged_fields[] = { "ScaleBias", NULL };

ts_explain dml_element_wise_identity_explain; /* element_wise_identity_explain.c */

const ts_operator operator_dml_element_wise_identity = {
    .name = "dml.element_wise_identity",
    .title = PAGE,
    .page =
        "https://learn.microsoft.com/windows/win32/api/directml/ns-directml-dml_element_wise_identity_operator_desc",
    .tensor_count = sizeof tensors / sizeof tensors[0],
    .tensors = tensors,
    .attrs_size = sizeof(ts_dml_element_wise_identity),
    .support_count = sizeof support / sizeof support[0],
    .support = support,
    .clause_count = sizeof clauses / sizeof clauses[0],
    .clauses = clauses,
    .shared_count = DML_CLAUSE_COUNT,
    .shared = dml_clauses,
    .run_clause = "EI-05",
    .copy_clause = "EI-06",
    .shape_clause = "EI-04",
    .in_place = true,
    .write_clause = "BUF-19",
    .read_clause = "BUF-16",
    .unjudged_fields = unjudged_fields,
    .check = check,
    .shape = shape,
    .run = run,
    .explain = dml_element_wise_identity_explain,
};
