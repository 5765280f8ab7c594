/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Run cases against a backend: build them, fill their inputs, submit them in batches, compute the expected outputs with
 * the reference, and compare. A process has one executor, which owns the buffers. It knows nothing of runs and files.
 */
#ifndef TOUCHSTONE_EXECUTE_H
#define TOUCHSTONE_EXECUTE_H

#include "harness/casefile/casebuild.h"
#include "harness/execute/case_limits.h"
#include "harness/execute/chunk.h"
#include "harness/execute/class_cache.h"
#include "harness/execute/execute_blocklist.h"
#include "harness/execute/plugin.h"
#include "harness/execute/support.h"
#include "harness/execute/execute_watchdog.h"

/* How an executor works. */
typedef struct execute_options {
    uint32_t profile;              /* ts_profile */
    ts_decisions decisions;        /* do decisions and observations fail a backend, too? */
    ts_level level;                /* cases are planned up to: min(backend's highest, --feature-level) */
    const struct waivers *waivers; /* borrowed; NULL: none */
    const char *reproduce;         /* options that a reproducer needs after "touchstone run ID": "-b cpu" */
    case_limits limits;            /* the executor uses `seconds` for messages; the run enforces the limits */
    uint64_t repeat;               /* executions of every case; 0 means 1 */
    uint64_t seed;                 /* which cases are executed with other data, too, and with which (item_conclude) */
    bool isolated;              /* the process is a worker: after a fault the chunk ends, and chunk.tainted is set. Else
                                   the executor continues in the same process. */
    execute_watchdog *watchdog; /* may be NULL */
    const execute_blocklist *blocklist; /* may be NULL */
} execute_options;

/* The cases that one call of execute_run executes. */
typedef struct execute_range {
    uint64_t first, end; /* indices */
    uint64_t max_cases;
    uint64_t together; /* cases of the first submissions; later ones get more while no fault occurs. 0: as many as
                          the backend prefers */
    uint64_t findings; /* store at most so many findings: those of the first failures */
    uint64_t waived_findings; /* and so many of waived cases, counted apart */
    bool alone;               /* submit every case alone, so that a fault is known to be that case's */
    bool ask_first;           /* ask about all classes of the range before the first case is submitted */
    bool once;                /* do not rerun a failing case: the state of the backend must not change */
    const char *suspicion;    /* not NULL: how the backend failed when this case was submitted with others ("ended in
                                 SIGSEGV"). A pass now means that the case is nondeterministic. */
} execute_range;

typedef struct executor executor;

/* Open an executor. The plugin is borrowed and stays open. NULL on error. */
executor *execute_open(plugin *p, const execute_options *options, error *e);
void execute_close(executor *x);

/* Count the legal cases of [first, end) that a run plans: those that the backend supports, at the executor's level. No
   case is executed. */
bool execute_count(executor *x, const case_test *t, uint64_t first, uint64_t end, uint64_t *planned, error *e);

/* The classes of cases that the backend has refused so far. The list only grows. */
const support *execute_refused(const executor *x);

/* Hold the backend to the answers by which the cases were planned (class_cache_hold). */
void execute_hold(executor *x, const char *refused);

/* Run the legal cases of a range; c->last is the index at which to continue. False only where the suite itself failed:
   whatever the backend does is a verdict in *c. */
bool execute_run(executor *x, const case_test *t, const execute_range *r, chunk *c, error *e);

/* The query that failed in this process, of an isolated executor; its key is 0 if none did. Nothing that the process
   answers later is believed: its last chunk ends before the cases that were not submitted, its last count and replay
   are not complete, and the caller replaces the process. */
const class_failure *execute_failed_query(const executor *x);

/* Record the verdict v (VERDICT_CRASH or VERDICT_HANG) of the case r->first without executing it, because the process
   that executed it is gone. r->suspicion, how that process ended, goes into the finding. */
bool execute_record(executor *x, const case_test *t, const execute_range *r, verdict v, chunk *c, error *e);

#endif
