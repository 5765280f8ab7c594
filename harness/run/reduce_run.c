/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/platform.h"
#include "harness/run/reduce.h"
#include "harness/run/rerun.h"
#include "harness/store/store_rerun.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bounds. A point takes as long as a case; a request takes a new process. */
#define FINDINGS      2   /* that are reduced, per covering test: the first ones */
#define ALL_FINDINGS  24  /* and over all tests */
#define MOST_REQUESTS 400 /* of one finding: after a fault, the points that are left need a new process */
#define MOST_SECONDS  3.0
#define ALL_SECONDS   20.0 /* of all findings */
#define OTHERS        64   /* other cases of the test with the values that matter */

/* The question that the current points of a finding answer. */
typedef enum step {
    STEP_AGAIN,     /* does the case fail alone in a new process, with the same verdict? */
    STEP_SIMPLER,   /* which parameters can be set to their defaults, each alone? */
    STEP_TOGETHER,  /* and all of them together? */
    STEP_OTHERWISE, /* which parameters at their defaults matter? */
    STEP_OTHERS     /* how many other cases with the values that matter fail? */
} step;

typedef struct reduction {
    replay t; /* the first member, so that a replay can be cast to its reduction */
    int64_t test;
    uint64_t index;
    verdict verdict;
    step step;
    char now[REDUCE_TEXT]; /* the simplest point that fails */
    reduce_points points;  /* of the current step */
    verdict *results;      /* of its points that have been executed */
    size_t done;           /* so many */
    reduce_points asked;   /* the rest of them, as sent */
    bool singly;           /* the process ended: one point at a time */
    bool chosen[SPACE_MAX_AXES * (1 + EXPR_MAX_LENGTH)];
    reduce_points simpler; /* of STEP_SIMPLER, during STEP_TOGETHER */
    size_t slots[2 * SPACE_MAX_AXES];
    uint64_t also; /* axes whose defaults matter */
    bool needed;   /* the point passes with any of its parameters at the default */
    unsigned requests;
    double started, seconds;
} reduction;

typedef struct reducing {
    const rerun_phase *phase;
    reduction *list[ALL_FINDINGS];
    size_t count;
    size_t item;    /* being listed */
    double seconds; /* of all replays */
    bool failed;
} reducing;

static const space *space_of(const reducing *x, const reduction *r)
{
    return x->phase->plan->items[r->t.item].test->space;
}

static bool fails_as_before(const reduction *r, size_t i)
{
    return r->results[i] == r->verdict;
}

/* Is a bound reached? Then nothing is claimed. */
static bool over(const reducing *x, const reduction *r)
{
    return r->requests >= MOST_REQUESTS || r->seconds > MOST_SECONDS || x->seconds > ALL_SECONDS;
}

/* ---- requests ---- */

/* Ask for the points of this step that have no result yet. */
static bool ask_rest(reducing *x, reduction *r, error *e)
{
    char line[REDUCE_TEXT];
    reduce_points_clear(&r->asked);
    for (size_t i = r->done; i < r->points.count && (i == r->done || !r->singly); ++i)
        if (reduce_points_at(&r->points, i, line, sizeof line))
            reduce_points_add(&r->asked, line);
    if (r->asked.failed)
        return error_set(e, "out of memory");
    r->t = (replay){ .kind = REPLAY_POINTS,
                     .item = r->t.item,
                     .first = r->index,
                     .end = r->index + 1,
                     .cases = r->asked.count,
                     .points = r->asked.text };
    r->requests++;
    return pool_add_replay(x->phase->pool, &r->t, e);
}

static bool ask(reducing *x, reduction *r, step next, error *e)
{
    r->step = next;
    r->done = 0;
    free(r->results);
    r->results = calloc(r->points.count + 1, sizeof *r->results);
    if (!r->results || r->points.failed)
        return error_set(e, "out of memory");
    return ask_rest(x, r, e);
}

static bool ask_simpler(reducing *x, reduction *r, error *e)
{
    reduce_points_clear(&r->points);
    reduce_simpler(space_of(x, r), r->now, &r->points);
    return ask(x, r, STEP_SIMPLER, e);
}

static bool ask_otherwise(reducing *x, reduction *r, error *e)
{
    reduce_points_clear(&r->points);
    reduce_otherwise(space_of(x, r), r->now, &r->points, r->slots);
    return ask(x, r, STEP_OTHERWISE, e);
}

