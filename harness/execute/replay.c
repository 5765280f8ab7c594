/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/replay.h"

#include "harness/base/array.h"
#include "harness/model/fill.h"

#include <stdlib.h>
#include <string.h>

#define MOST_NUMBERS (UINT64_C(1) << 32)

void replay_result_free(replay_result *r)
{
    free(r->numbers);
    free(r->differences);
    chunk_clear(&r->chunk);
    r->numbers = NULL;
    r->differences = NULL;
    r->number_count = r->number_capacity = r->difference_count = r->difference_capacity = 0;
}

bool replay_add_number(replay_result *r, uint64_t number, error *e)
{
    if (!array_reserve(&r->numbers, &r->number_capacity, r->number_count + 1, sizeof *r->numbers))
        return error_set(e, "out of memory");
    r->numbers[r->number_count++] = number;
    return true;
}

bool replay_add_difference(replay_result *r, const replay_difference *d, error *e)
{
    if (!array_reserve(&r->differences, &r->difference_capacity, r->difference_count + 1, sizeof *r->differences))
        return error_set(e, "out of memory");
    r->differences[r->difference_count++] = *d;
    return true;
}

void replay_shuffle(uint32_t *order, uint64_t cases, uint64_t seed, uint64_t name_hash, uint64_t first)
{
    const uint64_t key = fill_mix(fill_mix(seed ^ name_hash) + first);
    for (uint64_t i = 0; i < cases; ++i)
        order[i] = (uint32_t)i;
    for (uint64_t i = cases; i > 1; --i) {
        const uint64_t k = fill_mix(key + i) % i;
        const uint32_t last = order[i - 1];
        order[i - 1] = order[k];
        order[k] = last;
    }
}

/* Does it execute cases that its text names? */
static bool replay_of_ids(const replay *t)
{
    return t->kind == REPLAY_CASES || t->kind == REPLAY_FINDING;
}

/* Does its result have findings? */
static bool replay_describes(const replay *t)
{
    return t->kind == REPLAY_BLOCK || t->kind == REPLAY_FINDING;
}

bool replay_executes(const replay *t)
{
    return t->kind == REPLAY_BLOCK || t->kind == REPLAY_LIST || t->kind == REPLAY_POINTS || replay_of_ids(t);
}

/* ---- messages ---- */

void replay_encode(const replay *t, wire *w)
{
    const uint64_t head[] = { t->kind,  t->item,          t->first,  t->end,   t->cases,    t->seed,
                              t->from,  t->until,         t->singly, t->death, t->findings, t->waived_findings,
                              t->times, t->verdict_count, t->count,  t->stop };
    wire_encode(w, head, sizeof head);
    wire_encode_text(w, t->how);
    wire_encode_text(w, t->points);
    wire_encode(w, t->verdicts, t->verdict_count);
    wire_encode(w, t->list, t->count * sizeof *t->list);
}

bool replay_decode(replay *t, replay_case **list, wire *w)
{
    memset(t, 0, sizeof *t);
    *list = NULL;
    t->kind = (replay_kind)wire_decode_count(w, REPLAY_FINDING);
    t->item = wire_decode_u64(w);
    t->first = wire_decode_u64(w);
    t->end = wire_decode_u64(w);
    t->cases = wire_decode_u64(w);
    t->seed = wire_decode_u64(w);
    t->from = wire_decode_u64(w);
    t->until = wire_decode_u64(w);
    t->singly = wire_decode_count(w, 1) != 0;
    t->death = (verdict)wire_decode_count(w, VERDICT_COUNT - 1);
    t->findings = wire_decode_u64(w);
    t->waived_findings = wire_decode_u64(w);
    t->times = wire_decode_u64(w);
    t->verdict_count = wire_decode_count(w, MOST_NUMBERS);
    t->count = wire_decode_count(w, MOST_NUMBERS);
    t->stop = (verdict)wire_decode_count(w, VERDICT_COUNT - 1);
    wire_decode_string(w, t->how, sizeof t->how);
    t->points = wire_decode_text(w);
    t->verdicts = wire_decode(w, t->verdict_count);
    const void *cases = wire_decode(w, t->count * sizeof **list);
    if (!cases || !(*list = malloc((t->count + 1) * sizeof **list)))
        return false;
    memcpy(*list, cases, t->count * sizeof **list);
    t->list = *list;
    return true;
}

