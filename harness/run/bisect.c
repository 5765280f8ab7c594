/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/array.h"
#include "harness/base/text.h"
#include "harness/base/platform.h"
#include "harness/run/run_verdicts.h"
#include "harness/run/rerun.h"
#include "harness/run/sweep.h"
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
/* A case may depend on cases of the tests before its own: so many of them are looked at, the last ones, by so many
   replays that all candidates together take these seconds. */
#define EARLIER_CASES   UINT64_C(16384)
#define EARLIER_SECONDS 10.0

/* The question that the current replay of a candidate answers. */
typedef enum step {
    STEP_ALONE,   /* does the case fail alone in a new process? */
    STEP_HISTORY, /* which cases of its test preceded it? */
    STEP_EARLIER, /* which cases of the tests before its own? */
    STEP_AFTER,   /* does it fail after all of them? */
    STEP_NARROW,  /* does it fail after the needed cases and the later ones of the others? */
    STEP_NEEDED,  /* does it fail after the needed cases only? */
    STEP_CONFIRM  /* does it do so once more? */
} step;

typedef struct candidate {
    replay t; /* the first member, so that a replay can be cast to its candidate */
    store_candidate row;
    step step;
    replay_case *history; /* the cases that preceded it */
    size_t count;
    bool earlier;      /* the history has cases of other tests, or was to have some */
    size_t asked_item; /* STEP_EARLIER: the test whose cases are being listed */
    replay_case needed[MOST_NEEDED];
    size_t needed_count;
    /* The case fails after `needed` and history[low...], and passes after `needed` and history[high...]. */
    size_t low, high;
    replay_case *list; /* the cases to execute: `needed`, a part of the history, and the case itself */
    uint8_t *verdicts; /* of its block, during STEP_HISTORY */
    unsigned replays;
    double started, seconds; /* of the current replay; of all replays */
} candidate;

typedef struct bisection {
    const rerun_phase *phase;
    candidate *candidates;
    size_t count, capacity;
    uint64_t failures; /* of the ordered pass among them */
    double seconds;    /* of replays after cases of other tests */
    bool failed;
    error *e;
} bisection;

/* ---- results ---- */

static replay_case own_case(const candidate *s)
{
    return (replay_case){ (uint64_t)s->row.test - 1, s->row.index };
}

static bool name_case(const bisection *x, replay_case named, char *id, size_t size, error *e)
{
    const case_test *t = x->phase->plan->items[named.item].test;
    space_cursor *c = malloc(sizeof *c);
    const bool fine = c && space_start(c, t->space, named.index, named.index + 1, NULL, NULL);
    if (fine)
        space_format_id(c, id, size);
    free(c);
    return fine || error_set(e, "%s: case %" PRIu64 " cannot be found again", t->name, named.index);
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
        if (!(fine = name_case(x, s->needed[i], id, sizeof id, e)))
            break;
        used += (size_t)snprintf(depends + used, sizeof depends - used, "%s%s", i ? " " : "", id);
        described += (size_t)snprintf(more + described, sizeof more - described, "%s%s", i ? " and then " : "", id);
        text_shell(&line, id);
        text_add(&line, " ");
    }
    fine = fine && name_case(x, own_case(s), id, sizeof id, e);
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

/* A command that repeats the run, for a case (NULL: any of the first pass) that fails only after others which are not
 *known one by one. NULL in line: the command of the finding is right as it is, or there is none that fails again for
 *sure. */
static bool write_whole_run(const bisection *x, const candidate *s, text *line, error *e)
{
    const run_options *o = x->phase->options;
    *line = (text){ .data = NULL };
    if (o->in_order || o->budget > 0)
        return true;
    text_add(line, "touchstone run");
    for (size_t i = 0; i < o->query_count; ++i) {
        text_add(line, " ");
        text_shell(line, o->queries[i]);
    }
    text_format(line, " %s", x->phase->reproduce);
    if (o->tier != TIER_QUICK)
        text_format(line, " --tier %s", case_tier_name(o->tier));
    if (o->draw_seed)
        text_format(line, " --seed %" PRIu64, o->draw_seed);
    if (o->shards)
        text_format(line, " --shard %" PRIu64 "/%" PRIu64, o->shard, o->shards);
    if (s && verdict_fails(s->row.second) && !verdict_fails(s->row.first))
        text_format(line, " --shuffle=%" PRIu64, o->seed);
    return !line->failed || error_set(e, "out of memory");
}

/* Report that the case passes alone, as `why` says, and which command repeats the failure instead of the case's own. */
static bool report_company(bisection *x, candidate *s, const char *why, error *e)
{
    text line, more = { .data = NULL };
    bool fine = write_whole_run(x, s, &line, e);
    text_add(&more, why);
    if (line.data)
        text_add(&more, " The command repeats the whole run.");
    else if (!x->phase->options->in_order)
        text_add(&more, " The command executes the case alone, where it passes.");
    fine = fine && (!more.failed || error_set(e, "out of memory")) &&
           finish(x, s, more.data, NULL, STORE_DEPENDS_UNKNOWN, line.data, e);
    text_free(&line);
    text_free(&more);
    return fine;
}

/* A bound was reached before the history was narrowed down to needed cases. */
static bool report_bounded(bisection *x, candidate *s, const char *bound, error *e)
{
    char id[CASE_ID_SIZE], more[CASE_ID_SIZE + 400];
    if (!name_case(x, s->history[s->low], id, sizeof id, e))
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
    return report_company(x, s, more, e);
}

