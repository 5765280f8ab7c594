/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/scatter_elements.h"
#include "reference/expect_clause.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

enum { IN, INDICES, UPDATES, OUT };

static ts_descriptor make(uint32_t dtype, uint32_t rank, const uint64_t *sizes, uint32_t index_type,
                          const uint64_t *index_sizes, uint32_t axis)
{
    ts_descriptor d;
    operator_begin(&d, operators_find("dml.scatter_elements"));
    operator_set_attr(&d, 0, (const int64_t[]){ axis }, 1);
    tensor_init(&d.tensors[IN], dtype, rank, sizes);
    tensor_init(&d.tensors[INDICES], index_type, rank, index_sizes);
    tensor_init(&d.tensors[UPDATES], dtype, rank, index_sizes);
    tensor_init(&d.tensors[OUT], dtype, rank, sizes);
    return d;
}

static void give(ts_descriptor *d, const void *in, const void *indices, const void *updates, void *out)
{
    d->tensors[IN].data = (void *)(uintptr_t)in;
    d->tensors[INDICES].data = (void *)(uintptr_t)indices;
    d->tensors[UPDATES].data = (void *)(uintptr_t)updates;
    d->tensors[OUT].data = out;
}

/* The values that the specification allows an element, in the order of the updates. */
static void expect_answers(const ts_descriptor *d, uint64_t at, unsigned count, const uint8_t *expected)
{
    const uint64_t coord[TS_MAX_DIMS] = { at };
    ts_answers answers = { .asked = expected[count - 1] };
    d->op->answers(d, OUT, coord, &answers);
    assert_int_equal(answers.count, count);
    assert_true(answers.allowed);
    for (unsigned i = 0; i < count; ++i)
        assert_int_equal(answers.bits[i], expected[i]);
    answers = (ts_answers){ .asked = 99 };
    d->op->answers(d, OUT, coord, &answers);
    assert_false(answers.allowed);
}

/* Example 1 of the page: two updates fall on element 3, and either may remain. */
static void several_updates_of_one_element_are_several_answers(void **state)
{
    (void)state;
    const uint8_t in[] = { 0, 1, 2, 3, 4 }, updates[] = { 5, 6, 7, 8 };
    const uint32_t indices[] = { 3, 1, 3, 0 };
    uint8_t out[5] = { 9, 9, 9, 9, 9 }, map[5] = { 0 };
    ts_marks marks[TS_MAX_TENSORS] = { [OUT] = { map, sizeof map } };
    ts_unspecified open = { .marks = marks };
    ts_descriptor d = make(TS_UINT8, 1, SIZES(5), TS_UINT32, SIZES(4), 0);
    expect_clause(&d, NULL, TS_RESULT_NONE);
    give(&d, in, indices, updates, out);
    d.op->run(&d, &open);
    assert_memory_equal(out, ((uint8_t[]){ 8, 6, 2, 7, 4 }), 5);
    assert_int_equal(open.several, 1);
    assert_int_equal(open.count, 0);
    assert_memory_equal(map, ((uint8_t[]){ 0, 0, 0, TS_SEVERAL, 0 }), 5);
    expect_answers(&d, 3, 2, (uint8_t[]){ 5, 7 });
    expect_answers(&d, 0, 1, (uint8_t[]){ 8 });
    expect_answers(&d, 4, 1, (uint8_t[]){ 4 }); /* no update falls on it */
    d.op->run(&d, NULL);
    assert_memory_equal(out, ((uint8_t[]){ 8, 6, 2, 7, 4 }), 5);
}

/* Along a line of more elements than are counted at once, updates are counted for each element by itself. */
static void long_lines_are_counted_in_windows(void **state)
{
    (void)state;
    enum { ELEMENTS = 65536 + 3, COUNT = 6 };
    static uint8_t in[ELEMENTS], out[ELEMENTS], map[ELEMENTS];
    const uint8_t updates[COUNT] = { 1, 2, 3, 4, 5, 6 };
    const uint64_t indices[COUNT] = { 65536, 0, 65535, 65538, 0, 65536 };
    ts_marks marks[TS_MAX_TENSORS] = { [OUT] = { map, sizeof map } };
    ts_unspecified open = { .marks = marks };
    ts_descriptor d = make(TS_UINT8, 1, SIZES(ELEMENTS), TS_UINT64, SIZES(COUNT), 0);
    give(&d, in, indices, updates, out);
    d.op->run(&d, &open);
    assert_int_equal(open.several, 2);
    for (unsigned i = 0; i < ELEMENTS; ++i) {
        assert_int_equal(out[i], i == 0 ? 5 : i == 65535 ? 3 : i == 65536 ? 6 : i == 65538 ? 4 : 0);
        assert_int_equal(map[i], i == 0 || i == 65536 ? TS_SEVERAL : TS_ONE_ANSWER);
    }
}

