/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a run does once every case was executed in order: the same cases in another order (second_pass.c), and the
 * question what a failure depends on (examine.c).
 */
#ifndef TOUCHSTONE_RERUN_H
#define TOUCHSTONE_RERUN_H

#include "harness/run/pool.h"
#include "harness/run/run_store.h"

/* A run whose first pass is done. All of it is borrowed. */
typedef struct second_look {
    const run_options *options;
    const plan *plan;
    run_item *items;
    run_result *result;
    store *store;
    pool *pool;
    const char *reproduce; /* what "touchstone run ID" needs behind it */
    pool_sink sink;        /* the run's own: its context, its room for findings, its ticks */
    /* Something is to be written to the store; and it was, as a whole. */
    bool (*begin)(void *context, error *e);
    bool (*done)(void *context, error *e);
} second_look;

/*
 * The second pass: every test that was run as a whole, cut into blocks of REPLAY_BLOCK_CASES legal cases; each block in
 * an order of its own that the seed makes, in a process of its own. So a case has other cases before it than in the
 * first pass, which ones is known, and nothing depends on the number of workers. Cases that ended their process or may
 * have spoilt it are left out. One that comes out otherwise than in the first pass is nondeterministic from here on,
 * and a suspect for bisect_candidates. The result counts what is done of its to_shuffle. Blocks that are done already,
 * in a run that is gone on with, are left out.
 */
bool shuffled_pass_run(const second_look *look, error *e);

/*
 * Find out what the suspects depend on, and add some of the first pass's failures to them. Each is executed alone in a
 * new process. Where it passes, the cases that came before it are executed before it again, and where it fails then,
 * fewer and fewer of them, until it needs each that is left. The finding tells what was found, and its reproducer runs
 * those cases in that order.
 */
bool bisect_candidates(const second_look *look, error *e);

#endif
