/* SPDX-License-Identifier: Apache-2.0 */
/* Runs whose workers die, runs that are resumed, and shards. */
#include "harness/run/merge.h"
#include "harness/base/platform.h"
#include "harness/testing/run_rig.h"

typedef struct seen {
    uint64_t count, last_index;
    char detail[400], digest[33];
    uint64_t observations;
} seen;

static bool add_finding(void *context, const store_finding *f)
{
    seen *t = context;
    t->count++;
    t->last_index = f->index;
    snprintf(t->detail, sizeof t->detail, "%s", f->detail);
    return true;
}

static bool add_observation(void *context, const store_observation *o)
{
    seen *t = context;
    (void)o;
    t->observations++;
    return true;
}

static seen read_run(const char *path)
{
    seen t = { .count = 0 };
    error e = { .text = "" };
    store *s = store_open(path, &e);
    if (!s || !store_each_finding(s, 0, 0, add_finding, &t, &e) || !store_each_observation(s, add_observation, &t, &e))
        fail_msg("%s", e.text);
    snprintf(t.digest, sizeof t.digest, "%s", store_get(s, STORE_DIGEST) ? store_get(s, STORE_DIGEST) : "");
    store_close(s);
    return t;
}

static const ts_option marked = { "fault", "process-storm-marked" };

/* Whatever ends a worker, only the responsible case fails, for any number of workers. */
static void a_finding_names_the_signal_that_ended_its_worker(void **state)
{
    (void)state;
    static const struct {
        ts_option options[2];
        verdict verdict;
        const char *detail;
    } rows[] = {
        { { { "fault", "process-crash" } }, VERDICT_CRASH, "the backend ended in SIGSEGV, writing to address 0x40" },
        { { { "fault", "process-abort" } }, VERDICT_CRASH, "the backend ended in SIGABRT" },
        { { { "fault", "process-exit" } }, VERDICT_CRASH, "the backend ended with exit status" },
        { { { "fault", "process-hang" } }, VERDICT_HANG, "the backend did not come back within 0.1 s" },
        { { { "fault", "process-deaf" } }, VERDICT_HANG, "the backend did not come back within 0.1 s" },
        /* One case per submission: the worker had not reported the cases before it in the chunk. */
        { { { "fault", "process-exit" }, { "batch", "1" } }, VERDICT_CRASH, "the backend ended with exit status" },
    };
    uint64_t hit = 0;
    char digests[2][33];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        for (unsigned workers = 1; workers <= 3; workers += 2) {
            run_options o = options_for(rows[i].options, workers);
            o.backend_option_count = rows[i].options[1].key ? 2 : 1;
            if (rows[i].verdict != VERDICT_HANG)
                o.limits.seconds = 10; /* a sanitizer makes an exit slow */
            run_result r = ran(&o);
            seen t = read_run(o.output);
            if (i == 0 && workers == 1) {
                hit = r.cases[rows[i].verdict];
                assert_true(hit > 2);
            }
            assert_int_equal(r.ran, r.planned);
            assert_int_equal(r.cases[rows[i].verdict], hit);
            assert_int_equal(r.cases[VERDICT_PASS], r.planned - hit);
            assert_int_equal(t.count, hit);
            if (!strstr(t.detail, rows[i].detail))
                fail_msg("\"%s\" has not \"%s\"", t.detail, rows[i].detail);
            /* The digest depends on the verdicts, not on how a process ended. */
            char *digest = digests[rows[i].verdict == VERDICT_HANG];
            if (workers == 1 && (i == 0 || i == 3))
                memcpy(digest, r.digest, sizeof digests[0]);
            assert_string_equal(r.digest, digest);
            assert_int_equal(run_status(&r), EXIT_FAILURES);
        }
}

/* The cases that one run marks are those that crash, hang or write outside in the other. */
static void a_crash_storm_has_exactly_the_planted_findings(void **state)
{
    (void)state;
    static const ts_option storm = { "fault", "process-storm" };
    run_options o = options_for(&marked, 2);
    run_result planted = ran(&o);
    seen first = read_run(o.output);
    o = options_for(&storm, 2);
    run_result r = ran(&o);
    seen second = read_run(o.output);
    assert_true(planted.cases[VERDICT_WROTE_OUTSIDE] > 6);
    assert_int_equal(r.cases[VERDICT_PASS], planted.cases[VERDICT_PASS]);
    assert_true(r.cases[VERDICT_CRASH] > 0 && r.cases[VERDICT_HANG] > 0 && r.cases[VERDICT_WROTE_OUTSIDE] > 0);
    assert_int_equal(second.count, first.count);
    assert_int_equal(second.last_index, first.last_index);
}

