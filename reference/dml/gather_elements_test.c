/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/gather_elements.h"
#include "reference/expect_clause.h"
#include "reference/index_cases.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { IN, INDICES, OUT };

static void set_axis(ts_descriptor *d, uint32_t axis)
{
    ((ts_dml_gather_elements *)(void *)d->attrs)->Axis = axis;
}

/* A descriptor with the output that shape computes. */
static ts_descriptor make(uint32_t dtype, uint32_t rank, const uint64_t *in, uint32_t index_type,
                          const uint64_t *indices, uint32_t axis)
{
    ts_descriptor d;
    uint64_t sizes[TS_MAX_DIMS];
    operator_begin(&d, operators_find("dml.gather_elements"));
    operator_set_attr(&d, 0, (const int64_t[]){ axis }, 1);
    tensor_init(&d.tensors[IN], dtype, rank, in);
    tensor_init(&d.tensors[INDICES], index_type, rank, indices);
    assert_true(d.op->shape(&d));
    memcpy(sizes, d.tensors[OUT].sizes, sizeof sizes);
    tensor_init(&d.tensors[OUT], dtype, rank, sizes);
    return d;
}

static ts_descriptor small(void)
{
    return make(TS_FLOAT32, 4, SIZES(1, 2, 3, 4), TS_UINT32, SIZES(1, 2, 5, 4), 2);
}

static uint64_t run(ts_descriptor *d, void *in, void *indices, void *out)
{
    ts_unspecified unspecified = { 0 };
    d->tensors[IN].data = in;
    d->tensors[INDICES].data = indices;
    d->tensors[OUT].data = out;
    d->op->run(d, &unspecified);
    return unspecified.count;
}

/* As printed, and with leading ones to four dimensions, as level 2_1 requires. */
static void the_example_of_the_page(void **state)
{
    (void)state;
    float in[9], out[6];
    uint32_t indices[6] = { 1, 2, 0, 2, 0, 0 };
    const float expected[6] = { 4, 8, 3, 7, 2, 3 };
    for (unsigned i = 0; i < 9; ++i)
        in[i] = (float)(i + 1);
    for (unsigned pad = 0; pad <= 2; pad += 2) {
        const uint64_t *in_sizes = pad ? SIZES(1, 1, 3, 3) : SIZES(3, 3);
        const uint64_t *index_sizes = pad ? SIZES(1, 1, 2, 3) : SIZES(2, 3);
        ts_descriptor d = make(TS_FLOAT32, 2 + pad, in_sizes, TS_UINT32, index_sizes, pad);
        d.feature_level = pad ? TS_LEVEL_2_1 : TS_LEVEL_3_0;
        expect_clause(&d, NULL, TS_RESULT_NONE);
        assert_int_equal(run(&d, in, indices, out), 0);
        assert_memory_equal(out, expected, sizeof out);
    }
}

/* Its output has another type than its input (E-GE-1). */
static void the_example_as_printed_is_invalid(void **state)
{
    (void)state;
    ts_descriptor d = make(TS_FLOAT32, 2, SIZES(3, 3), TS_UINT32, SIZES(2, 3), 0);
    d.tensors[OUT].dtype = TS_UINT32;
    expect_clause(&d, "GE-03", TS_RESULT_INVALID);
}

static void levels_types_and_dimensions(void **state)
{
    (void)state;
    ts_descriptor d = small();
    d.feature_level = TS_LEVEL_2_1;
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d.feature_level = TS_LEVEL_2_0;
    expect_clause(&d, "GE-01", TS_RESULT_UNSUPPORTED_FL);
    for (unsigned i = 0; i < 3; ++i) {
        d = small();
        memset(&d.tensors[i], 0, sizeof d.tensors[i]);
        expect_clause(&d, "GE-01", TS_RESULT_INVALID);
    }
    d = small();
    d.attrs_given = 0;
    expect_clause(&d, "GE-01", TS_RESULT_INVALID);
    for (unsigned i = 0; i < 3; ++i) {
        d = small();
        tensor_init(&d.tensors[i], i == INDICES ? TS_UINT32 : TS_FLOAT32, 3, SIZES(2, 5, 4));
        expect_clause(&d, "GE-02", TS_RESULT_INVALID);
    }
    d = make(TS_FLOAT32, 3, SIZES(2, 3, 4), TS_UINT32, SIZES(2, 5, 4), 1);
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d.feature_level = TS_LEVEL_2_1; /* four dimensions */
    expect_clause(&d, "GE-02", TS_RESULT_UNSUPPORTED_FL);
    d = make(TS_INT64, 4, SIZES(1, 2, 3, 4), TS_UINT32, SIZES(1, 2, 5, 4), 2);
    d.feature_level = TS_LEVEL_4_1;
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d.feature_level = TS_LEVEL_4_0;
    expect_clause(&d, "GE-03", TS_RESULT_UNSUPPORTED_FL);
    d = small();
    d.tensors[OUT].dtype = TS_INT32;
    expect_clause(&d, "GE-03", TS_RESULT_INVALID);
    d = small();
    d.tensors[INDICES].dtype = TS_INT32;
    d.feature_level = TS_LEVEL_3_0;
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d.feature_level = TS_LEVEL_2_1;
    expect_clause(&d, "GE-04", TS_RESULT_UNSUPPORTED_FL);
    d = small();
    d.tensors[INDICES].dtype = TS_FLOAT32;
    expect_clause(&d, "GE-04", TS_RESULT_INVALID);
}

