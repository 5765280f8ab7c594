/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/run_store.h"

#include "harness/store/coverage.h"
#include "harness/execute/isolation.h"
#include "harness/run/run_axes.h"
#include "harness/store/ledger_json.h"
#include "harness/store/store_recount.h"
#include "harness/base/platform.h"
#include "harness/base/text.h"
#include "harness/run/run_config.h"
#include "harness/model/tensor.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the start of a run ---- */

bool run_store_set_process(store *s, unsigned workers, error *e)
{
    char process[512], number[16];
    platform_presence_self(process, sizeof process);
    snprintf(number, sizeof number, "%u", workers);
    return store_set(s, STORE_PROCESS, process, e) && store_set(s, STORE_WORKERS, number, e);
}

bool run_store_coverage(store *s, const struct coverage *c, error *e)
{
    char *written = coverage_write(c);
    bool fine = written ? store_set(s, STORE_COVERAGE, written, e) : error_set(e, "out of memory");
    free(written);
    return fine;
}

static bool describe(store *s, const run_facts *f, error *e)
{
    char machine[256], system[256], started[32], shard[48] = "";
    char seed[24] = "", draw_seed[24], repeat[24];
    char *how = run_config_write(f->options);
    const ts_info *info = f->info;
    text options = { 0 }, queries = { 0 };
    for (size_t i = 0; i < f->options->backend_option_count; ++i)
        text_format(&options, "%s%s=%s", i ? " " : "", f->options->backend_options[i].key,
                    f->options->backend_options[i].value);
    for (size_t i = 0; i < f->options->query_count; ++i)
        text_format(&queries, "%s%s", i ? "; " : "", f->options->queries[i]);
    platform_describe_machine(machine, sizeof machine);
    platform_describe_system(system, sizeof system);
    platform_utc_now(started, sizeof started);
    if (f->options->shards)
        snprintf(shard, sizeof shard, "%" PRIu64 "/%" PRIu64, f->options->shard, f->options->shards);
    if (f->options->shuffle)
        snprintf(seed, sizeof seed, "%" PRIu64, f->options->seed);
    snprintf(draw_seed, sizeof draw_seed, "%" PRIu64, f->options->draw_seed);
    snprintf(repeat, sizeof repeat, "%" PRIu64, f->options->repeat ? f->options->repeat : 1);
    const struct {
        const char *key, *value;
    } rows[] = {
        { STORE_STATE, "running" },
        { STORE_TOUCHSTONE, TOUCHSTONE_VERSION },
        { STORE_SUITE_DIGEST, f->plan->suite_digest },
        { STORE_COMMAND, f->options->command },
        { STORE_REPRODUCE, f->reproduce },
        { STORE_QUERY, queries.data ? queries.data : "" },
        { STORE_TIER, case_tier_name(f->options->tier) },
        { STORE_LEVEL, tensor_level_name(f->level) },
        { STORE_PROFILE, tensor_profile_name(f->options->profile) },
        { STORE_DECISIONS, operator_decisions_name(f->options->decisions) },
        { STORE_BACKEND, info->name },
        { STORE_BACKEND_VENDOR, info->vendor },
        { STORE_BACKEND_VERSION, info->version },
        { STORE_BACKEND_DRIVER, info->driver },
        { STORE_BACKEND_DEVICE, info->device },
        { STORE_BACKEND_OPTIONS, options.data ? options.data : "" },
        { STORE_MACHINE, machine },
        { STORE_SYSTEM, system },
#if defined(__clang__)
        { STORE_COMPILER, "clang " __clang_version__ },
#elif defined(__GNUC__)
        { STORE_COMPILER, "gcc " __VERSION__ },
#endif
        { STORE_STARTED, started },
        { STORE_SHARD, shard },
        { STORE_SHUFFLE, seed },
        { STORE_SEED, draw_seed },
        { STORE_REPEAT, repeat },
        { STORE_WAIVERS, f->options->waivers ? f->options->waivers : "" },
        { STORE_WAIVERS_DIGEST, f->waivers_digest },
        { STORE_REFUSED, f->refused ? f->refused : "" },
        { STORE_SCOPE, f->scope ? f->scope : "" },
        { STORE_RUN_CONFIG, how },
    };
    bool fine = how && !options.failed && !queries.failed ? run_store_set_process(s, f->options->workers, e)
                                                          : error_set(e, "out of memory");
    for (size_t i = 0; fine && i < sizeof rows / sizeof rows[0]; ++i)
        fine = store_set(s, rows[i].key, rows[i].value, e);
    free(how);
    text_free(&options);
    text_free(&queries);
    return fine && (!f->coverage || run_store_coverage(s, f->coverage, e));
}

