/* SPDX-License-Identifier: Apache-2.0 */
/* Comparisons, on real runs of the real case files: small tests of them. */
#include "harness/analysis/compare_make.h"
#include "reports/compare_print.h"
#include "harness/base/platform.h"
#include "harness/testing/platform_testing.h"
#include "reports/compare_html.h"

#include <jansson.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char folder[] = "/tmp/compare_test.XXXXXX";
static error e;
static compare_set set;
static compare c;

static int set_up(void **state)
{
    (void)state;
    return testing_folder(folder) == 0 && testing_setenv("TOUCHSTONE_CASES", TOUCHSTONE_SOURCE_DIR "/cases") == 0 &&
                   testing_setenv("TMPDIR", folder) == 0 && testing_setenv("TMP", folder) == 0
               ? 0
               : -1;
}

static int tear_down(void **state)
{
    (void)state;
    return testing_remove(folder);
}

static int none_left(void **state)
{
    (void)state;
    compare_free(&c);
    compare_set_free(&set);
    return testing_count(folder) == 0 ? 0 : -1;
}

/* A backend, with a fault of the saboteur where one is named. */
static compare_backend side(const char *name, const char *fault, const char *label)
{
    compare_backend b = { .name = name, .label = label };
    if (fault)
        b.options.list[b.options.count++] = (ts_option){ "fault", fault };
    return b;
}

static run_options asked(const char *const *query)
{
    return (run_options){ .queries = query,
                          .query_count = 1,
                          .tier = TIER_FULL,
                          .max_findings = 1000,
                          .time_limit = RUN_TIME_LIMIT,
                          .command = "touchstone compare" };
}

static bool make(const compare_backend *list, size_t count, const char *query)
{
    const run_options o = asked(&query);
    return compare_make_runs(&set, list, count, &o, NULL, &e) && compare_runs(&c, set.sides, set.count, &e);
}

static const compare_group *group_of(compare_kind kind)
{
    for (size_t i = 0; i < c.group_count; ++i)
        if (c.region_groups[i].kind == kind)
            return &c.region_groups[i];
    fail_msg("there is no group of kind %s", compare_kind_name(kind));
    return NULL;
}

/* What a writer writes, to be freed. */
static char *written(bool (*print)(const compare *, FILE *, error *))
{
    FILE *f = platform_temporary_file();
    assert_non_null(f);
    assert_true(print(&c, f, &e));
    return testing_end_text(f);
}

