/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replay: which case each verdict of a run belongs to. A run keeps verdicts in order of case index and no more; the
 * points come from walking the same space again, as the run's query, tier, level and profile had it, without the
 * backend: what that did not support stands in the run (support.h).
 */
#ifndef TOUCHSTONE_REPLAY_H
#define TOUCHSTONE_REPLAY_H

#include "harness/casefile/plan.h"
#include "harness/store/store.h"

typedef struct replay replay;

/* The store is borrowed and stays open. NULL where the run was made by another suite than this program's and case
   files (EXIT_BAD_USAGE: its verdicts belong to other cases), or on another error. */
replay *replay_open(store *s, error *e);
void replay_close(replay *r);

/* Is the run's suite this program's? Costs little; replay_open refuses where it is not. */
bool replay_same_suite(store *s, bool *same, error *e);

/* Were two runs asked for the same cases, so that whatever both have not changed can be told from the planes? */
bool replay_alike(const replay *a, const replay *b);

/* The same but for what the backends support. */
bool replay_asked_alike(const replay *a, const replay *b);

/* The test of the plan that a test of the run is, or NULL. Its space has the run's queries as filters. */
case_test *replay_test(const replay *r, int64_t test);

/* What a query needs behind its own predicate to stay within the run's query: " and (dtype == f16)"; "" where the run
   took all of the test. False where that cannot be written down (single cases were asked for). */
bool replay_within(const replay *r, const case_test *t, char *buf, size_t size);

/* A walk over all cases that a run owes of one test. */
typedef struct replay_walk {
    uint64_t index;
    const expr_value *values; /* slot by slot */
    const space_cursor *cursor;
    verdict verdict; /* VERDICT_NONE: owed, not run */
    uint32_t dtype;  /* of the first tensor, TS_DTYPE_*; 0: not known */
    bool ended;
    bool adrift; /* cases and verdicts do not fit together: the walk has ended, and nothing it said can be used */

    struct replay_state *state;
} replay_walk;

/* Stand before the first case. Closed by replay_stop, also after an error. */
bool replay_start(replay *r, int64_t test, replay_walk *w, error *e);
void replay_stop(replay_walk *w);

/* Go to the next case; w->ended behind the last. */
bool replay_next(replay_walk *w, error *e);

/* A range of cases that the walk has not entered yet. */
typedef struct replay_range {
    uint64_t first, last, cases;
    const void *blob; /* verdicts, packed */
    size_t size;
    int only; /* the verdict that all of them have, or -1 */
} replay_range;

/* Does the walk stand between two ranges, and which is next? False within one, and before cases that did not run.
   Behind the last case of a range its values are lost. */
bool replay_between(replay_walk *w, replay_range *range, error *e);

/* Leave that range out. */
bool replay_skip(replay_walk *w, error *e);

#endif
