/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/run_verdicts.h"
#include "harness/run/rerun.h"
#include "harness/store/store_rerun.h"
#include "harness/model/tensor.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CANDIDATES 4   /* per test that are bisected: those with the lowest indices */
#define MOST_ENDED 100 /* lost processes until a test is given up, if the run has no limit for them */

typedef struct block {
    replay t;                 /* the first member, so that a replay of kind BLOCK can be cast to its block */
    uint64_t number, ordinal; /* of the block; of its first case in the test */
    uint8_t *verdicts;        /* while a worker has the block */
    /* The process ended in the case at death_place. The cases before it are executed again first. */
    verdict death;
    uint64_t death_place, death_from; /* the process had executed the cases from death_from on */
    char how[120];
} block;

/* One test of the plan. */
typedef struct part {
    replay cut;
    run_verdicts verdicts; /* of the ordered pass */
    block *blocks;
    size_t block_count;
    bool *ready; /* for each block: the store has its results already */
    size_t ready_count;
    uint64_t ended; /* lost processes */
    bool given_up;
} part;

typedef struct shuffled_pass {
    const rerun_phase *phase;
    part *parts;
} shuffled_pass;

static int64_t test_of(size_t item)
{
    return (int64_t)item + 1;
}

/* ---- a block ---- */

static bool begin_replay(void *context, replay *t, error *e)
{
    shuffled_pass *s = context;
    const pool_sink *sink = &s->phase->sink;
    if (t->kind != REPLAY_BLOCK)
        return true;
    block *b = (block *)t;
    if (s->parts[t->item].given_up)
        t->from = t->cases;
    if (!b->verdicts && !(b->verdicts = malloc(t->cases + 1)))
        return error_set(e, "out of memory");
    t->verdicts = b->verdicts;
    t->verdict_count = t->cases;
    t->findings = sink->findings(sink->context, t->item, t->first, false);
    t->waived_findings = sink->findings(sink->context, t->item, t->first, true);
    return run_verdicts_read(&s->parts[t->item].verdicts, b->ordinal, b->verdicts, t->cases, e);
}

/* Cases of one data type and level that got another verdict. */
typedef struct shift {
    uint32_t dtype;
    ts_level level;
    verdict from, to;
    uint64_t cases;
} shift;

typedef struct shifts {
    shift list[256];
    size_t count;
} shifts;

static bool flush_shifts(shuffled_pass *s, size_t item, shifts *all, error *e)
{
    bool fine = true;
    for (size_t i = 0; i < all->count && fine; ++i) {
        const shift *f = &all->list[i];
        const ts_dtype_info *type = tensor_dtype(f->dtype);
        fine = store_move_tally(s->phase->store, test_of(item), type ? type->id : "?", tensor_level_name(f->level),
                                f->from, f->to, f->cases, e);
    }
    all->count = 0;
    return fine;
}

static bool add_shift(shuffled_pass *s, size_t item, shifts *all, const shift *one, error *e)
{
    for (size_t i = 0; i < all->count; ++i) {
        shift *f = &all->list[i];
        if (f->dtype == one->dtype && f->level == one->level && f->from == one->from && f->to == one->to) {
            f->cases++;
            return true;
        }
    }
    if (all->count == sizeof all->list / sizeof all->list[0] && !flush_shifts(s, item, all, e))
        return false;
    all->list[all->count] = *one;
    all->list[all->count++].cases = 1;
    return true;
}

