/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/platform.h"
#include "harness/run/run_verdicts.h"
#include "harness/run/rerun.h"
#include "harness/store/store_rerun.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAILURES     2  /* of a test's first pass that are examined: the first */
#define ALL_FAILURES 64 /* and of all tests */
#define ALONE_TIMES  8  /* executions of a case alone */
#define MOST_NEEDED  4  /* cases that another depends on together */
#define MOST_TRIALS  200
#define MOST_SECONDS 60.0

/* What is asked about a case next. */
typedef enum step {
    STEP_ALONE,   /* how does it come out in a process of its own? */
    STEP_HISTORY, /* which cases came before it? */
    STEP_AFTER,   /* does it fail after all of them? */
    STEP_NARROW,  /* and after those that are needed and the later ones of the others? */
    STEP_NEEDED,  /* and after those alone that are known to be needed? */
    STEP_CONFIRM  /* once more */
} step;

typedef struct subject {
    replay t; /* the first member: a trial is its subject */
    store_candidate row;
    step step;
    uint64_t *history; /* the cases before it */
    size_t count;
    uint64_t needed[MOST_NEEDED];
    size_t needed_count;
    /* After `needed` and history[low] and what comes behind it, it fails; with history[high] instead, it passes. */
    size_t low, high;
    uint64_t *list;    /* what is executed: `needed`, some of the history, and the case itself */
    uint8_t *verdicts; /* of its block, while its order is asked for */
    unsigned trials;
    double handed_out, seconds; /* the trial at hand; and that all of them took */
} subject;

typedef struct examination {
    const second_look *look;
    subject *subjects;
    size_t count, capacity;
    uint64_t failures; /* among them that the first pass alone has told */
    int64_t test;      /* whose findings are looked at */
    bool failed;
    error *e;
} examination;

/* ---- what is told ---- */

static bool name_case(const examination *x, const subject *s, uint64_t index, char *id, size_t size, error *e)
{
    const case_test *t = x->look->plan->items[s->t.item].test;
    space_cursor *c = malloc(sizeof *c);
    const bool fine = c && space_start(c, t->space, index, index + 1, NULL, NULL);
    if (fine)
        space_format_id(c, id, size);
    free(c);
    return fine || error_set(e, "%s: case %" PRIu64 " cannot be found again", t->name, index);
}

static bool end(examination *x, subject *s, const char *more, const char *rate, const char *depends,
                const char *reproducer, error *e)
{
    const second_look *look = x->look;
    free(s->history);
    free(s->list);
    s->history = s->list = NULL;
    return look->begin(look->sink.context, e) &&
           (!more || store_amend_finding(look->store, s->row.test, s->row.index, VERDICT_NONE, more, rate, depends,
                                         reproducer, e)) &&
           store_set_bisected(look->store, s->row.test, s->row.index, e) && look->done(look->sink.context, e);
}

/* It fails after the cases that are needed, and does not without any of them. */
static bool end_found(examination *x, subject *s, error *e)
{
    char id[CASE_ID_SIZE], depends[(MOST_NEEDED + 1) * CASE_ID_SIZE] = "", more[sizeof depends + CASE_ID_SIZE],
        line[sizeof depends + CASE_ID_SIZE];
    size_t used = 0, told = 0, written = 0;
    told += (size_t)snprintf(more, sizeof more, "It depends on the cases before it: it fails only after ");
    written += (size_t)snprintf(line, sizeof line, "touchstone run --in-order");
    for (size_t i = 0; i < s->needed_count; ++i) {
        if (!name_case(x, s, s->needed[i], id, sizeof id, e))
            return false;
        used += (size_t)snprintf(depends + used, sizeof depends - used, "%s%s", i ? " " : "", id);
        told += (size_t)snprintf(more + told, sizeof more - told, "%s%s", i ? " and then " : "", id);
        written += (size_t)snprintf(line + written, sizeof line - written, " '%s'", id);
    }
    if (!name_case(x, s, s->row.index, id, sizeof id, e))
        return false;
    snprintf(more + told, sizeof more - told, "; alone in a new process it passed %d times of %d.", ALONE_TIMES,
             ALONE_TIMES);
    snprintf(line + written, sizeof line - written, " '%s' %s", id, x->look->reproduce);
    return end(x, s, more, NULL, depends, line, e);
}

/* The bounds are reached before every case that is left was found to be needed. */
static bool end_bounded(examination *x, subject *s, const char *bound, error *e)
{
    char id[CASE_ID_SIZE], more[CASE_ID_SIZE + 400];
    if (!name_case(x, s, s->history[s->low], id, sizeof id, e))
        return false;
    snprintf(
        more, sizeof more,
        "It depends on the cases before it: it fails after the %zu from %s on%s; alone in a new process it passed %d "
        "times of %d. They were not narrowed down further: the bound of %s was reached.",
        s->count - s->low, id, s->needed_count ? " and some before these" : "", ALONE_TIMES, ALONE_TIMES, bound);
    return end(x, s, more, NULL, NULL, NULL, e);
}

