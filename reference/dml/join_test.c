/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/descriptor.h"
#include "reference/dml/join.h"
#include "reference/expect_clause.h"
#include "reference/operators.h"

/* A legal descriptor of `count` inputs of the sizes {2,k+1}, joined along dimension 1. */
static ts_descriptor make(uint32_t count)
{
    ts_descriptor d;
    uint64_t sum = 0;
    operator_begin(&d, operators_find("dml.join"));
    operator_set_attr(&d, 0, (const int64_t[]){ count }, 1);
    operator_set_attr(&d, 1, (const int64_t[]){ 1 }, 1);
    for (uint32_t k = 0; k < count; ++k) {
        tensor_init(&d.tensors[k], TS_FLOAT32, 2, SIZES(2, k + 1));
        sum += k + 1;
    }
    tensor_init(&d.tensors[TS_JOIN_OUTPUT], TS_FLOAT32, 2, SIZES(2, sum));
    return d;
}

static void any_number_of_inputs_is_legal(void **state)
{
    (void)state;
    for (uint32_t count = 1; count <= TS_JOIN_MAX_INPUTS; ++count) {
        ts_descriptor d = make(count);
        ts_descriptor shaped = d;
        expect_clause(&d, NULL, TS_RESULT_NONE);
        assert_true(d.op->shape(&shaped));
        assert_int_equal(shaped.tensors[TS_JOIN_OUTPUT].sizes[1], d.tensors[TS_JOIN_OUTPUT].sizes[1]);
    }
}

static void no_input_breaks_one_clause(void **state)
{
    (void)state;
    ts_descriptor d = make(1);
    operator_set_attr(&d, 0, (const int64_t[]){ 0 }, 1);
    memset(&d.tensors[0], 0, sizeof d.tensors[0]);
    expect_clause(&d, "JO-02", TS_RESULT_INVALID);
    assert_false(d.op->shape(&d));
}

static void each_input_counts(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 5; ++k) {
        ts_descriptor d = make(5);
        d.tensors[k].dtype = TS_INT32;
        expect_clause(&d, "JO-03", TS_RESULT_INVALID);
        d = make(5);
        tensor_init(&d.tensors[k], TS_FLOAT32, 1, SIZES(2));
        expect_clause(&d, "JO-04", TS_RESULT_INVALID);
        d = make(5);
        tensor_init(&d.tensors[k], TS_FLOAT32, 2, SIZES(3, k + 1));
        expect_clause(&d, "JO-06", TS_RESULT_INVALID);
        d = make(5);
        tensor_init(&d.tensors[k], TS_FLOAT32, 2, SIZES(2, k + 2));
        expect_clause(&d, "JO-07", TS_RESULT_INVALID);
        d = make(5);
        memset(&d.tensors[k], 0, sizeof d.tensors[k]);
        expect_clause(&d, "JO-01", TS_RESULT_INVALID);
    }
}

/* The page's table and the history of feature levels differ about levels 3_1 and 4_0. */
static void dimension_counts_of_levels(void **state)
{
    static const struct {
        ts_level level;
        const char *clause;
        ts_result result;
    } levels[] = { { TS_LEVEL_1_0, "JO-04", TS_RESULT_UNSUPPORTED_FL },
                   { TS_LEVEL_3_0, "JO-04", TS_RESULT_UNSUPPORTED_FL },
                   { TS_LEVEL_3_1, "JO-10", TS_RESULT_OPEN },
                   { TS_LEVEL_4_0, "JO-10", TS_RESULT_OPEN },
                   { TS_LEVEL_4_1, NULL, TS_RESULT_NONE } };
    (void)state;
    for (unsigned i = 0; i < sizeof levels / sizeof levels[0]; ++i) {
        ts_descriptor d = make(2); /* of two dimensions */
        d.feature_level = levels[i].level;
        expect_clause(&d, levels[i].clause, levels[i].result);
        if (levels[i].level >= TS_LEVEL_3_1) { /* decisions as published: the table's */
            d.decisions = TS_DECISIONS_BINDING;
            expect_clause(&d, levels[i].clause, levels[i].clause ? TS_RESULT_UNSUPPORTED_FL : TS_RESULT_NONE);
        }
    }
}

