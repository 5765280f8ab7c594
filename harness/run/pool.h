/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The workers of a run: cases handed out and taken back, idle ones given half of what another still has, dead ones
 * replaced. A worker that ends or stalls costs what it had not yet told: that is done again by another, up to the cases
 * that it was in, which are then tried alone.
 */
#ifndef TOUCHSTONE_POOL_H
#define TOUCHSTONE_POOL_H

#include "harness/run/worker.h"

typedef struct pool_options {
    const worker_setup *setup;
    unsigned workers;       /* processes; 0: everything in this one, and a fault that can't be caught ends it */
    uint64_t memory_limit;  /* bytes that a worker may hold; 0: any */
    uint64_t max_losses;    /* workers lost to a test in a row before it is given up; 0: any */
} pool_options;

/* What becomes of the results. */
typedef struct pool_sink {
    void *context;
    /* Cases of an item of the plan are done. */
    bool (*chunk)(void *context, size_t item, chunk *c, error *e);
    /* How many findings may be kept of cases from this index on that fail, or that are waived? */
    uint64_t (*findings)(void *context, size_t item, uint64_t first, bool waived);
    /* Something that belongs to no case; kind is one of few. */
    bool (*observe)(void *context, size_t item, const char *kind, error *e);
    /* A trial is about to be handed out: what it needs and is not kept in memory for long may be filled in now. NULL:
       nothing is. */
    bool (*begin_replay)(void *context, replay *t, error *e);
    /* What came of a trial; r is cleared by the pool. More may be added here. NULL where none is. */
    bool (*tried)(void *context, replay *t, const replay_result *r, error *e);
    /* Another range of cases to be run, once all that was added is handed out; false: there is none. NULL: never. */
    bool (*more)(void *context, size_t *item, uint64_t *first, uint64_t *end);
    /* Called ten times a second at least; item: one that is being run. True: end now, with what is done. */
    bool (*tick)(void *context, size_t item);
} pool_sink;

typedef struct pool pool;

/* Start a worker, to find out who the backend is. NULL on an error: it cannot be opened, or ends its process. */
pool *pool_open(const pool_options *options, ts_info *info, error *e);

/* Wait for the workers to end. A backend that does not end well where it is closed is told on standard error. */
void pool_close(pool *p);

/* Count what is planned of [first, end) of every item of the plan. */
bool pool_count(pool *p, const uint64_t *first, const uint64_t *end, uint64_t *planned, const pool_sink *sink,
                error *e);

/* The classes of cases that the backend refused while it was counted, in order. Lives as long as the pool. */
const support *pool_refused(const pool *p);

/* Add a range of cases to be run; once: as of execute_range. */
bool pool_add(pool *p, size_t item, uint64_t first, uint64_t end, bool once, error *e);

/* Add a trial, which is the caller's and lives until `tried` was called with it, or the pool is closed. Only with
   processes. */
bool pool_add_replay(pool *p, replay *t, error *e);

/* Did the last pool_run end before its end: by tick, or since the backend ended again and again whatever was asked? And
   was an item given up since the backend ended again and again in it? */
bool pool_ended_early(const pool *p);
bool pool_gave_up(const pool *p, size_t item);

/* Run all that was added, and what sink->more gives. False where the suite failed; that tests were given up is no such failure. */
bool pool_run(pool *p, const pool_sink *sink, error *e);

#endif
