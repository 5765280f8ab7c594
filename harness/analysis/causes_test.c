/* SPDX-License-Identifier: Apache-2.0 */
/* Causes of the failures of real runs against a backend with a known fault. */
#include "harness/analysis/causes.h"
#include "harness/casefile/plan.h"
#include "harness/run/run.h"
#include "harness/testing/platform_testing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/causes_test.XXXXXX";
static error e;

static int set_up(void **state)
{
    (void)state;
    return testing_folder(folder) == 0 && testing_setenv("TOUCHSTONE_CASES", TOUCHSTONE_SOURCE_DIR "/cases") == 0 ? 0
                                                                                                                  : -1;
}

static int tear_down(void **state)
{
    (void)state;
    return testing_remove(folder);
}

/* The causes of a run against `faulty` with this fault. */
static causes causes_of(const char *fault, const char *asked, case_tier tier)
{
    char path[128];
    const ts_option options[] = { { "fault", fault } };
    run_result result;
    causes c = { .list = NULL };
    snprintf(path, sizeof path, "%s/a.run", folder);
    unlink(path);
    const run_options o = { .backend = "faulty",
                            .backend_options = options,
                            .backend_option_count = 1,
                            .queries = &asked,
                            .query_count = 1,
                            .tier = tier,
                            .max_findings = 10,
                            .output = path,
                            .command = "touchstone run" };
    if (!run_execute(&o, &result, &e))
        fail_msg("%s", e.text);
    store *s = store_open(path, &e);
    if (!s || !causes_find(&c, s, &e))
        fail_msg("%s", e.text);
    store_close(s);
    return c;
}

/* The cases of a query, as `touchstone list --count` counts them. */
static uint64_t cases_of(const cause *c, case_tier tier)
{
    plan p;
    uint64_t sum = 0;
    const char *const queries[] = { c->queries[0], c->queries[1], c->queries[2], c->queries[3] };
    if (!plan_make(&p, queries, c->query_count, tier, &e))
        fail_msg("%s", e.text);
    for (size_t i = 0; i < p.item_count; ++i) {
        uint64_t count;
        assert_true(space_count(p.items[i].test->space, p.items[i].first, p.items[i].end, NULL, NULL, &count, &e));
        sum += count;
    }
    plan_free(&p);
    return sum;
}