/* Add a clause of an operator. */
static bool add_clause(store *s, const char *op, const ts_clause *c, bool breakable, error *e)
{
    const store_clause row = { op,        c->id,     c->text, c->page, c->section, operator_basis_name(c->basis),
                               c->ground, breakable, 0,       0 };
    return store_add_clause(s, &row, e);
}

static bool store_clauses(store *s, const ts_operator *op, error *e)
{
    const struct {
        const ts_clause *clauses;
        unsigned count;
    } tables[] = { { op->clauses, op->clause_count }, { op->shared, op->shared_count } };
    for (size_t k = 0; k < 2; ++k)
        for (unsigned i = 0; i < tables[k].count; ++i) {
            const ts_clause *c = &tables[k].clauses[i];
            bool breakable = c->result == TS_RESULT_INVALID || c->result == TS_RESULT_UNSUPPORTED_FL;
            if (!add_clause(s, op->name, c, breakable, e))
                return false;
        }
    return true;
}

static bool store_ledger(store *s, const ts_operator *op, error *e)
{
    char *entries = ledger_operator_to_json(op->name);
    bool ok = entries ? store_add_ledger(s, op->name, entries, e) : error_set(e, "out of memory");
    free(entries);
    return ok;
}

static bool add_operators(store *s, const plan *p, error *e)
{
    for (size_t i = 0; i < p->file_count; ++i)
        if (!store_add_operator(s, p->operators[i], p->digests[i], e))
            return false;
    return true;
}

static bool add_tests(store *s, const run_facts *f, error *e)
{
    const ts_operator *op = NULL;
    for (size_t i = 0; i < f->plan->item_count; ++i) {
        const case_test *t = f->plan->items[i].test;
        const run_item *item = &f->items[i];
        char title[CASE_TITLE_SIZE];
        store_test row = { .op = t->file->op->name,
                           .test = t->name,
                           .tier = case_tier_name(t->tier),
                           .title = casefile_title(t, f->plan->items[i].first, title, sizeof title),
                           .points = space_points(t->space),
                           .first = item->first,
                           .indices = item->end - item->first,
                           .planned = item->planned };
        if (!store_add_test(s, &row, e))
            return false;
        if (t->file->op == op)
            continue;
        op = t->file->op;
        if (!store_clauses(s, op, e) || !store_ledger(s, op, e))
            return false;
    }
    return true;
}

store *run_store_create_hidden(const char *output, error *e)
{
    char process[512], hidden[PATH_MAX];
    platform_presence_self(process, sizeof process);
    process[strcspn(process, " ")] = '\0';
    if ((size_t)snprintf(hidden, sizeof hidden, "%s.new-%s", output, process) >= sizeof hidden) {
        error_usage(e, "%s: the name is too long", output);
        return NULL;
    }
    return store_can_create(output, hidden, e) ? store_create_hidden(hidden, e) : NULL;
}

store *run_store_create(const run_facts *facts, error *e)
{
    /* The file gets its own name when the run can be resumed. A run that is killed before that leaves no such file. */
    const char *output = facts->options->output;
    store *s = run_store_create_hidden(output, e);
    if (!s || (store_begin(s, e) && describe(s, facts, e) && add_operators(s, facts->plan, e) &&
               add_tests(s, facts, e) && run_axes_store(s, facts->plan, e) && store_commit(s, e)))
        return s ? store_publish(s, output, e) : NULL;
    store_discard(s);
    return NULL;
}

/* ---- chunks ---- */

static retained *retained_of(retained k[RETAINED_KINDS], const store_finding *f)
{
    return &k[f->verdict == VERDICT_WAIVED ? RETAINED_WAIVED : RETAINED_FAILING];
}

