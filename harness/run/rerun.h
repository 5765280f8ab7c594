/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rerun phase, which follows when every case was executed in order: the shuffled pass runs the same cases in
 * another order (shuffled_pass.c), flake bisection finds the cases that a failure depends on (bisect.c), findings of
 * covering tests are reduced to the parameters that matter (reduce_run.c), and findings are shrunk (shrink_run.c).
 */
#ifndef TOUCHSTONE_RERUN_H
#define TOUCHSTONE_RERUN_H

#include "harness/run/pool.h"
#include "harness/run/run_store.h"

/* A run whose ordered pass is done. Everything is borrowed. */
typedef struct rerun_phase {
    const run_options *options;
    const plan *plan;
    run_item *items;
    run_result *result;
    store *store;
    pool *pool;
    ts_level level;        /* that the backend is judged at */
    const char *reproduce; /* the options that a reproducer repeats */
    pool_sink sink;        /* the run's own; the rerun phase uses its context, findings, observe and tick */
    /* Called before and after the store is written, with sink.context. */
    bool (*begin)(void *context, error *e);
    bool (*done)(void *context, error *e);
} rerun_phase;

/*
 * Run the shuffled pass. Every test that was run completely is cut into blocks of REPLAY_BLOCK_CASES legal cases. Each
 * block is executed in a new process, in an order that the seed determines. So other cases precede a case than in the
 * ordered pass, it is known which, and the result does not depend on the number of workers. Cases that ended or may
 * have tainted their process are left out. A case with another result than in the ordered pass becomes nondeterministic
 * and a candidate for bisect_candidates. Blocks that a resumed run has done already are left out.
 */
bool shuffled_pass_run(const rerun_phase *phase, error *e);

/*
 * Find out which cases the candidates depend on. Some failures of the ordered pass become candidates too. Each
 * candidate is executed alone in a new process. If it passes, it is executed again after the cases that preceded it. If
 * it then fails, bisection removes cases from these until every case that is left is needed. The result is added to the
 * finding, and its reproducer runs the needed cases in their order.
 */
bool bisect_candidates(const rerun_phase *phase, error *e);

/*
 * Find out which parameters matter for the first findings of each covering test. Points of the test's whole product are
 * executed in new processes: parameters are set to their defaults while the point still fails with the same verdict.
 * The result is added to the finding. Nothing is added where the case passes alone, or a bound is reached.
 */
bool reduce_findings(const rerun_phase *phase, error *e);

/*
 * Look for smaller cases that fail as the first findings do (shrink.h): the first of each test and then
 * further ones, drawn tests first, each with options->shrink executions (0: none), and few enough in all that a run
 * with many failures does not become slow. The findings get the smallest case that was found.
 */
bool shrink_findings(const rerun_phase *phase, error *e);

#endif
