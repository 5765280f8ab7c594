/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/run_verdicts.h"
#include "harness/run/rerun.h"
#include "harness/store/store_rerun.h"
#include "harness/model/tensor.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUSPECTS 4 /* of a test that are examined: those with the lowest indices */
#define MOST_ENDED                                                                                                     \
    100 /* processes that end where they did not before, until a test is given up, if nobody says else                 \
         */

typedef struct block {
    replay t;                 /* the first member: a trial of kind BLOCK is its block */
    uint64_t number, ordinal; /* of the block; of its first case, in the test */
    uint8_t *verdicts;        /* while it is handed out */
    /* The process ended in the case at this place; what was before it is done again first. */
    verdict death;
    uint64_t death_place, death_from; /* and it had executed cases from the latter on */
    uint64_t told_from;               /* the same of the case that is being told */
    char how[120];
} block;

/* One item of the plan. */
typedef struct part {
    replay cut;
    run_verdicts verdicts; /* of the first pass */
    block *blocks;
    size_t block_count;
    bool *ready; /* of each block: it is done in the store already */
    size_t ready_count;
    uint64_t ended; /* processes */
    bool given_up;
} part;

typedef struct second_pass {
    const second_look *look;
    part *parts;
} second_pass;

static int64_t test_of(size_t item)
{
    return (int64_t)item + 1;
}

/* ---- a block ---- */

static bool begin_replay(void *context, replay *t, error *e)
{
    second_pass *s = context;
    const pool_sink *sink = &s->look->sink;
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

/* A number of cases of one data type and level have another verdict. */
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

static bool flush_shifts(second_pass *s, size_t item, shifts *all, error *e)
{
    bool fine = true;
    for (size_t i = 0; i < all->count && fine; ++i) {
        const shift *f = &all->list[i];
        const ts_dtype_info *type = tensor_dtype(f->dtype);
        fine = store_move_tally(s->look->store, test_of(item), type ? type->id : "?", tensor_level_name(f->level),
                                f->from, f->to, f->cases, e);
    }
    all->count = 0;
    return fine;
}

static bool add_shift(second_pass *s, size_t item, shifts *all, const shift *one, error *e)
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

/* Book one case that came out otherwise. */
static bool take_difference(second_pass *s, block *b, const replay_difference *d, shifts *all, error *e)
{
    const second_look *look = s->look;
    const int64_t test = test_of(b->t.item);
    run_item *item = &look->items[b->t.item];
    const verdict v = d->waived ? VERDICT_WAIVED : VERDICT_NONDETERMINISTIC;
    const shift one = { d->dtype, d->level, d->before, v, 1 };
    char more[200], rate[8];
    snprintf(more, sizeof more, "In order it came to %s; in the second pass, shuffled with seed %" PRIu64 ", to %s.",
             verdict_name(d->before), look->options->seed, verdict_name(d->now));
    snprintf(rate, sizeof rate, "%d of 2", verdict_fails(d->before) + verdict_fails(d->now));
    chunk_count_case(item->sums, d->index, d->before, false);
    chunk_count_case(item->sums, d->index, v, true);
    look->result->cases[d->before]--;
    look->result->cases[v]++;
    look->result->came_out_otherwise++;
    b->verdicts[d->ordinal] = (uint8_t)v;
    const bool told = b->t.death && d->place == b->t.from;
    const store_candidate candidate = { .test = test,
                                        .index = d->index,
                                        .first = d->before,
                                        .second = d->now,
                                        .block_first = b->t.first,
                                        .block_end = b->t.end,
                                        .block_cases = b->t.cases,
                                        .block_ordinal = b->ordinal,
                                        .from = told        ? b->death_from
                                                : b->t.death ? b->t.from + 1
                                                            : b->t.from,
                                        .place = d->place };
    return add_shift(s, b->t.item, all, &one, e) &&
           store_amend_finding(look->store, test, d->index, v, more, look->options->repeat > 1 ? NULL : rate, NULL,
                               NULL, e) &&
           (d->waived || store_add_candidate(look->store, &candidate, SUSPECTS, e));
}

static bool take_differences(second_pass *s, block *b, const replay_result *r, error *e)
{
    const second_look *look = s->look;
    const int64_t test = test_of(b->t.item);
    run_item *item = &look->items[b->t.item];
    shifts all = { .count = 0 };
    bool fine = true;
    if (r->difference_count == 0)
        return true;
    for (size_t i = 0; i < r->chunk.finding_count && fine; ++i)
        fine = run_store_finding(look->store, test, item->retained, &r->chunk.findings[i], e);
    for (size_t i = 0; i < r->difference_count && fine; ++i)
        fine = take_difference(s, b, &r->differences[i], &all, e);
    return fine && flush_shifts(s, b->t.item, &all, e) &&
           run_verdicts_write(&s->parts[b->t.item].verdicts, b->ordinal, b->verdicts, b->t.cases, e) &&
           store_set_done(look->store, test, item->ran, item->sums, e);
}

static bool end_block(second_pass *s, block *b, error *e)
{
    free(b->verdicts);
    b->verdicts = NULL;
    if (s->parts[b->t.item].given_up)
        return true;
    s->look->result->shuffled += b->t.cases;
    return store_set_shuffled(s->look->store, test_of(b->t.item), b->number, e);
}

/* A process ended where none ended in order. It is done again, to hear what came before that; case by case, where
   several were submitted together. */
static bool count_ended(second_pass *s, block *b, error *e)
{
    part *q = &s->parts[b->t.item];
    const uint64_t most = s->look->options->max_losses ? s->look->options->max_losses : MOST_ENDED;
    if (++q->ended < most || q->given_up)
        return true;
    q->given_up = true;
    return s->look->sink.observe(s->look->sink.context, b->t.item,
                                 "given up: the second pass ended the backend again and again", e);
}

static bool again(second_pass *s, block *b, error *e)
{
    return pool_add_replay(s->look->pool, &b->t, e);
}

/* All before it is done: go on with the case in which the process ended. */
static void tell_death(block *b)
{
    replay *t = &b->t;
    t->from = b->death_place;
    t->until = t->cases;
    t->death = b->death;
    b->told_from = b->death_from;
    snprintf(t->how, sizeof t->how, "%s", b->how);
}

static bool take_death(second_pass *s, block *b, const replay_result *r, error *e)
{
    replay *t = &b->t;
    if (!count_ended(s, b, e))
        return false;
    if (r->together && !t->singly) {
        t->singly = true;
        return again(s, b, e);
    }
    if (r->at < t->from || r->at >= t->until || (r->at == t->from && t->death)) /* it was scribbled over */
        return again(s, b, e);
    b->death = r->death;
    b->death_place = r->at;
    b->death_from = t->death ? t->from + 1 : t->from; /* what is told is not executed */
    snprintf(b->how, sizeof b->how, "%s", r->how);
    if (r->at > t->from) {
        t->until = r->at;
    } else {
        tell_death(b);
    }
    return again(s, b, e);
}

static bool take_block(second_pass *s, block *b, const replay_result *r, error *e)
{
    replay *t = &b->t;
    if (r->died)
        return take_death(s, b, r, e);
    if (r->together) {
        t->singly = true;
        return count_ended(s, b, e) && again(s, b, e);
    }
    if (!take_differences(s, b, r, e))
        return false;
    t->death = VERDICT_NONE;
    t->from = r->at;
    if (t->from < t->until)
        return (!r->tainted || count_ended(s, b, e)) && again(s, b, e);
    if (t->until == t->cases)
        return end_block(s, b, e);
    tell_death(b);
    return again(s, b, e);
}

/* ---- all of it ---- */

static bool see_ready(void *context, uint64_t number)
{
    part *q = context;
    if (number < q->block_count) {
        q->ready[number] = true;
        q->ready_count++;
    }
    return true;
}

static bool take_cut(second_pass *s, const replay *t, const replay_result *r, error *e)
{
    part *q = &s->parts[t->item];
    const uint64_t planned = s->look->items[t->item].planned;
    q->blocks = calloc(r->number_count + 1, sizeof *q->blocks);
    q->ready = calloc(r->number_count + 1, sizeof *q->ready);
    if (!q->blocks || !q->ready)
        return error_set(e, "out of memory");
    q->block_count = r->number_count;
    if (!run_verdicts_open(&q->verdicts, s->look->store, test_of(t->item), e) ||
        !store_each_shuffled(s->look->store, test_of(t->item), see_ready, q, e))
        return false;
    if (run_verdicts_count(&q->verdicts) != planned ||
        (planned + REPLAY_BLOCK_CASES - 1) / REPLAY_BLOCK_CASES != q->block_count)
        return error_set(e, "%s: the cases of the second pass are not those of the first",
                         s->look->plan->items[t->item].test->name);
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
                         .seed = s->look->options->seed };
        b->t.until = b->t.cases;
        if (q->ready[i])
            s->look->result->shuffled += b->t.cases;
        else if (!again(s, b, e))
            return false;
    }
    return true;
}

