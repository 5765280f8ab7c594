/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shrinking: find a small case that fails as a given one does. Simpler cases are executed in worker processes
 * (shrink_move.h says which are simpler); the first that fails in the same way replaces the case, until no simpler one
 * does or the limit of executions is reached. In the same way means: with the same verdict, and a crash with the same
 * fault. An illegal case stays one of its test, so that it breaks the same clause. The result does not depend on the
 * number of workers.
 */
#ifndef TOUCHSTONE_SHRINK_H
#define TOUCHSTONE_SHRINK_H

#include "harness/run/pool.h"
#include "harness/store/shrunk_facts.h"

/* Executions, unless the caller says otherwise: of the verb, and of each finding of a run. */
#define SHRINK_LIMIT        UINT64_C(500)
#define SHRINK_LIMIT_OF_RUN UINT64_C(200)

typedef enum shrink_outcome {
    SHRINK_UNFINISHED, /* interrupted */
    SHRINK_DONE,       /* `to` is the smallest failing case that was found; it may be the case itself */
    SHRINK_PASSES,     /* executed alone in a new process, the case does not fail, or not with this verdict */
    SHRINK_NOT_RUN,    /* the backend does not support the case */
    SHRINK_UNSTABLE    /* what failed among others passed alone, twice: it fails irregularly, or after other cases */
} shrink_outcome;

/* A case to shrink. */
typedef struct shrink_case {
    size_t item;     /* of the plan: the case's test */
    const char *id;  /* the case, borrowed */
    verdict verdict; /* with which it has to fail; VERDICT_NONE: any with which it does */
    uint64_t limit;  /* of executions */
    /* The result: */
    shrink_outcome outcome;
    struct verdict_seen {
        verdict verdict;
        char how[120];     /* of a crash: "ended in SIGSEGV" */
    } seen;                /* alone, in a new process */
    char to[CASE_ID_SIZE]; /* DONE: the id */
    uint64_t executions;
    bool limited; /* by their number, */
    bool slow;    /* or by the time that they took */
    case_size from_size, to_size;
    store_finding finding; /* DONE: describes `to`; freed with store_finding_clear */
} shrink_case;

typedef struct shrink_setup {
    const plan *plan;
    pool *pool;
    uint32_t profile;
    ts_level level;                                              /* that the backend is judged at */
    double seconds;                                              /* that the executions of one case may take; 0: any */
    double all_seconds;                                          /* and all of this, with starting processes; 0: any */
    void *context;                                               /* of these two: */
    bool (*tick)(void *context, size_t item);                    /* as in pool_sink; may be NULL */
    bool (*done)(void *context, shrink_case *subject, error *e); /* a case has its outcome; may be NULL */
} shrink_setup;

/* Shrink cases, side by side. False if the suite itself failed. */
bool shrink_cases(const shrink_setup *setup, shrink_case *cases, size_t count, error *e);

/* Open a backend and shrink the one case that options->queries names, whose backend, level, profile and limits count.
   False also if the query names no case or several. */
bool shrink_one(const run_options *options, shrink_case *subject, error *e);

#endif
