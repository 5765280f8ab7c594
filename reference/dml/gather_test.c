/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/gather.h"
#include "reference/expect_clause.h"
#include "reference/index_cases.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { IN, INDICES, OUT };

static ts_dml_gather *attrs(ts_descriptor *d)
{
    return (ts_dml_gather *)(void *)d->attrs;
}

/* A descriptor with the output that shape computes, or without output sizes if it computes none. */
static ts_descriptor make(uint32_t dtype, uint32_t rank, const uint64_t *in, uint32_t index_type,
                          const uint64_t *indices, uint32_t axis, uint32_t index_dims)
{
    ts_descriptor d;
    uint64_t sizes[TS_MAX_DIMS];
    operator_begin(&d, operators_find("dml.gather"));
    operator_set_attr(&d, 0, (const int64_t[]){ axis }, 1);
    operator_set_attr(&d, 1, (const int64_t[]){ index_dims }, 1);
    tensor_init(&d.tensors[IN], dtype, rank, in);
    tensor_init(&d.tensors[INDICES], index_type, rank, indices);
    if (d.op->shape(&d)) {
        memcpy(sizes, d.tensors[OUT].sizes, sizeof sizes);
        tensor_init(&d.tensors[OUT], dtype, rank, sizes);
    }
    return d;
}

static ts_descriptor small(void)
{
    return make(TS_FLOAT32, 4, SIZES(1, 2, 3, 4), TS_UINT32, SIZES(1, 1, 1, 5), 2, 1);
}

/* One of the page's examples, as printed and padded with leading ones to four dimensions (level 1_0). */
static void expect_example(uint32_t rank, const uint64_t *in_sizes, const uint64_t *index_sizes,
                           const uint64_t *out_sizes, uint32_t axis, uint32_t index_dims, const uint32_t *indices,
                           float first, const float *expected, size_t count)
{
    float in[16], out[16];
    for (unsigned i = 0; i < 16; ++i)
        in[i] = first + (float)i;
    for (uint32_t pad = 0; pad <= 4 - rank; pad += 4 - rank) {
        uint64_t sizes[3][4] = { { 1, 1, 1, 1 }, { 1, 1, 1, 1 }, { 1, 1, 1, 1 } };
        memcpy(sizes[IN] + pad, in_sizes, rank * sizeof *in_sizes);
        memcpy(sizes[INDICES] + pad, index_sizes, rank * sizeof *in_sizes);
        memcpy(sizes[OUT] + pad, out_sizes, rank * sizeof *in_sizes);
        ts_descriptor d = make(TS_FLOAT32, rank + pad, sizes[IN], TS_UINT32, sizes[INDICES], axis + pad, index_dims);
        d.feature_level = pad ? TS_LEVEL_1_0 : TS_LEVEL_3_0;
        expect_clause(&d, NULL, TS_RESULT_NONE);
        assert_memory_equal(d.tensors[OUT].sizes, sizes[OUT], (rank + pad) * sizeof(uint64_t));
        d.tensors[IN].data = in;
        d.tensors[INDICES].data = (void *)(uintptr_t)indices;
        d.tensors[OUT].data = out;
        ts_unspecified unspecified = { 0 };
        d.op->run(&d, &unspecified);
        assert_memory_equal(out, expected, count * sizeof *out);
        assert_int_equal(unspecified.count, 0);
    }
}

#define U32(...)                                                                                                       \
    (const uint32_t[])                                                                                                 \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
#define F32(...)                                                                                                       \
    (const float[])                                                                                                    \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

static void examples_of_the_page(void **state)
{
    (void)state;
    expect_example(1, SIZES(4), SIZES(5), SIZES(5), 0, 1, U32(3, 1, 3, 0, 2), 11, F32(14, 12, 14, 11, 13), 5);
    expect_example(2, SIZES(3, 2), SIZES(1, 4), SIZES(4, 2), 0, 1, U32(0, 1, 1, 2), 1, F32(1, 2, 3, 4, 3, 4, 5, 6), 8);
    expect_example(2, SIZES(3, 2), SIZES(1, 2), SIZES(3, 2), 1, 1, U32(1, 0), 1, F32(2, 1, 4, 3, 6, 5), 6);
    expect_example(3, SIZES(1, 3, 3), SIZES(1, 1, 2), SIZES(3, 1, 2), 2, 2, U32(0, 2), 1, F32(1, 3, 4, 6, 7, 9), 6);
    expect_example(3, SIZES(1, 3, 2), SIZES(1, 2, 2), SIZES(2, 2, 2), 1, 2, U32(0, 1, 1, 2), 1,
                   F32(1, 2, 3, 4, 3, 4, 5, 6), 8);
}

