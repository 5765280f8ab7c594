/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/shuffle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static void check_all_once(uint64_t key, uint64_t n)
{
    bool *seen = calloc(n, sizeof *seen);
    assert_non_null(seen);
    for (uint64_t i = 0; i < n; ++i) {
        uint64_t at = shuffle_at(key, n, i);
        assert_true(at < n);
        assert_false(seen[at]);
        seen[at] = true;
    }
    free(seen);
}

static void every_number_comes_once(void **state)
{
    (void)state;
    for (uint64_t n = 1; n <= 300; ++n)
        for (uint64_t key = 0; key < 3; ++key)
            check_all_once(key * UINT64_C(0x9E3779B97F4A7C15), n);
    static const uint64_t sizes[] = { 1023, 1024, 1025, 4095, 4097, 65535, 65536, 65537, 100003 };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i)
        check_all_once(42, sizes[i]);
}

static void large_draws_stay_within_their_range(void **state)
{
    (void)state;
    static const uint64_t sizes[] = { UINT64_C(1) << 32, (UINT64_C(1) << 40) + 1, UINT64_C(1) << 62, UINT64_MAX };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i)
        for (uint64_t k = 0; k < 1000; ++k) {
            assert_true(shuffle_at(7, sizes[i], k) < sizes[i]);
            assert_true(k == 0 || shuffle_at(7, sizes[i], k) != shuffle_at(7, sizes[i], k - 1));
        }
}

/* Neighbours are separated, and another key gives another order. */
static void the_order_is_mixed(void **state)
{
    (void)state;
    const uint64_t n = 10000;
    unsigned close = 0, same = 0;
    for (uint64_t i = 1; i < n; ++i) {
        uint64_t a = shuffle_at(1, n, i - 1), b = shuffle_at(1, n, i);
        close += (a > b ? a - b : b - a) <= 10;
        same += shuffle_at(2, n, i) == b;
    }
    assert_true(close < n / 100 && same < n / 100);
    /* Each hundredth of the order contains numbers from every tenth of the range. */
    for (uint64_t part = 0; part < 100; ++part) {
        unsigned tenths[10] = { 0 };
        for (uint64_t i = part * 100; i < part * 100 + 100; ++i)
            tenths[shuffle_at(1, n, i) / 1000]++;
        for (int k = 0; k < 10; ++k)
            assert_true(tenths[k] > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_comes_once),
        cmocka_unit_test(large_draws_stay_within_their_range),
        cmocka_unit_test(the_order_is_mixed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
