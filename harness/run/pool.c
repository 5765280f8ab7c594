/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/pool_internal.h"

#include "harness/base/platform.h"
#include "harness/model/fill.h"
#include "harness/run/worker_spawn.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHUNK_CASES   UINT64_C(262144)
#define CHUNK_SECONDS 0.5   /* after which a worker is asked to report the results that it has */
#define STEAL_SECONDS 0.02  /* a request younger than this is not shared with idle workers */
#define GRACE_SECONDS 120.0 /* startup grace: a backend may take this long to open, whatever its time limit */
#define END_SECONDS   2.0   /* within which a worker must end when it is asked to */
#define OWN_SECONDS   600.0 /* that a worker may take between two calls of the backend, for example in the reference */
#define TICK_SECONDS  0.05
#define LEAST_PART    0.25 /* part of the time limit that a call must have had of a processor, unless it sleeps */

/* ---- starting and ending workers ---- */

static bool start_worker(pool *p, slot *s, error *e)
{
    watchdog_reset(s->page);
    memset(s->orders, 0, sizeof *s->orders);
    atomic_store(&s->orders->closed, p->lost);
    s->orders->info = p->info;
    s->context = (worker_context){ p->options.setup, s->page, s->orders, p->blocklist };
    if (!pool_store_printed(p, s, e))
        return false;
    memset(&s->printed, 0, sizeof s->printed);
    s->printed_at = 0;
    s->process_number = ++p->process_count;
    platform_spawn_data spawn_data = worker_spawn_data(&p->setup, &s->context);
    spawn_data.output = (platform_output){ printed_take, &s->printed, &s->orders->printed };
    s->process = platform_process_start(worker_main, &s->context, &spawn_data, e);
    s->state = s->process ? SLOT_STARTING : SLOT_EMPTY;
    s->since = s->step_since = platform_seconds();
    s->step = 0;
    s->step_used = -1;
    s->interrupted_at = 0;
    s->killed = KILL_NONE;
    s->used = s->told = false;
    return s->process != NULL;
}

/* What a backend says of itself is the same in each process. */
static bool same_info(const ts_info *first, const ts_info *now, error *e)
{
    const struct {
        const char *what, *first, *now;
    } texts[] = { { "name", first->name, now->name },
                  { "vendor", first->vendor, now->vendor },
                  { "version", first->version, now->version },
                  { "driver", first->driver, now->driver },
                  { "device", first->device, now->device } };
    const struct {
        const char *what;
        unsigned long long first, now;
    } numbers[] = { { "highest_level", first->highest_level, now->highest_level },
                    { "buffer_alignment", first->buffer_alignment, now->buffer_alignment },
                    { "preferred_batch", first->preferred_batch, now->preferred_batch },
                    { "sparse", first->sparse, now->sparse },
                    { "packs", first->packs, now->packs },
                    { "in_place", first->in_place, now->in_place } };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
        if (strcmp(texts[i].first, texts[i].now) != 0)
            return error_set(e, "its %s was '%s' first and is '%s' in another process", texts[i].what, texts[i].first,
                             texts[i].now);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
        if (numbers[i].first != numbers[i].now)
            return error_set(e, "its %s was %llu first and is %llu in another process", numbers[i].what,
                             numbers[i].first, numbers[i].now);
    return true;
}

static bool receive_hello(pool *p, slot *s, error *e)
{
    ts_info info;
    bool fine = false;
    if (!worker_decode_hello(&p->wire, &info, &fine, e))
        return error_set(e, "backend %s: its worker process sent a message that is not valid",
                         p->options.setup->backend);
    if (!p->opened && !fine)
        return false;
    error other;
    if (p->opened && fine && !same_info(&p->info, &info, &other))
        return pool_start_failed(p, s, &other, e);
    if (!fine) {
        other = *e;
        return pool_start_failed(p, s, &other, e);
    }
    if (!p->opened)
        p->info = info;
    p->opened = true;
    s->state = SLOT_IDLE;
    return true;
}

/* ---- the watchdog ---- */

static double time_limit_of(const pool *p, const slot *s)
{
    double limit = p->options.setup->limits.seconds;
    return s->state == SLOT_STARTING ? (limit > GRACE_SECONDS ? limit : GRACE_SECONDS) : limit;
}

