/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run.h"

#include "harness/execute.h"
#include "harness/ledger_json.h"
#include "harness/plan.h"
#include "harness/platform.h"
#include "harness/plugin.h"
#include "harness/store.h"
#include "harness/tensor.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

/* Cases between two writes to the store: a second's work at most, and small planes. */
#define CHUNK_CASES UINT64_C(262144)
#define PROGRESS_SECONDS 0.25

/* A signal handler has no other way to say it. */
static volatile sig_atomic_t interrupted;

void run_interrupt(void)
{
    interrupted = 1;
}

exit_status run_status(const run_result *r)
{
    for (int v = 0; v < VERDICT_COUNT; ++v)
        if (verdict_fails((verdict)v) && r->cases[v])
            return EXIT_FAILURES;
    if (r->owed == 0 || r->ran != r->owed || r->cases[VERDICT_UNSUPPORTED])
        return EXIT_NOT_RUN;
    return EXIT_CONFORMANT;
}

typedef struct sweep {
    const run_options *options;
    run_result *result;
    plan plan;
    uint64_t *owed;    /* per item */
    plugin plugin;
    executor *executor;
    store *store;
    XXH3_state_t digest;
    double started, shown;
    char reproduce[600];
} sweep;

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
    double rate = (double)r->ran / (now - s->started + 1e-9);
    uint64_t failures = 0;
    for (int v = 0; v < VERDICT_COUNT; ++v)
        failures += verdict_fails((verdict)v) ? r->cases[v] : 0;
    double left = rate > 0 ? (double)(r->owed - r->ran) / rate : 0;
    fprintf(stderr, "\r\033[K%s:%s  %" PRIu64 " of %" PRIu64 "  %.2f M/s  %" PRIu64 " failed  %d:%02d left",
            t->file->op->name, t->name, r->ran, r->owed, rate / 1e6, failures, (int)left / 60, (int)left % 60);
    fflush(stderr);
}

/* ---- the store ---- */

static bool set_number(store *s, const char *key, const char *format, double value, error *e)
{
    char text[64];
    snprintf(text, sizeof text, format, value);
    return store_set(s, key, text, e);
}

