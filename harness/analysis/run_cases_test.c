/* SPDX-License-Identifier: Apache-2.0 */
/* Run cases and diffs, on real runs of small tests of the real case files. */
#include "harness/analysis/compare.h"
#include "harness/analysis/diff.h"
#include "harness/testing/platform_testing.h"
#include "harness/run/run.h"

#include "harness/testing/run_forging.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/run_cases_test.XXXXXX";
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

/* Make a run of a backend and open it. `fault` is a fault of the saboteur such as "none", or NULL; "none EI-04":
   without the cases that violate that clause. */
static store *make_run(const char *name, const char *backend, const char *fault, const char *asked, ts_level level)
{
    char path[128], name_of_fault[64] = "";
    const char *clause = fault ? strchr(fault, ' ') : NULL;
    if (fault)
        snprintf(name_of_fault, sizeof name_of_fault, "%.*s", (int)strcspn(fault, " "), fault);
    const ts_option options[] = { { "fault", name_of_fault }, { "unshown", clause ? clause + 1 : NULL } };
    run_result result;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
    run_options o = { .backend = backend,
                      .backend_options = options,
                      .backend_option_count = clause  ? 2
                                              : fault ? 1
                                                      : 0,
                      .queries = &asked,
                      .query_count = 1,
                      .tier = TIER_FULL,
                      .level = level,
                      .max_findings = 100000,
                      .output = path,
                      .command = "touchstone run" };
    if (!run_execute(&o, &result, &e))
        fail_msg("%s", e.text);
    assert_true(result.ran > 0);
    store *s = store_open(path, &e);
    if (!s)
        fail_msg("%s", e.text);
    return s;
}

/* Without a digest of its own: that would be another, too. */
static const char another_suite[] = "UPDATE operator SET digest = 'other'";

static void change(const char *name, const char *sql)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_true(forge(path, sql));
}

typedef struct sums {
    uint64_t cases[VERDICT_COUNT];
    int64_t test;
    run_cases_walk *walk;
    uint64_t found;
} sums;

static bool add_tally(void *context, const store_tally *t)
{
    sums *s = context;
    if (t->test == s->test)
        s->cases[t->verdict] += t->cases;
    return true;
}

/* Findings come in order of their tests, and in each in order of index. */
static bool find(void *context, const store_finding *f)
{
    sums *s = context;
    char id[CASE_ID_SIZE];
    while (!s->walk->ended && s->walk->index < f->index)
        assert_true(run_cases_next(s->walk, &e));
    assert_false(s->walk->ended);
    assert_int_equal(s->walk->index, f->index);
    assert_int_equal(s->walk->verdict, f->verdict);
    space_format_id(s->walk->cursor, id, sizeof id);
    assert_string_equal(id, f->case_id);
    s->found++;
    return true;
}

static bool check_test(void *context, const store_test *t)
{
    store *run = context;
    run_cases *r = run_cases_open(run, &e);
    run_cases_walk w;
    sums counted = { .test = t->id }, walked = { .test = t->id };
    if (!r)
        fail_msg("%s", e.text);
    assert_true(store_each_tally(run, add_tally, &counted, &e));
    assert_true(run_cases_start(r, t->id, &w, &e));
    for (assert_true(run_cases_next(&w, &e)); !w.ended; assert_true(run_cases_next(&w, &e)))
        walked.cases[w.verdict]++;
    assert_false(w.adrift);
    assert_memory_equal(counted.cases, walked.cases, sizeof counted.cases);
    run_cases_stop(&w);
    assert_true(run_cases_start(r, t->id, &w, &e));
    assert_true(run_cases_next(&w, &e));
    walked.walk = &w;
    assert_true(store_each_finding(run, t->id, 0, find, &walked, &e));
    run_cases_stop(&w);
    run_cases_close(r);
    return true;
}

static void each_verdict_is_assigned_to_its_case(void **state)
{
    (void)state;
    static const struct {
        const char *backend, *fault, *asked;
        ts_level level;
    } rows[] = {
        { "faulty", "reject-8-bit", "dml.slice1:pairwise", 0 },
        { "faulty", "vector-tail", "dml.slice1:examples where dtype in {f16, u8}", 0 },
        { "faulty", "reject-strided", "dml.gather:examples", TS_LEVEL_4_1 },
        { "example", NULL, "dml.element_wise_identity:pairwise", 0 }, /* supports only some classes of cases */
        { "cpu", NULL, "openvino.strided_slice:examples", 0 },
        { "faulty", "none EI-04", "dml.element_wise_identity:examples", 0 }, /* has cases of that clause */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        store *s = make_run("a.run", rows[i].backend, rows[i].fault, rows[i].asked, rows[i].level);
        assert_true(store_each_test(s, check_test, s, &e));
        store_close(s);
    }
}

