/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/did_you_mean.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char *best(const char *word)
{
    static const char *const names[] = { "run", "resume", "report", "exhaustive", "examples", "invalid-SL-05" };
    did_you_mean d;
    did_you_mean_start(&d, word);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        did_you_mean_try(&d, names[i]);
    return d.best ? d.best : "";
}

static void the_nearest_name_is_suggested(void **state)
{
    (void)state;
    assert_string_equal(best("rnu"), "run");              /* two exchanged */
    assert_string_equal(best("rum"), "run");              /* one replaced */
    assert_string_equal(best("reportt"), "report");       /* one too many */
    assert_string_equal(best("exhustive"), "exhaustive"); /* one missing */
    assert_string_equal(best("RESUME"), "resume");
    assert_string_equal(best("invalid-sl-50"), "invalid-SL-05");
    assert_string_equal(best("exam"), "examples"); /* the rest is missing */
    assert_string_equal(best("wander"), "");
    assert_string_equal(best("ex"), ""); /* could be anything */
    assert_string_equal(best(""), "");
    char longest[4000];
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    assert_string_equal(best(longest), "");
}

static void a_close_name_is_at_most_two_letters_apart(void **state)
{
    (void)state;
    did_you_mean d;
    did_you_mean_start(&d, "Gahtr");
    assert_null(did_you_mean_close(&d));
    did_you_mean_try(&d, "Gather");
    assert_string_equal(did_you_mean_close(&d), "Gather");
    did_you_mean_start(&d, "Greater");
    did_you_mean_try(&d, "Gather");
    assert_true(d.best == NULL || d.distance > 2);
    assert_null(did_you_mean_close(&d));
}

static void the_hint_is_a_parenthesis_or_nothing(void **state)
{
    (void)state;
    char hint[DID_YOU_MEAN_SIZE];
    did_you_mean d;
    did_you_mean_start(&d, "stirde");
    assert_string_equal(did_you_mean_hint(&d, hint), "");
    did_you_mean_try(&d, "stride");
    assert_string_equal(did_you_mean_hint(&d, hint), " (did you mean 'stride'?)");
}

/* A list ends at a whole name, and says how many are left. */
static void long_lists_end_at_a_whole_name(void **state)
{
    (void)state;
    char text[60];
    did_you_mean_list list = { text, sizeof text, 0, 0 };
    for (size_t i = 0; i < 3; ++i)
        did_you_mean_list_add(&list, "invalid", 2 - i);
    assert_string_equal(text, "invalid, invalid, invalid");
    list = (did_you_mean_list){ text, sizeof text, 0, 0 };
    for (size_t i = 0; i < 100; ++i)
        did_you_mean_list_add(&list, "invalid", 99 - i);
    assert_string_equal(text, "invalid, invalid, invalid and 97 more");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_name_is_suggested),
        cmocka_unit_test(a_close_name_is_at_most_two_letters_apart),
        cmocka_unit_test(the_hint_is_a_parenthesis_or_nothing),
        cmocka_unit_test(long_lists_end_at_a_whole_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
