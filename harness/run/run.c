/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/run.h"

#include "harness/base/text.h"
#include "harness/base/timestamp.h"
#include "harness/base/platform.h"
#include "harness/base/platform_process.h"
#include "harness/execute/plugin.h"
#include "harness/run/run_config.h"
#include "harness/run/rerun.h"
#include "harness/run/run_scope.h"
#include "harness/run/run_suite.h"
#include "harness/run/sweep.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Global, because a signal handler sets it. */
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

void run_install_interrupt_handlers(void)
{
    signal(SIGINT, on_interrupt);
    signal(SIGTERM, on_interrupt);
}

uint64_t run_judged(const run_result *r)
{
    uint64_t judged = 0;
    for (int v = 0; v < VERDICT_COUNT; ++v)
        judged += v == VERDICT_PASS || v == VERDICT_WAIVED || verdict_fails((verdict)v) ? r->cases[v] : 0;
    return judged;
}

exit_status run_status(const run_result *r)
{
    for (int v = 0; v < VERDICT_COUNT; ++v)
        if (verdict_fails((verdict)v) && r->cases[v])
            return EXIT_FAILURES;
    if (r->planned == 0 || r->ran != r->planned || r->shuffled != r->to_shuffle || r->cases[VERDICT_UNSUPPORTED] ||
        r->absent || run_judged(r) == 0)
        return EXIT_NOT_RUN;
    return EXIT_CONFORMANT;
}

static bool add_unfinished(void *context, size_t i, uint64_t first, uint64_t end, error *e)
{
    sweep *s = context;
    sweep_session *session = &s->session;
    if (s->options->budget > 0)
        return session->coverage.over ||
               ((session->schedule || session_open(s, e)) &&
                (schedule_add_gap(session->schedule, i, first, end) || error_set(e, "out of memory")));
    return pool_add(s->pool, i, first, end, false, e);
}

/* Add the tests whose cases need a new process each, or all others. */
static bool add_tests(sweep *s, bool fresh, error *e)
{
    for (size_t i = 0; i < s->plan.tests.item_count; ++i) {
        const run_item *item = &s->plan.items[i];
        if (item->planned && s->plan.tests.items[i].test->fresh == fresh &&
            !pool_add(s->pool, i, item->first, item->end, false, e))
            return false;
    }
    return true;
}

/* Tests whose cases need new processes come last: a worker that ends in between would leave the next one to map its
   memory and to ask about classes again. */
static bool add_all(sweep *s, error *e)
{
    const size_t count = s->options->query_count;
    const run_case *order = s->plan.order;
    for (size_t i = 0; order && i < count; ++i)
        if (!pool_add(s->pool, order[i].item, order[i].index, order[i].index + 1, i + 1 < count, e))
            return false;
    return order || (add_tests(s, false, e) && add_tests(s, true, e));
}

static bool begin_writing(void *context, error *e)
{
    sweep *s = context;
    return run_file_begin(&s->file, e);
}

static bool end_writing(void *context, error *e)
{
    sweep *s = context;
    return run_file_commit_if_due(&s->file, e);
}

/* Look at the failures again. This never decides the run: an error is reported beside the verdict, unless it is the run
   file that cannot be written. */
static bool look_again(sweep *s, const rerun_phase *phase, bool (*look)(const rerun_phase *phase, error *e),
                       const char *what, error *e)
{
    error own, unwritten;
    if (run_interrupted() || look(phase, &own))
        return true;
    const char *before = store_get(s->file.store, STORE_LOOKS);
    text said = { .data = NULL };
    text_format(&said, "%s%s%s ended early: %s", before ? before : "", before && *before ? "; " : "", what, own.text);
    const bool fine = !said.failed && !s->file.torn && run_file_begin(&s->file, &unwritten) &&
                      store_set(s->file.store, STORE_LOOKS, said.data, &unwritten) &&
                      run_file_commit(&s->file, &unwritten);
    text_free(&said);
    if (!fine)
        *e = own;
    return fine;
}

