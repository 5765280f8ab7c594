/* SPDX-License-Identifier: Apache-2.0 */
/* A run in numbers, from which every report is made. Its size does not depend on the number of cases. */
#ifndef TOUCHSTONE_SUMMARY_H
#define TOUCHSTONE_SUMMARY_H

#include "harness/store/coverage.h"
#include "harness/store/scope.h"
#include "harness/store/store.h"
#include "harness/base/text.h"

typedef struct summary_counts {
    uint64_t planned;
    uint64_t cases[VERDICT_COUNT]; /* VERDICT_NONE: planned, but not run */
    uint64_t ran;                  /* executed: all but those not run, and those that the backend does not support */
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
    bool share; /* the run had a budget; `covered` describes which share of the tier it ran */
    coverage coverage;
    char covered[256];
    scope_facts facts;   /* of the scope */
    scope scope;         /* what was required, offered and judged */
    char *state, *query; /* query: that selected the cases; "" for all */
    bool quick;          /* the run was of tier quick, a small selection of cases */
    bool validation;     /* the run asked about descriptors of operators that are only checked, and computed nothing */
} summary;

/* The state of a run: "complete", "incomplete", "running"; "interrupted" where it was left at "running" by a process
   that has ended. Valid until the next store_get; NULL: unknown. */
const char *summary_state(store *s);

/* Read the summary of a run. The caller frees it, also after an error. */
bool summary_read(summary *m, store *s, error *e);
void summary_free(summary *m);

/* The index of the test with this id; test_count if there is none. */
size_t summary_find_test(const summary *m, int64_t id);

typedef enum summary_outcome {
    OUTCOME_CONFORMANT,
    OUTCOME_PARTLY, /* nothing failed, but the backend does not offer all that the tier and the queries have */
    OUTCOME_FAILURES,
    OUTCOME_INCOMPLETE, /* nothing failed yet, but not all planned cases were run, or the backend said after its query
                           that it does not support some of them */
    OUTCOME_NOTHING,    /* nothing was executed at all, or nothing was judged */
    OUTCOME_ABSENT,     /* nothing failed, but required cases are absent (--require) */
    OUTCOME_VALIDATED   /* of a validation: all answers agree. Nothing was computed, so it is no conformance */
} summary_outcome;
summary_outcome summary_outcome_of(const summary *m);

/* Append "the backend does not support 72 of 94 planned cases", of these counts. */
void summary_add_unsupported(const summary_counts *c, text *t);

/* Is the run not over, or did it end before it ran all planned cases? */
bool summary_is_unfinished(const summary *m);

/* The exit status of a run that is over: that of 'touchstone run' (run_status). */
exit_status summary_status(const summary *m);

/* Are all operators of the run such that are checked, but not computed? */
bool summary_is_validation(const summary *m);

/* Of a validation: how many operators the backend offers, and the parts of the headline. */
size_t summary_offered(const summary *m);
void summary_validation_verdict(const summary *m, text *t);
void summary_validation_rest(const summary *m, text *t);

/* What came of the descriptors of one of its operators. */
typedef struct summary_validated {
    bool offered;
    uint64_t legal, accepted;  /* legal ones that were asked about, and those of them that were accepted */
    uint64_t illegal, refused; /* the same of illegal ones */
    uint64_t ended;            /* descriptors of both kinds that ended the process, or hung */
} summary_validated;
summary_validated summary_validated_of(const summary *m, size_t op);

/* Append the result in one sentence without its period: what was judged, and what came of it. It is limited to the
   query, if the run has one. `level` may be NULL. */
void summary_verdict(const summary *m, const char *level, text *t);

/* Append what the verdict leaves out, as sentences that each follow a blank: what was judged, unless the verdict has
   it; what was not offered; what was not tried. */
void summary_rest(const summary *m, text *t);

/* Append that and what the verdict does not cover, in one line: "dml.slice1, f32: conformant (222,817 cases). Not
   offered: 4 of 5 operators, 10 of 11 data types." */
void summary_headline(const summary *m, const char *level, text *t);

/* Compare two data types by kind and width, or two levels by number, as qsort does: the order in tables. */
int summary_compare_dtypes(const char *a, const char *b);
int summary_compare_levels(const char *a, const char *b);

/* The keys of meta that reports show, in order, with their titles. */
typedef struct summary_fact {
    const char *key, *name;
} summary_fact;
extern const summary_fact summary_facts[];
extern const size_t summary_fact_count;

#endif
