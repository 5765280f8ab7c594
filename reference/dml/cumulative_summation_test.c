/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/cumulative_summation.h"
#include "reference/expect_clause.h"
#include "reference/operators.h"

enum { IN, OUT };

static ts_descriptor make(uint32_t dtype, uint32_t rank, const uint64_t *sizes, uint32_t axis, uint32_t direction,
                          uint32_t exclusive)
{
    ts_descriptor d;
    operator_begin(&d, operators_find("dml.cumulative_summation"));
    operator_set_attr(&d, 0, (const int64_t[]){ axis }, 1);
    operator_set_attr(&d, 1, (const int64_t[]){ direction }, 1);
    operator_set_attr(&d, 2, (const int64_t[]){ exclusive }, 1);
    tensor_init(&d.tensors[IN], dtype, rank, sizes);
    tensor_init(&d.tensors[OUT], dtype, rank, sizes);
    return d;
}

static ts_descriptor legal(void)
{
    return make(TS_UINT32, 4, SIZES(1, 2, 3, 4), 3, TS_AXIS_INCREASING, 0);
}

static void check_reports_each_clause(void **state)
{
    (void)state;
    ts_descriptor d = legal();
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d.feature_level = TS_LEVEL_2_0;
    expect_clause(&d, "CS-01", TS_RESULT_UNSUPPORTED_FL);
    for (unsigned k = 0; k < 3; ++k) {
        d = legal();
        d.attrs_given &= ~(1u << k);
        expect_clause(&d, "CS-01", TS_RESULT_INVALID);
    }
    for (unsigned k = 0; k < 2; ++k) {
        d = legal();
        memset(&d.tensors[k], 0, sizeof d.tensors[k]);
        expect_clause(&d, "CS-01", TS_RESULT_INVALID);
        d = legal();
        d.tensors[k].dtype = TS_FLOAT32;
        expect_clause(&d, "CS-02", TS_RESULT_INVALID);
        d = legal();
        tensor_init(&d.tensors[k], TS_UINT32, 5, SIZES(1, 1, 2, 3, 4));
        expect_clause(&d, "CS-03", TS_RESULT_INVALID);
    }
    d = legal();
    d.tensors[IN].dtype = d.tensors[OUT].dtype = TS_UINT16;
    expect_clause(&d, "CS-02", TS_RESULT_INVALID);
    d = make(TS_UINT32, 4, SIZES(1, 2, 3, 4), 4, 0, 0);
    expect_clause(&d, "CS-05", TS_RESULT_INVALID);
    d = make(TS_UINT32, 4, SIZES(1, 2, 3, 4), 3, 2, 0);
    expect_clause(&d, "CS-06", TS_RESULT_INVALID);
    for (unsigned axis = 0; axis < 4; ++axis) {
        uint64_t sizes[] = { 1, 2, 3, 4 };
        ++sizes[axis];
        d = legal();
        tensor_init(&d.tensors[OUT], TS_UINT32, 4, sizes);
        expect_clause(&d, "CS-04", TS_RESULT_INVALID);
        assert_true(d.op->shape(&d));
        expect_clause(&d, NULL, TS_RESULT_NONE);
    }
}

/* Levels add dimension counts, then types. */
static void each_level_has_its_row(void **state)
{
    (void)state;
    ts_descriptor d = make(TS_UINT32, 3, SIZES(2, 3, 4), 2, 0, 0);
    d.feature_level = TS_LEVEL_3_1;
    expect_clause(&d, "CS-03", TS_RESULT_UNSUPPORTED_FL);
    d.feature_level = TS_LEVEL_4_0;
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d = make(TS_INT64, 3, SIZES(2, 3, 4), 2, 0, 0);
    d.feature_level = TS_LEVEL_4_1;
    expect_clause(&d, "CS-02", TS_RESULT_UNSUPPORTED_FL);
    d.feature_level = TS_LEVEL_5_0;
    expect_clause(&d, NULL, TS_RESULT_NONE);
}

/* Sum one line of `count` elements, and compare it. */
static void sums_to(uint32_t dtype, uint32_t direction, uint32_t exclusive, unsigned count, const void *in,
                    const void *expected)
{
    unsigned char line[64], out[64];
    const size_t bytes = count * tensor_element_bytes(dtype);
    ts_descriptor d = make(dtype, 1, SIZES(count), 0, direction, exclusive);
    expect_clause(&d, NULL, TS_RESULT_NONE);
    memcpy(line, in, bytes);
    memset(out, 0xA5, sizeof out);
    d.tensors[IN].data = line;
    d.tensors[OUT].data = out;
    d.op->run(&d, NULL);
    assert_memory_equal(out, expected, bytes);
    d.tensors[OUT].data = line; /* in place */
    d.op->run(&d, NULL);
    assert_memory_equal(line, expected, bytes);
}

#define SUMS_TO(dtype, type, direction, exclusive, in, ...)                                                            \
    sums_to(dtype, direction, exclusive, sizeof(in) / sizeof *(in), in, (const type[]){ __VA_ARGS__ })