void replay_result_encode(const replay_result *r, const replay *t, wire *w)
{
    const uint64_t head[] = { r->number_count, r->difference_count, r->at, r->together, r->tainted };
    wire_encode(w, head, sizeof head);
    wire_encode(w, r->numbers, r->number_count * sizeof *r->numbers);
    wire_encode(w, r->differences, r->difference_count * sizeof *r->differences);
    wire_encode(w, &r->rerun_stats, sizeof r->rerun_stats);
    wire_encode_text(w, r->how);
    if (replay_describes(t))
        chunk_encode(&r->chunk, w);
}

static bool decode_list(wire *w, size_t count, size_t size, void *list)
{
    const void *bytes = wire_decode(w, count * size);
    void *copy = bytes ? malloc(count * size + 1) : NULL;
    if (copy)
        memcpy(copy, bytes, count * size);
    memcpy(list, &copy, sizeof copy);
    return copy != NULL;
}

/* Is the result about cases of the request? */
static bool fits_request(const replay_result *r, const replay *t)
{
    const bool verdicts = t->kind == REPLAY_POINTS || replay_of_ids(t);
    for (size_t i = 0; verdicts && i < r->number_count; ++i)
        if (r->numbers[i] >= VERDICT_COUNT || r->number_count > t->cases)
            return false;
    for (size_t i = 0; !verdicts && i < r->number_count; ++i)
        if (r->numbers[i] < t->first || r->numbers[i] >= t->end)
            return false;
    for (size_t i = 0; i < r->difference_count; ++i) {
        const replay_difference *d = &r->differences[i];
        if (d->index < t->first || d->index >= t->end || d->ordinal >= t->verdict_count ||
            d->before != (verdict)t->verdicts[d->ordinal] || d->now <= VERDICT_NONE || d->now >= VERDICT_COUNT)
            return false;
    }
    for (size_t i = 0; i < r->rerun_stats.kind_count; ++i)
        if (r->rerun_stats.kinds[i].verdict >= VERDICT_COUNT ||
            r->rerun_stats.kinds[i].judgement.tensor >= TS_MAX_TENSORS)
            return false;
    return t->kind != REPLAY_BLOCK || (r->at >= t->from && r->at <= t->verdict_count);
}

bool replay_result_decode(replay_result *r, const replay *t, wire *w)
{
    memset(r, 0, sizeof *r);
    r->fine = true;
    size_t numbers = wire_decode_count(w, MOST_NUMBERS), differences = wire_decode_count(w, MOST_NUMBERS);
    r->at = wire_decode_u64(w);
    r->together = wire_decode_count(w, 1) != 0;
    r->tainted = wire_decode_count(w, 1) != 0;
    if (w->broken || !decode_list(w, numbers, sizeof *r->numbers, &r->numbers))
        return false;
    r->number_count = r->number_capacity = numbers;
    if (!decode_list(w, differences, sizeof *r->differences, &r->differences))
        return false;
    r->difference_count = r->difference_capacity = differences;
    const void *stats = wire_decode(w, sizeof r->rerun_stats);
    if (!stats)
        return false;
    memcpy(&r->rerun_stats, stats, sizeof r->rerun_stats);
    if (r->rerun_stats.kind_count > RERUN_STATS_KINDS)
        r->rerun_stats.kind_count = 0;
    wire_decode_string(w, r->how, sizeof r->how);
    if (w->broken || !fits_request(r, t))
        return false;
    return !replay_describes(t) ? w->at == w->size : chunk_decode(&r->chunk, w, t->first, t->end);
}
