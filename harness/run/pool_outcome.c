/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/pool_internal.h"

#include "harness/base/array.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAILED_STARTS 3              /* workers in a row that may end before their first case */
#define HANG_WEIGHT   10             /* a hang costs time, so it counts as this many losses */
#define FIRST_PIECE   UINT64_C(1024) /* cases of a request when the search for the one that lost a worker begins */
#define PIECE_FACTOR  32
#define LAST_PIECE    UINT64_C(65536) /* where no worker was lost, pieces grow to this, and then to whole chunks */

void pool_end_worker(slot *s, double seconds, char *how, size_t size)
{
    platform_process_end(s->process, seconds, how, size);
    s->process = NULL;
    s->state = SLOT_EMPTY;
}

/* ---- what workers print ---- */

bool pool_store_printed(pool *p, slot *s, error *e)
{
    return !p->options.store_printed ||
           p->options.store_printed(p->options.printed_context, &s->printed, s->process_number, e);
}

char *pool_last_lines(const slot *s)
{
    execute_progress at;
    const bool known = watchdog_read(s->page, &at) && at.printed > s->printed_at && at.printed <= s->printed.position;
    return printed_last_lines(&s->printed, known ? at.printed : s->printed_at);
}

void pool_show_lines(const char *lines)
{
    if (lines)
        fprintf(stderr, "The last lines that the backend printed:\n%s\n", lines);
}

/* Keep the last lines of the worker that is being reaped for the finding of this case. Out of memory, they are lost. */
static void keep_last_lines(pool *p, size_t item, uint64_t index)
{
    if (!p->lost_lines || !array_reserve(&p->words, &p->word_capacity, p->word_count + 1, sizeof *p->words))
        return;
    p->words[p->word_count++] = (last_words){ item, index, p->lost_lines };
    p->lost_lines = NULL;
}

/* Give the finding of a death what was kept for it. */
static void add_last_lines(pool *p, size_t item, chunk *c)
{
    store_finding *f = c->finding_count ? &c->findings[0] : NULL;
    for (size_t i = p->word_count; i-- > 0;) {
        if (p->words[i].item != item || p->words[i].index != c->first)
            continue;
        if (f && !f->printed)
            f->printed = p->words[i].lines;
        else
            free(p->words[i].lines);
        p->words[i] = p->words[--p->word_count];
    }
}

/* ---- results ---- */

static bool give_up(pool *p, size_t item, error *e)
{
    char kind[96];
    job_drop(&p->queue, item);
    p->given_up[item] = true;
    snprintf(kind, sizeof kind, "given up: %" PRIu64 " case%s in a row ended the backend",
             p->options.setup->limits.losses, p->options.setup->limits.losses == 1 ? "" : "s");
    return p->sink->observe(p->sink->context, item, kind, e);
}

/* Count the workers lost in a row, and give up a test that keeps losing them. */
static bool count_losses(pool *p, const job *j, const chunk *c, error *e)
{
    bool lost = (c->tainted && !c->suspected) || j->verb == WORKER_REPORT_DEATH;
    if (c->cases > (lost ? 1u : 0u))
        p->losses[j->item] = p->all_losses = 0;
    if (!lost)
        return true;
    uint64_t weight = c->cases && c->verdicts[c->cases - 1] == VERDICT_HANG ? HANG_WEIGHT : 1;
    p->losses[j->item] += weight;
    p->all_losses += weight;
    if (p->options.setup->limits.losses == 0 || p->given_up[j->item])
        return true;
    if (p->all_losses >= 3 * p->options.setup->limits.losses)
        p->ending = true;
    return p->losses[j->item] < p->options.setup->limits.losses || give_up(p, j->item, e);
}

static bool requeue(pool *p, const job *j, error *e)
{
    return (p->given_up[j->item] && j->verb == WORKER_RUN) || job_prepend(&p->queue, j) ||
           error_set(e, "out of memory");
}

