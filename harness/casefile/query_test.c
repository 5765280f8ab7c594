/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/query.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static query parsed(const char *text)
{
    query q;
    error e = { .text = "" };
    if (!query_parse(text, &q, &e))
        fail_msg("%s", e.text);
    assert_string_equal(q.text, text);
    return q;
}

static void means(const char *text, const char *op, const char *test, const char *parameters, const char *predicate)
{
    query q = parsed(text);
    assert_string_equal(q.op, op);
    assert_string_equal(q.test, test);
    assert_string_equal(q.parameters, parameters);
    assert_string_equal(q.predicate, predicate);
    assert_int_equal(q.names_test, strchr(test, '*') == NULL);
}

static void refuses(const char *text, const char *expected)
{
    query q;
    error e = { .text = "" };
    if (query_parse(text, &q, &e))
        fail_msg("accepted: %s", text);
    if (!strstr(e.text, expected))
        fail_msg("\"%s\" has not \"%s\"", e.text, expected);
    assert_int_equal(e.status, EXIT_BAD_USAGE);
}

static void names_are_taken_apart(void **state)
{
    (void)state;
    means("dml.slice1", "dml.slice1", "*", "", "");
    means("*", "*", "*", "", "");
    means("dml.*:layout", "dml.*", "layout", "", "");
    means("dml.slice1:pair*", "dml.slice1", "pair*", "", "");
    means("*:*", "*", "*", "", "");
    assert_false(parsed("dml.slice1:*").exact);
    assert_true(parsed("dml.slice1:layout").names_test);
}

static void parameters_name_one_case(void **state)
{
    (void)state;
    means("dml.slice1:layout:dtype=f16,size=4.1", "dml.slice1", "layout", "dtype=f16,size=4.1", "");
    assert_true(parsed("dml.slice1:layout:dtype=f16").exact);
    means("dml.slice1:layout:default", "dml.slice1", "layout", "default",
          "");                                                   /* the id of the case with all defaults */
    means("dml.slice1:layout:", "dml.slice1", "layout", "", ""); /* its former id */
    assert_true(parsed("dml.slice1:layout:").exact);
    assert_false(parsed("dml.slice1:layout").exact);
}

static void free_parameters_are_a_predicate(void **state)
{
    (void)state;
    means("a:t:dtype=f16,*", "a", "t", "", "is(dtype, \"f16\")");
    means("a:t:rank=3,*", "a", "t", "", "is(rank, 3)");
    means("a:t:stride=-3,*", "a", "t", "", "is(stride, -3)");
    means("a:t:level=4_1,*", "a", "t", "", "is(level, \"4_1\")");
    means("a:t:dtype=f16,rank=3,*", "a", "t", "", "is(dtype, \"f16\") and is(rank, 3)");
    means("a:t:size=4.1,*", "a", "t", "", "is(size, \"4.1\")");
    means("a:t:value=-1.5,*", "a", "t", "", "is(value, \"-1.5\")");
    means("a:t:value=1e-45,*", "a", "t", "", "is(value, \"1e-45\")");
    means("a:t:rank=3,stride=-1.2.-3,*", "a", "t", "", "is(rank, 3) and is(stride, \"-1.2.-3\")");
    means("*:*:dtype=u8,*", "*", "*", "", "is(dtype, \"u8\")"); /* not a single case, so patterns are allowed */
    means("a:t:*", "a", "t", "", "");
    assert_false(parsed("a:t:dtype=f16,*").exact);
}

static void predicates_follow_where(void **state)
{
    (void)state;
    means("a where rank == 2", "a", "*", "", "rank == 2");
    means("a:t   where rank == 2", "a", "t", "", "rank == 2");
    means("a:t:rank=3,* where dtype == f16 or size == 1", "a", "t", "", "is(rank, 3) and (dtype == f16 or size == 1)");
    means("dml.*:* where dtype in {u8,i8} and any(stride < 0)", "dml.*", "*", "",
          "dtype in {u8,i8} and any(stride < 0)");
    means("a:t:size=2.1 where rank == 2", "a", "t", "size=2.1", "rank == 2");
}

static void mistakes_are_explained(void **state)
{
    (void)state;
    refuses("", "it names no operator; '*' names all");
    refuses(":layout", "it names no operator");
    refuses("a:", "it names no test; '*' names all");
    refuses("a::rank=1", "it names no test");
    refuses("a b", "a blank in 'a b'; expected OPERATOR[:TEST[:PARAMETERS]][ where PREDICATE]");
    refuses("a:t rank == 1", "a blank in");
    refuses("a where", "a predicate is missing after 'where'");
    refuses("a where ", "a predicate is missing after 'where'");
    refuses("a where    ", "a predicate is missing after 'where'");
    refuses("dml.*:t:rank=1", "parameters name one case, of one operator and test; end them with ',*'");
    refuses("dml.slice1:*:rank=1", "parameters name one case");
    refuses("a:t:rank,*", "'rank' is no parameter; expected axis=value");
    refuses("a:t:rank=1,=3,*", "'=3' is no parameter");
    refuses("a:t:rank,size=3,*", "'rank' is no parameter");
    refuses("a:t:rank=,*", "'rank=' is no parameter");
    refuses("a:t:size=4..1,*", "'size=4..1' is no parameter");
    refuses("a:t:size=4.,*", "'size=4.' is no parameter");
    refuses("a:t:size=.4,*", "'size=.4' is no parameter");
    refuses("a:t:size=4.-,*", "'size=4.-' is no parameter");
    refuses("a:t:size=4-1,*", "'size=4-1' is no parameter");
    refuses("a:t:dtype=\"f16\",*", "is no parameter");
}

