/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of backends that are nondeterministic: failure rates, the shuffled pass, and flake bisection. */
#include "harness/run/merge.h"
#include "harness/testing/run_rig.h"
#include "harness/store/store_rerun.h"

#include <sqlite3.h>

static const char *const many[] = { "dml.element_wise_identity:many" };

#define ROWS 512

/* The findings of a run. */
typedef struct seen {
    uint64_t findings, rated, dependent;
    char id[256], depends[512], rate[32], detail[1400], reproducer[1400]; /* of the first finding that depends on other
                                                                             cases, else of the first one */
    char all[ROWS * 8];                                                   /* indices and verdicts of all findings */
} seen;

static void keep(char *to, size_t size, const char *text)
{
    snprintf(to, size, "%s", text ? text : "");
}

static bool see(void *context, const store_finding *f)
{
    seen *s = context;
    const size_t used = strlen(s->all);
    snprintf(s->all + used, sizeof s->all - used, "%d:%d ", (int)f->index, (int)f->verdict);
    if (s->findings == 0 || (f->depends && !s->dependent)) {
        keep(s->id, sizeof s->id, f->case_id);
        keep(s->depends, sizeof s->depends, f->depends);
        keep(s->rate, sizeof s->rate, f->rate);
        keep(s->detail, sizeof s->detail, f->detail);
        keep(s->reproducer, sizeof s->reproducer, f->reproducer);
    }
    s->findings++;
    s->rated += f->rate != NULL;
    s->dependent += f->depends != NULL;
    return true;
}

static seen read_findings(const char *path)
{
    seen s = { .findings = 0 };
    error e = { .text = "" };
    store *run = store_open(path, &e);
    if (!run || !store_each_finding(run, 0, 0, see, &s, &e))
        fail_msg("%s", e.text);
    store_close(run);
    return s;
}

static void has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" has not \"%s\"", text, part);
}

static run_options shuffled(const ts_option *fault, unsigned workers)
{
    run_options o = options_for(fault, workers);
    o.queries = many;
    o.shuffle = true;
    o.seed = 1;
    return o;
}

/* Run the cases of a finding in its order, and count the failures. */
static uint64_t failures_in_order(const ts_option *fault, const seen *s, bool with_others)
{
    const char *ids[8];
    char text[sizeof s->depends + sizeof s->id + 1];
    run_options o = options_for(fault, 2);
    snprintf(text, sizeof text, "%s %s", with_others ? s->depends : "", s->id);
    o.queries = ids;
    o.query_count = 0;
    for (char *id = strtok(text, " "); id && o.query_count < 8; id = strtok(NULL, " "))
        ids[o.query_count++] = id;
    o.in_order = true;
    o.output = in_folder("in_order.run");
    run_result r = ran(&o);
    assert_int_equal(r.planned, o.query_count);
    assert_int_equal(r.ran, r.planned);
    return r.planned - r.cases[VERDICT_PASS];
}

static void a_correct_backend_passes_in_any_order(void **state)
{
    (void)state;
    run_options o = options_for(NULL, 2);
    const run_result plain = ran(&o);
    for (unsigned workers = 1; workers <= 3; workers += 2)
        for (uint64_t seed = 0; seed < 3; ++seed) {
            o = options_for(NULL, workers);
            o.shuffle = true;
            o.seed = seed;
            run_result r = ran(&o);
            assert_int_equal(run_status(&r), EXIT_CONFORMANT);
            assert_int_equal(r.to_shuffle, r.planned);
            assert_int_equal(r.shuffled, r.planned);
            assert_int_equal(r.changed, 0);
            assert_string_equal(r.digest, plain.digest);
        }
    o = options_for(NULL, 0);
    o.repeat = 3;
    run_result r = ran(&o);
    assert_string_equal(r.digest, plain.digest);
}

static void a_finding_has_a_failure_rate(void **state)
{
    (void)state;
    const ts_option options[] = { { "fault", "flaky-quarter" }, { "batch", "1" } };
    for (unsigned workers = 0; workers <= 2; workers += 2) {
        run_options o = options_for(options, workers);
        o.backend_option_count = 2;
        o.repeat = 8;
        run_result r = ran(&o);
        seen s = read_findings(o.output);
        assert_int_equal(r.cases[VERDICT_NONDETERMINISTIC], r.planned); /* each is executed 8 times, and fails twice */
        assert_int_equal(s.rated, s.findings);
        assert_string_equal(s.rate, "2 of 8");
        has(s.detail, "It failed in 2 of 8 executions of the same call: pass 6 times, OutputTensor");
        has(s.reproducer, " --repeat 20");
        o.repeat = 1; /* a failed case is always executed 16 times */
        r = ran(&o);
        s = read_findings(o.output);
        assert_true(r.cases[VERDICT_NONDETERMINISTIC] > 0 && r.cases[VERDICT_NONDETERMINISTIC] < r.planned);
        assert_string_equal(s.rate, "4 of 16");
    }
}

