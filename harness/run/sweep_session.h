/* SPDX-License-Identifier: Apache-2.0 */
/* A run with a budget is one session: it executes the next slices of a schedule until its time is over. */
#ifndef TOUCHSTONE_SWEEP_SESSION_H
#define TOUCHSTONE_SWEEP_SESSION_H

#include "harness/base/error.h"
#include "harness/run/schedule.h"
#include "harness/store/coverage.h"

typedef struct sweep_session {
    schedule *schedule; /* the slices of this session that were not started yet; NULL without a budget */
    coverage coverage;
} sweep_session;

struct sweep;

/* Make the schedule of a session whose first slice is session.coverage.first. The cases must have been counted. */
bool session_open(struct sweep *s, error *e);

/* Find the first slice of a new session, and open it. */
bool session_begin(struct sweep *s, error *e);

/* Record that all slices which the session started are done. From here on the run plans these cases only. Cases of
   tests that were given up stay planned and not run. */
bool session_end(struct sweep *s, error *e);

#endif