static bool end_unknown(examination *x, subject *s, error *e)
{
    char more[400];
    snprintf(more, sizeof more,
             "Alone in a new process it passed %d times of %d, and after the %zu cases before it as well: what it "
             "depends on was not found.",
             ALONE_TIMES, ALONE_TIMES, s->count);
    return end(x, s, more, NULL, NULL, NULL, e);
}

/* How it comes out alone says enough. */
static bool end_alone(examination *x, subject *s, const rerun_stats *alone, error *e)
{
    char sentence[1024], more[sizeof sentence + 160], rate[48];
    const bool always = alone->failed == alone->executed;
    if (always && s->row.second == VERDICT_NONE)
        return end(x, s, NULL, NULL, NULL, NULL, e); /* so it should */
    rerun_stats_describe(alone, NULL, sentence, sizeof sentence);
    rerun_stats_rate(alone, rate, sizeof rate);
    snprintf(more, sizeof more, "%s%s",
             always ? "It depends on the cases before it: alone in a new process it fails, and after some it passes. "
                    : "Alone in a new process: ",
             sentence);
    return end(x, s, more, always || s->row.second == VERDICT_NONE ? NULL : rate, NULL, NULL, e);
}

/* ---- what is asked ---- */

static bool ask(examination *x, subject *s, step next, error *e)
{
    s->step = next;
    s->trials++;
    return pool_add_replay(x->look->pool, &s->t, e);
}

/* The case behind those that are needed and those of the history from `from` on. */
static bool ask_list(examination *x, subject *s, step next, size_t from, uint64_t times, error *e)
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

/* In the order in which it failed: the shuffled one, or the test's own. */
static bool ask_history(examination *x, subject *s, error *e)
{
    const size_t item = s->t.item;
    const store_candidate *row = &s->row;
    if (!verdict_fails(row->second) || verdict_fails(row->first)) {
        s->t = (replay){ .kind = REPLAY_BEFORE,
                         .item = item,
                         .first = x->look->items[item].first,
                         .end = row->index,
                         .cases = REPLAY_BLOCK_CASES };
        return ask(x, s, STEP_HISTORY, e);
    }
    run_verdicts v;
    s->verdicts = malloc(row->block_cases + 1);
    bool fine = s->verdicts || error_set(e, "out of memory");
    if (fine) {
        fine = run_verdicts_open(&v, x->look->store, row->test, e) &&
               run_verdicts_read(&v, row->block_ordinal, s->verdicts, row->block_cases, e);
        run_verdicts_free(&v);
    }
    s->t = (replay){ .kind = REPLAY_ORDER,
                     .item = item,
                     .first = row->block_first,
                     .end = row->block_end,
                     .cases = row->block_cases,
                     .seed = x->look->options->seed,
                     .from = row->from,
                     .until = row->place,
                     .verdicts = s->verdicts,
                     .verdict_count = row->block_cases };
    return fine && ask(x, s, STEP_HISTORY, e);
}

/* Between `low`, with which it fails, and `high`, with which it passes: where does it begin to pass? */
static bool narrow(examination *x, subject *s, error *e)
{
    if (s->trials >= MOST_TRIALS || s->seconds > MOST_SECONDS) {
        char bound[48];
        snprintf(bound, sizeof bound, s->trials >= MOST_TRIALS ? "%.0f trials" : "%.0f s",
                 s->trials >= MOST_TRIALS ? (double)MOST_TRIALS : MOST_SECONDS);
        return end_bounded(x, s, bound, e);
    }
    if (s->high - s->low > 1)
        return ask_list(x, s, STEP_NARROW, s->low + (s->high - s->low) / 2, 1, e);
    if (s->needed_count == MOST_NEEDED)
        return end_bounded(x, s, "4 cases that are needed together", e);
    s->needed[s->needed_count++] = s->history[s->low++];
    return ask_list(x, s, STEP_NEEDED, s->count, 1, e);
}

/* How often did the case come out how? A process that ended in it counts; one that ended before it tells nothing. */
static rerun_stats outcome(const subject *s, const replay_result *r)
{
    rerun_stats seen = r->rerun_stats;
    const judgement j = { .tensor = -1 };
    if (r->died && s->t.kind == REPLAY_LIST && r->at + 1 == s->t.count)
        rerun_stats_add(&seen, r->death, &j);
    return seen;
}