static void a_run_of_another_suite_is_rejected(void **state)
{
    (void)state;
    store_close(make_run("b.run", "cpu", NULL, "dml.slice1:examples", 0));
    change("b.run", another_suite);
    char path[128];
    snprintf(path, sizeof path, "%s/b.run", folder);
    store *s = store_open(path, &e);
    assert_null(run_cases_open(s, &e));
    assert_int_equal(e.status, EXIT_BAD_USAGE);
    assert_non_null(strstr(e.text, "another suite"));
    store_close(s);
}

static void a_walk_detects_that_verdicts_and_cases_do_not_match(void **state)
{
    (void)state;
    static const char *const damages[] = {
        "UPDATE meta SET value = char(10) || 'dml.slice1 f16.4 f16.4' || char(10) WHERE key = 'refused'",
        "UPDATE plane SET cases = cases - 1, verdicts = x'01' WHERE test = 1",
    };
    for (size_t i = 0; i < sizeof damages / sizeof *damages; ++i) {
        char path[128];
        run_cases_walk w;
        store_close(make_run("c.run", "cpu", NULL, "dml.slice1:pairwise", 0));
        change("c.run", damages[i]);
        snprintf(path, sizeof path, "%s/c.run", folder);
        store *s = store_open_uncounted(path, &e);
        run_cases *r = run_cases_open(s, &e);
        assert_non_null(r);
        assert_true(run_cases_start(r, 1, &w, &e));
        while (!w.ended)
            assert_true(run_cases_next(&w, &e));
        assert_true(w.adrift);
        run_cases_stop(&w);
        run_cases_close(r);
        store_close(s);
    }
}

static void the_query_of_a_run_is_given_as_a_predicate(void **state)
{
    (void)state;
    char within[256];
    store *s = make_run("d.run", "cpu", NULL, "dml.slice1:pairwise where dtype == f16", 0);
    run_cases *r = run_cases_open(s, &e);
    assert_true(run_cases_within(r, run_cases_test(r, 1), within, sizeof within));
    assert_string_equal(within, "(dtype == f16)");
    assert_null(run_cases_test(r, 99));
    run_cases_close(r);
    store_close(s);
    s = make_run("d.run", "cpu", NULL, "dml.slice1:examples:example=2", 0);
    r = run_cases_open(s, &e);
    assert_false(run_cases_within(r, run_cases_test(r, 1), within, sizeof within));
    run_cases_close(r);
    store_close(s);
}

/* ---- diff ---- */