/* Queue the suspected cases of [first, last], to be executed alone, and then the rest of job j. */
static bool retry_alone(pool *p, const job *j, uint64_t first, uint64_t last, const char *what, bool inconclusive,
                        error *e)
{
    job rest = *j, suspected = *j;
    rest.first = last + 1;
    rest.backoff = true;
    suspected.first = first;
    suspected.end = last + 1;
    suspected.alone = true;
    suspected.inconclusive = inconclusive;
    suspected.reproduced = false;
    snprintf(suspected.suspicion, sizeof suspected.suspicion, "%s", what);
    return requeue(p, &rest, e) && requeue(p, &suspected, e);
}

/* All suspected cases are done. Store an observation if an inconclusive loss did not happen again. */
static bool finish_suspected(pool *p, const job *j, error *e)
{
    char kind[96];
    if (!j->inconclusive || j->reproduced)
        return true;
    snprintf(kind, sizeof kind, "once, and not when repeated alone, the backend %.40s", j->suspicion);
    return p->sink->observe(p->sink->context, j->item, kind, e);
}

static bool record_chunk(pool *p, job *j, const worker_request *asked, chunk *c, error *e)
{
    const uint64_t end = j->end;
    if (j->verb == WORKER_REPORT_DEATH)
        add_last_lines(p, j->item, c);
    if (!p->sink->chunk(p->sink->context, j->item, c, e) || !count_losses(p, j, c, e))
        return false;
    if (j->verb == WORKER_REPORT_DEATH)
        return true;
    for (size_t i = 0; i < c->cases; ++i)
        j->reproduced |= verdict_fails((verdict)c->verdicts[i]) || c->verdicts[i] == VERDICT_WAIVED;
    j->first = c->ended && asked->range.end == end ? end : c->last;
    j->backoff = c->suspected || c->tainted;
    if (j->first >= j->doubted_end) /* larger pieces would lose workers by the same case again and again */
        j->piece = j->piece < LAST_PIECE ? 2 * j->piece : 0;
    if (c->suspected)
        return retry_alone(p, j, c->last, c->candidate, c->suspicion, c->stalled, e);
    return j->first < end ? requeue(p, j, e) : !j->alone || finish_suspected(p, j, e);
}

/* Queue a case that lost its worker, to be recorded with a verdict without being executed, and then the rest of job j.
 */
static bool record_death(pool *p, const job *j, uint64_t index, verdict death, const char *how, error *e)
{
    job rest = *j, dead = *j;
    keep_last_lines(p, j->item, index);
    p->failed_starts = 0;
    rest.first = index + 1;
    rest.doubted_end = 0;
    rest.failed = false;
    dead.verb = WORKER_REPORT_DEATH;
    dead.first = index;
    dead.end = index + 1;
    dead.death = death;
    dead.failed = false;
    snprintf(dead.suspicion, sizeof dead.suspicion, "%s", how);
    return requeue(p, &rest, e) && requeue(p, &dead, e);
}

/* Queue a job whose worker was lost and had its page overwritten: nobody knows at which case. Smaller and smaller
   ranges of indices are executed, until one of a single index loses its worker. */
static bool split(pool *p, const job *j, verdict death, const char *how, error *e)
{
    const uint64_t indices = j->end - j->first, size = indices / PIECE_FACTOR + (indices % PIECE_FACTOR != 0);
    job part = *j;
    if (indices == 1)
        return record_death(p, j, j->first, death, how, e);
    p->failed_starts = 0;
    part.piece = 0;
    part.backoff = true;
    part.alone = part.failed = false;
    for (uint64_t k = (indices - 1) / size + 1; k-- > 0;) { /* each one is queued before the others */
        part.first = j->first + k * size;
        part.end = j->end - part.first < size ? j->end : part.first + size;
        if (!requeue(p, &part, e))
            return false;
    }
    return true;
}