/* Example 3 as printed has IndexDimensions 2 (E-GA-2). */
static void example_3_as_printed_is_invalid(void **state)
{
    (void)state;
    ts_descriptor d = make(TS_FLOAT32, 2, SIZES(3, 2), TS_UINT32, SIZES(1, 2), 1, 2);
    assert_int_equal(d.tensors[OUT].rank, 0);
    tensor_init(&d.tensors[OUT], TS_FLOAT32, 2, SIZES(3, 2));
    expect_clause(&d, "GA-08", TS_RESULT_INVALID);
}

static void check_reports_each_clause(void **state)
{
    (void)state;
    ts_descriptor d = small();
    d.feature_level = TS_LEVEL_1_0;
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d.feature_level = 0x0100;
    expect_clause(&d, "GA-01", TS_RESULT_UNSUPPORTED_FL);
    for (unsigned i = 0; i < 3; ++i) {
        d = small();
        memset(&d.tensors[i], 0, sizeof d.tensors[i]);
        expect_clause(&d, "GA-01", TS_RESULT_INVALID);
    }
    d = small();
    tensor_init(&d.tensors[INDICES], TS_UINT32, 1, SIZES(5));
    expect_clause(&d, "GA-02", TS_RESULT_INVALID);
    d = make(TS_FLOAT32, 5, SIZES(1, 1, 2, 3, 4), TS_UINT32, SIZES(1, 1, 1, 1, 5), 2, 1);
    d.feature_level = TS_LEVEL_2_1; /* exactly four dimensions, unlike SLICE1 */
    expect_clause(&d, "GA-02", TS_RESULT_UNSUPPORTED_FL);
    d = small();
    d.tensors[OUT].dtype = TS_INT32;
    expect_clause(&d, "GA-03", TS_RESULT_INVALID);
    d = make(TS_INT32, 4, SIZES(1, 2, 3, 4), TS_UINT32, SIZES(1, 1, 1, 5), 2, 1);
    d.feature_level = TS_LEVEL_2_0;
    expect_clause(&d, "GA-03", TS_RESULT_UNSUPPORTED_FL);
    d = small();
    d.tensors[INDICES].dtype = TS_INT32;
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d.feature_level = TS_LEVEL_2_1;
    expect_clause(&d, "GA-04", TS_RESULT_UNSUPPORTED_FL);
    d = small();
    d.tensors[INDICES].dtype = TS_FLOAT32;
    expect_clause(&d, "GA-04", TS_RESULT_INVALID);
    d = small();
    attrs(&d)->Axis = 4;
    expect_clause(&d, "GA-05", TS_RESULT_INVALID);
    attrs(&d)->Axis = UINT32_MAX;
    expect_clause(&d, "GA-05", TS_RESULT_INVALID);
    d = small();
    attrs(&d)->IndexDimensions = 5;
    expect_clause(&d, "GA-06", TS_RESULT_INVALID);
    attrs(&d)->IndexDimensions = UINT32_MAX;
    expect_clause(&d, "GA-06", TS_RESULT_INVALID);
    d = make(TS_FLOAT32, 4, SIZES(1, 2, 3, 4), TS_UINT32, SIZES(1, 2, 1, 5), 2, 1);
    expect_clause(&d, "GA-07", TS_RESULT_OPEN);
    d = small();
    attrs(&d)->IndexDimensions = 3; /* one leading 1, two needed */
    expect_clause(&d, "GA-08", TS_RESULT_INVALID);
    d = make(TS_FLOAT32, 4, SIZES(1, 1, 1, 4), TS_UINT32, SIZES(1, 1, 1, 5), 0, 1);
    attrs(&d)->IndexDimensions = 2; /* leading ones, but Axis is before them */
    expect_clause(&d, "GA-08", TS_RESULT_INVALID);
    d = small();
    tensor_init(&d.tensors[OUT], TS_FLOAT32, 4, SIZES(1, 2, 4, 4));
    expect_clause(&d, "GA-09", TS_RESULT_INVALID);
    d = make(TS_FLOAT32, 3, SIZES(2, 3, 4), TS_UINT32, SIZES(1, 1, 1), 1, 0);
    assert_memory_equal(d.tensors[OUT].sizes, SIZES(1, 2, 4), 3 * sizeof(uint64_t));
    tensor_init(&d.tensors[OUT], TS_FLOAT32, 3, SIZES(3, 2, 4)); /* the first size alone, which no sentence is about */
    expect_clause(&d, "GA-14", TS_RESULT_OPEN);
    tensor_init(&d.tensors[OUT], TS_FLOAT32, 3, SIZES(3, 2, 3));
    expect_clause(&d, "GA-09", TS_RESULT_INVALID);
    tensor_init(&d.tensors[OUT], TS_FLOAT32, 3, SIZES(1, 2, 3));
    expect_clause(&d, "GA-09", TS_RESULT_INVALID);
}

