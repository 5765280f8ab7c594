/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions of tier exhaustive: drawn tests never end, and each session draws on where the one before it ended. */
#include "harness/casefile/plan.h"
#include "harness/run/budget.h"
#include "harness/testing/run_rig.h"

static int set_up_drawn(void **state)
{
    (void)state;
    return set_up_with("local op = operator 'dml.element_wise_identity'\n"
                       "op:axis 'rank' { 2, 1 }\nop:axis 'dtype' { 'f32', 'u8' }\n"
                       "op:axis 'size' { 3, 1, 2, 4, 5, 6, 7, 8, per = 'rank' }\n"
                       "op:bind { InputTensor = { DataType = 'dtype', Sizes = 'size' },\n"
                       "          OutputTensor = { Sizes = 'size' } }\n"
                       "op:test 'all' { 'all', rank = '*', dtype = '*', size = '*' }\n"
                       "op:test 'drawn' { 'drawn', each = { 'rank', 'dtype' }, rank = '*', dtype = '*',\n"
                       "  cases = { full = 10, exhaustive = 3000 },\n"
                       "  draw = function(r, c) return { size = r.sizes(c.rank, 50) } end }\n");
}

static run_options session(const char *output, const char *since, unsigned workers, double seconds)
{
    run_options o = options_for(NULL, workers);
    o.tier = TIER_EXHAUSTIVE;
    o.limits.seconds = 10;
    o.budget = seconds;
    o.since = since;
    o.output = output;
    return o;
}

/* What a run has of its drawn test, whose verdicts are to be one interval. */
typedef struct interval {
    int64_t test;
    uint64_t first, end, cases, planes;
} interval;

static bool find_drawn(void *context, const store_test *t)
{
    interval *i = context;
    if (strcmp(t->test, "drawn") == 0)
        i->test = t->id;
    return true;
}

static bool add_range(void *context, const store_plane *p)
{
    interval *i = context;
    if (i->planes++ == 0)
        i->first = i->end = p->first;
    assert_int_equal(p->first, i->end);
    i->end = p->last + 1;
    i->cases += p->cases;
    return true;
}

/* Read the drawn test and the coverage of a run. */
static interval read_drawn(const char *path, coverage *c)
{
    error e = { .text = "" };
    interval i = { .test = 0 };
    store *run = store_open(path, &e);
    if (!run || !store_each_test(run, find_drawn, &i, &e) || !store_each_range(run, i.test, add_range, &i, &e))
        fail_msg("%s", e.text);
    assert_true(coverage_of_run(c, run));
    store_close(run);
    return i;
}

/* All sessions together draw one interval, from case 0 on and beyond the number that a run without a budget has. The
   other tests begin a new round as soon as all of their cases have run. */
static void sessions_draw_on_without_an_end(void **state)
{
    (void)state;
    for (unsigned workers = 0; workers <= 2; workers += 2) {
        char names[2][sizeof folder + 32];
        const char *since = NULL;
        coverage c = { .session = 0 };
        uint64_t at = 0;
        for (unsigned n = 0; at <= 4000 || c.round < 2; ++n) {
            assert_true(n < 200);
            snprintf(names[n % 2], sizeof names[0], "%s/n%u-%u.run", folder, workers, n);
            const run_options o = session(names[n % 2], since, workers, 0.05);
            const coverage before = c;
            run_result r = ran(&o);
            since = names[n % 2];
            const interval i = read_drawn(since, &c);
            assert_int_equal(run_status(&r), EXIT_CONFORMANT);
            assert_int_equal(r.ran, r.planned);
            assert_int_equal(r.ran, c.ran + c.drawn);
            assert_true(c.endless);
            assert_int_equal(c.total, 2 * (64 + 8));
            assert_int_equal(i.cases, c.drawn);
            assert_int_equal(c.drawn_ever, before.drawn_ever + c.drawn);
            assert_int_equal(c.drawn_first, before.drawn_end);
            if (i.planes) {
                assert_int_equal(i.first, at);
                at = i.end;
            }
        }
        assert_int_equal(at, c.drawn_ever); /* every index is a case of this test */
        no_runs(state);
    }
}

static bool count_range(void *context, const store_plane *p)
{
    interval *i = context;
    i->planes += p->cases > 0;
    return true;
}

static bool has_drawn(store *s)
{
    error e;
    interval i = { .test = 0 };
    return store_each_test(s, find_drawn, &i, &e) && i.test && store_each_range(s, i.test, count_range, &i, &e) &&
           i.planes > 0;
}

/* A session that is killed is finished by resume: nothing that it had started is left out. */
static void a_killed_session_goes_on(void **state)
{
    (void)state;
    run_options o = session(in_folder("a.run"), NULL, 2, 3);
    kill_a_run(&o, has_drawn);
    run_result r;
    error e = { .text = "" };
    coverage c;
    if (!run_resume(&o, &r, &e))
        fail_msg("%s", e.text);
    interval i = read_drawn(o.output, &c);
    assert_true(c.over);
    assert_int_equal(r.ran, r.planned);
    assert_int_equal(i.first, 0);
    assert_int_equal(i.end, c.drawn);
    const uint64_t ever = c.drawn_ever;
    run_options next = session(in_folder("b.run"), o.output, 2, 0.05);
    next.limits.seconds = 10;
    ran(&next);
    const interval more = read_drawn(next.output, &c);
    assert_int_equal(more.first, i.end);
    assert_int_equal(c.drawn_ever, ever + c.drawn);
}

