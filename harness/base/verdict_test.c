/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/verdict.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* Stored runs contain these numbers and names: entries may be added to this table, but never changed. */
static const struct {
    int number;
    const char *name;
    bool fails;
} rows[] = {
    { 0, "not-run", false },
    { 1, "pass", false },
    { 2, "mismatch", true },
    { 3, "rejected-valid", true },
    { 4, "accepted-invalid", true },
    { 5, "wrote-outside", true },
    { 6, "read-outside", true },
    { 7, "modified-input", true },
    { 8, "nondeterministic", true },
    { 9, "crash", true },
    { 10, "hang", true },
    { 11, "lost", true },
    { 12, "ambiguous", false },
    { 13, "waived", false },
    { 14, "unsupported", false },
    { 15, "not-judged", false },
};

static void numbers_and_names_never_change(void **state)
{
    (void)state;
    assert_int_equal(sizeof rows / sizeof rows[0], VERDICT_COUNT);
    for (int i = 0; i < VERDICT_COUNT; ++i) {
        assert_int_equal(rows[i].number, i);
        assert_string_equal(verdict_name((verdict)i), rows[i].name);
        assert_int_equal(verdict_named(rows[i].name), i);
        assert_int_equal(verdict_fails((verdict)i), rows[i].fails);
    }
}

static void invalid_verdicts_are_reported(void **state)
{
    (void)state;
    assert_string_equal(verdict_name(VERDICT_COUNT), "?");
    assert_string_equal(verdict_name((verdict)255), "?");
    assert_int_equal(verdict_named("Pass"), VERDICT_COUNT);
    assert_int_equal(verdict_named(""), VERDICT_COUNT);
    assert_int_equal(verdict_named("passed"), VERDICT_COUNT);
    assert_false(verdict_fails(VERDICT_COUNT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_and_names_never_change),
        cmocka_unit_test(invalid_verdicts_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
