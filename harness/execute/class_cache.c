/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/class_cache.h"

#include "harness/base/array.h"
#include "harness/base/text.h"
#include "harness/model/fill.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void class_cache_free(class_cache *cache)
{
    for (size_t i = 0; i < cache->class_count; ++i) {
        free(cache->classes[i].fault);
        free(cache->classes[i].answer);
    }
    free(cache->classes);
    free(cache->places);
    free(cache->clauses);
    free(cache->promised);
    support_free(&cache->refused);
}

/* ---- classes ---- */

static uint64_t class_key(const ts_descriptor *shape)
{
    uint64_t key = fill_mix((uintptr_t)shape->op ^ ((uint64_t)shape->profile << 48));
    key += operator_missing_attrs(shape);
    for (unsigned t = 0; t < shape->op->tensor_count; ++t)
        key = fill_mix(key + ((uint64_t)shape->tensors[t].dtype << 32 | shape->tensors[t].rank << 1 |
                              (shape->tensors[t].given & 1)));
    return key;
}

typedef struct class_query {
    plugin *plugin;
    const ts_call *call;
    execute_class *about;
    ts_status status;
} class_query;

static void query_class(void *context)
{
    class_query *q = context;
    q->status = q->plugin->backend->query(q->plugin->self, q->call, &q->about->token);
}

/* The words for an answer that is neither TS_OK nor TS_UNSUPPORTED, with the reason that the backend gave. */
static char *describe_answer(plugin *p, ts_status status)
{
    text t = { .data = NULL };
    if (status >= TS_OK && status <= TS_CRASHED)
        text_format(&t, "returned %s", plugin_status_name(status));
    else
        text_format(&t, "returned the status %d, which the header does not declare,", (int)status);
    if (*p->note)
        text_format(&t, " (%s)", p->note);
    p->note[0] = '\0';
    if (t.failed)
        text_free(&t);
    return t.data;
}

/* Note a query that failed, unless the process cannot be replaced. */
static void note_failure(class_cache *cache, uint64_t key, const platform_fault *fault)
{
    if (!cache->used)
        return;
    class_failure *f = &cache->failure;
    *f = (class_failure){ .key = key, .used = *cache->used, .how = fault->signal ? VERDICT_CRASH : VERDICT_HANG };
    if (fault->signal)
        snprintf(f->text, sizeof f->text, "ended in %s", fault->name);
    else
        snprintf(f->text, sizeof f->text, "did not come back in time");
}

void class_cache_hold(class_cache *cache, const char *refused)
{
    char *copy = strdup(refused);
    if (!copy)
        return;
    free(cache->promised);
    cache->promised = copy;
}

/* Compare the answer with that by which the cases were planned. */
static void hold(const class_cache *cache, execute_class *c, const ts_descriptor *shape)
{
    const bool planned = !support_refuses(cache->promised, shape);
    c->changed = planned && !c->supported;
    if (c->changed)
        c->answer = strdup("said yes when the cases were planned, and no in another process,");
    c->supported = planned;
}

/* Ask the backend about the class c, and note how the query ends. */
static void ask(class_cache *cache, execute_class *c, const ts_descriptor *shape, ts_level level)
{
    platform_fault fault;
    const void *const shown = (const char *)&cache->asked.shape + cache->distance;
    cache->asked.shape = *shape;
    operator_mark_dependent(&cache->asked.shape);
    cache->asked.call = operator_call(shown);
    cache->asked.call.flags = TS_CALL_DESCRIPTOR_ONLY;
    cache->asked.call.feature_level = level;
    class_query q = { cache->plugin, (const void *)((const char *)&cache->asked.call + cache->distance), c, TS_ERROR };
    watchdog_set_class(cache->watchdog, c->key);
    const bool fine = isolation_call(&cache->plugin->isolation, cache->watchdog, query_class, &q, &fault);
    watchdog_set_class(cache->watchdog, 0);
    c->supported = !fine || q.status != TS_UNSUPPORTED;
    if (fine && q.status != TS_OK && q.status != TS_UNSUPPORTED)
        c->answer = describe_answer(cache->plugin, q.status);
    if (fine && cache->promised)
        hold(cache, c, shape);
    if (!fine && (c->fault = malloc(sizeof fault)))
        *c->fault = fault;
    if (!fine)
        note_failure(cache, c->key, &fault);
    if (!c->supported)
        support_refuse(&cache->refused, shape);
}