/* A case that always fails has no failure rate. */
static void a_deterministic_failure_stays_one(void **state)
{
    (void)state;
    const ts_option fault = { "fault", "first-element" };
    run_options o = shuffled(&fault, 2);
    o.repeat = 2;
    run_result r = ran(&o);
    seen s = read_findings(o.output);
    assert_int_equal(r.cases[VERDICT_MISMATCH], r.planned);
    assert_int_equal(r.changed, 0);
    assert_int_equal(s.rated + s.dependent, 0);
    assert_null(strstr(s.detail, "depends"));
}

static void bisection_finds_the_case_that_a_failure_depends_on(void **state)
{
    (void)state;
    const ts_option fault = { "fault", "order-after-large" };
    for (unsigned workers = 1; workers <= 3; workers += 2) {
        run_options o = options_for(&fault, workers);
        run_result r = ran(&o);
        seen s = read_findings(o.output);
        assert_true(r.cases[VERDICT_MISMATCH] > 0);
        assert_true(s.dependent > 0);
        assert_null(strchr(s.depends, ' ')); /* one case */
        has(s.detail, "It depends on the cases before it: it fails only after dml.element_wise_identity:");
        has(s.detail, "alone in a new process it passed 8 times of 8.");
        has(s.reproducer, "touchstone run --in-order 'dml.element_wise_identity:");
        assert_int_equal(failures_in_order(&fault, &s, true), 1);
        assert_int_equal(failures_in_order(&fault, &s, false), 0);
    }
}

static void bisection_finds_two_cases_that_are_needed_together(void **state)
{
    (void)state;
    const ts_option fault = { "fault", "order-after-two" };
    run_options o = options_for(&fault, 1);
    ran(&o);
    seen s = read_findings(o.output);
    assert_true(s.dependent > 0);
    const char *blank = strchr(s.depends, ' ');
    assert_true(blank && !strchr(blank + 1, ' '));
    assert_int_equal(failures_in_order(&fault, &s, true), 1);
    memmove(s.depends, blank + 1, strlen(blank)); /* the second alone is not enough */
    assert_int_equal(failures_in_order(&fault, &s, true), 0);
}

static void the_shuffled_pass_finds_order_dependence(void **state)
{
    (void)state;
    const ts_option fault = { "fault", "order-returned" };
    run_options o = shuffled(&fault, 1);
    o.shuffle = false;
    run_result r = ran(&o);
    assert_int_equal(run_status(&r), EXIT_CONFORMANT);
    char digest[33] = "";
    seen first = { .findings = 0 };
    for (int turn = 0; turn < 2; ++turn) {
        o = shuffled(&fault, 1);
        r = ran(&o);
        seen s = read_findings(o.output);
        assert_int_equal(run_status(&r), EXIT_FAILURES);
        assert_int_equal(r.ran, r.planned);
        assert_true(r.changed > 0);
        assert_int_equal(r.cases[VERDICT_NONDETERMINISTIC], r.changed);
        assert_int_equal(s.findings, r.changed);
        assert_int_equal(s.rated, s.findings);
        assert_string_equal(s.rate, "1 of 2");
        assert_true(s.dependent > 0);
        has(s.detail, "The result was pass in the ordered pass, and mismatch in the shuffled pass with seed 1.");
        assert_int_equal(failures_in_order(&fault, &s, true), 1);
        if (turn == 0) {
            memcpy(digest, r.digest, sizeof digest);
            first = s;
        }
        assert_string_equal(r.digest, digest);
        assert_string_equal(s.all, first.all);
        assert_string_equal(s.depends, first.depends);
    }
}

