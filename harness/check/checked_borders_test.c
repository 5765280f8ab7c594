/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Borders of rules of operators that are only checked, as DirectML.dll 1.15.4 draws them: fields that replace those of
 * the legal call (reference/checked/legal.json), null for none, and the clause that the call breaks then.
 */
#include "harness/check/check_record.h"
#include "harness/model/descriptor.h"
#include "harness/testing/platform_testing.h"
#include "reference/operators.h"

#include <jansson.h>
#include <string.h>

#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

typedef struct border {
    const char *op, *fields;
    const char *clause; /* NULL: legal */
} border;

#define F32(...) "{ 'DataType': 'FLOAT32', 'Sizes': [" __VA_ARGS__ "] }"
#define I32(...) "{ 'DataType': 'INT32', 'Sizes': [" __VA_ARGS__ "] }"
#define U8(...)  "{ 'DataType': 'UINT8', 'Sizes': [" __VA_ARGS__ "] }"

/* An attention of 4 heads for 2, whose past tensors are in the present ones, which may be longer than the keys. */
#define PAST_LENGTHS                                                                                                   \
    "'PastKeyTensor': null, 'PastValueTensor': null, 'MaskTensor': null, 'RelativePositionBiasTensor': null, "         \
    "'PastSequenceLengthsTensor': " I32("3")

