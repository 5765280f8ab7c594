/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two runs against each other: what got worse, what got better, as regions of cases. Runs of the same suite are
 * compared case by case; of others only the counts per test, data type and level can be, and `why` says so.
 */
#ifndef TOUCHSTONE_DIFF_H
#define TOUCHSTONE_DIFF_H

#include "harness/analysis/region_groups.h"

/* Where a run does not owe the case, beside the verdicts. */
#define DIFF_NOT_PLANNED VERDICT_COUNT

typedef enum diff_kind {
    DIFF_NEW_FAILURE, /* fails now and did not */
    DIFF_KIND,        /* failed and fails, but otherwise */
    DIFF_NOT_RUN,     /* was run, and is unsupported or not run now */
    DIFF_NO_LONGER,   /* was planned, and is not now */
    DIFF_FIXED,       /* failed or was waived, and passes */
    DIFF_NEWLY_RUN,   /* was unsupported or not run */
    DIFF_NEWLY_PLANNED,
    DIFF_OTHER, /* between passing, waived and ambiguous */
    DIFF_KINDS
} diff_kind;
const char *diff_kind_name(diff_kind k); /* "new-failure", for programs */

/* What becomes of a case. Of the same verdict twice there is no kind. `same_asked`: both runs were asked for the same
   cases. *worse: does that make things worse? A failure of another kind does where it begins to crash, hang, lose the
   device or write outside. */
diff_kind diff_judge(int from, int to, bool same_asked, bool *worse);

typedef struct diff_group {
    diff_kind kind;
    bool worse;
    int from, to; /* verdicts or DIFF_NOT_PLANNED */
    size_t test;
    group group; /* owned */
} diff_group;

typedef struct diff_counts {
    bool present;
    uint64_t planned, cases[VERDICT_COUNT];
} diff_counts;

typedef struct diff_test {
    char *name;
    diff_counts before, after;
    bool by_case;
} diff_test;

/* A count that moved. */
typedef struct diff_rate {
    size_t test;
    char dtype[16], level[16];
    verdict verdict;
    uint64_t before, before_of; /* of all cases of that data type and level */
    uint64_t after, after_of;
    bool worse; /* counted only where the test is not compared by case */
} diff_rate;

typedef struct diff {
    diff_test *tests; /* of the second run, in its order; then those that only the first has */
    size_t test_count;
    diff_group *region_groups; /* by kind, then by test */
    size_t group_count;
    diff_rate *rates;
    size_t rate_count;
    bool by_case;
    bool worse;
    char why[512]; /* why not, or not for all tests, by case */
} diff;

bool diff_runs(diff *d, store *before, store *after, error *e);
void diff_free(diff *d);

#endif
