/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/option_operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char *describe(void)
{
    return "mode=join  dml.join: what it does\n"
           "mode=most  all operators but dml.join dml.gather: what it does\n"
           "mode=all  all operators: what it does\n"
           "mode=asks  checked operators: what it does\n"
           "mode=both  checked operators, dml.slice1: what it does\n"
           "mode=words  what dml.join does: and what it does not\n"
           "mode=N  dml.join: a number";
}

static const ts_backend backend = { .struct_size = sizeof backend, .describe_options = describe };

/* Is the mode for an operator of the query? If not, the message names both. */
static bool is_for(const char *mode, const char *query)
{
    plugin p = { .library = &p, .backend = &backend };
    const ts_option option = { "mode", mode };
    plan of;
    error e;
    if (!plan_make(&of, &query, 1, TIER_QUICK, &e))
        fail_msg("%s", e.text);
    const bool fine = option_operators_check(&p, "mine", &option, 1, &of, &e);
    if (!fine) {
        assert_int_equal(e.status, EXIT_BAD_USAGE);
        assert_non_null(strstr(e.text, mode));
        assert_non_null(strstr(e.text, of.operators[0]));
    }
    plan_free(&of);
    isolation_close(&p.isolation);
    return fine;
}

static void a_value_is_for_the_operators_that_its_line_lists(void **state)
{
    static const struct {
        const char *mode, *query;
        bool fine;
    } cases[] = {
        { "join", "dml.join:examples", true },
        { "join", "dml.gather:examples", false },
        { "join", "dml.gather*:examples", false },
        { "most", "dml.slice1:examples", true },
        { "most", "dml.gather:examples", false },
        { "most", "dml.gather*:examples", true },
        { "most", "dml.gemm:legal", false },
        { "all", "dml.join:examples", true },
        { "all", "dml.gemm:legal", false },
        { "asks", "dml.gemm:legal", true },
        { "asks", "dml.join:examples", false },
        { "both", "dml.gemm:legal", true },
        { "both", "dml.slice1:examples", true },
        { "both", "dml.join:examples", false },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        if (is_for(cases[i].mode, cases[i].query) != cases[i].fine)
            fail_msg("mode=%s, %s", cases[i].mode, cases[i].query);
}

static void any_other_text_restricts_nothing(void **state)
{
    (void)state;
    assert_true(is_for("words", "dml.gather:examples")); /* a sentence with a colon */
    assert_true(is_for("2", "dml.gather:examples"));     /* "N" stands for numbers */
    assert_true(is_for("unknown", "dml.gather:examples"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_is_for_the_operators_that_its_line_lists),
        cmocka_unit_test(any_other_text_restricts_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
