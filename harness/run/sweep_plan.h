/* SPDX-License-Identifier: Apache-2.0 */
/* Which cases a run executes: its tests, the range of each test that belongs to this shard, and the waivers. */
#ifndef TOUCHSTONE_SWEEP_PLAN_H
#define TOUCHSTONE_SWEEP_PLAN_H

#include "harness/casefile/waivers.h"
#include "harness/run/pool.h"
#include "harness/run/run_store.h"

#include <time.h>

/* One case of --in-order. */
typedef struct run_case {
    size_t item;
    uint64_t index;
} run_case;

typedef struct sweep_plan {
    plan tests;
    run_item *items; /* one for each test of `tests` */
    run_case *order; /* the cases of --in-order, one for each query; NULL without that option */
    waivers waivers;
    char waivers_digest[33]; /* "" without waivers */
    time_t began;            /* when the run was started for the first time */
} sweep_plan;

/* Make the plan of a run. Waivers that had expired at `began` are left out, so that a resumed run has the same ones.
   The caller frees *p whether this succeeds or not. */
bool sweep_plan_make(sweep_plan *p, const run_options *o, time_t began, error *e);
void sweep_plan_free(sweep_plan *p);

/* Let the workers count the cases that each test plans; *planned is their sum. */
bool sweep_plan_count(sweep_plan *p, pool *workers, const pool_sink *sink, uint64_t *planned, error *e);

/* Write the options that the reproducer of a finding repeats after its case id, quoted for a shell. The caller frees
   them; NULL if memory is out. */
char *sweep_plan_reproducer(const run_options *o);

#endif