/* If every case ends the process, a bounded number of cases is executed. */
static void a_test_that_always_ends_the_backend_is_abandoned(void **state)
{
    (void)state;
    static const ts_option always = { "fault", "process-always" };
    run_options o = options_for(&always, 2);
    o.limits.losses = 20;
    run_result r = ran(&o);
    seen t = read_run(o.output);
    assert_true(r.gave_up);
    assert_true(r.ran >= 20 && r.ran < r.planned && r.ran <= 3 * 20 + 4);
    assert_true(t.observations > 0);
    assert_int_equal(run_status(&r), EXIT_FAILURES);
}

static void the_number_of_workers_does_not_change_the_digest(void **state)
{
    (void)state;
    char digest[33] = "";
    for (unsigned workers = 0; workers <= 4; ++workers) {
        run_options o = options_for(NULL, workers);
        run_result r = ran(&o);
        assert_int_equal(r.ran, r.planned);
        assert_int_equal(run_status(&r), EXIT_CONFORMANT);
        if (workers == 0)
            memcpy(digest, r.digest, sizeof digest);
        assert_string_equal(r.digest, digest);
    }
}

/* Which findings are retained does not depend on the order in which they are found. */
static void the_first_findings_are_retained(void **state)
{
    (void)state;
    static const ts_option every = { "fault", "first-element" };
    seen retained[3];
    for (unsigned workers = 0; workers <= 2; ++workers) {
        run_options o = options_for(&every, workers);
        o.max_findings = 5;
        ran(&o);
        retained[workers] = read_run(o.output);
        assert_int_equal(retained[workers].count, 10); /* of two tests */
        assert_int_equal(retained[workers].last_index, retained[0].last_index);
    }
}

/* ---- shards ---- */

static void merge_fails(const char *const *shards, size_t count, const char *expected)
{
    run_result r;
    error e = { .text = "" };
    assert_false(merge_runs(in_folder("m.run"), shards, count, &r, &e));
    if (!strstr(e.text, expected))
        fail_msg("\"%s\" has not \"%s\"", e.text, expected);
    assert_int_equal(e.status, EXIT_BAD_USAGE);
    assert_int_not_equal(access(in_folder("m.run"), F_OK), 0);
}

static void merged_shards_equal_the_whole_run(void **state)
{
    (void)state;
    static const char *const names[] = { "s1.run", "s2.run", "s3.run" };
    const char *paths[3];
    error e = { .text = "" };
    run_options o = options_for(&marked, 1);
    run_result whole = ran(&o), merged;
    seen all = read_run(o.output);
    uint64_t planned = 0;
    for (uint64_t i = 0; i < 3; ++i) {
        paths[i] = strdup(in_folder(names[i]));
        o.output = paths[i];
        o.shard = i + 1;
        o.shards = 3;
        run_result part = ran(&o);
        assert_true(part.planned > 0 && part.planned < whole.planned);
        assert_int_equal(part.ran, part.planned);
        planned += part.planned;
    }
    assert_int_equal(planned, whole.planned);
    const char *const mixed[] = { paths[2], paths[0], paths[1] };
    if (!merge_runs(in_folder("m.run"), mixed, 3, &merged, &e))
        fail_msg("%s", e.text);
    assert_string_equal(merged.digest, whole.digest);
    assert_int_equal(merged.planned, whole.planned);
    assert_memory_equal(merged.cases, whole.cases, sizeof whole.cases);
    seen together = read_run(in_folder("m.run"));
    assert_string_equal(together.digest, whole.digest);
    assert_int_equal(together.count, all.count);
    assert_int_equal(together.last_index, all.last_index);
    remove(in_folder("m.run"));

    const char *const twice[] = { paths[0], paths[1], paths[1] };
    merge_fails(twice, 3, "are both shard 2 of 3");
    merge_fails(mixed, 2, "shard 2 of 3 is missing");
    const char *const foreign[] = { paths[0], in_folder("a.run") };
    merge_fails(foreign, 2, "is no shard");
    const char *const none[] = { in_folder("none.run") };
    merge_fails(none, 1, "there is no such run");
    o = options_for(NULL, 1);
    o.output = in_folder("other.run");
    o.shard = 2;
    o.shards = 3;
    ran(&o);
    const char *const others[] = { paths[0], in_folder("other.run"), paths[2] };
    merge_fails(others, 3, "has another backend");
    for (size_t i = 0; i < 3; ++i)
        free((void *)(uintptr_t)paths[i]);
}

