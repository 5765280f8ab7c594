/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Causes: what the failing cases of a run have in common. Failures that end in the same way are grouped over tests,
 * data types and operators, and each group is described by the shortest query found that holds it: `dml.slice1:* where
 * any(stride < 0)`. Operators share a cause where the same predicate describes their failures. A query is learned from
 * a sample of the failing cases and of the others, drawn from every test; what it holds is then counted over the cases
 * of the run.
 */
#ifndef TOUCHSTONE_CAUSES_H
#define TOUCHSTONE_CAUSES_H

#include "harness/base/error.h"
#include "harness/base/verdict.h"
#include "harness/store/store.h"

/* In which way cases fail. Failures of different kinds never share a cause. */
typedef enum cause_kind {
    CAUSE_NONE,     /* the case did not fail */
    CAUSE_DIFFERS,  /* wrong output, or memory that was written or read beside the tensors */
    CAUSE_REFUSED,  /* a legal descriptor was refused */
    CAUSE_ACCEPTED, /* an illegal descriptor was accepted */
    CAUSE_ENDED,    /* the process ended */
    CAUSE_HUNG,     /* a call did not answer within the time limit */
    CAUSE_LOST,     /* the device was lost, or the backend returned an error */
    CAUSE_KINDS
} cause_kind;
cause_kind cause_kind_of(verdict v);

enum {
    CAUSES_QUERIES = 4,     /* of a cause in an operator */
    CAUSES_OPERATORS = 8,   /* of a cause */
    CAUSES_OF_KIND = 3,     /* of an operator and kind */
    CAUSES_WALKED = 4000000 /* cases of a run that are counted; with more, counts are estimated */
};

/* The share of an operator in a cause of several. Strings are NULL where there is no value. */
typedef struct cause_part {
    char *op;
    uint64_t cases, missed, others, otherwise, neither; /* as of a cause */
    char *case_id, *clause, *story;                     /* its smallest failing case that is known */
    char *reproducer, *explain;
} cause_part;

/* A cause. Strings are NULL where there is no value. */
typedef struct cause {
    cause_kind kind;
    char *op;          /* its operators: "dml.gather, dml.slice1" */
    cause_part *parts; /* where there are several: each; the first one has the case below */
    size_t part_count;
    char *queries[CAUSES_QUERIES * CAUSES_OPERATORS]; /* that hold the cases together, for `touchstone run` */
    size_t query_count;                               /* 0: nothing was found that the cases have in common */
    uint64_t cases;             /* failing cases of this cause: those that the queries hold, and `missed` */
    uint64_t missed;            /* of them, cases that no query holds */
    uint64_t others;            /* cases that the queries hold and that pass, */
    uint64_t otherwise;         /* that fail and belong to another cause, */
    uint64_t neither;           /* that neither pass nor fail; 0 where the counts are estimated */
    bool estimated;             /* the counts come from a sample of the cases */
    size_t tests;               /* with failing cases of this cause */
    unsigned verdicts;          /* of its cases, as a set of bits: 1u << VERDICT_MISMATCH */
    verdict verdict;            /* of the case below */
    char *case_id;              /* the smallest failing case that is known */
    char *shrunk_from;          /* the case of the run whose shrunk form it is; NULL: it is a case of the run */
    char *clause, *story;       /* that it violates; its sentences */
    char *reproducer, *explain; /* commands for it */
    /* Its cases that flake bisection executed alone in a new process, by what came of them there. One that passes fails
       only after other cases. */
    uint64_t fails_alone, passes_alone;
    size_t joins; /* while causes are looked for: 1 + the cause of an earlier operator, or 0 */
} cause;

typedef struct causes {
    cause *list; /* those with most failing cases first */
    size_t count, capacity;
    char *unknown; /* why there are none although cases failed; NULL otherwise */
} causes;

/* What its cases have in common as a symptom: "the output differs", "an input is changed". */
const char *cause_symptom(const cause *c);

/* Do all cases of the cause that were executed alone pass there? Then it shows only after other cases. */
bool cause_needs_others(const cause *c);

/* Find the causes of a run. The caller frees *c, also after an error. The result is a function of the run file and the
   case files: where the case files have changed since, c->unknown says so. */
bool causes_find(causes *c, store *s, error *e);
void causes_free(causes *c);

#endif
