/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the comparison share: compare.c puts the result together, compare_read.c reads the facts of each
   run, compare_cases.c walks the cases. Nothing else includes this. */
#ifndef TOUCHSTONE_COMPARE_INTERNAL_H
#define TOUCHSTONE_COMPARE_INTERNAL_H

#include "harness/analysis/compare.h"

/* A retained finding of a side that cites a clause. */
typedef struct compare_citation {
    int64_t test; /* the store's id */
    uint64_t index;
    size_t clause; /* index into compare.clauses, or SIZE_MAX */
} compare_citation;

typedef struct compare_work {
    compare *c;
    run_cases *cases[COMPARE_MAX_SIDES];            /* NULL where the side has no run */
    int64_t *ids[COMPARE_MAX_SIDES];                /* the side's id of each test; 0: it did not plan the test */
    compare_citation *citations[COMPARE_MAX_SIDES]; /* in order of test and index */
    size_t citation_count[COMPARE_MAX_SIDES];
    bool levels_differ; /* the sides are judged at different feature levels */
    struct {            /* items that the arrays have room for */
        size_t tests, types, groups, clauses, behaviours;
        size_t ids[COMPARE_MAX_SIDES], citations[COMPARE_MAX_SIDES];
    } capacity;
} compare_work;

/* Read the tests, clauses, findings and observed behaviours of one side. */
bool compare_read_side(compare_work *w, size_t side, error *e);

/* Put the observed behaviours in order and find the entries where the sides behave differently. */
void compare_finish_behaviours(compare *c);

/* Find the open questions of the operators that no side was observed to answer. After compare_finish_behaviours. */
void compare_finish_questions(compare *c);

/* Set the state of each clause at each side, once all cases are counted. */
void compare_finish_clauses(compare *c);

/* Walk the cases of a test: add to the counts, the types and the groups. */
bool compare_test_cases(compare_work *w, size_t test, error *e);

#endif