/* Seconds within which a worker must answer after its call was interrupted. */
static double interrupt_seconds(const pool *p)
{
    double limit = p->options.setup->limits.seconds;
    return limit < 0.2 ? 0.2 : limit > END_SECONDS ? END_SECONDS : limit;
}

/* Has the call used up its time limit? On a busy machine a call may wait for a processor. So a call that is ready to
   run must have run for a part of the limit. For a call that sleeps or waits for a device only the clock counts. */
static bool is_over_limit(const pool *p, slot *s, double passed)
{
    const double limit = time_limit_of(p, s), part = limit * LEAST_PART;
    double used = 0;
    bool runs = false;
    if (passed < part || (s->step_used >= 0 && passed < limit))
        return false;
    bool known = platform_process_used(s->process, &used, &runs);
    if (s->step_used < 0)
        s->step_used = used;
    return passed >= limit && (!known || !runs || used - s->step_used >= part);
}

/* Does a worker wait between two calls, without using a processor, for as long as a call may take? It has no reason to:
   a call that faulted in the allocator has left a lock behind, which nobody will release. */
static bool is_stuck(const pool *p, slot *s, const execute_progress *at, double now)
{
    double used = 0;
    bool runs = false;
    if (at->sending || now - s->step_since < time_limit_of(p, s) || !platform_process_used(s->process, &used, &runs))
        return false;
    if (runs || used != s->step_used) {
        s->step_used = used;
        s->idle_since = now;
    }
    return now - s->idle_since >= time_limit_of(p, s);
}

/* Interrupt a call of the backend that is over its time limit, and kill the worker if that does not help. The time
   between two calls is bounded too, because a backend may have corrupted the memory of the worker. */
static void check_time(pool *p, slot *s, double now)
{
    execute_progress at;
    const bool known = watchdog_read(s->page, &at); /* else the backend has overwritten it, in a call */
    bool inside = !known || (at.step & 1) != 0 || s->state == SLOT_STARTING;
    bool waiting = s->state == SLOT_IDLE || s->job.verb == WORKER_COUNT;
    if ((known && at.step != s->step) || (waiting && (known ? !inside : s->state == SLOT_IDLE))) {
        s->step = known ? at.step : s->step;
        s->step_since = now;
        s->step_used = -1;
        s->interrupted_at = 0;
        return;
    }
    if (!inside) {
        if (now - s->step_since > OWN_SECONDS || is_stuck(p, s, &at, now))
            s->killed = KILL_STALLED;
        return;
    }
    if (s->interrupted_at == 0 && !is_over_limit(p, s, now - s->step_since))
        return;
    if (s->interrupted_at == 0 && s->state == SLOT_BUSY) {
        atomic_store(&s->orders->interrupt, known ? at.step : PLATFORM_ANY_STEP);
        platform_process_interrupt(s->process);
        s->interrupted_at = now;
    } else if (s->state == SLOT_STARTING || now - s->interrupted_at > interrupt_seconds(p)) {
        s->killed = KILL_STALLED;
    }
}

static void check_memory(pool *p, slot *s, double now)
{
    if (now - s->memory_checked < TICK_SECONDS) /* reading the memory size takes longer than running a case */
        return;
    s->memory_checked = now;
    const uint64_t limit = p->options.setup->limits.memory;
    if (limit < CASE_MEMORY_UNLIMITED && platform_process_memory(s->process) > limit)
        s->killed = KILL_MEMORY;
}

/* Find the worker with the most cases left that another worker could take over; NULL if there is none. */
static slot *find_shareable(pool *p)
{
    double now = platform_seconds();
    slot *found = NULL;
    uint64_t most = 1;
    for (size_t i = 0; i < p->slot_count; ++i) {
        slot *s = &p->slots[i];
        if (s->state != SLOT_BUSY || s->job.verb != WORKER_RUN || s->job.alone || now - s->since < STEAL_SECONDS)
            continue;
        execute_progress at;
        uint64_t left = watchdog_read(s->page, &at) && at.last < s->job.end ? s->job.end - at.last : 0;
        if (left > most) {
            most = left;
            found = s;
        }
    }
    return found;
}