/* Another seed draws other cases: it starts a chain of its own. A run without a budget ends after its cases. */
static void seeds_and_runs_without_a_budget_are_apart(void **state)
{
    (void)state;
    coverage c;
    run_options o = session(in_folder("a.run"), NULL, 0, 0.5);
    ran(&o);
    const interval first = read_drawn(o.output, &c);
    assert_true(first.cases > 0);
    run_options other = session(in_folder("b.run"), o.output, 0, 0.05);
    other.draw_seed = 7;
    ran(&other);
    const interval i = read_drawn(other.output, &c);
    assert_int_equal(i.first, 0);
    assert_int_equal(c.since, 1);
    assert_int_equal(c.drawn_ever, c.drawn);
    run_options whole = session(in_folder("c.run"), NULL, 2, 0);
    const run_result r = ran(&whole);
    assert_int_equal(r.ran, 2 * (64 + 8) + 3000);
}

/* Sessions with a fixed range draw ranges that follow each other and have no case in common. */
static void fixed_sessions_draw_ranges_of_their_own(void **state)
{
    (void)state;
    uint64_t at = 0;
    for (uint64_t n = 0; n < 4; ++n) {
        coverage c;
        char name[32];
        snprintf(name, sizeof name, "s%u.run", (unsigned)n);
        run_options o = session(in_folder(name), NULL, 0, 0.3); /* 7 slices at the fixed rate */
        o.has_session = true;
        o.session = n;
        ran(&o);
        const interval i = read_drawn(o.output, &c);
        assert_false(c.chained);
        assert_int_equal(c.drawn_first, 7 * n);
        assert_in_range(c.drawn_end, 7 * n, 7 * n + 7);
        assert_true(i.planes == 0 || i.first >= at);
        at = i.planes ? i.end : at;
    }
    assert_true(at > 0);
}

/* A slice has fewer cases where a case takes longer, so that the slices of all tests take about the same time. */
static void slices_depend_on_what_a_case_costs(void **state)
{
    (void)state;
    static const char *const names[] = { "small", "large", "drawn", "preceded" };
    uint64_t cases[sizeof names / sizeof names[0]] = { 0 };
    plan p;
    error e = { .text = "" };
    assert_int_equal(
        write_cases(
            "dml.element_wise_identity",
            "local op = operator 'dml.element_wise_identity'\n"
            "op:axis 'rank' { 1 }\nop:axis 'dtype' { 'f32' }\nop:axis 'size' { 3, per = 'rank' }\n"
            "op:axis 'more' { 0, 1, 2, 3 }\n"
            "op:bind { InputTensor = { DataType = 'dtype', Sizes = 'size', Extra = '4 * more' },\n"
            "          OutputTensor = { Sizes = 'size' } }\n"
            "op:test 'small' { 'small', more = '*' }\n"
            "op:test 'large' { 'large', more = '*', size = { 10000 } }\n"
            "op:test 'drawn' { 'drawn', each = { 'rank', 'dtype' }, rank = '*', dtype = '*', cases = { full = 9 },\n"
            "  draw = function(r, c) return { size = { 3 } } end }\n"
            "op:test 'preceded' { 'preceded', after = { 'same' }, more = '*' }\n"),
        0);
    if (!plan_make(&p, identity, 1, TIER_FULL, &e))
        fail_msg("%s", e.text);
    for (size_t i = 0; i < p.item_count; ++i)
        for (size_t k = 0; k < sizeof names / sizeof names[0]; ++k)
            if (strcmp(p.items[i].test->name, names[k]) == 0)
                cases[k] = schedule_slice_cases(p.items[i].test, p.items[i].first, p.items[i].end, 0, TS_LEVEL_6_4);
    plan_free(&p);
    assert_int_equal(cases[0], SCHEDULE_SLICE_CASES);
    assert_in_range(cases[1], 1, SCHEDULE_SLICE_CASES / 100);
    assert_in_range(cases[2], 1, SCHEDULE_SLICE_CASES / 4);
    assert_in_range(cases[3], 1, SCHEDULE_SLICE_CASES / 4);
}

int main(void)
{
    worker_run_if_spawned();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(sessions_draw_on_without_an_end, no_runs),
        cmocka_unit_test_setup(a_killed_session_goes_on, no_runs),
        cmocka_unit_test_setup(seeds_and_runs_without_a_budget_are_apart, no_runs),
        cmocka_unit_test_setup(fixed_sessions_draw_ranges_of_their_own, no_runs),
        cmocka_unit_test(slices_depend_on_what_a_case_costs), /* the last one: it writes other case files */
    };
    return cmocka_run_group_tests(tests, set_up_drawn, tear_down);
}
