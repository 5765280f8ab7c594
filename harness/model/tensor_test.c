/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/tensor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define SIZES(...)                                                                                                     \
    (const uint64_t[])                                                                                                 \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

/* A fixed generator: the same numbers in every run. */
static uint32_t draw(uint64_t *state, uint32_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33) % below;
}

static ts_tensor layout(uint32_t dtype, uint32_t rank, const uint64_t *sizes, const uint64_t *strides)
{
    ts_tensor t;
    tensor_init(&t, dtype, rank, sizes);
    if (strides)
        memcpy(t.strides, strides, rank * sizeof *strides);
    return t;
}

static void names_of_types_lead_back_to_them(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < TS_DTYPE_COUNT; ++i) {
        const ts_dtype_info *type = tensor_dtype(i);
        if (i == TS_DTYPE_UNKNOWN) {
            assert_null(type);
            continue;
        }
        assert_int_equal(tensor_dtype_named(type->id), i);
        if (type->dml)
            assert_int_equal(tensor_dtype_named(type->dml), i);
        if (type->openvino)
            assert_int_equal(tensor_dtype_named(type->openvino), i);
        assert_int_equal(tensor_element_bytes(i), type->bits / 8);
        assert_true(type->is_signed || !type->is_float);
    }
    assert_int_equal(tensor_dtype_named("DML_TENSOR_DATA_TYPE_FLOAT16"), TS_FLOAT16);
    assert_int_equal(tensor_dtype_named("DML_TENSOR_DATA_TYPE_f16"), TS_DTYPE_UNKNOWN);
    assert_int_equal(tensor_dtype_named("float16"), TS_DTYPE_UNKNOWN);
    assert_int_equal(tensor_dtype_named(""), TS_DTYPE_UNKNOWN);
    assert_null(tensor_dtype(TS_DTYPE_COUNT));
    assert_null(tensor_dtype(UINT32_MAX));
    assert_int_equal(tensor_element_bytes(UINT32_MAX), 0);
}

static void names_of_levels_lead_back_to_them(void **state)
{
    (void)state;
    size_t count;
    const ts_level *levels = tensor_levels(&count);
    assert_int_equal(count, 15);
    for (size_t i = 0; i < count; ++i) {
        assert_int_equal(tensor_level_named(tensor_level_name(levels[i])), levels[i]);
        assert_true(i == 0 || levels[i - 1] < levels[i]);
    }
    assert_int_equal(tensor_level_named("4.1"), TS_LEVEL_4_1);
    assert_int_equal(tensor_level_named("DML_FEATURE_LEVEL_6_4"), TS_LEVEL_6_4);
    assert_int_equal(tensor_level_named("4-1"), 0);
    assert_int_equal(tensor_level_named("4_10"), 0);
    assert_int_equal(tensor_level_named("9_9"), 0);
    assert_int_equal(tensor_level_named("4"), 0);
    assert_int_equal(tensor_level_named(""), 0);
    assert_string_equal(tensor_level_name(0), "none");
    assert_string_equal(tensor_level_name(0x4200), "?");
}

static void expect_min_bytes(uint32_t dtype, uint32_t rank, const uint64_t *sizes, const uint64_t *strides,
                             uint64_t expected)
{
    ts_tensor t = layout(dtype, rank, sizes, strides);
    uint64_t bytes = 0;
    assert_true(tensor_min_bytes(&t, &bytes));
    assert_int_equal(bytes, expected);
}

/* The check values that spec/rules.md gives for BUF-20. */
static void bytes_are_those_of_the_published_helper(void **state)
{
    (void)state;
    expect_min_bytes(TS_UINT8, 2, SIZES(2, 3), NULL, 8);
    expect_min_bytes(TS_UINT8, 2, SIZES(2, 3), SIZES(0, 1), 4);
    expect_min_bytes(TS_UINT8, 2, SIZES(2, 3), SIZES(5, 1), 8);
    expect_min_bytes(TS_FLOAT16, 4, SIZES(1, 1, 1, 3), NULL, 8);
    expect_min_bytes(TS_FLOAT32, 4, SIZES(1, 1, 3, 5), SIZES(15, 15, 5, 1), 60);
    expect_min_bytes(TS_FLOAT32, 4, SIZES(1, 1, 3, 5), SIZES(15, 1, 5, 1), 60);
    expect_min_bytes(TS_UINT64, 4, SIZES(3, 3, 20, 7219), NULL, 10395360);
    expect_min_bytes(TS_UINT8, 1, SIZES(1), NULL, 4);
    expect_min_bytes(TS_UINT4, 1, SIZES(9), NULL, 8);
    expect_min_bytes(TS_INT4, 1, SIZES(8), NULL, 4);
    expect_min_bytes(TS_FLOAT64, 0, NULL, NULL, 8);
    expect_min_bytes(TS_FLOAT32, 3, SIZES(4, 0, UINT64_MAX), NULL, 0);
}

