/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The operators of a run, each with the digest of what decided its verdicts then (suite_digest.h), beside this program
 * and its case files. What a digest covers may have changed for one operator and not for the others: verdicts of the
 * others can be continued, assigned to cases and compared.
 */
#ifndef TOUCHSTONE_RUN_SUITE_H
#define TOUCHSTONE_RUN_SUITE_H

#include "harness/casefile/suite_digest.h"
#include "harness/store/store.h"

typedef struct run_suite_operator {
    char name[64], digest[SUITE_DIGEST_SIZE]; /* of the run */
    bool same;                                /* this program has the operator with the same digest */
} run_suite_operator;

typedef struct run_suite {
    run_suite_operator *operators; /* in order of their names */
    size_t count, capacity;
} run_suite;

/* Read the operators of a run, and compare them with this program's. The caller frees *r in any case. */
bool run_suite_read(run_suite *r, store *s, error *e);
void run_suite_free(run_suite *r);

/* The operator of a run with this name, or NULL. */
const run_suite_operator *run_suite_find(const run_suite *r, const char *name);

/* Is any operator the same? Also of a run without operators, which has no cases. */
bool run_suite_any(const run_suite *r);

#define RUN_SUITE_NAMES 256 /* bytes of a list of operators */

/* List the operators that are not the same: "dml.gather, dml.slice1"; many are cut short. False: there are none. */
bool run_suite_changed(const run_suite *r, char names[RUN_SUITE_NAMES]);

/* List the operators that both runs have, with different digests. False: there are none. */
bool run_suite_differ(const run_suite *a, const run_suite *b, char names[RUN_SUITE_NAMES]);

#endif