static size_t count_state(const pool *p, slot_state state)
{
    size_t n = 0;
    for (size_t i = 0; i < p->slot_count; ++i)
        n += p->slots[i].state == state;
    return n;
}

/* ---- assigning work ---- */

/* Make the request for the next piece of a job. */
static void make_request(pool *p, job *j, worker_request *r)
{
    *r = (worker_request){ .verb = j->verb,
                           .item = j->item,
                           .death = j->death,
                           .replay = j->replay,
                           .nonce = p->nonce = fill_mix(p->nonce + 1),
                           .range = { .first = j->first,
                                      .end = j->end,
                                      .max_cases = j->piece ? j->piece : CHUNK_CASES,
                                      .together = j->backoff ? 1 : 0,
                                      .alone = j->alone,
                                      .once = j->once,
                                      .ask_first = j->ask_first } };
    if (j->verb == WORKER_RUN || j->verb == WORKER_REPORT_DEATH) {
        r->range.findings = p->sink->findings(p->sink->context, j->item, j->first, false);
        r->range.waived_findings = p->sink->findings(p->sink->context, j->item, j->first, true);
    }
    if (j->verb == WORKER_REPORT_DEATH)
        r->range.suspicion = j->suspicion;
    if (!j->alone || j->verb != WORKER_RUN)
        return;
    /* The last suspected case gets a separate request. If no other case failed again, this case is responsible. */
    if (j->first + 1 < j->end)
        r->range.end = j->end - 1;
    else if (!j->inconclusive && !j->reproduced)
        r->range.suspicion = j->suspicion;
}

/* Queued jobs come before the ranges of sink->next_range. Ranges of tests that were given up are dropped. */
static bool next_job(pool *p, job *j)
{
    if (job_pop(&p->queue, j))
        return true;
    while (p->feeding) {
        *j = (job){ .verb = WORKER_RUN };
        p->feeding = p->sink->next_range(p->sink->context, &j->item, &j->first, &j->end);
        if (p->feeding && !p->given_up[j->item])
            return true;
    }
    return false;
}

static bool assign_job(pool *p, slot *s, bool others_idle, error *e)
{
    if (!next_job(p, &s->job))
        return true;
    job *j = &s->job;
    const bool replays = j->verb == WORKER_REPLAY;
    const bool suspected = j->failed && j->piece == 1;
    const bool alone = replays && replay_executes(j->replay) && !j->replay->reuses;
    if (s->used && (suspected || alone)) { /* it needs a new process */
        pool_end_worker(s, 0, NULL, 0);
        return job_prepend(&p->queue, j) || error_set(e, "out of memory");
    }
    if (replays && p->sink->begin_replay && !p->sink->begin_replay(p->sink->context, j->replay, e))
        return false;
    s->used |= j->verb != WORKER_COUNT && (!replays || replay_executes(j->replay));
    if (others_idle && !p->feeding && p->queue.count == 0 && j->verb == WORKER_RUN && !j->alone &&
        j->end - j->first > 1) {
        job upper = *j;
        upper.first = j->end = j->first + (j->end - j->first) / 2;
        if (!job_append(&p->queue, &upper))
            return error_set(e, "out of memory");
    }
    make_request(p, j, &s->request);
    if (j->verb == WORKER_RUN && !s->told) {
        s->request.refused = p->promised;
        s->told = true;
    }
    atomic_store(&s->orders->stop, 0);
    if (j->verb != WORKER_COUNT) { /* there is no run file yet while cases are counted */
        if (!pool_store_printed(p, s, e))
            return false;
        printed_switch(&s->printed, (int64_t)j->item + 1);
    }
    s->printed_at = s->printed.position;
    s->state = SLOT_BUSY;
    s->since = platform_seconds();
    /* If this fails, reading from the worker fails too. */
    worker_send_request(platform_process_line(s->process), &s->request, &p->wire);
    return true;
}

