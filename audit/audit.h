/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The audit checks that the suite finds faults: it runs the cases of the suite on every mutant of the reference and of
 * the kernels (docs/audit.md). A case with another result than on the original kills the mutant; otherwise the mutant
 * survives.
 *
 * Each case first runs on the original, which records the infected mutants: those that would have given some expression
 * another value. Only these run on that case. Ranges of cases are processed independently of each other, so the result
 * does not depend on the number of workers.
 */
#ifndef TOUCHSTONE_AUDIT_H
#define TOUCHSTONE_AUDIT_H

#include "audit/mutate/mutants.h"
#include "audit/audit_equivalent.h"
#include "harness/casefile/plan.h"
#include "harness/execute/plugin.h"
#include "harness/base/verdict.h"

/* Killing cases stored per mutant and test; after these, the audit only looks for smaller ones. */
#define AUDIT_KEPT 3

typedef struct audit_options {
    const char *const *operators; /* names, with `*`; none: all */
    size_t operator_count;
    case_tier tier;
    bool subjects[MUTANT_SUBJECTS]; /* whose mutants run */
    unsigned workers;
    const char *mutant; /* id of the only mutant to audit; NULL: all */
    bool prove;         /* also run the mutants listed as equivalent on every case */
    bool sample;        /* skip the later stages, and compile no survivors (audit_twin.h) */
    bool score;         /* determine only which mutants die: a killed one runs no more */
    bool progress;      /* print a progress line on standard error */
} audit_options;

/* A case that kills a mutant. */
typedef struct audit_kill {
    uint64_t index, elements; /* index of the case in its test; elements of all its tensors */
    uint32_t order;           /* number of the test, profile and level in the order of the audit */
    uint32_t level, profile;
    uint16_t id_length;
    uint8_t verdict;
    bool known; /* false: there is no such case */
} audit_kill;

/* The result of a mutant in a test. */
typedef struct audit_cell {
    uint64_t infected;            /* cases that infect the mutant */
    uint64_t tried;               /* of these, cases that it ran on */
    uint64_t killed;              /* of these, cases that killed it */
    audit_kill first[AUDIT_KEPT]; /* in order */
    audit_kill smallest;          /* fewest elements, then shortest id */
} audit_cell;

/* The audit of one operator. */
typedef struct audit_operator {
    const ts_operator *op;
    uint32_t mutant_count;
    uint32_t *mutants; /* numbers in the library: mutants of the operator's files and of files that it shares */
    size_t test_count;
    const plan_item **tests;
    audit_cell *cells; /* [mutant][test], see audit_at() */
} audit_operator;

/* The state of a mutant. A mutant of a file that several operators share is killed if a case of any of them kills it.
 */
typedef enum audit_state {
    AUDIT_ABSENT, /* belongs to no audited operator */
    AUDIT_KILLED,
    AUDIT_SURVIVED,
    AUDIT_EQUIVALENT, /* survived and is listed as equivalent */
    AUDIT_DISPROVED,  /* killed, but is listed as equivalent */
    AUDIT_OPEN,       /* in a shared file and survived, but not all operators that share it were audited */
    AUDIT_SAME_CODE   /* survived, and the compiler makes the same code of it as of the original */
} audit_state;

typedef struct audit_result {
    plan plan;
    plugin plugin;
    const mutants_library *library;
    audit_equivalents equivalents;
    case_tier tier;
    bool subjects[MUTANT_SUBJECTS];
    bool score;      /* only the states are known: no kills per test */
    char twins[160]; /* why survivors were not compiled; "" if they were */
    size_t operator_count;
    audit_operator *operators;
    uint32_t *place;       /* [operator][mutant of the library]: its index in the operator's list, or MUTANT_NONE */
    audit_state *states;   /* per mutant of the library */
    bool *same;            /* the same: the compiler makes the original's code of it; NULL: not asked */
    uint64_t cases, tried; /* executions of the reference and of mutants */
    double seconds;
} audit_result;

/* Counts of mutants. */
typedef struct audit_score {
    uint32_t mutants, killed, equivalent, same_code, survived, open, disproved;
    uint32_t held_out, held_out_killed; /* in the third that --hold-out ignores, without equivalent and open ones */
} audit_score;

/* Open the library of mutants without a mutant selected. NULL if the program was built without it; the error says what
   to install. The caller closes *p. */
const mutants_library *audit_library(plugin *p, error *e);