/* Rerun cases after the ordered pass. Without worker processes there is no rerun phase, because no case can be executed
   in a new process. */
static bool run_rerun_phase(sweep *s, const pool_sink *sink, error *e)
{
    run_result *r = s->result;
    const rerun_phase phase = { .options = s->options,
                                .plan = &s->plan.tests,
                                .items = s->plan.items,
                                .result = r,
                                .store = s->file.store,
                                .pool = s->pool,
                                .level = s->level,
                                .reproduce = s->reproduce,
                                .sink = *sink,
                                .begin = begin_writing,
                                .done = end_writing };
    if (s->finished || s->plan.order)
        return true;
    if (s->options->shuffle)
        r->to_shuffle = r->planned;
    if (s->options->workers == 0)
        return true;
    if (s->options->shuffle && !run_interrupted() && !shuffled_pass_run(&phase, e))
        return false;
    if (run_interrupted() || r->shuffled != r->to_shuffle)
        return true;
    return look_again(s, &phase, bisect_candidates, "the search for what failures depend on", e) &&
           look_again(s, &phase, reduce_findings, "the search for the parameters that matter", e) &&
           look_again(s, &phase, shrink_findings, "the search for smaller cases", e);
}

/* Run the cases that were added to the pool, and finish the run file. */
static bool work(sweep *s, const pool_sink *sink, error *e)
{
    s->file.started = s->file.committed = platform_seconds();
    bool fine = pool_run(s->pool, sink, e) && run_file_commit(&s->file, e) &&
                (!s->session.schedule || session_end(s, e)) && run_rerun_phase(s, sink, e);
    sweep_progress(s, NULL, true);
    error unwritten; /* the error that stopped the run is reported, not that the file could not be written after it */
    bool written = s->file.torn || run_file_commit(&s->file, fine ? e : &unwritten);
    fine = fine && written;
    s->result->seconds = run_file_seconds(&s->file);
    s->result->interrupted = run_interrupted();
    if (fine) {
        fine = run_store_finish(s->file.store, &s->plan.tests, s->plan.items, s->result, e);
        s->result->displaced = store_is_displaced(s->file.store);
        return fine;
    }
    store_set(s->file.store, STORE_STATE, "incomplete", &unwritten);
    return false;
}

/* From here on the options name the operators that are planned, so that others which are added later do not change what
   the run is when it is resumed. */
static bool plan_run(sweep *s, time_t began, error *e)
{
    const plan *tests = &s->plan.tests;
    const bool fine = sweep_plan_make(&s->plan, s->options, began, e);
    memcpy(s->result->suite_digest, tests->suite_digest, sizeof s->result->suite_digest);
    s->own = *s->options;
    s->own.operators = (const char *const *)tests->operators;
    s->own.operator_count = tests->file_count;
    s->options = &s->own;
    return fine;
}

static bool open_pool(sweep *s, error *e)
{
    const run_options *o = s->options;
    if (!(s->run_config = run_config_write(o)) || !(s->reproduce = sweep_plan_reproducer(o)))
        return error_set(e, "out of memory");
    s->setup = worker_setup_of(o, &s->plan.tests, &s->plan.waivers, s->reproduce);
    s->setup.run_config = s->run_config;
    s->setup.began = s->plan.began;
    const unsigned workers = s->plan.order && o->workers ? 1 : o->workers;
    if (o->limits.memory == CASE_MEMORY_SHARE) {
        const uint64_t share = platform_machine_memory() / 4 * 3 / (workers ? workers : 1);
        s->setup.limits.memory = share ? share : CASE_MEMORY_UNLIMITED; /* 0: the memory of the machine is unknown */
    }
    const pool_options options = { &s->setup, workers, sweep_store_printed, s };
    if (!(s->pool = pool_open(&options, &s->info, e)))
        return false;
    s->level = o->level ? o->level : s->info.highest_level;
    return true;
}