/* Assign work to every idle worker, and start as many workers as there is work for. */
static bool assign_jobs(pool *p, error *e)
{
    bool fine = true;
    for (size_t i = 0; fine && i < p->slot_count; ++i)
        if (p->slots[i].state == SLOT_IDLE)
            fine = assign_job(p, &p->slots[i], count_state(p, SLOT_IDLE) > 1, e);
    size_t starting = count_state(p, SLOT_STARTING);
    size_t work = p->feeding ? p->slot_count : p->queue.count + (find_shareable(p) ? 1 : 0);
    size_t running = p->slot_count - count_state(p, SLOT_EMPTY);
    for (size_t i = 0; fine && starting < work && i < p->slot_count; ++i)
        if (p->slots[i].state == SLOT_EMPTY && running < p->most_workers) {
            ++running;
            fine = start_worker(p, &p->slots[i], e);
            ++starting;
        }
    return fine;
}

/* ---- the loop ---- */

/* A call ended the process, or made it useless. If the reply has a finding about that, it gets the last lines that the
   backend printed. */
static void attach_last_lines(pool *p, const slot *s, worker_reply *reply)
{
    chunk *c = reply->replay.tainted ? &reply->replay.chunk : &reply->chunk;
    store_finding *f = c->finding_count ? &c->findings[c->finding_count - 1] : NULL;
    if (!reply->fine) {
        free(p->lost_lines);
        p->lost_lines = pool_last_lines(s);
    } else if (f && !f->printed && ((c->tainted && f->index + 1 == c->last) || reply->replay.tainted)) {
        f->printed = pool_last_lines(s);
    }
}

static void count_time(const pool *p, const job *j, double seconds)
{
    if (p->sink && p->sink->spent && j->verb == WORKER_RUN)
        p->sink->spent(p->sink->context, j->item, seconds);
}

static bool receive_reply(pool *p, slot *s, error *e)
{
    worker_reply reply;
    if (!wire_receive(&p->wire, platform_process_line(s->process))) {
        s->killed = p->wire.broken ? KILL_CONNECTION : KILL_NONE;
        return pool_reap(p, s, e);
    }
    if (s->state == SLOT_STARTING)
        return receive_hello(p, s, e);
    job j = s->job;
    const worker_request asked = s->request;
    bool valid = s->state == SLOT_BUSY && worker_decode_reply(&p->wire, &asked, &reply);
    if (!valid) {
        if (s->state == SLOT_BUSY) {
            chunk_clear(&reply.chunk);
            replay_result_free(&reply.replay);
        }
        s->killed = KILL_CONNECTION;
        return pool_reap(p, s, e);
    }
    p->failed_starts = 0;
    s->state = SLOT_IDLE;
    count_time(p, &j, platform_seconds() - s->since);
    if (worker_reply_is_last(&reply))
        pool_end_worker(s, 0, NULL, 0);
    if (reply.failed.key)
        pool_blame_query(p, &reply.failed);
    attach_last_lines(p, s, &reply);
    return pool_record_reply(p, &j, &asked, &reply, s->page, e) && pool_store_printed(p, s, e);
}

static size_t running_item(const pool *p)
{
    for (size_t i = 0; i < p->slot_count; ++i)
        if (p->slots[i].state == SLOT_BUSY)
            return p->slots[i].job.item;
    return 0;
}

static double poll_seconds(const pool *p)
{
    double part = p->options.setup->limits.seconds / 4;
    return part < TICK_SECONDS ? part : TICK_SECONDS;
}

/* Wait for messages, receive them, and check the time and memory of every worker. */
static bool poll_once(pool *p, error *e)
{
    for (size_t i = 0; i < p->slot_count; ++i)
        p->processes[i] = p->slots[i].process;
    platform_process_wait(p->processes, p->slot_count, poll_seconds(p), p->ready);
    bool fine = true;
    for (size_t i = 0; fine && i < p->slot_count; ++i)
        if (p->ready[i])
            fine = receive_reply(p, &p->slots[i], e);
    double now = platform_seconds();
    for (size_t i = 0; fine && i < p->slot_count; ++i) {
        slot *s = &p->slots[i];
        if (!s->process)
            continue;
        check_time(p, s, now);
        check_memory(p, s, now);
        if (s->state == SLOT_BUSY && now - s->since > CHUNK_SECONDS)
            atomic_store(&s->orders->stop, 1);
        if (s->killed)
            fine = pool_reap(p, s, e);
    }
    bool someone_idle = fine && p->queue.count == 0 && !p->feeding && count_state(p, SLOT_IDLE) > 0;
    slot *shared = someone_idle ? find_shareable(p) : NULL;
    if (shared)
        atomic_store(&shared->orders->stop, 1);
    return fine;
}

