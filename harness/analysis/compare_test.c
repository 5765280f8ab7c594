/* SPDX-License-Identifier: Apache-2.0 */
/* Comparisons, on real runs of small tests of the real case files. */
#include "harness/analysis/compare_sides.h"
#include "harness/testing/compare_rig.h"
#include "harness/testing/platform_testing.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static error e;
static compare_set set;
static compare c;

static int none_left(void **state)
{
    (void)state;
    compare_free(&c);
    compare_set_free(&set);
    return testing_count(compare_rig_folder) == 0 ? 0 : -1;
}

static bool make(const compare_backend *list, size_t count, const char *query)
{
    const run_options o = compare_rig_options(&query);
    return compare_run_backends(&set, list, count, &o, NULL, &e) && compare_runs(&c, set.sides, set.count, &e);
}

static const compare_group *group_of(compare_kind kind)
{
    for (size_t i = 0; i < c.group_count; ++i)
        if (c.groups[i].kind == kind)
            return &c.groups[i];
    fail_msg("no group has the kind %s", compare_kind_name(kind));
    return NULL;
}

static void cases_are_classified_by_the_verdicts_of_all_sides(void **state)
{
    (void)state;
    enum {
        P = VERDICT_PASS,
        M = VERDICT_MISMATCH,
        W = VERDICT_WAIVED,
        A = VERDICT_AMBIGUOUS,
        N = VERDICT_NOT_JUDGED,
        U = COMPARE_NOT_SUPPORTED
    };
    static const struct {
        uint8_t verdicts[3];
        compare_kind kind;
        uint64_t common;
    } rows[] = {
        { { P, P, P }, COMPARE_EVERYWHERE, 1 },
        { { P, M, P }, COMPARE_DIFFERS, 1 },
        { { P, W, P }, COMPARE_DIFFERS, 1 }, /* a waived case still fails */
        { { P, M, U }, COMPARE_DIFFERS, 0 },
        { { M, M, U }, COMPARE_NOWHERE, 0 },
        { { M, VERDICT_CRASH, VERDICT_HANG }, COMPARE_NOWHERE, 1 },
        { { M, VERDICT_NONE, U }, COMPARE_NOWHERE, 0 },
        { { P, U, P }, COMPARE_SUPPORTED_BY_SOME, 0 },
        { { P, VERDICT_UNSUPPORTED, P }, COMPARE_SUPPORTED_BY_SOME, 0 },
        { { A, A, A }, COMPARE_UNSPECIFIED, 1 },
        { { A, U, A }, COMPARE_UNSPECIFIED, 0 },
        { { A, VERDICT_LOST, A }, COMPARE_NOWHERE, 1 },
        { { N, N, N }, COMPARE_UNSPECIFIED, 1 },
        { { N, U, N }, COMPARE_UNSPECIFIED, 0 },
        { { N, VERDICT_CRASH, N }, COMPARE_DIFFERS, 1 }, /* the others fail in nothing that is judged */
        { { P, VERDICT_NONE, P }, COMPARE_INCOMPLETE, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        compare_counts counts = { 0 };
        compare_kind kind = compare_kind_of(rows[i].verdicts, 3);
        assert_int_equal(kind, rows[i].kind);
        compare_count(&counts, rows[i].verdicts, 3, kind, 1);
        assert_int_equal(counts.common, rows[i].common);
        assert_int_equal(counts.kinds[kind], 1);
    }
}

static void a_backend_agrees_with_itself(void **state)
{
    (void)state;
    const compare_backend list[] = { compare_rig_backend("cpu", NULL, NULL), compare_rig_backend("cpu", NULL, NULL) };
    assert_true(make(list, 2, "dml.join:examples"));
    assert_string_equal(c.sides[0].label, "cpu");
    assert_string_equal(c.sides[1].label, "cpu (2)");
    assert_int_equal(compare_status(&c), EXIT_CONFORMANT);
    assert_int_equal(c.total.kinds[COMPARE_EVERYWHERE], c.total.cases);
    assert_int_equal(c.total.common, c.total.cases);
    assert_int_equal(c.group_count, 1);
    assert_string_equal(c.groups[0].group.parts[0].query, "dml.join:examples");
}

static void faults_are_described_as_regions(void **state)
{
    (void)state;
    const compare_backend list[] = { compare_rig_backend("faulty", "none", "good"),
                                     compare_rig_backend("faulty", "reject-8-bit", NULL),
                                     compare_rig_backend("faulty", "vector-tail", NULL) };
    if (!make(list, 3, "dml.slice1:pairwise where rank == 4"))
        fail_msg("%s", e.text);
    assert_int_equal(compare_status(&c), EXIT_FAILURES);
    assert_string_equal(c.sides[1].label, "faulty fault=reject-8-bit");
    assert_int_equal(c.total.common, c.total.cases);
    assert_int_equal(c.total.kinds[COMPARE_EVERYWHERE] + c.total.kinds[COMPARE_DIFFERS], c.total.cases);
    bool rejects = false;
    uint64_t cases = 0;
    for (size_t i = 0; i < c.group_count; ++i) {
        const compare_group *g = &c.groups[i];
        cases += g->group.cases;
        assert_int_equal(g->verdicts[0], VERDICT_PASS);
        const bool refused = g->verdicts[1] == VERDICT_REJECTED_VALID, wrong = g->verdicts[2] == VERDICT_MISMATCH;
        assert_string_equal(g->clauses, refused && wrong ? "SL-01 SL-10" : refused ? "SL-01" : wrong ? "SL-10" : "");
        if (refused)
            rejects |= strstr(g->group.parts[0].query, "dtype in {u8, i8}") != NULL;
        assert_non_null(strstr(g->group.parts[0].query, "rank == 4")); /* the run's own query is part of the region */
    }
    assert_true(rejects);
    assert_int_equal(cases, c.total.cases);
    cases = 0;
    for (size_t i = 0; i < c.type_count; ++i)
        cases += c.types[i].counts.cases;
    assert_int_equal(cases, c.total.cases);
}

static void unsupported_cases_are_no_failures(void **state)
{
    (void)state;
    const compare_backend list[] = { compare_rig_backend("cpu", NULL, NULL),
                                     compare_rig_backend("example", NULL, NULL) };
    if (!make(list, 2, "dml.element_wise_identity:examples"))
        fail_msg("%s", e.text);
    assert_int_equal(compare_status(&c), EXIT_CONFORMANT);
    assert_true(c.total.kinds[COMPARE_SUPPORTED_BY_SOME] > 0 && c.total.kinds[COMPARE_EVERYWHERE] > 0);
    const compare_group *g = group_of(COMPARE_SUPPORTED_BY_SOME);
    assert_int_equal(g->verdicts[0], VERDICT_PASS);
    assert_int_equal(g->verdicts[1], COMPARE_NOT_SUPPORTED);
    for (size_t i = 0; i < c.clause_count; ++i)
        assert_int_not_equal(compare_clause_overall(&c.clauses[i], 2), COMPARE_CLAUSE_VIOLATED);
    compare_free(&c);
    compare_set_free(&set);
    /* The example backend does not support this operator: it has no run, and the sides have no common case. */
    assert_true(make(list, 2, "dml.gather:examples"));
    assert_null(c.sides[1].store);
    assert_int_equal(c.total.common, 0);
    assert_int_equal(compare_status(&c), EXIT_NOT_RUN);
}

static void behaviours_in_unspecified_cases_are_compared(void **state)
{
    (void)state;
    static const char query[] = "dml.gather:examples where example == \"out-of-range\"";
    const compare_backend list[] = { compare_rig_backend("cpu", NULL, NULL),
                                     compare_rig_backend("faulty", "none", NULL),
                                     compare_rig_backend("faulty", "vector-tail", NULL) };
    assert_true(make(list, 2, query));
    assert_int_equal(c.behaviour_count, 1);
    assert_false(c.behaviours[0].differs);
    /* The other open question of the operator, which no case of the query asks. */
    char why[COMPARE_BEHAVIOUR_SIZE];
    assert_int_equal(c.open_count, 1);
    assert_string_equal(c.open[0].entry, "E-GA-9");
    assert_string_equal(compare_unanswered(&c, 0, c.open[0].op, false, why, sizeof why),
                        "no case that was compared asks it");
    assert_string_equal(compare_unanswered(&c, 0, "dml.slice1", true, why, sizeof why),
                        "it supports no case of dml.slice1");
    compare_free(&c);
    compare_set_free(&set);
    assert_true(make(list, 3, query));
    assert_int_equal(compare_status(&c), EXIT_CONFORMANT); /* ambiguous cases are not judged */
    assert_int_equal(c.behaviour_count, 2);
    assert_string_equal(c.behaviours[0].entry, "E-GA-10");
    assert_true(c.behaviours[0].differs && c.behaviours[1].differs);
    assert_string_equal(c.behaviours[0].behaviour, "other than our decision (not written)");
    assert_string_equal(c.behaviours[1].behaviour, "our decision (clamped index)");
    assert_true(c.behaviours[1].cases[0] > 0 && c.behaviours[1].cases[2] == 0 && c.behaviours[0].cases[2] > 0);
}

static void accepting_invalid_cases_violates_their_clause(void **state)
{
    (void)state;
    const compare_backend list[] = { compare_rig_backend("cpu", NULL, NULL),
                                     compare_rig_backend("faulty", "accept-zero-step", NULL) };
    if (!make(list, 2, "dml.slice1:invalid-SL-0*"))
        fail_msg("%s", e.text);
    const compare_group *g = group_of(COMPARE_DIFFERS);
    assert_int_equal(g->verdicts[1], VERDICT_ACCEPTED_INVALID);
    assert_int_equal(strlen(g->clauses), strlen("SL-00"));
    size_t satisfied = 0, violated = 0;
    for (size_t i = 0; i < c.clause_count; ++i) {
        const compare_clause *own = &c.clauses[i];
        compare_clause_state all = compare_clause_overall(own, 2);
        satisfied += all == COMPARE_CLAUSE_SATISFIED;
        violated += all == COMPARE_CLAUSE_VIOLATED;
        if (strcmp(own->id, g->clauses) == 0) {
            assert_int_equal(own->sides[0].state, COMPARE_CLAUSE_SATISFIED);
            assert_int_equal(own->sides[1].state, COMPARE_CLAUSE_VIOLATED);
        }
        if (strcmp(own->id, "BUF-01") == 0)
            assert_int_equal(all, COMPARE_CLAUSE_NOT_TESTED);
    }
    assert_true(satisfied > 0 && violated == 1);
}

static void runs_of_different_cases_are_rejected(void **state)
{
    (void)state;
    static const char *const queries[] = { "dml.slice1:examples", "dml.gather:examples" };
    char stored[2][128];
    const char *paths[] = { stored[0], stored[1], stored[0] };
    const compare_backend cpu = compare_rig_backend("cpu", NULL, "it");
    for (size_t i = 0; i < 2; ++i) {
        char into[100];
        const run_options o = compare_rig_options(&queries[i]);
        snprintf(into, sizeof into, "%s/%zu", compare_rig_folder, i);
        assert_true(compare_run_backends(&set, &cpu, 1, &o, into, &e));
        snprintf(stored[i], sizeof stored[i], "%s/1-it.run", into);
        assert_string_equal(set.sides[0].path, stored[i]);
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
    compare_set_free(&set); /* some platforms do not remove open files */
    testing_empty(compare_rig_folder, "");
}

static void labels_are_checked(void **state)
{
    (void)state;
    char label[COMPARE_LABEL_SIZE + 1];
    const compare_backend same[] = { compare_rig_backend("cpu", NULL, "x"), compare_rig_backend("cpu", NULL, "x") };
    memset(label, 'x', sizeof label - 1);
    label[sizeof label - 1] = '\0';
    const compare_backend one[] = { compare_rig_backend("cpu", NULL, label) };
    assert_false(make(same, 2, "dml.slice1:examples"));
    assert_non_null(strstr(e.text, "two backends have this label"));
    compare_set_free(&set);
    assert_false(make(one, 1, "dml.slice1:examples"));
    assert_int_equal(e.status, EXIT_BAD_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_are_classified_by_the_verdicts_of_all_sides),
        cmocka_unit_test_teardown(a_backend_agrees_with_itself, none_left),
        cmocka_unit_test_teardown(faults_are_described_as_regions, none_left),
        cmocka_unit_test_teardown(unsupported_cases_are_no_failures, none_left),
        cmocka_unit_test_teardown(behaviours_in_unspecified_cases_are_compared, none_left),
        cmocka_unit_test_teardown(accepting_invalid_cases_violates_their_clause, none_left),
        cmocka_unit_test_teardown(runs_of_different_cases_are_rejected, none_left),
        cmocka_unit_test_teardown(labels_are_checked, none_left),
    };
    return cmocka_run_group_tests(tests, compare_rig_set_up, compare_rig_tear_down);
}