static bool describe(sweep *s, error *e)
{
    char machine[256], system[256], options[512] = "", queries[1024] = "", started[32];
    const ts_info *info = &s->plugin.info;
    size_t used = 0;
    for (size_t i = 0; i < s->options->backend_option_count && used < sizeof options; ++i)
        used += (size_t)snprintf(options + used, sizeof options - used, "%s%s=%s", i ? " " : "",
                                 s->options->backend_options[i].key, s->options->backend_options[i].value);
    used = 0;
    for (size_t i = 0; i < s->options->query_count && used < sizeof queries; ++i)
        used += (size_t)snprintf(queries + used, sizeof queries - used, "%s%s", i ? "; " : "",
                                 s->options->queries[i]);
    platform_describe_machine(machine, sizeof machine);
    platform_describe_system(system, sizeof system);
    platform_utc(time(NULL), started, sizeof started);
    const struct {
        const char *key, *value;
    } rows[] = {
        { STORE_STATE, "running" },
        { STORE_TOUCHSTONE, TOUCHSTONE_VERSION },
        { STORE_SUITE_DIGEST, s->plan.suite_digest },
        { STORE_COMMAND, s->options->command },
        { STORE_REPRODUCE, s->reproduce },
        { STORE_QUERY, queries },
        { STORE_TIER, case_tier_name(s->options->tier) },
        { STORE_LEVEL, tensor_level_name(s->options->level) },
        { STORE_PROFILE, s->options->profile == TS_PROFILE_NUMPY ? "numpy" : "openvino" },
        { STORE_BACKEND, info->name },
        { STORE_BACKEND_VENDOR, info->vendor },
        { STORE_BACKEND_VERSION, info->version },
        { STORE_BACKEND_DRIVER, info->driver },
        { STORE_BACKEND_DEVICE, info->device },
        { STORE_BACKEND_OPTIONS, options },
        { STORE_MACHINE, machine },
        { STORE_SYSTEM, system },
#if defined(__clang__)
        { STORE_COMPILER, "clang " __clang_version__ },
#elif defined(__GNUC__)
        { STORE_COMPILER, "gcc " __VERSION__ },
#endif
        { STORE_STARTED, started },
        { STORE_WORKERS, "1" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        if (!store_set(s->store, rows[i].key, rows[i].value, e))
            return false;
    return true;
}

static bool store_clauses(sweep *s, const ts_operator *op, error *e)
{
    const struct {
        const ts_clause *clauses;
        unsigned count;
    } tables[] = { { op->clauses, op->clause_count }, { op->shared, op->shared_count } };
    for (size_t k = 0; k < 2; ++k)
        for (unsigned i = 0; i < tables[k].count; ++i) {
            const ts_clause *c = &tables[k].clauses[i];
            bool breakable = c->result == TS_RESULT_INVALID || c->result == TS_RESULT_UNSUPPORTED_FL;
            store_clause row = { op->name, c->id, c->text, c->page, c->section, breakable, 0, 0 };
            if (!store_add_clause(s->store, &row, e))
                return false;
        }
    return true;
}

static bool store_ledger(sweep *s, const ts_operator *op, error *e)
{
    char *entries = ledger_operator_to_json(op->name);
    bool ok = entries ? store_add_ledger(s->store, op->name, entries, e) : error_set(e, "out of memory");
    free(entries);
    return ok;
}

/* Make the file with all that is known before the first case. */
static bool open_store(sweep *s, error *e)
{
    if (!(s->store = store_create(s->options->output, e)))
        return false;
    bool fine = store_begin(s->store, e) && describe(s, e);
    const ts_operator *op = NULL;
    for (size_t i = 0; fine && i < s->plan.item_count; ++i) {
        const case_test *t = s->plan.items[i].test;
        store_test row = { .op = t->file->op->name,
                           .test = t->name,
                           .tier = case_tier_name(t->tier),
                           .title = t->title,
                           .points = space_points(t->space),
                           .owed = s->owed[i] };
        fine = store_add_test(s->store, &row, e);
        if (fine && t->file->op != op) {
            op = t->file->op;
            fine = store_clauses(s, op, e) && store_ledger(s, op, e);
        }
    }
    return fine && store_commit(s->store, e);
}

static bool store_chunk(sweep *s, int64_t test, const chunk *c, error *e)
{
    bool fine = store_begin(s->store, e) &&
                store_add_plane(s->store, test, c->first, c->last - 1, c->verdicts, c->cases, e);
    for (size_t i = 0; fine && i < c->tally_count; ++i) {
        const chunk_tally *t = &c->tallies[i];
        const ts_dtype_info *type = tensor_dtype(t->dtype);
        for (int v = 0; fine && v < VERDICT_COUNT; ++v)
            fine = !t->cases[v] || store_add_tally(s->store, test, type ? type->id : "?", tensor_level_name(t->level),
                                                   (verdict)v, t->cases[v], e);
    }
    for (size_t i = 0; fine && i < c->observation_count; ++i) {
        const chunk_observation *o = &c->observations[i];
        store_observation row = { test, o->kind, o->cases, o->example, *o->detail ? o->detail : NULL };
        fine = store_add_observation(s->store, &row, e);
    }
    const char *op = s->plan.items[test - 1].test->file->op->name;
    for (size_t i = 0; fine && i < c->broken_count; ++i)
        fine = store_add_broken(s->store, op, c->broken[i].clause, c->broken[i].cases, c->broken[i].refused, e);
    for (size_t i = 0; fine && i < c->finding_count; ++i) {
        c->findings[i].test = test;
        fine = store_add_finding(s->store, &c->findings[i], e);
    }
    return fine && store_commit(s->store, e);
}

/* ---- running ---- */

static bool run_item(sweep *s, size_t i, error *e)
{
    const plan_item *item = &s->plan.items[i];
    uint64_t hash[2] = { 0, 0 }, ran = 0;
    bool ended = s->owed[i] == 0;
    for (uint64_t at = item->first; !ended && !interrupted;) {
        chunk c;
        chunk_init(&c);
        bool fine = execute_run(s->executor, item->test, at, item->end, CHUNK_CASES, &c, e);
        if (fine) {
            for (size_t k = 0; k < c.cases; ++k)
                s->result->cases[c.verdicts[k]]++;
            s->result->ran += c.cases;
            ran += c.cases;
            hash[0] += c.hash[0];
            hash[1] += c.hash[1];
            at = c.last;
            ended = c.ended;
            fine = store_chunk(s, (int64_t)i + 1, &c, e);
        }
        chunk_clear(&c);
        if (!fine)
            return false;
        show_progress(s, item->test, false);
    }
    char name[160];
    int n = snprintf(name, sizeof name, "%s:%s", item->test->file->op->name, item->test->name);
    XXH3_128bits_update(&s->digest, name, (size_t)n);
    XXH3_128bits_update(&s->digest, &ran, sizeof ran);
    XXH3_128bits_update(&s->digest, hash, sizeof hash);
    return true;
}

static void make_reproducer(sweep *s)
{
    size_t used = (size_t)snprintf(s->reproduce, sizeof s->reproduce, "-b %s", s->options->backend);
    for (size_t i = 0; i < s->options->backend_option_count && used < sizeof s->reproduce; ++i)
        used += (size_t)snprintf(s->reproduce + used, sizeof s->reproduce - used, " --backend-opt %s=%s",
                                 s->options->backend_options[i].key, s->options->backend_options[i].value);
    if (s->options->profile == TS_PROFILE_NUMPY && used < sizeof s->reproduce)
        used += (size_t)snprintf(s->reproduce + used, sizeof s->reproduce - used, " --profile numpy");
    if (s->options->level && s->options->level != s->plugin.info.highest_level && used < sizeof s->reproduce)
        snprintf(s->reproduce + used, sizeof s->reproduce - used, " --feature-level %s",
                 tensor_level_name(s->options->level));
}

static bool finish(sweep *s, error *e)
{
    run_result *r = s->result;
    char finished[32];
    XXH128_hash_t hash = XXH3_128bits_digest(&s->digest);
    snprintf(r->digest, sizeof r->digest, "%016llx%016llx", (unsigned long long)hash.high64,
             (unsigned long long)hash.low64);
    r->seconds = platform_seconds() - s->started;
    r->interrupted = interrupted != 0;
    platform_utc(time(NULL), finished, sizeof finished);
    return store_begin(s->store, e) && store_set(s->store, STORE_DIGEST, r->digest, e) &&
           store_set(s->store, STORE_FINISHED, finished, e) &&
           set_number(s->store, STORE_SECONDS, "%.2f", r->seconds, e) &&
           store_set(s->store, STORE_STATE, r->ran == r->owed ? "complete" : "incomplete", e) &&
           store_commit(s->store, e);
}

static bool sweep_run(sweep *s, error *e)
{
    const run_options *o = s->options;
    if (!plan_make(&s->plan, o->queries, o->query_count, o->tier, e))
        return false;
    memcpy(s->result->suite_digest, s->plan.suite_digest, sizeof s->result->suite_digest);
    if (!plugin_open(&s->plugin, o->backend, o->backend_options, o->backend_option_count, e))
        return false;
    ts_level highest = s->plugin.info.highest_level;
    if (o->level && highest && o->level > highest)
        return error_usage(e, "backend %s reaches feature level %s, not %s", o->backend, tensor_level_name(highest),
                           tensor_level_name(o->level));
    run_options judged = *o; /* a backend is judged at its own highest level */
    if (!judged.level)
        judged.level = highest;
    s->options = &judged;
    make_reproducer(s);
    execute_options options = { judged.profile, judged.level, judged.max_findings, s->reproduce };
    if (!(s->executor = execute_open(&s->plugin, &options, e)))
        return false;
    s->owed = calloc(s->plan.item_count ? s->plan.item_count : 1, sizeof *s->owed);
    if (!s->owed)
        return error_set(e, "out of memory");
    for (size_t i = 0; i < s->plan.item_count; ++i) {
        const plan_item *item = &s->plan.items[i];
        if (!execute_count(s->executor, item->test, item->first, item->end, &s->owed[i], e))
            return false;
        s->result->owed += s->owed[i];
    }
    if (s->result->owed == 0)
        return true;
    if (!open_store(s, e))
        return false;
    XXH3_128bits_reset(&s->digest);
    XXH3_128bits_update(&s->digest, s->plan.suite_digest, strlen(s->plan.suite_digest));
    s->started = platform_seconds();
    bool fine = true;
    for (size_t i = 0; fine && i < s->plan.item_count && !interrupted; ++i)
        fine = run_item(s, i, e);
    show_progress(s, NULL, true);
    if (fine)
        return finish(s, e);
    error unwritten; /* what stopped the run is the news; that this could not be noted either is not */
    store_set(s->store, STORE_STATE, "incomplete", &unwritten);
    return false;
}

bool run_execute(const run_options *options, run_result *result, error *e)
{
    sweep *s = calloc(1, sizeof *s);
    memset(result, 0, sizeof *result);
    if (!s)
        return error_set(e, "out of memory");
    s->options = options;
    s->result = result;
    bool fine = sweep_run(s, e);
    bool nothing_ran = !fine && result->ran == 0 && s->store;
    store_close(s->store);
    if (nothing_ran)
        remove(options->output);
    execute_close(s->executor);
    plugin_close(&s->plugin);
    plan_free(&s->plan);
    free(s->owed);
    free(s);
    return fine;
}
