/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run.h"

#include "harness/budget.h"
#include "harness/moment.h"
#include "harness/platform.h"
#include "harness/platform_process.h"
#include "harness/pool.h"
#include "harness/query.h"
#include "harness/recipe.h"
#include "harness/run_store.h"
#include "harness/second_look.h"
#include "harness/tensor.h"
#include "harness/waivers.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is done reaches the file so often, all at once. */
#define COMMIT_SECONDS   0.25
#define PROGRESS_SECONDS 0.25

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
    if (r->owed == 0 || r->ran != r->owed || r->shuffled != r->to_shuffle || r->cases[VERDICT_UNSUPPORTED])
        return EXIT_NOT_RUN;
    return EXIT_CONFORMANT;
}

/* A case that is to be run by itself. */
typedef struct run_case {
    size_t item;
    uint64_t index;
} run_case;

typedef struct sweep {
    const run_options *options;
    run_result *result;
    plan plan;
    run_item *items;
    run_case *order; /* of --in-order, one for each query; NULL without */
    waivers waivers;
    char waivers_digest[33]; /* or "" */
    worker_setup setup;
    char *recipe;   /* of it */
    time_t began;
    pool *pool;
    ts_info info;
    ts_level level; /* judged at */
    store *store;
    bool finished;  /* it was complete when it was opened */
    bool writing;   /* a transaction is open */
    bool torn;      /* and holds half a chunk */
    rolling *rolling; /* with a budget: what is still to be begun of tonight's share */
    coverage coverage;
    int lock;       /* on the file: nobody else goes on with it meanwhile */
    double started, committed, shown;
    double seconds_before; /* of a run that is gone on with */
    uint64_t ran_before;
    char reproduce[600];
} sweep;

/* Of running, over all times that it was gone on with: what a budget counts. */
static double seconds_used(const sweep *s)
{
    return s->seconds_before + platform_seconds() - s->started;
}

static void show_progress(sweep *s, const case_test *t, bool last)
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
    double left = rate > 0 ? (double)(r->owed - r->ran) / rate : 0;
    if (r->to_shuffle) {
        fprintf(stderr, "\r\033[Ksecond pass: %s:%s  %" PRIu64 " of %" PRIu64 "  %" PRIu64 " came out otherwise",
                t->file->op->name, t->name, r->shuffled, r->to_shuffle, r->came_out_otherwise);
        fflush(stderr);
        return;
    }
    if (s->options->budget > 0 && left > s->options->budget - seconds_used(s))
        left = seconds_used(s) < s->options->budget ? s->options->budget - seconds_used(s) : 0;
    fprintf(stderr, "\r\033[K%s:%s  %" PRIu64 " of %" PRIu64 "  %.2f M/s  %" PRIu64 " failed  %d:%02d left",
            t->file->op->name, t->name, r->ran, r->owed, rate / 1e6, failures, (int)left / 60, (int)left % 60);
    fflush(stderr);
}

/* ---- what the workers tell ---- */

static bool begin_writing(sweep *s, error *e)
{
    if (!s->writing && store_begin(s->store, e))
        s->writing = true;
    return s->writing;
}

static bool commit(sweep *s, error *e)
{
    if (!s->writing)
        return true;
    s->writing = false;
    s->committed = platform_seconds();
    return run_store_seconds(s->store, seconds_used(s), e) && store_commit(s->store, e);
}

static bool begin(void *context, error *e)
{
    return begin_writing(context, e);
}

static bool commit_now_and_then(void *context, error *e)
{
    sweep *s = context;
    return platform_seconds() - s->committed < COMMIT_SECONDS || commit(s, e);
}

static bool take_chunk(void *context, size_t i, chunk *c, error *e)
{
    sweep *s = context;
    for (size_t k = 0; k < c->cases; ++k)
        s->result->cases[c->verdicts[k]]++;
    s->result->ran += c->cases;
    bool fine = begin_writing(s, e) && run_store_chunk(s->store, &s->plan, s->items, i, c, e);
    s->torn |= !fine;
    return fine && commit_now_and_then(s, e);
}

