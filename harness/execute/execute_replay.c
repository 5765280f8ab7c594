/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/execute_replay.h"

#include "harness/execute/execute_item.h"
#include "harness/execute/finding.h"
#include "harness/casefile/waivers.h"

#include <stdlib.h>
#include <string.h>

/* What is at hand of a trial. */
typedef struct desk {
    executor *x;
    const case_test *test;
    const replay *what;
    replay_result *r;
    uint64_t *indices; /* BLOCK and ORDER: of the block's cases */
    uint32_t *order;
    uint64_t cases;
    space_cursor cursor;
} desk;

static bool failed_predicate(const desk *d, error *e)
{
    return error_usage(e, "%s: %s: predicate '%s' divides by zero or leaves a vector", d->test->file->path,
                       d->test->name, expr_text(d->cursor.failed));
}

/* ---- which cases ---- */

static bool cut(desk *d, error *e)
{
    uint64_t n = 0;
    bool fine = true;
    for (bool more = space_start(&d->cursor, d->test->space, d->what->first, d->what->end, item_gate, d->x);
         more && fine; more = space_next(&d->cursor))
        fine = n++ % d->what->cases != 0 || replay_add_number(d->r, d->cursor.index, e);
    return fine && (!d->cursor.failed || failed_predicate(d, e));
}

/* Look at more and more indices before the end, until there are as many legal cases among them. */
static bool find_before(desk *d, error *e)
{
    const replay *t = d->what;
    uint64_t width = t->cases, found;
    for (;;) {
        const uint64_t first = t->end - t->first > width ? t->end - width : t->first;
        if (!space_count(d->test->space, first, t->end, item_gate, d->x, &found, e))
            return false;
        if (found < t->cases && first > t->first) {
            width = width > UINT64_MAX / 4 ? UINT64_MAX : 4 * width;
            continue;
        }
        uint64_t n = 0;
        bool fine = true;
        for (bool more = space_start(&d->cursor, d->test->space, first, t->end, item_gate, d->x); more && fine;
             more = space_next(&d->cursor))
            fine = found - n++ > t->cases || replay_add_number(d->r, d->cursor.index, e);
        return fine && (!d->cursor.failed || failed_predicate(d, e));
    }
}

/* The cases of the block, and their order. */
static bool lay_out(desk *d, error *e)
{
    const replay *t = d->what;
    d->indices = malloc((t->cases + 1) * sizeof *d->indices);
    d->order = malloc((t->cases + 1) * sizeof *d->order);
    if (!d->indices || !d->order)
        return error_set(e, "out of memory");
    for (bool more = space_start(&d->cursor, d->test->space, t->first, t->end, item_gate, d->x); more;
         more = space_next(&d->cursor)) {
        if (d->cases == t->cases)
            return error_set(e, "%s: a block has more cases than when it was cut", d->test->name);
        d->indices[d->cases++] = d->cursor.index;
    }
    if (d->cursor.failed)
        return failed_predicate(d, e);
    if (d->cases != t->cases)
        return error_set(e, "%s: a block has fewer cases than when it was cut", d->test->name);
    replay_shuffle(d->order, d->cases, t->seed, d->x->build.name_hash, t->first);
    return true;
}

/* Would the case end the process, or may it have spoilt it? */
static bool is_harmful(verdict v)
{
    return v == VERDICT_CRASH || v == VERDICT_HANG || v == VERDICT_LOST || v == VERDICT_READ_OUTSIDE ||
           v == VERDICT_WROTE_OUTSIDE;
}

/* Without those that REPLAY_BLOCK leaves out. */
static bool tell_order(desk *d, error *e)
{
    bool fine = true;
    for (uint64_t place = d->what->from; fine && place < d->what->until && place < d->cases; ++place)
        if (d->what->verdict_count != d->cases || !is_harmful((verdict)d->what->verdicts[d->order[place]]))
            fine = replay_add_number(d->r, d->indices[d->order[place]], e);
    return fine;
}

/* ---- executing ---- */

/* Take the case of an index as item `waiting`; a watcher knows it by its place. */
static bool take(desk *d, uint64_t index, uint64_t place, size_t waiting, error *e)
{
    d->x->items[waiting].watched = place;
    if (!space_start(&d->cursor, d->test->space, index, index + 1, item_gate, d->x))
        return d->cursor.failed
                   ? failed_predicate(d, e)
                   : error_set(e, "%s: case %llu cannot be found again", d->test->name, (unsigned long long)index);
    return item_take(d->x, &d->cursor, waiting, true, e);
}

/* Keep a finding of a case that fails now and did not before. The cursor stands at it. */
static bool tell(desk *d, execute_item *item, const judgement *j, replay_difference *found, error *e)
{
    executor *x = d->x;
    char id[CASE_ID_SIZE];
    if (!space_start(&x->there, d->test->space, found->index, found->index + 1, NULL, NULL))
        return error_set(e, "%s: case %llu cannot be found again", d->test->name, (unsigned long long)found->index);
    const waiver *waived = x->waivers ? waivers_find(x->waivers, found->index, x->there.values) : NULL;
    uint64_t *room = waived ? &x->waived_findings : &x->findings;
    found->waived = waived != NULL;
    if (*room == 0)
        return true;
    --*room;
    space_format_id(&x->there, id, sizeof id);
    char *drawn = finding_draw(x, item);
    store_finding *f = chunk_find(&d->r->chunk);
    if (!f) {
        free(drawn);
        return error_set(e, "out of memory");
    }
    f->tensors = drawn;
    finding_tell(x, item, j, found->now, id, f);
    f->verdict = VERDICT_NONDETERMINISTIC;
    if (waived)
        finding_waive(f, waived);
    return true;
}

