/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/evaluate.h"
#include "harness/model/descriptor.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define GATHER                                                                                                         \
    "{ 'InputTensor': { 'DataType': 'UINT8', 'Sizes': [%d,2] }, 'IndicesTensor': { 'DataType': 'INT32',"               \
    "'Sizes': [%d,3] }, 'Axis': 0, 'IndexDimensions': 1 }"

/* Begin the evaluation of a descriptor whose JSON is written with single quotes. */
static bool begin(evaluation *v, const char *op, const char *text, error *e)
{
    char *copy = strdup(text);
    ts_descriptor d;
    for (char *c = copy; *c; ++c)
        *c = *c == '\'' ? '"' : *c;
    json_t *json = json_loads(copy, 0, NULL);
    assert_non_null(json);
    if (!descriptor_from_json(operators_find(op), json, &d, NULL, e))
        fail_msg("%s", e->text);
    json_decref(json);
    free(copy);
    return evaluate_begin(v, &d, NULL, e);
}

static evaluation begin_gather(int rows, int leading)
{
    evaluation v;
    error e = { .text = "" };
    char text[256];
    snprintf(text, sizeof text, GATHER, rows, leading);
    if (!begin(&v, "dml.gather", text, &e))
        fail_msg("%s", e.text);
    return v;
}

static bool fill(evaluation *v, const char *text, error *e)
{
    json_t *json = json_loads(text, 0, NULL);
    assert_non_null(json);
    bool ok = evaluate_fill(v, json, e);
    json_decref(json);
    return ok;
}

static void legal_descriptors_run(void **state)
{
    (void)state;
    error e = { .text = "" };
    evaluation v = begin_gather(2, 1);
    assert_int_equal(v.status, EVALUATE_OK);
    assert_memory_equal(v.descriptor.tensors[0].data, "\0\0\0\0", 4);
    assert_true(fill(&v, "{\"InputTensor\": [1,2,3,4], \"IndicesTensor\": [1,0,-1]}", &e));
    assert_true(evaluate_run(&v, &e));
    assert_memory_equal(v.descriptor.tensors[2].data, "\x03\x04\x01\x02\x03\x04\x00\x00", 8);
    assert_null(v.marks[2].map);
    assert_int_equal(v.unspecified_count, 0);
    evaluate_end(&v);
    evaluate_end(&v);
}

static void undefined_elements_are_marked(void **state)
{
    (void)state;
    error e = { .text = "" };
    evaluation v = begin_gather(2, 1);
    assert_true(fill(&v, "{\"InputTensor\": [1,2,3,4], \"IndicesTensor\": [1,7,0]}", &e));
    assert_true(evaluate_run(&v, &e));
    assert_int_equal(v.unspecified_count, 2);
    assert_memory_equal(v.marks[2].map, "\0\0\2\2\0\0", 6);
    evaluate_end(&v);

}

/* GA-07: no page says what leading sizes of the indices mean that are not 1. */
static void open_descriptors_do_not_run(void **state)
{
    (void)state;
    error e = { .text = "" };
    evaluation v = begin_gather(2, 2);
    assert_int_equal(v.status, EVALUATE_OPEN);
    assert_string_equal(evaluate_status_name(v.status), "open");
    assert_int_equal(v.report.worst, TS_RESULT_OPEN);
    assert_false(evaluate_run(&v, &e));
    assert_non_null(strstr(e.text, "open"));
    evaluate_end(&v);
    ts_descriptor binding = v.descriptor;
    binding.decisions = TS_DECISIONS_BINDING;
    assert_true(evaluate_begin(&v, &binding, NULL, &e));
    assert_int_equal(v.status, EVALUATE_INVALID);
    evaluate_end(&v);
}

static void illegal_descriptors_do_not_run(void **state)
{
    (void)state;
    error e = { .text = "" };
    evaluation v = begin_gather(0, 1);
    assert_int_equal(v.status, EVALUATE_INVALID);
    assert_null(v.descriptor.tensors[0].data);
    assert_false(evaluate_run(&v, &e));
    assert_non_null(strstr(e.text, "invalid"));
    evaluate_end(&v);
    assert_true(begin(&v, "dml.slice1",
                      "{ 'InputTensor': { 'DataType': 'f64', 'Sizes': [2] }, 'feature_level': '3_0',"
                      "'InputWindowOffsets': [0], 'InputWindowSizes': [1], 'InputWindowStrides': [1] }",
                      &e));
    assert_int_equal(v.status, EVALUATE_UNSUPPORTED);
    evaluate_end(&v);
    memset(&v, 0, sizeof v);
    evaluate_end(&v);
}

static void memory_is_bounded(void **state)
{
    (void)state;
    error e = { .text = "" };
    evaluation v;
    assert_false(begin(&v, "dml.element_wise_identity",
                       "{ 'InputTensor': { 'DataType': 'f32', 'Sizes': [2,3],"
                       "'TotalTensorSizeInBytes': 1000000000000 } }",
                       &e));
    assert_non_null(strstr(e.text, "4096 MiB"));
    assert_null(v.descriptor.tensors[0].data);
    assert_false(begin(&v, "dml.element_wise_identity",
                       "{ 'InputTensor': { 'DataType': 'f32',"
                       "'Sizes': [4000000000], 'Strides': [0] } }",
                       &e));
    evaluate_end(&v);
}

static void zero_sizes_are_legal_in_openvino(void **state)
{
    (void)state;
    error e = { .text = "" };
    evaluation v;
    assert_true(begin(&v, "openvino.strided_slice",
                      "{ 'data': { 'type': 'f32', 'shape': [4] }, 'begin': [2],"
                      "'end': [2], 'stride': [1] }",
                      &e));
    assert_int_equal(v.status, EVALUATE_OK);
    assert_true(fill(&v, "{\"data\": [1,2,3,4]}", &e));
    assert_true(evaluate_run(&v, &e));
    assert_int_equal(v.descriptor.tensors[1].sizes[0], 0);
    evaluate_end(&v);
}

static void inputs_must_fit(void **state)
{
    (void)state;
    static const struct {
        const char *inputs, *word;
    } mistakes[] = {
        { "{\"InputTensor\": [1,2,3,4]}", "have no IndicesTensor, whose data are 3 numbers of INT32, or 12 raw bytes" },
        { "{\"InputTensor\": [1,2,3], \"IndicesTensor\": [1,0,1]}", "InputTensor: 3 numbers, expected 4" },
        { "{\"InputTensor\": [1,2,3,4], \"IndicsTensor\": [1,0,1]}", "\"IndicesTensor\"?" },
        { "{\"InputTensor\": [1,2,3,4], \"OutputTensor\": [1,0,1]}", "no input \"OutputTensor\"" },
        { "{\"InputTensor\": [1,2,3,4], \"in\": [1,2,3,4]}", "twice" },
        { "[1]", "no record" },
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; ++i) {
        error e = { .text = "" };
        evaluation v = begin_gather(2, 1);
        assert_false(fill(&v, mistakes[i].inputs, &e));
        if (!strstr(e.text, mistakes[i].word))
            fail_msg("\"%s\" has no \"%s\"", e.text, mistakes[i].word);
        evaluate_end(&v);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(legal_descriptors_run),
        cmocka_unit_test(undefined_elements_are_marked),
        cmocka_unit_test(open_descriptors_do_not_run),
        cmocka_unit_test(illegal_descriptors_do_not_run),
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(zero_sizes_are_legal_in_openvino),
        cmocka_unit_test(inputs_must_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
