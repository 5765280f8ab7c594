/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions: together they run the whole tier, they can be resumed, and they report their coverage. */
#include "harness/run/budget.h"
#include "harness/analysis/history_add.h"
#include "harness/testing/run_rig.h"

static int set_up_cases(void **state)
{
    (void)state;
    return set_up_with("local op = operator 'dml.element_wise_identity'\n"
                       "op:axis 'rank' { 3, 2, 1 }\nop:axis 'dtype' { 'f32', 'u8', 'i64' }\n"
                       "op:axis 'size' { 3, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, per = 'rank' }\n"
                       "op:bind { InputTensor = { DataType = 'dtype', Sizes = 'size' },\n"
                       "          OutputTensor = { Sizes = 'size' } }\n"
                       "op:test 'all' { 'all', rank = '*', dtype = '*', size = '*' }\n"
                       "op:test 'few' { 'few', size = '*' }\n"
                       "op:test 'crowd' { 'crowd', rank = { 4 }, dtype = '*', size = { 3, 1, 2, 4, 5, 6, 7 } }\n");
}

static int no_sessions(void **state)
{
    return no_runs(state) == 0 ? testing_empty(folder, ".db") : -1;
}

/* The shortest budget: a slice or two. */
static run_options session(const char *output, const char *since, unsigned workers)
{
    return (run_options){ .backend = "cpu",
                          .queries = identity,
                          .query_count = 1,
                          .tier = TIER_FULL,
                          .max_findings = 1000,
                          .workers = workers,
                          .limits = { .seconds = 10, .losses = 100 },
                          .budget = 1e-3,
                          .since = since,
                          .output = output,
                          .command = "touchstone run" };
}

static void refused(const run_options *o, const char *expected)
{
    run_result r;
    error e = { .text = "" };
    assert_false(run_execute(o, &r, &e));
    if (!strstr(e.text, expected))
        fail_msg("\"%s\" has not \"%s\"", e.text, expected);
    assert_int_equal(e.status, EXIT_BAD_USAGE);
    assert_int_not_equal(access(o->output, F_OK), 0);
}

typedef struct sums {
    uint64_t planned, ran, hash[2];
} sums;

static bool add_test(void *context, const store_test *t)
{
    sums *s = context;
    s->planned += t->planned;
    s->ran += t->ran;
    s->hash[0] += t->sums[0];
    s->hash[1] += t->sums[1];
    return true;
}

/* Add the results of a run, and return its coverage, if it has one. */
static coverage read_run(const char *path, sums *s)
{
    coverage c = { .session = 0 };
    error e = { .text = "" };
    store *run = store_open(path, &e);
    if (!run || !store_each_test(run, add_test, s, &e))
        fail_msg("%s", e.text);
    coverage_of_run(&c, run);
    store_close(run);
    return c;
}

/* However long the sessions are, each case runs once before any case runs again, and the sums equal those of one run.
 */
static void a_chain_of_sessions_runs_the_whole_tier(void **state)
{
    (void)state;
    for (unsigned workers = 0; workers <= 2; workers += 2) {
        sums whole = { .planned = 0 }, chain = { .planned = 0 };
        run_options o = session(in_folder("whole.run"), NULL, workers);
        o.budget = 0;
        ran(&o);
        read_run(o.output, &whole);
        char names[2][sizeof folder + 32];
        const char *since = NULL;
        coverage c = { .session = 0 };
        unsigned n = 0;
        for (; n == 0 || !coverage_complete(&c); ++n) {
            assert_true(n < 100);
            snprintf(names[n % 2], sizeof names[0], "%s/n%u-%u.run", folder, workers, n);
            o = session(names[n % 2], since, workers);
            run_result r = ran(&o);
            since = names[n % 2];
            sums current = { .planned = 0 };
            coverage before = c;
            c = read_run(since, &current);
            read_run(since, &chain);
            assert_int_equal(run_status(&r), EXIT_CONFORMANT);
            assert_int_equal(current.ran, current.planned);
            assert_int_equal(r.ran, current.ran);
            assert_int_equal(c.session, n);
            assert_int_equal(c.since, 0);
            assert_int_equal(c.ran, current.ran);
            assert_int_equal(c.total, whole.ran);
            assert_int_equal(c.first, before.end);
            assert_int_equal(c.ever, before.ever + current.ran);
        }
        assert_true(n > 1);
        assert_int_equal(chain.ran, whole.ran);
        assert_memory_equal(chain.hash, whole.hash, sizeof whole.hash);
        assert_int_equal(c.ever, c.total);
        /* The next session starts a new round, and keeps `ever`. */
        o = session(in_folder("again.run"), since, workers);
        ran(&o);
        sums current = { .planned = 0 };
        coverage again = read_run(o.output, &current);
        assert_int_equal(again.round, 1);
        assert_int_equal(again.first, 0);
        assert_int_equal(again.ever, again.total);
        assert_int_equal(again.round_ran, current.ran);
        no_runs(state);
    }
}