static bool take(examination *x, subject *s, const replay_result *r, error *e)
{
    const rerun_stats seen = outcome(s, r);
    const bool fails = seen.failed > 0;
    /* A case before it ended the process: what was before that had no part in it. */
    const bool cut_off = s->t.kind == REPLAY_LIST && seen.executed == 0 && (r->died || r->tainted);
    switch (s->step) {
    case STEP_ALONE: return fails ? end_alone(x, s, &seen, e) : ask_history(x, s, e);
    case STEP_HISTORY:
        free(s->verdicts);
        free(s->list); /* there is to be room for all of them */
        s->verdicts = NULL;
        s->list = NULL;
        if (!(s->history = malloc((r->number_count + 1) * sizeof *s->history)))
            return error_set(e, "out of memory");
        if (r->number_count)
            memcpy(s->history, r->numbers, r->number_count * sizeof *s->history);
        s->count = r->number_count;
        return s->count ? ask_list(x, s, STEP_AFTER, 0, 1, e) : end_unknown(x, s, e);
    case STEP_AFTER:
        if (cut_off && s->low + r->at + 1 < s->count && s->trials < MOST_TRIALS) {
            s->low += r->at + 1;
            return ask_list(x, s, STEP_AFTER, s->low, 1, e);
        }
        s->high = s->count;
        return fails ? narrow(x, s, e) : end_unknown(x, s, e);
    case STEP_NARROW: *(fails ? &s->low : &s->high) = s->low + (s->high - s->low) / 2; return narrow(x, s, e);
    case STEP_NEEDED:
        s->high = s->count;
        if (!fails)
            return s->low < s->high ? narrow(x, s, e) : end_unknown(x, s, e);
        return ask_list(x, s, STEP_CONFIRM, s->count, 1, e);
    case STEP_CONFIRM: return fails ? end_found(x, s, e) : end_unknown(x, s, e);
    }
    return true;
}

static bool begin_replay(void *context, replay *t, error *e)
{
    (void)context;
    (void)e;
    ((subject *)t)->handed_out = platform_seconds();
    return true;
}

static bool tried(void *context, replay *t, const replay_result *r, error *e)
{
    subject *s = (subject *)t;
    s->seconds += platform_seconds() - s->handed_out;
    return take(context, s, r, e);
}

static bool tick(void *context, size_t item)
{
    const examination *x = context;
    return x->look->sink.tick(x->look->sink.context, item);
}

/* ---- who is examined ---- */

/* What ended or stalled a process was tried alone, or would cost as much again. */
static bool is_examined(verdict v)
{
    return v == VERDICT_MISMATCH || v == VERDICT_REJECTED_VALID || v == VERDICT_ACCEPTED_INVALID ||
           v == VERDICT_WROTE_OUTSIDE || v == VERDICT_READ_OUTSIDE || v == VERDICT_MODIFIED_INPUT ||
           v == VERDICT_NONDETERMINISTIC || v == VERDICT_CRASH;
}

static bool see_finding(void *context, const store_finding *f)
{
    examination *x = context;
    const store_candidate row = { .test = f->test, .index = f->index, .first = f->verdict };
    if (is_examined(f->verdict) && x->failures < ALL_FAILURES) {
        x->failed = !store_add_candidate(x->look->store, &row, FAILURES, x->e);
        x->failures++;
    }
    return !x->failed;
}

/* The first failures of every test. */
static bool add_failures(examination *x, error *e)
{
    const second_look *look = x->look;
    x->e = e;
    if (!look->begin(look->sink.context, e))
        return false;
    for (size_t i = 0; i < look->plan->item_count; ++i)
        if (!store_each_finding(look->store, (int64_t)i + 1, FAILURES, see_finding, x, e) || x->failed)
            return false;
    return look->done(look->sink.context, e);
}

static bool see_candidate(void *context, const store_candidate *row)
{
    examination *x = context;
    if (row->bisected || row->test < 1 || (size_t)row->test > x->look->plan->item_count)
        return true;
    if (x->count == x->capacity) {
        x->capacity = x->capacity ? 2 * x->capacity : 64;
        subject *grown = realloc(x->subjects, x->capacity * sizeof *grown);
        if (!grown) {
            x->failed = true;
            return false;
        }
        x->subjects = grown;
    }
    x->subjects[x->count++] = (subject){ .row = *row, .t = { .item = (size_t)row->test - 1 } };
    return true;
}

bool bisect_candidates(const second_look *look, error *e)
{
    examination x = { .look = look };
    const pool_sink sink = { .context = &x, .begin_replay = begin_replay, .tried = tried, .tick = tick };
    bool fine = add_failures(&x, e) && store_each_candidate(look->store, see_candidate, &x, e) &&
                (!x.failed || error_set(e, "out of memory"));
    for (size_t i = 0; fine && i < x.count; ++i)
        fine = ask_list(&x, &x.subjects[i], STEP_ALONE, 0, ALONE_TIMES, e);
    fine = fine && (x.count == 0 || pool_run(look->pool, &sink, e));
    for (size_t i = 0; i < x.count; ++i) {
        free(x.subjects[i].history);
        free(x.subjects[i].list);
        free(x.subjects[i].verdicts);
    }
    free(x.subjects);
    return fine;
}
