/* SPDX-License-Identifier: Apache-2.0 */
/* GatherElements-6. */
#include "reference/expect_clause.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { DATA, INDICES, OUT };

/* A descriptor with the output that shape computes, if it computes one. */
static ts_descriptor make(uint32_t dtype, uint32_t rank, const uint64_t *data, uint32_t index_type, uint32_t index_rank,
                          const uint64_t *indices, int64_t axis)
{
    ts_descriptor d;
    uint64_t sizes[TS_MAX_DIMS];
    operator_begin(&d, operators_find("openvino.gather_elements"));
    operator_set_attr(&d, 0, &axis, 1);
    tensor_init(&d.tensors[DATA], dtype, rank, data);
    tensor_init(&d.tensors[INDICES], index_type, index_rank, indices);
    if (d.op->shape(&d)) {
        memcpy(sizes, d.tensors[OUT].sizes, sizeof sizes);
        tensor_init(&d.tensors[OUT], dtype, d.tensors[OUT].rank, sizes);
    }
    return d;
}

static ts_descriptor small(void)
{
    return make(TS_FLOAT32, 3, SIZES(2, 3, 4), TS_INT32, 3, SIZES(2, 5, 4), 1);
}

/* Returns how many elements are undefined. Where there are some, the call may fail. */
static uint64_t run(ts_descriptor *d, void *data, void *indices, void *out)
{
    ts_unspecified unspecified = { 0 };
    d->tensors[DATA].data = data;
    d->tensors[INDICES].data = indices;
    d->tensors[OUT].data = out;
    d->op->run(d, &unspecified);
    assert_int_equal(unspecified.may_fail, unspecified.count > 0);
    return unspecified.count;
}