static uint64_t findings_left(void *context, size_t i, uint64_t first, bool waived)
{
    const sweep *s = context;
    return kept_room(&s->items[i].kept[waived ? KEPT_WAIVED : KEPT_FAILING], first);
}

static bool take_observation(void *context, size_t i, const char *kind, error *e)
{
    sweep *s = context;
    const store_observation row = { (int64_t)i + 1, kind, 1, NULL, NULL };
    const case_test *t = s->plan.items[i].test;
    if (!s->store) /* while cases are counted */
        return true;
    show_progress(s, NULL, true);
    fprintf(stderr, "%s:%s: %s\n", t->file->op->name, t->name, kind);
    s->result->gave_up |= strncmp(kind, "given up", 8) == 0;
    return begin_writing(s, e) && store_add_observation(s->store, &row, e);
}

static bool more(void *context, size_t *i, uint64_t *first, uint64_t *end)
{
    const sweep *s = context;
    /* Some case is run however little time there is, or a chain of nights would not move. */
    const bool time = seconds_used(s) < s->options->budget || s->result->ran == 0;
    return s->rolling && rolling_next(s->rolling, time, i, first, end);
}

static bool tick(void *context, size_t i)
{
    sweep *s = context;
    if (s->store && s->plan.item_count)
        show_progress(s, s->plan.items[i].test, false);
    return interrupted != 0;
}

static pool_sink sink_of(sweep *s)
{
    return (pool_sink){ .context = s,
                        .chunk = take_chunk,
                        .findings = findings_left,
                        .observe = take_observation,
                        .more = s->options->budget > 0 ? more : NULL,
                        .tick = tick };
}

static void make_reproducer(sweep *s)
{
    size_t used = (size_t)snprintf(s->reproduce, sizeof s->reproduce, "-b %s", s->options->backend);
    for (size_t i = 0; i < s->options->backend_option_count && used < sizeof s->reproduce; ++i)
        used += (size_t)snprintf(s->reproduce + used, sizeof s->reproduce - used, " --backend-opt %s=%s",
                                 s->options->backend_options[i].key, s->options->backend_options[i].value);
    if (s->options->profile == TS_PROFILE_NUMPY && used < sizeof s->reproduce)
        used += (size_t)snprintf(s->reproduce + used, sizeof s->reproduce - used, " --profile numpy");
    if (s->options->level && used < sizeof s->reproduce)
        used += (size_t)snprintf(s->reproduce + used, sizeof s->reproduce - used, " --feature-level %s",
                                 tensor_level_name(s->options->level));
    if (s->options->time_limit != RUN_TIME_LIMIT && used < sizeof s->reproduce)
        used += (size_t)snprintf(s->reproduce + used, sizeof s->reproduce - used, " --time-limit %gs",
                                 s->options->time_limit);
    if (s->options->memory_limit && s->options->memory_limit != RUN_ANY_MEMORY && used < sizeof s->reproduce)
        snprintf(s->reproduce + used, sizeof s->reproduce - used, " --memory-limit %" PRIu64, s->options->memory_limit);
}


/* ---- before and after ---- */

/* The part of a range that this shard has: all parts together are the range, none is larger than another by more than
   one index. */
static void take_shard(const run_options *o, const plan_item *item, run_item *mine)
{
    uint64_t length = item->end - item->first, n = o->shards;
    mine->first = item->first;
    mine->end = item->end;
    if (n == 0)
        return;
    uint64_t each = length / n, more = length % n, k = o->shard - 1;
    mine->first = item->first + each * k + (k < more ? k : more);
    mine->end = mine->first + each + (k < more);
}

