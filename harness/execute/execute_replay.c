/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/execute_replay.h"

#include "harness/execute/execute_item.h"
#include "harness/execute/finding.h"
#include "harness/casefile/waivers_match.h"

#include <stdlib.h>
#include <string.h>

/* A replay while it is carried out. */
typedef struct replay_run {
    executor *x;
    const plan *plan;
    const case_test *test; /* of the cases that are executed now */
    const replay *request;
    replay_result *r;
    uint64_t *indices; /* BLOCK and ORDER: by ordinal */
    uint32_t *order;   /* the ordinal of each place */
    uint64_t cases;
    space_cursor cursor;
} replay_run;

/* ---- which cases ---- */

static bool find_blocks(replay_run *d, error *e)
{
    uint64_t n = 0;
    bool fine = true;
    for (bool more = space_start(&d->cursor, d->test->space, d->request->first, d->request->end, item_gate, d->x);
         more && fine; more = space_next(&d->cursor))
        fine = n++ % d->request->cases != 0 || replay_add_number(d->r, d->cursor.index, e);
    return fine && !space_failed(&d->cursor, e);
}

/* List the last `cases` legal cases before the end: search a range of indices that is widened until it has enough. */
static bool find_before(replay_run *d, error *e)
{
    const replay *t = d->request;
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
        return fine && !space_failed(&d->cursor, e);
    }
}

/* List the cases of the block, and shuffle them. */
static bool shuffle_block(replay_run *d, error *e)
{
    const replay *t = d->request;
    d->indices = malloc((t->cases + 1) * sizeof *d->indices);
    d->order = malloc((t->cases + 1) * sizeof *d->order);
    if (!d->indices || !d->order)
        return error_set(e, "out of memory");
    for (bool more = space_start(&d->cursor, d->test->space, t->first, t->end, item_gate, d->x); more;
         more = space_next(&d->cursor)) {
        if (d->cases == t->cases)
            return error_set(e, "%s: a block has more cases than when it was made", d->test->name);
        d->indices[d->cases++] = d->cursor.index;
    }
    if (space_failed(&d->cursor, e))
        return false;
    if (d->cases != t->cases)
        return error_set(e, "%s: a block has fewer cases than when it was made", d->test->name);
    replay_shuffle(d->order, d->cases, t->seed, d->x->source.build.name_hash, t->first);
    return true;
}

/* May executing a case with this verdict end or taint the process? */
static bool is_harmful(verdict v)
{
    return v == VERDICT_CRASH || v == VERDICT_HANG || v == VERDICT_LOST || v == VERDICT_READ_OUTSIDE ||
           v == VERDICT_WROTE_OUTSIDE;
}

/* List the cases of some places, without those that REPLAY_BLOCK does not execute. */
static bool list_order(replay_run *d, error *e)
{
    bool fine = true;
    for (uint64_t place = d->request->from; fine && place < d->request->until && place < d->cases; ++place)
        if (d->request->verdict_count != d->cases || !is_harmful((verdict)d->request->verdicts[d->order[place]]))
            fine = replay_add_number(d->r, d->indices[d->order[place]], e);
    return fine;
}

/* ---- executing ---- */

/* Load the case of an index as item `waiting`, which the watchdog shows by its place. */
static bool load_case(replay_run *d, uint64_t index, uint64_t place, size_t waiting, error *e)
{
    d->x->batch.items[waiting].watch_id = place;
    if (!space_start(&d->cursor, d->test->space, index, index + 1, item_gate, d->x))
        return space_failed(&d->cursor, e)
                   ? false
                   : error_set(e, "%s: case %llu cannot be found again", d->test->name, (unsigned long long)index);
    return item_load(d->x, &d->cursor, waiting, true, e);
}

/* Add a finding about a case that fails now and did not before, if there is room. */
static bool add_finding(replay_run *d, execute_item *item, const judgement *j, replay_difference *found, error *e)
{
    executor *x = d->x;
    char id[CASE_ID_SIZE];
    if (!space_start(&x->source.lookup, d->test->space, found->index, found->index + 1, NULL, NULL))
        return error_set(e, "%s: case %llu cannot be found again", d->test->name, (unsigned long long)found->index);
    const waiver *waived =
        x->source.waivers ? waivers_find(x->source.waivers, found->index, x->source.lookup.values) : NULL;
    uint64_t *room = waived ? &x->range.waived_findings : &x->range.findings;
    found->waived = waived != NULL;
    if (*room == 0)
        return true;
    --*room;
    space_format_id(&x->source.lookup, id, sizeof id);
    char *rendered = finding_render(x, item);
    store_finding *f = chunk_add_finding(&d->r->chunk);
    if (!f) {
        free(rendered);
        return error_set(e, "out of memory");
    }
    f->tensors = rendered;
    if (!finding_describe(x, item, j, found->now, id, f, e))
        return false;
    f->verdict = VERDICT_NONDETERMINISTIC;
    if (waived)
        finding_waive(f, waived);
    return true;
}