/* Store one case whose result differs from the ordered pass. */
static bool store_difference(shuffled_pass *s, block *b, const replay_difference *d, shifts *all, error *e)
{
    const rerun_phase *phase = s->phase;
    const int64_t test = test_of(b->t.item);
    run_item *item = &phase->items[b->t.item];
    const verdict v = d->waived ? VERDICT_WAIVED : VERDICT_NONDETERMINISTIC;
    const shift one = { d->dtype, d->level, d->before, v, 1 };
    char more[200], rate[8];
    snprintf(more, sizeof more,
             "The result was %s in the ordered pass, and %s in the shuffled pass with seed %" PRIu64 ".",
             verdict_name(d->before), verdict_name(d->now), phase->options->seed);
    snprintf(rate, sizeof rate, "%d of 2", verdict_fails(d->before) + verdict_fails(d->now));
    chunk_count_case(item->sums, d->index, d->before, false);
    chunk_count_case(item->sums, d->index, v, true);
    phase->result->cases[d->before]--;
    phase->result->cases[v]++;
    phase->result->changed++;
    b->verdicts[d->ordinal] = (uint8_t)v;
    const bool died = b->t.death && d->place == b->t.from;
    const store_candidate candidate = { .test = test,
                                        .index = d->index,
                                        .first = d->before,
                                        .second = d->now,
                                        .block_first = b->t.first,
                                        .block_end = b->t.end,
                                        .block_cases = b->t.cases,
                                        .block_ordinal = b->ordinal,
                                        .from = died         ? b->death_from
                                                : b->t.death ? b->t.from + 1
                                                             : b->t.from,
                                        .place = d->place };
    return add_shift(s, b->t.item, all, &one, e) &&
           store_amend_finding(phase->store, test, d->index, v, more, phase->options->repeat > 1 ? NULL : rate, NULL,
                               NULL, e) &&
           (d->waived || store_add_candidate(phase->store, &candidate, CANDIDATES, e));
}

static bool store_differences(shuffled_pass *s, block *b, const replay_result *r, error *e)
{
    const rerun_phase *phase = s->phase;
    const int64_t test = test_of(b->t.item);
    run_item *item = &phase->items[b->t.item];
    shifts all = { .count = 0 };
    bool fine = true;
    if (r->difference_count == 0)
        return true;
    for (size_t i = 0; i < r->chunk.finding_count && fine; ++i)
        fine = run_store_finding(phase->store, test, item->retained, &r->chunk.findings[i], e);
    for (size_t i = 0; i < r->difference_count && fine; ++i)
        fine = store_difference(s, b, &r->differences[i], &all, e);
    return fine && flush_shifts(s, b->t.item, &all, e) &&
           run_verdicts_write(&s->parts[b->t.item].verdicts, b->ordinal, b->verdicts, b->t.cases, e) &&
           store_set_done(phase->store, test, item->ran, item->sums, e);
}

static bool end_block(shuffled_pass *s, block *b, error *e)
{
    free(b->verdicts);
    b->verdicts = NULL;
    if (s->parts[b->t.item].given_up)
        return true;
    s->phase->result->shuffled += b->t.cases;
    return store_set_shuffled(s->phase->store, test_of(b->t.item), b->number, e);
}

/* Count a process that was lost in the shuffled pass only, and give up the test if there are too many. */
static bool count_ended(shuffled_pass *s, block *b, error *e)
{
    part *q = &s->parts[b->t.item];
    const uint64_t most = s->phase->options->limits.losses ? s->phase->options->limits.losses : MOST_ENDED;
    if (++q->ended < most || q->given_up)
        return true;
    q->given_up = true;
    return s->phase->sink.observe(s->phase->sink.context, b->t.item,
                                  "given up: the shuffled pass ended the backend again and again", e);
}

static bool requeue(shuffled_pass *s, block *b, error *e)
{
    return pool_add_replay(s->phase->pool, &b->t, e);
}

/* All cases before the death are done. Continue with the case in which the process ended. */
static void resume_at_death(block *b)
{
    replay *t = &b->t;
    t->from = b->death_place;
    t->until = t->cases;
    t->death = b->death;
    snprintf(t->how, sizeof t->how, "%s", b->how);
}

static bool handle_death(shuffled_pass *s, block *b, const replay_result *r, error *e)
{
    replay *t = &b->t;
    if (!count_ended(s, b, e))
        return false;
    if (r->together && !t->singly) {
        t->singly = true;
        return requeue(s, b, e);
    }
    if (r->at < t->from || r->at >= t->until || (r->at == t->from && t->death)) /* the shared memory is corrupt */
        return requeue(s, b, e);
    b->death = r->death;
    b->death_place = r->at;
    b->death_from = t->death ? t->from + 1 : t->from; /* the case of an earlier death is not executed */
    snprintf(b->how, sizeof b->how, "%s", r->how);
    if (r->at > t->from) {
        t->until = r->at;
    } else {
        resume_at_death(b);
    }
    return requeue(s, b, e);
}

