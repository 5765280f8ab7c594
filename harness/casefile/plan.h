/* SPDX-License-Identifier: Apache-2.0 */
/* The plan of a run: the tests that its queries and tier select, and a range of indices for each. */
#ifndef TOUCHSTONE_PLAN_H
#define TOUCHSTONE_PLAN_H

#include "harness/casefile/casefile.h"

typedef struct plan_item {
    case_test *test;     /* its space has the queries' filters; in tier quick, only the listed cases */
    uint64_t first, end; /* indices */
} plan_item;

typedef struct plan {
    size_t file_count, item_count, item_capacity;
    case_file **files;
    plan_item *items;      /* in order of operators, then as declared */
    char suite_digest[33]; /* suite_digest.h */
} plan;

/* Make the plan. No query selects everything. Errors: an unknown operator or test (the message lists the known ones), a
   predicate that fits no selected test, a broken case file. An empty plan is no error. */
bool plan_make(plan *p, const char *const *queries, size_t query_count, case_tier tier, error *e);
void plan_free(plan *p);

#endif
