/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define DRAWS 20000

static void the_same_key_gives_the_same_numbers(void **state)
{
    (void)state;
    random_source a, b, c;
    unsigned differ = 0;
    random_begin(&a, 1);
    random_begin(&b, 1);
    random_begin(&c, 2);
    for (int i = 0; i < 100; ++i) {
        const uint64_t x = random_bits(&a);
        assert_int_equal(x, random_bits(&b));
        differ += x != random_bits(&c);
    }
    assert_int_equal(differ, 100);
}

static void numbers_stay_in_their_range_and_reach_its_parts(void **state)
{
    (void)state;
    static const int64_t ranges[][2] = { { 0, 0 },
                                         { 0, 1 },
                                         { 3, 3 },
                                         { 1, 9 },
                                         { -5, 5 },
                                         { -9, -2 },
                                         { 0, 65536 },
                                         { 100, 4294967295 },
                                         { INT64_MIN, INT64_MAX },
                                         { INT64_MIN, -1 },
                                         { 0, INT64_MAX } };
    random_source r;
    random_begin(&r, 7);
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; ++i) {
        const int64_t low = ranges[i][0], high = ranges[i][1];
        unsigned lows = 0, highs = 0;
        for (int n = 0; n < DRAWS; ++n) {
            const int64_t x = random_about(&r, low, high);
            if (x < low || x > high)
                fail_msg("%lld is not from %lld to %lld", (long long)x, (long long)low, (long long)high);
            lows += x == low;
            highs += x == high;
        }
        assert_true(lows > DRAWS / 100 && highs > DRAWS / 100);
    }
}

/* Every number of bits is drawn, and powers of two and their neighbours far more often than others of their size. */
static void numbers_beside_powers_of_two_are_frequent(void **state)
{
    (void)state;
    unsigned bits[33] = { 0 }, beside = 0;
    random_source r;
    random_begin(&r, 8);
    for (int n = 0; n < DRAWS; ++n) {
        const uint64_t x = (uint64_t)random_about(&r, 1, 4294967295);
        ++bits[64 - __builtin_clzll(x)];
        for (int k = 10; k < 32; ++k)
            beside += x + 1 - (UINT64_C(1) << k) <= 2;
    }
    for (int k = 1; k <= 32; ++k)
        assert_true(bits[k] > DRAWS / 100);
    assert_true(beside > DRAWS / 10);
}

static void sizes_keep_to_the_number_of_elements(void **state)
{
    (void)state;
    random_source r;
    unsigned long_one[8] = { 0 };
    random_begin(&r, 9);
    for (int n = 0; n < DRAWS; ++n) {
        int64_t sizes[8];
        uint64_t elements = 1;
        random_sizes(&r, 8, 4096, 1000, sizes);
        for (int k = 0; k < 8; ++k) {
            assert_true(sizes[k] >= 1 && sizes[k] <= 1000);
            long_one[k] += sizes[k] > 64;
            elements *= (uint64_t)sizes[k];
        }
        assert_true(elements <= 4096);
    }
    for (int k = 0; k < 8; ++k)
        assert_true(long_one[k] > DRAWS / 100); /* at every place */
}