static bool handle_block(shuffled_pass *s, block *b, const replay_result *r, error *e)
{
    replay *t = &b->t;
    if (r->died)
        return handle_death(s, b, r, e);
    if (r->together) {
        t->singly = true;
        return count_ended(s, b, e) && requeue(s, b, e);
    }
    if (!store_differences(s, b, r, e))
        return false;
    t->death = VERDICT_NONE;
    t->from = r->at;
    if (t->from < t->until)
        return (!r->tainted || count_ended(s, b, e)) && requeue(s, b, e);
    if (t->until == t->cases)
        return end_block(s, b, e);
    resume_at_death(b);
    return requeue(s, b, e);
}

/* ---- the pass ---- */

static bool mark_ready(void *context, uint64_t number)
{
    part *q = context;
    if (number < q->block_count) {
        q->ready[number] = true;
        q->ready_count++;
    }
    return true;
}

static bool make_blocks(shuffled_pass *s, const replay *t, const replay_result *r, error *e)
{
    part *q = &s->parts[t->item];
    const uint64_t planned = s->phase->items[t->item].planned;
    q->blocks = calloc(r->number_count + 1, sizeof *q->blocks);
    q->ready = calloc(r->number_count + 1, sizeof *q->ready);
    if (!q->blocks || !q->ready)
        return error_set(e, "out of memory");
    q->block_count = r->number_count;
    if (!run_verdicts_open(&q->verdicts, s->phase->store, test_of(t->item), e) ||
        !store_each_shuffled(s->phase->store, test_of(t->item), mark_ready, q, e))
        return false;
    if (run_verdicts_count(&q->verdicts) != planned ||
        (planned + REPLAY_BLOCK_CASES - 1) / REPLAY_BLOCK_CASES != q->block_count)
        return error_set(e, "%s: the cases of the shuffled pass are not those of the ordered pass",
                         s->phase->plan->items[t->item].test->name);
    for (size_t i = 0; i < q->block_count; ++i) {
        const bool ends = i + 1 == q->block_count;
        block *b = &q->blocks[i];
        b->number = i;
        b->ordinal = i * REPLAY_BLOCK_CASES;
        b->t = (replay){ .kind = REPLAY_BLOCK,
                         .item = t->item,
                         .first = r->numbers[i],
                         .end = ends ? t->end : r->numbers[i + 1],
                         .cases = ends ? planned - b->ordinal : REPLAY_BLOCK_CASES,
                         .seed = s->phase->options->seed };
        b->t.until = b->t.cases;
        if (q->ready[i])
            s->phase->result->shuffled += b->t.cases;
        else if (!requeue(s, b, e))
            return false;
    }
    return true;
}

static bool replayed(void *context, replay *t, const replay_result *r, error *e)
{
    shuffled_pass *s = context;
    const rerun_phase *phase = s->phase;
    if (t->kind == REPLAY_CUT)
        return make_blocks(s, t, r, e);
    return phase->begin(phase->sink.context, e) && handle_block(s, (block *)t, r, e) &&
           phase->done(phase->sink.context, e);
}

static bool tick(void *context, size_t item)
{
    const shuffled_pass *s = context;
    return s->phase->sink.tick(s->phase->sink.context, item);
}

static void free_parts(shuffled_pass *s)
{
    for (size_t i = 0; i < s->phase->plan->item_count && s->parts; ++i) {
        part *q = &s->parts[i];
        for (size_t k = 0; k < q->block_count; ++k)
            free(q->blocks[k].verdicts);
        free(q->blocks);
        free(q->ready);
        run_verdicts_free(&q->verdicts);
    }
    free(s->parts);
}

bool shuffled_pass_run(const rerun_phase *phase, error *e)
{
    shuffled_pass s = { .phase = phase, .parts = calloc(phase->plan->item_count + 1, sizeof *s.parts) };
    const pool_sink sink = { .context = &s, .begin_replay = begin_replay, .replayed = replayed, .tick = tick };
    bool fine = s.parts || error_set(e, "out of memory");
    for (size_t i = 0; fine && i < phase->plan->item_count; ++i) {
        const run_item *item = &phase->items[i];
        s.parts[i].cut = (replay){
            .kind = REPLAY_CUT, .item = i, .first = item->first, .end = item->end, .cases = REPLAY_BLOCK_CASES
        };
        /* A test that was given up has no verdicts to compare with. */
        if (item->planned && item->ran == item->planned)
            fine = pool_add_replay(phase->pool, &s.parts[i].cut, e);
    }
    fine = fine && pool_run(phase->pool, &sink, e);
    free_parts(&s);
    return fine;
}
