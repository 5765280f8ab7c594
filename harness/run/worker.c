/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/worker.h"

#include "harness/execute/execute_replay.h"
#include "harness/execute/option_operators.h"
#include "harness/base/platform.h"
#include "harness/model/tensor.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

worker_setup worker_setup_of(const run_options *o, const plan *p, const struct waivers *waivers, const char *reproduce)
{
    return (worker_setup){ .plan = p,
                           .backend = o->backend,
                           .backend_options = o->backend_options,
                           .backend_option_count = o->backend_option_count,
                           .level = o->level,
                           .profile = o->profile,
                           .decisions = o->decisions,
                           .waivers = o->waivers ? waivers : NULL,
                           .reproduce = reproduce,
                           .limits = o->limits,
                           .repeat = o->repeat,
                           .seed = o->draw_seed };
}

bool worker_open(worker *w, const worker_setup *setup, bool isolated, execute_watchdog *watchdog,
                 const execute_blocklist *blocklist, error *e)
{
    memset(w, 0, sizeof *w);
    w->setup = setup;
    w->watchdog = watchdog;
    plugin_guard_process(!isolated);
    platform_install_fault_handlers(); /* before the handlers are noted that a call of the backend must leave */
    if (watchdog && atomic_load(&watchdog->orders->closed))
        w->plugin.info = watchdog->orders->info;
    else if (!plugin_open(&w->plugin, setup->backend, setup->backend_options, setup->backend_option_count, e))
        return false;
    if (w->plugin.library && !option_operators_check(&w->plugin, setup->backend, setup->backend_options,
                                                     setup->backend_option_count, setup->plan, e))
        return false;
    ts_level highest = w->plugin.info.highest_level;
    if (setup->level && highest && setup->level > highest)
        return error_usage(e, "backend %s reaches feature level %s, not %s", setup->backend, tensor_level_name(highest),
                           tensor_level_name(setup->level));
    const execute_options options = { .profile = setup->profile,
                                      .decisions = setup->decisions,
                                      .level =
                                          setup->level ? setup->level : highest, /* by default the backend's highest */
                                      .waivers = setup->waivers,
                                      .reproduce = setup->reproduce,
                                      .limits = setup->limits,
                                      .repeat = setup->repeat,
                                      .seed = setup->seed,
                                      .isolated = isolated,
                                      .watchdog = watchdog,
                                      .blocklist = blocklist };
    w->executor = execute_open(&w->plugin, &options, e);
    return w->executor != NULL;
}

void worker_close(worker *w)
{
    execute_close(w->executor);
    plugin_close(&w->plugin);
    plugin_guard_process(false);
    w->executor = NULL;
}

static bool collect_refused(worker *w, worker_reply *reply)
{
    const support *s = execute_refused(w->executor);
    if (s->failed)
        return error_set(&reply->e, "out of memory");
    reply->refused = s->text ? s->text + w->reported : "";
    w->reported = s->length;
    return true;
}

void worker_handle(worker *w, const worker_request *request, worker_reply *reply)
{
    const execute_range *r = &request->range;
    const case_test *t = w->setup->plan->items[request->item].test;
    memset(reply, 0, sizeof *reply);
    isolation_begin(&w->plugin.isolation);
    switch (request->verb) {
    case WORKER_COUNT:
        reply->fine =
            execute_count(w->executor, t, r->first, r->end, &reply->count, &reply->e) && collect_refused(w, reply);
        break;
    case WORKER_RUN:
        if (request->refused)
            execute_hold(w->executor, request->refused);
        reply->fine = execute_run(w->executor, t, r, &reply->chunk, &reply->e);
        break;
    case WORKER_REPORT_DEATH:
        reply->fine = execute_record(w->executor, t, r, request->death, &reply->chunk, &reply->e);
        break;
    case WORKER_REPLAY:
        reply->fine = execute_replay(w->executor, w->setup->plan, request->replay, &reply->replay, &reply->e);
        break;
    }
    reply->failed = *execute_failed_query(w->executor);
    isolation_end(&w->plugin.isolation);
    if (request->verb == WORKER_RUN)
        isolation_report(&w->plugin.isolation, &reply->chunk);
}

/* ---- messages ---- */

static void encode_error(wire *w, const error *e)
{
    wire_encode_u64(w, (uint64_t)e->status);
    wire_encode_text(w, e->text);
}

static void encode_failure(wire *w, const class_failure *f)
{
    wire_encode_u64(w, f->key);
    wire_encode_u64(w, f->used);
    wire_encode_u64(w, (uint64_t)f->how);
    wire_encode_text(w, f->text);
}

static void decode_failure(wire *w, class_failure *f)
{
    f->key = wire_decode_u64(w);
    f->used = wire_decode_count(w, 1) != 0;
    f->how = (verdict)wire_decode_count(w, VERDICT_COUNT - 1);
    wire_decode_string(w, f->text, sizeof f->text);
}

static void decode_error(wire *w, error *e)
{
    const uint64_t status = wire_decode_u64(w);
    w->broken |= status != EXIT_BAD_USAGE && status != EXIT_HARNESS;
    e->status = (exit_status)status;
    wire_decode_string(w, e->text, sizeof e->text);
    w->broken |= e->text[0] == '\0';
}

bool worker_decode_hello(wire *w, ts_info *info, bool *fine, error *e)
{
    *fine = wire_decode_count(w, 1) != 0;
    const void *bytes = *fine ? wire_decode(w, sizeof *info) : NULL;
    if (bytes)
        memcpy(info, bytes, sizeof *info);
    if (!*fine)
        decode_error(w, e);
    return !w->broken;
}

