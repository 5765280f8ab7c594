/* SPDX-License-Identifier: Apache-2.0 */
/* A run with a budget: one night of a rolling coverage. */
#include "harness/run/budget.h"
#include "harness/run/run_store.h"
#include "harness/run/sweep.h"

#include <stdio.h>
#include <stdlib.h>

bool night_open(sweep *s, error *e)
{
    if (!(s->schedule = schedule_new(s->items, s->plan.item_count, s->coverage.key)))
        return error_set(e, "out of memory");
    schedule_begin(s->schedule, s->coverage.first, budget_most(&s->coverage, s->options->budget));
    return true;
}

bool night_begin(sweep *s, error *e)
{
    const run_options *o = s->options;
    bool anew;
    schedule_key(&s->plan, s->items, o, &s->info, s->level, s->coverage.key);
    s->coverage.total = s->result->planned;
    s->coverage.portions = schedule_portions(s->items, s->plan.item_count);
    if (!budget_place(&s->coverage, o, &anew, e))
        return false;
    if (anew)
        fprintf(stderr, "what is planned is not what it was in the night before: coverage begins anew\n");
    return night_open(s, e);
}

/* How many cases the portions have that tonight began of an item. */
static bool count_begun(sweep *s, size_t item, uint64_t *planned, error *e)
{
    const pool_sink sink = sweep_sink(s);
    const size_t n = s->plan.item_count;
    uint64_t *numbers = calloc(3 * n + 1, sizeof *numbers); /* first, end, planned */
    bool fine = numbers ? true : error_set(e, "out of memory");
    *planned = 0;
    for (uint64_t place = s->coverage.first; fine && place < schedule_place(s->schedule); ++place) {
        size_t own;
        uint64_t first, end;
        schedule_at(s->schedule, place, &own, &first, &end);
        if (own != item)
            continue;
        numbers[item] = first;
        numbers[n + item] = end;
        fine = pool_count(s->pool, numbers, numbers + n, numbers + 2 * n, &sink, e);
        *planned += numbers[2 * n + item];
    }
    free(numbers);
    return fine;
}

bool night_end(sweep *s, error *e)
{
    if (s->coverage.over || pool_ended_early(s->pool))
        return true;
    uint64_t planned = 0;
    bool fine = true;
    for (size_t i = 0; fine && i < s->plan.item_count; ++i) {
        uint64_t begun = s->items[i].ran;
        fine = (!pool_gave_up(s->pool, i) || count_begun(s, i, &begun, e)) && sweep_begin_writing(s, e) &&
               store_set_planned(s->store, (int64_t)i + 1, begun, e);
        s->items[i].planned = begun;
        planned += begun;
    }
    s->result->planned = planned;
    budget_end(&s->coverage, schedule_place(s->schedule), s->result->ran);
    return fine && sweep_begin_writing(s, e) && run_store_coverage(s->store, &s->coverage, e) && sweep_commit(s, e);
}