/* Find what the run file stores about the scope of the run. The caller frees *written. */
static bool find_scope(sweep *s, char **written, error *e)
{
    const run_scope scope = {
        s->options, &s->plan.tests, s->plan.items, &s->info, s->level, pool_refused(s->pool)->text
    };
    scope_facts facts;
    const bool fine = run_scope_find(&scope, &facts, e);
    s->result->absent = scope_facts_absent(&facts);
    *written = fine ? scope_facts_write(&facts) : NULL;
    scope_facts_free(&facts);
    return fine && (*written || error_set(e, "out of memory"));
}

static bool sweep_run(sweep *s, error *e)
{
    const pool_sink sink = sweep_sink(s);
    run_result *r = s->result;
    if (!plugin_exists(s->options->backend, e) || !plan_run(s, time(NULL), e) || !open_pool(s, e) ||
        !sweep_plan_count(&s->plan, s->pool, &sink, &r->planned, e))
        return false;
    r->interrupted = run_interrupted();
    if (r->planned == 0 || run_interrupted())
        return true;
    if (!find_scope(s, &s->scope, e))
        return false;
    r->interrupted = run_interrupted();
    if (r->interrupted)
        return true;
    const bool budget = s->options->budget > 0;
    if (budget && !session_begin(s, e))
        return false;
    const run_facts facts = { s->options,
                              &s->plan.tests,
                              s->plan.items,
                              &s->info,
                              s->level,
                              s->reproduce,
                              s->plan.waivers_digest,
                              budget ? &s->session.coverage : NULL,
                              pool_refused(s->pool)->text,
                              s->scope };
    if (!budget)
        pool_hold(s->pool, facts.refused ? facts.refused : "");
    return (s->file.store = run_store_create(&facts, e)) && run_file_lock(&s->file, s->options->output, e) &&
           (budget || add_all(s, e)) && work(s, &sink, e);
}

/* ---- resume ---- */

static bool same_as_before(sweep *s, const char *key, const char *now, const char *what, error *e)
{
    const char *then = store_get(s->file.store, key);
    return (then && strcmp(then, now) == 0) ||
           error_usage(e, "%s: was started with %s %s; this is %s. Their results cannot be combined: run again.",
                       s->options->output, what, then ? then : "?", now);
}

/* Are the operators of the run what they were when it was started? */
static bool same_suite(sweep *s, error *e)
{
    char names[RUN_SUITE_NAMES];
    run_suite suite;
    bool fine = run_suite_read(&suite, s->file.store, e);
    if (fine && run_suite_changed(&suite, names))
        fine = error_usage(e,
                           "%s: was started with other cases or another reference of %s than those of this program. "
                           "Their results cannot be combined: run again.",
                           s->options->output, names);
    run_suite_free(&suite);
    return fine;
}

static bool same_setup(sweep *s, error *e)
{
    return same_as_before(s, STORE_BACKEND, s->info.name, "the backend", e) &&
           same_as_before(s, STORE_BACKEND_VERSION, s->info.version, "the backend's version", e) &&
           same_as_before(s, STORE_BACKEND_DRIVER, s->info.driver, "the driver", e) &&
           same_as_before(s, STORE_BACKEND_DEVICE, s->info.device, "the device", e);
}

/* The run has no cases left: report its result, and leave the file unchanged. */
static bool report_complete(sweep *s)
{
    const char *digest = store_get(s->file.store, STORE_DIGEST);
    snprintf(s->result->digest, sizeof s->result->digest, "%s", digest ? digest : "");
    s->result->seconds = s->file.seconds_before;
    s->result->was_complete = true;
    return true;
}

