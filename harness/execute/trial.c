/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/trial.h"

#include "harness/model/fill.h"

#include <stdlib.h>
#include <string.h>

#define MOST_NUMBERS (UINT64_C(1) << 32)

void trial_result_free(trial_result *r)
{
    free(r->numbers);
    free(r->differences);
    chunk_clear(&r->chunk);
    r->numbers = NULL;
    r->differences = NULL;
    r->number_count = r->difference_count = 0;
}

/* Room for one more in a list that doubles. */
static void *grown(void *list, size_t count, size_t size)
{
    return (count & (count - 1)) == 0 ? realloc(list, (count ? 2 * count : 1) * size) : list;
}

bool trial_add_number(trial_result *r, uint64_t number, error *e)
{
    uint64_t *list = grown(r->numbers, r->number_count, sizeof *list);
    if (!list)
        return error_set(e, "out of memory");
    r->numbers = list;
    list[r->number_count++] = number;
    return true;
}

bool trial_add_difference(trial_result *r, const trial_difference *d, error *e)
{
    trial_difference *list = grown(r->differences, r->difference_count, sizeof *list);
    if (!list)
        return error_set(e, "out of memory");
    r->differences = list;
    list[r->difference_count++] = *d;
    return true;
}

void trial_shuffle(uint32_t *order, uint64_t cases, uint64_t seed, uint64_t name_hash, uint64_t first)
{
    const uint64_t key = fill_mix(fill_mix(seed ^ name_hash) + first);
    for (uint64_t i = 0; i < cases; ++i)
        order[i] = (uint32_t)i;
    for (uint64_t i = cases; i > 1; --i) {
        const uint64_t k = fill_mix(key + i) % i;
        const uint32_t kept = order[i - 1];
        order[i - 1] = order[k];
        order[k] = kept;
    }
}

bool trial_executes(const trial *t)
{
    return t->kind == TRIAL_BLOCK || t->kind == TRIAL_LIST;
}

/* ---- as messages ---- */

void trial_put(const trial *t, wire *w)
{
    const uint64_t head[] = { t->kind,  t->item,          t->first,  t->end,  t->cases,    t->seed,
                              t->from,  t->until,         t->singly, t->told, t->findings, t->waived_findings,
                              t->times, t->verdict_count, t->count };
    wire_put(w, head, sizeof head);
    wire_put_text(w, t->blame);
    wire_put(w, t->verdicts, t->verdict_count);
    wire_put(w, t->list, t->count * sizeof *t->list);
}

bool trial_take(trial *t, uint64_t **list, wire *w)
{
    memset(t, 0, sizeof *t);
    *list = NULL;
    t->kind = (trial_kind)wire_take_count(w, TRIAL_LIST);
    t->item = wire_take_u64(w);
    t->first = wire_take_u64(w);
    t->end = wire_take_u64(w);
    t->cases = wire_take_u64(w);
    t->seed = wire_take_u64(w);
    t->from = wire_take_u64(w);
    t->until = wire_take_u64(w);
    t->singly = wire_take_count(w, 1) != 0;
    t->told = (verdict)wire_take_count(w, VERDICT_COUNT - 1);
    t->findings = wire_take_u64(w);
    t->waived_findings = wire_take_u64(w);
    t->times = wire_take_u64(w);
    t->verdict_count = wire_take_count(w, MOST_NUMBERS);
    t->count = wire_take_count(w, MOST_NUMBERS);
    wire_take_string(w, t->blame, sizeof t->blame);
    t->verdicts = wire_take(w, t->verdict_count);
    const void *numbers = wire_take(w, t->count * sizeof **list);
    if (!numbers || !(*list = malloc((t->count + 1) * sizeof **list)))
        return false;
    memcpy(*list, numbers, t->count * sizeof **list);
    t->list = *list;
    return true;
}

void trial_result_put(const trial_result *r, const trial *t, wire *w)
{
    const uint64_t head[] = { r->number_count, r->difference_count, r->at, r->together, r->spoiled };
    wire_put(w, head, sizeof head);
    wire_put(w, r->numbers, r->number_count * sizeof *r->numbers);
    wire_put(w, r->differences, r->difference_count * sizeof *r->differences);
    wire_put(w, &r->tries, sizeof r->tries);
    if (t->kind == TRIAL_BLOCK)
        chunk_put(&r->chunk, w);
}

static bool take_list(wire *w, size_t count, size_t size, void *list)
{
    const void *bytes = wire_take(w, count * size);
    void *copy = bytes ? malloc(count * size + 1) : NULL;
    if (copy)
        memcpy(copy, bytes, count * size);
    memcpy(list, &copy, sizeof copy);
    return copy != NULL;
}

/* What came of it has to be about cases that were asked for. */
static bool makes_sense(const trial_result *r, const trial *t)
{
    for (size_t i = 0; i < r->number_count; ++i)
        if (r->numbers[i] < t->first || r->numbers[i] >= t->end)
            return false;
    for (size_t i = 0; i < r->difference_count; ++i) {
        const trial_difference *d = &r->differences[i];
        if (d->index < t->first || d->index >= t->end || d->ordinal >= t->verdict_count ||
            d->before != (verdict)t->verdicts[d->ordinal] || d->now <= VERDICT_NONE || d->now >= VERDICT_COUNT)
            return false;
    }
    for (size_t i = 0; i < r->tries.kind_count; ++i)
        if (r->tries.kinds[i].verdict >= VERDICT_COUNT || r->tries.kinds[i].judgement.tensor >= TS_MAX_TENSORS)
            return false;
    return t->kind != TRIAL_BLOCK || (r->at >= t->from && r->at <= t->verdict_count);
}

bool trial_result_take(trial_result *r, const trial *t, wire *w)
{
    memset(r, 0, sizeof *r);
    r->fine = true;
    size_t numbers = wire_take_count(w, MOST_NUMBERS), differences = wire_take_count(w, MOST_NUMBERS);
    r->at = wire_take_u64(w);
    r->together = wire_take_count(w, 1) != 0;
    r->spoiled = wire_take_count(w, 1) != 0;
    if (w->broken || !take_list(w, numbers, sizeof *r->numbers, &r->numbers))
        return false;
    r->number_count = numbers;
    if (!take_list(w, differences, sizeof *r->differences, &r->differences))
        return false;
    r->difference_count = differences;
    const void *told = wire_take(w, sizeof r->tries);
    if (!told)
        return false;
    memcpy(&r->tries, told, sizeof r->tries);
    if (r->tries.kind_count > TRIES_KINDS)
        r->tries.kind_count = 0;
    if (!makes_sense(r, t))
        return false;
    return t->kind != TRIAL_BLOCK ? w->at == w->size : chunk_take(&r->chunk, w, t->first, t->end);
}
