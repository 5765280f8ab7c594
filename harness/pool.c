/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/pool.h"

#include "harness/job.h"
#include "harness/platform.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_CASES    UINT64_C(262144)
#define CHUNK_SECONDS  0.5   /* then a worker is asked for what it has */
#define STEAL_SECONDS  0.02  /* a younger chunk ends by itself soon enough */
#define OPEN_SECONDS   120.0 /* that a backend may take to be opened or closed, at least */
#define END_SECONDS    2.0   /* that a worker gets to answer once its call was cut short */
#define END_SECONDS     2.0   /* that a worker gets to end where it is asked to */
#define TICK_SECONDS   0.05
#define BAD_STARTS     3     /* workers in a row that end before their first case */
#define HANG_WEIGHT    10    /* a hang costs time: it counts as so many losses */

typedef enum slot_state { SLOT_EMPTY, SLOT_GREETING, SLOT_IDLE, SLOT_BUSY } slot_state;

typedef enum killing { KILL_NONE, KILL_STALLED, KILL_MEMORY } killing;

typedef struct slot {
    slot_state state;
    platform_process *process;
    execute_watch *watch; /* shared with it */
    worker_context context;
    job job;                /* at hand */
    worker_request request; /* of which this is asked */
    double since;           /* it was asked, or started */
    uint64_t step;          /* where it was seen, and when first */
    double step_since;
    double cut_at;          /* 0: it was not */
    killing killed;
} slot;

struct pool {
    pool_options options;
    execute_bans *bans;
    slot *slots;
    size_t slot_count;
    platform_process **processes; /* of the slots, for waiting */
    bool *ready;
    job_queue queue;
    wire wire;
    bool greeted;
    ts_info info;
    unsigned bad_starts;
    uint64_t *losses; /* in a row, per item */
    uint64_t all_losses;
    bool *given_up;
    uint64_t *owed; /* where it is counted */
    worker here; /* where there are no processes */
    const pool_sink *sink;
    bool ending;
};

/* ---- starting and ending workers ---- */

static bool start_worker(pool *p, slot *s, error *e)
{
    memset(s->watch, 0, sizeof *s->watch);
    s->context = (worker_context){ p->options.setup, s->watch, p->bans };
    s->process = platform_process_start(worker_live, &s->context, e);
    s->state = s->process ? SLOT_GREETING : SLOT_EMPTY;
    s->since = s->step_since = platform_seconds();
    s->step = 0;
    s->cut_at = 0;
    s->killed = KILL_NONE;
    return s->process != NULL;
}

static void end_worker(slot *s, double seconds, char *how, size_t size)
{
    platform_process_end(s->process, seconds, how, size);
    s->process = NULL;
    s->state = SLOT_EMPTY;
}

static bool greet(pool *p, slot *s, error *e)
{
    ts_info info;
    bool fine = false;
    if (!worker_take_greeting(&p->wire, &info, &fine, e))
        return error_set(e, "backend %s: its worker process does not make sense", p->options.setup->backend);
    if (!fine)
        return false;
    if (!p->greeted)
        p->info = info;
    p->greeted = true;
    s->state = SLOT_IDLE;
    return true;
}

/* ---- what came of a job ---- */

static bool give_up(pool *p, size_t item, error *e)
{
    char kind[96];
    job_drop(&p->queue, item);
    p->given_up[item] = true;
    snprintf(kind, sizeof kind, "given up: %" PRIu64 " cases in a row ended the backend", p->options.max_losses);
    return p->sink->observe(p->sink->context, item, kind, e);
}

/* Did the backend survive its last case? Where it never does, it is given up. */
static bool count_losses(pool *p, const job *j, const chunk *c, error *e)
{
    bool lost = (c->spoiled && !c->suspected) || j->verb == WORKER_TELL;
    if (c->cases > (lost ? 1u : 0u))
        p->losses[j->item] = p->all_losses = 0;
    if (!lost)
        return true;
    uint64_t weight = c->cases && c->verdicts[c->cases - 1] == VERDICT_HANG ? HANG_WEIGHT : 1;
    p->losses[j->item] += weight;
    p->all_losses += weight;
    if (p->options.max_losses == 0 || p->given_up[j->item])
        return true;
    if (p->all_losses >= 3 * p->options.max_losses)
        p->ending = true;
    return p->losses[j->item] < p->options.max_losses || give_up(p, j->item, e);
}

static bool again(pool *p, const job *j, error *e)
{
    return (p->given_up[j->item] && j->verb == WORKER_RUN) || job_prepend(&p->queue, j) ||
           error_set(e, "out of memory");
}

/* Try the cases of [first, last] alone, and only then what is behind them. `j` is what is left of the job. */
static bool try_alone(pool *p, const job *j, uint64_t first, uint64_t last, const char *what, bool harmless, error *e)
{
    job rest = *j, suspects = *j;
    rest.first = last + 1;
    suspects.first = first;
    suspects.end = last + 1;
    suspects.alone = true;
    suspects.harmless = harmless;
    suspects.found = false;
    snprintf(suspects.blame, sizeof suspects.blame, "%s", what);
    return again(p, &rest, e) && again(p, &suspects, e);
}

