/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/slice1.h"
#include "reference/expect_clause.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { IN, OUT };

/* A legal descriptor over these windows, with the largest output that shape allows. */
static ts_descriptor make(uint32_t dtype, uint32_t rank, const uint64_t *in, const uint32_t *offsets,
                          const uint32_t *windows, const int32_t *strides)
{
    ts_descriptor d;
    ts_dml_slice1 a = { .DimensionCount = rank };
    operator_begin(&d, operators_find("dml.slice1"));
    memcpy(a.InputWindowOffsets, offsets, rank * sizeof *offsets);
    memcpy(a.InputWindowSizes, windows, rank * sizeof *windows);
    memcpy(a.InputWindowStrides, strides, rank * sizeof *strides);
    memcpy(d.attrs, &a, sizeof a);
    d.attrs_given = 15;
    tensor_init(&d.tensors[IN], dtype, rank, in);
    assert_true(d.op->shape(&d));
    uint64_t sizes[TS_MAX_DIMS];
    memcpy(sizes, d.tensors[OUT].sizes, sizeof sizes);
    tensor_init(&d.tensors[OUT], dtype, rank, sizes);
    return d;
}

#define MAKE(dtype, rank, in, offsets, windows, strides)                                                               \
    make(dtype, rank, (const uint64_t[])in, (const uint32_t[])offsets, (const uint32_t[])windows,                      \
         (const int32_t[])strides)
#define L(...)                                                                                                         \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

/* The page's example 2. */
static ts_descriptor example(void)
{
    return MAKE(TS_FLOAT32, 4, L(1, 1, 4, 4), L(0, 0, 0, 1), L(1, 1, 4, 3), L(1, 1, -2, 2));
}

static ts_dml_slice1 *attrs(ts_descriptor *d)
{
    return (ts_dml_slice1 *)(void *)d->attrs;
}

static void examples_of_the_page(void **state)
{
    (void)state;
    float in[16], out[4];
    for (unsigned i = 0; i < 16; ++i)
        in[i] = (float)i + 1;
    static const float expected[2][4] = { { 2, 4, 10, 12 }, { 14, 16, 6, 8 } };
    for (int n = 0; n < 2; ++n) {
        ts_descriptor d = example();
        attrs(&d)->InputWindowStrides[2] = n ? -2 : 2;
        expect_clause(&d, NULL, TS_RESULT_NONE);
        assert_memory_equal(d.tensors[OUT].sizes, SIZES(1, 1, 2, 2), 4 * sizeof(uint64_t));
        d.tensors[IN].data = in;
        d.tensors[OUT].data = out;
        d.op->run(&d, NULL);
        assert_memory_equal(out, expected[n], sizeof out);
    }
}

static void pointers(void **state)
{
    (void)state;
    for (unsigned k = 1; k < 4; ++k) {
        ts_descriptor d = example();
        d.attrs_given &= ~(1u << k);
        expect_clause(&d, "SL-02", TS_RESULT_INVALID);
    }
    for (unsigned i = 0; i < 2; ++i) {
        ts_descriptor d = example();
        memset(&d.tensors[i], 0, sizeof d.tensors[i]);
        expect_clause(&d, "SL-02", TS_RESULT_INVALID);
    }
}

static void levels(void **state)
{
    (void)state;
    ts_descriptor d = example();
    d.feature_level = TS_LEVEL_2_0;
    expect_clause(&d, "SL-01", TS_RESULT_UNSUPPORTED_FL);
    d.feature_level = TS_LEVEL_2_1;
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d = MAKE(TS_INT64, 1, L(4), L(0), L(4), L(1));
    d.feature_level = TS_LEVEL_4_1;
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d.feature_level = TS_LEVEL_4_0;
    expect_clause(&d, "SL-04", TS_RESULT_UNSUPPORTED_FL);
    d = MAKE(TS_INT8, 3, L(1, 1, 4), L(0, 0, 0), L(1, 1, 4), L(1, 1, 1));
    d.feature_level = TS_LEVEL_2_1;
    expect_clause(&d, "SL-03", TS_RESULT_UNSUPPORTED_FL);
    d.feature_level = TS_LEVEL_3_0;
    expect_clause(&d, NULL, TS_RESULT_NONE);
}