/* Other cases of the test with the values that matter, the first of them. */
static bool ask_others(reducing *x, reduction *r, error *e)
{
    const space *s = space_of(x, r);
    space_cursor *c = malloc(sizeof *c);
    char id[CASE_ID_SIZE];
    if (!c)
        return error_set(e, "out of memory");
    reduce_points_clear(&r->points);
    for (bool more = space_start(c, s, 0, space_points(s), NULL, NULL); more && r->points.count < OTHERS;
         more = space_next(c)) {
        if (c->index == r->index || !reduce_meets(c, r->now, r->also))
            continue;
        space_format_id(c, id, sizeof id);
        const char *parameters = space_parameters_of_id(id);
        reduce_points_add(&r->points, parameters ? parameters : "");
    }
    free(c);
    return ask(x, r, STEP_OTHERS, e);
}

/* ---- results ---- */

/* "; of 12 other cases of the test with this that were tried, 3 failed" */
static void describe_others(const reduction *r, const char *with, bool *all, char *out, size_t size)
{
    uint64_t tried = 0, failed = 0;
    for (size_t i = 0; i < r->done; ++i) {
        tried += r->results[i] != VERDICT_NONE;
        failed += verdict_fails(r->results[i]);
    }
    *all = tried > 0 && failed == tried;
    out[0] = '\0';
    if (tried == 1)
        snprintf(out, size, "; the one other case of the test%s that was tried %s", with,
                 failed ? "failed, too" : "passed");
    else if (*all)
        snprintf(out, size, "; all %" PRIu64 " other cases of the test%s that were tried failed, too", tried, with);
    else if (tried)
        snprintf(out, size, "; of %" PRIu64 " other cases of the test%s that were tried, %" PRIu64 " failed", tried,
                 with, failed);
}

static bool report(reducing *x, reduction *r, error *e)
{
    const rerun_phase *phase = x->phase;
    char conditions[REDUCE_TEXT], others[200], more[REDUCE_TEXT + 500];
    bool all;
    reduce_conditions(space_of(x, r), r->now, r->also, conditions, sizeof conditions);
    describe_others(r, *conditions ? " with this" : "", &all, others, sizeof others);
    if (*conditions)
        snprintf(more, sizeof more, "%s %s: with this alone, and all else at its default, it fails%s%s.",
                 all ? "It fails whenever" : "What matters is", conditions,
                 r->needed ? "; without any part of this it passes" : "", others);
    else
        snprintf(more, sizeof more, "It fails with all parameters at their defaults, too%s.", others);
    return phase->begin(phase->sink.context, e) &&
           store_set_matters(phase->store, r->test, r->index, *conditions ? conditions : "no parameter", more, e) &&
           phase->done(phase->sink.context, e);
}

/* All points that were tried with another value of an axis passed: its default matters. */
static void note_otherwise(reduction *r)
{
    uint64_t fails = 0, passes = 0;
    for (size_t i = 0; i < r->points.count && i < 2 * SPACE_MAX_AXES; ++i) {
        const uint64_t bit = UINT64_C(1) << r->slots[i];
        if (fails_as_before(r, i))
            fails |= bit;
        else if (verdict_is_clean(r->results[i]))
            passes |= bit;
    }
    r->also = passes & ~fails;
}

/* Which simpler points fail? Try all the changes together that keep the failure. */
static bool choose(reducing *x, reduction *r, error *e)
{
    char together[REDUCE_TEXT];
    size_t count = 0;
    r->needed = r->points.count > 0;
    for (size_t i = 0; i < r->points.count; ++i) {
        r->chosen[i] = fails_as_before(r, i);
        r->needed = r->needed && verdict_is_clean(r->results[i]);
        count += r->chosen[i];
    }
    if (count == 0)
        return ask_otherwise(x, r, e);
    reduce_together(space_of(x, r), r->now, &r->points, r->chosen, together, sizeof together);
    reduce_points_clear(&r->simpler);
    r->simpler = r->points;
    r->points = (reduce_points){ .text = NULL };
    reduce_points_add(&r->points, together);
    return ask(x, r, STEP_TOGETHER, e);
}

/* The changes do not work together: make the first alone. */
static bool take(reducing *x, reduction *r, error *e)
{
    size_t i = 0;
    if (fails_as_before(r, 0)) {
        reduce_points_at(&r->points, 0, r->now, sizeof r->now);
    } else {
        while (!r->chosen[i])
            ++i;
        reduce_points_at(&r->simpler, i, r->now, sizeof r->now);
    }
    return ask_simpler(x, r, e);
}