/* Those that had expired when the run began stay out of it, and the others in it, however long it takes. */
static bool load_waivers(sweep *s, time_t began, error *e)
{
    if (!s->options->waivers)
        return true;
    if (!waivers_load(&s->waivers, s->options->waivers, began, e))
        return false;
    waivers_digest(&s->waivers, s->waivers_digest);
    return true;
}

/* The cases that the queries of --in-order name, in their order. */
static bool find_order(sweep *s, error *e)
{
    const run_options *o = s->options;
    if (!(s->order = calloc(o->query_count + 1, sizeof *s->order)))
        return error_set(e, "out of memory");
    for (size_t k = 0; k < o->query_count; ++k) {
        query q;
        run_case *c = &s->order[k];
        if (!query_parse(o->queries[k], &q, e))
            return false;
        while (c->item < s->plan.item_count &&
               (strcmp(s->plan.items[c->item].test->file->op->name, q.op) != 0 ||
                strcmp(s->plan.items[c->item].test->name, q.test) != 0))
            ++c->item;
        if (!q.exact || c->item == s->plan.item_count)
            return error_usage(e, "--in-order: '%s' is no id of a case: expected OPERATOR:TEST:PARAMETERS, without *",
                               o->queries[k]);
        if (!space_parse_id(s->plan.items[c->item].test->space, q.parameters, &c->index, e))
            return false;
        for (size_t i = 0; i < k; ++i)
            if (s->order[i].item == c->item && s->order[i].index == c->index)
                return error_usage(e, "--in-order: '%s' is named twice; --repeat executes a case more than once",
                                   o->queries[k]);
    }
    return true;
}

static bool prepare(sweep *s, time_t began, error *e)
{
    const run_options *o = s->options;
    s->began = began;
    if (!load_waivers(s, began, e) || !plan_make(&s->plan, o->queries, o->query_count, o->tier, e))
        return false;
    memcpy(s->result->suite_digest, s->plan.suite_digest, sizeof s->result->suite_digest);
    if (!(s->items = calloc(s->plan.item_count + 1, sizeof *s->items)))
        return error_set(e, "out of memory");
    for (size_t i = 0; i < s->plan.item_count; ++i) {
        take_shard(o, &s->plan.items[i], &s->items[i]);
        for (int k = 0; k < KEPT_KINDS; ++k)
            kept_init(&s->items[i].kept[k], o->max_findings);
    }
    return !o->in_order || find_order(s, e);
}

static bool count_owed(sweep *s, const pool_sink *sink, error *e)
{
    size_t n = s->plan.item_count;
    uint64_t *numbers = calloc(3 * n + 1, sizeof *numbers);
    if (!numbers)
        return error_set(e, "out of memory");
    for (size_t i = 0; i < n; ++i) {
        numbers[i] = s->items[i].first;
        numbers[n + i] = s->items[i].end;
    }
    bool fine = pool_count(s->pool, numbers, numbers + n, numbers + 2 * n, sink, e);
    for (size_t i = 0; fine && i < n; ++i)
        s->result->owed += s->items[i].owed = numbers[2 * n + i];
    free(numbers);
    return fine;
}

/* ---- with a budget ---- */

/* From where tonight's share begins; what is owed is known. */
static bool open_rolling(sweep *s, error *e)
{
    if (!(s->rolling = rolling_new(s->items, s->plan.item_count, s->coverage.key)))
        return error_set(e, "out of memory");
    rolling_begin(s->rolling, s->coverage.first, budget_most(&s->coverage, s->options->budget));
    return true;
}

/* Find out where it begins. */
static bool begin_night(sweep *s, error *e)
{
    const run_options *o = s->options;
    bool anew;
    rolling_key(&s->plan, s->items, o, &s->info, s->level, s->coverage.key);
    s->coverage.total = s->result->owed;
    s->coverage.portions = rolling_portions(s->items, s->plan.item_count);
    if (!budget_place(&s->coverage, o, &anew, e))
        return false;
    if (anew)
        fprintf(stderr, "what is owed is not what it was in the night before: coverage begins anew\n");
    return open_rolling(s, e);
}