static bool sweep_resume(sweep *s, error *e)
{
    const pool_sink sink = sweep_sink(s);
    const run_options *o = s->options;
    sweep_session *session = &s->session;
    store *run = s->file.store;
    time_t began = 0;
    const char *state = store_get(run, STORE_STATE); /* valid until the next store_get */
    s->finished = state && strcmp(state, "complete") == 0;
    const char *seconds = store_get(run, STORE_SECONDS);
    s->file.seconds_before = seconds ? strtod(seconds, NULL) : 0;
    if (!timestamp_read(store_get(run, STORE_STARTED), &began))
        return error_usage(e, "%s: does not record when it was started; run again", o->output);
    if (o->budget > 0 && !coverage_of_run(&session->coverage, run))
        return error_usage(e, "%s: does not record where its session started; run again", o->output);
    if (!same_suite(s, e) || !plan_run(s, began, e) ||
        !same_as_before(s, STORE_WAIVERS_DIGEST, s->plan.waivers_digest, "the waivers", e) || !open_pool(s, e) ||
        !same_setup(s, e) || !run_store_resume(run, &s->plan.tests, s->plan.items, s->result, add_unfinished, s, e))
        return false;
    scope_facts facts;
    const bool known = scope_facts_read(&facts, store_get(run, STORE_SCOPE));
    s->result->absent = scope_facts_absent(&facts);
    scope_facts_free(&facts);
    if (!known)
        return error_usage(e, "%s: what it says about its scope cannot be read; run again", o->output);
    if (s->finished)
        return report_complete(s);
    const char *refused = store_get(run, STORE_REFUSED);
    s->refused = strdup(refused ? refused : "");
    if (s->refused && o->budget <= 0)
        pool_hold(s->pool, s->refused);
    if (!store_begin(run, e) || !store_set(run, STORE_STATE, "running", e) || !store_set(run, STORE_DIGEST, "", e) ||
        !run_store_set_process(run, o->workers, e) || !store_commit(run, e))
        return false;
    s->ran_before = s->result->ran;
    if (o->budget > 0 && !session->coverage.over) {
        if (!session->schedule && !session_open(s, e))
            return false;
        schedule_resume(session->schedule);
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
    run_file_init(&s->file);
    return s;
}

static void sweep_free(sweep *s)
{
    pool_close(s->pool);
    run_file_close(&s->file);
    schedule_free(s->session.schedule);
    sweep_plan_free(&s->plan);
    free(s->run_config);
    free(s->scope);
    free(s->reproduce);
    free(s->refused);
    free(s);
}

bool run_execute(const run_options *options, run_result *result, error *e)
{
    sweep *s = sweep_new(options, result, e);
    if (!s)
        return false;
    bool fine = sweep_run(s, e);
    bool nothing_ran = !fine && result->ran == 0 && s->file.store && !store_is_displaced(s->file.store);
    sweep_free(s);
    if (nothing_ran)
        remove(options->output);
    return fine;
}

bool run_resume(const run_options *given, run_result *result, error *e)
{
    run_options options = *given;
    run_config r = { .root = NULL };
    sweep *s = sweep_new(&options, result, e);
    if (!s)
        return false;
    bool fine = (s->file.store = store_open(given->output, e)) != NULL && run_file_lock(&s->file, given->output, e);
    const char *stored = fine ? store_get(s->file.store, STORE_RUN_CONFIG) : NULL;
    char *recipe = fine ? strdup(stored ? stored : "") : NULL;
    if (fine && !(recipe && run_config_read(&r, recipe, &options)))
        fine = error_usage(e, "%s: does not record the options that it was started with; run again", given->output);
    if (fine && options.in_order)
        fine = error_usage(
            e, "%s: was run with --in-order, in one process, and cannot be resumed in another one; run again",
            given->output);
    if (fine && options.shuffle && options.workers == 0)
        fine = error_usage(e, "%s: has a shuffled pass, which needs worker processes (-j 1 or more)", given->output);
    fine = fine && sweep_resume(s, e);
    free(recipe);
    sweep_free(s);
    run_config_free(&r);
    return fine;
}
