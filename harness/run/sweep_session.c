/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/sweep_session.h"

#include "harness/run/budget.h"
#include "harness/run/run_store.h"
#include "harness/run/sweep.h"

#include <stdio.h>
#include <stdlib.h>

static void find_slices(sweep *s)
{
    for (size_t i = 0; i < s->plan.tests.item_count; ++i) {
        run_item *own = &s->plan.items[i];
        if (own->slice == 0)
            own->slice =
                schedule_slice_cases(s->plan.tests.items[i].test, own->first, own->end, s->options->profile, s->level);
    }
}

bool session_open(sweep *s, error *e)
{
    find_slices(s);
    const coverage *c = &s->session.coverage;
    if (!(s->session.schedule = schedule_new(s->plan.items, s->plan.tests.item_count, c->key)))
        return error_set(e, "out of memory");
    schedule_begin(s->session.schedule, SCHEDULE_WHOLE, c->first, budget_most(c, s->options->budget));
    schedule_begin(s->session.schedule, SCHEDULE_DRAWN, c->drawn_first, budget_most_drawn(c, s->options->budget));
    return true;
}

bool session_begin(sweep *s, error *e)
{
    const run_options *o = s->options;
    coverage *c = &s->session.coverage;
    bool restarted;
    find_slices(s);
    schedule_key(&s->plan.tests, s->plan.items, o, &s->info, s->level, c->key);
    c->total = 0;
    for (size_t i = 0; i < s->plan.tests.item_count; ++i) {
        c->endless |= s->plan.items[i].endless && s->plan.items[i].planned;
        c->total += s->plan.items[i].endless ? 0 : s->plan.items[i].planned;
    }
    c->slices = schedule_slices(s->plan.items, s->plan.tests.item_count);
    if (!budget_place(c, o, &restarted, e))
        return false;
    if (restarted)
        fprintf(stderr, "the planned cases differ from those of the session before: coverage starts again from 0\n");
    return session_open(s, e);
}

/* Count the cases of the slices of one test that the session started. */
static bool count_started(sweep *s, size_t item, uint64_t *planned, error *e)
{
    const pool_sink sink = sweep_sink(s);
    const schedule *order = s->session.schedule;
    const schedule_sequence sequence = s->plan.items[item].endless ? SCHEDULE_DRAWN : SCHEDULE_WHOLE;
    const size_t n = s->plan.tests.item_count;
    uint64_t place = sequence == SCHEDULE_DRAWN ? s->session.coverage.drawn_first : s->session.coverage.first;
    uint64_t *numbers = calloc(3 * n + 1, sizeof *numbers); /* first, end, planned */
    bool fine = numbers ? true : error_set(e, "out of memory");
    *planned = 0;
    for (; fine && place < schedule_place(order, sequence); ++place) {
        size_t own;
        uint64_t first, end;
        schedule_at(order, sequence, place, &own, &first, &end);
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

bool session_end(sweep *s, error *e)
{
    coverage *c = &s->session.coverage;
    if (c->over || pool_ended_early(s->pool))
        return true;
    uint64_t planned = 0, ran[2] = { 0 }; /* ran: of the tests that have an end, and of the endless ones */
    bool fine = true;
    for (size_t i = 0; fine && i < s->plan.tests.item_count; ++i) {
        run_item *item = &s->plan.items[i];
        uint64_t started = item->ran;
        fine = (!pool_gave_up(s->pool, i) || count_started(s, i, &started, e)) && run_file_begin(&s->file, e) &&
               store_set_planned(s->file.store, (int64_t)i + 1, started, e);
        item->planned = started;
        planned += started;
        ran[item->endless] += item->ran;
    }
    s->result->planned = planned;
    const schedule *order = s->session.schedule;
    budget_end(c, schedule_place(order, SCHEDULE_WHOLE), ran[0], schedule_place(order, SCHEDULE_DRAWN), ran[1]);
    return fine && run_file_begin(&s->file, e) && run_store_coverage(s->file.store, c, e) &&
           run_file_commit(&s->file, e);
}
