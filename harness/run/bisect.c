/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/array.h"
#include "harness/base/text.h"
#include "harness/base/platform.h"
#include "harness/run/run_verdicts.h"
#include "harness/run/rerun.h"
#include "harness/store/store_rerun.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAILURES     2  /* of the ordered pass that become candidates, per test: the first ones */
#define ALL_FAILURES 64 /* and over all tests */
#define ALONE_TIMES  8  /* executions of a candidate alone */
#define MOST_NEEDED  4  /* cases that one candidate may depend on */
/* Bounds of the bisection of one candidate. */
#define MOST_REPLAYS 200
#define MOST_SECONDS 60.0

/* The question that the current replay of a candidate answers. */
typedef enum step {
    STEP_ALONE,   /* does the case fail alone in a new process? */
    STEP_HISTORY, /* which cases preceded it? */
    STEP_AFTER,   /* does it fail after all of them? */
    STEP_NARROW,  /* does it fail after the needed cases and the later ones of the others? */
    STEP_NEEDED,  /* does it fail after the needed cases only? */
    STEP_CONFIRM  /* does it do so once more? */
} step;

typedef struct candidate {
    replay t; /* the first member, so that a replay can be cast to its candidate */
    store_candidate row;
    step step;
    uint64_t *history; /* the cases that preceded it */
    size_t count;
    uint64_t needed[MOST_NEEDED];
    size_t needed_count;
    /* The case fails after `needed` and history[low...], and passes after `needed` and history[high...]. */
    size_t low, high;
    uint64_t *list;    /* the cases to execute: `needed`, a part of the history, and the case itself */
    uint8_t *verdicts; /* of its block, during STEP_HISTORY */
    unsigned replays;
    double started, seconds; /* of the current replay; of all replays */
} candidate;

typedef struct bisection {
    const rerun_phase *phase;
    candidate *candidates;
    size_t count, capacity;
    uint64_t failures; /* of the ordered pass among them */
    bool failed;
    error *e;
} bisection;

/* ---- results ---- */

static bool name_case(const bisection *x, const candidate *s, uint64_t index, char *id, size_t size, error *e)
{
    const case_test *t = x->phase->plan->items[s->t.item].test;
    space_cursor *c = malloc(sizeof *c);
    const bool fine = c && space_start(c, t->space, index, index + 1, NULL, NULL);
    if (fine)
        space_format_id(c, id, size);
    free(c);
    return fine || error_set(e, "%s: case %" PRIu64 " cannot be found again", t->name, index);
}

static bool finish(bisection *x, candidate *s, const char *more, const char *rate, const char *depends,
                   const char *reproducer, error *e)
{
    const rerun_phase *phase = x->phase;
    free(s->history);
    free(s->list);
    s->history = s->list = NULL;
    return phase->begin(phase->sink.context, e) &&
           (!more || store_amend_finding(phase->store, s->row.test, s->row.index, VERDICT_NONE, more, rate, depends,
                                         reproducer, e)) &&
           store_set_bisected(phase->store, s->row.test, s->row.index, e) && phase->done(phase->sink.context, e);
}

/* The case fails after the needed cases, and passes if any of them is missing. */
static bool report_found(bisection *x, candidate *s, error *e)
{
    char id[CASE_ID_SIZE], depends[(MOST_NEEDED + 1) * CASE_ID_SIZE] = "", more[sizeof depends + CASE_ID_SIZE];
    size_t used = 0, described = 0;
    text line = { .data = NULL };
    bool fine = true;
    described += (size_t)snprintf(more, sizeof more, "It depends on the cases before it: it fails only after ");
    text_add(&line, "touchstone run --in-order ");
    for (size_t i = 0; fine && i < s->needed_count; ++i) {
        if (!(fine = name_case(x, s, s->needed[i], id, sizeof id, e)))
            break;
        used += (size_t)snprintf(depends + used, sizeof depends - used, "%s%s", i ? " " : "", id);
        described += (size_t)snprintf(more + described, sizeof more - described, "%s%s", i ? " and then " : "", id);
        text_shell(&line, id);
        text_add(&line, " ");
    }
    fine = fine && name_case(x, s, s->row.index, id, sizeof id, e);
    if (fine) {
        snprintf(more + described, sizeof more - described, "; alone in a new process it passed %d times of %d.",
                 ALONE_TIMES, ALONE_TIMES);
        text_shell(&line, id);
        text_format(&line, " %s", x->phase->reproduce);
        fine = line.failed ? error_set(e, "out of memory") : finish(x, s, more, NULL, depends, line.data, e);
    }
    text_free(&line);
    return fine;
}

