/* SPDX-License-Identifier: Apache-2.0 */
/* Runs before and after the suite changed: only the operators that changed are refused, by their names. */
#include "harness/run/merge.h"
#include "harness/run/run_suite.h"
#include "harness/testing/run_rig.h"

#define IDENTITY "dml.element_wise_identity"

static const char *const both[] = { IDENTITY ":few", "dml.gather:none" };
static const char *const everything[] = { "*" };

/* Change what the case file of dml.gather means, or write it as it was. */
static void change_gather(bool change)
{
    const ts_operator *op = operators_find("dml.gather");
    assert_int_equal(case_files_write_minimal(folder, op), 0);
    if (!change)
        return;
    FILE *file = fopen(in_folder("dml/gather.lua"), "ab");
    assert_non_null(file);
    fputs("local changed = true\n", file);
    fclose(file);
}

static void resume(const char *path, const char *refused, const char *not_named)
{
    const run_options o = { .output = path, .workers = 1 };
    run_result r;
    error e = { .text = "" };
    const bool fine = run_resume(&o, &r, &e);
    if (fine != (refused == NULL) || (refused && !strstr(e.text, refused)) || (not_named && strstr(e.text, not_named)))
        fail_msg("resume: '%s'", e.text);
}

static void a_changed_operator_is_refused_by_name(void **state)
{
    (void)state;
    run_options o = options_for(NULL, 1);
    ran(&o);
    o.queries = both;
    o.query_count = 2;
    o.output = in_folder("both.run");
    ran(&o);
    change_gather(true);
    resume(in_folder("a.run"), NULL, NULL); /* has not used it */
    resume(in_folder("both.run"), "another reference of dml.gather than", IDENTITY);
    change_gather(false);
    resume(in_folder("both.run"), NULL, NULL);
}

static void an_added_operator_does_not_end_a_run(void **state)
{
    (void)state;
    run_options o = options_for(NULL, 1);
    error e = { .text = "" };
    o.queries = everything;
    o.query_count = 1;
    o.operators = identity; /* as if there were no other operators yet */
    o.operator_count = 1;
    const run_result first = ran(&o);
    const run_options again = { .output = o.output, .workers = 1 };
    run_result r;
    if (!run_resume(&again, &r, &e))
        fail_msg("%s", e.text);
    assert_string_equal(r.digest, first.digest);
    assert_int_equal(r.planned, first.planned);
    store *s = store_open(o.output, &e);
    run_suite suite;
    char names[RUN_SUITE_NAMES];
    assert_true(run_suite_read(&suite, s, &e));
    assert_int_equal(suite.count, 1);
    assert_true(suite.operators[0].same && !run_suite_changed(&suite, names));
    run_suite_free(&suite);
    store_close(s);
}

static void shards_of_a_changed_operator_are_not_merged(void **state)
{
    (void)state;
    char paths[2][64]; /* in_folder has room for few */
    const char *shards[] = { paths[0], paths[1] };
    snprintf(paths[0], sizeof paths[0], "%s", in_folder("1.run"));
    snprintf(paths[1], sizeof paths[1], "%s", in_folder("2.run"));
    run_options o = options_for(NULL, 1);
    run_result r;
    error e = { .text = "" };
    o.queries = both;
    o.query_count = 2;
    o.shards = 2;
    for (o.shard = 1; o.shard <= 2; ++o.shard) {
        o.output = shards[o.shard - 1];
        change_gather(o.shard == 2);
        ran(&o);
    }
    change_gather(false);
    assert_false(merge_runs(in_folder("all.run"), shards, 2, &r, &e));
    if (!strstr(e.text, "another reference of dml.gather than") || strstr(e.text, IDENTITY))
        fail_msg("'%s'", e.text);
    remove(shards[1]);
    o.shard = 2;
    o.output = shards[1];
    ran(&o);
    if (!merge_runs(in_folder("all.run"), shards, 2, &r, &e))
        fail_msg("%s", e.text);
    store *s = store_open(in_folder("all.run"), &e);
    run_suite suite;
    assert_true(run_suite_read(&suite, s, &e));
    assert_int_equal(suite.count, 2);
    run_suite_free(&suite);
    store_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_changed_operator_is_refused_by_name, no_runs),
        cmocka_unit_test_setup(an_added_operator_does_not_end_a_run, no_runs),
        cmocka_unit_test_setup(shards_of_a_changed_operator_are_not_merged, no_runs),
    };
    worker_run_if_spawned();
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
