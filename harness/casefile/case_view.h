/* SPDX-License-Identifier: Apache-2.0 */
/* The case that an id names, built and computed by the reference, for the verbs that describe a single case. */
#ifndef TOUCHSTONE_CASE_VIEW_H
#define TOUCHSTONE_CASE_VIEW_H

#include "harness/casefile/casebuild.h"
#include "harness/model/evaluate.h"
#include "harness/casefile/plan.h"

typedef struct case_view {
    plan plan;
    const case_test *test;
    space_cursor at;
    casebuild build;       /* build.now: the case, and the clause that it breaks on purpose */
    evaluation value;      /* if the case is executed: with the inputs of a run */
    char id[CASE_ID_SIZE]; /* in full */
} case_view;

/* Find and build the case at a feature level (0: the highest). An error if the id does not name exactly one case. Close
   it in either case. */
bool case_view_open(case_view *c, const char *id, uint32_t profile, ts_level level, error *e);
void case_view_close(case_view *c);

/* The same at the highest level, without evaluating it: case_view_evaluate does. */
bool case_view_find(case_view *c, const char *id, error *e);

/* For verbs that go through many cases: set *c to the first case of an item of the caller's plan, or to the next one.
 *found: there is one. It is built; case_view_evaluate checks it and fills its inputs. */
bool case_view_first(case_view *c, const plan_item *item, bool *found, error *e);
bool case_view_next(case_view *c, bool *found, error *e);

/* Check the case and, if the reference computes it, allocate and fill its tensors. */
bool case_view_evaluate(case_view *c, error *e);

/* Is the case executed and legal? Not if a backend only has to accept its descriptor. */
bool case_view_executes(const case_view *c);

/* Does the reference compute it: one that is executed, or that breaks a clause which binds nobody and whose meaning is
   plain or our decision (case_computes_open)? */
bool case_view_computes(const case_view *c);

/* The most elements of a tensor that are printed one by one. */
#define CASE_VIEW_MOST_ELEMENTS (UINT64_C(1) << 22)

/* Is each input small enough to be printed element by element? Broadcast dimensions can have very many elements without
   using memory. */
bool case_view_fits_text(const case_view *c, error *e);

#endif
