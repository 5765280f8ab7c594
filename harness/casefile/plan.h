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
    case_file **files;      /* of the operators that the queries name */
    char (*digests)[33];    /* of each of these operators (suite_digest.h), */
    const char **operators; /* and their names */
    plan_item *items;       /* in order of operators, then as declared */
    char suite_digest[33];  /* of all of them, and of the seed where it decides cases */
} plan;

/* What a plan depends on besides its queries. */
typedef struct plan_options {
    case_tier tier;
    const char *const *operators; /* plan these alone, as if there were no others; NULL: all. For the queries of a run
                                     that was made before other operators were added */
    size_t operator_count;
    uint64_t seed; /* of drawn cases; 0 by default */
    bool endless;  /* drawn tests have PLAN_ENDLESS cases, whatever the tier */
} plan_options;

/* The cases of a drawn test that is never complete: more than any machine executes. */
#define PLAN_ENDLESS (UINT64_C(1) << 40)

/* Make the plan. No query selects everything. Errors: an unknown operator or test (the message lists the known ones), a
   predicate that fits no selected test, a broken case file. An empty plan is no error. */
bool plan_make(plan *p, const char *const *queries, size_t query_count, case_tier tier, error *e);

/* The same with all options. A query that names none of the operators selects nothing. */
bool plan_make_with(plan *p, const char *const *queries, size_t query_count, const plan_options *options, error *e);
void plan_free(plan *p);

#endif
