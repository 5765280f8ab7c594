/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/openvino/non_zero_3.h"
#include "harness/model/suggest.h"
#include "reference/openvino/non_zero_shared.h"
#include "reference/openvino_index.h"

#include <inttypes.h>

#define PAGE      "NonZero-3"
#define MOST_DIMS 8

/* non_zero_3_suggest.c */
ts_suggest openvino_non_zero_3_suggest_type, openvino_non_zero_3_suggest_output;

/* clang-format off */
enum { DATA, OUT };
enum { OUTPUT_TYPE };
static const ts_tensor_decl tensors[] = {
    { "data",   "data", TS_INPUT,  false },
    { "output", "out",  TS_OUTPUT, false },
};

static const uint32_t data_dependent[] = { 0, 1u << 1 };

static const char *const types[] = { "i64", "i32", NULL };
static const ts_attr_decl attrs[] = {
    { "output_type", "type", TS_ATTR_U32, TS_SCALAR, .offset = offsetof(ts_openvino_non_zero_3, output_type),
      .capacity = 1, .optional = true, .absent = TS_NON_ZERO_3_I64, .names = types },
};

static const ts_support_row support[] = {
    { 0, { { 0, MOST_DIMS, OPENVINO_TYPES }, { 2, 2, OPENVINO_INDEX_TYPES } } },
};

static const ts_clause clauses[] = {
    { "NZ3-01", "data is given, and every tensor has a shape",
      PAGE, "Inputs", TS_STATED, .result = TS_RESULT_INVALID },
    { "NZ3-02", "data has any shape; judged up to 8 dimensions, each of less than 2^63 elements, together of "
                "less than 2^64",
      PAGE, "Inputs", TS_STATED, .result = TS_RESULT_INVALID },
    { "NZ3-03", "data has any type; judged are those of whole bytes",
      PAGE, "Types", TS_STATED, .result = TS_RESULT_INVALID },
    { "NZ3-04", "output_type is i64 or i32",
      PAGE, "output_type", TS_STATED, .result = TS_RESULT_INVALID, .suggest = openvino_non_zero_3_suggest_type },
    { "NZ3-05", "output has the type output_type; i64 if that is absent",
      PAGE, "Types", TS_STATED, .result = TS_RESULT_INVALID, .suggest = openvino_non_zero_3_suggest_output },
    { "NZ3-06", "every tensor has as many bytes as its elements span",
      PAGE, "Inputs", TS_IMPLIED, .result = TS_RESULT_INVALID,
      .ground = "arithmetic: a smaller buffer does not hold all elements" },
    { "NZ3-07", "output has the shape [rank(data), number of elements that are not zero]; a descriptor states the "
                "largest, which has all elements of data",
      PAGE, "Outputs", TS_STATED, .result = TS_RESULT_INVALID },
    { "NZ3-08", "output is packed",
      PAGE, "Outputs", TS_DECIDED, .result = TS_RESULT_INVALID,
      .ground = "the page knows no strides; those of an output whose shape depends on data would not be known before" },
    { "NZ3-09", "output[k, j] is the index in dimension k of the j-th element, in row-major order, that is not zero",
      PAGE, "Detailed description", TS_STATED, .result = TS_RESULT_NONE },
    { "NZ3-10", "both zeros of a float type are zero; every other element is not, such as a denormal or a NaN",
      PAGE, "Detailed description", TS_IMPLIED, .result = TS_RESULT_NONE,
      .ground = "an element is non-zero that is not equal to 0, and only the two zeros are equal to 0" },
};

static const ts_ir_layer ir = { .type = "NonZero", .opset = "opset3", .list_clause = "NZ3-01" };
/* clang-format on */

/* Does data have dimensions that are judged? *elements: those of all together. */
static bool check_data(const ts_descriptor *d, uint64_t *elements, const char *clause, ts_report *report)
{
    if (!openvino_check_dims(d, DATA, 0, MOST_DIMS, clause, report))
        return false;
    if (tensor_element_count(&d->tensors[DATA], elements))
        return true;
    operator_violate(report, clause, TS_RESULT_UNSUPPORTED_FL, DATA, -1, "data has more than 2^64 - 1 elements");
    return false;
}

