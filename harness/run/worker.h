/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worker: a process with a backend and an executor of its own. It receives requests from the run and answers each
 * with one reply. Whatever the backend does to the process, the run continues with another worker (pool.h).
 */
#ifndef TOUCHSTONE_WORKER_H
#define TOUCHSTONE_WORKER_H

#include "harness/execute/execute.h"
#include "harness/casefile/plan.h"
#include "harness/run/run.h"
#include "harness/execute/replay.h"
#include "harness/base/wire.h"

/* What a worker starts from. A forked worker inherits it; it is sent only where processes cannot be forked. */
typedef struct worker_setup {
    const plan *plan;
    const char *backend;
    const ts_option *backend_options;
    size_t backend_option_count;
    ts_level level;                /* 0: the backend's own highest */
    uint32_t profile;              /* ts_profile */
    ts_decisions decisions;
    const struct waivers *waivers; /* these two as in execute_options */
    const char *reproduce;
    case_limits limits;
    uint64_t repeat;
    uint64_t seed; /* as in execute_options */
    /* For a spawned worker, which inherits nothing and makes plan and waivers again (worker_spawn.h): */
    const char *run_config; /* of run_config_write */
    int64_t began;          /* when the run was started, as time_t: waivers that had expired by then are left out */
} worker_setup;

/* The setup for run options. run_config and began are left empty. Waivers are used only if the options name a file. */
worker_setup worker_setup_of(const run_options *o, const plan *p, const struct waivers *waivers, const char *reproduce);

typedef enum worker_verb { WORKER_COUNT, WORKER_RUN, WORKER_REPORT_DEATH, WORKER_REPLAY } worker_verb;

/* One piece of work for one test of the plan. */
typedef struct worker_request {
    worker_verb verb;
    size_t item;          /* of the plan */
    execute_range range;  /* COUNT: only the indices. REPORT_DEATH: the case is range.first */
    verdict death;        /* REPORT_DEATH: the verdict; range.suspicion says how the process ended */
    const replay *replay; /* REPLAY */
    const char *refused;  /* RUN, once a worker: the classes that were refused when the cases were planned; else NULL */
    uint64_t nonce;       /* the reply begins with it: what anybody else writes to the line does not */
} worker_request;

typedef struct worker_reply {
    bool fine; /* false: the suite itself failed, as e says */
    error e;
    uint64_t count;       /* COUNT: legal cases */
    const char *refused;  /* COUNT: classes of cases that the backend refused and that this worker has not reported
                             before, as lines of support.h. Valid until the next request or message */
    class_failure failed; /* the query that failed in this process: execute_failed_query */
    chunk chunk;          /* RUN and REPORT_DEATH: the caller clears it */
    replay_result replay; /* REPLAY: the caller frees it */
} worker_reply;

/* Does the worker end after this reply, because its process can execute no more, or not what comes next? */
static inline bool worker_reply_is_last(const worker_reply *r)
{
    return !r->fine || r->chunk.tainted || r->chunk.retired || r->replay.tainted || r->failed.key;
}

typedef struct worker {
    const worker_setup *setup;
    plugin plugin;
    executor *executor;
    execute_watchdog *watchdog; /* NULL without a process of its own */
    size_t reported;            /* bytes of execute_refused that were reported */
} worker;

/* Open the backend and fill in w->plugin.info. The caller closes *w whether this succeeds or not. A level that the
   backend does not reach is an error. watchdog and blocklist: as in execute_options; may be NULL. Where the watchdog's
   orders say so, the backend stays closed. */
bool worker_open(worker *w, const worker_setup *setup, bool isolated, execute_watchdog *watchdog,
                 const execute_blocklist *blocklist, error *e);
void worker_close(worker *w);

/* Do one piece of work. */
void worker_handle(worker *w, const worker_request *request, worker_reply *reply);

/* ---- as a process ---- */

typedef struct worker_context {
    const worker_setup *setup;
    execute_page *page; /* these three are memory shared with the run; the worker can only write this one */
    const execute_orders *orders;
    const execute_blocklist *blocklist;
} worker_context;

/* The main function of a worker process, for platform_process_start; context is a worker_context. The worker sends
   hello: the backend's ts_info, or why the backend cannot be opened. Then it serves requests until the line closes or
   the backend has tainted the process. */
void worker_main(void *context, platform_line *line);

/* Send hello of a worker that cannot start, with the reason. */
void worker_send_failure(platform_line *line, const error *e);

/* The run's side of the line. Each function returns false if the message cannot be sent or is not valid. */
bool worker_decode_hello(wire *w, ts_info *info, bool *fine, error *e);
bool worker_send_request(platform_line *line, const worker_request *request, wire *w);
bool worker_decode_reply(wire *w, const worker_request *request, worker_reply *reply);

#endif