static void the_examples_of_the_page(void **state)
{
    (void)state;
    float out[6], one[] = { 1, 2, 3, 4 }, two[] = { 1, 7, 4, 3 }, three[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
    ts_descriptor d = make(TS_FLOAT32, 2, SIZES(2, 2), TS_INT32, 2, SIZES(2, 2), 0);
    expect_clause(&d, NULL, TS_RESULT_NONE);
    assert_int_equal(run(&d, one, (int32_t[]){ 0, 1, 0, 0 }, out), 0);
    assert_memory_equal(out, ((float[]){ 1, 4, 1, 2 }), 16);
    for (int64_t axis = -1; axis <= 1; axis += 2) {
        d = make(TS_FLOAT32, 2, SIZES(2, 2), TS_INT64, 2, SIZES(2, 3), axis);
        expect_clause(&d, NULL, TS_RESULT_NONE);
        assert_int_equal(run(&d, two, (int64_t[]){ 1, 1, 0, 1, 0, 1 }, out), 0);
        assert_memory_equal(out, ((float[]){ 7, 7, 1, 3, 4, 3 }), 24);
    }
    d = make(TS_FLOAT32, 2, SIZES(3, 3), TS_INT32, 2, SIZES(2, 3), 0);
    assert_int_equal(run(&d, three, (int32_t[]){ 1, 0, 1, 1, 2, 0 }, out), 0);
    assert_memory_equal(out, ((float[]){ 4, 2, 6, 4, 8, 3 }), 24);
    d = make(TS_FLOAT32, 3, SIZES(3, 7, 5), TS_INT32, 3, SIZES(3, 10, 5), 1);
    expect_clause(&d, NULL, TS_RESULT_NONE);
    assert_memory_equal(d.tensors[OUT].sizes, SIZES(3, 10, 5), 24);
}

static void tensors_types_and_dimensions(void **state)
{
    (void)state;
    const uint64_t ones[9] = { 1, 1, 1, 1, 1, 1, 1, 1, 1 };
    ts_descriptor d = small();
    expect_clause(&d, NULL, TS_RESULT_NONE);
    for (unsigned i = 0; i < 3; ++i) {
        d = small();
        memset(&d.tensors[i], 0, sizeof d.tensors[i]);
        expect_clause(&d, "GE6-01", TS_RESULT_INVALID);
        d = small();
        d.tensors[i].given &= ~(uint32_t)TS_GIVEN_SIZES;
        expect_clause(&d, "GE6-01", TS_RESULT_INVALID);
        d = small();
        d.tensors[i].total_bytes -= 1;
        expect_clause(&d, "GE6-05", TS_RESULT_INVALID);
    }
    d = small();
    d.attrs_given = 0;
    expect_clause(&d, "GE6-01", TS_RESULT_INVALID);
    d = small();
    d.tensors[OUT].dtype = TS_INT32;
    expect_clause(&d, "GE6-03", TS_RESULT_INVALID);
    d = small();
    d.tensors[DATA].dtype = d.tensors[OUT].dtype = TS_UINT4; /* any type: a limit of ours */
    expect_clause(&d, "GE6-03", TS_RESULT_UNSUPPORTED_FL);
    d = small();
    d.tensors[INDICES].dtype = TS_UINT32;
    expect_clause(&d, "GE6-04", TS_RESULT_INVALID);
    d = make(TS_BOOLEAN, 8, ones, TS_INT64, 8, ones, 7); /* as many dimensions as are judged */
    expect_clause(&d, NULL, TS_RESULT_NONE);
    for (unsigned i = DATA; i <= OUT; ++i)
        tensor_init(&d.tensors[i], i == INDICES ? TS_INT64 : TS_BOOLEAN, 9, ones);
    expect_clause(&d, "GE6-02", TS_RESULT_UNSUPPORTED_FL);
    assert_false(d.op->shape(&d));
    for (unsigned i = DATA; i <= OUT; ++i)
        tensor_init(&d.tensors[i], i == INDICES ? TS_INT64 : TS_BOOLEAN, 0, ones);
    expect_clause(&d, "GE6-02", TS_RESULT_INVALID);
    assert_false(d.op->shape(&d));
    d = small();
    d.tensors[INDICES].given |= TS_GIVEN_STRIDES;
    d.tensors[INDICES].sizes[1] = UINT64_MAX;
    d.tensors[INDICES].strides[1] = 0;
    expect_clause(&d, "GE6-02", TS_RESULT_UNSUPPORTED_FL);
    d = small();
    tensor_init(&d.tensors[INDICES], TS_INT32, 2, SIZES(2, 5));
    expect_clause(&d, "GE6-07", TS_RESULT_INVALID);
}

static void axes_and_sizes(void **state)
{
    (void)state;
    for (int64_t axis = -4; axis <= 3; ++axis) {
        uint64_t sizes[] = { 2, 3, 4 };
        const bool legal = axis != -4 && axis != 3;
        if (legal)
            sizes[axis < 0 ? axis + 3 : axis] = 7;
        ts_descriptor d = make(TS_FLOAT32, 3, SIZES(2, 3, 4), TS_INT32, 3, sizes, axis);
        expect_clause(&d, legal ? NULL : "GE6-06", legal ? TS_RESULT_NONE : TS_RESULT_INVALID);
        for (uint32_t i = 0; legal && i < 3; ++i) {
            sizes[i] += 1;
            d = make(TS_FLOAT32, 3, SIZES(2, 3, 4), TS_INT32, 3, sizes, axis);
            if (sizes[i] == 8)
                expect_clause(&d, NULL, TS_RESULT_NONE);
            else
                expect_clause(&d, "GE6-08", TS_RESULT_INVALID);
            sizes[i] -= 1;
        }
    }
    ts_descriptor d = small();
    operator_set_attr(&d, 0, (const int64_t[]){ INT64_MIN }, 1);
    expect_clause(&d, "GE6-06", TS_RESULT_INVALID);
    operator_set_attr(&d, 0, (const int64_t[]){ (INT64_C(1) << 32) + 1 }, 1);
    expect_clause(&d, "GE6-06", TS_RESULT_INVALID);
    d = small();
    tensor_init(&d.tensors[OUT], TS_FLOAT32, 3, SIZES(2, 3, 4));
    expect_clause(&d, "GE6-09", TS_RESULT_INVALID);
    tensor_init(&d.tensors[OUT], TS_FLOAT32, 2, SIZES(2, 5));
    expect_clause(&d, "GE6-09", TS_RESULT_INVALID);
}

/* Indices beyond an axis of five elements. */
static void indices_of_every_value(void **state)
{
    (void)state;
    static const int64_t beyond[] = {
        5, 6, -6, -7, INT32_MAX, INT32_MIN, (INT64_C(1) << 32) + 2, INT64_MAX, INT64_MIN
    };
    uint8_t data[] = { 10, 11, 12, 13, 14 };
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; ++i) {
        uint8_t out[2] = { 9, 9 };
        ts_descriptor d = make(TS_UINT8, 1, SIZES(5), TS_INT64, 1, SIZES(2), 0);
        assert_int_equal(run(&d, data, (int64_t[]){ 4, beyond[i] }, out), 1);
        assert_memory_equal(out, ((uint8_t[]){ 14, 0 }), 2);
        if (beyond[i] != (int32_t)beyond[i])
            continue;
        d = make(TS_UINT8, 1, SIZES(5), TS_INT32, 1, SIZES(2), 0);
        assert_int_equal(run(&d, data, (int32_t[]){ (int32_t)beyond[i], 0 }, out), 1);
        assert_memory_equal(out, ((uint8_t[]){ 0, 10 }), 2);
    }
}