bool worker_send_request(platform_line *line, const worker_request *request, wire *w)
{
    const execute_range *r = &request->range;
    const uint64_t head[] = { (uint64_t)request->verb,
                              request->item,
                              r->first,
                              r->end,
                              r->max_cases,
                              r->together,
                              r->findings,
                              r->waived_findings,
                              r->alone,
                              r->once,
                              r->ask_first,
                              (uint64_t)request->death,
                              request->nonce };
    wire_clear(w);
    wire_encode(w, head, sizeof head);
    wire_encode_text(w, r->suspicion);
    wire_encode_text(w, request->refused);
    if (request->verb == WORKER_REPLAY)
        replay_encode(request->replay, w);
    return wire_send(w, line);
}

/* Decode a request. *t and *list hold the replay of a REPLAY request; the caller frees *list. */
static bool decode_request(wire *w, worker_request *request, replay *t, replay_case **list)
{
    execute_range *r = &request->range;
    request->verb = (worker_verb)wire_decode_count(w, WORKER_REPLAY);
    request->item = wire_decode_u64(w);
    r->first = wire_decode_u64(w);
    r->end = wire_decode_u64(w);
    r->max_cases = wire_decode_u64(w);
    r->together = wire_decode_u64(w);
    r->findings = wire_decode_u64(w);
    r->waived_findings = wire_decode_u64(w);
    r->alone = wire_decode_count(w, 1) != 0;
    r->once = wire_decode_count(w, 1) != 0;
    r->ask_first = wire_decode_count(w, 1) != 0;
    request->death = (verdict)wire_decode_count(w, VERDICT_COUNT - 1);
    request->nonce = wire_decode_u64(w);
    r->suspicion = wire_decode_text(w);
    request->refused = wire_decode_text(w);
    *list = NULL;
    request->replay = t;
    return !w->broken && (request->verb != WORKER_REPLAY || replay_decode(t, list, w));
}

bool worker_decode_reply(wire *w, const worker_request *request, worker_reply *reply)
{
    memset(reply, 0, sizeof *reply);
    if (wire_decode_u64(w) != request->nonce)
        return false;
    reply->fine = wire_decode_count(w, 1) != 0;
    decode_failure(w, &reply->failed);
    if (!reply->fine)
        decode_error(w, &reply->e);
    else if (request->verb == WORKER_COUNT) {
        reply->count = wire_decode_count(w, request->range.end - request->range.first);
        reply->refused = wire_decode_text(w);
    } else if (request->verb == WORKER_REPLAY)
        return replay_result_decode(&reply->replay, request->replay, w);
    else
        return chunk_decode(&reply->chunk, w, request->range.first, request->range.end);
    return !w->broken;
}

/* ---- the process ---- */

static void encode_hello(const worker *w, bool fine, const error *e, wire *message)
{
    wire_clear(message);
    wire_encode_u64(message, fine);
    if (fine)
        wire_encode(message, &w->plugin.info, sizeof w->plugin.info);
    else
        encode_error(message, e);
}

void worker_send_failure(platform_line *line, const error *e)
{
    wire message = { 0 };
    encode_hello(NULL, false, e, &message);
    wire_send(&message, line);
    wire_free(&message);
}

/* Serve one request. False if the worker must end after it. */
static bool serve(worker *w, platform_line *line, wire *message, wire *answer)
{
    worker_request request;
    worker_reply reply;
    replay t;
    replay_case *list;
    if (!wire_receive(message, line) || !decode_request(message, &request, &t, &list))
        return false;
    worker_handle(w, &request, &reply);
    if (reply.fine && request.verb == WORKER_RUN && !reply.chunk.tainted)
        reply.fine = platform_process_check(&reply.e);
    wire_clear(answer);
    wire_encode_u64(answer, request.nonce);
    wire_encode_u64(answer, reply.fine);
    encode_failure(answer, &reply.failed);
    if (!reply.fine)
        encode_error(answer, &reply.e);
    else if (request.verb == WORKER_COUNT) {
        wire_encode_u64(answer, reply.count);
        wire_encode_text(answer, reply.refused);
    } else if (request.verb == WORKER_REPLAY)
        replay_result_encode(&reply.replay, &t, answer);
    else
        chunk_encode(&reply.chunk, answer);
    watchdog_set_sending(w->watchdog, true);
    const bool sent = wire_send(answer, line);
    if (sent)
        watchdog_set_sending(w->watchdog, false);
    const bool more = sent && !worker_reply_is_last(&reply);
    chunk_clear(&reply.chunk);
    replay_result_free(&reply.replay);
    free(list);
    return more;
}

void worker_main(void *context, platform_line *line)
{
    const worker_context *c = context;
    worker w;
    execute_watchdog watchdog;
    wire message = { 0 }, reply = { 0 };
    error e = { .text = "" };
    watchdog_begin(&watchdog, c->page, c->orders);
    platform_process_allow_interrupt(&watchdog.step, &c->orders->interrupt);
    bool fine = worker_open(&w, c->setup, true, &watchdog, c->blocklist, &e);
    platform_install_fault_handlers(); /* the backend may have replaced them */
    platform_process_note_limits();
    encode_hello(&w, fine, &e, &reply);
    bool sent = wire_send(&reply, line);
    while (fine && sent && serve(&w, line, &message, &reply))
        continue;
    /* The backend is not closed: after a fault that could do anything, and the process ends now anyway. */
    wire_free(&message);
    wire_free(&reply);
}
