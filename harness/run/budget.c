/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/budget.h"
#include "harness/base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Slices of a session with a fixed range. */
static uint64_t fixed_slices(double seconds)
{
    uint64_t slices = (uint64_t)(seconds * BUDGET_FIXED_RATE / (double)SCHEDULE_SLICE_CASES);
    return slices ? slices : 1;
}

static void place_fixed(coverage *c, const run_options *o)
{
    const uint64_t each = fixed_slices(o->budget), ranges = c->slices / each + (c->slices % each != 0);
    c->session = c->since = o->session;
    c->chained = false;
    c->round = ranges ? o->session / ranges : 0;
    c->first = ranges ? o->session % ranges * each : 0;
    c->drawn_first = c->endless ? o->session * each : 0;
}

static bool place_after(coverage *c, const run_options *o, const coverage *before, bool *restarted, error *e)
{
    char quoted[400];
    if (!before->over)
        return error_usage(e, "%s: its session is not finished; 'touchstone resume %s' finishes it", o->since,
                           text_shell_in(quoted, sizeof quoted, o->since));
    if (!before->chained)
        return error_usage(e,
                           "%s: its session had a fixed range of slices, since it was run with --session and without "
                           "--since; sessions that follow one another start without --session",
                           o->since);
    if (o->has_session && o->session <= before->session)
        return error_usage(e,
                           "--session %" PRIu64 ": %s records session %" PRIu64 " already; expected a greater number, "
                           "or no --session",
                           o->session, o->since, before->session);
    c->session = o->has_session ? o->session : before->session + 1;
    c->since = c->session;
    *restarted = strcmp(before->key, c->key) != 0;
    if (*restarted)
        return true;
    c->since = before->since;
    c->round = before->round;
    c->first = before->end;
    c->round_ran = before->round_ran;
    c->ever = before->ever;
    c->drawn_first = before->drawn_end;
    c->drawn_ever = before->drawn_ever;
    if (coverage_complete(before)) { /* endless tests go on where they are; of the others, the next round has the same
                                        order, so that no case waits longer than a round */
        c->round++;
        c->first = c->round_ran = 0;
    }
    return true;
}

bool budget_place(coverage *c, const run_options *o, bool *restarted, error *e)
{
    coverage before;
    bool found = false, fine = true;
    *restarted = false;
    c->chained = true;
    c->session = c->since = o->has_session ? o->session : 0;
    c->round = c->first = c->ran = c->round_ran = c->ever = 0;
    c->drawn_first = c->drawn = c->drawn_ever = 0;
    c->over = false;
    if (o->since)
        fine =
            (coverage_find(o->since, c->key, &before, &found, e) || error_prefix(e, "--since, a run or a history")) &&
            (!found || place_after(c, o, &before, restarted, e));
    else if (o->has_session)
        place_fixed(c, o);
    c->end = c->first;
    c->drawn_end = c->drawn_first;
    return fine;
}

uint64_t budget_most(const coverage *c, double seconds)
{
    const uint64_t each = fixed_slices(seconds);
    return c->chained || c->slices - c->first < each ? c->slices : c->first + each;
}

uint64_t budget_most_drawn(const coverage *c, double seconds)
{
    return !c->endless ? 0 : c->chained ? UINT64_MAX : c->drawn_first + fixed_slices(seconds);
}

void budget_end(coverage *c, uint64_t end, uint64_t ran, uint64_t drawn_end, uint64_t drawn)
{
    c->drawn_end = drawn_end;
    c->drawn = drawn;
    c->drawn_ever += drawn;
    c->end = end;
    c->ran = ran;
    c->round_ran += ran;
    c->ever = c->round_ran > c->ever ? c->round_ran : c->ever;
    c->over = true;
}
