/* SPDX-License-Identifier: Apache-2.0 */
/* Runs whose workers are ended by what they test, and runs in parts. */
#include "harness/run/merge.h"
#include "harness/base/platform.h"
#include "harness/testing/run_rig.h"

typedef struct told {
    uint64_t count, last_index;
    char detail[400], digest[33];
    uint64_t observations;
} told;

static bool see_finding(void *context, const store_finding *f)
{
    told *t = context;
    t->count++;
    t->last_index = f->index;
    snprintf(t->detail, sizeof t->detail, "%s", f->detail);
    return true;
}

static bool see_observation(void *context, const store_observation *o)
{
    told *t = context;
    (void)o;
    t->observations++;
    return true;
}

static told read_run(const char *path)
{
    told t = { .count = 0 };
    error e = { .text = "" };
    store *s = store_open(path, &e);
    if (!s || !store_each_finding(s, 0, 0, see_finding, &t, &e) || !store_each_observation(s, see_observation, &t, &e))
        fail_msg("%s", e.text);
    snprintf(t.digest, sizeof t.digest, "%s", store_get(s, STORE_DIGEST) ? store_get(s, STORE_DIGEST) : "");
    store_close(s);
    return t;
}

static const ts_option marked = { "fault", "process-storm-marked" };

/* Each way to end a process costs its own cases and no others, for any number of workers. */
static void what_ends_a_worker_is_named(void **state)
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
        /* It was alone in its submission: what was before it in the chunk had not been told. */
        { { { "fault", "process-exit" }, { "batch", "1" } }, VERDICT_CRASH, "the backend ended with exit status" },
    };
    uint64_t hit = 0;
    char digests[2][33];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        for (unsigned workers = 1; workers <= 3; workers += 2) {
            run_options o = options_for(rows[i].options, workers);
            o.backend_option_count = rows[i].options[1].key ? 2 : 1;
            if (rows[i].verdict != VERDICT_HANG)
                o.time_limit = 10; /* a sanitizer takes its time at an exit */
            run_result r = ran(&o);
            told t = read_run(o.output);
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
            /* What it comes to is the same, however it came to it. */
            char *digest = digests[rows[i].verdict == VERDICT_HANG];
            if (workers == 1 && (i == 0 || i == 3))
                memcpy(digest, r.digest, sizeof digests[0]);
            assert_string_equal(r.digest, digest);
            assert_int_equal(run_status(&r), EXIT_FAILURES);
        }
}

/* The same cases that are marked in one run are those that crash, hang and scribble in the other. */
static void a_storm_has_the_planted_findings(void **state)
{
    (void)state;
    static const ts_option storm = { "fault", "process-storm" };
    run_options o = options_for(&marked, 2);
    run_result planted = ran(&o);
    told first = read_run(o.output);
    o = options_for(&storm, 2);
    run_result r = ran(&o);
    told second = read_run(o.output);
    assert_true(planted.cases[VERDICT_WROTE_OUTSIDE] > 6);
    assert_int_equal(r.cases[VERDICT_PASS], planted.cases[VERDICT_PASS]);
    assert_true(r.cases[VERDICT_CRASH] > 0 && r.cases[VERDICT_HANG] > 0 && r.cases[VERDICT_WROTE_OUTSIDE] > 0);
    assert_int_equal(second.count, first.count);
    assert_int_equal(second.last_index, first.last_index);
}

/* Where every case ends the process, a bounded number is tried. */
static void a_backend_that_always_ends_is_given_up(void **state)
{
    (void)state;
    static const ts_option always = { "fault", "process-always" };
    run_options o = options_for(&always, 2);
    o.max_losses = 20;
    run_result r = ran(&o);
    told t = read_run(o.output);
    assert_true(r.gave_up);
    assert_true(r.ran >= 20 && r.ran < r.planned && r.ran <= 3 * 20 + 4);
    assert_true(t.observations > 0);
    assert_int_equal(run_status(&r), EXIT_FAILURES);
}

static void one_process_or_many_come_to_the_same(void **state)
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

/* Which findings are kept does not depend on who found them first. */
static void the_first_findings_are_kept(void **state)
{
    (void)state;
    static const ts_option every = { "fault", "first-element" };
    told kept[3];
    for (unsigned workers = 0; workers <= 2; ++workers) {
        run_options o = options_for(&every, workers);
        o.max_findings = 5;
        ran(&o);
        kept[workers] = read_run(o.output);
        assert_int_equal(kept[workers].count, 10); /* of two tests */
        assert_int_equal(kept[workers].last_index, kept[0].last_index);
    }
}

/* ---- parts ---- */

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

static void shards_make_the_whole(void **state)
{
    (void)state;
    static const char *const names[] = { "s1.run", "s2.run", "s3.run" };
    const char *paths[3];
    error e = { .text = "" };
    run_options o = options_for(&marked, 1);
    run_result whole = ran(&o), merged;
    told all = read_run(o.output);
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
    told together = read_run(in_folder("m.run"));
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

/* ---- going on ---- */

static bool has_run_config(store *s)
{
    return store_get(s, STORE_RECIPE) != NULL;
}

static void a_killed_run_goes_on(void **state)
{
    (void)state;
    static const ts_option hang = { "fault", "process-hang" }; /* slow enough to be killed in the middle */
    run_options o = options_for(&hang, 2);
    run_result whole = ran(&o), again;
    told all = read_run(o.output);
    error e = { .text = "" };
    o.output = in_folder("k.run");
    assert_true(kill_a_run(&o, has_run_config));
    const run_options going_on = { .output = o.output, .workers = 1 };
    if (!run_resume(&going_on, &again, &e))
        fail_msg("%s", e.text);
    assert_string_equal(again.digest, whole.digest);
    assert_int_equal(again.planned, whole.planned);
    assert_int_equal(again.ran, whole.planned);
    assert_memory_equal(again.cases, whole.cases, sizeof whole.cases);
    told together = read_run(o.output);
    assert_int_equal(together.count, all.count);
    assert_int_equal(together.last_index, all.last_index);
    if (!run_resume(&going_on, &again, &e)) /* there is nothing left */
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

static void another_suite_does_not_go_on(void **state)
{
    (void)state;
    error e;
    run_options o = options_for(NULL, 1);
    resume_fails(in_folder("none.run"), "there is no such run");
    ran(&o);
#if !defined(_WIN32) /* which has no copies of processes */
    int lock = platform_lock_file(o.output);
    assert_true(lock >= 0);
    pid_t child = fork(); /* the lock is this process's, and not its own to break */
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
    assert_true(store_set(s, STORE_SUITE_DIGEST, "0123", &e));
    store_close(s);
    resume_fails(o.output, "was begun with the suite 0123");
    s = store_open(o.output, &e);
    assert_true(store_set(s, STORE_RECIPE, "{\"backend\": 3}", &e));
    store_close(s);
    resume_fails(o.output, "does not tell how it was begun");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(what_ends_a_worker_is_named, no_runs),
        cmocka_unit_test_setup(a_storm_has_the_planted_findings, no_runs),
        cmocka_unit_test_setup(a_backend_that_always_ends_is_given_up, no_runs),
        cmocka_unit_test_setup(one_process_or_many_come_to_the_same, no_runs),
        cmocka_unit_test_setup(the_first_findings_are_kept, no_runs),
        cmocka_unit_test_setup(shards_make_the_whole, no_runs),
        cmocka_unit_test_setup(a_killed_run_goes_on, no_runs),
        cmocka_unit_test_setup(another_suite_does_not_go_on, no_runs),
    };
    worker_be_one();
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
