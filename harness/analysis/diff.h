/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares two runs and describes what got worse and what got better as regions of cases. Runs of the same suite are
 * compared case by case. Of runs of different suites only the counts per test, data type and level can be compared;
 * `why` then gives the reason.
 */
#ifndef TOUCHSTONE_DIFF_H
#define TOUCHSTONE_DIFF_H

#include "harness/analysis/region_groups.h"

/* Used beside the verdicts: the run did not plan the case. */
#define DIFF_NOT_PLANNED VERDICT_COUNT
#define DIFF_STATES      (VERDICT_COUNT + 1)

typedef enum diff_kind {
    DIFF_NEW_FAILURE,  /* fails now and did not fail before */
    DIFF_CHANGED_KIND, /* failed before and fails now with another verdict */
    DIFF_NOT_RUN,      /* ran before, and is unsupported or did not run now */
    DIFF_NO_LONGER,    /* was planned before and is not planned now */
    DIFF_FIXED,        /* failed or was waived before, and passes now, or is not judged and does not fail */
    DIFF_NEWLY_RUN,    /* was unsupported or did not run before */
    DIFF_NEWLY_PLANNED,
    DIFF_OTHER, /* a change between pass, waived, ambiguous and not-judged */
    DIFF_KINDS
} diff_kind;
const char *diff_kind_name(diff_kind k); /* the name in JSON: "new-failure" */

/* The kind of a change between two different verdicts (or DIFF_NOT_PLANNED) of a case. `same_cases`: both runs were
   asked for the same cases. *worse: does the change count as worse? Another kind of failure does where the case now
   crashes, hangs, loses the device or writes outside its buffers and did none of these before. */
diff_kind diff_kind_of(int from, int to, bool same_cases, bool *worse);

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
    bool left_out; /* drawn with another seed in each run, so that nothing of it is compared */
} diff_test;

/* A count that changed. */
typedef struct diff_rate {
    size_t test;
    char dtype[16], level[16];
    verdict verdict;
    uint64_t before, before_of; /* of so many cases of that data type and level */
    uint64_t after, after_of;
    bool worse; /* affects diff.worse only where the test is not compared case by case */
} diff_rate;

typedef struct diff {
    diff_test *tests; /* those of the second run in its order, then those that only the first run has */
    size_t test_count;
    diff_group *groups; /* by kind, then by test */
    size_t group_count;
    diff_rate *rates;
    size_t rate_count;
    bool by_case;  /* the runs are of the same suite */
    bool worse;    /* something got worse */
    char why[512]; /* why some or all tests are not compared case by case, or "" */
} diff;

/* Compare two runs. The caller frees *d with diff_free, also after a failure. */
bool diff_runs(diff *d, store *before, store *after, error *e);
void diff_free(diff *d);

#endif