/* The next number of cases to ask for, where so many did not show which of them it is. */
static uint64_t smaller_piece(uint64_t cases)
{
    return cases > FIRST_PIECE ? FIRST_PIECE : cases > PIECE_FACTOR ? cases / PIECE_FACTOR : 1;
}

/* Queue a job whose worker was lost by something other than a call that ended its process: in smaller and smaller
   pieces, until a request of a single case loses its worker. Then record that case, `last`, as a crash. */
static bool narrow(pool *p, const job *j, const worker_request *asked, uint64_t last, const char *how, error *e)
{
    job rest = *j;
    if (asked->range.max_cases > 1) {
        rest.piece = smaller_piece(asked->range.max_cases);
        rest.doubted_end = last + 1;
        return requeue(p, &rest, e);
    }
    return record_death(p, j, last, VERDICT_CRASH, how, e);
}

/* Let all workers know that a query fails. Where they can learn of no more such classes, the run ends: each of them
   would be asked about again and again. */
static void block_class(pool *p, const class_failure *f)
{
    if (execute_blocklist_add(p->blocklist, f->key, f->how, f->text) || p->ending)
        return;
    fprintf(stderr, "backend %s fails when it is asked about more than %d classes of cases: the run ends\n",
            p->options.setup->backend, EXECUTE_BLOCKLIST_SIZE);
    p->ending = true;
}

/* Queue a job in which a query failed after calls, so that nothing was recorded. The next process asks before its first
   call. Where that does not help, a case makes calls before it whose classes are asked about between them: smaller and
   smaller requests are made, until that case, `last`, fails alone in a new process. */
static bool retry_query(pool *p, job *j, const worker_request *asked, const class_failure *f, uint64_t last, error *e)
{
    if (j->ask_first && asked->range.max_cases == 1 && j->failed) {
        if (last >= j->first && last < j->end)
            return record_death(p, j, last, f->how, f->text, e);
        block_class(p, f); /* nobody knows which case it is */
        return requeue(p, j, e);
    }
    j->failed = j->ask_first; /* so that a request of a single case gets a new process */
    j->piece = j->ask_first ? smaller_piece(asked->range.max_cases) : j->piece;
    j->ask_first = true;
    return requeue(p, j, e);
}

bool pool_record_reply(pool *p, job *j, const worker_request *asked, worker_reply *r, const execute_page *page,
                       error *e)
{
    execute_progress at = { .submitted = false };
    const bool known = page && watchdog_read(page, &at);
    if (!r->fine && page && !known && j->verb == WORKER_RUN)
        return split(p, j, VERDICT_CRASH, r->e.text, e);
    if (!r->fine && j->verb == WORKER_RUN && at.submitted && at.last >= j->first && at.last < j->end &&
        (asked->range.max_cases > 1 || j->failed))
        return narrow(p, j, asked, at.last, r->e.text, e); /* the backend did something to the process */
    if (!r->fine && !j->failed && page) {                  /* in a new process, which no other case can have damaged */
        j->failed = true;
        return requeue(p, j, e);
    }
    if (!r->fine) {
        *e = r->e;
        return false;
    }
    if (j->verb == WORKER_RUN && r->failed.key && r->failed.used && r->chunk.cases == 0) {
        chunk_clear(&r->chunk);
        return retry_query(p, j, asked, &r->failed, at.last, e);
    }
    j->failed = false;
    if (j->verb == WORKER_REPLAY) {
        bool stored = p->sink->replayed(p->sink->context, j->replay, &r->replay, e);
        replay_result_free(&r->replay);
        return stored;
    }
    if (j->verb == WORKER_COUNT && r->failed.key)
        return requeue(p, j, e); /* it is not complete */
    if (j->verb == WORKER_COUNT) {
        p->planned[j->item] += r->count;
        support_add(&p->refused, r->refused ? r->refused : "");
    }
    bool fine = j->verb == WORKER_COUNT || record_chunk(p, j, asked, &r->chunk, e);
    chunk_clear(&r->chunk);
    return fine;
}

