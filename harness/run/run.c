/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/run.h"

#include "harness/base/timestamp.h"
#include "harness/base/platform.h"
#include "harness/base/platform_process.h"
#include "harness/run/run_config.h"
#include "harness/run/rerun.h"
#include "harness/run/sweep.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A signal handler has no other way to say it. */
static volatile sig_atomic_t interrupted;

void run_interrupt(void)
{
    interrupted = 1;
}

static void on_interrupt(int number)
{
    (void)number;
    run_interrupt();
}

bool run_interrupted(void)
{
    return interrupted != 0;
}

void run_heed_interrupts(void)
{
    signal(SIGINT, on_interrupt);
    signal(SIGTERM, on_interrupt);
}

exit_status run_status(const run_result *r)
{
    for (int v = 0; v < VERDICT_COUNT; ++v)
        if (verdict_fails((verdict)v) && r->cases[v])
            return EXIT_FAILURES;
    if (r->planned == 0 || r->ran != r->planned || r->shuffled != r->to_shuffle || r->cases[VERDICT_UNSUPPORTED])
        return EXIT_NOT_RUN;
    return EXIT_CONFORMANT;
}

static bool sweep_begin(void *context, error *e)
{
    return sweep_begin_writing(context, e);
}

static bool add_left(void *context, size_t i, uint64_t first, uint64_t end, error *e)
{
    sweep *s = context;
    if (s->options->budget > 0)
        return s->coverage.over || ((s->schedule || night_open(s, e)) &&
                                    (schedule_left(s->schedule, i, first, end) || error_set(e, "out of memory")));
    return pool_add(s->pool, i, first, end, false, e);
}

static bool add_all(sweep *s, error *e)
{
    const size_t count = s->options->query_count;
    for (size_t i = 0; s->order && i < count; ++i)
        if (!pool_add(s->pool, s->order[i].item, s->order[i].index, s->order[i].index + 1, i + 1 < count, e))
            return false;
    for (size_t i = 0; !s->order && i < s->plan.item_count; ++i)
        if (s->items[i].planned && !pool_add(s->pool, i, s->items[i].first, s->items[i].end, false, e))
            return false;
    return true;
}

/* What comes behind the first pass. Without processes of their own, cases cannot be told from what came before. */
static bool look_again(sweep *s, const pool_sink *sink, error *e)
{
    const second_look look = { .options = s->options,
                               .plan = &s->plan,
                               .items = s->items,
                               .result = s->result,
                               .store = s->store,
                               .pool = s->pool,
                               .reproduce = s->reproduce,
                               .sink = *sink,
                               .begin = sweep_begin,
                               .done = sweep_commit_now_and_then };
    if (s->finished || s->order)
        return true;
    if (s->options->shuffle)
        s->result->to_shuffle = s->result->planned;
    if (s->options->workers == 0)
        return true;
    if (s->options->shuffle && !run_interrupted() && !shuffled_pass_run(&look, e))
        return false;
    return run_interrupted() || s->result->shuffled != s->result->to_shuffle || bisect_candidates(&look, e);
}

/* Run what was added, and write the end. */
static bool work(sweep *s, const pool_sink *sink, error *e)
{
    s->started = s->committed = platform_seconds();
    bool fine =
        pool_run(s->pool, sink, e) && sweep_commit(s, e) && (!s->schedule || night_end(s, e)) && look_again(s, sink, e);
    sweep_progress(s, NULL, true);
    error unwritten; /* what stopped the run is the news; that no more could be written is not */
    bool written = s->torn || sweep_commit(s, fine ? e : &unwritten);
    fine = fine && written;
    s->result->seconds = sweep_seconds(s);
    s->result->interrupted = run_interrupted();
    if (fine)
        return run_store_finish(s->store, &s->plan, s->items, s->result, e);
    store_set(s->store, STORE_STATE, "incomplete", &unwritten);
    return false;
}

static bool open_pool(sweep *s, error *e)
{
    const run_options *o = s->options;
    if (!(s->run_config = run_config_write(o)))
        return error_set(e, "out of memory");
    s->setup = worker_setup_of(o, &s->plan, &s->waivers, s->reproduce);
    s->setup.run_config = s->run_config;
    s->setup.began = s->began;
    const unsigned workers = s->order && o->workers ? 1 : o->workers;
    const uint64_t share = platform_machine_memory() / 4 * 3 / (workers ? workers : 1);
    const uint64_t memory = o->memory_limit == RUN_ANY_MEMORY ? 0 : o->memory_limit ? o->memory_limit : share;
    const pool_options options = { &s->setup, workers, memory, o->max_losses };
    sweep_reproducer(s);
    if (!(s->pool = pool_open(&options, &s->info, e)))
        return false;
    s->level = o->level ? o->level : s->info.highest_level;
    return true;
}

/* The file is ours from here on, until it is closed. */
static bool lock(sweep *s, error *e)
{
    s->lock = platform_lock_file(s->options->output);
    return s->lock != PLATFORM_LOCKED ||
           error_usage(e, "%s: another process is running it at this moment", s->options->output);
}

static bool sweep_run(sweep *s, error *e)
{
    const pool_sink sink = sweep_sink(s);
    if (!sweep_prepare(s, time(NULL), e) || !open_pool(s, e) || !sweep_count_planned(s, &sink, e))
        return false;
    s->result->interrupted = run_interrupted();
    if (s->result->planned == 0 || run_interrupted())
        return true;
    const bool budget = s->options->budget > 0;
    if (budget && !night_begin(s, e))
        return false;
    const run_facts facts = { s->options,
                              &s->plan,
                              s->items,
                              &s->info,
                              s->level,
                              s->reproduce,
                              s->waivers_digest,
                              budget ? &s->coverage : NULL,
                              pool_refused(s->pool)->text };
    return (s->store = run_store_create(&facts, e)) && lock(s, e) && (budget || add_all(s, e)) && work(s, &sink, e);
}

