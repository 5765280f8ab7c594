/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the case that each verdict of a run belongs to. A run file stores the verdicts in order of case index, without
 * the cases. Walking the same space again with the run's query, tier, level and profile gives the points. That needs no
 * backend: the run file has the classes of cases that the backend does not support (support.h).
 */
#ifndef TOUCHSTONE_RUN_CASES_H
#define TOUCHSTONE_RUN_CASES_H

#include "harness/casefile/plan.h"
#include "harness/run/run_suite.h"
#include "harness/store/store.h"

typedef struct run_cases run_cases;

/* Open the cases of a run. The store is borrowed and must stay open. NULL on errors; EXIT_BAD_USAGE where no operator
   of the run is what it is in this program and its case files. */
run_cases *run_cases_open(store *s, error *e);
void run_cases_close(run_cases *r);

/* The operators of the run, and which of them are the same in this program. */
const run_suite *run_cases_suite(const run_cases *r);

/* Are all operators of the run the same here? If not, *e names the others. */
bool run_cases_require(const run_cases *r, error *e);

/* Did two runs plan exactly the same cases? Then equal planes of verdicts mean equal verdicts of all their cases. */
bool run_cases_alike(const run_cases *a, const run_cases *b);

/* Were two runs asked for the same cases? What they planned may still differ by what their backends support. */
bool run_cases_asked_alike(const run_cases *a, const run_cases *b);

/* The seed of the drawn cases. An index of a drawn test stands for another case in a run with another seed. */
uint64_t run_cases_seed(const run_cases *r);

/* The test of the plan that corresponds to a test of the run, or NULL: its operator is not the same here. Its space has
 * the run's queries as filters. */
case_test *run_cases_test(const run_cases *r, int64_t test);

/* Write the predicate that restricts a test to the run's query: "(dtype == f16)"; "" where the run planned the whole
   test. False where no predicate can express it (the user asked for single cases). */
bool run_cases_within(const run_cases *r, const case_test *t, char *buf, size_t size);

/* A walk over all cases of one test that a run planned. */
typedef struct run_cases_walk {
    uint64_t index;
    const expr_value *values; /* in the order of slots */
    const space_cursor *cursor;
    verdict verdict; /* VERDICT_NONE: planned, not run */
    uint32_t dtype;  /* of the case, TS_DTYPE_*; 0: unknown */
    bool ended;
    bool adrift; /* cases and verdicts do not match: the walk has ended, and none of its results can be used */

    struct run_cases_state *state;
} run_cases_walk;

/* Start a walk before the first case. The caller ends it with run_cases_stop, also after an error. */
bool run_cases_start(run_cases *r, int64_t test, run_cases_walk *w, error *e);
void run_cases_stop(run_cases_walk *w);

/* Go to the next case; sets w->ended after the last. */
bool run_cases_next(run_cases_walk *w, error *e);

/* A range of cases that the walk has not entered yet. */
typedef struct run_cases_range {
    uint64_t first, last, cases;
    const void *blob; /* packed verdicts */
    size_t size;
    int only; /* the verdict of all its cases, or -1 */
} run_cases_range;

/* Is the walk between two ranges? Then *range is the next one. False inside a range and before cases that did not run.
   Between ranges, the values of the last case are no longer valid. */
bool run_cases_between(run_cases_walk *w, run_cases_range *range, error *e);

/* Skip that range. */
bool run_cases_skip(run_cases_walk *w, error *e);

/* Visit up to `most` cases of that range, from the first one at or behind the index `from`, as w->index and w->values
   have them; their verdicts are not read. The walk stays before the range. False where the cases cannot be found. */
bool run_cases_peek(run_cases_walk *w, uint64_t from, unsigned most, void (*each)(void *context), void *context);

#endif
