/* SPDX-License-Identifier: Apache-2.0 */
/* A run at work: what run.c, which runs and goes on, shares with what it is made of. */
#ifndef TOUCHSTONE_SWEEP_H
#define TOUCHSTONE_SWEEP_H

#include "harness/store/coverage.h"
#include "harness/run/pool.h"
#include "harness/run/schedule.h"
#include "harness/run/run.h"
#include "harness/run/run_store.h"
#include "harness/casefile/waivers.h"

#include <time.h>

/* A case that is to be run by itself. */
typedef struct run_case {
    size_t item;
    uint64_t index;
} run_case;

typedef struct sweep {
    const run_options *options;
    run_result *result;
    plan plan;
    run_item *items;
    run_case *order; /* of --in-order, one for each query; NULL without */
    waivers waivers;
    char waivers_digest[33]; /* or "" */
    worker_setup setup;
    char *run_config; /* of it */
    time_t began;
    pool *pool;
    ts_info info;
    ts_level level; /* judged at */
    store *store;
    bool finished;  /* it was complete when it was opened */
    bool writing;   /* a transaction is open */
    bool torn;      /* and holds half a chunk */
    schedule *schedule; /* with a budget: what is still to be begun of tonight's share */
    coverage coverage;
    int lock;       /* on the file: nobody else goes on with it meanwhile */
    double started, committed, shown;
    double seconds_before; /* of a run that is gone on with */
    uint64_t ran_before;
    char reproduce[600];
} sweep;

/* Was it asked to stop (run_interrupt)? */
bool run_interrupted(void);

/* ---- sweep_plan.c ---- */

/* The options that a finding's command repeats. */
void sweep_reproducer(sweep *s);

/* Make the plan, and find the part of it that is the run's own. Waivers are judged as of `began`. */
bool sweep_prepare(sweep *s, time_t began, error *e);

/* How many cases each test owes, as the workers count them. */
bool sweep_count_planned(sweep *s, const pool_sink *sink, error *e);

/* ---- sweep_tell.c ---- */

/* Seconds of running, over all times that it was gone on with: what a budget counts. */
double sweep_seconds(const sweep *s);

/* The line on standard error, now and then; `last` wipes it. */
void sweep_progress(sweep *s, const case_test *t, bool last);

/* A transaction is open behind the first; none is behind the second. The third is the second when it is time for it, of
   a sweep as `context`. */
bool sweep_begin_writing(sweep *s, error *e);
bool sweep_commit(sweep *s, error *e);
bool sweep_commit_now_and_then(void *context, error *e);

/* Where the workers' answers go. */
pool_sink sweep_sink(sweep *s);

/* ---- sweep_night.c ---- */

/* Begin where coverage says that tonight's share begins; what is planned is known. */
bool night_open(sweep *s, error *e);

/* Find out where that is, and begin there. */
bool night_begin(sweep *s, error *e);

/* What was begun is done, but for tests that were given up: that, and no more, was tonight's share. */
bool night_end(sweep *s, error *e);

#endif