/* ---- a backend that opens no more ---- */

/* Give up the cases that are left. What is known of others is recorded by a worker without the backend. */
static bool lose_backend(pool *p, const error *why, error *e)
{
    p->lost = true;
    p->feeding = false;
    p->failed_starts = 0;
    job j;
    for (size_t left = p->queue.count; left > 0 && job_pop(&p->queue, &j); --left) {
        if (j.verb == WORKER_COUNT) {
            *e = *why;
            return false;
        }
        if (j.verb == WORKER_REPORT_DEATH) {
            if (!job_append(&p->queue, &j))
                return error_set(e, "out of memory");
        } else if (j.verb == WORKER_RUN && !p->given_up[j.item]) {
            p->given_up[j.item] = true;
            if (!p->sink->observe(p->sink->context, j.item, "given up: the backend opened once, and later not", e))
                return false;
        }
    }
    return true;
}

bool pool_start_failed(pool *p, slot *s, const error *why, error *e)
{
    pool_end_worker(s, 0, NULL, 0);
    size_t others = 0;
    for (size_t i = 0; i < p->slot_count; ++i)
        others += p->slots[i].process != NULL;
    if (others) {
        p->most_workers = others;
        return true;
    }
    if (++p->failed_starts < FAILED_STARTS)
        return true;
    fprintf(stderr, "backend %s does not open as it did before: %s\n", p->options.setup->backend, why->text);
    return p->lost ? error_set(e, "%s", why->text) : lose_backend(p, why, e);
}

/* ---- queries that fail ---- */

static bool is_doubted(const pool *p, uint64_t key)
{
    for (size_t i = 0; i < p->doubt_count; ++i)
        if (p->doubts[i] == key)
            return true;
    return p->doubt_count == POOL_DOUBTS;
}

void pool_blame_query(pool *p, const class_failure *f)
{
    if (f->used) /* the process has executed calls, and one of them may be to blame: a new one is asked */
        return;
    if (is_doubted(p, f->key))
        block_class(p, f);
    else
        p->doubts[p->doubt_count++] = f->key;
}

/* ---- reaping workers ---- */

/* A worker ended before its first case. A backend that cannot be opened is not tried again, unless something else may
   have ended the process: it was killed, or its connection broke. */
static bool count_failed_start(pool *p, const char *how, bool by_others, error *e)
{
    if (++p->failed_starts < (p->opened || by_others ? FAILED_STARTS : 1))
        return true;
    pool_show_lines(p->opened ? p->lost_lines : NULL); /* pool_open shows all that was printed before */
    return error_set(e, "backend %s %s%s", p->options.setup->backend, how,
                     p->opened ? " before its first case, again and again" : " when it was opened");
}

/* The process of a replay ended: its result is the case in which it ended. */
static bool finish_replay(pool *p, job *j, const execute_progress *at, verdict death, const char *how,
                          bool from_outside, error *e)
{
    replay_result r = {
        .fine = true, .died = true, .death = death, .at = at->first, .together = at->last != at->first
    };
    snprintf(r.how, sizeof r.how, "%s", how);
    if (from_outside && !j->failed) {
        j->failed = true;
        return requeue(p, j, e);
    }
    p->failed_starts = 0;
    return p->sink->replayed(p->sink->context, j->replay, &r, e);
}

/* A worker was lost, and its page was overwritten: which case it was executing is unknown. */
static bool lose_track(pool *p, job *j, verdict death, const char *how, error *e)
{
    static const execute_progress nowhere = { .first = UINT64_MAX / 2, .last = UINT64_MAX / 2 };
    if (j->verb == WORKER_RUN)
        return split(p, j, death, how, e);
    if (j->verb == WORKER_REPLAY && replay_executes(j->replay))
        return finish_replay(p, j, &nowhere, death, how, false, e);
    return count_failed_start(p, how, false, e) && requeue(p, j, e);
}