/* Run the queue with worker processes. */
static bool run_queue(pool *p, error *e)
{
    double ending_since = 0;
    p->ending = false;
    for (;;) {
        if (p->sink && p->sink->tick(p->sink->context, running_item(p)))
            p->ending = true;
        if (p->ending) {
            p->queue.count = 0;
            p->feeding = false;
        } else if (!assign_jobs(p, e)) {
            return false;
        }
        if (p->queue.count == 0 && !p->feeding && count_state(p, SLOT_BUSY) == 0)
            return true;
        for (size_t i = 0; p->ending && i < p->slot_count; ++i)
            atomic_store(&p->slots[i].orders->stop, 1);
        ending_since = p->ending && ending_since == 0 ? platform_seconds() : ending_since;
        if (ending_since > 0 && platform_seconds() - ending_since > END_SECONDS)
            return true; /* the results of the current requests are not needed any more */
        if (!poll_once(p, e))
            return false;
    }
}

/* Run the queue in this process. */
static bool run_queue_inline(pool *p, error *e)
{
    job j;
    p->ending = false;
    while (next_job(p, &j)) {
        worker_request request;
        worker_reply reply;
        if (p->sink && p->sink->tick(p->sink->context, j.item)) {
            p->queue.count = 0;
            p->ending = true;
            return true;
        }
        make_request(p, &j, &request);
        if (request.range.max_cases > CHUNK_CASES / 8)
            request.range.max_cases = CHUNK_CASES / 8; /* no other process can ask it to stop */
        const int output = platform_divert_output();   /* what the backend prints is to stay apart from the summary */
        const double began = platform_seconds();
        worker_handle(&p->inline_worker, &request, &reply);
        count_time(p, &j, platform_seconds() - began);
        platform_restore_output(output);
        if (!pool_record_reply(p, &j, &request, &reply, NULL, e))
            return false;
    }
    return true;
}

/* Nobody waits for what the workers are doing: it may be about memory that the caller frees. */
static void end_workers(pool *p)
{
    for (size_t i = 0; i < p->slot_count; ++i)
        if (p->slots[i].process)
            pool_end_worker(&p->slots[i], 0, NULL, 0);
}

static bool work(pool *p, const pool_sink *sink, error *e)
{
    p->sink = sink;
    if (p->lost) /* nothing can be executed */
        p->queue.count = 0;
    bool fine = p->options.workers ? run_queue(p, e) : run_queue_inline(p, e);
    for (size_t i = 0; fine && i < p->slot_count; ++i)
        fine = pool_store_printed(p, &p->slots[i], e);
    if (!fine)
        end_workers(p);
    p->queue.count = 0;
    p->feeding = false;
    return fine;
}

/* ---- the interface ---- */

static bool open_first(pool *p, error *e)
{
    if (p->options.workers == 0) {
        if (!worker_open(&p->inline_worker, p->options.setup, false, NULL, NULL, e))
            return false;
        p->info = p->inline_worker.plugin.info;
        return true;
    }
    worker_encode_setup(&p->setup, p->options.setup);
    if (p->setup.broken)
        return error_set(e, "out of memory");
    if (!start_worker(p, &p->slots[0], e))
        return false;
    while (!p->opened)
        if (!poll_once(p, e))
            return false;
    return true;
}

/* The backend could not be opened: what it printed may say why, unless the reason ends in the same words already. */
static void show_printed(const printed *p, const error *reason)
{
    char *lines = printed_last_lines(p, 0);
    const char *end = lines ? strrchr(lines, '\n') : NULL, *last = end ? end + 1 : lines;
    if (last && !(*last && strstr(reason->text, last)))
        pool_show_lines(lines);
    free(lines);
}