static int ascending(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Do distinct coordinates have distinct addresses? For few elements: by listing them. */
static bool is_injective(unsigned n, const int64_t *sizes, const int64_t *strides)
{
    int64_t offsets[256], coord[8] = { 0 };
    size_t count = 0;
    for (;;) {
        int64_t at = 0;
        for (unsigned k = 0; k < n; ++k)
            at += coord[k] * strides[k];
        offsets[count++] = at;
        unsigned k = n;
        while (k > 0 && ++coord[k - 1] == sizes[k - 1])
            coord[--k] = 0;
        if (k == 0)
            break;
    }
    qsort(offsets, count, sizeof *offsets, ascending);
    for (size_t i = 1; i < count; ++i)
        if (offsets[i] == offsets[i - 1])
            return false;
    return true;
}

static void strides_of_outputs_share_no_address(void **state)
{
    (void)state;
    random_source r;
    unsigned packed = 0, outer = 0, interleaved = 0, pitched = 0, shared = 0;
    random_begin(&r, 10);
    for (int n = 0; n < DRAWS; ++n) {
        const random_layout l = { .shares = n % 2, .bytes = 4, .most_span = 1 << 16, .most_stride = 4294967295 };
        int64_t sizes[4], strides[4];
        uint64_t span = 1;
        random_sizes(&r, 4, 200, 200, sizes);
        random_strides(&r, 4, sizes, &l, strides);
        for (int k = 0; k < 4; ++k) {
            assert_true(strides[k] >= 0 && strides[k] <= 4294967295);
            span += (uint64_t)((sizes[k] - 1) * strides[k]);
        }
        assert_true(span <= l.most_span);
        const bool injective = is_injective(4, sizes, strides);
        if (!l.shares && !injective)
            fail_msg("%lld.%lld.%lld.%lld with strides %lld.%lld.%lld.%lld", (long long)sizes[0], (long long)sizes[1],
                     (long long)sizes[2], (long long)sizes[3], (long long)strides[0], (long long)strides[1],
                     (long long)strides[2], (long long)strides[3]);
        shared += !injective;
        packed += strides[3] == 1 && strides[2] == sizes[3] && strides[1] == sizes[2] * sizes[3];
        outer += sizes[0] > 1 && sizes[3] > 1 && strides[0] < strides[3] && strides[0] > 0;
        pitched += sizes[2] > 1 && sizes[3] > 1 && strides[2] > sizes[3] && strides[2] % 16 == 0;
        for (int a = 0; a < 4; ++a) /* an element of one dimension lies between two of the other */
            for (int b = 0; b < 4; ++b)
                interleaved += injective && sizes[a] > 1 && sizes[b] > 1 && strides[a] < strides[b] &&
                               strides[b] < (sizes[a] - 1) * strides[a];
    }
    assert_true(packed > DRAWS / 20 && outer > DRAWS / 100 && interleaved > DRAWS / 500 && pitched > DRAWS / 100 &&
                shared > DRAWS / 20);
}

static void counts_lie_beyond_16_bits(void **state)
{
    (void)state;
    random_source r;
    unsigned borders = 0, large = 0;
    random_begin(&r, 21);
    for (int n = 0; n < DRAWS; ++n) {
        int64_t sizes[4];
        const uint64_t count = random_count(&r);
        uint64_t product = 1;
        bool found = false;
        assert_in_range(count, 65535, 1 << 20);
        borders += count <= 65537;
        large += count > 1 << 18;
        random_long_sizes(&r, 4, count, sizes);
        for (int k = 0; k < 4; ++k) {
            product *= (uint64_t)sizes[k];
            found = found || (uint64_t)sizes[k] == count;
        }
        assert_true(found && product <= (count > 1 << 20 ? count : 1 << 22));
    }
    assert_true(borders > DRAWS / 10 && large > DRAWS / 20);
}

/* Strides of one tensor are often those of the other, or in the same order in memory. */
static void strides_resemble_those_of_another_tensor(void **state)
{
    (void)state;
    static const int64_t sizes[4] = { 3, 4, 5, 2 }, other[4] = { 1, 60, 12, 3 }, shared[4] = { 0, 1, 4, 20 };
    random_source r;
    unsigned equal = 0, same_order = 0;
    random_begin(&r, 22);
    for (int n = 0; n < DRAWS; ++n) {
        const random_layout l = {
            .bytes = 4, .most_span = 1 << 16, .most_stride = 1 << 20, .like = n % 2 ? other : shared
        };
        int64_t strides[4];
        random_strides(&r, 4, sizes, &l, strides);
        assert_true(is_injective(4, sizes, strides));
        equal += memcmp(strides, l.like, sizeof strides) == 0;
        same_order += n % 2 && strides[0] < strides[3] && strides[3] < strides[2] && strides[2] < strides[1];
        if (!(n % 2))
            assert_int_not_equal(strides[0], 0);
    }
    assert_in_range(equal, DRAWS / 20, DRAWS / 5);
    assert_true(same_order > DRAWS / 8);
}

static void interleaved_strides_are_drawn_where_asked_for(void **state)
{
    (void)state;
    static const int64_t sizes[3] = { 3, 1, 5 };
    random_source r;
    unsigned interleaved = 0;
    random_begin(&r, 23);
    for (int n = 0; n < 1000; ++n) {
        const random_layout l = { .bytes = 4, .most_span = 1 << 16, .most_stride = 1 << 20, .interleaves = true };
        int64_t s[3];
        random_strides(&r, 3, sizes, &l, s);
        assert_true(is_injective(3, sizes, s));
        interleaved += (s[0] < s[2] && s[2] < 2 * s[0]) || (s[2] < s[0] && s[0] < 4 * s[2]);
    }
    assert_true(interleaved > 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_key_gives_the_same_numbers),
        cmocka_unit_test(numbers_stay_in_their_range_and_reach_its_parts),
        cmocka_unit_test(numbers_beside_powers_of_two_are_frequent),
        cmocka_unit_test(sizes_keep_to_the_number_of_elements),
        cmocka_unit_test(strides_of_outputs_share_no_address),
        cmocka_unit_test(counts_lie_beyond_16_bits),
        cmocka_unit_test(strides_resemble_those_of_another_tensor),
        cmocka_unit_test(interleaved_strides_are_drawn_where_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