/* Sessions with a fixed range need no session before them: their ranges have no case in common. */
static void fixed_ranges_cover_the_whole_tier(void **state)
{
    (void)state;
    sums whole = { .planned = 0 }, chain = { .planned = 0 };
    run_options o = session(in_folder("whole.run"), NULL, 0);
    o.budget = 0;
    ran(&o);
    read_run(o.output, &whole);
    /* Ranges of one slice each, with more time than that needs. */
    coverage c = { .slices = 1 };
    uint64_t planned = 0;
    for (uint64_t n = 0; n < c.slices; ++n) {
        char name[32];
        snprintf(name, sizeof name, "s%u.run", (unsigned)n);
        o = session(in_folder(name), NULL, 0);
        o.has_session = true;
        o.session = n;
        o.budget = 0.05;
        ran(&o);
        c = read_run(o.output, &chain);
        assert_false(c.chained);
        assert_int_equal(c.session, n);
        assert_true(c.first < c.slices);
        planned = c.total;
    }
    assert_int_equal(planned, whole.ran);
    assert_true(chain.ran <= whole.ran * 2); /* some of the last sessions belong to the next round */
}

static void sessions_out_of_sequence_are_refused(void **state)
{
    (void)state;
    run_options first = session(in_folder("a.run"), NULL, 0), o = first;
    ran(&first);
    o = session(in_folder("b.run"), first.output, 0);
    o.has_session = true;
    refused(&o, "records session 0 already");
    o.session = 7;
    ran(&o);
    sums ignored = { .planned = 0 };
    coverage c = read_run(o.output, &ignored);
    assert_int_equal(c.session, 7);
    assert_int_equal(c.since, 0);
    o = session(in_folder("c.run"), in_folder("none.run"), 0);
    refused(&o, "there is no such run");
    o = session(in_folder("fixed.run"), NULL, 0);
    o.has_session = true;
    ran(&o);
    run_options after = session(in_folder("c.run"), o.output, 0);
    refused(&after, "fixed range of slices");
    o = session(in_folder("plain.run"), NULL, 0);
    o.budget = 0;
    ran(&o);
    after = session(in_folder("c.run"), o.output, 0);
    refused(&after, "without --budget");
    /* Other queries have another key: coverage starts again. */
    static const char *const other[] = { "dml.element_wise_identity:all where dtype == u8" };
    o = session(in_folder("d.run"), in_folder("a.run"), 0);
    o.queries = other;
    ran(&o);
    c = read_run(o.output, &ignored);
    assert_int_equal(c.session, 1);
    assert_int_equal(c.since, 1);
    assert_int_equal(c.first, 0);
    assert_int_equal(c.ever, c.ran);
}

static bool is_there(store *s)
{
    return s != NULL;
}

/* A session that is killed as soon as its file exists has the same result after resume. */
static void a_killed_session_is_resumed(void **state)
{
    (void)state;
    sums ignored = { .planned = 0 };
    run_options o = session(in_folder("a.run"), NULL, 2);
    o.budget = 20;
    kill_a_run(&o, is_there);
    run_result r;
    error e = { .text = "" };
    if (!run_resume(&o, &r, &e))
        fail_msg("%s", e.text);
    coverage c = read_run(o.output, &ignored);
    assert_true(c.over);
    assert_int_equal(r.ran, r.planned);
    assert_int_equal(c.ran, r.ran);
    assert_int_equal(c.ran, c.total); /* twenty seconds are enough for the whole tier */
    assert_true(run_resume(&o, &r, &e));
    assert_int_equal(r.ran, c.ran);
}