/* A bound was reached before the history was narrowed down to needed cases. */
static bool report_bounded(bisection *x, candidate *s, const char *bound, error *e)
{
    char id[CASE_ID_SIZE], more[CASE_ID_SIZE + 400];
    if (!name_case(x, s, s->history[s->low], id, sizeof id, e))
        return false;
    const size_t left = s->count - s->low;
    char those[48] = "";
    if (left != 1)
        snprintf(those, sizeof those, "the %zu cases from ", left);
    snprintf(more, sizeof more,
             "It depends on the cases before it: it fails after %s%s%s%s; alone in a new process it passed %d times of "
             "%d. Bisection stopped at its limit of %s.",
             those, id, left == 1 ? "" : " on", s->needed_count ? " and some before" : "", ALONE_TIMES, ALONE_TIMES,
             bound);
    return finish(x, s, more, NULL, NULL, NULL, e);
}

static bool report_unknown(bisection *x, candidate *s, error *e)
{
    char more[400], those[48];
    snprintf(those, sizeof those, "%zu cases of its test that were executed", s->count);
    snprintf(more, sizeof more,
             s->count
                 ? "Alone in a new process it passed %d times of %d, and also after the %s before it: bisection did "
                   "not find what it depends on."
                 : "Alone in a new process it passed %d times of %d, and no case of its test was executed before "
                   "it: bisection did not find what it depends on.%s",
             ALONE_TIMES, ALONE_TIMES,
             s->count == 0   ? ""
             : s->count == 1 ? "case of its test that was executed"
                             : those);
    return finish(x, s, more, NULL, NULL, NULL, e);
}

/* The result alone explains the failure. */
static bool report_alone(bisection *x, candidate *s, const rerun_stats *alone, error *e)
{
    char sentence[1024], more[sizeof sentence + 160], rate[48];
    const bool always = alone->failed == alone->executed;
    if (always && s->row.second == VERDICT_NONE)
        return finish(x, s, NULL, NULL, NULL, NULL, e); /* a plain failure: nothing to add */
    rerun_stats_describe(alone, NULL, sentence, sizeof sentence);
    rerun_stats_rate(alone, rate, sizeof rate);
    snprintf(more, sizeof more, "%s%s",
             always
                 ? "It depends on the cases before it: it fails alone in a new process, and passes after other cases. "
                 : "It was executed alone in a new process. ",
             sentence);
    return finish(x, s, more, always || s->row.second == VERDICT_NONE ? NULL : rate, NULL, NULL, e);
}

/* ---- replays ---- */

static bool ask(bisection *x, candidate *s, step next, error *e)
{
    s->step = next;
    s->replays++;
    return pool_add_replay(x->phase->pool, &s->t, e);
}

/* Replay the needed cases, then the history from `from` on, then the case itself. */
static bool ask_list(bisection *x, candidate *s, step next, size_t from, uint64_t times, error *e)
{
    size_t n = 0;
    if (!s->list && !(s->list = malloc((MOST_NEEDED + s->count + 1) * sizeof *s->list)))
        return error_set(e, "out of memory");
    for (size_t i = 0; i < s->needed_count; ++i)
        s->list[n++] = s->needed[i];
    for (size_t i = from; i < s->count; ++i)
        s->list[n++] = s->history[i];
    s->list[n++] = s->row.index;
    s->t = (replay){ .kind = REPLAY_LIST, .item = s->t.item, .list = s->list, .count = n, .times = times };
    return ask(x, s, next, e);
}

