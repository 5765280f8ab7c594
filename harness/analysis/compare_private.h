/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the comparison share: compare.c has the outcome, compare_facts.c reads what a run says of itself,
   compare_cases.c walks the cases. */
#ifndef TOUCHSTONE_COMPARE_PRIVATE_H
#define TOUCHSTONE_COMPARE_PRIVATE_H

#include "harness/analysis/compare.h"

/* A kept failing case of a side. */
typedef struct compare_mark {
    int64_t test; /* the store's id */
    uint64_t index;
    size_t clause; /* index in the comparison's, or SIZE_MAX */
} compare_mark;

typedef struct compare_work {
    compare *c;
    run_cases *replays[COMPARE_MOST];  /* NULL where the side has no run */
    int64_t *ids[COMPARE_MOST];        /* the side's id of each test; 0: it has none */
    compare_mark *marks[COMPARE_MOST]; /* in order of test and index */
    size_t mark_count[COMPARE_MOST];
    bool levels_differ; /* the sides are not all judged at the same feature level */
} compare_work;

/* Tests, clauses, findings and answers of one side. */
bool compare_read_side(compare_work *w, size_t side, error *e);

/* Which answers part, in order of their entries. */
void compare_judge_answers(compare *c);

/* What became of each clause, once all cases are counted. */
void compare_judge_clauses(compare *c);

/* Walk the cases of a test: counts and groups. */
bool compare_test_cases(compare_work *w, size_t test, error *e);

#endif