pool *pool_open(const pool_options *options, ts_info *info, error *e)
{
    const size_t items = options->setup->plan->item_count + 1;
    pool *p = calloc(1, sizeof *p);
    if (!p) {
        error_set(e, "out of memory");
        return NULL;
    }
    p->options = *options;
    /* What a backend writes by accident is not to be a valid reply: no secret is needed for that. */
    p->nonce = fill_mix((uint64_t)time(NULL) ^ (uint64_t)(platform_seconds() * 1e9) ^ (uint64_t)(uintptr_t)p);
    p->slot_count = p->most_workers = options->workers;
    p->slots = calloc(p->slot_count + 1, sizeof *p->slots);
    p->processes = calloc(p->slot_count + 1, sizeof(platform_process *));
    p->ready = calloc(p->slot_count + 1, sizeof *p->ready);
    p->losses = calloc(items, sizeof *p->losses);
    p->given_up = calloc(items, sizeof *p->given_up);
    p->blocklist = platform_shared_new(sizeof *p->blocklist);
    bool fine = p->slots && p->processes && p->ready && p->losses && p->given_up && p->blocklist;
    for (size_t i = 0; fine && i < p->slot_count; ++i)
        fine = (p->slots[i].page = platform_shared_new(sizeof(execute_page))) != NULL &&
               (p->slots[i].orders = platform_shared_new(sizeof(execute_orders))) != NULL;
    if (!fine)
        error_set(e, "out of memory");
    platform_prepare_faults();
    if (!fine || !open_first(p, e)) {
        if (fine && p->slot_count)
            show_printed(&p->slots[0].printed, e);
        pool_close(p);
        return NULL;
    }
    *info = p->info;
    return p;
}

void pool_close(pool *p)
{
    if (!p)
        return;
    worker_close(&p->inline_worker);
    for (size_t i = 0; p->slots && i < p->slot_count; ++i) {
        slot *s = &p->slots[i];
        if (s->process)
            pool_end_worker(s, s->state == SLOT_IDLE ? END_SECONDS : 0, NULL, 0);
        platform_shared_free(s->page, sizeof *s->page);
        platform_shared_free(s->orders, sizeof *s->orders);
    }
    platform_shared_free(p->blocklist, sizeof *p->blocklist);
    free(p->slots);
    free(p->processes);
    free(p->ready);
    free(p->losses);
    free(p->given_up);
    support_free(&p->refused);
    job_queue_free(&p->queue);
    wire_free(&p->wire);
    wire_free(&p->setup);
    for (size_t i = 0; i < p->word_count; ++i)
        free(p->words[i].lines);
    free(p->words);
    free(p->lost_lines);
    free(p);
}

bool pool_add(pool *p, size_t item, uint64_t first, uint64_t end, bool once, error *e)
{
    const job j = { .verb = WORKER_RUN, .item = item, .first = first, .end = end, .once = once };
    return job_append(&p->queue, &j) || error_set(e, "out of memory");
}

bool pool_add_replay(pool *p, replay *t, error *e)
{
    const job j = { .verb = WORKER_REPLAY, .item = t->item, .first = 0, .end = 1, .replay = t };
    return job_append(&p->queue, &j) || error_set(e, "out of memory");
}

bool pool_count(pool *p, const uint64_t *first, const uint64_t *end, uint64_t *planned, const pool_sink *sink, error *e)
{
    const size_t items = p->options.setup->plan->item_count;
    memset(planned, 0, items * sizeof *planned);
    p->planned = planned;
    for (size_t i = 0; i < items; ++i) {
        const job j = { .verb = WORKER_COUNT, .item = i, .first = first[i], .end = end[i] };
        if (!job_append(&p->queue, &j))
            return error_set(e, "out of memory");
    }
    bool fine = work(p, sink, e);
    support_sort(&p->refused);
    return fine && (!p->refused.failed || error_set(e, "out of memory"));
}

void pool_hold(pool *p, const char *refused)
{
    p->promised = refused;
}

const support *pool_refused(const pool *p)
{
    return &p->refused;
}

bool pool_ended_early(const pool *p)
{
    return p->ending || p->lost;
}

bool pool_gave_up(const pool *p, size_t item)
{
    return p->given_up[item];
}

bool pool_run(pool *p, const pool_sink *sink, error *e)
{
    p->feeding = sink->next_range != NULL;
    return work(p, sink, e);
}
