/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/budget.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Portions of a fixed slice. */
static uint64_t slice_of(double seconds)
{
    uint64_t portions = (uint64_t)(seconds * BUDGET_SLICE_RATE / (double)SCHEDULE_PORTION);
    return portions ? portions : 1;
}

static bool place_fixed(coverage *c, const run_options *o)
{
    const uint64_t slice = slice_of(o->budget), slices = c->portions / slice + (c->portions % slice != 0);
    c->night = c->since = o->night;
    c->chained = false;
    c->round = slices ? o->night / slices : 0;
    c->first = slices ? o->night % slices * slice : 0;
    return true;
}

static bool place_behind(coverage *c, const run_options *o, const coverage *before, bool *anew, error *e)
{
    if (!before->over)
        return error_usage(e, "%s: its night was not ended; 'touchstone resume %s' goes on with it", o->since,
                           o->since);
    if (!before->chained)
        return error_usage(e,
                           "%s: its night had a fixed slice, since it was run with --night and without --since; "
                           "nights that follow one another begin without --night",
                           o->since);
    if (o->has_night && o->night <= before->night)
        return error_usage(e,
                           "--night %" PRIu64 ": %s tells of night %" PRIu64 " already; expected a later one, or no "
                           "--night",
                           o->night, o->since, before->night);
    c->night = o->has_night ? o->night : before->night + 1;
    c->since = c->night;
    *anew = strcmp(before->key, c->key) != 0;
    if (*anew)
        return true;
    c->since = before->since;
    c->round = before->round;
    c->first = before->end;
    c->round_ran = before->round_ran;
    c->ever = before->ever;
    if (coverage_complete(before)) { /* all has been run: once more, in the same order, so that nothing waits longer
                                      than a round */
        c->round++;
        c->first = c->round_ran = 0;
    }
    return true;
}

bool budget_place(coverage *c, const run_options *o, bool *anew, error *e)
{
    coverage before;
    bool found = false, fine = true;
    *anew = false;
    c->chained = true;
    c->night = c->since = o->has_night ? o->night : 0;
    c->round = c->first = c->ran = c->round_ran = c->ever = 0;
    c->over = false;
    if (o->since)
        fine = (coverage_find(o->since, c->key, &before, &found, e) || error_prefix(e, "--since, a run or a history")) &&
               (!found || place_behind(c, o, &before, anew, e));
    else if (o->has_night)
        fine = place_fixed(c, o);
    c->end = c->first;
    return fine;
}

uint64_t budget_most(const coverage *c, double seconds)
{
    const uint64_t slice = slice_of(seconds);
    return c->chained || c->portions - c->first < slice ? c->portions : c->first + slice;
}

void budget_end(coverage *c, uint64_t end, uint64_t ran)
{
    c->end = end;
    c->ran = ran;
    c->round_ran += ran;
    c->ever = c->round_ran > c->ever ? c->round_ran : c->ever;
    c->over = true;
}
