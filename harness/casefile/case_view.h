/* SPDX-License-Identifier: Apache-2.0 */
/* The one case that an id names, built and worked out by the reference: for the verbs that tell of a single case. */
#ifndef TOUCHSTONE_CASE_VIEW_H
#define TOUCHSTONE_CASE_VIEW_H

#include "harness/casefile/casebuild.h"
#include "harness/model/evaluate.h"
#include "harness/casefile/plan.h"

typedef struct case_view {
    plan plan;
    const case_test *test;
    space_cursor at;
    casebuild build;  /* build.now: what it tries, and what it breaks on purpose */
    evaluation value; /* where it is legal, with inputs as a run would fill them */
    char id[CASE_ID_SIZE];    /* in full */
} case_view;

/* Find and build the case; level 0: at the highest. An error where the id names no single case. To be closed in either
   case. */
bool case_view_open(case_view *c, const char *id, uint32_t profile, ts_level level, error *e);
void case_view_close(case_view *c);

/* Is it one that is executed, not refused? */
bool case_view_executes(const case_view *c);

/* Is each input small enough to be written out, element by element? A broadcast dimension has elements without end
   that take no memory here. */
bool case_view_fits_text(const case_view *c, error *e);

#endif