/* No test can have such a predicate, whatever its axes are. */
static void unknown_functions_are_errors(void **state)
{
    (void)state;
    refuses("* where all(stride < 0)", "query: in 'all(stride < 0)' at column 1: unknown function 'all'");
    refuses("a:t where rank == 2 and not sums (size) == 1", "unknown function 'sums' (did you mean 'sum'?)");
    refuses("a:t:rank=3,* where all(stride < 0)", "unknown function 'all'");
    refuses("a:t:rank=3 where all(stride < 0)", "unknown function 'all'");
    refuses("* where rank = 2", "a comparison is written '=='");
    refuses("* where dtype == 'f16", "unfinished string");
    means("* where no_axis == 1 and (max(size) > 3 or not (rank in {1, 2}))", "*", "*", "",
          "no_axis == 1 and (max(size) > 3 or not (rank in {1, 2}))");
    means("* where dtype == 'all(' and sum (size) < 9", "*", "*", "", "dtype == 'all(' and sum (size) < 9");
}

/* Queries are never truncated silently: a shortened query would run other cases. */
static void long_queries_are_refused(void **state)
{
    (void)state;
    char text[2048], tail[1024];
    memset(tail, 'x', sizeof tail);
    tail[sizeof tail - 1] = '\0';
    snprintf(text, sizeof text, "%.200s", tail);
    refuses(text, "a part is too long");
    snprintf(text, sizeof text, "a:%.200s", tail);
    refuses(text, "a part is too long");
    snprintf(text, sizeof text, "a:t:x=%.700s", tail);
    refuses(text, "its parameters are too long");
    snprintf(text, sizeof text, "a:t:x=%.700s,*", tail);
    refuses(text, "its parameters are too long");
    snprintf(text, sizeof text, "a where %.700s", tail);
    refuses(text, "its predicate is too long");
    snprintf(text, sizeof text, "a:t:x=%.300s,* where %.400s", tail, tail);
    refuses(text, "its predicate is too long");
    snprintf(text, sizeof text, "a where %s", tail);
    refuses(text, "longer than 1023 characters");
    size_t used = (size_t)snprintf(text, sizeof text, "a:t:size=1");
    while (used < 700)
        used += (size_t)snprintf(text + used, sizeof text - used, ".1");
    snprintf(text + used, sizeof text - used, ",*");
    refuses(text, "its parameters are too long");
    for (int room = 560; room < 640; ++room) { /* near the limit, each query is either stored completely or refused */
        query q;
        error e;
        snprintf(text, sizeof text, "a:t:x=%.*s,*", room, tail);
        if (query_parse(text, &q, &e))
            assert_int_equal(strlen(q.predicate), (size_t)room + strlen("is(x, \"\")"));
        snprintf(text, sizeof text, "a:t:x=3,* where %.*s", room, tail);
        if (query_parse(text, &q, &e))
            assert_int_equal(strlen(q.predicate), (size_t)room + strlen("is(x, 3) and ()"));
    }
}

static void patterns_match_names(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *name;
        bool match;
    } rows[] = {
        { "", "", true },
        { "", "a", false },
        { "a", "", false },
        { "*", "", true },
        { "*", "abc", true },
        { "abc", "abc", true },
        { "abc", "abcd", false },
        { "abc", "ab", false },
        { "a*", "abc", true },
        { "*c", "abc", true },
        { "*c", "abcb", false },
        { "a*c", "abcbc", true },
        { "a*b*c", "axbybc", true },
        { "a*b*c", "axcyb", false },
        { "**", "x", true },
        { "a**", "a", true },
        { "dml.*", "dml.gather", true },
        { "dml.*", "dml", false },
        { "*.gather", "dml.gather", true },
        { "*aab", "aaab", true },
        { "*ab*", "aaab", true },
        { "?", "a", false },
        { "a", "*", false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        if (query_match(rows[i].pattern, rows[i].name) != rows[i].match)
            fail_msg("'%s' and '%s'", rows[i].pattern, rows[i].name);
    char name[301];
    memset(name, 'a', 300);
    name[300] = '\0';
    assert_false(query_match("*a*a*a*a*a*a*a*a*a*a*b", name)); /* not in exponential time */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_taken_apart),           cmocka_unit_test(parameters_name_one_case),
        cmocka_unit_test(free_parameters_are_a_predicate), cmocka_unit_test(predicates_follow_where),
        cmocka_unit_test(mistakes_are_explained),          cmocka_unit_test(unknown_functions_are_errors),
        cmocka_unit_test(long_queries_are_refused),        cmocka_unit_test(patterns_match_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
