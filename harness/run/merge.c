/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/merge.h"
#include "harness/base/text.h"

#include "harness/base/array.h"
#include "harness/run/run_config.h"
#include "harness/run/run_store.h"
#include "harness/run/run_suite.h"
#include "harness/store/scope_facts.h"
#include "harness/store/store_printed.h"
#include "harness/execute/support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A test of the merged run. */
typedef struct merged_test {
    char name[160];
    store_test row; /* sums over all shards, without strings */
    uint64_t next;  /* index with which the next shard must begin */
    retained retained[RETAINED_KINDS];
} merged_test;

typedef struct merger {
    const char *output;
    store *to, *from;
    const char *path; /* of `from` */
    merged_test *tests;
    size_t count, capacity, at;
    uint64_t max_findings;
    run_result *result;
    double seconds;
    char finished[32];
    scope_facts scope;  /* of all shards so far */
    bool scoped;        /* that of the first shard could be read */
    support refused;    /* classes of cases that the backend of any shard refused */
    uint64_t processes; /* the largest number of a process that printed, in the shards before this one */
    bool first, fine;
    error *e;
} merger;

/* ---- the order of the shards ---- */

/* Facts that all shards must have in common. */
static const struct {
    const char *key, *name;
} common[] = {
    { STORE_QUERY, "queries" },
    { STORE_TIER, "tier" },
    { STORE_LEVEL, "feature level" },
    { STORE_PROFILE, "profile" },
    { STORE_DECISIONS, "use of decisions" },
    { STORE_BACKEND, "backend" },
    { STORE_BACKEND_VERSION, "backend version" },
    { STORE_BACKEND_DRIVER, "driver" },
    { STORE_BACKEND_OPTIONS, "backend options" },
    { STORE_WAIVERS_DIGEST, "waivers" },
    { STORE_REPEAT, "number of executions" },
    { STORE_SHUFFLE, "seed of the shuffled pass" },
    { STORE_SEED, "seed of the drawn cases" },
};
#define COMMON (sizeof common / sizeof common[0])

typedef struct order {
    char *values[COMMON]; /* of the first shard */
    const char *first;    /* its path */
    uint64_t shards;
    const char **paths; /* by shard */
} order;

static void order_free(order *o)
{
    for (size_t i = 0; i < COMMON; ++i)
        free(o->values[i]);
    free(o->paths);
}

/* Have the shards the same operators, with the same cases and references? */
static bool same_operators(const order *o, store *s, const char *path, error *e)
{
    char names[RUN_SUITE_NAMES];
    run_suite first, own = { .count = 0 };
    store *from = store_open(o->first, e);
    bool fine = from != NULL;
    fine = fine && run_suite_read(&first, from, e);
    fine = fine && run_suite_read(&own, s, e);
    if (fine && run_suite_differ(&first, &own, names))
        fine = error_usage(e,
                           "%s: was run with other cases or another reference of %s than %s: they are not shards of "
                           "one run",
                           path, names, o->first);
    if (from)
        run_suite_free(&first);
    run_suite_free(&own);
    store_close(from);
    return fine;
}

static bool same_as_first(order *o, store *s, const char *path, error *e)
{
    for (size_t i = 0; i < COMMON; ++i) {
        const char *value = store_get(s, common[i].key);
        value = value ? value : "";
        if (!o->values[i] && !(o->values[i] = strdup(value)))
            return error_set(e, "out of memory");
        if (strcmp(o->values[i], value) != 0)
            return error_usage(e, "%s: has another %s (%s) than %s (%s): they are not shards of one run", path,
                               common[i].name, *value ? value : "none", o->first,
                               *o->values[i] ? o->values[i] : "none");
    }
    return true;
}