/* The last of the suspects is done. */
static bool acquit(pool *p, const job *j, error *e)
{
    char kind[96];
    if (!j->harmless || j->found)
        return true;
    snprintf(kind, sizeof kind, "once, and not when repeated alone, the backend %.40s", j->blame);
    return p->sink->observe(p->sink->context, j->item, kind, e);
}

static bool take_chunk(pool *p, job *j, const worker_request *asked, chunk *c, error *e)
{
    const uint64_t end = j->end;
    if (!p->sink->chunk(p->sink->context, j->item, c, e) || !count_losses(p, j, c, e))
        return false;
    if (j->verb == WORKER_TELL)
        return true;
    for (size_t i = 0; i < c->cases; ++i)
        j->found |= verdict_fails((verdict)c->verdicts[i]);
    j->first = c->ended && asked->range.end == end ? end : c->last;
    if (c->suspected)
        return try_alone(p, j, c->last, c->suspect, c->suspicion, c->stalled, e);
    return j->first < end ? again(p, j, e) : !j->alone || acquit(p, j, e);
}

static bool take_reply(pool *p, job *j, const worker_request *asked, worker_reply *r, error *e)
{
    if (!r->fine) {
        *e = r->e;
        return false;
    }
    if (j->verb == WORKER_COUNT)
        p->owed[j->item] += r->count;
    bool fine = j->verb == WORKER_COUNT || take_chunk(p, j, asked, &r->chunk, e);
    chunk_clear(&r->chunk);
    return fine;
}

/* ---- a worker that is gone ---- */

static bool bad_start(pool *p, const char *how, error *e)
{
    if (++p->bad_starts < (p->greeted ? BAD_STARTS : 1))
        return true;
    return error_set(e, "backend %s %s%s", p->options.setup->backend, how,
                     p->greeted ? " before its first case, again and again" : " when it was opened");
}

/* What it had not told is to be done again, and what it was in is named. */
static bool bury(pool *p, slot *s, error *e)
{
    char how[120];
    const killing killed = s->killed;
    const bool was_busy = s->state == SLOT_BUSY;
    job j = s->job;
    end_worker(s, killed ? 0 : 1, how, sizeof how);
    if (killed == KILL_STALLED)
        snprintf(how, sizeof how, "did not come back within %g s", p->options.setup->time_limit);
    if (killed == KILL_MEMORY)
        snprintf(how, sizeof how, "took more than %" PRIu64 " MiB of memory", p->options.memory_limit >> 20);
    if (!was_busy)
        return bad_start(p, how, e);
    const uint64_t key = atomic_load(&s->watch->class_key), step = atomic_load(&s->watch->step);
    uint64_t first = atomic_load(&s->watch->first), last = atomic_load(&s->watch->last);
    if (key)
        execute_add_ban(p->bans, key, killed == KILL_STALLED ? VERDICT_HANG : VERDICT_CRASH, how);
    if (key || step == 0)
        return (key || bad_start(p, how, e)) && again(p, &j, e);
    if (j.verb != WORKER_RUN || first < j.first || last >= j.end || first > last)
        return bad_start(p, how, e) && again(p, &j, e); /* it was scribbled over, or between two jobs */
    p->bad_starts = 0;
    job before = j, tell = j;
    before.end = first;
    tell.verb = WORKER_TELL;
    tell.first = first;
    tell.end = first + 1;
    tell.told = killed == KILL_STALLED ? VERDICT_HANG : VERDICT_CRASH;
    snprintf(tell.blame, sizeof tell.blame, "%s", how);
    if (!j.alone && (first < last || killed))
        return try_alone(p, &j, first, last, how, killed != KILL_NONE, e) && again(p, &before, e);
    j.first = first + 1;
    j.found = true;
    return again(p, &j, e) && again(p, &tell, e) && again(p, &before, e);
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

/* Only time inside the backend counts, and only while it does not come back. */
static void watch_time(pool *p, slot *s, double now)
{
    uint64_t step = atomic_load(&s->watch->step);
    bool inside = (step & 1) != 0 || s->state == SLOT_GREETING;
    if (!inside || step != s->step) {
        s->step = step;
        s->step_since = now;
        s->cut_at = 0;
        return;
    }
    if (now - s->step_since < limit_of(p, s))
        return;
    if (s->cut_at == 0 && s->state == SLOT_BUSY) {
        atomic_store(&s->watch->cut, step);
        platform_process_cut(s->process);
        s->cut_at = now;
    } else if (s->state == SLOT_GREETING || now - s->cut_at > cut_seconds(p)) {
        s->killed = KILL_STALLED;
    }
}

static void watch_memory(pool *p, slot *s)
{
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
                           .range = { .first = j->first,
                                      .end = j->end,
                                      .max_cases = j->alone ? 1 : CHUNK_CASES,
                                      .alone = j->alone } };
    if (j->verb != WORKER_COUNT)
        r->range.findings = p->sink->findings(p->sink->context, j->item, j->first);
    if (j->verb == WORKER_TELL)
        r->range.blame = j->blame;
    if (!j->alone || j->verb != WORKER_RUN)
        return;
    /* The last suspect, if all others were found innocent. */
    if (j->first + 1 < j->end)
        r->range.end = j->end - 1;
    else if (!j->harmless && !j->found)
        r->range.blame = j->blame;
}