static void one_fault_is_one_cause(void **state)
{
    (void)state;
    static const struct {
        const char *fault, *asked, *query; /* NULL: any that holds these cases and no others */
        cause_kind kind;
    } rows[] = {
        { "vector-tail", "dml.element_wise_identity:*drawn",
          "dml.element_wise_identity:*drawn where product(InputTensor.Sizes) % 8 ~= 0", CAUSE_DIFFERS },
        { "vector-tail", "dml.gather:*drawn", "dml.gather:*drawn where product(OutputTensor.Sizes) % 8 ~= 0",
          CAUSE_DIFFERS },
        { "tail-64", "dml.random_generator:*drawn",
          "dml.random_generator:*drawn where product(OutputTensor.Sizes) % 64 ~= 0 and product(OutputTensor.Sizes) > 64",
          CAUSE_DIFFERS },
        { "count-loops-8", "dml.element_wise_identity:*drawn", "dml.element_wise_identity:*drawn where Copy.Loops >= 8",
          CAUSE_DIFFERS },
        { "reject-rank-6-up", "dml.slice1:*drawn", "dml.slice1:*drawn where rank >= 6", CAUSE_REFUSED },
        { "reject-rank-7", "dml.element_wise_identity:*drawn", "dml.element_wise_identity:*drawn where rank == 7",
          CAUSE_REFUSED },
        { "only-i16-8d", "dml.element_wise_identity:*drawn",
          "dml.element_wise_identity:*drawn where dtype == i16 and rank >= 8", CAUSE_DIFFERS },
        { "reject-rank-7", "dml.slice1:drawn_* where rank == 7", "dml.slice1:drawn_* where rank == 7", CAUSE_REFUSED },
        { "accept-alignment", "dml.slice1:invalid-BUF*", "dml.slice1:invalid-BUF-14-*", CAUSE_ACCEPTED },
        { "accept-overrun", "dml.slice1:invalid-SL*", "dml.slice1:invalid-SL-05-*", CAUSE_ACCEPTED },
        { "accept-high-flags", "dml.random_generator:invalid-BUF-03*",
          "dml.random_generator:invalid-BUF-03* where by % 256 == 0", CAUSE_ACCEPTED },
        { "layout-interleaved", "dml.element_wise_identity:*drawn",
          "dml.element_wise_identity:*drawn where any(Copy.To < Copy.RowTo) and Copy.Row > 2", CAUSE_DIFFERS },
        { "tail-second", "dml.element_wise_identity:*drawn", NULL, CAUSE_DIFFERS },
        { "clear-total", "dml.gather:*drawn", "dml.gather:*drawn where OutputTensor.TotalTensorSizeInBytes % 16 ~= 0",
          CAUSE_DIFFERS },
        { "vector-tail", "dml.element_wise_identity:drawn*", /* what is left out in place is right */
          "dml.element_wise_identity:drawn* where product(InputTensor.Sizes) % 8 ~= 0 and not in_place", CAUSE_DIFFERS },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        causes c = causes_of(rows[i].fault, rows[i].asked, TIER_QUICK);
        assert_null(c.unknown);
        assert_int_equal(c.count, 1);
        const cause *x = &c.list[0];
        assert_int_equal(x->kind, rows[i].kind);
        assert_int_equal(x->query_count, 1);
        if (rows[i].query)
            assert_string_equal(x->queries[0], rows[i].query);
        assert_int_equal(x->missed, 0);
        assert_int_equal(x->others, 0);
        assert_false(x->estimated);
        assert_non_null(x->case_id);
        assert_non_null(x->explain);
        assert_int_equal(cases_of(x, TIER_QUICK), x->cases + x->others + x->neither);
        causes_free(&c);
    }
}

/* A region with several conditions is found although few of very many cases fail: all of them, and at most one other.
 */
