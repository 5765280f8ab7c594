/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/wide.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

static void a_product_stops_at_the_most(void **state)
{
    const wide most64 = UINT64_MAX, half = (wide)1 << 63;
    (void)state;
    assert_true(wide_mul(most64, half) == (((wide)1 << 64) - 1) << 63); /* below 2^127 */
    assert_true(wide_mul(most64, most64) == WIDE_MOST);
    assert_true(wide_mul(WIDE_MOST, WIDE_MOST) == WIDE_MOST);
    assert_true(wide_mul((wide)1 << 126, 2) == WIDE_MOST);
    assert_true(wide_mul((wide)1 << 125, 2) == (wide)1 << 126);
    assert_true(wide_mul(WIDE_MOST, 0) == 0 && wide_mul(0, WIDE_MOST) == 0 && wide_mul(1, WIDE_MOST) == WIDE_MOST);
}

static void a_sum_stops_at_the_most(void **state)
{
    (void)state;
    assert_true(wide_add(WIDE_MOST, WIDE_MOST) == WIDE_MOST);
    assert_true(wide_add(WIDE_MOST - 1, 1) == WIDE_MOST && wide_add(WIDE_MOST - 1, 0) == WIDE_MOST - 1);
    assert_true(wide_add(UINT64_MAX, UINT64_MAX) == ((wide)1 << 65) - 2);
}

static void sizes_have_64_bits(void **state)
{
    (void)state;
    assert_true(wide_fits(0) && wide_fits(UINT64_MAX));
    assert_false(wide_fits(-1) || wide_fits((wide)UINT64_MAX + 1) || wide_fits(WIDE_MOST));
}

static void texts_are_decimal(void **state)
{
    char text[WIDE_TEXT];
    (void)state;
    assert_string_equal(wide_text(0, text), "0");
    assert_string_equal(wide_text(-1203, text), "-1203");
    assert_string_equal(wide_text((wide)UINT64_MAX + 1, text), "18446744073709551616");
    assert_string_equal(wide_text(-WIDE_MOST, text), "-170141183460469231731687303715884105727");
    assert_string_equal(wide_text(WIDE_MOST, text), "170141183460469231731687303715884105727 or more");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_product_stops_at_the_most),
        cmocka_unit_test(a_sum_stops_at_the_most),
        cmocka_unit_test(sizes_have_64_bits),
        cmocka_unit_test(texts_are_decimal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