static void check_type(const ts_descriptor *d, ts_report *report)
{
    const int64_t type = operator_attr_value(d, OUTPUT_TYPE, 0);
    const uint32_t expected = type == TS_NON_ZERO_3_I32 ? TS_INT32 : TS_INT64, stated = d->tensors[OUT].dtype;
    if (type != TS_NON_ZERO_3_I32 && type != TS_NON_ZERO_3_I64)
        operator_violate(report, "NZ3-04", TS_RESULT_INVALID, -1, -1,
                         "output_type = %" PRId64 " is neither i64 nor i32", type);
    else if (stated != expected && (stated == TS_INT32 || stated == TS_INT64))
        operator_violate(report, "NZ3-05", TS_RESULT_INVALID, OUT, -1, "output's type %s differs from output_type, %s",
                         operator_dtype_name(d->op, stated), types[type]);
}

static void check_output(const ts_descriptor *d, uint64_t elements, ts_report *report)
{
    const uint64_t expected[] = { d->tensors[DATA].rank, elements };
    const ts_tensor *out = &d->tensors[OUT];
    ts_tensor packed = *out;
    for (uint32_t i = 0; i < 2; ++i)
        if (out->sizes[i] != expected[i])
            operator_violate(report, "NZ3-07", TS_RESULT_INVALID, OUT, (int)i,
                             "output's dimension %u = %" PRIu64 ", expected %" PRIu64, i, out->sizes[i], expected[i]);
    tensor_pack(&packed);
    for (uint32_t i = 0; i < 2 && (out->given & TS_GIVEN_STRIDES); ++i)
        if (out->strides[i] != packed.strides[i])
            operator_violate(report, "NZ3-08", TS_RESULT_INVALID, OUT, (int)i,
                             "output's stride %u = %" PRIu64 ", packed it is %" PRIu64, i, out->strides[i],
                             packed.strides[i]);
}

static void check(const ts_descriptor *d, ts_report *report)
{
    uint64_t elements;
    operator_check_support(d, report, "NZ3-01", (const char *[]){ NULL, "NZ3-07" },
                           (const char *[]){ "NZ3-03", "NZ3-05" });
    if (!operator_check_given(d, report, "NZ3-01") || !openvino_check_tensors(d, "NZ3-01", "NZ3-06", report))
        return;
    check_type(d, report);
    if (check_data(d, &elements, "NZ3-02", report) && d->tensors[OUT].rank == 2)
        check_output(d, elements, report);
}

static bool shape(ts_descriptor *d)
{
    uint64_t elements;
    if (!check_data(d, &elements, NULL, NULL))
        return false;
    d->tensors[OUT].rank = 2;
    d->tensors[OUT].sizes[0] = d->tensors[DATA].rank;
    d->tensors[OUT].sizes[1] = elements;
    return true;
}

static void run(const ts_descriptor *d, ts_unspecified *unspecified)
{
    const ts_tensor *data = &d->tensors[DATA];
    uint64_t i[TS_MAX_DIMS] = { 0 }, o[TS_MAX_DIMS] = { 0 }, elements = 0, found = 0;
    (void)unspecified;
    if (tensor_element_count(data, &elements) && elements != 0) {
        do
            found += !openvino_is_zero(data, i);
        while (tensor_next(data, i));
    }
    const ts_tensor out = operator_report_shape(&d->tensors[OUT], (const uint64_t[]){ data->rank, found });
    if (found == 0)
        return;
    do {
        if (openvino_is_zero(data, i))
            continue;
        for (o[0] = 0; o[0] < data->rank; ++o[0])
            openvino_store_index(&out, o, i[o[0]]);
        ++o[1];
    } while (tensor_next(data, i));
}

ts_explain openvino_non_zero_3_explain; /* non_zero_3_explain.c */

const ts_operator operator_openvino_non_zero_3 = {
    .name = "openvino.non_zero_3",
    .title = PAGE,
    .page = "https://docs.openvino.ai/2025/documentation/openvino-ir-format/operation-sets/operation-specs/condition/"
            "nonzero-3.html",
    .tensor_count = sizeof tensors / sizeof tensors[0],
    .tensors = tensors,
    .attr_count = sizeof attrs / sizeof attrs[0],
    .attrs = attrs,
    .attrs_size = sizeof(ts_openvino_non_zero_3),
    .support_count = sizeof support / sizeof support[0],
    .support = support,
    .clause_count = sizeof clauses / sizeof clauses[0],
    .clauses = clauses,
    .run_clause = "NZ3-09",
    .shape_clause = "NZ3-07",
    .openvino_types = true,
    .data_dependent = data_dependent,
    .ir = &ir,
    .check = check,
    .shape = shape,
    .run = run,
    .explain = openvino_non_zero_3_explain,
};