/* A member that a list does not have is not looked at. */
static void a_list_ends_at_its_count(void **state)
{
    (void)state;
    ts_descriptor d = make(3);
    d.tensors[3].given = 0;
    expect_clause(&d, NULL, TS_RESULT_NONE);
    assert_int_equal(operator_list_length(&d, &d.op->lists[0]), 3);
    operator_set_attr(&d, 0, (const int64_t[]){ 17 }, 1);
    assert_int_equal(operator_list_length(&d, &d.op->lists[0]), TS_JOIN_MAX_INPUTS);
}

static void an_axis_beyond_the_last_dimension(void **state)
{
    (void)state;
    ts_descriptor d = make(2);
    operator_set_attr(&d, 1, (const int64_t[]){ 2 }, 1);
    expect_clause(&d, "JO-05", TS_RESULT_INVALID);
    assert_false(d.op->shape(&d));
}

/* 2^63 and 2^63 + 3, of which 64 bits hold 3. */
static void a_sum_of_more_than_64_bits_is_no_size(void **state)
{
    ts_descriptor d = make(2);
    ts_report report;
    (void)state;
    d.tensors[0].sizes[1] = UINT64_C(1) << 63;
    d.tensors[1].sizes[1] = (UINT64_C(1) << 63) + 3;
    memset(&report, 0, sizeof report);
    operator_check(&d, &report);
    assert_true(operator_reports(&report, "JO-07"));
    assert_true(d.op->shape(&d) && d.tensors[TS_JOIN_OUTPUT].sizes[1] == 0);
}

/* The page's example 1. */
static void inputs_follow_each_other_along_the_axis(void **state)
{
    (void)state;
    float a[] = { 1, 2, 3, 4, 5, 6 }, b[] = { 7, 8, 9, 10, 11, 12, 13, 14 }, out[14];
    const float expected[] = { 1, 2, 3, 7, 8, 9, 10, 4, 5, 6, 11, 12, 13, 14 };
    ts_unspecified unspecified = { 0 };
    ts_descriptor d = make(2);
    tensor_init(&d.tensors[0], TS_FLOAT32, 2, SIZES(2, 3));
    tensor_init(&d.tensors[1], TS_FLOAT32, 2, SIZES(2, 4));
    tensor_init(&d.tensors[TS_JOIN_OUTPUT], TS_FLOAT32, 2, SIZES(2, 7));
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d.tensors[0].data = a;
    d.tensors[1].data = b;
    d.tensors[TS_JOIN_OUTPUT].data = out;
    d.op->run(&d, &unspecified);
    assert_memory_equal(out, expected, sizeof out);
}

/* What is written is read as the same descriptor; the count follows from the list. */
static void lists_are_written_and_read(void **state)
{
    (void)state;
    error e;
    const ts_descriptor d = make(4);
    ts_descriptor read;
    json_t *json = descriptor_to_json(&d);
    assert_int_equal(json_array_size(json_object_get(json, "InputTensors")), 4);
    assert_null(json_object_get(json, "InputCount"));
    assert_true(descriptor_from_json(d.op, json, &read, NULL, &e));
    assert_memory_equal(&read, &d, sizeof d);
    json_object_set_new(json, "InputCount", json_integer(5));
    assert_false(descriptor_from_json(d.op, json, &read, NULL, &e));
    assert_non_null(strstr(e.text, "InputCount is 5, but InputTensors has 4 tensors"));
    json_object_del(json, "InputCount");
    while (json_array_size(json_object_get(json, "InputTensors")) <= TS_JOIN_MAX_INPUTS)
        json_array_append(json_object_get(json, "InputTensors"),
                          json_array_get(json_object_get(json, "InputTensors"), 0));
    assert_false(descriptor_from_json(d.op, json, &read, NULL, &e));
    assert_non_null(strstr(e.text, "InputTensors: 17 tensors, of which Touchstone judges up to 16"));
    json_object_set_new(json, "InputTensors", json_integer(1));
    assert_false(descriptor_from_json(d.op, json, &read, NULL, &e));
    assert_non_null(strstr(e.text, "InputTensors: expected a list of tensors, found an integer"));
    json_decref(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_inputs_is_legal),
        cmocka_unit_test(no_input_breaks_one_clause),
        cmocka_unit_test(each_input_counts),
        cmocka_unit_test(dimension_counts_of_levels),
        cmocka_unit_test(a_list_ends_at_its_count),
        cmocka_unit_test(an_axis_beyond_the_last_dimension),
        cmocka_unit_test(a_sum_of_more_than_64_bits_is_no_size),
        cmocka_unit_test(inputs_follow_each_other_along_the_axis),
        cmocka_unit_test(lists_are_written_and_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
