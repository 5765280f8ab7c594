/* SPDX-License-Identifier: Apache-2.0 */
/* What pool.c (handing out, watching) and pool_outcome.c (what came of it) share. */
#ifndef TOUCHSTONE_POOL_INTERNAL_H
#define TOUCHSTONE_POOL_INTERNAL_H

#include "harness/run/job.h"
#include "harness/run/pool.h"

typedef enum slot_state { SLOT_EMPTY, SLOT_GREETING, SLOT_IDLE, SLOT_BUSY } slot_state;

typedef enum killing { KILL_NONE, KILL_STALLED, KILL_MEMORY } killing;

typedef struct slot {
    slot_state state;
    platform_process *process;
    execute_watchdog *watch; /* shared with it */
    worker_context context;
    job job;                /* at hand */
    worker_request request; /* of which this is asked */
    double since;           /* it was asked, or started */
    uint64_t step;          /* where it was seen, and when first */
    double step_since;
    double cut_at;          /* 0: it was not */
    double step_used;       /* seconds of the processor that the worker had used by then; negative: not known yet */
    double weighed;         /* its memory was asked for */
    killing killed;
    bool used; /* cases were executed in it */
} slot;

struct pool {
    pool_options options;
    execute_blocklist *bans;
    slot *slots;
    size_t slot_count;
    platform_process **processes; /* of the slots, for waiting */
    bool *ready;
    job_queue queue;
    wire wire;
    wire begin; /* what a worker is told that begins anew */
    bool greeted;
    ts_info info;
    unsigned bad_starts;
    uint64_t *losses; /* in a row, per item */
    uint64_t all_losses;
    bool *given_up;
    uint64_t *planned; /* where it is counted */
    support refused;
    worker here; /* where there are no processes */
    const pool_sink *sink;
    bool ending;
    bool feeding; /* sink->more may have more */
};

/* Book the answer to a request of job *j, and queue what is left of it. */
bool pool_decode_reply(pool *p, job *j, const worker_request *asked, worker_reply *r, error *e);

/* A worker is gone, or is to be: queue what it had not told, with those cases apart that it was in. */
bool pool_bury(pool *p, slot *s, error *e);

/* End a worker, within the seconds if it does so by itself; buf: how it ended, or NULL. */
void pool_end_worker(slot *s, double seconds, char *how, size_t size);

#endif