/* Run the audit. The caller frees the result with audit_free(), also after an error. Errors: no library of mutants, an
   unknown operator or mutant, a library that disagrees with the reference. */
bool audit_run(const audit_options *options, audit_result *result, error *e);
void audit_free(audit_result *result);

static inline audit_cell *audit_at(const audit_operator *o, uint32_t m, size_t test)
{
    return &o->cells[(size_t)m * o->test_count + test];
}

/* The smallest kill of mutant m of an operator among all tests; *test is the test. `known` is false if it survives. */
audit_kill audit_smallest(const audit_operator *o, uint32_t m, size_t *test);

/* Is a smaller than b (fewer elements, then a shorter id, then earlier)? An unknown kill is larger than any other. */
bool audit_smaller(const audit_kill *a, const audit_kill *b);

/* Add the result of one more range of cases. */
void audit_merge(audit_cell *to, const audit_cell *from);

/* Format the id of a killing case and the options that `touchstone run` needs for it ("" or " --feature-level 2_1"). */
void audit_case_id(const audit_operator *o, size_t test, const audit_kill *k, char *id, size_t size, char *options,
                   size_t options_size);

/* ---- audit_score.c ---- */

/* Is a mutant in a file of this operator, or in one that it shares with others? "dml.slice1" has its own file of the
   reference, dml/slice1.c, and the file of its specification, dml.c. A kernel file whose name is a part of an
   operator's name (kernels/random.c), or begins with it (kernels/gather_index.c), is that operator's; all operators
   share the others. */
bool audit_concerns(const mutant *x, const ts_operator *op);

/* Is a mutant in a file that several operators share: of one specification, or all? */
bool audit_is_shared(const mutant *x);

/* Is a mutant in a file that operators share which this audit leaves out? If it survives, it is AUDIT_OPEN. */
bool audit_leaves_open(const audit_result *r, const mutant *x);

/* Is a mutant in the third that --hold-out ignores? This depends only on its id. */
bool audit_is_held_out(const mutant *x);

/* The smallest kill of a mutant of the library; *op and *test are the operator and the test. */
audit_kill audit_smallest_of(const audit_result *r, uint32_t number, size_t *op, size_t *test);

/* Determine the states: of mutant `only`, or of all if it is MUTANT_NONE. */
bool audit_judge(audit_result *r, uint32_t only, error *e);

/* Count the mutants of a file of a subject; NULL: of all its files. */
audit_score audit_count(const audit_result *r, mutant_subject subject, const char *file);

/* Count the mutants of a subject that cases of one operator infect, and of these, those that its cases kill. Mutants
   that are known to be equivalent do not count. */
void audit_operator_score(const audit_result *r, size_t op, mutant_subject subject, uint32_t *infected,
                          uint32_t *killed);

/* The share of mutants that is killed: "93.10 %"; with open ones, which other cases may kill, ">= 12.00 %", where they
   count as if they survived; "-" where there is none of which the audit can say so. Returns buf. */
#define AUDIT_SHARE_SIZE 16
const char *audit_share(uint32_t killed, uint32_t survived, uint32_t open, char buf[static AUDIT_SHARE_SIZE]);
const char *audit_share_of(const audit_score *s, char buf[static AUDIT_SHARE_SIZE]); /* without equivalent ones */

/* The share of the kernels' mutants that a tier must kill, in percent. */
double audit_goal(case_tier tier);

/* Does the suite find enough? No mutant of the reference survives, the kernels reach their goal, no case kills a mutant
   that is listed as equivalent, and not all that could be judged is open. */
bool audit_suffices(const audit_result *r);

/* Iterate over the files of a subject that have mutants: returns the first after NULL, and NULL after the last. */
const char *audit_next_file(const audit_result *r, mutant_subject subject, const char *after);

/* Count the mutants that a test kills, and those that no other test of the operator kills. */
void audit_test_score(const audit_operator *o, size_t test, uint32_t *kills, uint32_t *alone);

/* ---- audit_json.c, audit_html.c ---- */

bool audit_write_json(const audit_result *r, const char *path, error *e);
bool audit_write_html(const audit_result *r, const char *path, error *e);

/* ---- audit_print.c ---- */

/* Print scores, tests and survivors on standard output. */
void audit_print(const audit_result *result);

/* Print the result of one mutant, test by test. */
void audit_print_mutant(const audit_result *result, uint32_t mutant);

#endif
