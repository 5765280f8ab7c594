/* SPDX-License-Identifier: Apache-2.0 */
/* A run in progress: what run.c shares with the parts that a run is made of. */
#ifndef TOUCHSTONE_SWEEP_H
#define TOUCHSTONE_SWEEP_H

#include "harness/run/pool.h"
#include "harness/run/run.h"
#include "harness/run/run_file.h"
#include "harness/run/sweep_plan.h"
#include "harness/run/sweep_session.h"

#define SWEEP_TOLD 64 /* lines about observations that are remembered */

typedef struct sweep {
    uint64_t told[SWEEP_TOLD], told_count; /* digests of the last lines that were printed */
    const run_options *options;
    run_options own; /* the options, with the operators that are planned */
    run_result *result;
    sweep_plan plan;
    run_file file;
    sweep_session session; /* of a run with a budget */
    char *run_config;      /* the options as text, for workers and for the run file */
    char *scope;           /* what the run file stores about the scope of the run */
    char *refused;        /* of a run that is resumed: the classes that the backend refused */
    char *reproduce;       /* the options that reproducers repeat */
    worker_setup setup;
    pool *pool;
    ts_info info;
    ts_level level;          /* that the backend is judged at */
    bool finished;           /* the run was complete when this process opened it */
    uint64_t ran_before;     /* cases that processes before this one ran */
    double shown;            /* when the progress line was last printed */
    bool counted_printed;    /* printed_before is known: */
    uint64_t printed_before; /* the processes of which the run file had texts when this process began to write */
} sweep;

/* Was the run asked to stop (run_interrupt)? */
bool run_interrupted(void);

/* ---- sweep_sink.c ---- */

/* Print the progress line on standard error, if it is due. `last` erases it. */
void sweep_progress(sweep *s, const case_test *t, bool last);

/* Store what a worker process printed. context: the sweep. */
bool sweep_store_printed(void *context, printed *p, uint64_t process, error *e);

/* The functions that store what the workers report. */
pool_sink sweep_sink(sweep *s);

#endif