/* Indices of each type at the ends of the axis and beyond. */
static void indices_of_every_type(void **state)
{
    (void)state;
    static const struct {
        uint32_t dtype;
        uint64_t bits;
        int at; /* -1: beyond the axis */
    } cases[] = {
        { TS_UINT32, 4, 4 },
        { TS_UINT32, 5, -1 },
        { TS_UINT32, 0xFFFFFFFF, -1 },
        { TS_INT32, 4, 4 },
        { TS_INT32, 5, -1 },
        { TS_INT32, 0xFFFFFFFF, 4 },
        { TS_INT32, 0xFFFFFFFB, 0 },
        { TS_INT32, 0xFFFFFFFA, -1 },
        { TS_INT32, 0x80000000, -1 },
        { TS_UINT64, 4, 4 },
        { TS_UINT64, UINT64_C(1) << 32, -1 },
        { TS_UINT64, UINT64_MAX, -1 },
        { TS_INT64, UINT64_MAX, 4 },
        { TS_INT64, (uint64_t)-5, 0 },
        { TS_INT64, (uint64_t)-6, -1 },
        { TS_INT64, (UINT64_C(1) << 32) + 1, -1 },
        { TS_INT64, UINT64_C(1) << 63, -1 },
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const uint16_t in[5] = { 10, 11, 12, 13, 14 }, update = 99;
        uint16_t out[5] = { 0 };
        uint8_t map[5] = { 0 };
        ts_marks marks[TS_MAX_TENSORS] = { [OUT] = { map, sizeof map } };
        ts_unspecified open = { .marks = marks };
        ts_descriptor d = make(TS_UINT16, 1, SIZES(5), cases[i].dtype, SIZES(1), 0);
        give(&d, in, &cases[i].bits, &update, out);
        d.op->run(&d, &open);
        assert_int_equal(open.count, cases[i].at < 0 ? 5 : 0); /* the whole output is undefined */
        assert_int_equal(open.several, 0);
        for (int k = 0; k < 5; ++k) {
            assert_int_equal(out[k], k == cases[i].at ? 99 : in[k]);
            assert_int_equal(map[k], cases[i].at < 0 ? TS_UNDEFINED : TS_ONE_ANSWER);
        }
    }
}

static void check_reports_each_clause(void **state)
{
    (void)state;
    ts_descriptor right = make(TS_FLOAT32, 2, SIZES(3, 4), TS_INT64, SIZES(3, 2), 1), d = right;
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d.tensors[UPDATES].given = 0;
    expect_clause(&d, "SE-01", TS_RESULT_INVALID);
    d = right;
    d.attrs_given = 0;
    expect_clause(&d, "SE-01", TS_RESULT_INVALID);
    d = right;
    tensor_init(&d.tensors[UPDATES], TS_FLOAT32, 1, SIZES(6));
    expect_clause(&d, "SE-02", TS_RESULT_INVALID);
    d = right;
    d.tensors[UPDATES].dtype = TS_UINT32;
    expect_clause(&d, "SE-03", TS_RESULT_INVALID);
    d = right;
    d.tensors[OUT].dtype = TS_INT32;
    expect_clause(&d, "SE-03", TS_RESULT_INVALID);
    d = right;
    d.tensors[INDICES].dtype = TS_FLOAT64;
    expect_clause(&d, "SE-04", TS_RESULT_INVALID);
    d = right;
    operator_set_attr(&d, 0, (const int64_t[]){ 2 }, 1);
    expect_clause(&d, "SE-05", TS_RESULT_INVALID);
    d = make(TS_FLOAT32, 2, SIZES(3, 4), TS_INT64, SIZES(2, 2), 1);
    expect_clause(&d, "SE-06", TS_RESULT_INVALID);
    d = right;
    tensor_init(&d.tensors[UPDATES], TS_FLOAT32, 2, SIZES(3, 1));
    expect_clause(&d, "SE-07", TS_RESULT_INVALID);
    d = right;
    tensor_init(&d.tensors[OUT], TS_FLOAT32, 2, SIZES(3, 5));
    expect_clause(&d, "SE-08", TS_RESULT_INVALID);
    d = make(TS_FLOAT32, 2, SIZES(3, 4), TS_INT64, SIZES(3, 5), 1);
    expect_clause(&d, "SE-14", TS_RESULT_OPEN);
    d = make(TS_FLOAT32, 2, SIZES(3, 4), TS_INT64, SIZES(3, 4), 1);
    expect_clause(&d, NULL, TS_RESULT_NONE);
    right.feature_level = TS_LEVEL_2_1;
    ts_report report = { 0 };
    operator_check(&right, &report);
    assert_int_equal(report.worst, TS_RESULT_UNSUPPORTED_FL);
}

static void layouts_change_addresses_only(void **state)
{
    (void)state;
    const uint16_t in[] = { 1, 2, 3, 4, 5, 6 }, updates[] = { 7, 0, 8 };
    const uint32_t indices[] = { 2, 0, 0, 1 };
    uint16_t out[10];
    memset(out, 0xAA, sizeof out);
    ts_descriptor d = make(TS_UINT16, 2, SIZES(2, 3), TS_UINT32, SIZES(2, 1), 1);
    memcpy(d.tensors[IN].strides, SIZES(1, 2), 16); /* transposed: rows 1 3 5 and 2 4 6 */
    memcpy(d.tensors[INDICES].strides, SIZES(3, 1), 16);
    memcpy(d.tensors[UPDATES].strides, SIZES(2, 1), 16);
    memcpy(d.tensors[OUT].strides, SIZES(1, 4), 16);
    d.tensors[INDICES].total_bytes = sizeof indices;
    d.tensors[UPDATES].total_bytes = 8;
    d.tensors[OUT].total_bytes = 20;
    expect_clause(&d, NULL, TS_RESULT_NONE);
    give(&d, in, indices, updates, out);
    d.op->run(&d, NULL);
    const uint16_t expected[2][3] = { { 1, 3, 7 }, { 2, 8, 6 } };
    for (unsigned y = 0; y < 2; ++y)
        for (unsigned x = 0; x < 3; ++x)
            assert_int_equal(out[y + 4 * x], expected[y][x]);
    assert_int_equal(out[2], 0xAAAA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_updates_of_one_element_are_several_answers),
        cmocka_unit_test(long_lines_are_counted_in_windows),
        cmocka_unit_test(indices_of_every_type),
        cmocka_unit_test(check_reports_each_clause),
        cmocka_unit_test(layouts_change_addresses_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