static void extents_report_overflow(void **state)
{
    (void)state;
    uint64_t n = 0;
    ts_tensor t = layout(TS_UINT8, 2, SIZES((uint64_t)1 << 32, (uint64_t)1 << 32), NULL);
    assert_false(tensor_element_count(&t, &n));
    t.sizes[1]--;
    assert_true(tensor_element_count(&t, &n));
    assert_true(n == ((uint64_t)UINT32_MAX << 32));
    t = layout(TS_UINT8, 3, SIZES((uint64_t)1 << 40, (uint64_t)1 << 40, 0), NULL);
    assert_true(tensor_element_count(&t, &n));
    assert_int_equal(n, 0);

    /* In 32 bits this span would be 2. */
    t = layout(TS_FLOAT32, 2, SIZES(2, 2), SIZES(UINT32_MAX, 1));
    assert_true(tensor_span_elements(&t, &n));
    assert_true(n == (uint64_t)UINT32_MAX + 2);
    t = layout(TS_FLOAT32, 2, SIZES(2, 2), SIZES(UINT64_MAX, 1));
    assert_false(tensor_span_elements(&t, &n));
    t = layout(TS_FLOAT32, 1, SIZES(UINT64_MAX), SIZES(2));
    assert_false(tensor_span_elements(&t, &n));
    t = layout(TS_FLOAT64, 1, SIZES((uint64_t)1 << 61), SIZES(1));
    assert_false(tensor_min_bytes(&t, &n));
    t = layout(TS_UINT8, 1, SIZES(UINT64_MAX), SIZES(1));
    assert_false(tensor_min_bytes(&t, &n)); /* the rounding overflows */
    t = layout(TS_DTYPE_UNKNOWN, 1, SIZES(1), NULL);
    assert_false(tensor_min_bytes(&t, &n));
    t.rank = UINT32_MAX;
    assert_false(tensor_element_count(&t, &n));
    assert_false(tensor_span_elements(&t, &n));
    assert_true(tensor_overlaps(&t));
    tensor_pack(&t);
}

static void packed_strides_are_row_major(void **state)
{
    (void)state;
    ts_tensor t = layout(TS_UINT8, 4, SIZES(2, 3, 4, 5), NULL);
    const uint64_t expected[] = { 60, 20, 5, 1 };
    assert_memory_equal(t.strides, expected, sizeof expected);
    assert_int_equal(t.given, TS_GIVEN_ALL);
    assert_int_equal(t.total_bytes, 120);
}

/* Mark every address in a map: slow, but independent of the search under test. */
static bool overlaps_by_marking(const ts_tensor *t)
{
    unsigned char marked[4096] = { 0 };
    uint64_t coord[TS_MAX_DIMS] = { 0 };
    do {
        uint64_t offset = tensor_offset(t, coord);
        assert_true(offset < sizeof marked);
        if (marked[offset]++)
            return true;
    } while (tensor_next(t, coord));
    return false;
}

/* 2^32 * 2^32 elements are before the first stride, of which 64 bits hold nothing: two elements would be one. */
static void packed_strides_do_not_wrap(void **state)
{
    uint64_t number;
    (void)state;
    ts_tensor t = layout(TS_UINT8, 3, SIZES(2, UINT64_C(1) << 32, UINT64_C(1) << 32), NULL);
    tensor_pack(&t);
    assert_true(t.strides[0] == UINT64_MAX && t.strides[1] == UINT64_C(1) << 32 && t.strides[2] == 1);
    assert_false(tensor_span_elements(&t, &number) || tensor_min_bytes(&t, &number));
    t.sizes[0] = 1; /* whose stride does not matter */
    assert_false(tensor_element_count(&t, &number)); /* 2^64 */
    t.sizes[1] = (UINT64_C(1) << 32) - 1;
    tensor_pack(&t);
    assert_true(tensor_span_elements(&t, &number) && number == UINT64_MAX - UINT32_MAX);
}

