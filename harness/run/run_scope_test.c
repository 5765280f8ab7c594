/* SPDX-License-Identifier: Apache-2.0 */
/* The scope of runs: what a backend does not offer, and what --require demands. */
#include "harness/testing/run_rig.h"
#include "harness/run/merge.h"
#include "harness/store/summary.h"

#define MANY "dml.element_wise_identity:many" /* 8 + 64 sizes of each of f32, u8 and i64 */

/* A run of the backend `example`, which is f32 only, with a demand. */
static run_options demanding(const char *const *query, const char *const *required)
{
    run_options o = options_for(NULL, 2);
    o.backend = "example";
    o.queries = query;
    o.required = required;
    o.required_count = required ? 1 : 0;
    o.limits.seconds = 10;
    return o;
}

/* The facts that the run file stores. */
static scope_facts stored(const char *path)
{
    error e = { .text = "" };
    scope_facts f;
    store *s = store_open(path, &e);
    if (!s)
        fail_msg("%s", e.text);
    assert_true(scope_facts_read(&f, store_get(s, STORE_SCOPE)));
    store_close(s);
    return f;
}

static void headline_is(const char *path, const char *expected)
{
    error e = { .text = "" };
    summary m;
    text t = { .data = NULL };
    store *s = store_open(path, &e);
    if (!s || !summary_read(&m, s, &e))
        fail_msg("%s", e.text);
    summary_headline(&m, store_get(s, STORE_LEVEL), &t);
    assert_string_equal(t.data, expected);
    text_free(&t);
    summary_free(&m);
    store_close(s);
}

static void what_is_not_offered_is_counted(void **state)
{
    (void)state;
    static const char *const many[] = { MANY };
    run_options o = demanding(many, NULL);
    run_result r = ran(&o);
    assert_int_equal(r.planned, 72);
    assert_int_equal(run_status(&r), EXIT_CONFORMANT);
    scope_facts f = stored(o.output);
    assert_int_equal(f.refused.count, 2);
    assert_int_equal(f.refused.list[0].cases, 72);
    assert_int_equal(f.refused.list[1].cases, 72);
    assert_int_equal(f.offered.count, 1);
    assert_string_equal(f.offered.list[0].dtype, "f32");
    scope_facts_free(&f);
    char expected[400];
    size_t operators;
    operators_all(&operators);
    snprintf(expected, sizeof expected,
             "dml.element_wise_identity, f32: conformant in what was run: '" MANY "', at feature level 6_4 (72 cases). "
             "Not offered: u8 and i64. Not tried: %zu of %zu operators, 8 of 11 data types.",
             operators - 1, operators);
    headline_is(o.output, expected);
}

static void demand(const char *asked, const char *required, uint64_t cases, uint64_t refused, uint64_t untried)
{
    run_options o = demanding(&asked, &required);
    run_result r = ran(&o);
    scope_facts f = stored(o.output);
    assert_int_equal(f.demand_count, 1);
    assert_string_equal(f.demands[0].query, required);
    assert_int_equal(f.demands[0].cases, cases);
    assert_int_equal(scope_counts_sum(&f.demands[0].refused), refused);
    assert_int_equal(scope_counts_sum(&f.demands[0].untried), untried);
    assert_int_equal(r.absent, refused + untried);
    assert_int_equal(run_status(&r), refused + untried ? EXIT_NOT_RUN : EXIT_CONFORMANT);
    run_result again;
    error e = { .text = "" };
    assert_true(run_resume(&o, &again, &e)); /* which reports the result of a complete run */
    assert_int_equal(again.absent, r.absent);
    assert_int_equal(run_status(&again), run_status(&r));
    scope_facts_free(&f);
}

static void absent_cases_are_counted(void **state)
{
    (void)state;
    demand("*", MANY " where dtype == \"f32\"", 72, 0, 0);
    demand("*", MANY, 216, 144, 0);
    demand(MANY, "dml.element_wise_identity", 216 + 64, 144, 64);
    demand("dml.element_wise_identity:few", MANY, 216, 0, 216);
    demand(MANY " where rank == 1", MANY " where dtype == \"u8\"", 72, 8, 64);
    demand(MANY " where rank == 1", MANY ":dtype=u8,size=4.1", 1, 0, 1);
    demand(MANY, MANY ":dtype=u8,size=4.1", 1, 1, 0);
    demand(MANY, MANY ":size=4.1", 1, 0, 0);
    demand(MANY ":size=4.1", MANY ":size=4.1", 1, 0, 0);
}

static void shards_have_the_absent_cases_of_the_whole(void **state)
{
    (void)state;
    static const char *const few_of_many[] = { MANY " where rank == 2" }, *const required[] = { MANY };
    const char *paths[] = { in_folder("1.run"), in_folder("2.run"), in_folder("3.run") };
    run_options o = demanding(few_of_many, required);
    run_result merged;
    error e = { .text = "" };
    uint64_t refused = 0;
    for (unsigned i = 0; i < 3; ++i) {
        o.output = paths[i];
        o.shard = i + 1;
        o.shards = 3;
        ran(&o);
        scope_facts f = stored(o.output);
        refused += scope_counts_sum(&f.demands[0].refused);
        assert_int_equal(scope_counts_sum(&f.demands[0].untried), 24);
        scope_facts_free(&f);
    }
    assert_int_equal(refused, 128);
    remove(in_folder("all.run"));
    if (!merge_runs(in_folder("all.run"), paths, 3, &merged, &e))
        fail_msg("%s", e.text);
    assert_int_equal(merged.absent, 128 + 24);
    assert_int_equal(run_status(&merged), EXIT_NOT_RUN);
    scope_facts f = stored(in_folder("all.run"));
    assert_int_equal(scope_facts_absent(&f), 128 + 24);
    scope_facts_free(&f);
}

static void shards_with_other_demands_are_not_merged(void **state)
{
    (void)state;
    static const char *const required[] = { MANY };
    const char *paths[] = { in_folder("1.run"), in_folder("2.run") };
    run_result r;
    error e = { .text = "" };
    for (unsigned i = 0; i < 2; ++i) {
        run_options o = demanding(required, i ? required : NULL);
        o.output = paths[i];
        o.shard = i + 1;
        o.shards = 2;
        ran(&o);
    }
    remove(in_folder("all.run"));
    assert_false(merge_runs(in_folder("all.run"), paths, 2, &r, &e));
    assert_non_null(strstr(e.text, "another --require"));
}

static void wrong_demands_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *required, *message;
    } wrong[] = { { "dml.slice7", "there is no operator 'dml.slice7'" },
                  { "dml.slice1", "--require 'dml.slice1': selects no case" } };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        run_options o = demanding(identity, &wrong[i].required);
        run_result r;
        error e = { .text = "" };
        assert_false(run_execute(&o, &r, &e));
        assert_int_equal(e.status, EXIT_BAD_USAGE);
        assert_non_null(strstr(e.text, wrong[i].message));
        assert_int_not_equal(access(o.output, F_OK), 0);
    }
}

int main(void)
{
    worker_run_if_spawned();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(what_is_not_offered_is_counted, no_runs),
        cmocka_unit_test_teardown(absent_cases_are_counted, no_runs),
        cmocka_unit_test_teardown(shards_have_the_absent_cases_of_the_whole, no_runs),
        cmocka_unit_test_teardown(shards_with_other_demands_are_not_merged, no_runs),
        cmocka_unit_test_teardown(wrong_demands_are_refused, no_runs),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