/* Check one file, and find its place among the shards. */
static bool place_shard(order *o, const char *path, size_t count, error *e)
{
    unsigned long long i, n;
    store *s = store_open(path, e);
    if (!s)
        return false;
    const char *state = store_get(s, STORE_STATE);
    bool complete = state && strcmp(state, "complete") == 0;
    const char *shard = store_get(s, STORE_SHARD);
    char quoted[400];
    bool fine = true;
    if (!shard || sscanf(shard, "%llu/%llu", &i, &n) != 2 || i < 1 || i > n)
        fine = error_usage(e, "%s: is no shard; it was run without --shard", path);
    else if (!complete)
        fine = error_usage(e, "%s: did not run all that it planned; 'touchstone resume %s' continues it", path,
                           text_shell_in(quoted, sizeof quoted, path));
    else if (o->shards && n != o->shards)
        fine = error_usage(e, "%s: is one of %llu shards, %s one of %" PRIu64, path, n, o->first, o->shards);
    else if (count > n)
        fine = error_usage(e, "%zu files for %llu shards", count, n);
    fine = fine && (o->first || (o->first = path)) && same_operators(o, s, path, e) && same_as_first(o, s, path, e);
    if (fine && !o->paths) {
        o->shards = n;
        o->paths = calloc(n, sizeof(const char *));
        fine = o->paths || error_set(e, "out of memory");
    }
    if (fine && o->paths[i - 1])
        fine = error_usage(e, "%s and %s are both shard %llu of %llu", o->paths[i - 1], path, i, n);
    if (fine)
        o->paths[i - 1] = path;
    store_close(s);
    return fine;
}

static bool place_all(order *o, const char *const *paths, size_t count, error *e)
{
    for (size_t i = 0; i < count; ++i)
        if (!place_shard(o, paths[i], count, e))
            return false;
    for (uint64_t i = 0; i < o->shards; ++i)
        if (!o->paths[i])
            return error_usage(e, "shard %" PRIu64 " of %" PRIu64 " is missing; expected OUT and every shard", i + 1,
                               o->shards);
    return true;
}

/* ---- copying ---- */

/* Add what the backend refused in this shard. */
static bool merge_scope(merger *m, const char *written)
{
    scope_facts own;
    if (!m->scoped || !scope_facts_read(&own, written) || !scope_facts_merge(&m->scope, &own))
        m->fine = error_usage(m->e, "%s: has another scope, or another --require, than the shards before it", m->path);
    scope_facts_free(&own);
    return m->fine;
}

static bool copy_meta(void *context, const char *key, const char *value)
{
    merger *m = context;
    if (strcmp(key, STORE_SECONDS) == 0)
        m->seconds += strtod(value, NULL);
    if (strcmp(key, STORE_FINISHED) == 0 && strcmp(value, m->finished) > 0)
        snprintf(m->finished, sizeof m->finished, "%s", value);
    if (strcmp(key, STORE_REFUSED) == 0)
        support_add(&m->refused, value);
    if (strcmp(key, STORE_SCOPE) == 0 && !m->first)
        return merge_scope(m, value);
    if (strcmp(key, STORE_SCOPE) == 0)
        m->scoped = scope_facts_read(&m->scope, value);
    if (m->first)
        m->fine = store_set(m->to, key, value, m->e);
    return m->fine;
}

/* Store the run configuration of the merged run, so that `resume` accepts it. */
static bool set_run_config(merger *m)
{
    run_options o = { .backend = NULL };
    run_config r;
    const char *written = store_get(m->from, STORE_RUN_CONFIG);
    char *copy = written ? strdup(written) : NULL, *whole = NULL;
    bool fine = copy && run_config_read(&r, copy, &o);
    if (fine) {
        m->max_findings = o.max_findings;
        o.shard = o.shards = 0;
        whole = run_config_write(&o);
    }
    if (copy)
        run_config_free(&r);
    free(copy);
    fine = fine && whole ? store_set(m->to, STORE_RUN_CONFIG, whole, m->e) && store_set(m->to, STORE_SHARD, "", m->e)
                         : error_usage(m->e, "%s: does not record the options that it was started with", m->path);
    free(whole);
    return fine;
}

