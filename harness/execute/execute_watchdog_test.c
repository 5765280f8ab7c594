/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/execute_watchdog.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static execute_page page;
static execute_orders orders;
static execute_progress at;

static void note_progress(void *context)
{
    assert_true(watchdog_read(&page, context));
}

static void a_page_says_which_cases_are_executed(void **state)
{
    (void)state;
    execute_watchdog w;
    platform_fault fault;
    execute_progress during;
    watchdog_reset(&page);
    assert_true(watchdog_read(&page, &at));
    assert_int_equal(at.step, 0);
    assert_false(at.submitted);
    watchdog_begin(&w, &page, &orders);
    watchdog_set_cases(&w, 7, UINT64_MAX, false);
    assert_true(watchdog_guarded_call(&w, note_progress, &during, &fault));
    assert_int_equal(during.step, 1);
    assert_int_equal(during.first, 7);
    assert_true(during.last == UINT64_MAX);
    assert_true(during.submitted);
    watchdog_set_class(&w, 99);
    watchdog_set_sending(&w, true);
    assert_true(watchdog_read(&page, &at));
    assert_int_equal(at.step, 2);
    assert_int_equal(at.class_key, 99);
    assert_true(at.sending);
    watchdog_set_sending(&w, false);
    assert_true(watchdog_read(&page, &at));
    assert_false(at.sending);
    assert_true(at.submitted);
}

static void overwrite(void *context)
{
    memset(&page, *(const int *)context, sizeof page);
    assert_false(watchdog_read(&page, &at));
}

/* Whatever byte it is overwritten with, and it is right again after the call. */
static void an_overwritten_page_is_not_valid(void **state)
{
    (void)state;
    execute_watchdog w;
    platform_fault fault;
    watchdog_reset(&page);
    watchdog_begin(&w, &page, &orders);
    for (int byte = 0; byte < 256; ++byte) {
        watchdog_set_cases(&w, (uint64_t)byte, (uint64_t)byte + 1, false);
        assert_true(watchdog_guarded_call(&w, overwrite, &byte, &fault));
        assert_true(watchdog_read(&page, &at));
        assert_int_equal(at.first, byte);
        assert_int_equal(at.step, 2 * byte + 2);
    }
    for (size_t i = 0; i < sizeof page; ++i) { /* a single byte */
        ((unsigned char *)&page)[i] ^= 1;
        assert_false(watchdog_read(&page, &at));
        ((unsigned char *)&page)[i] ^= 1;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_says_which_cases_are_executed),
        cmocka_unit_test(an_overwritten_page_is_not_valid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