/* Ask which cases preceded the candidate when it failed: in the shuffled order, or in the order of its test. */
static bool ask_history(bisection *x, candidate *s, error *e)
{
    const size_t item = s->t.item;
    const store_candidate *row = &s->row;
    if (!verdict_fails(row->second) || verdict_fails(row->first)) {
        s->t = (replay){ .kind = REPLAY_BEFORE,
                         .item = item,
                         .first = x->phase->items[item].first,
                         .end = row->index,
                         .cases = REPLAY_BLOCK_CASES };
        return ask(x, s, STEP_HISTORY, e);
    }
    run_verdicts v;
    s->verdicts = malloc(row->block_cases + 1);
    bool fine = s->verdicts || error_set(e, "out of memory");
    if (fine) {
        fine = run_verdicts_open(&v, x->phase->store, row->test, e) &&
               run_verdicts_read(&v, row->block_ordinal, s->verdicts, row->block_cases, e);
        run_verdicts_free(&v);
    }
    s->t = (replay){ .kind = REPLAY_ORDER,
                     .item = item,
                     .first = row->block_first,
                     .end = row->block_end,
                     .cases = row->block_cases,
                     .seed = x->phase->options->seed,
                     .from = row->from,
                     .until = row->place,
                     .verdicts = s->verdicts,
                     .verdict_count = row->block_cases };
    return fine && ask(x, s, STEP_HISTORY, e);
}

/* Halve the distance between `low`, from where on the case fails, and `high`, from where on it passes. */
static bool narrow(bisection *x, candidate *s, error *e)
{
    if (s->replays >= MOST_REPLAYS || s->seconds > MOST_SECONDS) {
        char bound[48];
        snprintf(bound, sizeof bound, s->replays >= MOST_REPLAYS ? "%.0f replays" : "%.0f s",
                 s->replays >= MOST_REPLAYS ? (double)MOST_REPLAYS : MOST_SECONDS);
        return report_bounded(x, s, bound, e);
    }
    if (s->high - s->low > 1)
        return ask_list(x, s, STEP_NARROW, s->low + (s->high - s->low) / 2, 1, e);
    if (s->needed_count == MOST_NEEDED)
        return report_bounded(x, s, "4 cases that are needed together", e);
    s->needed[s->needed_count++] = s->history[s->low++];
    return ask_list(x, s, STEP_NEEDED, s->count, 1, e);
}

/* Collect the results of the case. The end of a process in the case counts, and its end in an earlier case does not. */
static rerun_stats outcome(const candidate *s, const replay_result *r)
{
    rerun_stats seen = r->rerun_stats;
    const judgement j = { .tensor = -1 };
    if (r->died && s->t.kind == REPLAY_LIST && r->at + 1 == s->t.count)
        rerun_stats_add(&seen, r->death, &j);
    return seen;
}

static bool handle(bisection *x, candidate *s, const replay_result *r, error *e)
{
    const rerun_stats seen = outcome(s, r);
    const bool fails = seen.failed > 0;
    /* An earlier case ended the process, so nothing before that case can be the cause. */
    const bool stopped_before = s->t.kind == REPLAY_LIST && seen.executed == 0 && (r->died || r->tainted);
    switch (s->step) {
    case STEP_ALONE: return fails ? report_alone(x, s, &seen, e) : ask_history(x, s, e);
    case STEP_HISTORY:
        free(s->verdicts);
        free(s->list); /* the next list needs room for the whole history */
        s->verdicts = NULL;
        s->list = NULL;
        if (!(s->history = malloc((r->number_count + 1) * sizeof *s->history)))
            return error_set(e, "out of memory");
        if (r->number_count)
            memcpy(s->history, r->numbers, r->number_count * sizeof *s->history);
        s->count = r->number_count;
        return s->count ? ask_list(x, s, STEP_AFTER, 0, 1, e) : report_unknown(x, s, e);
    case STEP_AFTER:
        if (stopped_before && s->low + r->at + 1 < s->count && s->replays < MOST_REPLAYS) {
            s->low += r->at + 1;
            return ask_list(x, s, STEP_AFTER, s->low, 1, e);
        }
        s->high = s->count;
        return fails ? narrow(x, s, e) : report_unknown(x, s, e);
    case STEP_NARROW: *(fails ? &s->low : &s->high) = s->low + (s->high - s->low) / 2; return narrow(x, s, e);
    case STEP_NEEDED:
        s->high = s->count;
        if (!fails)
            return s->low < s->high ? narrow(x, s, e) : report_unknown(x, s, e);
        return ask_list(x, s, STEP_CONFIRM, s->count, 1, e);
    case STEP_CONFIRM: return fails ? report_found(x, s, e) : report_unknown(x, s, e);
    }
    return true;
}