/* The tallies of the file equal the counts of the result. */
static void the_shuffled_pass_corrects_the_tallies(void **state)
{
    (void)state;
    const ts_option fault = { "fault", "order-returned" };
    run_options o = shuffled(&fault, 1);
    const run_result r = ran(&o);
    sqlite3 *db;
    sqlite3_stmt *row;
    assert_int_equal(sqlite3_open_v2(o.output, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT verdict, sum(cases) FROM tally GROUP BY verdict", -1, &row, NULL),
                     SQLITE_OK);
    uint64_t counted = 0;
    while (sqlite3_step(row) == SQLITE_ROW) {
        const uint64_t cases = (uint64_t)sqlite3_column_int64(row, 1);
        assert_int_equal(cases, r.cases[sqlite3_column_int(row, 0) % VERDICT_COUNT]);
        counted += cases;
    }
    assert_int_equal(counted, r.planned);
    sqlite3_finalize(row);
    sqlite3_close(db);
}

/* A process that ends in the shuffled pass only: the finding names the case, and the cases that it depends on. */
static void the_shuffled_pass_finds_crashes(void **state)
{
    (void)state;
    static const char *const batches[] = { "1", "16" };
    const ts_option fault = { "fault", "process-order" };
    run_options o = shuffled(&fault, 1);
    o.shuffle = false;
    run_result r = ran(&o);
    assert_int_equal(run_status(&r), EXIT_CONFORMANT);
    for (size_t i = 0; i < 2; ++i) {
        const ts_option options[] = { fault, { "batch", batches[i] } };
        o = shuffled(options, 2);
        o.backend_option_count = 2;
        r = ran(&o);
        seen s = read_findings(o.output);
        assert_int_equal(r.shuffled, r.to_shuffle);
        assert_true(r.cases[VERDICT_NONDETERMINISTIC] > 5);
        assert_int_equal(r.cases[VERDICT_NONDETERMINISTIC] + r.cases[VERDICT_PASS], r.planned);
        assert_true(s.dependent > 0);
        has(s.detail, "the backend ended with exit status 0. The result was pass in the ordered pass,");
        has(s.depends, "many:rank=1");
    }
    o = shuffled(&fault, 1); /* the number of lost processes is bounded */
    o.limits.losses = 3;
    r = ran(&o);
    assert_true(r.gave_up && r.shuffled < r.to_shuffle);
    assert_int_not_equal(run_status(&r), EXIT_CONFORMANT);
}

/* ---- shards and resume ---- */

static void merged_shuffled_shards_equal_the_whole_run(void **state)
{
    (void)state;
    static const char *const names[] = { "s1.run", "s2.run", "other.run" };
    const char *paths[3];
    error e = { .text = "" };
    run_options o = options_for(NULL, 1);
    o.shuffle = true;
    const run_result whole = ran(&o);
    run_result merged;
    for (uint64_t i = 0; i < 3; ++i) {
        paths[i] = strdup(in_folder(names[i]));
        o.output = paths[i];
        o.shard = i ? 2 : 1;
        o.shards = 2;
        o.seed = i < 2 ? 0 : 9;
        ran(&o);
    }
    const char *const foreign[] = { paths[0], paths[2] };
    assert_false(merge_runs(in_folder("m.run"), foreign, 2, &merged, &e));
    has(e.text, "has another seed of the shuffled pass (9)");
    if (!merge_runs(in_folder("m.run"), paths, 2, &merged, &e))
        fail_msg("%s", e.text);
    assert_string_equal(merged.digest, whole.digest);
    const run_options again = { .output = in_folder("m.run"), .workers = 1 };
    if (!run_resume(&again, &merged, &e)) /* no case is left */
        fail_msg("%s", e.text);
    assert_string_equal(merged.digest, whole.digest);
    for (size_t i = 0; i < 3; ++i)
        free((void *)(uintptr_t)paths[i]);
}

static bool mark_any(void *context, uint64_t block)
{
    (void)block;
    *(bool *)context = true;
    return false;
}

static bool is_in_the_shuffled_pass(store *s)
{
    bool any = false;
    error e;
    return store_each_shuffled(s, 1, mark_any, &any, &e) && any;
}

/* Killed after a block, while candidates wait for bisection. */
static void a_run_is_resumed_in_its_shuffled_pass(void **state)
{
    (void)state;
    const ts_option fault = { "fault", "order-returned" };
    run_options o = shuffled(&fault, 1);
    run_result whole = ran(&o), again;
    const seen all = read_findings(o.output);
    error e = { .text = "" };
    o.output = in_folder("k.run");
    assert_true(kill_a_run(&o, is_in_the_shuffled_pass));
    const run_options none = { .output = o.output, .workers = 0 };
    do /* until its workers have ended, which hold the lock too */
        assert_false(run_resume(&none, &again, &e));
    while (strstr(e.text, "another process") && usleep(1000) == 0);
    has(e.text, "which needs worker processes");
    const run_options resumed = { .output = o.output, .workers = 2 };
    if (!run_resume(&resumed, &again, &e))
        fail_msg("%s", e.text);
    const seen s = read_findings(o.output);
    assert_string_equal(again.digest, whole.digest);
    assert_memory_equal(again.cases, whole.cases, sizeof whole.cases);
    assert_string_equal(s.all, all.all);
    assert_string_equal(s.depends, all.depends);
    assert_int_equal(s.dependent, all.dependent);
}

/* Killed between the passes: a plain run whose configuration is changed to have a shuffled pass. */
static void a_run_is_resumed_before_its_shuffled_pass(void **state)
{
    (void)state;
    const ts_option fault = { "fault", "order-returned" };
    run_options o = shuffled(&fault, 1);
    const run_result whole = ran(&o);
    const seen all = read_findings(o.output);
    o.shuffle = false;
    o.seed = 1;
    ran(&o);
    error e = { .text = "" };
    store *s = store_open(o.output, &e);
    char run_config[1024];
    keep(run_config, sizeof run_config, store_get(s, STORE_RUN_CONFIG));
    char *at = strstr(run_config, "\"shuffle\":false");
    assert_non_null(at);
    memcpy(at, "\"shuffle\":true ", strlen("\"shuffle\":false"));
    assert_true(store_set(s, STORE_RUN_CONFIG, run_config, &e) && store_set(s, STORE_STATE, "running", &e));
    store_close(s);
    const run_options resumed = { .output = o.output, .workers = 1 };
    run_result again;
    if (!run_resume(&resumed, &again, &e))
        fail_msg("%s", e.text);
    const seen now = read_findings(o.output);
    assert_string_equal(again.digest, whole.digest);
    assert_string_equal(now.all, all.all);
    assert_string_equal(now.depends, all.depends);
}

/* ---- --in-order ---- */

static void in_order_accepts_ids_only(void **state)
{
    (void)state;
    static const struct {
        const char *queries[2];
        const char *message;
    } rows[] = {
        { { "dml.element_wise_identity:many:dtype=u8", "dml.element_wise_identity:many" }, "is no id of a case" },
        { { "dml.element_wise_identity:many:dtype=u8,*", "dml.element_wise_identity:few:" }, "is no id of a case" },
        { { "dml.element_wise_identity:many:dtype=u8", "dml.element_wise_identity:many:dtype=u8" }, "named twice" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        run_options o = options_for(NULL, 1);
        run_result r;
        error e = { .text = "" };
        o.queries = rows[i].queries;
        o.query_count = 2;
        o.in_order = true;
        remove(o.output);
        assert_false(run_execute(&o, &r, &e));
        has(e.text, rows[i].message);
        assert_int_equal(e.status, EXIT_BAD_USAGE);
    }
    /* Cases of two tests, not in the order of the plan. Such a run cannot be resumed. */
    static const char *const ids[] = { "dml.element_wise_identity:few:size=1.1",
                                       "dml.element_wise_identity:many:dtype=u8",
                                       "dml.element_wise_identity:few:size=2.1" };
    run_options o = options_for(NULL, 3);
    run_result r;
    error e = { .text = "" };
    o.queries = ids;
    o.query_count = 3;
    o.in_order = true;
    r = ran(&o);
    assert_int_equal(r.ran, 3);
    assert_int_equal(run_status(&r), EXIT_CONFORMANT);
    const run_options again = { .output = o.output, .workers = 1 };
    assert_false(run_resume(&again, &r, &e));
    has(e.text, "was run with --in-order");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_correct_backend_passes_in_any_order, no_runs),
        cmocka_unit_test_setup(a_finding_has_a_failure_rate, no_runs),
        cmocka_unit_test_setup(a_deterministic_failure_stays_one, no_runs),
        cmocka_unit_test_setup(bisection_finds_the_case_that_a_failure_depends_on, no_runs),
        cmocka_unit_test_setup(bisection_finds_two_cases_that_are_needed_together, no_runs),
        cmocka_unit_test_setup(the_shuffled_pass_finds_order_dependence, no_runs),
        cmocka_unit_test_setup(the_shuffled_pass_corrects_the_tallies, no_runs),
        cmocka_unit_test_setup(the_shuffled_pass_finds_crashes, no_runs),
        cmocka_unit_test_setup(merged_shuffled_shards_equal_the_whole_run, no_runs),
        cmocka_unit_test_setup(a_run_is_resumed_in_its_shuffled_pass, no_runs),
        cmocka_unit_test_setup(a_run_is_resumed_before_its_shuffled_pass, no_runs),
        cmocka_unit_test_setup(in_order_accepts_ids_only, no_runs),
    };
    worker_run_if_spawned();
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