static void changes_are_classified(void **state)
{
    (void)state;
    static const struct {
        int from, to;
        bool same_cases;
        diff_kind kind;
        bool worse;
    } rows[] = {
        { VERDICT_PASS, VERDICT_MISMATCH, true, DIFF_NEW_FAILURE, true },
        { DIFF_NOT_PLANNED, VERDICT_CRASH, false, DIFF_NEW_FAILURE, true },
        { VERDICT_WAIVED, VERDICT_MISMATCH, true, DIFF_NEW_FAILURE, true },
        { VERDICT_MISMATCH, VERDICT_CRASH, true, DIFF_CHANGED_KIND, true },
        { VERDICT_CRASH, VERDICT_HANG, true, DIFF_CHANGED_KIND, false },
        { VERDICT_CRASH, VERDICT_MISMATCH, true, DIFF_CHANGED_KIND, false },
        { VERDICT_MISMATCH, VERDICT_PASS, true, DIFF_FIXED, false },
        { VERDICT_WAIVED, VERDICT_PASS, true, DIFF_FIXED, false },
        { VERDICT_PASS, VERDICT_UNSUPPORTED, true, DIFF_NOT_RUN, true },
        { VERDICT_MISMATCH, VERDICT_NONE, true, DIFF_NOT_RUN, true },
        { VERDICT_NONE, VERDICT_PASS, true, DIFF_NEWLY_RUN, false },
        { VERDICT_PASS, DIFF_NOT_PLANNED, true, DIFF_NO_LONGER, true },
        { VERDICT_PASS, DIFF_NOT_PLANNED, false, DIFF_NO_LONGER, false },
        { DIFF_NOT_PLANNED, VERDICT_PASS, true, DIFF_NEWLY_PLANNED, false },
        { VERDICT_MISMATCH, VERDICT_WAIVED, true, DIFF_OTHER, false },
        { VERDICT_PASS, VERDICT_AMBIGUOUS, true, DIFF_OTHER, false },
        { VERDICT_CRASH, VERDICT_NOT_JUDGED, true, DIFF_FIXED, false },
        { VERDICT_NOT_JUDGED, VERDICT_CRASH, true, DIFF_NEW_FAILURE, true },
        { VERDICT_NOT_JUDGED, VERDICT_PASS, true, DIFF_OTHER, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        bool worse;
        assert_int_equal(diff_kind_of(rows[i].from, rows[i].to, rows[i].same_cases, &worse), rows[i].kind);
        assert_int_equal(worse, rows[i].worse);
    }
}

static void a_fault_is_described_as_a_region(void **state)
{
    (void)state;
    diff d;
    store *good = make_run("good.run", "faulty", "none", "dml.slice1:pairwise", 0);
    store *bad = make_run("bad.run", "faulty", "reject-8-bit", "dml.slice1:pairwise", 0);
    if (!diff_runs(&d, good, bad, &e))
        fail_msg("%s", e.text);
    assert_true(d.by_case && d.worse && d.tests[0].by_case);
    assert_int_equal(d.group_count, 2);
    assert_int_equal(d.groups[0].kind, DIFF_NEW_FAILURE);
    assert_true(d.groups[0].group.exact);
    assert_int_equal(d.groups[0].group.part_count, 1);
    assert_string_equal(d.groups[0].group.parts[0].query, "dml.slice1:pairwise where dtype in {u8, i8} and extra ~= 3");
    assert_int_equal(d.groups[1].kind, DIFF_OTHER); /* no page says that bytes beyond a multiple of 4 are legal */
    diff_free(&d);
    assert_true(diff_runs(&d, bad, good, &e));
    assert_false(d.worse);
    assert_int_equal(d.groups[0].kind, DIFF_FIXED);
    diff_free(&d);
    assert_true(diff_runs(&d, bad, bad, &e));
    assert_false(d.worse);
    assert_int_equal(d.group_count, 0);
    assert_int_equal(d.rate_count, 0);
    diff_free(&d);
    store_close(good);
    store_close(bad);
}

static void runs_of_different_suites_are_compared_by_counts(void **state)
{
    (void)state;
    diff d;
    char path[128];
    store *good = make_run("good.run", "faulty", "none", "dml.slice1:examples", 0);
    store_close(make_run("bad.run", "faulty", "vector-tail", "dml.slice1:examples", 0));
    change("bad.run", another_suite);
    snprintf(path, sizeof path, "%s/bad.run", folder);
    store *bad = store_open(path, &e);
    assert_true(diff_runs(&d, good, bad, &e));
    assert_true(!d.by_case && d.worse && d.rate_count > 0 && d.group_count == 0);
    assert_non_null(strstr(d.why, "different suites"));
    diff_free(&d);
    assert_true(diff_runs(&d, bad, good, &e));
    assert_false(d.worse);
    diff_free(&d);
    store_close(good);
    store_close(bad);
}

/* Of two operators one has changed since the second run: the other one is still compared case by case. */
static void a_changed_operator_is_left_out_by_name(void **state)
{
    (void)state;
    diff d;
    char path[128];
    store *good = make_run("good.run", "faulty", "none", "dml.*:examples", 0);
    store_close(make_run("bad.run", "faulty", "vector-tail", "dml.*:examples", 0));
    change("bad.run", "UPDATE operator SET digest = 'other' WHERE name = 'dml.gather'");
    snprintf(path, sizeof path, "%s/bad.run", folder);
    store *bad = store_open(path, &e);
    assert_true(diff_runs(&d, good, bad, &e));
    assert_true(d.by_case && d.worse && d.group_count > 0);
    assert_non_null(strstr(d.why, "dml.gather: the runs are of different suites"));
    assert_null(strstr(d.why, "slice1"));
    for (size_t i = 0; i < d.test_count; ++i)
        assert_int_equal(d.tests[i].by_case, strncmp(d.tests[i].name, "dml.gather:", 11) != 0);
    diff_free(&d);
    compare c;
    compare_side sides[] = { { .label = "good", .store = good }, { .label = "bad", .store = bad } };
    if (!compare_runs(&c, sides, 2, &e))
        fail_msg("%s", e.text);
    assert_string_equal(c.apart, "dml.gather");
    assert_true(c.total.cases > 0 && compare_status(&c) != EXIT_CONFORMANT);
    compare_free(&c);
    sides[1].store = good;
    assert_true(compare_runs(&c, sides, 2, &e));
    assert_string_equal(c.apart, "");
    compare_free(&c);
    store_close(good);
    store_close(bad);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_verdict_is_assigned_to_its_case),
        cmocka_unit_test(a_run_of_another_suite_is_rejected),
        cmocka_unit_test(a_changed_operator_is_left_out_by_name),
        cmocka_unit_test(a_walk_detects_that_verdicts_and_cases_do_not_match),
        cmocka_unit_test(the_query_of_a_run_is_given_as_a_predicate),
        cmocka_unit_test(changes_are_classified),
        cmocka_unit_test(a_fault_is_described_as_a_region),
        cmocka_unit_test(runs_of_different_suites_are_compared_by_counts),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
