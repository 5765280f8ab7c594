/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/retained.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void findings_with_the_lowest_indices_are_retained(void **state)
{
    (void)state;
    static const uint64_t order[] = { 50, 10, 90, 30, 70, 20, 95, 5 };
    retained k;
    uint64_t dropped = 0;
    retained_init(&k, 3);
    assert_int_equal(retained_room(&k, 0), 3);
    for (size_t i = 0; i < sizeof order / sizeof order[0]; ++i) {
        const retained_outcome outcome = retained_add(&k, order[i], &dropped);
        assert_int_equal(outcome, i < 3                              ? RETAINED_ADDED
                                  : order[i] == 70 || order[i] == 95 ? RETAINED_REJECTED
                                                                     : RETAINED_REPLACED);
    }
    assert_int_equal(dropped, 30);
    assert_int_equal(retained_room(&k, 0), 3);
    assert_int_equal(retained_room(&k, 10), 2);
    assert_int_equal(retained_room(&k, 21), 0);
    retained_free(&k);
    retained_init(&k, 0);
    assert_int_equal(retained_add(&k, 1, &dropped), RETAINED_REJECTED);
    retained_free(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(findings_with_the_lowest_indices_are_retained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
