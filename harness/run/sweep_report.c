/* SPDX-License-Identifier: Apache-2.0 */
/* What the workers of a run tell: into its file, and onto the screen. */
#include "harness/run/sweep.h"

#include "harness/base/platform.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What is done reaches the file so often, all at once. */
#define COMMIT_SECONDS   0.25
#define PROGRESS_SECONDS 0.25

double sweep_seconds(const sweep *s)
{
    return s->seconds_before + platform_seconds() - s->started;
}

void sweep_progress(sweep *s, const case_test *t, bool last)
{
    double now = platform_seconds();
    if (!s->options->progress || (!last && now - s->shown < PROGRESS_SECONDS))
        return;
    s->shown = now;
    if (last) {
        fprintf(stderr, "\r\033[K");
        return;
    }
    const run_result *r = s->result;
    double rate = (double)(r->ran - s->ran_before) / (now - s->started + 1e-9);
    uint64_t failures = 0;
    for (int v = 0; v < VERDICT_COUNT; ++v)
        failures += verdict_fails((verdict)v) ? r->cases[v] : 0;
    double left = rate > 0 ? (double)(r->planned - r->ran) / rate : 0;
    if (r->to_shuffle) {
        fprintf(stderr, "\r\033[Ksecond pass: %s:%s  %" PRIu64 " of %" PRIu64 "  %" PRIu64 " came out otherwise",
                t->file->op->name, t->name, r->shuffled, r->to_shuffle, r->came_out_otherwise);
        fflush(stderr);
        return;
    }
    if (s->options->budget > 0 && left > s->options->budget - sweep_seconds(s))
        left = sweep_seconds(s) < s->options->budget ? s->options->budget - sweep_seconds(s) : 0;
    fprintf(stderr, "\r\033[K%s:%s  %" PRIu64 " of %" PRIu64 "  %.2f M/s  %" PRIu64 " failed  %d:%02d left",
            t->file->op->name, t->name, r->ran, r->planned, rate / 1e6, failures, (int)left / 60, (int)left % 60);
    fflush(stderr);
}

bool sweep_begin_writing(sweep *s, error *e)
{
    if (!s->writing && store_begin(s->store, e))
        s->writing = true;
    return s->writing;
}

bool sweep_commit(sweep *s, error *e)
{
    if (!s->writing)
        return true;
    s->writing = false;
    s->committed = platform_seconds();
    return run_store_seconds(s->store, sweep_seconds(s), e) && store_commit(s->store, e);
}

bool sweep_commit_now_and_then(void *context, error *e)
{
    sweep *s = context;
    return platform_seconds() - s->committed < COMMIT_SECONDS || sweep_commit(s, e);
}

static bool take_chunk(void *context, size_t i, chunk *c, error *e)
{
    sweep *s = context;
    for (size_t k = 0; k < c->cases; ++k)
        s->result->cases[c->verdicts[k]]++;
    s->result->ran += c->cases;
    bool fine = sweep_begin_writing(s, e) && run_store_chunk(s->store, &s->plan, s->items, i, c, e);
    s->torn |= !fine;
    return fine && sweep_commit_now_and_then(s, e);
}

static uint64_t findings_left(void *context, size_t i, uint64_t first, bool waived)
{
    const sweep *s = context;
    return retained_room(&s->items[i].retained[waived ? RETAINED_WAIVED : RETAINED_FAILING], first);
}

static bool take_observation(void *context, size_t i, const char *kind, error *e)
{
    sweep *s = context;
    const store_observation row = { (int64_t)i + 1, kind, 1, NULL, NULL };
    const case_test *t = s->plan.items[i].test;
    if (!s->store) /* while cases are counted */
        return true;
    sweep_progress(s, NULL, true);
    fprintf(stderr, "%s:%s: %s\n", t->file->op->name, t->name, kind);
    s->result->gave_up |= strncmp(kind, "given up", 8) == 0;
    return sweep_begin_writing(s, e) && store_add_observation(s->store, &row, e);
}

static bool more(void *context, size_t *i, uint64_t *first, uint64_t *end)
{
    const sweep *s = context;
    /* Some case is run however little time there is, or a chain of nights would not move. */
    const bool time = sweep_seconds(s) < s->options->budget || s->result->ran == 0;
    return s->schedule && schedule_next(s->schedule, time, i, first, end);
}

static bool tick(void *context, size_t i)
{
    sweep *s = context;
    if (s->store && s->plan.item_count)
        sweep_progress(s, s->plan.items[i].test, false);
    return run_interrupted();
}

pool_sink sweep_sink(sweep *s)
{
    return (pool_sink){ .context = s,
                        .chunk = take_chunk,
                        .findings = findings_left,
                        .observe = take_observation,
                        .more = s->options->budget > 0 ? more : NULL,
                        .tick = tick };
}