/* ---- resume ---- */

static bool has_run_config(store *s)
{
    return store_get(s, STORE_RUN_CONFIG) != NULL;
}

static void a_killed_run_is_resumed(void **state)
{
    (void)state;
    static const ts_option hang = { "fault", "process-hang" }; /* slow enough to be killed in the middle */
    run_options o = options_for(&hang, 2);
    run_result whole = ran(&o), again;
    seen all = read_run(o.output);
    error e = { .text = "" };
    o.output = in_folder("k.run");
    assert_true(kill_a_run(&o, has_run_config));
    const run_options resumed = { .output = o.output, .workers = 1 };
#if !defined(_WIN32) /* a worker that was forked at the moment of the kill has the lock until it runs */
    const int lock = platform_lock_file(o.output);
    const pid_t orphan = fork();
    if (orphan == 0) {
        usleep(300000);
        _exit(0);
    }
    platform_unlock_file(lock);
#endif
    if (!run_resume(&resumed, &again, &e))
        fail_msg("%s", e.text);
#if !defined(_WIN32)
    waitpid(orphan, NULL, 0); /* if the run has not, which takes what ends while it waits */
#endif
    assert_string_equal(again.digest, whole.digest);
    assert_int_equal(again.planned, whole.planned);
    assert_int_equal(again.ran, whole.planned);
    assert_memory_equal(again.cases, whole.cases, sizeof whole.cases);
    seen together = read_run(o.output);
    assert_int_equal(together.count, all.count);
    assert_int_equal(together.last_index, all.last_index);
    if (!run_resume(&resumed, &again, &e)) /* no case is left */
        fail_msg("%s", e.text);
    assert_string_equal(again.digest, whole.digest);
}

static void resume_fails(const char *path, const char *expected)
{
    const run_options o = { .output = path, .workers = 1 };
    run_result r;
    error e = { .text = "" };
    assert_false(run_resume(&o, &r, &e));
    if (!strstr(e.text, expected))
        fail_msg("\"%s\" has not \"%s\"", e.text, expected);
    assert_int_equal(e.status, EXIT_BAD_USAGE);
}

static void a_run_of_another_suite_is_not_resumed(void **state)
{
    (void)state;
    error e;
    run_options o = options_for(NULL, 1);
    resume_fails(in_folder("none.run"), "there is no such run");
    ran(&o);
#if !defined(_WIN32) /* no fork */
    int lock = platform_lock_file(o.output);
    assert_true(lock >= 0);
    pid_t child = fork(); /* the lock belongs to this process, so another one has to try */
    if (child == 0) {
        const run_options again = { .output = o.output, .workers = 1 };
        run_result r;
        _exit(!run_resume(&again, &r, &e) && strstr(e.text, "another process is running it") ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    platform_unlock_file(lock);
#endif
    store *s = store_open(o.output, &e);
    assert_non_null(s);
    assert_true(store_set(s, STORE_RUN_CONFIG, "{\"backend\": 3}", &e));
    store_close(s);
    resume_fails(o.output, "does not record the options");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_finding_names_the_signal_that_ended_its_worker, no_runs),
        cmocka_unit_test_setup(a_crash_storm_has_exactly_the_planted_findings, no_runs),
        cmocka_unit_test_setup(a_test_that_always_ends_the_backend_is_abandoned, no_runs),
        cmocka_unit_test_setup(the_number_of_workers_does_not_change_the_digest, no_runs),
        cmocka_unit_test_setup(the_first_findings_are_retained, no_runs),
        cmocka_unit_test_setup(merged_shards_equal_the_whole_run, no_runs),
        cmocka_unit_test_setup(a_killed_run_is_resumed, no_runs),
        cmocka_unit_test_setup(a_run_of_another_suite_is_not_resumed, no_runs),
    };
    worker_run_if_spawned();
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
