/* SPDX-License-Identifier: Apache-2.0 */
/* What pool.c (assigning work, watching workers) and pool_outcome.c (recording results, reaping workers) share. */
#ifndef TOUCHSTONE_POOL_INTERNAL_H
#define TOUCHSTONE_POOL_INTERNAL_H

#include "harness/run/job.h"
#include "harness/run/pool.h"

typedef enum slot_state { SLOT_EMPTY, SLOT_STARTING, SLOT_IDLE, SLOT_BUSY } slot_state;

/* Why the pool kills a worker. */
typedef enum killing { KILL_NONE, KILL_STALLED, KILL_MEMORY, KILL_CONNECTION } killing;

/* The place of one worker process. */
typedef struct slot {
    slot_state state;
    platform_process *process;
    execute_page *page;     /* memory shared with the process: what it writes, */
    execute_orders *orders; /* and what it only reads */
    worker_context context;
    job job;                /* BUSY: the current job, */
    worker_request request; /* and the part of it that the worker was asked to do */
    double since;           /* when the worker got the request, or was started */
    uint64_t step;          /* of the page when it was last seen to change, */
    double step_since;      /* the time of that, */
    double step_used;       /* and the processor time that the worker had used; negative: not known yet */
    double idle_since;      /* between two calls: since when it uses no processor time */
    double interrupted_at;  /* when the current call was interrupted; 0: it was not */
    double memory_checked;  /* when its memory was last read */
    killing killed;
    bool used; /* it has executed cases, */
    bool told; /* and knows which classes were refused */
    uint64_t process_number;
    printed printed;     /* what the process prints */
    uint64_t printed_at; /* its position when the worker got the request */
} slot;

/* Queries that failed once in a process that had executed nothing. */
enum { POOL_DOUBTS = 256 };

/* What the backend printed in a case that is to be recorded with REPORT_DEATH. */
typedef struct last_words {
    size_t item;
    uint64_t index;
    char *lines;
} last_words;

struct pool {
    pool_options options;
    execute_blocklist *blocklist;
    slot *slots;
    size_t slot_count;
    platform_process **processes; /* of the slots, for platform_process_wait */
    bool *ready;
    job_queue queue;
    wire wire;
    wire setup;  /* what a spawned worker starts from */
    bool opened; /* some worker has opened the backend, */
    ts_info info;
    bool lost;            /* and later none could, or it said something else of itself */
    size_t most_workers;  /* fewer than there are slots where the backend opens in fewer processes at once */
    unsigned failed_starts; /* workers in a row that ended before their first case */
    uint64_t *losses;       /* workers lost in a row, per test */
    uint64_t all_losses;    /* and in all tests */
    bool *given_up;         /* per test */
    uint64_t *planned;      /* where pool_count counts */
    support refused;
    const char *promised; /* of pool_hold */
    worker inline_worker; /* without worker processes */
    const pool_sink *sink;
    uint64_t nonce; /* of the last request */
    uint64_t process_count;
    char *lost_lines; /* what the worker printed last that is being reaped; NULL: nothing */
    last_words *words;
    size_t word_count, word_capacity;
    uint64_t doubts[POOL_DOUBTS]; /* keys of classes and clauses; once it is full, one failure suffices */
    size_t doubt_count;
    bool ending;
    bool feeding; /* sink->next_range may name more ranges */
};

/* Store the reply to a request of job *j, and queue the rest of the job. page: of the worker that replied; NULL for the
   inline worker. */
bool pool_record_reply(pool *p, job *j, const worker_request *asked, worker_reply *r, const execute_page *page,
                       error *e);

/* End a worker that died, or has to be killed. Queue the cases whose results it had not reported; those that it was
   executing are suspected, and queued apart. */
bool pool_reap(pool *p, slot *s, error *e);

/* A worker could not open the backend, which was opened before, or which says something else of itself now, as `why`
   says. Others go on without it; if there are none, and none can be started again and again, cases that are left are
   given up, and false is returned with *e where there is no run yet. */
bool pool_start_failed(pool *p, slot *s, const error *why, error *e);

/* A query failed. It is believed if nothing was executed before it, twice: then all workers know that it fails. */
void pool_blame_query(pool *p, const class_failure *f);

/* Store what a worker has printed, if it has printed anything since the last time. */
bool pool_store_printed(pool *p, slot *s, error *e);

/* The last lines that a worker printed in the cases that it was executing last; NULL if there are none. The caller
   frees them. */
char *pool_last_lines(const slot *s);

/* Show on standard error the last lines that a backend printed, which may say why it ended. NULL: none. */
void pool_show_lines(const char *lines);

/* Wait `seconds` for a worker to end, then kill it. buf: how it ended; may be NULL. */
void pool_end_worker(slot *s, double seconds, char *buf, size_t size);

#endif
