/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* Every shape of up to four dimensions of 0 to 4, then some of more. */
static void each_shape(void (*visit)(uint32_t rank, const uint64_t *sizes))
{
    static const uint64_t more[][12] = {
        { 2, 1, 3, 1, 2 },
        { 1, 1, 1, 1, 1, 1 },
        { 3, 2, 1, 2, 1, 2, 2 },
        { 2, 2, 2, 2, 2, 2, 2, 2 },
        { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 5 },
        { 17, 33 },
        { 1, 1000 },
    };
    static const uint32_t ranks[] = { 5, 6, 7, 8, 12, 2, 2 };
    for (uint32_t rank = 0; rank <= 4; ++rank) {
        uint64_t sizes[4] = { 0 };
        bool going = true;
        while (going) {
            visit(rank, sizes);
            uint32_t i = rank;
            going = false;
            while (i-- > 0 && !going) {
                going = ++sizes[i] <= 4;
                if (!going)
                    sizes[i] = 0;
            }
        }
    }
    for (size_t i = 0; i < sizeof ranks / sizeof ranks[0]; ++i)
        visit(ranks[i], more[i]);
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* The offsets of all coordinates, sorted. */
static uint64_t *sorted_offsets(const ts_tensor *t, uint64_t *count)
{
    uint64_t coord[TS_MAX_DIMS] = { 0 }, n = 0;
    uint64_t *offsets;
    assert_true(tensor_element_count(t, count));
    offsets = malloc((size_t)(*count + 1) * sizeof *offsets);
    assert_non_null(offsets);
    if (*count == 0)
        return offsets;
    do
        offsets[n++] = tensor_offset(t, coord);
    while (tensor_next(t, coord));
    assert_int_equal(n, *count);
    qsort(offsets, n, sizeof *offsets, by_value);
    return offsets;
}

static ts_tensor make(layout l, uint32_t dtype, uint32_t rank, const uint64_t *sizes)
{
    ts_tensor t;
    tensor_init(&t, dtype, rank, sizes);
    assert_true(layout_apply(l, &t));
    return t;
}

/* The size in bytes is the smallest one that holds the last element, in whole words of 4. */
static void check_bytes(uint32_t rank, const uint64_t *sizes)
{
    static const uint32_t types[] = { TS_FLOAT32, TS_UINT8, TS_FLOAT16, TS_INT64 };
    for (int l = 0; l < LAYOUT_COUNT; ++l)
        for (size_t k = 0; k < sizeof types / sizeof types[0]; ++k) {
            ts_tensor t = make((layout)l, types[k], rank, sizes);
            uint64_t count, *offsets = sorted_offsets(&t, &count);
            uint64_t bytes = count ? (offsets[count - 1] + 1) * tensor_element_bytes(types[k]) : 0;
            assert_int_equal(t.total_bytes, (bytes + 3) / 4 * 4);
            assert_true(!count || offsets[0] == 0);
            assert_int_equal(t.given & TS_GIVEN_STRIDES, l == LAYOUT_PACKED ? 0 : TS_GIVEN_STRIDES);
            free(offsets);
        }
}

static void check_injective(uint32_t rank, const uint64_t *sizes)
{
    for (int l = 0; l < LAYOUT_COUNT; ++l) {
        ts_tensor t = make((layout)l, TS_FLOAT32, rank, sizes);
        uint64_t count, *offsets = sorted_offsets(&t, &count);
        bool distinct = true;
        for (uint64_t i = 1; i < count; ++i)
            distinct = distinct && offsets[i] != offsets[i - 1];
        if (layout_injective((layout)l))
            assert_true(distinct);
        assert_true(count == 0 || tensor_overlaps(&t) == !distinct);
        free(offsets);
    }
}

/* Layouts without gaps use all bytes of their memory; layouts with gaps do not. */
static void check_gaps(uint32_t rank, const uint64_t *sizes)
{
    static const layout dense[] = { LAYOUT_PACKED, LAYOUT_EXPLICIT, LAYOUT_TRANSPOSED, LAYOUT_NHWC, LAYOUT_LOOSE };
    for (size_t k = 0; k < sizeof dense / sizeof dense[0]; ++k) {
        ts_tensor t = make(dense[k], TS_FLOAT32, rank, sizes);
        uint64_t count, *offsets = sorted_offsets(&t, &count);
        for (uint64_t i = 0; i < count; ++i)
            assert_int_equal(offsets[i], i);
        free(offsets);
    }
    ts_tensor padded = make(LAYOUT_PADDED, TS_FLOAT32, rank, sizes), gaps = make(LAYOUT_GAPS, TS_FLOAT32, rank, sizes);
    uint64_t elements;
    assert_true(tensor_element_count(&padded, &elements));
    if (elements > 1)
        assert_true(gaps.total_bytes >= elements * 8 - 4);
    if (rank >= 2 && elements > sizes[rank - 1])
        assert_true(padded.total_bytes > elements * 4);
}

static void check_broadcasts(uint32_t rank, const uint64_t *sizes)
{
    uint32_t first = rank, last = rank;
    uint64_t elements = 1;
    for (uint32_t i = 0; i < rank; ++i) {
        elements *= sizes[i];
        if (sizes[i] > 1 && first == rank)
            first = i;
        if (sizes[i] > 1)
            last = i;
    }
    if (elements <= 1)
        return;
    ts_tensor t = make(LAYOUT_BROADCAST_FIRST, TS_FLOAT32, rank, sizes);
    assert_int_equal(t.strides[first], 0);
    assert_int_equal(t.total_bytes, elements / sizes[first] * 4);
    t = make(LAYOUT_BROADCAST_LAST, TS_FLOAT32, rank, sizes);
    assert_int_equal(t.strides[last], 0);
    assert_int_equal(t.total_bytes, elements / sizes[last] * 4);
    t = make(LAYOUT_BROADCAST_ALL, TS_FLOAT32, rank, sizes);
    assert_int_equal(t.total_bytes, 4);
    t = make(LAYOUT_OVERLAPPING, TS_FLOAT32, rank, sizes);
    for (uint32_t i = 0; i < rank; ++i)
        assert_int_equal(t.strides[i], 1);
}

static void test_bytes(void **state)
{
    (void)state;
    each_shape(check_bytes);
}

static void test_injective(void **state)
{
    (void)state;
    each_shape(check_injective);
}

static void test_gaps(void **state)
{
    (void)state;
    each_shape(check_gaps);
}

static void test_broadcasts(void **state)
{
    (void)state;
    each_shape(check_broadcasts);
}

static void expect_strides(layout l, const uint64_t *expected)
{
    ts_tensor t = make(l, TS_FLOAT32, 4, (const uint64_t[]){ 2, 3, 4, 5 });
    assert_memory_equal(t.strides, expected, 4 * sizeof *expected);
}

static void test_known_strides(void **state)
{
    (void)state;
    expect_strides(LAYOUT_PACKED, (const uint64_t[]){ 60, 20, 5, 1 });
    expect_strides(LAYOUT_EXPLICIT, (const uint64_t[]){ 60, 20, 5, 1 });
    expect_strides(LAYOUT_TRANSPOSED, (const uint64_t[]){ 1, 2, 6, 24 });
    expect_strides(LAYOUT_NHWC, (const uint64_t[]){ 60, 1, 15, 3 });
    expect_strides(LAYOUT_PADDED, (const uint64_t[]){ 120, 40, 8, 1 }); /* rows of 5 + 3, planes of 4 + 1 rows */
    expect_strides(LAYOUT_BROADCAST_FIRST, (const uint64_t[]){ 0, 20, 5, 1 });
    expect_strides(LAYOUT_BROADCAST_LAST, (const uint64_t[]){ 12, 4, 1, 0 });
    /* The strides guide: {1,1,3,5} as NHWC. */
    ts_tensor t = make(LAYOUT_NHWC, TS_FLOAT32, 4, (const uint64_t[]){ 1, 1, 3, 5 });
    assert_int_equal(t.strides[2], 5);
    assert_int_equal(t.strides[3], 1);
    /* Strides of dimensions of one element point outside the buffer, but are never used. */
    t = make(LAYOUT_LOOSE, TS_FLOAT32, 4, (const uint64_t[]){ 1, 1, 3, 1 });
    assert_true(t.strides[0] > 3 && t.strides[1] > 3 && t.strides[3] > 3);
    assert_int_equal(t.total_bytes, 12);
}

static void test_overflow_is_reported(void **state)
{
    const uint64_t two[] = { UINT64_C(1) << 40, UINT64_C(1) << 40 };
    const uint64_t three[] = { 2, UINT64_C(1) << 32, UINT64_C(1) << 32 }; /* the first stride would be 0 */
    (void)state;
    for (int l = 0; l < LAYOUT_COUNT; ++l) {
        ts_tensor t;
        if (!layout_injective((layout)l))
            continue;
        tensor_init(&t, TS_FLOAT32, 2, two);
        assert_false(layout_apply((layout)l, &t));
        tensor_init(&t, TS_FLOAT32, 3, three);
        assert_false(layout_apply((layout)l, &t));
    }
}

static void test_names(void **state)
{
    (void)state;
    for (int a = 0; a < LAYOUT_COUNT; ++a)
        for (int b = a + 1; b < LAYOUT_COUNT; ++b)
            assert_string_not_equal(layout_name((layout)a), layout_name((layout)b));
    assert_string_equal(layout_name(LAYOUT_COUNT), "?");
    assert_true(layout_injective(LAYOUT_LOOSE));
    assert_false(layout_injective(LAYOUT_OVERLAPPING));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes),         cmocka_unit_test(test_injective),
        cmocka_unit_test(test_gaps),          cmocka_unit_test(test_broadcasts),
        cmocka_unit_test(test_known_strides), cmocka_unit_test(test_overflow_is_reported),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