/* How many cases the portions have that tonight began of an item. */
static bool count_begun(sweep *s, size_t item, uint64_t *owed, error *e)
{
    const pool_sink sink = sink_of(s);
    const size_t n = s->plan.item_count;
    uint64_t *numbers = calloc(3 * n + 1, sizeof *numbers); /* first, end, owed */
    bool fine = numbers ? true : error_set(e, "out of memory");
    *owed = 0;
    for (uint64_t place = s->coverage.first; fine && place < rolling_place(s->rolling); ++place) {
        size_t own;
        uint64_t first, end;
        rolling_at(s->rolling, place, &own, &first, &end);
        if (own != item)
            continue;
        numbers[item] = first;
        numbers[n + item] = end;
        fine = pool_count(s->pool, numbers, numbers + n, numbers + 2 * n, &sink, e);
        *owed += numbers[2 * n + item];
    }
    free(numbers);
    return fine;
}

/* What was begun is done, but for tests that were given up: that, and no more, was tonight's share. */
static bool end_night(sweep *s, error *e)
{
    if (s->coverage.over || pool_ended_early(s->pool))
        return true;
    uint64_t owed = 0;
    bool fine = true;
    for (size_t i = 0; fine && i < s->plan.item_count; ++i) {
        uint64_t begun = s->items[i].ran;
        fine = (!pool_gave_up(s->pool, i) || count_begun(s, i, &begun, e)) && begin_writing(s, e) &&
               store_set_owed(s->store, (int64_t)i + 1, begun, e);
        s->items[i].owed = begun;
        owed += begun;
    }
    s->result->owed = owed;
    budget_end(&s->coverage, rolling_place(s->rolling), s->result->ran);
    return fine && begin_writing(s, e) && run_store_coverage(s->store, &s->coverage, e) && commit(s, e);
}

static bool add_left(void *context, size_t i, uint64_t first, uint64_t end, error *e)
{
    sweep *s = context;
    if (s->options->budget > 0)
        return s->coverage.over ||
               ((s->rolling || open_rolling(s, e)) && (rolling_left(s->rolling, i, first, end) ||
                                                       error_set(e, "out of memory")));
    return pool_add(s->pool, i, first, end, false, e);
}

static bool add_all(sweep *s, error *e)
{
    const size_t count = s->options->query_count;
    for (size_t i = 0; s->order && i < count; ++i)
        if (!pool_add(s->pool, s->order[i].item, s->order[i].index, s->order[i].index + 1, i + 1 < count, e))
            return false;
    for (size_t i = 0; !s->order && i < s->plan.item_count; ++i)
        if (s->items[i].owed && !pool_add(s->pool, i, s->items[i].first, s->items[i].end, false, e))
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
                               .begin = begin,
                               .done = commit_now_and_then };
    if (s->finished || s->order)
        return true;
    if (s->options->shuffle)
        s->result->to_shuffle = s->result->owed;
    if (s->options->workers == 0)
        return true;
    if (s->options->shuffle && !interrupted && !second_pass_run(&look, e))
        return false;
    return interrupted || s->result->shuffled != s->result->to_shuffle || examine_suspects(&look, e);
}

/* Run what was added, and write the end. */
static bool work(sweep *s, const pool_sink *sink, error *e)
{
    s->started = s->committed = platform_seconds();
    bool fine = pool_run(s->pool, sink, e) && commit(s, e) && (!s->rolling || end_night(s, e)) &&
                look_again(s, sink, e);
    show_progress(s, NULL, true);
    error unwritten; /* what stopped the run is the news; that no more could be written is not */
    bool written = s->torn || commit(s, fine ? e : &unwritten);
    fine = fine && written;
    s->result->seconds = seconds_used(s);
    s->result->interrupted = interrupted != 0;
    if (fine)
        return run_store_finish(s->store, &s->plan, s->items, s->result, e);
    store_set(s->store, STORE_STATE, "incomplete", &unwritten);
    return false;
}