static void all_dimensions_may_be_index_dimensions(void **state)
{
    (void)state;
    ts_descriptor d = make(TS_UINT8, 3, SIZES(1, 1, 7), TS_UINT32, SIZES(2, 3, 4), 2, 3); /* GA-06 is inclusive */
    assert_memory_equal(d.tensors[OUT].sizes, SIZES(2, 3, 4), 3 * sizeof(uint64_t));
    expect_clause(&d, NULL, TS_RESULT_NONE);
}

static void a_scalar_index_drops_the_axis(void **state)
{
    (void)state;
    uint8_t in[6] = { 0, 1, 2, 3, 4, 5 }, out[4] = { 9, 9, 9, 9 };
    uint32_t index = 1;
    ts_descriptor d = make(TS_UINT8, 2, SIZES(2, 3), TS_UINT32, SIZES(1, 1), 0, 0);
    assert_memory_equal(d.tensors[OUT].sizes, SIZES(1, 3), 2 * sizeof(uint64_t));
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d.tensors[IN].data = in;
    d.tensors[INDICES].data = &index;
    d.tensors[OUT].data = out;
    d.op->run(&d, NULL);
    assert_memory_equal(out, ((uint8_t[]){ 3, 4, 5, 9 }), 4);
}

/* GA-11 and GA-12: negative indices count from the end; indices beyond the axis are clamped and marked undefined. */
static void indices_of_every_type(void **state)
{
    (void)state;
    for (unsigned i = 0; i < INDEX_CASES; ++i) {
        uint8_t in[5] = { 0, 1, 2, 3, 4 }, out[4] = { 9, 9, 9, 9 }, map[4] = { 0 };
        uint64_t index[2] = { 0, 0 };
        ts_descriptor d = make(TS_UINT8, 1, SIZES(5), index_cases[i].dtype, SIZES(2), 0, 1);
        size_t bytes = tensor_element_bytes(index_cases[i].dtype);
        memcpy((unsigned char *)index + bytes, &index_cases[i].bits, bytes); /* the second of two */
        d.tensors[OUT].strides[0] = 2;
        d.tensors[IN].data = in;
        d.tensors[INDICES].data = index;
        d.tensors[OUT].data = out;
        ts_marks marks[TS_MAX_TENSORS] = { [OUT] = { map, 2 } };
        ts_unspecified unspecified = { .marks = marks };
        d.op->run(&d, &unspecified);
        assert_memory_equal(out, ((uint8_t[]){ 0, 9, index_cases[i].expected, 9 }), 4);
        assert_int_equal(unspecified.count, index_cases[i].marked);
        assert_int_equal(unspecified.several, 0);
        assert_memory_equal(map, ((uint8_t[]){ 0, index_cases[i].marked ? TS_UNDEFINED : 0, 0, 0 }), 4); /* by number */
        marks[OUT].capacity = 1; /* run does not write beyond a short map */
        map[1] = 7;
        unspecified = (ts_unspecified){ .marks = marks };
        d.op->run(&d, &unspecified);
        assert_int_equal(unspecified.count, index_cases[i].marked);
        assert_int_equal(map[1], 7);
    }
}

