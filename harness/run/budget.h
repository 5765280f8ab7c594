/* SPDX-License-Identifier: Apache-2.0 */
/* Runs with a budget of time: where tonight's cases begin, and what has been run when it is over. */
#ifndef TOUCHSTONE_BUDGET_H
#define TOUCHSTONE_BUDGET_H

#include "harness/store/coverage.h"
#include "harness/run/schedule.h"
#include "harness/run/run.h"

/* Cases a second on which a fixed slice counts (run_options.since is NULL, and has_night): the same on every machine
   and on every night, or slices would overlap. */
#define BUDGET_SLICE_RATE 100000

/* Tonight, and where it begins in the order of its key, which is filled in already, as are portions and total. *anew:
   the night before had another key. Errors: `since` tells of no night that was ended, or of one that is not before this
   one. */
bool budget_place(coverage *c, const run_options *o, bool *anew, error *e);

/* The place at which a night ends in any case. */
uint64_t budget_most(const coverage *c, double seconds);

/* The night is over behind place `end`, with so many cases run. */
void budget_end(coverage *c, uint64_t end, uint64_t ran);

#endif