/* Compare the verdict of one item with its verdict in the run. */
static bool compare(replay_run *d, execute_item *item, error *e)
{
    const uint64_t ordinal = d->order[item->watch_id];
    const verdict before = (verdict)d->request->verdicts[ordinal];
    judgement j;
    bool compared;
    verdict now = item_conclude(d->x, item, &j, &compared);
    replay_difference found = { .index = item->instance->index,
                                .ordinal = ordinal,
                                .place = item->watch_id,
                                .dtype = operator_dtype(&item->instance->descriptor),
                                .level = item->level,
                                .before = before,
                                .now = now };
    d->r->at = item->watch_id + 1;
    /* A waived case failed before; with which verdict is not stored. */
    if (now == before || before == VERDICT_WAIVED || before == VERDICT_NONDETERMINISTIC)
        return true;
    return (verdict_fails(before) || !verdict_fails(now) || add_finding(d, item, &j, &found, e)) &&
           replay_add_difference(d->r, &found, e);
}

/* Submit the first `waiting` items, and compare their verdicts. d->r->tainted: the process can execute no more. */
static bool flush(replay_run *d, size_t waiting, error *e)
{
    executor *x = d->x;
    if (waiting == 0)
        return true;
    x->batch.submitted = waiting;
    if (!x->batch.items[0].preset && x->batch.items[0].phase == ITEM_IN_SUBMIT)
        item_submit(x, x->batch.items, waiting);
    d->r->tainted = x->range.tainted;
    if (x->range.tainted && waiting > 1) {
        d->r->together = true;
        d->r->at = x->batch.items[0].watch_id;
        return true;
    }
    for (size_t i = 0; i < waiting; ++i)
        if (!compare(d, &x->batch.items[i], e))
            return false;
    item_hide_all(x, waiting);
    arena_trim(&x->batch.arena);
    return true;
}

static bool run_block(replay_run *d, error *e)
{
    executor *x = d->x;
    const replay *t = d->request;
    const size_t together = t->singly || case_is_preceded(d->test) ? 1 : x->batch.capacity;
    size_t waiting = 0;
    uint64_t bytes = 0;
    x->range.findings = t->findings;
    x->range.waived_findings = t->waived_findings;
    d->r->chunk.first = t->first;
    d->r->chunk.last = t->end;
    if (t->verdict_count != t->cases)
        return error_set(e, "%s: a block of %llu cases has %zu verdicts", d->test->name, (unsigned long long)t->cases,
                         t->verdict_count);
    for (uint64_t i = 0; i < t->cases; ++i) /* a finding has to be about a case of its chunk */
        if (!chunk_add(&d->r->chunk, d->indices[i], 0, 0, (verdict)t->verdicts[i], e))
            return false;
    d->r->at = t->from;
    const uint64_t until = t->until < d->cases ? t->until : d->cases;
    for (uint64_t place = t->from; place < until && !x->range.tainted; ++place) {
        const uint64_t ordinal = d->order[place];
        const bool preset = t->death && place == t->from;
        if (is_harmful((verdict)t->verdicts[ordinal]) && !preset)
            continue;
        if (!load_case(d, d->indices[ordinal], place, waiting, e))
            return false;
        execute_item *item = &x->batch.items[waiting];
        if (preset) {
            item->preset = t->death;
            item->failure = t->how;
        }
        ++waiting;
        bytes += item_bytes(item);
        if (waiting == together || preset || item->phase != ITEM_IN_SUBMIT || bytes > ITEM_BATCH_BYTES) {
            if (!flush(d, waiting, e))
                return false;
            waiting = 0;
            bytes = 0;
        }
    }
    if (!x->range.tainted && !flush(d, waiting, e))
        return false;
    if (!x->range.tainted)
        d->r->at = until > t->from ? until : t->from;
    return true;
}

/* Begin with the cases of a test. */
static bool begin_test(replay_run *d, uint64_t item, error *e)
{
    if (item >= d->plan->item_count)
        return error_set(e, "a replay names test %llu of a plan of %zu", (unsigned long long)item, d->plan->item_count);
    d->test = d->plan->items[item].test;
    if (!item_begin(d->x, d->test, e))
        return false;
    d->x->range.no_reruns = d->x->range.watched_by_place = true;
    return true;
}

