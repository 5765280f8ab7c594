/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/scatter_nd.h"
#include "reference/expect_clause.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

enum { IN, INDICES, UPDATES, OUT };

static ts_descriptor make(uint32_t dtype, uint32_t rank, const uint64_t *sizes, uint32_t index_type,
                          const uint64_t *index_sizes, const uint64_t *update_sizes, uint32_t input_dims,
                          uint32_t indices_dims)
{
    ts_descriptor d;
    operator_begin(&d, operators_find("dml.scatter_nd"));
    operator_set_attr(&d, 0, (const int64_t[]){ input_dims }, 1);
    operator_set_attr(&d, 1, (const int64_t[]){ indices_dims }, 1);
    tensor_init(&d.tensors[IN], dtype, rank, sizes);
    tensor_init(&d.tensors[INDICES], index_type, rank, index_sizes);
    tensor_init(&d.tensors[UPDATES], dtype, rank, update_sizes);
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

/* The page's example, with tensors of two dimensions. */
static void tuples_of_one_index_replace_elements(void **state)
{
    (void)state;
    const float in[] = { 1, 2, 3, 4, 5, 6, 7, 8 }, updates[] = { 9, 10, 11, 12 };
    const uint32_t indices[] = { 4, 3, 1, 7 };
    const float expected[] = { 1, 11, 3, 10, 9, 6, 7, 12 };
    float out[8];
    ts_descriptor d = make(TS_FLOAT32, 2, SIZES(1, 8), TS_UINT32, SIZES(4, 1), SIZES(1, 4), 1, 2);
    expect_clause(&d, NULL, TS_RESULT_NONE);
    give(&d, in, indices, updates, out);
    d.op->run(&d, NULL);
    assert_memory_equal(out, expected, sizeof out);
}

/* The sizes that the page shows. Each tuple of three indices replaces a block of 6 x 7 elements: a second formula. */
static void tuples_replace_blocks(void **state)
{
    (void)state;
    enum { BLOCK = 6 * 7, COUNT = 3 * 4 * 5 * BLOCK };
    const uint32_t indices[] = { 2, 0, 4, 1, 3, 0 };
    static uint16_t in[COUNT], out[COUNT];
    uint16_t updates[2 * BLOCK];
    for (unsigned i = 0; i < COUNT; ++i)
        in[i] = (uint16_t)i;
    for (unsigned i = 0; i < 2 * BLOCK; ++i)
        updates[i] = (uint16_t)(COUNT + i);
    ts_descriptor d =
        make(TS_UINT16, 5, SIZES(3, 4, 5, 6, 7), TS_UINT32, SIZES(1, 1, 1, 2, 3), SIZES(1, 1, 2, 6, 7), 5, 3);
    expect_clause(&d, NULL, TS_RESULT_NONE);
    give(&d, in, indices, updates, out);
    d.op->run(&d, NULL);
    for (unsigned i = 0; i < COUNT; ++i) {
        const unsigned block = i / BLOCK, within = i % BLOCK;
        const unsigned expected = block == (2 * 4 + 0) * 5 + 4   ? COUNT + within
                                  : block == (1 * 4 + 3) * 5 + 0 ? COUNT + BLOCK + within
                                                                 : i;
        assert_int_equal(out[i], expected);
    }
}

/* The values that the specification allows an element, in the order of the updates. */
static void expect_answers(const ts_descriptor *d, const uint64_t *at, unsigned count, const uint8_t *expected)
{
    uint64_t coord[TS_MAX_DIMS] = { 0 };
    ts_answers answers = { .asked = expected[count - 1] };
    memcpy(coord, at, d->tensors[OUT].rank * sizeof *at);
    d->op->answers(d, OUT, coord, &answers);
    assert_int_equal(answers.count, count);
    assert_true(answers.allowed);
    for (unsigned i = 0; i < count; ++i)
        assert_int_equal(answers.bits[i], expected[i]);
    answers = (ts_answers){ .asked = 99 };
    d->op->answers(d, OUT, coord, &answers);
    assert_false(answers.allowed);
}

/* Three tuples, two of them equal, select two of three rows. */
static void several_updates_of_one_row_are_several_answers(void **state)
{
    (void)state;
    const uint8_t in[] = { 1, 2, 3, 4, 5, 6 }, updates[] = { 11, 12, 13, 14, 15, 16 };
    const int32_t indices[] = { 1, 0, -2 };
    uint8_t out[6] = { 0 }, map[6] = { 0 };
    ts_marks marks[TS_MAX_TENSORS] = { [OUT] = { map, sizeof map } };
    ts_unspecified open = { .marks = marks };
    ts_descriptor d = make(TS_UINT8, 2, SIZES(3, 2), TS_INT32, SIZES(3, 1), SIZES(3, 2), 2, 2);
    expect_clause(&d, NULL, TS_RESULT_NONE);
    give(&d, in, indices, updates, out);
    d.op->run(&d, &open);
    assert_memory_equal(out, ((uint8_t[]){ 13, 14, 15, 16, 5, 6 }), 6);
    assert_int_equal(open.several, 2);
    assert_int_equal(open.count, 0);
    assert_memory_equal(map, ((uint8_t[]){ 0, 0, TS_SEVERAL, TS_SEVERAL, 0, 0 }), 6);
    expect_answers(&d, SIZES(1, 1), 2, (uint8_t[]){ 12, 16 });
    expect_answers(&d, SIZES(0, 0), 1, (uint8_t[]){ 13 });
    expect_answers(&d, SIZES(2, 1), 1, (uint8_t[]){ 6 }); /* no update falls on it */
}

/* Of more blocks than are counted at once, each is counted by itself. */
static void blocks_are_counted_in_windows(void **state)
{
    (void)state;
    enum { BLOCKS = 2 * 65536 + 3, COUNT = 7 };
    static uint8_t in[BLOCKS], out[BLOCKS], map[BLOCKS];
    const uint8_t updates[COUNT] = { 1, 2, 3, 4, 5, 6, 7 };
    const uint64_t indices[COUNT] = { 65536, 0, 65535, 131074, 0, 65536, 65536 };
    ts_marks marks[TS_MAX_TENSORS] = { [OUT] = { map, sizeof map } };
    ts_unspecified open = { .marks = marks };
    ts_descriptor d = make(TS_UINT8, 2, SIZES(1, BLOCKS), TS_UINT64, SIZES(COUNT, 1), SIZES(1, COUNT), 1, 2);
    give(&d, in, indices, updates, out);
    d.op->run(&d, &open);
    assert_int_equal(open.several, 2);
    for (unsigned i = 0; i < BLOCKS; ++i) {
        assert_int_equal(out[i], i == 0 ? 5 : i == 65535 ? 3 : i == 65536 ? 7 : i == 131074 ? 4 : 0);
        assert_int_equal(map[i], i == 0 || i == 65536 ? TS_SEVERAL : TS_ONE_ANSWER);
    }
}

/* Indices of each type at the ends of their dimension and beyond: the second index of a tuple, in rows of 5. */
static void indices_of_every_type(void **state)
{
    (void)state;
    static const struct {
        uint32_t dtype;
        uint64_t bits;
        int at; /* -1: beyond the dimension */
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
        const uint16_t in[10] = { 10, 11, 12, 13, 14, 20, 21, 22, 23, 24 }, update = 99;
        const size_t bytes = tensor_element_bytes(cases[i].dtype);
        uint16_t out[10] = { 0 };
        uint8_t map[10] = { 0 }, indices[16] = { 1 };
        ts_marks marks[TS_MAX_TENSORS] = { [OUT] = { map, sizeof map } };
        ts_unspecified open = { .marks = marks };
        ts_descriptor d = make(TS_UINT16, 2, SIZES(2, 5), cases[i].dtype, SIZES(1, 2), SIZES(1, 1), 2, 1);
        memcpy(indices + bytes, &cases[i].bits, bytes);
        give(&d, in, indices, &update, out);
        d.op->run(&d, &open);
        assert_int_equal(open.count, cases[i].at < 0 ? 10 : 0); /* the whole output is undefined */
        assert_int_equal(open.several, 0);
        for (int k = 0; k < 10; ++k) {
            assert_int_equal(out[k], cases[i].at >= 0 && k == 5 + cases[i].at ? 99 : in[k]);
            assert_int_equal(map[k], cases[i].at < 0 ? TS_UNDEFINED : TS_ONE_ANSWER);
        }
    }
}

static void check_reports_each_clause(void **state)
{
    (void)state;
    ts_descriptor right = make(TS_FLOAT32, 3, SIZES(1, 3, 4), TS_INT64, SIZES(1, 5, 1), SIZES(1, 5, 4), 2, 2),
                  d = right;
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d.tensors[UPDATES].given = 0;
    expect_clause(&d, "SN-01", TS_RESULT_INVALID);
    for (unsigned k = 0; k < 2; ++k) {
        d = right;
        d.attrs_given = 1u << k;
        expect_clause(&d, "SN-01", TS_RESULT_INVALID);
    }
    d = right;
    tensor_init(&d.tensors[UPDATES], TS_FLOAT32, 2, SIZES(5, 4));
    expect_clause(&d, "SN-02", TS_RESULT_INVALID);
    d = right;
    d.tensors[UPDATES].dtype = TS_UINT32;
    expect_clause(&d, "SN-03", TS_RESULT_INVALID);
    d = right;
    d.tensors[OUT].dtype = TS_INT32;
    expect_clause(&d, "SN-03", TS_RESULT_INVALID);
    d = right;
    d.tensors[INDICES].dtype = TS_FLOAT64;
    expect_clause(&d, "SN-04", TS_RESULT_INVALID);
    for (unsigned k = 0; k < 2; ++k)
        for (unsigned wrong = 0; wrong < 2; ++wrong) {
            d = right;
            operator_set_attr(&d, k, (const int64_t[]){ wrong ? 4 : 0 }, 1);
            expect_clause(&d, k ? "SN-06" : "SN-05", TS_RESULT_INVALID);
        }
    d = make(TS_FLOAT32, 3, SIZES(2, 3, 4), TS_INT64, SIZES(1, 5, 1), SIZES(1, 5, 4), 2, 2);
    expect_clause(&d, "SN-07", TS_RESULT_OPEN);
    d = make(TS_FLOAT32, 3, SIZES(1, 3, 4), TS_INT64, SIZES(2, 5, 1), SIZES(1, 5, 4), 2, 2);
    expect_clause(&d, "SN-08", TS_RESULT_OPEN);
    d = make(TS_FLOAT32, 3, SIZES(1, 3, 4), TS_INT64, SIZES(1, 5, 3), SIZES(1, 1, 5), 2, 2);
    expect_clause(&d, "SN-17", TS_RESULT_OPEN);
    d = make(TS_FLOAT32, 3, SIZES(1, 3, 4), TS_INT64, SIZES(1, 5, 4), SIZES(1, 1, 5), 2, 2);
    expect_clause(&d, "SN-09", TS_RESULT_INVALID);
    d = make(TS_FLOAT32, 3, SIZES(1, 3, 4), TS_INT64, SIZES(1, 5, 2), SIZES(1, 1, 5), 2, 2); /* the tuples are whole */
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d = right;
    tensor_init(&d.tensors[UPDATES], TS_FLOAT32, 3, SIZES(1, 4, 4));
    expect_clause(&d, "SN-10", TS_RESULT_INVALID);
    d = make(TS_FLOAT32, 3, SIZES(2, 3, 4), TS_INT64, SIZES(6, 5, 1), SIZES(6, 3, 4), 3, 3); /* four dimensions */
    expect_clause(&d, "SN-10", TS_RESULT_INVALID);
    d = right;
    tensor_init(&d.tensors[OUT], TS_FLOAT32, 3, SIZES(1, 3, 5));
    expect_clause(&d, "SN-11", TS_RESULT_INVALID);
    right.feature_level = TS_LEVEL_2_1;
    ts_report report = { 0 };
    operator_check(&right, &report);
    assert_int_equal(report.worst, TS_RESULT_UNSUPPORTED_FL);
}

static void layouts_change_addresses_only(void **state)
{
    (void)state;
    const uint16_t in[] = { 1, 2, 3, 4, 5, 6 }, updates[] = { 7, 0, 8 };
    const uint32_t indices[] = { 0, 2, 0, 1, 1 };
    uint16_t out[10];
    memset(out, 0xAA, sizeof out);
    ts_descriptor d = make(TS_UINT16, 2, SIZES(2, 3), TS_UINT32, SIZES(2, 2), SIZES(1, 2), 2, 2);
    memcpy(d.tensors[IN].strides, SIZES(1, 2), 16); /* transposed: rows 1 3 5 and 2 4 6 */
    memcpy(d.tensors[INDICES].strides, SIZES(3, 1), 16);
    memcpy(d.tensors[UPDATES].strides, SIZES(5, 2), 16);
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
        cmocka_unit_test(tuples_of_one_index_replace_elements),
        cmocka_unit_test(tuples_replace_blocks),
        cmocka_unit_test(several_updates_of_one_row_are_several_answers),
        cmocka_unit_test(blocks_are_counted_in_windows),
        cmocka_unit_test(indices_of_every_type),
        cmocka_unit_test(check_reports_each_clause),
        cmocka_unit_test(layouts_change_addresses_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