static void cases_are_judged(void **state)
{
    (void)state;
    enum { P = VERDICT_PASS, M = VERDICT_MISMATCH, W = VERDICT_WAIVED, A = VERDICT_AMBIGUOUS, U = COMPARE_UNOWED };
    static const struct {
        uint8_t verdicts[3];
        compare_kind kind;
        uint64_t common;
    } rows[] = {
        { { P, P, P }, COMPARE_EVERYWHERE, 1 },
        { { P, M, P }, COMPARE_PARTS, 1 },
        { { P, W, P }, COMPARE_PARTS, 1 }, /* nobody may rely on what is known to fail */
        { { P, M, U }, COMPARE_PARTS, 0 },
        { { M, M, U }, COMPARE_NOWHERE, 0 },
        { { M, VERDICT_CRASH, VERDICT_HANG }, COMPARE_NOWHERE, 1 },
        { { M, VERDICT_NONE, U }, COMPARE_NOWHERE, 0 },
        { { P, U, P }, COMPARE_SOME, 0 },
        { { P, VERDICT_UNSUPPORTED, P }, COMPARE_SOME, 0 },
        { { A, A, A }, COMPARE_UNDECIDED, 1 },
        { { A, U, A }, COMPARE_UNDECIDED, 0 },
        { { A, VERDICT_LOST, A }, COMPARE_NOWHERE, 1 },
        { { P, VERDICT_NONE, P }, COMPARE_UNKNOWN, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        compare_counts counts = { 0 };
        compare_kind kind = compare_judge(rows[i].verdicts, 3);
        assert_int_equal(kind, rows[i].kind);
        compare_count(&counts, rows[i].verdicts, 3, kind, 1);
        assert_int_equal(counts.common, rows[i].common);
        assert_int_equal(counts.kinds[kind], 1);
    }
}

static void the_same_twice_differs_nowhere(void **state)
{
    (void)state;
    const compare_backend list[] = { side("cpu", NULL, NULL), side("cpu", NULL, NULL) };
    assert_true(make(list, 2, "dml.slice1:examples"));
    assert_string_equal(c.sides[0].label, "cpu");
    assert_string_equal(c.sides[1].label, "cpu (2)");
    assert_int_equal(compare_status(&c), EXIT_CONFORMANT);
    assert_int_equal(c.total.kinds[COMPARE_EVERYWHERE], c.total.cases);
    assert_int_equal(c.total.common, c.total.cases);
    assert_int_equal(c.group_count, 1);
    assert_string_equal(c.region_groups[0].group.parts[0].query, "dml.slice1:examples");
    assert_non_null(strstr(compare_headline(&c), "in all cases"));
}

static void faults_are_told_apart_as_regions(void **state)
{
    (void)state;
    const compare_backend list[] = { side("faulty", "none", "good"), side("faulty", "reject-8-bit", NULL),
                                     side("faulty", "vector-tail", NULL) };
    if (!make(list, 3, "dml.slice1:pairwise where rank == 4"))
        fail_msg("%s", e.text);
    assert_int_equal(compare_status(&c), EXIT_FAILURES);
    assert_string_equal(c.sides[1].label, "faulty fault=reject-8-bit");
    assert_int_equal(c.total.common, c.total.cases);
    assert_int_equal(c.total.kinds[COMPARE_EVERYWHERE] + c.total.kinds[COMPARE_PARTS], c.total.cases);
    bool rejects = false;
    uint64_t cases = 0;
    for (size_t i = 0; i < c.group_count; ++i) {
        const compare_group *g = &c.region_groups[i];
        cases += g->group.cases;
        assert_int_equal(g->verdicts[0], VERDICT_PASS);
        assert_int_equal(strcmp(g->clauses, g->verdicts[2] == VERDICT_MISMATCH ? "SL-10" : ""), 0);
        if (g->verdicts[1] == VERDICT_REJECTED_VALID)
            rejects |= strstr(g->group.parts[0].query, "dtype in {u8, i8}") != NULL;
        assert_non_null(strstr(g->group.parts[0].query, "rank == 4")); /* the query stays part of what is told */
    }
    assert_true(rejects);
    assert_int_equal(cases, c.total.cases);
    cases = 0;
    for (size_t i = 0; i < c.type_count; ++i)
        cases += c.types[i].counts.cases;
    assert_int_equal(cases, c.total.cases);
}

static void what_only_some_support_is_no_failure(void **state)
{
    (void)state;
    const compare_backend list[] = { side("cpu", NULL, NULL), side("example", NULL, NULL) };
    if (!make(list, 2, "dml.element_wise_identity:examples"))
        fail_msg("%s", e.text);
    assert_int_equal(compare_status(&c), EXIT_CONFORMANT);
    assert_true(c.total.kinds[COMPARE_SOME] > 0 && c.total.kinds[COMPARE_EVERYWHERE] > 0);
    const compare_group *g = group_of(COMPARE_SOME);
    assert_int_equal(g->verdicts[0], VERDICT_PASS);
    assert_int_equal(g->verdicts[1], COMPARE_UNOWED);
    for (size_t i = 0; i < c.clause_count; ++i)
        assert_int_not_equal(compare_clause_overall(&c.clauses[i], 2), COMPARE_CLAUSE_FAILED);
    compare_free(&c);
    compare_set_free(&set);
    /* Of this operator one of them supports nothing: it has no run, and there is nothing in common. */
    assert_true(make(list, 2, "dml.gather:examples"));
    assert_null(c.sides[1].store);
    assert_int_equal(c.total.common, 0);
    assert_int_equal(compare_status(&c), EXIT_NOT_RUN);
}

static void answers_to_open_questions_are_compared(void **state)
{
    (void)state;
    static const char query[] = "dml.gather:examples where example == \"out-of-range\"";
    const compare_backend list[] = { side("cpu", NULL, NULL), side("faulty", "none", NULL),
                                     side("faulty", "vector-tail", NULL) };
    assert_true(make(list, 2, query));
    assert_int_equal(c.observed_count, 1);
    assert_false(c.answers[0].parts);
    compare_free(&c);
    compare_set_free(&set);
    assert_true(make(list, 3, query));
    assert_int_equal(compare_status(&c), EXIT_CONFORMANT); /* nobody is judged by them */
    assert_int_equal(c.observed_count, 2);
    assert_string_equal(c.answers[0].entry, "E-GA-10");
    assert_true(c.answers[0].parts && c.answers[1].parts);
    assert_string_equal(c.answers[0].answer, "other than our decision (not written)");
    assert_string_equal(c.answers[1].answer, "our decision (clamped index)");
    assert_true(c.answers[1].cases[0] > 0 && c.answers[1].cases[2] == 0 && c.answers[0].cases[2] > 0);
}

static void invalid_cases_that_are_accepted_fail_their_clause(void **state)
{
    (void)state;
    const compare_backend list[] = { side("cpu", NULL, NULL), side("faulty", "accept-zero-step", NULL) };
    if (!make(list, 2, "dml.slice1:invalid-SL-0*"))
        fail_msg("%s", e.text);
    const compare_group *g = group_of(COMPARE_PARTS);
    assert_int_equal(g->verdicts[1], VERDICT_ACCEPTED_INVALID);
    assert_int_equal(strlen(g->clauses), strlen("SL-00"));
    size_t kept = 0, failed = 0;
    for (size_t i = 0; i < c.clause_count; ++i) {
        const compare_clause *own = &c.clauses[i];
        compare_clause_state all = compare_clause_overall(own, 2);
        kept += all == COMPARE_CLAUSE_KEPT;
        failed += all == COMPARE_CLAUSE_FAILED;
        if (strcmp(own->id, g->clauses) == 0) {
            assert_int_equal(own->sides[0].state, COMPARE_CLAUSE_KEPT);
            assert_int_equal(own->sides[1].state, COMPARE_CLAUSE_FAILED);
        }
        if (strcmp(own->id, "BUF-01") == 0)
            assert_int_equal(all, COMPARE_CLAUSE_UNTRIED);
    }
    assert_true(kept > 0 && failed == 1);
}

static void runs_that_do_not_go_together_are_refused(void **state)
{
    (void)state;
    static const char *const queries[] = { "dml.slice1:examples", "dml.gather:examples" };
    char kept[2][128];
    const char *paths[] = { kept[0], kept[1], kept[0] };
    const compare_backend cpu = side("cpu", NULL, "it");
    for (size_t i = 0; i < 2; ++i) {
        char into[100];
        const run_options o = asked(&queries[i]);
        snprintf(into, sizeof into, "%s/%zu", folder, i);
        assert_true(compare_make_runs(&set, &cpu, 1, &o, into, &e));
        snprintf(kept[i], sizeof kept[i], "%s/1-it.run", into);
        assert_string_equal(set.sides[0].path, kept[i]);
        compare_set_free(&set);
        assert_int_equal(testing_count(into), 1);
    }
    assert_true(compare_open_runs(&set, paths, 2, &e));
    assert_false(compare_runs(&c, set.sides, set.count, &e));
    assert_int_equal(e.status, EXIT_BAD_USAGE);
    assert_non_null(strstr(e.text, "different cases: query 'dml.slice1:examples' and 'dml.gather:examples'"));
    compare_free(&c);
    compare_set_free(&set);
    paths[1] = paths[2];
    assert_true(compare_open_runs(&set, paths, 2, &e));
    assert_true(compare_runs(&c, set.sides, set.count, &e));
    assert_int_equal(compare_status(&c), EXIT_CONFORMANT);
    assert_string_equal(c.sides[1].label, "cpu (2)");
    compare_free(&c);
    compare_set_free(&set);
    paths[0] = "/nonexistent.run";
    assert_false(compare_open_runs(&set, paths, 2, &e));
    assert_int_equal(e.status, EXIT_BAD_USAGE);
    compare_set_free(&set); /* a file that is open may not be removed everywhere */
    testing_empty(folder, "");
}

static void labels_are_checked(void **state)
{
    (void)state;
    char label[COMPARE_LABEL + 1];
    const compare_backend same[] = { side("cpu", NULL, "x"), side("cpu", NULL, "x") };
    memset(label, 'x', sizeof label - 1);
    label[sizeof label - 1] = '\0';
    const compare_backend one[] = { side("cpu", NULL, label) };
    assert_false(make(same, 2, "dml.slice1:examples"));
    assert_non_null(strstr(e.text, "two are called so"));
    compare_set_free(&set);
    assert_false(make(one, 1, "dml.slice1:examples"));
    assert_int_equal(e.status, EXIT_BAD_USAGE);
}

static void all_writers_tell_the_same(void **state)
{
    (void)state;
    char path[128];
    const compare_backend list[] = { side("cpu", NULL, "<b>&"), side("faulty", "vector-tail", "mine") };
    assert_true(make(list, 2, "dml.*:examples"));
    char *text = written(compare_print_text);
    assert_non_null(strstr(text, "<b>&: pass; mine: mismatch  SL-10"));
    assert_non_null(strstr(text, "\nthey part from the reference\n"));
    free(text);
    text = written(compare_print_json);
    json_t *all = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(all);
    assert_int_equal(json_integer_value(json_object_get(all, "status")), EXIT_FAILURES);
    assert_int_equal(json_array_size(json_object_get(all, "regions")), c.group_count);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(all, "total"), "cases")), c.total.cases);
    json_decref(all);
    free(text);
    snprintf(path, sizeof path, "%s/page.html", folder);
    assert_true(compare_html(&c, path, &e));
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    char *page = testing_end_text(f);
    remove(path);
    assert_non_null(strstr(page, "&lt;b&gt;&amp;"));
    assert_null(strstr(page, "<b>&:"));
    assert_null(strstr(page, "(null)"));
    assert_non_null(strstr(page, "E-GA-10"));
    assert_non_null(strstr(page, "</html>"));
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_are_judged),
        cmocka_unit_test_teardown(the_same_twice_differs_nowhere, none_left),
        cmocka_unit_test_teardown(faults_are_told_apart_as_regions, none_left),
        cmocka_unit_test_teardown(what_only_some_support_is_no_failure, none_left),
        cmocka_unit_test_teardown(answers_to_open_questions_are_compared, none_left),
        cmocka_unit_test_teardown(invalid_cases_that_are_accepted_fail_their_clause, none_left),
        cmocka_unit_test_teardown(runs_that_do_not_go_together_are_refused, none_left),
        cmocka_unit_test_teardown(labels_are_checked, none_left),
        cmocka_unit_test_teardown(all_writers_tell_the_same, none_left),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