static bool collect_test(void *context, const store_test *t)
{
    merger *m = context;
    if (m->first) {
        if (!array_reserve(&m->tests, &m->capacity, m->count + 1, sizeof *m->tests))
            return m->fine = error_set(m->e, "out of memory");
        merged_test *w = &m->tests[m->count++];
        memset(w, 0, sizeof *w);
        snprintf(w->name, sizeof w->name, "%s", t->name);
        w->row.points = t->points;
        w->row.first = w->next = t->first;
        for (int k = 0; k < RETAINED_KINDS; ++k)
            retained_init(&w->retained[k], m->max_findings);
    }
    merged_test *w = m->at < m->count ? &m->tests[m->at++] : NULL;
    if (!w || strcmp(w->name, t->name) != 0 || t->first != w->next || t->ran != t->planned)
        return m->fine = error_usage(m->e, "%s: %s does not start where the shard before it ends", m->path, t->name);
    w->next += t->indices;
    w->row.indices += t->indices;
    w->row.planned += t->planned;
    w->row.ran += t->ran;
    w->row.sums[0] += t->sums[0];
    w->row.sums[1] += t->sums[1];
    m->result->planned += t->planned;
    m->result->ran += t->ran;
    return true;
}

static bool copy_test(void *context, const store_test *t)
{
    merger *m = context;
    store_test row = *t;
    const merged_test *w = &m->tests[m->at++];
    row.first = w->row.first;
    row.indices = w->row.indices;
    row.planned = w->row.planned;
    return m->fine = store_add_test(m->to, &row, m->e) && store_set_done(m->to, row.id, w->row.ran, w->row.sums, m->e);
}

static bool copy_plane(void *context, const store_plane *p)
{
    merger *m = context;
    return m->fine = store_add_plane(m->to, p->test, p->first, p->last, p->verdicts, p->cases, m->e);
}

static bool copy_tally(void *context, const store_tally *t)
{
    merger *m = context;
    m->result->cases[t->verdict] += t->cases;
    return m->fine = store_add_tally(m->to, t->test, t->dtype, t->level, t->verdict, t->cases, m->e);
}

static bool copy_observation(void *context, const store_observation *o)
{
    merger *m = context;
    return m->fine = store_add_observation(m->to, o, m->e);
}

static bool copy_finding(void *context, const store_finding *f)
{
    merger *m = context;
    store_finding row = *f;
    if (f->test < 1 || (size_t)f->test > m->count)
        return m->fine = error_usage(m->e, "%s: has a finding of an unknown test", m->path);
    return m->fine = run_store_finding(m->to, f->test, m->tests[f->test - 1].retained, &row, m->e);
}

/* The processes of the shards get numbers one after another. */
static bool copy_printed(void *context, const store_printed *p)
{
    merger *m = context;
    store_printed row = *p;
    bool room = false;
    row.process = p->process ? m->processes + p->process : 0;
    m->fine = p->process == 0 || store_has_room_for_printed(m->to, p->test, row.process, &room, m->e);
    if (!room)
        row.process = 0;
    return m->fine = m->fine && store_add_printed(m->to, &row, m->e);
}

static bool copy_clause(void *context, const store_clause *c)
{
    merger *m = context;
    return m->fine = m->first ? store_add_clause(m->to, c, m->e)
                              : store_add_broken(m->to, c->op, c->id, c->broken, c->refused, m->e);
}

static bool copy_operator(void *context, const char *op, const char *digest)
{
    merger *m = context;
    return m->fine = store_add_operator(m->to, op, digest, m->e);
}

static bool copy_ledger(void *context, const char *op, const char *entries)
{
    merger *m = context;
    return m->fine = store_add_ledger(m->to, op, entries, m->e);
}

/* Read the tests of all shards first, because the rows of the merged run need their sums. */
static bool collect(merger *m, const order *o)
{
    for (uint64_t i = 0; m->fine && i < o->shards; ++i) {
        m->path = o->paths[i];
        m->first = i == 0;
        m->at = 0;
        if (!(m->from = store_open(m->path, m->e)))
            return false;
        m->fine = (!m->first || set_run_config(m)) && store_each_test(m->from, collect_test, m, m->e) && m->fine;
        if (m->fine && m->at != m->count)
            m->fine = error_usage(m->e, "%s: has %zu tests, %s has %zu", m->path, m->at, o->paths[0], m->count);
        store_close(m->from);
    }
    return m->fine;
}

