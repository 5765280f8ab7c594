/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The worker processes of a run. The pool hands ranges of cases to workers and collects their results. An idle worker
 * gets half of what another one has left. A worker that dies or stalls is replaced: cases whose results it had not
 * reported yet are executed again, and the cases that it was executing at that moment are retried alone.
 */
#ifndef TOUCHSTONE_POOL_H
#define TOUCHSTONE_POOL_H

#include "harness/run/printed.h"
#include "harness/run/worker.h"

typedef struct pool_options {
    const worker_setup *setup; /* limits.memory is not CASE_MEMORY_SHARE */
    unsigned workers;          /* processes; 0: execute in this process, and a fault that cannot be caught ends it */
    /* Store what a worker process printed. process: its number in this pool, from 1. May be NULL. */
    bool (*store_printed)(void *context, printed *p, uint64_t process, error *e);
    void *printed_context;
} pool_options;

/* Where results go. Every function gets `context`; one that returns false stops the run with *e. */
typedef struct pool_sink {
    void *context;
    /* Store the results of cases of a test. */
    bool (*chunk)(void *context, size_t item, chunk *c, error *e);
    /* How many findings of cases with an index >= first may still be retained? Counted apart for waived cases. */
    uint64_t (*findings)(void *context, size_t item, uint64_t first, bool waived);
    /* Store an observation about a test as a whole; there are few different kinds. */
    bool (*observe)(void *context, size_t item, const char *kind, error *e);
    /* Complete a replay just before it is sent to a worker, with data that should not stay in memory. May be NULL. */
    bool (*begin_replay)(void *context, replay *t, error *e);
    /* Store the result of a replay; the pool frees *r. May add replays to the pool. NULL if there are no replays. */
    bool (*replayed)(void *context, replay *t, const replay_result *r, error *e);
    /* Name one more range of cases, once all ranges that were added are assigned. False if there is none. May be NULL.
     */
    bool (*next_range)(void *context, size_t *item, uint64_t *first, uint64_t *end);
    /* A worker has spent so many seconds on cases of a test. May be NULL. */
    void (*spent)(void *context, size_t item, double seconds);
    /* Called at least ten times a second, with a test that is being run. True: stop now. */
    bool (*tick)(void *context, size_t item);
} pool_sink;

typedef struct pool pool;

/* Open a pool, and a first worker to fill in *info. NULL on an error: the backend cannot be opened, or its process
   ends. */
pool *pool_open(const pool_options *options, ts_info *info, error *e);

/* End all workers. If a backend fails while it is closed, a message goes to standard error. */
void pool_close(pool *p);

/* Count the planned cases in [first[i], end[i]) of every test i of the plan, into planned[i]. */
bool pool_count(pool *p, const uint64_t *first, const uint64_t *end, uint64_t *planned, const pool_sink *sink,
                error *e);

/* The classes of cases that the backend refused while its cases were counted, in order. Valid until pool_close. */
const support *pool_refused(const pool *p);

/* Hold the backend to the answers by which the cases were planned, of which `refused` has the classes that it refused:
   in no process may it say otherwise. *refused is borrowed. */
void pool_hold(pool *p, const char *refused);

/* Add a range of cases; once: as in execute_range. */
bool pool_add(pool *p, size_t item, uint64_t first, uint64_t end, bool once, error *e);

/* Add a replay. The caller owns it, and keeps it until `replayed` was called with it or the pool is closed. Needs
   worker processes. */
bool pool_add_replay(pool *p, replay *t, error *e);

/* Was the last pool_run stopped early, by tick or because the backend kept ending its process whatever the test? */
bool pool_ended_early(const pool *p);

/* Was this test given up because the backend kept ending its process? */
bool pool_gave_up(const pool *p, size_t item);

/* Run everything that was added, and the ranges of sink->next_range. False if the suite itself failed. Tests that were
   given up are no such failure. */
bool pool_run(pool *p, const pool_sink *sink, error *e);

#endif