static bool begin_replay(void *context, replay *t, error *e)
{
    (void)context;
    (void)e;
    ((candidate *)t)->started = platform_seconds();
    return true;
}

static bool replayed(void *context, replay *t, const replay_result *r, error *e)
{
    candidate *s = (candidate *)t;
    s->seconds += platform_seconds() - s->started;
    return handle(context, s, r, e);
}

static bool tick(void *context, size_t item)
{
    const bisection *x = context;
    return x->phase->sink.tick(x->phase->sink.context, item);
}

/* ---- candidates ---- */

/* Other verdicts were retried alone already, or cost too much time to repeat. */
static bool is_bisected(verdict v)
{
    return v == VERDICT_MISMATCH || v == VERDICT_REJECTED_VALID || v == VERDICT_ACCEPTED_INVALID ||
           v == VERDICT_WROTE_OUTSIDE || v == VERDICT_READ_OUTSIDE || v == VERDICT_MODIFIED_INPUT ||
           v == VERDICT_NONDETERMINISTIC || v == VERDICT_CRASH;
}

static bool add_failure(void *context, const store_finding *f)
{
    bisection *x = context;
    const store_candidate row = { .test = f->test, .index = f->index, .first = f->verdict };
    if (is_bisected(f->verdict) && x->failures < ALL_FAILURES) {
        x->failed = !store_add_candidate(x->phase->store, &row, FAILURES, x->e);
        x->failures++;
    }
    return !x->failed;
}

/* The first failures of every test. */
static bool add_failures(bisection *x, error *e)
{
    const rerun_phase *phase = x->phase;
    x->e = e;
    if (!phase->begin(phase->sink.context, e))
        return false;
    for (size_t i = 0; i < phase->plan->item_count; ++i)
        if (!store_each_finding(phase->store, (int64_t)i + 1, FAILURES, add_failure, x, e) || x->failed)
            return false;
    return phase->done(phase->sink.context, e);
}

static bool add_candidate(void *context, const store_candidate *row)
{
    bisection *x = context;
    if (row->bisected || row->test < 1 || (size_t)row->test > x->phase->plan->item_count)
        return true;
    if (!array_reserve(&x->candidates, &x->capacity, x->count + 1, sizeof *x->candidates)) {
        x->failed = true;
        return false;
    }
    x->candidates[x->count++] = (candidate){ .row = *row, .t = { .item = (size_t)row->test - 1 } };
    return true;
}

bool bisect_candidates(const rerun_phase *phase, error *e)
{
    bisection x = { .phase = phase };
    const pool_sink sink = { .context = &x, .begin_replay = begin_replay, .replayed = replayed, .tick = tick };
    bool fine = add_failures(&x, e) && store_each_candidate(phase->store, add_candidate, &x, e) &&
                (!x.failed || error_set(e, "out of memory"));
    for (size_t i = 0; fine && i < x.count; ++i)
        fine = ask_list(&x, &x.candidates[i], STEP_ALONE, 0, ALONE_TIMES, e);
    fine = fine && (x.count == 0 || pool_run(phase->pool, &sink, e));
    for (size_t i = 0; i < x.count; ++i) {
        free(x.candidates[i].history);
        free(x.candidates[i].list);
        free(x.candidates[i].verdicts);
    }
    free(x.candidates);
    return fine;
}