static const border borders[] = {
    { "resample", "'Scales': [1, 1, 2, 1.1920928955078125e-7]", NULL }, /* 2^-23 */
    { "resample", "'Scales': [1, 1, 2, 1.1920928244535389e-7]", "OP-09" },
    { "resample2", "'Scales': [1, 1, 2, 'Infinity']", NULL },
    { "resample2", "'Scales': [1, 1, 2, 'NaN']", "OP-09" },
    { "resample_grad", "'Scales': [1, 1, 2, -1]", "OP-09" },

    { "roi_align", "'SpatialScaleX': -0.0", NULL },
    { "roi_align", "'SpatialScaleX': 'NaN'", NULL },
    { "roi_align", "'SpatialScaleY': 3e38", NULL },
    { "roi_align", "'SpatialScaleX': -1e-40", "OP-12" },
    { "roi_align1", "'SpatialScaleY': 'Infinity'", "OP-12" },
    { "roi_align_grad", "'SpatialScaleY': '-Infinity'", "OP-16" },
    { "roi_align_grad", "'InputTensor': null", "OP-17" },
    { "roi_align_grad",
      "'InputTensor': null, 'OutputROIGradientTensor': null, 'OutputGradientTensor': " F32("1, 2, 4, 4"), NULL },
    { "roi_align_grad",
      "'ReductionFunction': 'MAX', 'InputTensor': null, 'OutputROIGradientTensor': null, "
      "'OutputGradientTensor': " F32("1, 2, 4, 4"),
      "OP-17" },

    { "multihead_attention", "'BiasTensor': " F32("1, 1, 24"), NULL },
    { "multihead_attention", "'BiasTensor': " F32("16"), "OP-23" },
    { "multihead_attention", "'RelativePositionBiasTensor': " F32("3, 2, 5, 7"), "OP-24" },
    { "multihead_attention", "'MaskTensor': " I32("1, 1, 3"), NULL },
    { "multihead_attention", "'MaskTensor': " I32("3"), "OP-25" },
    { "multihead_attention", "'MaskType': 'KEY_SEQUENCE_END_START', 'MaskTensor': " I32("2, 3"), NULL },
    { "multihead_attention", "'MaskType': 'KEY_SEQUENCE_END_START'", "OP-25" },
    { "multihead_attention", "'MaskType': 'KEY_QUERY_SEQUENCE_LENGTH_START_END', 'MaskTensor': " I32("11"), NULL },
    { "multihead_attention", "'MaskType': 'KEY_QUERY_SEQUENCE_LENGTH_START_END', 'MaskTensor': " I32("10"), "OP-25" },
    { "multihead_attention", "'MaskType': 'BOOLEAN', 'MaskTensor': " I32("3, 2, 5, 16"), NULL },
    { "multihead_attention", "'MaskType': 'BOOLEAN', 'MaskTensor': " I32("1, 2, 5, 16"), "OP-26" },
    { "multihead_attention", "'MaskType': 'NONE'", "OP-27" },
    { "multihead_attention", "'MaskType': 'NONE', 'MaskTensor': null", NULL },
    { "multihead_attention", "'OutputPresentKeyTensor': null", NULL },
    { "multihead_attention",
      "'PastKeyTensor': null, 'PastValueTensor': null, 'RelativePositionBiasTensor': " F32(
          "3, 2, 5, 7") ", "
                        "'OutputPresentKeyTensor': " F32("3, 2, 7, 4") ", 'OutputPresentValueTensor': " F32(
                            "3, 2, 7, 4"),
      NULL },
    { "multihead_attention", "'KeyTensor': null, 'ValueTensor': null, 'StackedKeyValueTensor': " F32("3, 7, 2, 2, 4"),
      NULL },
    { "multihead_attention",
      "'KeyTensor': null, 'ValueTensor': null, 'StackedKeyValueTensor': " F32("3, 7, 2, 2, 4") ", 'OutputTensor': " F32(
          "3, 5, 12"),
      "OP-17" },
    { "multihead_attention", "'QueryTensor': " F32("1, 3, 5, 8"), "OP-18" },

    { "multihead_attention1", "'KeyValueHeadCount': 0", "OP-28" },
    { "multihead_attention1", PAST_LENGTHS, NULL },
    { "multihead_attention1", PAST_LENGTHS ", 'OutputPresentKeyTensor': null", "OP-30" },
    { "multihead_attention1", PAST_LENGTHS ", 'OutputPresentKeyTensor': " F32("3, 2, 17, 4"), "OP-30" },
    { "multihead_attention1",
      PAST_LENGTHS ", 'OutputPresentKeyTensor': " F32("3, 2, 6, 4") ", 'OutputPresentValueTensor': " F32("3, 2, 6, 4"),
      "OP-30" },
    { "multihead_attention1", PAST_LENGTHS ", 'PastSequenceLengthsTensor': " I32("1"), "OP-29" },
    { "multihead_attention1", PAST_LENGTHS ", 'PastSequenceLengthsTensor': " F32("3"), "OP-03" },
    { "multihead_attention1", "'PastSequenceLengthsTensor': " I32("3"), "OP-30" },

    { "dequantize", "'QuantizationType': 'SCALE'", "OP-10" },
    { "dequantize", "'QuantizationType': 'SCALE', 'QuantizationTensors': [" F32("1, 2, 1, 1") "]", NULL },
    { "quantize", "'QuantizationTensors': [" F32("1, 2, 1, 1") ", " U8("1, 2, 1, 1") "]", NULL },
    { "quantize", "'QuantizationTensors': [" F32("1, 2, 1, 1") ", " U8("1, 2, 4, 4") "]", "OP-11" },
    { "matrix_multiply_integer", "'BZeroPointTensor': " U8("4"), NULL },
    { "matrix_multiply_integer", "'AZeroPointTensor': " U8("2, 1"), NULL },
    { "matrix_multiply_integer", "'AZeroPointTensor': " U8("2"), "OP-10" },
    { "gemm", "'FusedActivation': { 'Type': 'ACTIVATION_SOFTMAX' }", NULL },
    { "convolution", "'FusedActivation': { 'Type': 'ACTIVATION_SOFTMAX' }", "OP-16" },
    { "slice", "'Strides': [2147483647, 1, 2, 1]", NULL },
    { "slice", "'Strides': [2147483648, 1, 2, 1]", "OP-12" },
    { "unfold", "'InputTensor': " F32("1, 1, 2, 4, 4"), "OP-11" },
    { "fold", "'Strides': [65535, 1], 'InputTensor': " F32("1, 8, 3"), NULL },
    { "fold", "'Strides': [65536, 1], 'InputTensor': " F32("1, 8, 3"), "OP-12" },
};

static json_t *legal;

static json_t *legal_call(const char *op)
{
    for (size_t i = 0; i < json_array_size(legal); ++i) {
        json_t *record = json_array_get(legal, i);
        if (strcmp(json_string_value(json_object_get(record, "operator")) + strlen("dml."), op) == 0)
            return json_deep_copy(json_object_get(record, "descriptor"));
    }
    fail_msg("%s has no legal call", op);
    return NULL;
}

