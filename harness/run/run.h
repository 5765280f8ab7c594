/* SPDX-License-Identifier: Apache-2.0 */
/* One sweep against one backend: plan, execute, store, digest. */
#ifndef TOUCHSTONE_RUN_H
#define TOUCHSTONE_RUN_H

#include "backends/backend.h"
#include "harness/casefile/casefile.h"
#include "harness/base/error.h"
#include "harness/base/verdict.h"

#define RUN_MAX_WORKERS 1024
#define RUN_ANY_MEMORY  UINT64_C(0x7FFFFFFFFFFFFFFF)
#define RUN_TIME_LIMIT  10.0 /* by default */

typedef struct run_options {
    const char *backend;           /* name or path */
    const ts_option *backend_options;
    size_t backend_option_count;
    const char *const *queries;
    size_t query_count;
    case_tier tier;
    ts_level level;                /* 0: the backend's own highest */
    uint32_t profile;              /* ts_profile */
    uint64_t max_findings;         /* kept per test: the first by index; and as many of waived cases */
    uint64_t repeat;               /* executions of every case; 0 is 1 */
    bool shuffle;                  /* a second pass, in an order made from: */
    uint64_t seed;
    bool in_order;                 /* each query is an id: run these cases in this order, in one process */
    const char *waivers;           /* path of a file of waivers (waivers.h); NULL: none */
    unsigned workers;              /* processes; 0: none, everything in this one */
    double time_limit;             /* seconds that the backend may take for one submission */
    uint64_t memory_limit;         /* bytes that a worker may hold; 0: its share of three quarters of the machine's;
                                      RUN_ANY_MEMORY: any */
    uint64_t max_losses;           /* cases in a row that end the backend before a test is given up; 0: any */
    uint64_t shard, shards;        /* the shard-th of so many, from 1 on; 0 of 0: all of it */
    double budget;                 /* seconds after which no more is begun: it owes what was (rolling.h); 0: none */
    bool has_night;                /* with a budget: */
    uint64_t night;                /* number of this one, for a fixed slice or, with `since`, later than that one's */
    const char *since;             /* path of the run of the night before, or of a history; NULL: none */
    const char *output;            /* path of the run file; must not exist */
    const char *command;           /* as typed, for the report */
    bool progress;                 /* a line on standard error */
} run_options;

/* What came of it. */
typedef struct run_result {
    uint64_t planned, ran;
    uint64_t cases[VERDICT_COUNT];
    char digest[33];
    char suite_digest[33];
    bool interrupted;
    uint64_t to_shuffle, shuffled; /* cases of a second pass that are planned, and done; 0 of 0: there is none */
    uint64_t came_out_otherwise;   /* of them, as far as this process ran them */
    bool gave_up;    /* tests on which the backend ended again and again */
    double seconds;
} run_result;

/* Run and store. On an error before the first case no file is left; after it, the file holds what was done and its
   state is "incomplete" where it could still be written. A plan without cases is no error here: result->planned is 0,
   and no file is made; nor is one where it is interrupted before its first case. */
bool run_execute(const run_options *options, run_result *result, error *e);

/* Go on with a run that was ended before its end, to the same result as if it had not been. Of the options only
   workers, progress and output, the path of the run, are used. A run that is complete already gives its result. Errors:
   another suite, another backend or other waivers than it was begun with, another process that writes it. */
bool run_resume(const run_options *options, run_result *result, error *e);

/* Ask the run at hand to end with what it has. Safe in a signal handler. */
void run_interrupt(void);

/* Let SIGINT and SIGTERM do that. */
void run_heed_interrupts(void);

/* The exit status that a result amounts to. */
exit_status run_status(const run_result *result);

#endif
