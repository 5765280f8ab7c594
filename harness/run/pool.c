/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/pool_internal.h"

#include "harness/base/platform.h"
#include "harness/run/worker_spawn.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_CASES   UINT64_C(262144)
#define CHUNK_SECONDS 0.5   /* then a worker is asked for what it has */
#define STEAL_SECONDS 0.02  /* a younger chunk ends by itself soon enough */
#define OPEN_SECONDS  120.0 /* that a backend may take to be opened or closed, at least */
#define END_SECONDS   2.0   /* that a worker gets to end where it is asked to */
#define OWN_SECONDS   600.0 /* that a worker may take between two calls of the backend, for the reference, say */
#define TICK_SECONDS  0.05
#define LEAST_PART    0.25 /* of its time limit for which a call that does not sleep must have had a processor */

/* ---- starting and ending workers ---- */

static bool start_worker(pool *p, slot *s, error *e)
{
    memset(s->watch, 0, sizeof *s->watch);
    s->context = (worker_context){ p->options.setup, s->watch, p->bans };
    const platform_spawn_data anew = worker_anew(&p->begin, &s->context);
    s->process = platform_process_start(worker_live, &s->context, &anew, e);
    s->state = s->process ? SLOT_GREETING : SLOT_EMPTY;
    s->since = s->step_since = platform_seconds();
    s->step = 0;
    s->step_used = -1;
    s->cut_at = 0;
    s->killed = KILL_NONE;
    s->used = false;
    return s->process != NULL;
}

static bool greet(pool *p, slot *s, error *e)
{
    ts_info info;
    bool fine = false;
    if (!worker_decode_greeting(&p->wire, &info, &fine, e))
        return error_set(e, "backend %s: its worker process does not make sense", p->options.setup->backend);
    if (!fine)
        return false;
    if (!p->greeted)
        p->info = info;
    p->greeted = true;
    s->state = SLOT_IDLE;
    return true;
}

/* ---- watching ---- */

static double limit_of(const pool *p, const slot *s)
{
    double limit = p->options.setup->time_limit;
    return s->state == SLOT_GREETING || atomic_load(&s->watch->patient) ? (limit > OPEN_SECONDS ? limit : OPEN_SECONDS)
                                                                        : limit;
}

/* That a worker gets to answer once its call was cut short. */
static double cut_seconds(const pool *p)
{
    double limit = p->options.setup->time_limit;
    return limit < 0.2 ? 0.2 : limit > END_SECONDS ? END_SECONDS : limit;
}

/* A call that waits for a processor, since the machine is busy, has not had its time yet: where it would run, it must
   have run for a part of it. One that sleeps or waits for a device is held to the clock alone. */
static bool had_its_time(const pool *p, slot *s, double passed)
{
    const double limit = limit_of(p, s), part = limit * LEAST_PART;
    double used = 0;
    bool runs = false;
    if (passed < part || (s->step_used >= 0 && passed < limit))
        return false;
    bool known = platform_process_used(s->process, &used, &runs);
    if (s->step_used < 0)
        s->step_used = used;
    return passed >= limit && (!known || !runs || used - s->step_used >= part);
}

/* Time inside the backend counts while it does not come back. What our own code takes is bounded too, since a backend
   may have scribbled over what it works with. */
static void watch_time(pool *p, slot *s, double now)
{
    uint64_t step = atomic_load(&s->watch->step);
    bool inside = (step & 1) != 0 || s->state == SLOT_GREETING;
    bool waiting = s->state == SLOT_IDLE || s->job.verb == WORKER_COUNT;
    if (step != s->step || (!inside && waiting)) {
        s->step = step;
        s->step_since = now;
        s->step_used = -1;
        s->cut_at = 0;
        return;
    }
    if (!inside) {
        if (now - s->step_since > OWN_SECONDS)
            s->killed = KILL_STALLED;
        return;
    }
    if (s->cut_at == 0 && !had_its_time(p, s, now - s->step_since))
        return;
    if (s->cut_at == 0 && s->state == SLOT_BUSY) {
        atomic_store(&s->watch->cut, step);
        platform_process_interrupt(s->process);
        s->cut_at = now;
    } else if (s->state == SLOT_GREETING || now - s->cut_at > cut_seconds(p)) {
        s->killed = KILL_STALLED;
    }
}