static void sums_have_a_direction_and_a_first_element(void **state)
{
    (void)state;
    const uint32_t in[] = { 2, 1, 3, 5 };
    SUMS_TO(TS_UINT32, uint32_t, 0, 0, in, 2, 3, 6, 11);
    SUMS_TO(TS_UINT32, uint32_t, 0, 1, in, 0, 2, 3, 6);
    SUMS_TO(TS_UINT32, uint32_t, 1, 0, in, 11, 9, 8, 5);
    SUMS_TO(TS_UINT32, uint32_t, 1, 1, in, 9, 8, 5, 0);
    SUMS_TO(TS_UINT32, uint32_t, 0, 256, in, 0, 2, 3, 6); /* E-CS-3 */
}

/* E-CS-1 */
static void sums_of_integers_wrap(void **state)
{
    (void)state;
    SUMS_TO(TS_UINT32, uint32_t, 0, 0, ((const uint32_t[]){ UINT32_MAX, 1, 2 }), UINT32_MAX, 0, 2);
    SUMS_TO(TS_INT32, int32_t, 0, 0, ((const int32_t[]){ INT32_MAX, 1, -1 }), INT32_MAX, INT32_MIN, INT32_MAX);
    SUMS_TO(TS_UINT64, uint64_t, 1, 0, ((const uint64_t[]){ 3, 2, UINT64_MAX }), 4, 1, UINT64_MAX);
    SUMS_TO(TS_INT64, int64_t, 0, 0, ((const int64_t[]){ INT64_MIN, -1, 0 }), INT64_MIN, INT64_MAX, INT64_MAX);
}

/* E-CS-2: rounded one by one, in the order of the direction. */
static void sums_of_floats_are_rounded_one_by_one(void **state)
{
    (void)state;
    SUMS_TO(TS_FLOAT32, float, 0, 0, ((const float[]){ 16777216, 1, 1 }), 16777216, 16777216, 16777216);
    SUMS_TO(TS_FLOAT32, float, 1, 0, ((const float[]){ 16777216, 1, 1 }), 16777218, 2, 1);
    /* 2048, 1, 1: halves of the last place are rounded to even. Then 2 and 65504, the largest number, and infinity. */
    SUMS_TO(TS_FLOAT16, uint16_t, 0, 0, ((const uint16_t[]){ 0x6800, 0x3C00, 0x3C00 }), 0x6800, 0x6800, 0x6800);
    SUMS_TO(TS_FLOAT16, uint16_t, 1, 0, ((const uint16_t[]){ 0x6800, 0x3C00, 0x3C00 }), 0x6801, 0x4000, 0x3C00);
    SUMS_TO(TS_FLOAT16, uint16_t, 0, 0, ((const uint16_t[]){ 0x7BFF, 0x4B80, 0x4C00 }), 0x7BFF, 0x7BFF, 0x7C00);
    /* A denormal, its double, and the smallest number that is none; minus infinity, and what is no number. */
    SUMS_TO(TS_FLOAT16, uint16_t, 0, 0, ((const uint16_t[]){ 0x0001, 0x0001, 0x03FE }), 0x0001, 0x0002, 0x0400);
    SUMS_TO(TS_FLOAT16, uint16_t, 0, 0, ((const uint16_t[]){ 0xFC00, 0x3C00, 0x7C00 }), 0xFC00, 0xFC00, 0x7E00);
}

/* A second formula, of a tensor in three dimensions: the sum of each element anew. */
static void every_line_has_its_own_sums(void **state)
{
    (void)state;
    enum { A = 2, B = 3, C = 4, COUNT = A * B * C };
    int32_t in[COUNT], out[COUNT];
    for (int32_t i = 0; i < COUNT; ++i)
        in[i] = i * i - 50;
    for (uint32_t axis = 0; axis < 3; ++axis) {
        ts_descriptor d = make(TS_INT32, 3, SIZES(A, B, C), axis, TS_AXIS_DECREASING, 1);
        const unsigned step = axis == 0 ? B * C : axis == 1 ? C : 1, size = axis == 0 ? A : axis == 1 ? B : C;
        d.tensors[IN].data = in;
        d.tensors[OUT].data = out;
        d.op->run(&d, NULL);
        for (unsigned i = 0; i < COUNT; ++i) {
            int32_t sum = 0;
            for (unsigned k = i / step % size + 1; k < size; ++k)
                sum += in[i + (k - i / step % size) * step];
            assert_int_equal(out[i], sum);
        }
    }
}

static void floats_are_not_judged(void **state)
{
    (void)state;
    const ts_operator *op = operators_find("dml.cumulative_summation");
    assert_int_equal(op->unjudged, TS_DTYPE_BIT(TS_FLOAT32) | TS_DTYPE_BIT(TS_FLOAT16));
    assert_int_equal(op->unjudged & ~op->support[op->support_count - 1].tensors[IN].dtypes, 0);
    assert_true(operator_judges(op, TS_INT64) && !operator_judges(op, TS_FLOAT16));
    assert_true(operator_judges(op, UINT32_MAX)); /* of an illegal descriptor */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_reports_each_clause),
        cmocka_unit_test(each_level_has_its_row),
        cmocka_unit_test(sums_have_a_direction_and_a_first_element),
        cmocka_unit_test(sums_of_integers_wrap),
        cmocka_unit_test(sums_of_floats_are_rounded_one_by_one),
        cmocka_unit_test(every_line_has_its_own_sums),
        cmocka_unit_test(floats_are_not_judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
