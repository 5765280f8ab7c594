/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cases against a backend: built, filled, computed by the reference, submitted in batches, judged. One executor per
 * process; it owns the buffers and knows nothing of runs and files.
 */
#ifndef TOUCHSTONE_EXECUTE_H
#define TOUCHSTONE_EXECUTE_H

#include "harness/casefile/casebuild.h"
#include "harness/execute/case_limits.h"
#include "harness/execute/chunk.h"
#include "harness/execute/execute_watchdog.h"
#include "harness/execute/plugin.h"
#include "harness/execute/support.h"

typedef struct execute_options {
    uint32_t profile;       /* ts_profile */
    ts_level level;         /* judged at: min(backend's highest, --feature-level) */
    const struct waivers *waivers; /* borrowed; NULL: none */
    const char *reproduce;  /* what a reproducer adds behind "touchstone run ID": "-b cpu" */
    case_limits limits;     /* the executor uses `seconds` for messages; the run enforces the limits */
    uint64_t repeat;        /* executions of every case; 0 is 1 */
    bool isolated;          /* in a process of its own: a fault ends the chunk, see chunk.tainted. Else it goes on. */
    execute_watchdog *watchdog;   /* may be NULL */
    execute_blocklist *blocklist; /* may be NULL */
} execute_options;

/* One piece of work. */
typedef struct execute_range {
    uint64_t first, end;  /* indices */
    uint64_t max_cases;
    uint64_t together;    /* cases submitted at once to begin with, more of them while nothing befalls them; 0: as many
                             as the backend likes */
    uint64_t findings;    /* that are kept at most: the first */
    uint64_t waived_findings; /* the same of waived cases, which take no room from others */
    bool alone;           /* one case per submission; what happens then is that case's doing */
    bool once;            /* a failing case is not executed again, to leave the backend as it was */
    const char *suspicion; /* not NULL: this case failed so among others. If it does not fail now, it is
                             nondeterministic. */
} execute_range;

typedef struct executor executor;

/* The plugin is borrowed and stays open. */
executor *execute_open(plugin *p, const execute_options *options, error *e);
void execute_close(executor *x);

/* Legal cases of [first, end) that the backend owes: what its query supports, at its level. Cases without execution;
   used for the plan. */
bool execute_count(executor *x, const case_test *t, uint64_t first, uint64_t end, uint64_t *planned, error *e);

/* The classes of cases that the backend has refused so far. It only grows. */
const support *execute_refused(const executor *x);

/* Run the legal cases of a range. c->last says how far it came. False only where the suite itself failed. */
bool execute_run(executor *x, const case_test *t, const execute_range *r, chunk *c, error *e);

/* Judge the case r->first without executing it, because the process in which it was is gone: v, VERDICT_CRASH or
   VERDICT_HANG, with r->suspicion, how it ended, in its finding. */
bool execute_tell(executor *x, const case_test *t, const execute_range *r, verdict v, chunk *c, error *e);

#endif