static bool hand_out(pool *p, slot *s, bool others_idle, error *e)
{
    if (!job_take(&p->queue, &s->job))
        return true;
    job *j = &s->job;
    if (others_idle && p->queue.count == 0 && j->verb == WORKER_RUN && !j->alone && j->end - j->first > 1) {
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
    size_t starting = count_state(p, SLOT_GREETING), work = p->queue.count + (find_shareable(p) ? 1 : 0);
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
        return bury(p, s, e);
    if (s->state == SLOT_GREETING)
        return greet(p, s, e);
    job j = s->job;
    const worker_request asked = s->request;
    bool sense = s->state == SLOT_BUSY && worker_take_reply(&p->wire, &asked, &reply);
    if (!sense) {
        if (s->state == SLOT_BUSY)
            chunk_clear(&reply.chunk);
        return bury(p, s, e);
    }
    p->bad_starts = 0;
    bool spoiled = reply.chunk.spoiled;
    s->state = SLOT_IDLE;
    if (spoiled)
        end_worker(s, 0, NULL, 0);
    return take_reply(p, &j, &asked, &reply, e);
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
        watch_memory(p, s);
        if (s->state == SLOT_BUSY && now - s->since > CHUNK_SECONDS)
            atomic_store(&s->watch->stop, 1);
        if (s->killed)
            fine = bury(p, s, e);
    }
    slot *shares = fine && p->queue.count == 0 && count_state(p, SLOT_IDLE) > 0 ? find_shareable(p) : NULL;
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
        if (p->ending)
            p->queue.count = 0;
        else if (!hand_out_all(p, e))
            return false;
        if (p->queue.count == 0 && count_state(p, SLOT_BUSY) == 0)
            return true;
        for (size_t i = 0; p->ending && i < p->slot_count; ++i)
            atomic_store(&p->slots[i].watch->stop, 1);
        ending_since = p->ending && ending_since == 0 ? platform_seconds() : ending_since;
        if (ending_since > 0 && platform_seconds() - ending_since > END_SECONDS)
            return true; /* what they are at is not owed any more */
        if (!turn(p, e))
            return false;
    }
}

/* The same without. */
static bool work_off_here(pool *p, error *e)
{
    job j;
    while (job_take(&p->queue, &j)) {
        worker_request request;
        worker_reply reply;
        if (p->sink && p->sink->tick(p->sink->context, j.item)) {
            p->queue.count = 0;
            return true;
        }
        make_request(p, &j, &request);
        if (request.range.max_cases > CHUNK_CASES / 8)
            request.range.max_cases = CHUNK_CASES / 8; /* nobody can ask it to stop */
        worker_do(&p->here, &request, &reply);
        if (!take_reply(p, &j, &request, &reply, e))
            return false;
    }
    return true;
}

static bool work(pool *p, const pool_sink *sink, error *e)
{
    p->sink = sink;
    bool fine = p->options.workers ? work_off(p, e) : work_off_here(p, e);
    p->queue.count = 0;
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
            end_worker(s, s->state == SLOT_IDLE ? END_SECONDS : 0, NULL, 0);
        platform_shared_free(s->watch, sizeof *s->watch);
    }
    platform_shared_free(p->bans, sizeof *p->bans);
    free(p->slots);
    free(p->processes);
    free(p->ready);
    free(p->losses);
    free(p->given_up);
    job_queue_free(&p->queue);
    wire_free(&p->wire);
    free(p);
}

bool pool_add(pool *p, size_t item, uint64_t first, uint64_t end, error *e)
{
    const job j = { .verb = WORKER_RUN, .item = item, .first = first, .end = end };
    return job_append(&p->queue, &j) || error_set(e, "out of memory");
}

bool pool_count(pool *p, const uint64_t *first, const uint64_t *end, uint64_t *owed, const pool_sink *sink, error *e)
{
    const size_t items = p->options.setup->plan->item_count;
    memset(owed, 0, items * sizeof *owed);
    p->owed = owed;
    for (size_t i = 0; i < items; ++i) {
        const job j = { .verb = WORKER_COUNT, .item = i, .first = first[i], .end = end[i] };
        if (!job_append(&p->queue, &j))
            return error_set(e, "out of memory");
    }
    return work(p, sink, e);
}

bool pool_run(pool *p, const pool_sink *sink, error *e)
{
    return work(p, sink, e);
}

unsigned pool_workers(const pool *p)
{
    return p->options.workers;
}
