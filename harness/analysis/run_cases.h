/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replay: which case each verdict of a run belongs to. A run keeps verdicts in order of case index and no more; the
 * points come from walking the same space again, as the run's query, tier, level and profile had it, without the
 * backend: what that did not support stands in the run (support.h).
 */
#ifndef TOUCHSTONE_RUN_CASES_H
#define TOUCHSTONE_RUN_CASES_H

#include "harness/casefile/plan.h"
#include "harness/store/store.h"

typedef struct run_cases run_cases;

/* The store is borrowed and stays open. NULL where the run was made by another suite than this program's and case
   files (EXIT_BAD_USAGE: its verdicts belong to other cases), or on another error. */
run_cases *run_cases_open(store *s, error *e);
void run_cases_close(run_cases *r);

/* Is the run's suite this program's? Costs little; run_cases_open refuses where it is not. */
bool run_cases_same_suite(store *s, bool *same, error *e);

/* Were two runs asked for the same cases, so that whatever both have not changed can be told from the planes? */
bool run_cases_alike(const run_cases *a, const run_cases *b);

/* The same but for what the backends support. */
bool run_cases_asked_alike(const run_cases *a, const run_cases *b);

/* The test of the plan that a test of the run is, or NULL. Its space has the run's queries as filters. */
case_test *run_cases_test(const run_cases *r, int64_t test);

/* What a query needs behind its own predicate to stay within the run's query: " and (dtype == f16)"; "" where the run
   took all of the test. False where that cannot be written down (single cases were asked for). */
bool run_cases_within(const run_cases *r, const case_test *t, char *buf, size_t size);

/* A walk over all cases that a run owes of one test. */
typedef struct run_cases_walk {
    uint64_t index;
    const expr_value *values; /* slot by slot */
    const space_cursor *cursor;
    verdict verdict; /* VERDICT_NONE: planned, not run */
    uint32_t dtype;  /* of the first tensor, TS_DTYPE_*; 0: not known */
    bool ended;
    bool adrift; /* cases and verdicts do not fit together: the walk has ended, and nothing it said can be used */

    struct run_cases_state *state;
} run_cases_walk;

/* Stand before the first case. Closed by run_cases_stop, also after an error. */
bool run_cases_start(run_cases *r, int64_t test, run_cases_walk *w, error *e);
void run_cases_stop(run_cases_walk *w);

/* Go to the next case; w->ended behind the last. */
bool run_cases_next(run_cases_walk *w, error *e);

/* A range of cases that the walk has not entered yet. */
typedef struct run_cases_range {
    uint64_t first, last, cases;
    const void *blob; /* verdicts, packed */
    size_t size;
    int only; /* the verdict that all of them have, or -1 */
} run_cases_range;

/* Does the walk stand between two ranges, and which is next? False within one, and before cases that did not run.
   Behind the last case of a range its values are lost. */
bool run_cases_between(run_cases_walk *w, run_cases_range *range, error *e);

/* Leave that range out. */
bool run_cases_skip(run_cases_walk *w, error *e);

#endif