/* Ask about all cases of a list before any of them is executed: of what a bad call leaves behind, no query is to blame. */
static bool ask_about_list(replay_run *d, error *e)
{
    for (size_t i = 0; i < d->request->count; ++i) {
        const replay_case *one = &d->request->list[i];
        if ((i == 0 || one->item != one[-1].item) && !begin_test(d, one->item, e))
            return false;
        space_start(&d->cursor, d->test->space, one->index, one->index + 1, item_gate, d->x);
    }
    return true;
}

static bool run_list(replay_run *d, error *e)
{
    executor *x = d->x;
    if (!ask_about_list(d, e))
        return false;
    x->range.tainted |= x->known.failure.key != 0;
    for (size_t i = 0; i < d->request->count && !x->range.tainted; ++i) {
        const replay_case *one = &d->request->list[i];
        const bool last = i + 1 == d->request->count;
        judgement j;
        bool compared;
        if ((i == 0 || one->item != one[-1].item) && !begin_test(d, one->item, e))
            return false;
        if (!load_case(d, one->index, i, 0, e))
            return false;
        d->r->at = i;
        if (x->batch.items[0].phase == ITEM_IN_SUBMIT)
            item_submit(x, &x->batch.items[0], 1);
        if (!last)
            continue;
        const verdict v = item_conclude(x, &x->batch.items[0], &j, &compared);
        rerun_stats_add(&d->r->rerun_stats, v, &j);
        while (!x->range.tainted && x->batch.items[0].phase == ITEM_IN_SUBMIT &&
               d->r->rerun_stats.executed < d->request->times)
            item_rerun(x, &x->batch.items[0], &d->r->rerun_stats);
        item_hide_all(x, 1);
    }
    d->r->tainted = x->range.tainted;
    return true;
}

/* Execute one point. *v: its verdict. */
static bool run_point(replay_run *d, const char *parameters, uint64_t place, verdict *v, error *e)
{
    executor *x = d->x;
    execute_item *item = &x->batch.items[0];
    error none;
    judgement j;
    bool compared;
    *v = VERDICT_NONE;
    if (!space_point(&d->cursor, d->test->space, parameters, d->request->first, &none) ||
        !item_gate(x, d->cursor.values, d->cursor.inner))
        return true;
    x->range.tainted |= x->known.failure.key != 0; /* of a query that nothing went before, the point has the verdict */
    if (x->known.failure.used)
        return true;
    item->watch_id = place;
    if (!item_load(x, &d->cursor, 0, true, e))
        return false;
    if (item->phase == ITEM_IN_SUBMIT)
        item_submit(x, item, 1);
    *v = item_conclude(x, item, &j, &compared);
    item_hide_expected(item);
    return true;
}

static bool run_points(replay_run *d, error *e)
{
    const char *line = d->request->points;
    for (uint64_t i = 0; line && i < d->request->cases && !d->x->range.tainted; ++i) {
        char parameters[CASE_ID_SIZE];
        const size_t length = strcspn(line, "\n");
        verdict v;
        if (length >= sizeof parameters)
            return error_set(e, "a point has more than %d characters", CASE_ID_SIZE - 1);
        memcpy(parameters, line, length);
        parameters[length] = '\0';
        line = line[length] ? line + length + 1 : NULL;
        d->r->at = i;
        if (!run_point(d, parameters, i, &v, e) || !replay_add_number(d->r, v, e))
            return false;
    }
    d->r->tainted = d->x->range.tainted;
    return true;
}

bool execute_replay(executor *x, const plan *p, const replay *request, replay_result *r, error *e)
{
    replay_run *d = calloc(1, sizeof *d); /* a cursor is too large for the stack */
    if (!d)
        return error_set(e, "out of memory");
    d->x = x;
    d->plan = p;
    d->request = request;
    d->r = r;
    bool fine = begin_test(d, request->item, e);
    if (fine)
        switch (request->kind) {
        case REPLAY_CUT: fine = find_blocks(d, e); break;
        case REPLAY_BEFORE: fine = find_before(d, e); break;
        case REPLAY_ORDER: fine = shuffle_block(d, e) && list_order(d, e); break;
        case REPLAY_BLOCK: fine = shuffle_block(d, e) && run_block(d, e); break;
        case REPLAY_LIST: fine = run_list(d, e); break;
        case REPLAY_POINTS: fine = run_points(d, e); break;
        case REPLAY_CASES:
        case REPLAY_FINDING: fine = execute_cases(x, d->test->file, request, r, e); break;
        }
    x->range.no_reruns = x->range.watched_by_place = false;
    free(d->indices);
    free(d->order);
    free(d);
    return fine;
}