static bool copy(merger *m, const order *o)
{
    for (uint64_t i = 0; m->fine && i < o->shards; ++i) {
        m->path = o->paths[i];
        m->first = i == 0;
        m->at = 0;
        if (!(m->from = store_open(m->path, m->e)))
            return false;
        m->fine = store_each_meta(m->from, copy_meta, m, m->e) && m->fine && (!m->first || set_run_config(m)) &&
                  (!m->first || store_each_test(m->from, copy_test, m, m->e)) && m->fine &&
                  store_each_plane(m->from, 0, copy_plane, m, m->e) && m->fine &&
                  store_each_tally(m->from, copy_tally, m, m->e) && m->fine &&
                  store_each_observation(m->from, copy_observation, m, m->e) && m->fine &&
                  store_each_finding(m->from, 0, 0, copy_finding, m, m->e) && m->fine &&
                  store_last_printed(m->to, &m->processes, m->e) &&
                  store_each_printed(m->from, copy_printed, m, m->e) && m->fine &&
                  store_each_clause(m->from, copy_clause, m, m->e) && m->fine &&
                  (!m->first || (store_each_ledger(m->from, copy_ledger, m, m->e) && m->fine &&
                                 store_each_operator(m->from, copy_operator, m, m->e))) &&
                  m->fine;
        store_close(m->from);
    }
    return m->fine;
}

static bool finish(merger *m)
{
    run_result *r = m->result;
    char seconds[64];
    run_digest d;
    const char *suite = store_get(m->to, STORE_SUITE_DIGEST);
    snprintf(r->suite_digest, sizeof r->suite_digest, "%s", suite ? suite : "");
    run_digest_start(&d, r->suite_digest);
    for (size_t i = 0; i < m->count; ++i)
        run_digest_add(&d, m->tests[i].name, m->tests[i].row.ran, m->tests[i].row.sums);
    run_digest_end(&d, r->digest);
    r->seconds = m->seconds;
    snprintf(seconds, sizeof seconds, "%.2f", m->seconds);
    support_sort(&m->refused);
    if (m->refused.failed)
        return error_set(m->e, "out of memory");
    r->absent = scope_facts_absent(&m->scope);
    char *scope = scope_facts_write(&m->scope);
    const bool stored = scope ? store_set(m->to, STORE_SCOPE, scope, m->e) : error_set(m->e, "out of memory");
    free(scope);
    return stored && store_set(m->to, STORE_REFUSED, m->refused.text ? m->refused.text : "", m->e) &&
           store_set(m->to, STORE_DIGEST, r->digest, m->e) && store_set(m->to, STORE_SECONDS, seconds, m->e) &&
           store_set(m->to, STORE_FINISHED, m->finished, m->e) && run_store_recount(m->to, r, m->e) &&
           store_commit(m->to, m->e);
}

bool merge_runs(const char *output, const char *const *shards, size_t count, run_result *result, error *e)
{
    order o = { .first = NULL };
    merger m = { .output = output, .result = result, .fine = true, .e = e };
    memset(result, 0, sizeof *result);
    /* The file gets its name when it is whole: a merge that is killed leaves nothing that looks like a run. */
    bool fine = place_all(&o, shards, count, e) && (m.to = run_store_create_hidden(output, e)) != NULL &&
                store_begin(m.to, e) && collect(&m, &o);
    memset(result->cases, 0, sizeof result->cases);
    fine = fine && copy(&m, &o) && finish(&m);
    if (fine)
        fine = (m.to = store_publish(m.to, output, e)) != NULL;
    if (fine)
        store_close(m.to);
    else if (m.to)
        store_discard(m.to);
    for (size_t i = 0; i < m.count; ++i)
        for (int k = 0; k < RETAINED_KINDS; ++k)
            retained_free(&m.tests[i].retained[k]);
    free(m.tests);
    support_free(&m.refused);
    scope_facts_free(&m.scope);
    order_free(&o);
    return fine;
}