/* Clauses of the contract are in no operator's list: those that findings cite are stored with the first of them. */
static bool store_ground(store *s, const store_finding *f, error *e)
{
    for (unsigned i = 0; f->clause && f->case_id && i < OPERATOR_CONTRACT_CLAUSES; ++i) {
        const ts_clause *c = &operator_contract_clauses[i];
        if (strcmp(c->id, f->clause) != 0)
            continue;
        char op[CASE_ID_SIZE];
        snprintf(op, sizeof op, "%.*s", (int)strcspn(f->case_id, ":"), f->case_id);
        return add_clause(s, op, c, false, e);
    }
    return true;
}

bool run_store_finding(store *s, int64_t test, retained k[RETAINED_KINDS], store_finding *f, error *e)
{
    uint64_t dropped;
    f->test = test;
    if (f->class)
        return store_ground(s, f, e) && store_add_class_finding(s, f, e);
    switch (retained_add(retained_of(k, f), f->index, &dropped)) {
    case RETAINED_REJECTED: return true;
    case RETAINED_NO_MEMORY: return error_set(e, "out of memory");
    case RETAINED_REPLACED:
        if (!store_remove_finding(s, test, dropped, e))
            return false;
        break;
    case RETAINED_ADDED: break;
    }
    return store_ground(s, f, e) && store_add_finding(s, f, e);
}

static bool find_kind(void *context, const store_observation *o)
{
    const char **sought = context; /* NULL once it was found */
    if (strcmp(o->kind, *sought) == 0)
        *sought = NULL;
    return *sought != NULL;
}

/* Store an observation of a test; or, of what the backend does to its processes, one of the run, with its first test:
   each worker reports it. */
static bool store_observed(store *s, int64_t test, const chunk_observation *o, error *e)
{
    const bool of_run = strncmp(o->kind, ISOLATION_KIND, sizeof ISOLATION_KIND - 1) == 0;
    const char *sought = o->kind;
    if (of_run && !store_each_observation(s, find_kind, &sought, e))
        return false;
    const store_observation row = { of_run ? 1 : test, o->kind, o->cases, o->example, *o->detail ? o->detail : NULL };
    return !sought || store_add_observation(s, &row, e);
}

bool run_store_chunk(store *s, const plan *p, run_item *items, size_t i, chunk *c, error *e)
{
    const int64_t test = (int64_t)i + 1;
    const char *op = p->items[i].test->file->op->name;
    run_item *item = &items[i];
    item->ran += c->cases;
    item->sums[0] += c->hash[0];
    item->sums[1] += c->hash[1];
    bool fine = (c->last == c->first || store_add_plane(s, test, c->first, c->last - 1, c->verdicts, c->cases, e)) &&
                store_set_done(s, test, item->ran, item->sums, e);
    for (size_t k = 0; fine && k < c->tally_count; ++k) {
        const chunk_tally *t = &c->tallies[k];
        const ts_dtype_info *type = tensor_dtype(t->dtype);
        for (int v = 0; fine && v < VERDICT_COUNT; ++v)
            fine = !t->cases[v] || store_add_tally(s, test, type ? type->id : "?", tensor_level_name(t->level),
                                                   (verdict)v, t->cases[v], e);
    }
    for (size_t k = 0; fine && k < c->observation_count; ++k)
        fine = store_observed(s, test, &c->observations[k], e);
    for (size_t k = 0; fine && k < c->broken_count; ++k)
        fine = store_add_broken(s, op, c->broken[k].clause, c->broken[k].cases, c->broken[k].refused, e);
    for (size_t k = 0; fine && k < c->finding_count; ++k) {
        item->class_findings |= c->findings[k].class != NULL;
        fine = run_store_finding(s, test, item->retained, &c->findings[k], e);
    }
    return fine;
}

/* ---- resume ---- */

typedef struct reader {
    const plan *plan;
    run_item *items;
    run_result *result;
    size_t count; /* tests seen */
    bool (*unfinished)(void *context, size_t item, uint64_t first, uint64_t end, error *e);
    void *context;
    size_t item; /* the test whose ranges are read */
    uint64_t at;
    bool fine;
    error *e;
} reader;

