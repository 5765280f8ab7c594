/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void messages_carry_a_status(void **state)
{
    (void)state;
    error e;
    assert_false(error_set(&e, "%s at %d", "broken", 7));
    assert_string_equal(e.text, "broken at 7");
    assert_int_equal(e.status, EXIT_HARNESS);
    assert_false(error_usage(&e, "no %s", "file"));
    assert_string_equal(e.text, "no file");
    assert_int_equal(e.status, EXIT_BAD_USAGE);
    assert_false(error_prefix(&e, "%s:%d", "a.lua", 3));
    assert_string_equal(e.text, "a.lua:3: no file");
    assert_int_equal(e.status, EXIT_BAD_USAGE); /* a prefix changes no status */
    assert_false(error_prefix(&e, "x"));
    assert_string_equal(e.text, "x: a.lua:3: no file");
}

/* For all lengths, the text ends inside its buffer and begins correctly. */
static void long_messages_are_cut(void **state)
{
    (void)state;
    char word[3000];
    memset(word, 'w', sizeof word);
    word[sizeof word - 1] = '\0';
    for (int prefix = 0; prefix < 1100; prefix += 33)
        for (int text = 0; text < 1100; text += 33) {
            error e;
            memset(&e, 'z', sizeof e);
            error_set(&e, "%.*s", text, word);
            size_t set = strlen(e.text);
            assert_int_equal(set, text < (int)sizeof e.text ? (size_t)text : sizeof e.text - 1);
            error_prefix(&e, "%.*s", prefix, word);
            size_t kept = prefix < 512 ? (size_t)prefix : 511, whole = kept + 2 + set;
            assert_memory_equal(e.text + kept, ": ", 2);
            assert_int_equal(strlen(e.text), whole < sizeof e.text ? whole : sizeof e.text - 1);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_carry_a_status),
        cmocka_unit_test(long_messages_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