/* GE6-14: on each line of data, from the end of the axis. */
static void negative_indices(void **state)
{
    (void)state;
    uint8_t data[] = { 10, 11, 12, 13, 14 }, out[6];
    for (int64_t k = -5; k < 5; ++k) {
        ts_descriptor d = make(TS_UINT8, 1, SIZES(5), TS_INT64, 1, SIZES(1), 0);
        assert_int_equal(run(&d, data, (int64_t[]){ k }, out), 0);
        assert_int_equal(out[0], data[(k + 5) % 5]);
        d = make(TS_UINT8, 1, SIZES(5), TS_INT32, 1, SIZES(1), -1);
        assert_int_equal(run(&d, data, (int32_t[]){ (int32_t)k }, out), 0);
        assert_int_equal(out[0], data[(k + 5) % 5]);
    }
    uint8_t rows[] = { 1, 2, 3, 4, 5, 6 };
    ts_descriptor d = make(TS_UINT8, 2, SIZES(3, 2), TS_INT32, 2, SIZES(2, 2), 0);
    assert_int_equal(run(&d, rows, (int32_t[]){ -1, -3, -2, 2 }, out), 0);
    assert_memory_equal(out, ((uint8_t[]){ 5, 2, 3, 6 }), 4);
}

static void tensors_without_elements(void **state)
{
    (void)state;
    uint32_t out[2] = { 9, 9 };
    ts_descriptor d = make(TS_UINT32, 1, SIZES(0), TS_INT32, 1, SIZES(1), 0);
    expect_clause(&d, NULL, TS_RESULT_NONE);
    assert_int_equal(run(&d, out, (int32_t[]){ 0 }, out), 1);
    assert_memory_equal(out, ((uint32_t[]){ 0, 9 }), 8);
    d = make(TS_UINT32, 2, SIZES(0, 3), TS_INT32, 2, SIZES(0, 2), 1);
    expect_clause(&d, NULL, TS_RESULT_NONE);
    out[0] = 9;
    assert_int_equal(run(&d, out, out, out), 0);
    assert_int_equal(out[0], 9);
}

/* A second formula: data as rows before the axis, the axis, and columns behind it. */
static void random_cases_agree_with_nested_loops(void **state)
{
    (void)state;
    uint64_t seed = 9;
    for (unsigned n = 0; n < 20000; ++n) {
        uint32_t draw[12];
        for (unsigned i = 0; i < 12; ++i) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            draw[i] = (uint32_t)(seed >> 40);
        }
        const uint32_t before = draw[0] % 3, behind = draw[1] % 2, rank = before + 1 + behind;
        uint64_t sizes[TS_MAX_DIMS], picks[TS_MAX_DIMS], rows = 1, columns = 1;
        for (uint32_t i = 0; i < rank; ++i) {
            sizes[i] = picks[i] = 1 + draw[2 + i] % 3;
            *(i < before ? &rows : i > before ? &columns : &(uint64_t){ 1 }) *= sizes[i];
        }
        picks[before] = draw[8] % 5;
        ts_descriptor d = make(TS_UINT16, rank, sizes, TS_INT64, rank, picks, (int64_t)before - (n % 2 ? rank : 0));
        expect_clause(&d, NULL, TS_RESULT_NONE);
        uint16_t data[81], out[135], expected[135];
        int64_t index[135];
        for (unsigned i = 0; i < 81; ++i)
            data[i] = (uint16_t)(i * 31);
        uint64_t at = 0;
        for (uint64_t r = 0; r < rows; ++r)
            for (uint64_t p = 0; p < picks[before]; ++p)
                for (uint64_t c = 0; c < columns; ++c, ++at) {
                    index[at] = (int64_t)((draw[9] + 5 * at) % sizes[before]);
                    expected[at] = data[(r * sizes[before] + (uint64_t)index[at]) * columns + c];
                }
        assert_int_equal(run(&d, data, index, out), 0);
        assert_memory_equal(out, expected, at * sizeof *out);
    }
}

static void layouts_change_addresses_only(void **state)
{
    (void)state;
    uint32_t data[64], out[64];
    int32_t index[64] = { 0 };
    ts_descriptor d = make(TS_UINT32, 2, SIZES(3, 4), TS_INT32, 2, SIZES(3, 1), 1);
    for (unsigned i = 0; i < 64; ++i)
        data[i] = out[i] = 100 + i;
    memcpy(d.tensors[DATA].strides, SIZES(1, 3), 16);    /* transposed */
    memcpy(d.tensors[INDICES].strides, SIZES(5, 2), 16); /* padded */
    memcpy(d.tensors[OUT].strides, SIZES(7, 2), 16);
    d.tensors[INDICES].total_bytes = d.tensors[OUT].total_bytes = sizeof out;
    for (unsigned y = 0; y < 3; ++y)
        index[5 * y] = 3 - (int32_t)y;
    expect_clause(&d, NULL, TS_RESULT_NONE);
    assert_int_equal(run(&d, data, index, out), 0);
    for (unsigned y = 0; y < 3; ++y) {
        assert_int_equal(out[7 * y], data[y + 3 * (3 - y)]);
        assert_int_equal(out[7 * y + 1], 100 + 7 * y + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_examples_of_the_page),
        cmocka_unit_test(tensors_types_and_dimensions),
        cmocka_unit_test(axes_and_sizes),
        cmocka_unit_test(indices_of_every_value),
        cmocka_unit_test(negative_indices),
        cmocka_unit_test(tensors_without_elements),
        cmocka_unit_test(random_cases_agree_with_nested_loops),
        cmocka_unit_test(layouts_change_addresses_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