static void watch_memory(pool *p, slot *s, double now)
{
    if (now - s->weighed < TICK_SECONDS) /* to ask the system takes longer than to run a case */
        return;
    s->weighed = now;
    uint64_t held = p->options.memory_limit ? platform_process_memory(s->process) : 0;
    if (held > p->options.memory_limit)
        s->killed = KILL_MEMORY;
}

/* The worker that has most left of what can be shared, or NULL. */
static slot *find_shareable(pool *p)
{
    double now = platform_seconds();
    slot *found = NULL;
    uint64_t most = 1;
    for (size_t i = 0; i < p->slot_count; ++i) {
        slot *s = &p->slots[i];
        if (s->state != SLOT_BUSY || s->job.verb != WORKER_RUN || s->job.alone || now - s->since < STEAL_SECONDS)
            continue;
        uint64_t at = atomic_load(&s->watch->last), left = at < s->job.end ? s->job.end - at : 0;
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

/* ---- handing out ---- */

/* The next piece of a job, as a request. */
static void make_request(pool *p, job *j, worker_request *r)
{
    *r = (worker_request){ .verb = j->verb,
                           .item = j->item,
                           .told = j->told,
                           .replay = j->replay,
                           .range = { .first = j->first,
                                      .end = j->end,
                                      .max_cases = CHUNK_CASES,
                                      .together = j->wary ? 1 : 0,
                                      .alone = j->alone,
                                      .once = j->once } };
    if (j->verb == WORKER_RUN || j->verb == WORKER_TELL) {
        r->range.findings = p->sink->findings(p->sink->context, j->item, j->first, false);
        r->range.waived_findings = p->sink->findings(p->sink->context, j->item, j->first, true);
    }
    if (j->verb == WORKER_TELL)
        r->range.blame = j->blame;
    if (!j->alone || j->verb != WORKER_RUN)
        return;
    /* The last suspect is asked for apart: whether to blame it depends on what came of the others. */
    if (j->first + 1 < j->end)
        r->range.end = j->end - 1;
    else if (!j->harmless && !j->found)
        r->range.blame = j->blame;
}

/* What was added, or put back, comes first. What is fed of an item that was given up stays undone. */
static bool take_job(pool *p, job *j)
{
    if (job_decode(&p->queue, j))
        return true;
    while (p->feeding) {
        *j = (job){ .verb = WORKER_RUN };
        p->feeding = p->sink->more(p->sink->context, &j->item, &j->first, &j->end);
        if (p->feeding && !p->given_up[j->item])
            return true;
    }
    return false;
}

static bool hand_out(pool *p, slot *s, bool others_idle, error *e)
{
    if (!take_job(p, &s->job))
        return true;
    job *j = &s->job;
    const bool trying = j->verb == WORKER_TRY;
    if (trying && s->used && replay_executes(j->replay)) { /* it is to have a process of its own */
        pool_end_worker(s, 0, NULL, 0);
        return job_prepend(&p->queue, j) || error_set(e, "out of memory");
    }
    if (trying && p->sink->begin_replay && !p->sink->begin_replay(p->sink->context, j->replay, e))
        return false;
    s->used |= j->verb != WORKER_COUNT && (!trying || replay_executes(j->replay));
    if (others_idle && !p->feeding && p->queue.count == 0 && j->verb == WORKER_RUN && !j->alone &&
        j->end - j->first > 1) {
        job upper = *j;
        upper.first = j->end = j->first + (j->end - j->first) / 2;
        if (!job_append(&p->queue, &upper))
            return error_set(e, "out of memory");
    }
    make_request(p, j, &s->request);
    atomic_store(&s->watch->stop, 0);
    s->state = SLOT_BUSY;
    s->since = platform_seconds();
    worker_ask(platform_process_line(s->process), &s->request, &p->wire); /* one that is gone is noticed by reading */
    return true;
}

/* Give every idle worker something, and have as many workers as there is work for. */
static bool hand_out_all(pool *p, error *e)
{
    bool fine = true;
    for (size_t i = 0; fine && i < p->slot_count; ++i)
        if (p->slots[i].state == SLOT_IDLE)
            fine = hand_out(p, &p->slots[i], count_state(p, SLOT_IDLE) > 1, e);
    size_t starting = count_state(p, SLOT_GREETING);
    size_t work = p->feeding ? p->slot_count : p->queue.count + (find_shareable(p) ? 1 : 0);
    for (size_t i = 0; fine && starting < work && i < p->slot_count; ++i)
        if (p->slots[i].state == SLOT_EMPTY) {
            fine = start_worker(p, &p->slots[i], e);
            ++starting;
        }
    return fine;
}

/* ---- the loop ---- */

static bool hear(pool *p, slot *s, error *e)
{
    worker_reply reply;
    if (!wire_receive(&p->wire, platform_process_line(s->process)))
        return pool_bury(p, s, e);
    if (s->state == SLOT_GREETING)
        return greet(p, s, e);
    job j = s->job;
    const worker_request asked = s->request;
    bool sense = s->state == SLOT_BUSY && worker_decode_reply(&p->wire, &asked, &reply);
    if (!sense) {
        if (s->state == SLOT_BUSY) {
            chunk_clear(&reply.chunk);
            replay_result_free(&reply.replay);
        }
        return pool_bury(p, s, e);
    }
    p->bad_starts = 0;
    s->state = SLOT_IDLE;
    if (!reply.fine || reply.chunk.spoiled || reply.replay.spoiled)
        pool_end_worker(s, 0, NULL, 0);
    return pool_decode_reply(p, &j, &asked, &reply, e);
}

static size_t item_at_hand(const pool *p)
{
    for (size_t i = 0; i < p->slot_count; ++i)
        if (p->slots[i].state == SLOT_BUSY)
            return p->slots[i].job.item;
    return 0;
}

static double patience(const pool *p)
{
    double part = p->options.setup->time_limit / 4;
    return part < TICK_SECONDS ? part : TICK_SECONDS;
}

/* One round: wait, hear, watch. */
static bool turn(pool *p, error *e)
{
    for (size_t i = 0; i < p->slot_count; ++i)
        p->processes[i] = p->slots[i].process;
    platform_process_wait(p->processes, p->slot_count, patience(p), p->ready);
    bool fine = true;
    for (size_t i = 0; fine && i < p->slot_count; ++i)
        if (p->ready[i])
            fine = hear(p, &p->slots[i], e);
    double now = platform_seconds();
    for (size_t i = 0; fine && i < p->slot_count; ++i) {
        slot *s = &p->slots[i];
        if (!s->process)
            continue;
        watch_time(p, s, now);
        watch_memory(p, s, now);
        if (s->state == SLOT_BUSY && now - s->since > CHUNK_SECONDS)
            atomic_store(&s->watch->stop, 1);
        if (s->killed)
            fine = pool_bury(p, s, e);
    }
    bool wanted = fine && p->queue.count == 0 && !p->feeding && count_state(p, SLOT_IDLE) > 0;
    slot *shares = wanted ? find_shareable(p) : NULL;
    if (shares)
        atomic_store(&shares->watch->stop, 1);
    return fine;
}

/* Do what is queued, with processes. */
static bool work_off(pool *p, error *e)
{
    double ending_since = 0;
    p->ending = false;
    for (;;) {
        if (p->sink && p->sink->tick(p->sink->context, item_at_hand(p)))
            p->ending = true;
        if (p->ending) {
            p->queue.count = 0;
            p->feeding = false;
        } else if (!hand_out_all(p, e)) {
            return false;
        }
        if (p->queue.count == 0 && !p->feeding && count_state(p, SLOT_BUSY) == 0)
            return true;
        for (size_t i = 0; p->ending && i < p->slot_count; ++i)
            atomic_store(&p->slots[i].watch->stop, 1);
        ending_since = p->ending && ending_since == 0 ? platform_seconds() : ending_since;
        if (ending_since > 0 && platform_seconds() - ending_since > END_SECONDS)
            return true; /* what they are at is not planned any more */
        if (!turn(p, e))
            return false;
    }
}

/* The same without. */
static bool work_off_here(pool *p, error *e)
{
    job j;
    p->ending = false;
    while (take_job(p, &j)) {
        worker_request request;
        worker_reply reply;
        if (p->sink && p->sink->tick(p->sink->context, j.item)) {
            p->queue.count = 0;
            p->ending = true;
            return true;
        }
        make_request(p, &j, &request);
        if (request.range.max_cases > CHUNK_CASES / 8)
            request.range.max_cases = CHUNK_CASES / 8; /* nobody can ask it to stop */
        worker_do(&p->here, &request, &reply);
        if (!pool_decode_reply(p, &j, &request, &reply, e))
            return false;
    }
    return true;
}

static bool work(pool *p, const pool_sink *sink, error *e)
{
    p->sink = sink;
    bool fine = p->options.workers ? work_off(p, e) : work_off_here(p, e);
    p->queue.count = 0;
    p->feeding = false;
    return fine;
}

/* ---- the interface ---- */

static bool open_first(pool *p, error *e)
{
    if (p->options.workers == 0) {
        if (!worker_open(&p->here, p->options.setup, false, NULL, NULL, e))
            return false;
        p->info = p->here.plugin.info;
        return true;
    }
    worker_encode_setup(&p->begin, p->options.setup);
    if (p->begin.broken)
        return error_set(e, "out of memory");
    if (!start_worker(p, &p->slots[0], e))
        return false;
    while (!p->greeted)
        if (!turn(p, e))
            return false;
    return true;
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
    p->slot_count = options->workers;
    p->slots = calloc(p->slot_count + 1, sizeof *p->slots);
    p->processes = calloc(p->slot_count + 1, sizeof(platform_process *));
    p->ready = calloc(p->slot_count + 1, sizeof *p->ready);
    p->losses = calloc(items, sizeof *p->losses);
    p->given_up = calloc(items, sizeof *p->given_up);
    p->bans = platform_shared_new(sizeof *p->bans);
    bool fine = p->slots && p->processes && p->ready && p->losses && p->given_up && p->bans;
    for (size_t i = 0; fine && i < p->slot_count; ++i)
        fine = (p->slots[i].watch = platform_shared_new(sizeof *p->slots[i].watch)) != NULL;
    if (!fine)
        error_set(e, "out of memory");
    platform_prepare_faults();
    if (!fine || !open_first(p, e)) {
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
    worker_close(&p->here);
    for (size_t i = 0; p->slots && i < p->slot_count; ++i) {
        slot *s = &p->slots[i];
        if (s->process)
            pool_end_worker(s, s->state == SLOT_IDLE ? END_SECONDS : 0, NULL, 0);
        platform_shared_free(s->watch, sizeof *s->watch);
    }
    platform_shared_free(p->bans, sizeof *p->bans);
    free(p->slots);
    free(p->processes);
    free(p->ready);
    free(p->losses);
    free(p->given_up);
    support_free(&p->refused);
    job_queue_free(&p->queue);
    wire_free(&p->wire);
    wire_free(&p->begin);
    free(p);
}

bool pool_add(pool *p, size_t item, uint64_t first, uint64_t end, bool once, error *e)
{
    const job j = { .verb = WORKER_RUN, .item = item, .first = first, .end = end, .once = once };
    return job_append(&p->queue, &j) || error_set(e, "out of memory");
}

bool pool_add_replay(pool *p, replay *t, error *e)
{
    const job j = { .verb = WORKER_TRY, .item = t->item, .first = 0, .end = 1, .replay = t };
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

const support *pool_refused(const pool *p)
{
    return &p->refused;
}

bool pool_ended_early(const pool *p)
{
    return p->ending;
}

bool pool_gave_up(const pool *p, size_t item)
{
    return p->given_up[item];
}

bool pool_run(pool *p, const pool_sink *sink, error *e)
{
    p->feeding = sink->more != NULL;
    return work(p, sink, e);
}