bool pool_reap(pool *p, slot *s, error *e)
{
    char how[120] = "";
    const killing killed = s->killed;
    const bool was_busy = s->state == SLOT_BUSY;
    job j = s->job;
    execute_progress at;
    atomic_store(&s->orders->stop, 1); /* a worker whose connection was closed may still be working */
    pool_end_worker(s, killed ? 0 : 1, killed ? NULL : how, sizeof how);
    /* An administrator, or a platform short of memory, may have killed the process. Then no case is responsible. */
    const bool by_signal = !killed && strcmp(how, "was killed by SIGKILL") == 0;
    free(p->lost_lines);
    p->lost_lines = pool_last_lines(s);
    const bool known = watchdog_read(s->page, &at);
    const bool lost_connection = killed == KILL_CONNECTION || (known && at.sending);
    if (lost_connection)
        snprintf(how, sizeof how, "closed the connection of its worker to the run, or wrote to it");
    if (killed == KILL_STALLED)
        snprintf(how, sizeof how, "did not come back within %g s", p->options.setup->limits.seconds);
    if (killed == KILL_MEMORY)
        snprintf(how, sizeof how, "took more than %" PRIu64 " MiB of memory", p->options.setup->limits.memory >> 20);
    const bool by_others = by_signal || lost_connection;
    if (!was_busy)
        return s->used || count_failed_start(p, how, by_others, e);
    const verdict death = killed == KILL_STALLED ? VERDICT_HANG : VERDICT_CRASH;
    if (!known)
        return lose_track(p, &j, death, how, e);
    const uint64_t key = at.class_key, step = at.step, first = at.first, last = at.last;
    if (key) {
        class_failure f = { .key = key, .used = at.submitted, .how = death };
        snprintf(f.text, sizeof f.text, "%.119s", how);
        pool_blame_query(p, &f);
        return f.used && j.verb == WORKER_RUN ? retry_query(p, &j, &s->request, &f, last, e) : requeue(p, &j, e);
    }
    if (step == 0)
        return count_failed_start(p, how, by_others, e) && requeue(p, &j, e);
    const bool from_outside = by_signal && !lost_connection;
    if (j.verb == WORKER_REPLAY && replay_executes(j.replay))
        return finish_replay(p, &j, &at, death, how, from_outside, e);
    if (j.verb != WORKER_RUN || first < j.first || last >= j.end || first > last)
        /* The worker was between two jobs. */
        return count_failed_start(p, how, by_others, e) && requeue(p, &j, e);
    if (lost_connection && at.submitted) {
        job earlier = j;
        if ((step & 1) != 0 && first > j.first && s->request.range.max_cases > 1) {
            earlier.end = j.first = first; /* most likely a case of this call is responsible: begin with it */
            s->request.range.max_cases = PIECE_FACTOR; /* narrow makes a single case of it */
        } else {
            earlier.end = earlier.first;
        }
        return narrow(p, &j, &s->request, last, how, e) && requeue(p, &earlier, e);
    }
    p->failed_starts = 0;
    job before = j, dead = j;
    before.end = first;
    before.reproduced =
        true; /* the process survived these cases; if they were suspected, none of them is responsible */
    dead.verb = WORKER_REPORT_DEATH;
    dead.first = first;
    dead.end = first + 1;
    dead.death = death;
    snprintf(dead.suspicion, sizeof dead.suspicion, "%s", how);
    if (!j.alone && (first < last || killed || from_outside))
        return retry_alone(p, &j, first, last, how, killed || from_outside, e) && requeue(p, &before, e);
    keep_last_lines(p, j.item, first);
    j.first = first + 1;
    j.reproduced = j.backoff = true;
    return requeue(p, &j, e) && requeue(p, &dead, e) && requeue(p, &before, e);
}
