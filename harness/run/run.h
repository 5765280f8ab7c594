/* SPDX-License-Identifier: Apache-2.0 */
/* One run against one backend: plan, execute, store, digest. */
#ifndef TOUCHSTONE_RUN_H
#define TOUCHSTONE_RUN_H

#include "backends/backend.h"
#include "harness/casefile/casefile.h"
#include "harness/base/error.h"
#include "harness/base/verdict.h"
#include "harness/execute/case_limits.h"

#define RUN_MAX_WORKERS 1024

typedef struct run_options {
    const char *backend; /* name or path */
    const ts_option *backend_options;
    size_t backend_option_count;
    const char *const *queries;
    size_t query_count;
    const char *const *operators; /* the operators that the queries may name; NULL: all. A resumed run has those that
                                     there were when it was started */
    size_t operator_count;
    const char *const *required; /* queries: a case of one of them that the run does not have, or that the backend does
                                    not offer, makes the run not conformant. Not with a budget */
    size_t required_count;
    case_tier tier;
    ts_level level;        /* that the backend is judged at; 0: its own highest */
    uint32_t profile;      /* ts_profile */
    ts_decisions decisions;
    uint64_t max_findings; /* findings retained per test: those with the lowest indices. As many waived ones besides */
    uint64_t repeat;       /* executions of every case; 0 means 1 */
    uint64_t shrink;       /* executions to shrink each of the first findings; 0: they are not shrunk */
    bool shuffle;          /* add a shuffled pass, in an order that `seed` determines */
    uint64_t seed;
    uint64_t draw_seed;  /* of the drawn cases */
    bool in_order;       /* each query is an id: run these cases in this order, in one process */
    const char *waivers; /* path of a waiver file (waivers.h); NULL: none */
    unsigned workers;    /* worker processes; 0: execute everything in this process */
    case_limits limits;
    uint64_t shard, shards; /* run part `shard` (from 1) of `shards` parts; 0 of 0: everything */
    double budget;          /* seconds after which no more slices are started (schedule.h); 0: no budget */
    bool has_session;       /* with a budget: `session` is set */
    uint64_t session;       /* number of this session. Without `since` it selects a fixed range of slices; with `since`
                               it must be greater than the number of that session */
    const char *since;      /* path of the run of the session before, or of a history; NULL: none */
    const char *output;     /* path of the run file; must not exist */
    const char *command;    /* as typed, for reports */
    bool progress;          /* print a progress line on standard error */
} run_options;

typedef struct run_result {
    uint64_t planned;
    uint64_t ran; /* cases that have a verdict, with those that the backend does not support */
    uint64_t cases[VERDICT_COUNT];
    char digest[33];
    char suite_digest[33];
    bool interrupted;
    uint64_t to_shuffle, shuffled; /* cases planned and done in the shuffled pass; 0 of 0 without one */
    uint64_t changed;              /* cases that the shuffled pass of this process gave another verdict */
    uint64_t absent;               /* required cases that the run does not have, or that the backend does not offer */
    bool was_complete;             /* the run that was resumed had no cases left */
    bool displaced;                /* the run file was removed or replaced meanwhile: it does not have the results */
    bool gave_up;                  /* tests were given up because the backend kept ending its process */
    double seconds;
} run_result;

/* Run cases and store the results. On an error before the first case no file is left. On a later error the file holds
   the results so far, with state "incomplete" if that can still be written. A plan without cases is not an error:
   result->planned is 0, and no file is made. No file is made either if the run is interrupted before its first case. */
bool run_execute(const run_options *options, run_result *result, error *e);

/* Resume an unfinished run. The result is the same as if the run had not been stopped. Of the options only workers,
   progress and output, the path of the run, are used. If the run is complete already, report its result. Errors: the
   suite, the backend or the waivers differ from those at the start of the run; another process writes the file. */
bool run_resume(const run_options *options, run_result *result, error *e);

/* Ask the current run to stop and store what it has. May be called in a signal handler. */
void run_interrupt(void);

/* Install handlers of SIGINT and SIGTERM that call run_interrupt. */
void run_install_interrupt_handlers(void);

/* How many cases were judged: they passed, failed, or are waived. */
uint64_t run_judged(const run_result *result);

/* The exit status for a result. A run in which no case was judged is not conformant. */
exit_status run_status(const run_result *result);

#endif