static void dimension_counts(void **state)
{
    (void)state;
    ts_descriptor d = example();
    attrs(&d)->DimensionCount = 3;
    expect_clause(&d, "SL-03", TS_RESULT_INVALID);
    attrs(&d)->DimensionCount = UINT32_MAX;
    expect_clause(&d, "SL-03", TS_RESULT_INVALID);
    d = example();
    d.tensors[OUT].rank = 3;
    d.tensors[OUT].total_bytes = 4096;
    expect_clause(&d, "SL-03", TS_RESULT_INVALID);
    d = example();
    d.tensors[IN].rank = d.tensors[OUT].rank = attrs(&d)->DimensionCount = UINT32_MAX;
    ts_report report = { 0 };
    operator_check(&d, &report);
    assert_string_equal(report.items[0].clause, "BUF-05");
    assert_false(d.op->shape(&d));
}

static void types(void **state)
{
    (void)state;
    ts_descriptor d = example();
    d.tensors[OUT].dtype = TS_INT32;
    expect_clause(&d, "SL-04", TS_RESULT_INVALID);
    d.tensors[IN].dtype = d.tensors[OUT].dtype = TS_INT4;
    d.feature_level = TS_LEVEL_6_4;
    expect_clause(&d, "SL-04", TS_RESULT_INVALID);
}

static void windows(void **state)
{
    (void)state;
    ts_descriptor d = example();
    attrs(&d)->InputWindowOffsets[3] = 2;
    expect_clause(&d, "SL-05", TS_RESULT_INVALID);
    d = example();
    attrs(&d)->InputWindowOffsets[2] = UINT32_MAX; /* + 4 wraps to 3 */
    expect_clause(&d, "SL-05", TS_RESULT_INVALID);
    d = example();
    attrs(&d)->InputWindowSizes[3] = 0;
    expect_clause(&d, "SL-06", TS_RESULT_INVALID);
    assert_false(d.op->shape(&d));
    d = example();
    attrs(&d)->InputWindowStrides[0] = 0;
    expect_clause(&d, "SL-07", TS_RESULT_INVALID);
    assert_false(d.op->shape(&d));
    d = example();
    d.tensors[OUT].sizes[2] = 3;
    d.tensors[OUT].total_bytes = 4096;
    d.tensors[OUT].strides[1] = d.tensors[OUT].strides[0] = 100;
    expect_clause(&d, "SL-08", TS_RESULT_INVALID);
    d.tensors[OUT].sizes[2] = 1; /* fewer is legal */
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d.tensors[OUT].sizes[2] = 0;
    expect_clause(&d, "BUF-06", TS_RESULT_INVALID);
}

static void violations_name_their_axis(void **state)
{
    (void)state;
    ts_descriptor d = example();
    ts_report report = { 0 };
    attrs(&d)->InputWindowOffsets[2] = 1;
    attrs(&d)->InputWindowStrides[3] = 0;
    operator_check(&d, &report);
    assert_int_equal(report.count, 2);
    assert_string_equal(report.items[0].clause, "SL-05");
    assert_int_equal(report.items[0].axis, 2);
    assert_string_equal(report.items[0].text,
                        "InputWindowOffsets[2] + InputWindowSizes[2] = 1 + 4 = 5 exceeds InputTensor.Sizes[2] = 4");
    assert_string_equal(report.items[1].clause, "SL-07");
    assert_int_equal(report.items[1].axis, 3);
}