/* The place of a key in the table: of its class, or the empty one where the class would be. */
static uint32_t *find_place(const class_cache *cache, uint64_t key)
{
    size_t at = (size_t)key & (cache->place_count - 1);
    while (cache->places[at] && cache->classes[cache->places[at] - 1].key != key)
        at = (at + 1) & (cache->place_count - 1);
    return &cache->places[at];
}

/* Keep at least half of the table empty. */
static bool make_places(class_cache *cache)
{
    if (2 * (cache->class_count + 1) <= cache->place_count)
        return true;
    const size_t count = cache->place_count ? 2 * cache->place_count : 256;
    uint32_t *places = calloc(count, sizeof *places);
    if (!places)
        return false;
    free(cache->places);
    cache->places = places;
    cache->place_count = count;
    for (size_t i = 0; i < cache->class_count; ++i)
        *find_place(cache, cache->classes[i].key) = (uint32_t)i + 1;
    return true;
}

const execute_class *class_cache_query(class_cache *cache, const ts_descriptor *shape, ts_level level)
{
    const uint64_t key = class_key(shape);
    if (!make_places(cache) ||
        !array_reserve(&cache->classes, &cache->class_capacity, cache->class_count + 1, sizeof *cache->classes))
        return NULL;
    uint32_t *place = find_place(cache, key);
    if (*place)
        return &cache->classes[*place - 1];
    if (cache->failure.key)
        return NULL;
    execute_class *c = &cache->classes[cache->class_count++];
    *place = (uint32_t)cache->class_count;
    *c = (execute_class){ .key = key, .blocked = execute_blocklist_find(cache->blocklist, key) };
    if (c->blocked)
        c->supported = true;
    else
        ask(cache, c, shape, level);
    return c;
}

/* ---- clauses ---- */

static uint64_t clause_key(const char *op, const char *clause)
{
    uint64_t key = 1;
    for (; *op; ++op)
        key = fill_mix(key ^ (unsigned char)*op);
    for (; *clause; ++clause)
        key = fill_mix(key ^ (unsigned char)*clause);
    return key;
}

typedef struct clause_query {
    plugin *plugin;
    const char *op, *clause;
    ts_status status;
} clause_query;

static void query_clause(void *context)
{
    clause_query *q = context;
    q->status = q->plugin->backend->query_clause(q->plugin->self, q->op, q->clause);
}

bool class_cache_shows_clause(class_cache *cache, const char *op, const char *clause)
{
    const ts_backend *b = cache->plugin->backend;
    if (b->struct_size < offsetof(ts_backend, query_clause) + sizeof b->query_clause || !b->query_clause)
        return true;
    for (size_t i = 0; i < cache->clause_count; ++i)
        if (cache->clauses[i].op == op && cache->clauses[i].clause == clause)
            return cache->clauses[i].shown;
    const uint64_t key = clause_key(op, clause);
    if (cache->failure.key || execute_blocklist_find(cache->blocklist, key) ||
        !array_reserve(&cache->clauses, &cache->clause_capacity, cache->clause_count + 1, sizeof *cache->clauses))
        return true;
    platform_fault fault;
    clause_query q = { cache->plugin, op, clause, TS_ERROR };
    watchdog_set_class(cache->watchdog, key);
    const bool fine = isolation_call(&cache->plugin->isolation, cache->watchdog, query_clause, &q, &fault);
    watchdog_set_class(cache->watchdog, 0);
    if (!fine)
        note_failure(cache, key, &fault);
    const bool shown = !fine || q.status != TS_UNSUPPORTED; /* where the query fails, the cases are planned */
    cache->clauses[cache->clause_count++] = (execute_clause){ op, clause, shown };
    if (!shown)
        support_refuse_clause(&cache->refused, op, clause);
    return shown;
}
