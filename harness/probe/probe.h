/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does a backend keep the contract of backends/backend.h? Each check makes legal calls that are hostile (empty batches,
 * longer structures, garbage in descriptors, memory that ends where it is stated to end) in a process of its own, so
 * that a crash or a hang is the result of a check. Whether outputs are right is not asked: that is what runs are for.
 */
#ifndef TOUCHSTONE_PROBE_H
#define TOUCHSTONE_PROBE_H

#include "harness/casefile/plan.h"
#include "harness/execute/plugin.h"

#include <stdio.h>

#define PROBE_MAX_CHECKS 32

typedef enum probe_outcome {
    PROBE_KEPT,
    PROBE_BROKEN,
    PROBE_NOT_APPLICABLE, /* the backend has nothing that the check could try */
    PROBE_NOT_RUN         /* a check that it builds on is broken, so that nothing was tried */
} probe_outcome;
const char *probe_outcome_name(probe_outcome o); /* "ok", "broken", "not-applicable", "not-run" */

/* The result of one check. */
typedef struct probe_line {
    const char *check; /* its name: "batch-many" */
    const char *tries; /* what it tries, in one line */
    probe_outcome outcome;
    const char *place, *contract; /* of a broken promise: where the header makes it, and its words */
    char text[1000];              /* what was seen; "" where there is nothing to add */
} probe_line;

typedef struct probe_result {
    char path[1024];
    char name[64], version[64]; /* what the backend says of itself; may hold any bytes. "" where no check asked it */
    size_t all;                 /* checks that there are; `count` of them ran */
    probe_line lines[PROBE_MAX_CHECKS];
    size_t count;
    size_t outcomes[PROBE_NOT_RUN + 1]; /* how many lines have each */
} probe_result;

typedef struct probe_options {
    const char *name; /* of the backend, as plugin_open takes it */
    plugin_options options;
    double seconds;   /* that a check may take */
    const char *only; /* NULL, or the one check to run, with those that it builds on */
} probe_options;

/* Probe a backend with calls of these cases of tier quick; the plan stays the caller's. Errors: the backend is not
   there, is none, refuses its options (EXIT_BAD_USAGE), cannot be opened on this machine, or the operating system
   cannot copy processes (EXIT_HARNESS). A promise that is broken is no error. */
bool probe_run(const probe_options *o, const plan *quick, probe_result *r, error *e);

/* The words of the contract that checks refer to, one after another: false behind the last. For the test that holds
   them against the header. */
bool probe_contract(size_t i, const char **place, const char **words);

/* Print one line per check, and a summary. */
void probe_print(const probe_result *r);

/* Write the result as JSON: { "probe": 1, "backend", "version", "path", "kept": true, "checks": [ { "name", "tries",
   "outcome", "text", "place", "contract" } ] }. */
bool probe_write_json(const probe_result *r, const char *path, error *e);

#endif
