/* SPDX-License-Identifier: Apache-2.0 */
/* One sweep against one backend: plan, execute, store, digest. */
#ifndef TOUCHSTONE_RUN_H
#define TOUCHSTONE_RUN_H

#include "backends/backend.h"
#include "harness/casefile.h"
#include "harness/error.h"
#include "harness/verdict.h"

typedef struct run_options {
    const char *backend;           /* name or path */
    const ts_option *backend_options;
    size_t backend_option_count;
    const char *const *queries;
    size_t query_count;
    case_tier tier;
    ts_level level;                /* 0: the backend's own highest */
    uint32_t profile;              /* ts_profile */
    uint64_t max_findings;         /* kept per test */
    const char *output;            /* path of the run file; must not exist */
    const char *command;           /* as typed, for the report */
    bool progress;                 /* a line on standard error */
} run_options;

/* What came of it. */
typedef struct run_result {
    uint64_t owed, ran;
    uint64_t cases[VERDICT_COUNT];
    char digest[33];
    char suite_digest[33];
    bool interrupted;
    double seconds;
} run_result;

/* Run and store. On an error before the first case no file is left; after it, the file holds what was done and its
   state is "incomplete" where it could still be written. A plan without cases is no error here: result->owed is 0, and
   no file is made. */
bool run_execute(const run_options *options, run_result *result, error *e);

/* Ask the run at hand to end after the chunk that it is in. Safe in a signal handler. */
void run_interrupt(void);

/* The exit status that a result amounts to. */
exit_status run_status(const run_result *result);

#endif
