/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The audit: does the suite find faults? Every mutant of the reference (audit/README.md) is tried on the cases that a
 * run would judge, and either some case tells it from the reference, or it survives.
 *
 * Each case runs once on the reference while it records which mutants would have given some expression another value;
 * only those are then tried on that case. What is found does not depend on the number of workers: each range of cases
 * is worked through by itself.
 */
#ifndef TOUCHSTONE_AUDIT_H
#define TOUCHSTONE_AUDIT_H

#include "audit/mutate/mutants.h"
#include "audit/audit_equivalent.h"
#include "harness/casefile/plan.h"
#include "harness/execute/plugin.h"
#include "harness/base/verdict.h"

#define AUDIT_KEPT 3 /* killing cases that are kept of a mutant and test; no more are looked for, but smaller ones */

typedef struct audit_options {
    const char *const *operators; /* names, with `*`; none: all */
    size_t operator_count;
    case_tier tier;
    unsigned workers;
    const char *mutant; /* its id: this one only; NULL: all */
    bool prove;         /* try the mutants that are listed as equivalent on every case, too */
    bool sample;        /* leave out the second stage: a first look at what survives */
    bool progress;      /* a line on standard error */
} audit_options;

/* A case that tells a mutant from the reference. */
typedef struct audit_kill {
    uint64_t index, elements; /* elements: of all its tensors */
    uint32_t order;           /* in which the tests, profiles and levels are gone through */
    uint32_t level, profile;
    uint16_t id_length;
    uint8_t verdict;
    bool known; /* false: there is none */
} audit_kill;

/* What came of a mutant in a test. */
typedef struct audit_cell {
    uint64_t infected;            /* cases in which it gave some expression another value */
    uint64_t tried;               /* of those: cases that it was tried on */
    uint64_t killed;              /* of those: cases that told it apart */
    audit_kill first[AUDIT_KEPT]; /* in order */
    audit_kill smallest;          /* fewest elements, then shortest id */
} audit_cell;

/* The audit of one operator. */
typedef struct audit_operator {
    const ts_operator *op;
    uint32_t mutant_count;
    uint32_t *mutants; /* numbers in the library: of the operator's file, and of what its specification shares */
    size_t test_count;
    const plan_item **tests;
    audit_cell *cells; /* mutant by mutant, test by test */
} audit_operator;

/* What came of a mutant. One of a file that a whole specification shares is killed where any of its operators' cases
   kills it; where not all of these are audited, that it survives says nothing. */
typedef enum audit_state {
    AUDIT_ABSENT, /* of no operator that is audited */
    AUDIT_KILLED,
    AUDIT_SURVIVED,
    AUDIT_EQUIVALENT, /* survived, and is listed */
    AUDIT_DISPROVED,  /* killed, though it is listed */
    AUDIT_OPEN        /* survived some of the operators that share it */
} audit_state;

typedef struct audit_result {
    plan plan;
    plugin plugin;
    const mutants_library *library;
    audit_equivalents equivalents;
    case_tier tier;
    size_t operator_count;
    audit_operator *operators;
    uint32_t *place;     /* per operator and mutant of the library: its place in the operator's list, or MUTANT_NONE */
    audit_state *states; /* per mutant of the library */
    uint64_t cases, tried; /* executions of the reference, of mutants */
    double seconds;
} audit_result;

/* Mutants counted. */
typedef struct audit_score {
    uint32_t mutants, killed, equivalent, survived, open, disproved;
    uint32_t held_out, held_out_killed; /* of the third that the quick tier is not chosen by, equivalent ones aside */
} audit_score;

/* Open the library of mutants, as the reference. NULL where the program was built without: what to install. */
const mutants_library *audit_library(plugin *p, error *e);

/* Run the audit. The result is to be freed whatever is returned. Errors: no library of mutants, an unknown operator or
   mutant, a library that disagrees with the reference. */
bool audit_run(const audit_options *options, audit_result *result, error *e);
void audit_free(audit_result *result);

static inline audit_cell *audit_at(const audit_operator *o, uint32_t m, size_t test)
{
    return &o->cells[(size_t)m * o->test_count + test];
}

/* The smallest kill of mutant m of an operator among all tests, and in which; known is false where it survives. */
audit_kill audit_smallest(const audit_operator *o, uint32_t m, size_t *test);

/* Is a smaller than b: fewer elements, then a shorter id, then earlier? An unknown one is larger than any. */
bool audit_smaller(const audit_kill *a, const audit_kill *b);

/* Add what was found of one more range of cases. */
void audit_merge(audit_cell *to, const audit_cell *from);

/* The id of a killing case, and the options with which a run is to judge it ("" or " --feature-level 2_1"). */
void audit_case_id(const audit_operator *o, size_t test, const audit_kill *k, char *id, size_t size, char *options,
                   size_t options_size);

/* ---- audit_score.c ---- */

/* Does a whole specification share the file that a mutant is in? */
bool audit_is_shared(const mutant *x);

/* Is it of the third of the mutants that the quick tier is not chosen by? Its id alone decides. */
bool audit_is_held_out(const mutant *x);

/* The smallest kill of a mutant of the library, and by which operator's test. */
audit_kill audit_smallest_of(const audit_result *r, uint32_t number, size_t *op, size_t *test);

/* Fill in the states. `only`: of this mutant; MUTANT_NONE: of all. */
bool audit_judge(audit_result *r, uint32_t only, error *e);

/* The score of a file's mutants; file NULL: of all. */
audit_score audit_count(const audit_result *r, const char *file);

/* The files that have mutants here, one after the other: after NULL the first, NULL after the last. */
const char *audit_next_file(const audit_result *r, const char *after);

/* How many mutants a test kills, and how many no other test of the operator does. */
void audit_test_score(const audit_operator *o, size_t test, uint32_t *kills, uint32_t *alone);

/* ---- audit_json.c, audit_html.c ---- */

bool audit_write_json(const audit_result *r, const char *path, error *e);
bool audit_write_html(const audit_result *r, const char *path, error *e);

/* ---- audit_print.c ---- */

/* The tables on standard output: scores, tests, survivors. */
void audit_print(const audit_result *result);

/* What came of one mutant, test by test. */
void audit_print_mutant(const audit_result *result, uint32_t mutant);

#endif
