/* SPDX-License-Identifier: Apache-2.0 */
/* Where the results of the workers go: into the run file, and into the progress line. */
#include "harness/run/sweep.h"

#include "harness/base/platform.h"
#include "harness/base/text.h"
#include "harness/base/visible.h"
#include "harness/model/fill.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROGRESS_SECONDS 0.25

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
    const double used = run_file_seconds(&s->file);
    double rate = (double)(r->ran - s->ran_before) / (now - s->file.started + 1e-9);
    uint64_t failures = 0;
    for (int v = 0; v < VERDICT_COUNT; ++v)
        failures += verdict_fails((verdict)v) ? r->cases[v] : 0;
    double left = rate > 0 ? (double)(r->planned - r->ran) / rate : 0;
    if (r->to_shuffle) {
        fprintf(stderr, "\r\033[Kshuffled pass: %s:%s  %" PRIu64 " of %" PRIu64 "  %" PRIu64 " changed",
                t->file->op->name, t->name, r->shuffled, r->to_shuffle, r->changed);
        fflush(stderr);
        return;
    }
    if (s->options->budget > 0 && left > s->options->budget - used)
        left = used < s->options->budget ? s->options->budget - used : 0;
    if (s->session.coverage.endless) {
        fprintf(stderr, "\r\033[K%s:%s  %" PRIu64 "  %.2f M/s  %" PRIu64 " failed  %d:%02d left", t->file->op->name,
                t->name, r->ran, rate / 1e6, failures, (int)left / 60, (int)left % 60);
        fflush(stderr);
        return;
    }
    fprintf(stderr, "\r\033[K%s:%s  %" PRIu64 " of %" PRIu64 "  %.2f M/s  %" PRIu64 " failed  %d:%02d left",
            t->file->op->name, t->name, r->ran, r->planned, rate / 1e6, failures, (int)left / 60, (int)left % 60);
    fflush(stderr);
}

/* The command of a case that --in-order ran behind others repeats these before it. */
static bool keep_order(const sweep *s, size_t item, store_finding *f, error *e)
{
    const run_case *order = s->plan.order;
    size_t place = 0;
    text old = { .data = NULL }, line = { .data = NULL };
    while (place < s->options->query_count && (order[place].item != item || order[place].index != f->index))
        ++place;
    if (place == 0 || place == s->options->query_count || !f->case_id || !f->reproducer)
        return true;
    text_add(&old, "touchstone run ");
    text_shell(&old, f->case_id);
    text_add(&line, "touchstone run --in-order");
    for (size_t k = 0; k <= place; ++k) {
        text_add(&line, " ");
        text_shell(&line, s->options->queries[k]);
    }
    const bool begins = !old.failed && strncmp(f->reproducer, old.data, old.length) == 0;
    text_add(&line, begins ? f->reproducer + old.length : "");
    const bool failed = old.failed || line.failed;
    text_free(&old);
    if (failed || !begins) {
        text_free(&line);
        return error_set(e, failed ? "out of memory" : "the reproducer of %s begins with another command", f->case_id);
    }
    free((char *)(uintptr_t)f->reproducer);
    f->reproducer = line.data; /* freed with the finding */
    return true;
}

static bool store_chunk(void *context, size_t i, chunk *c, error *e)
{
    sweep *s = context;
    for (size_t k = 0; s->plan.order && k < c->finding_count; ++k)
        if (!keep_order(s, i, &c->findings[k], e))
            return false;
    for (size_t k = 0; k < c->cases; ++k)
        s->result->cases[c->verdicts[k]]++;
    s->result->ran += c->cases;
    store_has_results(s->file.store);
    bool fine = run_file_begin(&s->file, e) && run_store_chunk(s->file.store, &s->plan.tests, s->plan.items, i, c, e);
    s->file.torn |= !fine;
    return fine && run_file_commit_if_due(&s->file, e);
}

static uint64_t findings_left(void *context, size_t i, uint64_t first, bool waived)
{
    const sweep *s = context;
    return retained_room(&s->plan.items[i].retained[waived ? RETAINED_WAIVED : RETAINED_FAILING], first);
}

/* Was this not printed before? The run file counts how often it happened. */
static bool is_news(sweep *s, size_t item, const char *kind)
{
    uint64_t line = fill_mix(item + 1);
    for (const char *c = kind; *c; ++c)
        line = fill_mix(line ^ (unsigned char)*c);
    for (size_t k = 0; k < SWEEP_TOLD; ++k)
        if (s->told[k] == line)
            return false;
    s->told[s->told_count++ % SWEEP_TOLD] = line;
    return true;
}

static bool store_observed(void *context, size_t i, const char *kind, error *e)
{
    sweep *s = context;
    const store_observation row = { (int64_t)i + 1, kind, 1, NULL, NULL };
    const case_test *t = s->plan.tests.items[i].test;
    if (!s->file.store) /* no file exists while cases are counted */
        return true;
    sweep_progress(s, NULL, true);
    if (is_news(s, i, kind))
        visible_print(stderr, "%s:%s: %s\n", t->file->op->name, t->name, kind);
    s->result->gave_up |= strncmp(kind, "given up", 8) == 0;
    return run_file_begin(&s->file, e) && store_add_observation(s->file.store, &row, e);
}

bool sweep_store_printed(void *context, printed *p, uint64_t process, error *e)
{
    sweep *s = context;
    if (!s->file.store || s->finished || !printed_has_news(p)) /* no file exists while cases are counted */
        return true;
    if (!run_file_begin(&s->file, e) ||
        (!s->counted_printed && !store_last_printed(s->file.store, &s->printed_before, e)))
        return false;
    s->counted_printed = true;
    return printed_store(p, s->file.store, s->printed_before + process, e);
}

static bool next_range(void *context, size_t *i, uint64_t *first, uint64_t *end)
{
    const sweep *s = context;
    /* A session runs at least one case, however short its budget is. Otherwise a chain of sessions might not advance.
     */
    const bool time = run_file_seconds(&s->file) < s->options->budget || s->result->ran == 0;
    return s->session.schedule && schedule_next(s->session.schedule, time, i, first, end);
}

static void count_time(void *context, size_t i, double seconds)
{
    const sweep *s = context;
    if (s->session.schedule)
        schedule_spent(s->session.schedule, i, seconds);
}

static bool tick(void *context, size_t i)
{
    sweep *s = context;
    if (s->file.store && s->plan.tests.item_count)
        sweep_progress(s, s->plan.tests.items[i].test, false);
    return run_interrupted();
}

pool_sink sweep_sink(sweep *s)
{
    return (pool_sink){ .context = s,
                        .chunk = store_chunk,
                        .findings = findings_left,
                        .observe = store_observed,
                        .next_range = s->options->budget > 0 ? next_range : NULL,
                        .spent = count_time,
                        .tick = tick };
}