/* ---- going on ---- */

static bool same(sweep *s, const char *key, const char *now, const char *what, error *e)
{
    const char *then = store_get(s->store, key);
    return (then && strcmp(then, now) == 0) ||
           error_usage(e, "%s: was begun with %s %s; this is %s. Results of both do not go together: run again.",
                       s->options->output, what, then ? then : "?", now);
}

/* Nothing is left of it: tell what it came to, and leave the file as it is. */
static bool tell_complete(sweep *s)
{
    const char *digest = store_get(s->store, STORE_DIGEST);
    snprintf(s->result->digest, sizeof s->result->digest, "%s", digest ? digest : "");
    s->result->seconds = s->seconds_before;
    return true;
}

static bool sweep_resume(sweep *s, error *e)
{
    const pool_sink sink = sweep_sink(s);
    const char *state = store_get(s->store, STORE_STATE);
    s->finished = state && strcmp(state, "complete") == 0;
    const char *seconds = store_get(s->store, STORE_SECONDS);
    const run_options *o = s->options;
    time_t began = 0;
    s->seconds_before = seconds ? strtod(seconds, NULL) : 0;
    if (!timestamp_read(store_get(s->store, STORE_STARTED), &began))
        return error_usage(e, "%s: does not tell when it was begun; run again", s->options->output);
    if (o->budget > 0 && !coverage_of_run(&s->coverage, s->store))
        return error_usage(e, "%s: does not tell where its night began; run again", o->output);
    if (!sweep_prepare(s, began, e) || !same(s, STORE_WAIVERS_DIGEST, s->waivers_digest, "the waivers", e) ||
        !same(s, STORE_SUITE_DIGEST, s->plan.suite_digest, "the suite", e) || !open_pool(s, e) ||
        !same(s, STORE_BACKEND, s->info.name, "the backend", e) ||
        !same(s, STORE_BACKEND_VERSION, s->info.version, "the backend's version", e) ||
        !same(s, STORE_BACKEND_DRIVER, s->info.driver, "the driver", e) ||
        !same(s, STORE_BACKEND_DEVICE, s->info.device, "the device", e) ||
        !run_store_resume(s->store, &s->plan, s->items, s->result, add_left, s, e))
        return false;
    if (s->finished)
        return tell_complete(s);
    if (!store_begin(s->store, e) || !store_set(s->store, STORE_STATE, "running", e) ||
        !run_store_mine(s->store, o->workers, e) || !store_commit(s->store, e))
        return false;
    s->ran_before = s->result->ran;
    if (o->budget > 0 && !s->coverage.over) {
        if (!s->schedule && !night_open(s, e))
            return false;
        schedule_left_told(s->schedule);
    }
    return work(s, &sink, e);
}

/* ---- the interface ---- */

static sweep *sweep_new(const run_options *options, run_result *result, error *e)
{
    sweep *s = calloc(1, sizeof *s);
    memset(result, 0, sizeof *result);
    if (!s) {
        error_set(e, "out of memory");
        return NULL;
    }
    s->options = options;
    s->result = result;
    s->lock = PLATFORM_NO_LOCK;
    return s;
}

static void sweep_free(sweep *s)
{
    pool_close(s->pool);
    store_close(s->store);
    platform_unlock_file(s->lock); /* not before: to close a file lets go of SQLite's locks on it */
    for (size_t i = 0; s->items && i < s->plan.item_count; ++i)
        for (int k = 0; k < RETAINED_KINDS; ++k)
            retained_free(&s->items[i].retained[k]);
    schedule_free(s->schedule);
    free(s->items);
    free(s->order);
    free(s->run_config);
    plan_free(&s->plan);
    waivers_free(&s->waivers);
    free(s);
}

bool run_execute(const run_options *options, run_result *result, error *e)
{
    sweep *s = sweep_new(options, result, e);
    if (!s)
        return false;
    bool fine = sweep_run(s, e);
    bool nothing_ran = !fine && result->ran == 0 && s->store;
    sweep_free(s);
    if (nothing_ran)
        remove(options->output);
    return fine;
}

bool run_resume(const run_options *given, run_result *result, error *e)
{
    run_options options = *given;
    run_config r = { NULL, NULL, NULL };
    sweep *s = sweep_new(&options, result, e);
    if (!s)
        return false;
    bool fine = (s->store = store_open(given->output, e)) != NULL && lock(s, e);
    char *text = fine ? strdup(store_get(s->store, STORE_RECIPE) ? store_get(s->store, STORE_RECIPE) : "") : NULL;
    if (fine && !(text && run_config_read(&r, text, &options)))
        fine = error_usage(e, "%s: does not tell how it was begun; run again", given->output);
    if (fine && options.in_order)
        fine = error_usage(e, "%s: was run with --in-order, in one process, and cannot go on in another; run again",
                           given->output);
    if (fine && options.shuffle && options.workers == 0)
        fine = error_usage(e, "%s: has a second pass, which needs worker processes (-j 1 or more)", given->output);
    fine = fine && sweep_resume(s, e);
    free(text);
    sweep_free(s);
    run_config_free(&r);
    return fine;
}
