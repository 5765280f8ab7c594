/* SPDX-License-Identifier: Apache-2.0 */
/* A run in numbers: what every report starts from. Small whatever the size of the run. */
#ifndef TOUCHSTONE_REPORTS_SUMMARY_H
#define TOUCHSTONE_REPORTS_SUMMARY_H

#include "harness/store/coverage.h"
#include "harness/store/store.h"
#include "harness/base/text.h"

typedef struct summary_counts {
    uint64_t planned;
    uint64_t cases[VERDICT_COUNT]; /* VERDICT_NONE: planned and not run */
    uint64_t ran;                  /* executed: all but not-run and unsupported */
    uint64_t failed;
} summary_counts;

typedef struct summary_test {
    int64_t id;
    char *name, *op, *test, *tier, *title;
    uint64_t points;
    summary_counts counts;
    size_t op_index;
} summary_test;

typedef struct summary_tally {
    size_t test; /* index of the test */
    char *dtype, *level;
    verdict verdict;
    uint64_t cases;
} summary_tally;

typedef struct summary_operator {
    const char *name;
    summary_counts counts;
} summary_operator;

typedef struct summary {
    summary_test *tests; /* in the order of the plan */
    size_t test_count;
    summary_operator *operators; /* in the order of their first tests */
    size_t operator_count;
    summary_tally *tallies;
    size_t tally_count;
    summary_counts total;
    bool share; /* the run had a budget, and `covered` says how much of everything that was */
    coverage coverage;
    char covered[256];
    char *state, *query; /* query: what narrowed the run; "" where nothing did */
    bool quick;          /* it was of tier quick, which is a choice of a few cases */
} summary;

/* Read it. The caller frees it, also after a failure. */
bool summary_read(summary *m, store *s, error *e);
void summary_free(summary *m);

/* The index of the test with this id; test_count if there is none. */
size_t summary_find_test(const summary *m, int64_t id);

typedef enum summary_outcome {
    OUTCOME_CONFORMANT,
    OUTCOME_PARTLY, /* nothing failed, but planned cases are unsupported, and that is no success */
    OUTCOME_FAILURES,
    OUTCOME_INCOMPLETE, /* nothing failed yet, but not all was run */
    OUTCOME_NOTHING     /* nothing was executed at all */
} summary_outcome;
summary_outcome summary_outcome_of(const summary *m);

/* What it came to, in one line of words. A run that a query narrowed is conformant in what was run only. `level` may be
   NULL. */
void summary_headline(const summary *m, const char *level, text *t);

/* How the order of data types and of levels goes in tables: by kind and width; by number. For qsort-like use. */
int summary_compare_dtypes(const char *a, const char *b);
int summary_compare_levels(const char *a, const char *b);

/* All keys of meta that reports show, in their order: key, and its name for people. */
typedef struct summary_fact {
    const char *key, *name;
} summary_fact;
extern const summary_fact summary_facts[];
extern const size_t summary_fact_count;

#endif