static void axis_and_sizes(void **state)
{
    (void)state;
    ts_descriptor d = small();
    for (unsigned i = 0; i < 2; ++i) {
        set_axis(&d, i ? UINT32_MAX : 4);
        expect_clause(&d, "GE-05", TS_RESULT_INVALID);
    }
    d = make(TS_FLOAT32, 4, SIZES(1, 2, 3, 4), TS_UINT32, SIZES(1, 2, 3, 9), 3); /* the last axis */
    expect_clause(&d, NULL, TS_RESULT_NONE);
    set_axis(&d, 2); /* beside this axis the sizes differ */
    expect_clause(&d, "GE-06", TS_RESULT_INVALID);
    d = make(TS_FLOAT32, 4, SIZES(1, 2, 3, 4), TS_UINT32, SIZES(1, 1, 3, 4), 3); /* fewer are no more legal */
    expect_clause(&d, "GE-06", TS_RESULT_INVALID);
    for (unsigned axis = 0; axis < 4; ++axis) { /* along the axis and beside it */
        uint64_t sizes[4] = { 1, 2, 5, 4 };
        ++sizes[axis];
        d = small();
        tensor_init(&d.tensors[OUT], TS_FLOAT32, 4, sizes);
        expect_clause(&d, "GE-07", TS_RESULT_INVALID);
    }
}

/* GE-09 and GE-10: negative indices count from the end; indices beyond the axis are clamped and marked undefined. */
static void indices_of_every_type(void **state)
{
    (void)state;
    for (unsigned i = 0; i < INDEX_CASES; ++i) {
        uint8_t in[5] = { 0, 1, 2, 3, 4 }, out[4] = { 9, 9, 9, 9 };
        uint64_t index[2] = { 0, 0 };
        ts_descriptor d = make(TS_UINT8, 1, SIZES(5), index_cases[i].dtype, SIZES(2), 0);
        const size_t bytes = tensor_element_bytes(index_cases[i].dtype);
        memcpy((unsigned char *)index + bytes, &index_cases[i].bits, bytes); /* the second of two */
        d.tensors[OUT].strides[0] = 2;
        assert_int_equal(run(&d, in, index, out), index_cases[i].marked);
        assert_memory_equal(out, ((uint8_t[]){ 0, 9, index_cases[i].expected, 9 }), 4);
    }
}

/* A second oracle: numpy.take_along_axis as loops over what is before the axis, along it, and behind it. */
static void random_cases_agree_with_take_along_axis(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (unsigned n = 0; n < 20000; ++n) {
        uint32_t draw[16];
        for (unsigned i = 0; i < 16; ++i) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            draw[i] = (uint32_t)(seed >> 40);
        }
        const uint32_t rank = 1 + draw[0] % 5, axis = draw[1] % rank;
        uint64_t in[TS_MAX_DIMS], index[TS_MAX_DIMS], outer = 1, inner = 1;
        for (uint32_t i = 0; i < rank; ++i) {
            in[i] = index[i] = 1 + draw[2 + i] % 3;
            outer *= i < axis ? in[i] : 1;
            inner *= i > axis ? in[i] : 1;
        }
        const uint64_t size = in[axis], many = index[axis] = 1 + draw[8] % 5;
        ts_descriptor d = make(TS_UINT16, rank, in, TS_INT64, index, axis);
        expect_clause(&d, NULL, TS_RESULT_NONE);
        uint16_t data[512], out[1024], expected[1024];
        int64_t indices[1024];
        for (unsigned i = 0; i < 512; ++i)
            data[i] = (uint16_t)(i * 31);
        for (uint64_t k = 0; k < outer * many * inner; ++k)
            indices[k] = (int64_t)((draw[9] % 97 + 5 * k) % (2 * size)) - (int64_t)size;
        for (uint64_t p = 0; p < outer; ++p)
            for (uint64_t k = 0; k < many; ++k)
                for (uint64_t s = 0; s < inner; ++s) {
                    const int64_t stated = indices[(p * many + k) * inner + s];
                    const uint64_t at = stated < 0 ? (uint64_t)(stated + (int64_t)size) : (uint64_t)stated;
                    expected[(p * many + k) * inner + s] = data[(p * size + at) * inner + s];
                }
        assert_int_equal(run(&d, data, indices, out), 0);
        assert_memory_equal(out, expected, outer * many * inner * sizeof *out);
    }
}

static void layouts_change_addresses_only(void **state)
{
    (void)state;
    uint32_t in[64], out[64], index[64] = { 0 };
    ts_descriptor d = make(TS_UINT32, 2, SIZES(3, 4), TS_UINT32, SIZES(3, 2), 1);
    for (unsigned i = 0; i < 64; ++i)
        in[i] = out[i] = 100 + i;
    memcpy(d.tensors[IN].strides, SIZES(1, 3), 16);      /* transposed */
    memcpy(d.tensors[INDICES].strides, SIZES(5, 2), 16); /* padded */
    memcpy(d.tensors[OUT].strides, SIZES(7, 2), 16);
    d.tensors[INDICES].total_bytes = d.tensors[OUT].total_bytes = sizeof out;
    for (unsigned y = 0; y < 3; ++y) {
        index[5 * y] = 3 - y;
        index[5 * y + 2] = y;
    }
    expect_clause(&d, NULL, TS_RESULT_NONE);
    assert_int_equal(run(&d, in, index, out), 0);
    for (unsigned y = 0; y < 3; ++y) {
        assert_int_equal(out[7 * y], in[y + 3 * (3 - y)]);
        assert_int_equal(out[7 * y + 2], in[y + 3 * y]);
        assert_int_equal(out[7 * y + 1], 100 + 7 * y + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_of_the_page),       cmocka_unit_test(the_example_as_printed_is_invalid),
        cmocka_unit_test(levels_types_and_dimensions),   cmocka_unit_test(axis_and_sizes),
        cmocka_unit_test(indices_of_every_type),         cmocka_unit_test(random_cases_agree_with_take_along_axis),
        cmocka_unit_test(layouts_change_addresses_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