static void few_failing_cases_have_a_region(void **state)
{
    (void)state;
    static const struct {
        const char *fault, *asked, *has; /* a condition of the query */
    } rows[] = {
        { "layout-stride-is-size", "dml.random_generator:*drawn", "any(Copy.Sizes == Copy.OuterTo)" },
        { "tile-batch", "dml.element_wise_identity:*drawn", "Copy.Row % 4 ~= 0" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        causes c = causes_of(rows[i].fault, rows[i].asked, TIER_QUICK);
        assert_int_equal(c.count, 1);
        assert_true(c.list[0].cases > 4 && c.list[0].cases < 20);
        assert_int_equal(c.list[0].missed, 0);
        assert_true(c.list[0].others <= 1);
        assert_int_equal(c.list[0].query_count, 1);
        assert_non_null(strstr(c.list[0].queries[0], rows[i].has));
        causes_free(&c);
    }
}

/* No parameter tells which call fails: all failing cases are missed, and each is counted once. */
static void a_fault_without_a_region_misses_its_cases(void **state)
{
    (void)state;
    causes c = causes_of("flaky-quarter", "dml.element_wise_identity:pairwise*", TIER_QUICK);
    assert_int_equal(c.count, 1);
    assert_true(c.list[0].cases > 0);
    assert_true(c.list[0].missed <= c.list[0].cases);
    causes_free(&c);
}

static void operators_share_a_cause(void **state)
{
    (void)state;
    causes c = causes_of("reject-rank-7", "dml.gather_nd*:*drawn", TIER_QUICK);
    uint64_t sum = 0;
    assert_null(c.unknown);
    assert_int_equal(c.count, 1);
    const cause *x = &c.list[0];
    assert_int_equal(x->query_count, 2);
    assert_int_equal(x->part_count, 2);
    assert_int_equal(x->missed + x->others, 0);
    for (size_t i = 0; i < x->part_count; ++i) {
        sum += x->parts[i].cases;
        assert_non_null(strstr(x->op, x->parts[i].op));
        assert_non_null(x->parts[i].explain);
        assert_non_null(strstr(x->queries[i], "where rank == 7"));
    }
    assert_int_equal(sum, x->cases);
    assert_int_equal(cases_of(x, TIER_QUICK), x->cases + x->neither);
    causes_free(&c);
}

/* A cause misses no more cases than it has, whether a query holds them or not. */
static void what_is_missed_is_counted_once(void **state)
{
    (void)state;
    causes c = causes_of("grid-seam", "dml.slice1:drawn*", TIER_QUICK);
    uint64_t sum = 0;
    assert_true(c.count > 0);
    for (size_t i = 0; i < c.count; ++i) {
        sum += c.list[i].cases;
        assert_true(c.list[i].missed <= c.list[i].cases);
        if (c.list[i].query_count == 0)
            assert_int_equal(c.list[i].missed, c.list[i].cases);
    }
    assert_true(sum > 0);
    causes_free(&c);
}

/* A process that ends, a call that hangs and a lost device are different symptoms, and no result. */
static void symptoms_are_kinds_of_their_own(void **state)
{
    (void)state;
    static const verdict symptoms[] = { VERDICT_MISMATCH, VERDICT_REJECTED_VALID, VERDICT_ACCEPTED_INVALID,
                                        VERDICT_CRASH,    VERDICT_HANG,           VERDICT_LOST };
    const size_t count = sizeof symptoms / sizeof *symptoms;
    for (size_t i = 0; i < count; ++i)
        for (size_t k = 0; k < count; ++k) {
            const cause x = { .kind = cause_kind_of(symptoms[i]) }, y = { .kind = cause_kind_of(symptoms[k]) };
            assert_int_equal(x.kind == y.kind, i == k);
            assert_int_equal(strcmp(cause_symptom(&x), cause_symptom(&y)) == 0, i == k);
        }
}

/* What is wrong with results is said in the words of their verdicts. */
static void wrong_results_are_told_by_their_verdicts(void **state)
{
    (void)state;
    causes c = causes_of("input-modified", "dml.slice1:examples", TIER_QUICK);
    assert_int_equal(c.count, 1);
    assert_string_equal(cause_symptom(&c.list[0]), "an input is changed");
    causes_free(&c);
    c = causes_of("reverse-start", "dml.slice1:examples", TIER_QUICK);
    assert_string_equal(cause_symptom(&c.list[0]), "the output differs");
    causes_free(&c);
}

/* Cases whose result the specification leaves open are no part of a cause, although its query holds them. */
static void queries_may_hold_cases_that_are_not_judged(void **state)
{
    (void)state;
    causes c = causes_of("vector-tail", "dml.gather:examples", TIER_QUICK);
    assert_int_equal(c.count, 1);
    assert_int_equal(c.list[0].missed + c.list[0].others + c.list[0].otherwise, 0);
    assert_true(c.list[0].neither > 0);
    assert_int_equal(cases_of(&c.list[0], TIER_QUICK), c.list[0].cases + c.list[0].neither);
    causes_free(&c);
}

static void a_conformant_run_has_no_causes(void **state)
{
    (void)state;
    causes c = causes_of("none", "dml.slice1:drawn*", TIER_QUICK);
    assert_int_equal(c.count, 0);
    assert_null(c.unknown);
    causes_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_fault_is_one_cause),
        cmocka_unit_test(few_failing_cases_have_a_region),
        cmocka_unit_test(a_fault_without_a_region_misses_its_cases),
        cmocka_unit_test(operators_share_a_cause),
        cmocka_unit_test(what_is_missed_is_counted_once),
        cmocka_unit_test(symptoms_are_kinds_of_their_own),
        cmocka_unit_test(wrong_results_are_told_by_their_verdicts),
        cmocka_unit_test(queries_may_hold_cases_that_are_not_judged),
        cmocka_unit_test(a_conformant_run_has_no_causes),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