/* SL-09: the magnitude of INT32_MIN has 32 bits. */
static void extreme_strides(void **state)
{
    (void)state;
    static const int32_t strides[] = { INT32_MIN, INT32_MAX, -5, 5 };
    uint8_t in[5] = { 1, 2, 3, 4, 5 }, out[4] = { 0 };
    for (unsigned i = 0; i < 4; ++i) {
        ts_descriptor d = make(TS_UINT8, 1, SIZES(5), (const uint32_t[]){ 1 }, (const uint32_t[]){ 3 }, &strides[i]);
        assert_int_equal(d.tensors[OUT].sizes[0], 1);
        expect_clause(&d, NULL, TS_RESULT_NONE);
        d.tensors[IN].data = in;
        d.tensors[OUT].data = out;
        d.op->run(&d, NULL);
        assert_int_equal(out[0], strides[i] < 0 ? 4 : 2);
        d.tensors[OUT].sizes[0] = 2;
        expect_clause(&d, "SL-08", TS_RESULT_INVALID);
    }
}

/* Each element holds its position. Every layout of input and output must copy the same elements to the same
 * coordinates. */
static void layouts_change_addresses_only(void **state)
{
    (void)state;
    static const uint64_t in_strides[][3] = { { 12, 4, 1 }, { 20, 6, 1 }, { 1, 2, 6 }, { 0, 4, 1 }, { 0, 0, 0 } };
    static const uint64_t out_strides[][3] = { { 4, 2, 1 }, { 30, 9, 2 }, { 1, 2, 4 } };
    for (unsigned i = 0; i < 5; ++i) {
        for (unsigned o = 0; o < 3; ++o) {
            uint16_t in[128], out[128];
            ts_descriptor d = MAKE(TS_UINT16, 3, L(2, 3, 4), L(0, 0, 1), L(2, 3, 3), L(-1, 2, -2));
            memcpy(d.tensors[IN].strides, in_strides[i], sizeof in_strides[i]);
            memcpy(d.tensors[OUT].strides, out_strides[o], sizeof out_strides[o]);
            d.tensors[IN].total_bytes = d.tensors[OUT].total_bytes = sizeof in;
            d.tensors[IN].data = in;
            d.tensors[OUT].data = out;
            expect_clause(&d, NULL, TS_RESULT_NONE);
            for (unsigned k = 0; k < 128; ++k) {
                in[k] = (uint16_t)k;
                out[k] = 0xDEAD;
            }
            d.op->run(&d, NULL);
            unsigned written = 0;
            for (unsigned k = 0; k < 128; ++k)
                written += out[k] != 0xDEAD;
            assert_int_equal(written, 8);
            for (unsigned z = 0; z < 2; ++z) {
                for (unsigned y = 0; y < 2; ++y) {
                    for (unsigned x = 0; x < 2; ++x) {
                        const uint64_t *s = in_strides[i], *t = out_strides[o];
                        assert_int_equal(out[z * t[0] + y * t[1] + x * t[2]],
                                         (1 - z) * s[0] + 2 * y * s[1] + (3 - 2 * x) * s[2]);
                    }
                }
            }
        }
    }
}

static void bits_are_copied_unchanged(void **state)
{
    (void)state;
    static const uint64_t in[4] = { 0x7FF0000000000001, 0x8000000000000000, 1, 0xFFFFFFFFFFFFFFFF };
    uint64_t out[4], copy[4];
    memcpy(copy, in, sizeof in);
    ts_descriptor d = MAKE(TS_FLOAT64, 1, L(4), L(0), L(4), L(-1));
    d.tensors[IN].data = copy;
    d.tensors[OUT].data = out;
    d.op->run(&d, NULL);
    for (unsigned i = 0; i < 4; ++i)
        assert_true(out[i] == in[3 - i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_of_the_page),
        cmocka_unit_test(pointers),
        cmocka_unit_test(levels),
        cmocka_unit_test(dimension_counts),
        cmocka_unit_test(types),
        cmocka_unit_test(windows),
        cmocka_unit_test(violations_name_their_axis),
        cmocka_unit_test(extreme_strides),
        cmocka_unit_test(layouts_change_addresses_only),
        cmocka_unit_test(bits_are_copied_unchanged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