static bool read_test(void *context, const store_test *t)
{
    reader *r = context;
    const size_t i = r->count++;
    char name[160];
    if (i < r->plan->item_count) {
        const case_test *planned = r->plan->items[i].test;
        run_item *item = &r->items[i];
        snprintf(name, sizeof name, "%s:%s", planned->file->op->name, planned->name);
        if (strcmp(t->name, name) == 0 && t->first == item->first && t->indices == item->end - item->first) {
            item->planned = t->planned;
            item->ran = t->ran;
            memcpy(item->sums, t->sums, sizeof item->sums);
            r->result->planned += t->planned;
            r->result->ran += t->ran;
            return true;
        }
    }
    r->fine = error_usage(r->e, "the run has test %s, which its queries no longer select", t->name);
    return false;
}

static bool read_tally(void *context, const store_tally *t)
{
    reader *r = context;
    r->result->cases[t->verdict] += t->cases;
    return true;
}

static bool read_finding(void *context, const store_finding *f)
{
    reader *r = context;
    uint64_t dropped;
    if (f->test < 1 || (size_t)f->test > r->plan->item_count)
        return true;
    run_item *item = &r->items[f->test - 1];
    if (f->class)
        item->class_findings = true;
    else
        retained_add(retained_of(item->retained, f), f->index, &dropped);
    return true;
}

/* Planes come in order. The indices between two planes are unfinished. */
static bool read_range(void *context, const store_plane *p)
{
    reader *r = context;
    if (p->first > r->at)
        r->fine = r->unfinished(r->context, r->item, r->at, p->first, r->e);
    r->at = p->last + 1 > r->at ? p->last + 1 : r->at;
    return r->fine;
}

bool run_store_resume(store *s, const plan *p, run_item *items, run_result *result,
                      bool (*unfinished)(void *context, size_t item, uint64_t first, uint64_t end, error *e),
                      void *context, error *e)
{
    reader r = {
        .plan = p, .items = items, .result = result, .unfinished = unfinished, .context = context, .fine = true, .e = e
    };
    if (!store_each_test(s, read_test, &r, e) || !r.fine || !store_each_tally(s, read_tally, &r, e) ||
        !store_each_finding(s, 0, 0, read_finding, &r, e))
        return false;
    if (r.count != p->item_count)
        return error_usage(e, "the run has %zu tests; its queries now select %zu", r.count, p->item_count);
    for (size_t i = 0; i < p->item_count; ++i) {
        r.item = i;
        r.at = items[i].first;
        if (!store_each_range(s, (int64_t)i + 1, read_range, &r, e) || !r.fine)
            return false;
        if (r.at < items[i].end && items[i].ran < items[i].planned && !unfinished(context, i, r.at, items[i].end, e))
            return false;
    }
    return true;
}

/* ---- the end ---- */

bool run_store_seconds(store *s, double seconds, error *e)
{
    char number[64];
    snprintf(number, sizeof number, "%.2f", seconds);
    return store_set(s, STORE_SECONDS, number, e);
}

bool run_store_recount(store *s, const run_result *result, error *e)
{
    uint64_t cases[VERDICT_COUNT];
    if (!store_recount(s, &cases, e))
        return false;
    for (int v = 0; v < VERDICT_COUNT; ++v)
        if (cases[v] != result->cases[v])
            return error_set(e, "the run counted %" PRIu64 " cases of %s, and stored %" PRIu64, result->cases[v],
                             verdict_name((verdict)v), cases[v]);
    return true;
}

bool run_store_finish(store *s, const plan *p, const run_item *items, run_result *result, error *e)
{
    char finished[32], name[160];
    run_digest d;
    run_digest_start(&d, p->suite_digest);
    for (size_t i = 0; i < p->item_count; ++i) {
        snprintf(name, sizeof name, "%s:%s", p->items[i].test->file->op->name, p->items[i].test->name);
        run_digest_add(&d, name, items[i].ran, items[i].sums);
    }
    run_digest_end(&d, result->digest);
    platform_utc(time(NULL), finished, sizeof finished);
    return store_begin(s, e) && store_set(s, STORE_DIGEST, result->digest, e) &&
           store_set(s, STORE_FINISHED, finished, e) && run_store_seconds(s, result->seconds, e) &&
           store_set(s, STORE_STATE,
                     result->ran == result->planned && result->shuffled == result->to_shuffle ? "complete"
                                                                                              : "incomplete",
                     e) &&
           run_store_recount(s, result, e) && store_commit(s, e);
}