/* A second oracle: numpy.take as four loops over the original ranks, without padding. */
static void random_cases_agree_with_take(void **state)
{
    (void)state;
    uint64_t seed = 11;
    unsigned legal = 0;
    for (unsigned n = 0; n < 20000; ++n) {
        uint32_t draw[16];
        for (unsigned i = 0; i < 16; ++i) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            draw[i] = (uint32_t)(seed >> 40);
        }
        /* original ranks r and q, padded to D = max(r, q, r + q - 1) + extra */
        uint32_t r = 1 + draw[0] % 3, q = draw[1] % 4, axis = draw[2] % r;
        uint32_t dims = r + (q > 0 ? q - 1 : 0) + draw[3] % 2;
        uint64_t in[TS_MAX_DIMS], index[TS_MAX_DIMS], outer = 1, inner = 1, many = 1, size;
        for (uint32_t i = 0; i < dims; ++i) {
            in[i] = i + r < dims ? 1 : 1 + draw[4 + (i + r - dims)] % 3;
            index[i] = i + q < dims ? 1 : 1 + draw[8 + (i + q - dims)] % 3;
        }
        uint32_t a = dims - r + axis;
        for (uint32_t i = 0; i < dims; ++i) {
            outer *= i < a ? in[i] : 1;
            inner *= i > a ? in[i] : 1;
            many *= index[i];
        }
        size = in[a];
        ts_descriptor d = make(TS_UINT16, dims, in, TS_INT64, index, a, q);
        expect_clause(&d, NULL, TS_RESULT_NONE);
        legal++;
        uint16_t data[512], out[2048], expected[2048];
        int64_t indices[64];
        for (unsigned i = 0; i < 512; ++i)
            data[i] = (uint16_t)(i * 31);
        for (uint64_t k = 0; k < many; ++k)
            indices[k] = (int64_t)(draw[12] % 97 + 5 * k) % (int64_t)(2 * size) - (int64_t)size;
        for (uint64_t p = 0; p < outer; ++p) {
            for (uint64_t k = 0; k < many; ++k) {
                uint64_t at = indices[k] < 0 ? (uint64_t)(indices[k] + (int64_t)size) : (uint64_t)indices[k];
                for (uint64_t s = 0; s < inner; ++s)
                    expected[(p * many + k) * inner + s] = data[(p * size + at) * inner + s];
            }
        }
        d.tensors[IN].data = data;
        d.tensors[INDICES].data = indices;
        d.tensors[OUT].data = out;
        ts_unspecified unspecified = { 0 };
        d.op->run(&d, &unspecified);
        assert_memory_equal(out, expected, outer * many * inner * sizeof *out);
        assert_int_equal(unspecified.count, 0);
    }
    assert_int_equal(legal, 20000);
}

static void layouts_change_addresses_only(void **state)
{
    (void)state;
    uint32_t in[64], out[64], index[64] = { 0 };
    ts_descriptor d = make(TS_UINT32, 2, SIZES(3, 4), TS_UINT32, SIZES(1, 2), 1, 1);
    for (unsigned i = 0; i < 64; ++i)
        in[i] = out[i] = 100 + i;
    memcpy(d.tensors[IN].strides, SIZES(1, 3), 16);      /* transposed */
    memcpy(d.tensors[INDICES].strides, SIZES(0, 5), 16); /* padded */
    memcpy(d.tensors[OUT].strides, SIZES(7, 2), 16);
    d.tensors[INDICES].total_bytes = d.tensors[OUT].total_bytes = sizeof out;
    index[0] = 3;
    index[5] = 1;
    expect_clause(&d, NULL, TS_RESULT_NONE);
    d.tensors[IN].data = in;
    d.tensors[INDICES].data = index;
    d.tensors[OUT].data = out;
    d.op->run(&d, NULL);
    for (unsigned y = 0; y < 3; ++y) {
        assert_int_equal(out[7 * y], in[y + 9]);
        assert_int_equal(out[7 * y + 2], in[y + 3]);
        assert_int_equal(out[7 * y + 1], 100 + 7 * y + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_of_the_page),          cmocka_unit_test(example_3_as_printed_is_invalid),
        cmocka_unit_test(check_reports_each_clause),     cmocka_unit_test(all_dimensions_may_be_index_dimensions),
        cmocka_unit_test(a_scalar_index_drops_the_axis), cmocka_unit_test(indices_of_every_type),
        cmocka_unit_test(random_cases_agree_with_take),  cmocka_unit_test(layouts_change_addresses_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
