/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worker: a process with a backend and an executor of its own, which does what the run asks of it, one message for
 * one. Whatever the backend does to it, the run goes on with another one (pool.h).
 */
#ifndef TOUCHSTONE_WORKER_H
#define TOUCHSTONE_WORKER_H

#include "harness/execute/execute.h"
#include "harness/casefile/plan.h"
#include "harness/run/run.h"
#include "harness/execute/replay.h"
#include "harness/base/wire.h"

/* What a worker starts from; inherited, and sent only where the system has no copies of processes. */
typedef struct worker_setup {
    const plan *plan;
    const char *backend;
    const ts_option *backend_options;
    size_t backend_option_count;
    ts_level level;        /* 0: the backend's own highest */
    uint32_t profile;      /* ts_profile */
    const struct waivers *waivers; /* as of execute_options, as is the next */
    const char *reproduce;
    double time_limit;
    uint64_t repeat;
    /* For a worker that inherits nothing, and makes plan and waivers again (worker_anew.h): */
    const char *run_config; /* recipe.h */
    int64_t began;         /* the day on which waivers are judged, as time_t */
} worker_setup;

/* What run options say of it; recipe and began are left empty. Waivers count where the options name a file of them. */
worker_setup worker_setup_of(const run_options *o, const plan *p, const struct waivers *waivers, const char *reproduce);

typedef enum worker_verb { WORKER_COUNT, WORKER_RUN, WORKER_TELL, WORKER_TRY } worker_verb;

/* One piece of work for one test of the plan. */
typedef struct worker_request {
    worker_verb verb;
    size_t item;         /* of the plan */
    execute_range range; /* COUNT: indices alone; TELL: the index is range.first */
    verdict told;        /* TELL: the verdict, and in range.suspicion how the process ended */
    const replay *replay; /* TRY */
} worker_request;

/* What came of it. */
typedef struct worker_reply {
    bool fine;      /* else e says why the suite failed */
    error e;
    uint64_t count; /* COUNT: legal cases */
    const char *refused; /* COUNT: classes that the backend refused and that this worker has not told before, as lines
                            of support.h; lives until the next request or message */
    chunk chunk;    /* RUN and TELL: to be cleared */
    replay_result replay; /* TRY: to be freed */
} worker_reply;

typedef struct worker {
    const worker_setup *setup;
    plugin plugin;
    executor *executor;
    size_t told; /* bytes of execute_refused that are */
} worker;

/* Open the backend: w->plugin.info says who it is. To be closed in either case. A level that the backend does not
   reach is an error. watch and bans: as of execute_options, or NULL. */
bool worker_open(worker *w, const worker_setup *setup, bool isolated, execute_watchdog *watch, execute_blocklist *bans,
                 error *e);
void worker_close(worker *w);

/* Do one piece of work. */
void worker_do(worker *w, const worker_request *request, worker_reply *reply);

/* ---- as a process ---- */

typedef struct worker_context {
    const worker_setup *setup;
    execute_watchdog *watch;
    execute_blocklist *bans;
} worker_context;

/* The whole life of a worker process, for platform_process_start; context is a worker_context. It says who the backend
   is, or why it can't be opened, and then answers requests, until the line closes or a chunk was spoiled. */
void worker_live(void *context, platform_line *line);

/* The same of one that cannot even begin: it says why. */
void worker_refuse(platform_line *line, const error *e);

/* The other end. The greeting, once: false where no sense can be made of it. Then, request by request. */
bool worker_decode_greeting(wire *w, ts_info *info, bool *fine, error *e);
bool worker_ask(platform_line *line, const worker_request *request, wire *w);
bool worker_decode_reply(wire *w, const worker_request *request, worker_reply *reply);

#endif
