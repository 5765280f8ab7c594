/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions: at which slice of the schedule a run with a budget starts, and what the chain of sessions has run so far.
 */
#ifndef TOUCHSTONE_BUDGET_H
#define TOUCHSTONE_BUDGET_H

#include "harness/store/coverage.h"
#include "harness/run/schedule.h"
#include "harness/run/run.h"

/* Cases per second that determine how many slices a session with a fixed range has (run_options.has_session without
   `since`). It must be the same on every machine and in every session; otherwise the ranges would overlap. */
#define BUDGET_FIXED_RATE 100000

/* Set the number of the session and the slices that it starts with. key, slices, total and endless of *c are set
   already. *restarted: the session before has another key, so that coverage starts again from 0. Errors: `since`
   records no finished session, or a session that does not precede this one. */
bool budget_place(coverage *c, const run_options *o, bool *restarted, error *e);

/* The slice before which a session ends even if it has time left; of the endless tests, too. */
uint64_t budget_most(const coverage *c, double seconds);
uint64_t budget_most_drawn(const coverage *c, double seconds);

/* Record that the session ended before slice `end`, after so many cases, and the same of the endless tests. */
void budget_end(coverage *c, uint64_t end, uint64_t ran, uint64_t drawn_end, uint64_t drawn);

#endif