static bool open_pool(sweep *s, error *e)
{
    const run_options *o = s->options;
    if (!(s->recipe = recipe_write(o)))
        return error_set(e, "out of memory");
    const worker_setup setup = { .plan = &s->plan,
                                 .backend = o->backend,
                                 .backend_options = o->backend_options,
                                 .backend_option_count = o->backend_option_count,
                                 .level = o->level,
                                 .profile = o->profile,
                                 .waivers = o->waivers ? &s->waivers : NULL,
                                 .reproduce = s->reproduce,
                                 .time_limit = o->time_limit,
                                 .repeat = o->repeat,
                                 .recipe = s->recipe,
                                 .began = s->began };
    s->setup = setup;
    const unsigned workers = s->order && o->workers ? 1 : o->workers;
    const uint64_t share = platform_machine_memory() / 4 * 3 / (workers ? workers : 1);
    const uint64_t memory = o->memory_limit == RUN_ANY_MEMORY ? 0 : o->memory_limit ? o->memory_limit : share;
    const pool_options options = { &s->setup, workers, memory, o->max_losses };
    make_reproducer(s);
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
    const pool_sink sink = sink_of(s);
    if (!prepare(s, time(NULL), e) || !open_pool(s, e) || !count_owed(s, &sink, e))
        return false;
    s->result->interrupted = interrupted != 0;
    if (s->result->owed == 0 || interrupted)
        return true;
    const bool budget = s->options->budget > 0;
    if (budget && !begin_night(s, e))
        return false;
    const run_facts facts = { s->options, &s->plan, s->items, &s->info, s->level, s->reproduce, s->waivers_digest,
                              budget ? &s->coverage : NULL, pool_refused(s->pool)->text };
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
    const pool_sink sink = sink_of(s);
    const char *state = store_get(s->store, STORE_STATE);
    s->finished = state && strcmp(state, "complete") == 0;
    const char *seconds = store_get(s->store, STORE_SECONDS);
    const run_options *o = s->options;
    time_t began = 0;
    s->seconds_before = seconds ? strtod(seconds, NULL) : 0;
    if (!moment_read(store_get(s->store, STORE_STARTED), &began))
        return error_usage(e, "%s: does not tell when it was begun; run again", s->options->output);
    if (o->budget > 0 && !coverage_of_run(&s->coverage, s->store))
        return error_usage(e, "%s: does not tell where its night began; run again", o->output);
    if (!prepare(s, began, e) || !same(s, STORE_WAIVERS_DIGEST, s->waivers_digest, "the waivers", e) ||
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
        if (!s->rolling && !open_rolling(s, e))
            return false;
        rolling_left_told(s->rolling);
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
        for (int k = 0; k < KEPT_KINDS; ++k)
            kept_free(&s->items[i].kept[k]);
    rolling_free(s->rolling);
    free(s->items);
    free(s->order);
    free(s->recipe);
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
    recipe r = { NULL, NULL, NULL };
    sweep *s = sweep_new(&options, result, e);
    if (!s)
        return false;
    bool fine = (s->store = store_open(given->output, e)) != NULL && lock(s, e);
    char *text = fine ? strdup(store_get(s->store, STORE_RECIPE) ? store_get(s->store, STORE_RECIPE) : "") : NULL;
    if (fine && !(text && recipe_read(&r, text, &options)))
        fine = error_usage(e, "%s: does not tell how it was begun; run again", given->output);
    if (fine && options.in_order)
        fine = error_usage(e, "%s: was run with --in-order, in one process, and cannot go on in another; run again",
                           given->output);
    if (fine && options.shuffle && options.workers == 0)
        fine = error_usage(e, "%s: has a second pass, which needs worker processes (-j 1 or more)", given->output);
    fine = fine && sweep_resume(s, e);
    free(text);
    sweep_free(s);
    recipe_free(&r);
    return fine;
}
