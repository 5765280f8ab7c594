/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/pool_internal.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define BAD_STARTS  3  /* workers in a row that end before their first case */
#define HANG_WEIGHT 10 /* a hang costs time: it counts as so many losses */

void pool_end_worker(slot *s, double seconds, char *how, size_t size)
{
    platform_process_end(s->process, seconds, how, size);
    s->process = NULL;
    s->state = SLOT_EMPTY;
}

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
    bool lost = (c->tainted && !c->suspected) || j->verb == WORKER_TELL;
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
    job rest = *j, candidates = *j;
    rest.first = last + 1;
    rest.wary = true;
    candidates.first = first;
    candidates.end = last + 1;
    candidates.alone = true;
    candidates.harmless = harmless;
    candidates.found = false;
    snprintf(candidates.blame, sizeof candidates.blame, "%s", what);
    return again(p, &rest, e) && again(p, &candidates, e);
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
        j->found |= verdict_fails((verdict)c->verdicts[i]) || c->verdicts[i] == VERDICT_WAIVED;
    j->first = c->ended && asked->range.end == end ? end : c->last;
    j->wary = c->suspected || c->tainted;
    if (c->suspected)
        return try_alone(p, j, c->last, c->candidate, c->suspicion, c->stalled, e);
    return j->first < end ? again(p, j, e) : !j->alone || acquit(p, j, e);
}

bool pool_decode_reply(pool *p, job *j, const worker_request *asked, worker_reply *r, error *e)
{
    if (!r->fine && !j->failed && p->options.workers) { /* the backend may have scribbled over anything: once more */
        j->failed = true;
        return again(p, j, e);
    }
    if (!r->fine) {
        *e = r->e;
        return false;
    }
    j->failed = false;
    if (j->verb == WORKER_TRY) {
        bool told = p->sink->tried(p->sink->context, j->replay, &r->replay, e);
        replay_result_free(&r->replay);
        return told;
    }
    if (j->verb == WORKER_COUNT) {
        p->planned[j->item] += r->count;
        support_add(&p->refused, r->refused ? r->refused : "");
    }
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

/* A trial's process is gone: in which case, that is what came of it. */
static bool report_replay(pool *p, job *j, const slot *s, verdict death, const char *how, bool from_outside, error *e)
{
    replay_result r = { .fine = true, .died = true, .death = death, .at = atomic_load(&s->watch->first) };
    r.together = atomic_load(&s->watch->last) != r.at;
    snprintf(r.how, sizeof r.how, "%s", how);
    if (from_outside && !j->failed) {
        j->failed = true;
        return again(p, j, e);
    }
    p->bad_starts = 0;
    return p->sink->tried(p->sink->context, j->replay, &r, e);
}

/* What it had not told is to be done again, and what it was in is named. */
bool pool_bury(pool *p, slot *s, error *e)
{
    char how[120] = "";
    const killing killed = s->killed;
    const bool was_busy = s->state == SLOT_BUSY;
    job j = s->job;
    pool_end_worker(s, killed ? 0 : 1, killed ? NULL : how, sizeof how);
    if (killed == KILL_STALLED)
        snprintf(how, sizeof how, "did not come back within %g s", p->options.setup->time_limit);
    if (killed == KILL_MEMORY)
        snprintf(how, sizeof how, "took more than %" PRIu64 " MiB of memory", p->options.memory_limit >> 20);
    if (!was_busy)
        return bad_start(p, how, e);
    const uint64_t key = atomic_load(&s->watch->class_key), step = atomic_load(&s->watch->step);
    uint64_t first = atomic_load(&s->watch->first), last = atomic_load(&s->watch->last);
    if (key)
        execute_blocklist_add(p->bans, key, killed == KILL_STALLED ? VERDICT_HANG : VERDICT_CRASH, how);
    if (key || step == 0)
        return (key || bad_start(p, how, e)) && again(p, &j, e);
    /* Whoever runs the machine, or the system short of memory, may have ended it: then it was no case's doing. */
    const bool from_outside = !killed && strcmp(how, "was killed by SIGKILL") == 0;
    const verdict death = killed == KILL_STALLED ? VERDICT_HANG : VERDICT_CRASH;
    if (j.verb == WORKER_TRY && replay_executes(j.replay))
        return report_replay(p, &j, s, death, how, from_outside, e);
    if (j.verb != WORKER_RUN || first < j.first || last >= j.end || first > last)
        return bad_start(p, how, e) && again(p, &j, e); /* it was scribbled over, or between two jobs */
    p->bad_starts = 0;
    job before = j, tell = j;
    before.end = first;
    before.found = true; /* those came through; where they are suspects, none of them is to be blamed any more */
    tell.verb = WORKER_TELL;
    tell.first = first;
    tell.end = first + 1;
    tell.told = death;
    snprintf(tell.blame, sizeof tell.blame, "%s", how);
    if (!j.alone && (first < last || killed || from_outside))
        return try_alone(p, &j, first, last, how, killed || from_outside, e) && again(p, &before, e);
    j.first = first + 1;
    j.found = j.wary = true;
    return again(p, &j, e) && again(p, &tell, e) && again(p, &before, e);
}