static bool report_unknown(bisection *x, candidate *s, error *e)
{
    const bool once = s->step == STEP_NEEDED || s->step == STEP_CONFIRM;
    text why = { .data = NULL };
    text_format(&why, "Alone in a new process it passed %d times of %d, ", ALONE_TIMES, ALONE_TIMES);
    if (s->count == 0)
        text_add(&why, "and no case was executed before it");
    else
        text_format(&why, "%s after the %s%zu case%s of %s that %s executed before it",
                    once ? "and once, not again, it failed" : "and also", s->count > 1 ? "last " : "", s->count,
                    s->count == 1 ? "" : "s", s->earlier ? "its test and of the tests before" : "its test",
                    s->count == 1 ? "was" : "were");
    text_add(&why, ": bisection did not find what it depends on.");
    /* Eight executions that pass say little about a case that fails now and then. */
    const bool depends = verdict_fails(s->row.first) && s->row.first != VERDICT_NONDETERMINISTIC;
    const bool fine = why.failed ? error_set(e, "out of memory")
                      : depends  ? report_company(x, s, why.data, e)
                                 : finish(x, s, why.data, NULL, NULL, NULL, e);
    text_free(&why);
    return fine;
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
    s->list[n++] = own_case(s);
    s->t = (replay){ .kind = REPLAY_LIST, .item = own_case(s).item, .list = s->list, .count = n, .times = times };
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

/* Put the cases of a list of one test before the history. */
static bool add_history(candidate *s, size_t item, const replay_result *r, error *e)
{
    replay_case *all = malloc((r->number_count + s->count + 1) * sizeof *all);
    if (!all)
        return error_set(e, "out of memory");
    for (size_t i = 0; i < r->number_count; ++i)
        all[i] = (replay_case){ item, r->numbers[i] };
    if (s->count)
        memcpy(all + r->number_count, s->history, s->count * sizeof *all);
    free(s->history);
    free(s->list); /* the next list needs room for the whole history */
    s->history = all;
    s->list = NULL;
    s->count += r->number_count;
    return true;
}

/* The case does not fail after those of its test that preceded it: ask for cases of the tests before, from the last one
   back. A worker that executed the case had executed some of these. */
static bool ask_earlier(bisection *x, candidate *s, error *e)
{
    const run_options *o = x->phase->options;
    const size_t own = (size_t)own_case(s).item;
    const size_t before = s->earlier ? s->asked_item : own;
    const bool in_block = verdict_fails(s->row.second) && !verdict_fails(s->row.first); /* in a process of its own */
    if (!s->earlier && (own == 0 || in_block || o->in_order || o->budget > 0 || x->seconds > EARLIER_SECONDS))
        return report_unknown(x, s, e);
    s->earlier = true;
    s->low = 0;
    if (before == 0 || s->count >= EARLIER_CASES)
        return s->count ? ask_list(x, s, STEP_AFTER, 0, 1, e) : report_unknown(x, s, e);
    s->asked_item = before - 1;
    const run_item *item = &x->phase->items[s->asked_item];
    s->t = (replay){ .kind = REPLAY_BEFORE,
                     .item = s->asked_item,
                     .first = item->first,
                     .end = item->end,
                     .cases = EARLIER_CASES - s->count };
    return ask(x, s, STEP_EARLIER, e);
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
        s->verdicts = NULL;
        if (!add_history(s, (size_t)own_case(s).item, r, e))
            return false;
        return s->count ? ask_list(x, s, STEP_AFTER, 0, 1, e) : ask_earlier(x, s, e);
    case STEP_EARLIER: return add_history(s, s->asked_item, r, e) && ask_earlier(x, s, e);
    case STEP_AFTER:
        if (stopped_before && s->low + r->at + 1 < s->count && s->replays < MOST_REPLAYS) {
            s->low += r->at + 1;
            return ask_list(x, s, STEP_AFTER, s->low, 1, e);
        }
        s->high = s->count;
        return fails ? narrow(x, s, e) : s->earlier ? report_unknown(x, s, e) : ask_earlier(x, s, e);
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
    bisection *x = context;
    const double seconds = platform_seconds() - s->started;
    s->seconds += seconds;
    x->seconds += s->earlier ? seconds : 0;
    return handle(x, s, r, e);
}

/* The other failures of tests whose first ones pass alone would pass alone, too: say so, and how to see them again. */
static bool amend_unseen(bisection *x, error *e)
{
    const rerun_phase *phase = x->phase;
    text line;
    bool fine = write_whole_run(x, NULL, &line, e) && phase->begin(phase->sink.context, e);
    for (size_t i = 0; fine && line.data && i < phase->plan->item_count; ++i)
        fine = store_amend_unseen(phase->store, (int64_t)i + 1,
                                  "It was not executed alone: those of its test that were passed there, and fail only "
                                  "after other cases. The command repeats the whole run.",
                                  line.data, e);
    text_free(&line);
    return fine && phase->done(phase->sink.context, e);
}

static bool tick(void *context, size_t item)
{
    const bisection *x = context;
    return x->phase->sink.tick(x->phase->sink.context, item);
}

/* ---- candidates ---- */

static bool add_failure(void *context, const store_finding *f)
{
    bisection *x = context;
    const store_candidate row = { .test = f->test, .index = f->index, .first = f->verdict };
    if (verdict_fails(f->verdict) && x->failures < ALL_FAILURES) {
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
        if (run_item_has_findings(&phase->items[i]) &&
            (!store_each_finding(phase->store, (int64_t)i + 1, FAILURES, add_failure, x, e) || x->failed))
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
    fine = fine && (x.count == 0 || (pool_run(phase->pool, &sink, e) && (run_interrupted() || amend_unseen(&x, e))));
    for (size_t i = 0; i < x.count; ++i) {
        free(x.candidates[i].history);
        free(x.candidates[i].list);
        free(x.candidates[i].verdicts);
    }
    free(x.candidates);
    return fine;
}