/* All points of the step have a result. */
static bool go_on(reducing *x, reduction *r, error *e)
{
    if (over(x, r))
        return true;
    switch (r->step) {
    case STEP_AGAIN: return !fails_as_before(r, 0) || ask_simpler(x, r, e);
    case STEP_SIMPLER: return choose(x, r, e);
    case STEP_TOGETHER: return take(x, r, e);
    case STEP_OTHERWISE: note_otherwise(r); return ask_others(x, r, e);
    case STEP_OTHERS: return report(x, r, e);
    }
    return true;
}

static bool begin_replay(void *context, replay *t, error *e)
{
    (void)context;
    (void)e;
    ((reduction *)t)->started = platform_seconds();
    return true;
}

static bool replayed(void *context, replay *t, const replay_result *result, error *e)
{
    reducing *x = context;
    reduction *r = (reduction *)t;
    const double took = platform_seconds() - r->started;
    r->seconds += took;
    x->seconds += took;
    if (result->died && result->death == VERDICT_HANG)
        return true; /* each further one would take as long as the time limit */
    if (result->died && r->asked.count > 1 && !r->singly) {
        r->singly = true; /* which of them did it is found out one by one */
    } else if (result->died) {
        r->results[r->done++] = result->death;
    } else {
        for (size_t i = 0; i < result->number_count && r->done < r->points.count; ++i)
            r->results[r->done++] = (verdict)result->numbers[i];
    }
    if (r->done == r->points.count)
        return go_on(x, r, e);
    if (over(x, r) || (!result->died && result->number_count == 0))
        return true;
    return ask_rest(x, r, e);
}

static bool tick(void *context, size_t item)
{
    const reducing *x = context;
    return x->phase->sink.tick(x->phase->sink.context, item);
}

/* ---- findings ---- */

/* Verdicts that one execution repeats, in a time that is known to be short. */
static bool is_reduced(verdict v)
{
    return v == VERDICT_MISMATCH || v == VERDICT_REJECTED_VALID || v == VERDICT_WROTE_OUTSIDE ||
           v == VERDICT_READ_OUTSIDE || v == VERDICT_MODIFIED_INPUT || v == VERDICT_CRASH;
}

static bool add_finding(void *context, const store_finding *f)
{
    reducing *x = context;
    const char *parameters = f->case_id ? space_parameters_of_id(f->case_id) : NULL;
    if (!is_reduced(f->verdict) || f->matters || f->depends || f->rate || f->other_data || !parameters ||
        x->count == ALL_FINDINGS)
        return true;
    reduction *r = calloc(1, sizeof *r);
    if (!r) {
        x->failed = true;
        return false;
    }
    *r = (reduction){ .t = { .item = x->item }, .test = f->test, .index = f->index, .verdict = f->verdict };
    snprintf(r->now, sizeof r->now, "%s", parameters);
    x->list[x->count++] = r;
    return true;
}

static void reduction_free(reduction *r)
{
    reduce_points_clear(&r->points);
    reduce_points_clear(&r->simpler);
    reduce_points_clear(&r->asked);
    free(r->results);
    free(r);
}

bool reduce_findings(const rerun_phase *phase, error *e)
{
    reducing x = { .phase = phase };
    const pool_sink sink = { .context = &x, .begin_replay = begin_replay, .replayed = replayed, .tick = tick };
    bool fine = true;
    for (x.item = 0; fine && x.item < phase->plan->item_count; ++x.item)
        if (space_is_covering(phase->plan->items[x.item].test->space) && run_item_has_findings(&phase->items[x.item]))
            fine = store_each_finding(phase->store, (int64_t)x.item + 1, FINDINGS, add_finding, &x, e) &&
                   (!x.failed || error_set(e, "out of memory"));
    for (size_t i = 0; fine && i < x.count; ++i) {
        reduce_points_add(&x.list[i]->points, x.list[i]->now);
        fine = ask(&x, x.list[i], STEP_AGAIN, e);
    }
    fine = fine && (x.count == 0 || pool_run(phase->pool, &sink, e));
    for (size_t i = 0; i < x.count; ++i)
        reduction_free(x.list[i]);
    return fine;
}