static bool tried(void *context, replay *t, const replay_result *r, error *e)
{
    second_pass *s = context;
    const second_look *look = s->look;
    if (t->kind == REPLAY_CUT)
        return take_cut(s, t, r, e);
    return look->begin(look->sink.context, e) && take_block(s, (block *)t, r, e) && look->done(look->sink.context, e);
}

static bool tick(void *context, size_t item)
{
    const second_pass *s = context;
    return s->look->sink.tick(s->look->sink.context, item);
}

static void free_parts(second_pass *s)
{
    for (size_t i = 0; i < s->look->plan->item_count && s->parts; ++i) {
        part *q = &s->parts[i];
        for (size_t k = 0; k < q->block_count; ++k)
            free(q->blocks[k].verdicts);
        free(q->blocks);
        free(q->ready);
        run_verdicts_free(&q->verdicts);
    }
    free(s->parts);
}

bool shuffled_pass_run(const second_look *look, error *e)
{
    second_pass s = { .look = look, .parts = calloc(look->plan->item_count + 1, sizeof *s.parts) };
    const pool_sink sink = { .context = &s, .begin_replay = begin_replay, .tried = tried, .tick = tick };
    bool fine = s.parts || error_set(e, "out of memory");
    for (size_t i = 0; fine && i < look->plan->item_count; ++i) {
        const run_item *item = &look->items[i];
        s.parts[i].cut = (replay){
            .kind = REPLAY_CUT, .item = i, .first = item->first, .end = item->end, .cases = REPLAY_BLOCK_CASES
        };
        /* A test that was given up has no verdicts to be compared with. */
        if (item->planned && item->ran == item->planned)
            fine = pool_add_replay(look->pool, &s.parts[i].cut, e);
    }
    fine = fine && pool_run(look->pool, &sink, e);
    free_parts(&s);
    return fine;
}