static bool count_open(void *context, const history_region *r)
{
    *(unsigned *)context += r->failing;
    return true;
}

static bool last_coverage(void *context, const coverage *c)
{
    *(coverage *)context = *c;
    return true;
}

/* A region that fails stays open in the history while sessions run none of its cases. */
static void a_history_keeps_regions_that_a_session_did_not_run(void **state)
{
    (void)state;
    static const ts_option fault = { "fault", "first-element" };
    static const char *const some[] = { "dml.element_wise_identity where dtype == u8 or rank == 4" };
    const char *db = in_folder("h.db");
    error e = { .text = "" };
    history *h = history_open(db, true, &e);
    assert_non_null(h);
    uint64_t failed = 0;
    for (unsigned n = 0; n < 3; ++n) {
        char name[32];
        history_run added;
        snprintf(name, sizeof name, "h%u.run", n);
        run_options o = session(in_folder(name), n ? db : NULL, 0);
        o.backend = "faulty";
        o.backend_options = &fault;
        o.backend_option_count = 1;
        o.queries = some;
        ran(&o);
        store *run = store_open(o.output, &e);
        assert_non_null(run);
        assert_true(store_begin(run, &e)); /* a history distinguishes runs by the second in which they started */
        char started[32];
        snprintf(started, sizeof started, "2024-01-0%uT00:00:00Z", n + 1);
        assert_true(store_set(run, STORE_STARTED, started, &e) && store_commit(run, &e));
        if (!history_add_run(h, run, &added, &e))
            fail_msg("%s", e.text);
        failed += added.failed;
        store_close(run);
    }
    assert_true(failed > 0);
    coverage c = { .session = 0 };
    assert_true(history_each_coverage(h, 0, last_coverage, &c, &e));
    assert_int_equal(c.session, 2);
    unsigned open = 0;
    assert_true(history_each_region(h, 1, 0, count_open, &open, &e));
    assert_true(open > 0);
    history_close(h);
}

static void coverage_is_described(void **state)
{
    (void)state;
    char line[256], share[32];
    coverage c = { .key = "k",
                   .session = 20,
                   .since = 12,
                   .slices = 100,
                   .first = 4,
                   .end = 5,
                   .total = 1234567890,
                   .ran = 12345678,
                   .round_ran = 61728394,
                   .ever = 61728394,
                   .chained = true,
                   .over = true };
    coverage_describe(&c, line, sizeof line);
    assert_string_equal(line,
                        "ran 12,345,678 of 1,234,567,890 cases of the tier (1.0 %); ever run: 5.0 % since session 12");
    char *text = coverage_write(&c);
    coverage again;
    assert_true(coverage_read(&again, text));
    assert_int_equal(again.round_ran, c.round_ran);
    assert_int_equal(again.since, c.since);
    assert_string_equal(again.key, "k");
    assert_true(again.chained && again.over);
    free(text);
    assert_false(coverage_read(&again, NULL));
    assert_false(coverage_read(&again, "{}"));
    assert_false(coverage_read(&again, "{\"key\":\"k\",\"session\":-1}"));
    coverage_share(999999, 1000000, share, sizeof share);
    assert_string_equal(share, "99.9 %");
    coverage_share(1, 1000000, share, sizeof share);
    assert_string_equal(share, "below 0.1 %");
    coverage_share(0, 0, share, sizeof share); /* of nothing */
    assert_string_equal(share, "-");
    coverage_share(5, 5, share, sizeof share);
    assert_string_equal(share, "100.0 %");
}

int main(void)
{
    worker_run_if_spawned();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_chain_of_sessions_runs_the_whole_tier, no_sessions),
        cmocka_unit_test_setup(fixed_ranges_cover_the_whole_tier, no_sessions),
        cmocka_unit_test_setup(sessions_out_of_sequence_are_refused, no_sessions),
        cmocka_unit_test_setup(a_killed_session_is_resumed, no_sessions),
        cmocka_unit_test_setup(a_history_keeps_regions_that_a_session_did_not_run, no_sessions),
        cmocka_unit_test(coverage_is_described),
    };
    return cmocka_run_group_tests(tests, set_up_cases, tear_down);
}