static void another_rank_keeps_the_last_sizes(void **state)
{
    (void)state;
    static const uint64_t more[] = { 1, 1, 2, 3 };
    ts_tensor t;
    tensor_init(&t, TS_FLOAT32, 2, (const uint64_t[]){ 2, 3 });
    tensor_set_rank(&t, 4);
    assert_int_equal(t.rank, 4);
    assert_memory_equal(t.sizes, more, sizeof more);
    tensor_set_rank(&t, 1);
    assert_int_equal(t.rank, 1);
    assert_int_equal(t.sizes[0], 3);
}

static void overlap_is_exact(void **state)
{
    (void)state;
    uint64_t seed = 1;
    unsigned overlapping = 0;
    for (unsigned n = 0; n < 100000; ++n) {
        uint64_t sizes[5], strides[5];
        uint32_t rank = draw(&seed, 6), widest = 1 + draw(&seed, 100);
        for (uint32_t i = 0; i < rank; ++i) {
            sizes[i] = 1 + draw(&seed, 5);
            strides[i] = draw(&seed, widest);
        }
        ts_tensor t = layout(TS_UINT8, rank, sizes, strides);
        bool expected = overlaps_by_marking(&t);
        overlapping += expected;
        assert_int_equal(tensor_overlaps(&t), expected);
    }
    assert_in_range(overlapping, 10000, 90000); /* the random tensors include both kinds */
}

static void overlap_of_known_layouts(void **state)
{
    (void)state;
    ts_tensor t = layout(TS_UINT8, 2, SIZES(2, 4), SIZES(9, 3)); /* DirectML accepts it as free of overlap */
    assert_true(tensor_overlaps(&t));
    t = layout(TS_UINT8, 2, SIZES(2, 4), SIZES(2, 3)); /* interleaved, not nested */
    assert_true(tensor_overlaps(&t) == overlaps_by_marking(&t));
    t = layout(TS_UINT8, 2, SIZES(65536, 65535), SIZES(1, 65536)); /* transposed and padded, 2^32 elements */
    assert_false(tensor_overlaps(&t));
    t = layout(TS_UINT8, 2, SIZES(1, 4), SIZES(0, 1)); /* the stride of a size 1 has no effect */
    assert_false(tensor_overlaps(&t));
    t = layout(TS_UINT8, 2, SIZES(2, 4), SIZES(0, 1));
    assert_true(tensor_overlaps(&t));
    t = layout(TS_UINT8, 2, SIZES(0, 4), SIZES(0, 0)); /* no elements, so no overlap */
    assert_false(tensor_overlaps(&t));
}

static void coordinates_go_in_row_major_order(void **state)
{
    (void)state;
    ts_tensor t = layout(TS_UINT8, 3, SIZES(2, 3, 4), NULL);
    uint64_t coord[TS_MAX_DIMS] = { 0 }, expected = 0;
    do
        assert_int_equal(tensor_offset(&t, coord), expected++);
    while (tensor_next(&t, coord));
    assert_int_equal(expected, 24);
    assert_int_equal(coord[0] | coord[1] | coord[2], 0);
    t = layout(TS_UINT8, 0, NULL, NULL);
    assert_false(tensor_next(&t, coord));
}

static void only_elements_are_copied(void **state)
{
    (void)state;
    static const uint32_t types[] = { TS_UINT8, TS_FLOAT16, TS_FLOAT32, TS_FLOAT64 };
    for (unsigned k = 0; k < 4; ++k) {
        unsigned char from[32], to[32];
        size_t bytes = tensor_element_bytes(types[k]);
        for (unsigned i = 0; i < sizeof from; ++i)
            from[i] = (unsigned char)(0x80 + i);
        memset(to, 0, sizeof to);
        ts_tensor a = layout(types[k], 1, SIZES(3), NULL), b = a;
        a.data = from;
        b.data = to;
        tensor_copy_element(&b, SIZES(1), &a, SIZES(2));
        for (size_t i = 0; i < sizeof to; ++i)
            assert_int_equal(to[i], i >= bytes && i < 2 * bytes ? from[i + bytes] : 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_types_lead_back_to_them),
        cmocka_unit_test(names_of_levels_lead_back_to_them),
        cmocka_unit_test(bytes_are_those_of_the_published_helper),
        cmocka_unit_test(extents_report_overflow),
        cmocka_unit_test(packed_strides_are_row_major),
        cmocka_unit_test(packed_strides_do_not_wrap),
        cmocka_unit_test(another_rank_keeps_the_last_sizes),
        cmocka_unit_test(overlap_is_exact),
        cmocka_unit_test(overlap_of_known_layouts),
        cmocka_unit_test(coordinates_go_in_row_major_order),
        cmocka_unit_test(only_elements_are_copied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