/* What came of one item, held against what it was before. */
static bool compare(desk *d, execute_item *item, error *e)
{
    const uint64_t ordinal = d->order[item->watched];
    const verdict before = (verdict)d->what->verdicts[ordinal];
    judgement j;
    bool compared;
    verdict now = item_verdict(d->x, item, &j, &compared);
    replay_difference found = { .index = item->instance->index,
                                .ordinal = ordinal,
                                .place = item->watched,
                                .dtype = item->instance->descriptor.tensors[0].dtype,
                                .level = item->level,
                                .before = before,
                                .now = now };
    d->r->at = item->watched + 1;
    /* What is waived failed before, in a way that is not known any more. */
    if (now == before || before == VERDICT_WAIVED || before == VERDICT_NONDETERMINISTIC)
        return true;
    return (verdict_fails(before) || !verdict_fails(now) || tell(d, item, &j, &found, e)) &&
           replay_add_difference(d->r, &found, e);
}

/* Submit what waits, and compare. False also where the process is spoilt: d->r says so. */
static bool flush(desk *d, size_t waiting, error *e)
{
    executor *x = d->x;
    if (waiting == 0)
        return true;
    if (!x->items[0].told && x->items[0].when == ITEM_WHEN_SUBMITTED)
        item_submit(x, x->items, waiting);
    d->r->tainted = x->tainted;
    if (x->tainted && waiting > 1) {
        d->r->together = true;
        d->r->at = x->items[0].watched;
        return true;
    }
    for (size_t i = 0; i < waiting; ++i)
        if (!compare(d, &x->items[i], e))
            return false;
    return true;
}

static bool run_block(desk *d, error *e)
{
    executor *x = d->x;
    const replay *t = d->what;
    const size_t batch = t->singly || d->test->after_count ? 1 : x->batch;
    size_t waiting = 0;
    x->findings = t->findings;
    x->waived_findings = t->waived_findings;
    d->r->chunk.first = t->first;
    d->r->chunk.last = t->end;
    if (t->verdict_count != t->cases)
        return error_set(e, "%s: a block of %llu cases has %zu verdicts", d->test->name, (unsigned long long)t->cases,
                         t->verdict_count);
    for (uint64_t i = 0; i < t->cases; ++i) /* what a chunk tells has to be about cases of its own */
        if (!chunk_add(&d->r->chunk, d->indices[i], 0, 0, (verdict)t->verdicts[i], e))
            return false;
    d->r->at = t->from;
    const uint64_t until = t->until < d->cases ? t->until : d->cases;
    for (uint64_t place = t->from; place < until && !x->tainted; ++place) {
        const uint64_t ordinal = d->order[place];
        const bool told = t->death && place == t->from;
        if (is_harmful((verdict)t->verdicts[ordinal]) && !told)
            continue;
        if (!take(d, d->indices[ordinal], place, waiting, e))
            return false;
        execute_item *item = &x->items[waiting];
        if (told) {
            item->told = t->death;
            item->ended = t->how;
        }
        ++waiting;
        if (waiting == batch || told || item->when != ITEM_WHEN_SUBMITTED || item_is_large(item)) {
            if (!flush(d, waiting, e))
                return false;
            waiting = 0;
        }
    }
    if (!x->tainted && !flush(d, waiting, e))
        return false;
    if (!x->tainted)
        d->r->at = until > t->from ? until : t->from;
    return true;
}

static bool run_list(desk *d, error *e)
{
    executor *x = d->x;
    for (size_t i = 0; i < d->what->count && !x->tainted; ++i) {
        const bool last = i + 1 == d->what->count;
        judgement j;
        bool compared;
        if (!take(d, d->what->list[i], i, 0, e))
            return false;
        d->r->at = i;
        if (x->items[0].when == ITEM_WHEN_SUBMITTED)
            item_submit(x, &x->items[0], 1);
        if (!last)
            continue;
        const verdict v = item_verdict(x, &x->items[0], &j, &compared);
        rerun_stats_add(&d->r->rerun_stats, v, &j);
        while (!x->tainted && x->items[0].when == ITEM_WHEN_SUBMITTED && d->r->rerun_stats.executed < d->what->times)
            item_try_again(x, &x->items[0], &d->r->rerun_stats);
    }
    d->r->tainted = x->tainted;
    return true;
}

bool execute_replay(executor *x, const case_test *t, const replay *what, replay_result *r, error *e)
{
    desk *d = calloc(1, sizeof *d); /* a cursor is too large for the stack of who calls */
    if (!d)
        return error_set(e, "out of memory");
    d->x = x;
    d->test = t;
    d->what = what;
    d->r = r;
    bool fine = item_begin(x, t, e);
    x->still = x->placed = true;
    if (fine)
        switch (what->kind) {
        case REPLAY_CUT: fine = cut(d, e); break;
        case REPLAY_BEFORE: fine = find_before(d, e); break;
        case REPLAY_ORDER: fine = lay_out(d, e) && tell_order(d, e); break;
        case REPLAY_BLOCK: fine = lay_out(d, e) && run_block(d, e); break;
        case REPLAY_LIST: fine = run_list(d, e); break;
        }
    x->still = x->placed = false;
    free(d->indices);
    free(d->order);
    free(d);
    return fine;
}