/* Replace the fields; null removes one. */
static void replace_fields(json_t *call, const char *fields)
{
    char text[1024];
    snprintf(text, sizeof text, "{ %s }", fields);
    for (char *c = text; *c; ++c)
        if (*c == '\'')
            *c = '"';
    json_error_t where;
    json_t *changes = json_loads(text, 0, &where); /* of fields that are written twice, the last one */
    const char *name;
    json_t *value;
    if (!changes)
        fail_msg("%s: %s", text, where.text);
    json_object_foreach(changes, name, value) if (json_is_null(value)) json_object_del(call, name);
    else json_object_set(call, name, value);
    json_object_del(call, "QuantizationTensorCount"); /* the list says it */
    json_decref(changes);
}

static void rules_have_the_borders_of_directml(void **state)
{
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof borders / sizeof borders[0]; ++i) {
        const border *b = &borders[i];
        char name[64];
        error e;
        ts_descriptor d;
        ts_report report;
        snprintf(name, sizeof name, "dml.%s", b->op);
        const ts_operator *op = operators_find_known(name);
        json_t *call = legal_call(b->op);
        replace_fields(call, b->fields);
        assert_non_null(op);
        if (!descriptor_from_json(op, call, &d, NULL, &e))
            fail_msg("%s: %s: %s", name, b->fields, e.text);
        json_decref(call);
        memset(&report, 0, sizeof report);
        operator_check(&d, &report);
        bool found = b->clause == NULL && report.worst <= TS_RESULT_WARNING;
        for (unsigned k = 0; b->clause && k < report.count; ++k)
            found = found || strcmp(report.items[k].clause, b->clause) == 0;
        if (!found)
            print_error("%u. %s with %s: expected %s, found %s\n", ++wrong, name, b->fields,
                        b->clause ? b->clause : "legal", report.count ? report.items[0].text : "legal");
    }
    assert_int_equal(wrong, 0);
}

/* What the history of feature levels and the support tables say of operators that are fused. */
static void fused_operators_have_a_first_level(void **state)
{
    static const struct {
        const char *op, *fused, *clause;
        ts_level from; /* the first level at which the operator may be fused */
        ts_level below;
    } rows[] = {
        { "gemm", "'FusedActivation': { 'Type': 'ACTIVATION_SOFTMAX' }", "OP-10", TS_LEVEL_6_1, TS_LEVEL_6_0 },
        { "gemm", "'FusedActivation': { 'Type': 'ELEMENT_WISE_CLIP', 'Min': 0, 'Max': 6 }", "OP-10", TS_LEVEL_6_0,
          TS_LEVEL_5_2 },
        { "convolution", "'FusedActivation': { 'Type': 'ACTIVATION_GELU' }", "OP-16", TS_LEVEL_5_1, TS_LEVEL_5_0 },
        { "convolution", "'FusedActivation': { 'Type': 'ACTIVATION_RELU' }", "OP-16", TS_LEVEL_1_0, 0 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        char name[64];
        error e;
        ts_descriptor d;
        ts_report report;
        snprintf(name, sizeof name, "dml.%s", rows[i].op);
        json_t *call = legal_call(rows[i].op);
        replace_fields(call, rows[i].fused);
        if (!descriptor_from_json(operators_find_known(name), call, &d, NULL, &e))
            fail_msg("%s: %s", rows[i].fused, e.text);
        json_decref(call);
        memset(&report, 0, sizeof report);
        d.feature_level = rows[i].from;
        operator_check(&d, &report);
        assert_false(operator_reports(&report, rows[i].clause));
        if (!rows[i].below)
            continue;
        d.feature_level = rows[i].below;
        operator_check(&d, &report);
        assert_true(operator_reports(&report, rows[i].clause));
        assert_int_equal(report.worst, TS_RESULT_UNSUPPORTED_FL);
        assert_int_equal(report.items[0].needs, rows[i].from);
    }
}

static int read_legal(void **state)
{
    json_error_t where;
    (void)state;
    legal = json_load_file(TOUCHSTONE_SOURCE_DIR "/reference/checked/legal.json", JSON_REJECT_DUPLICATES, &where);
    return legal ? 0 : -1;
}

static int drop_legal(void **state)
{
    (void)state;
    json_decref(legal);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(rules_have_the_borders_of_directml),
                                        cmocka_unit_test(fused_operators_have_a_first_level) };
    return cmocka_run_group_tests(tests, read_legal, drop_legal);
}
