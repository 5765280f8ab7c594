/* SPDX-License-Identifier: Apache-2.0 */
/* What a run is to do: the tests that its queries and tier select, and for each a range of indices. */
#ifndef TOUCHSTONE_PLAN_H
#define TOUCHSTONE_PLAN_H

#include "harness/casefile/casefile.h"

typedef struct plan_item {
    case_test *test;      /* with the queries' filters in its space; in tier quick, with its chosen cases */
    uint64_t first, end;  /* indices */
} plan_item;

typedef struct plan {
    size_t file_count, item_count, item_capacity;
    case_file **files;
    plan_item *items;     /* in order of operator, then as declared */
    char suite_digest[33]; /* of operators, references and all case files: independent of backend and query */
} plan;

/* Make the plan. No query means everything. Errors: an unknown operator or test (with those there are), a predicate
   that fits no selected test, a broken case file. A plan may be empty: that is the caller's to judge. */
bool plan_make(plan *p, const char *const *queries, size_t query_count, case_tier tier, error *e);
void plan_free(plan *p);

#endif
