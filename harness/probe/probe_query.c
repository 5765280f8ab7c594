/* SPDX-License-Identifier: Apache-2.0 */
/* Checks on what a backend says that it supports. */
#include "harness/base/array.h"
#include "harness/probe/probe_internal.h"
#include "reference/operators.h"

#include <string.h>

static uint64_t class_key(const ts_descriptor *shape)
{
    uint64_t key = fill_mix((uintptr_t)shape->op ^ ((uint64_t)shape->profile << 48)) + operator_missing_attrs(shape);
    for (unsigned t = 0; t < shape->op->tensor_count; ++t)
        key = fill_mix(key + ((uint64_t)shape->tensors[t].dtype << 32 | (uint64_t)shape->tensors[t].rank << 1 |
                              (shape->tensors[t].given & 1)));
    return key;
}

/* Ask about a class. The answer must be one of two, and the same when it is asked again. */
static bool ask(probe *p, const ts_call *call, const char *what, bool *supported, void **token)
{
    ts_status answers[2];
    for (int i = 0; i < 2; ++i) {
        *token = NULL;
        probe_step(p, "query of %s", what);
        answers[i] = p->plugin.backend->query(p->plugin.self, call, token);
        if (answers[i] != TS_OK && answers[i] != TS_UNSUPPORTED)
            return probe_breaks(p, CLAUSE_QUERY, "query of %s returns %d: %s", what, (int)answers[i],
                                plugin_status_name(answers[i]));
    }
    *supported = answers[0] == TS_OK;
    return answers[0] == answers[1] ||
           probe_breaks(p, CLAUSE_RESULTS, "query of %s returns TS_OK and TS_UNSUPPORTED", what);
}

const probe_class *probe_query(probe *p, const ts_descriptor *shape)
{
    const uint64_t key = class_key(shape);
    for (size_t i = 0; i < p->class_count; ++i)
        if (p->classes[i].key == key)
            return &p->classes[i];
    if (!p->letters || !array_reserve(&p->classes, &p->class_capacity, p->class_count + 1, sizeof *p->classes))
        return NULL;
    /* What is asked lies in memory that the backend can only read, in front of the calls. */
    struct asked {
        ts_descriptor d;
        ts_call call;
    } *const asked = (struct asked *)(void *)p->letters;
    const struct asked *const shown = (const struct asked *)(const void *)(p->letters + p->distance);
    char what[200];
    asked->d = *shape;
    operator_mark_dependent(&asked->d);
    asked->call = operator_call(&shown->d);
    asked->call.flags = TS_CALL_DESCRIPTOR_ONLY;
    asked->call.feature_level = p->plugin.info.highest_level;
    snprintf(what, sizeof what, "a class of %s", shape->op->name);
    probe_class c = { .key = key };
    if (!ask(p, &shown->call, what, &c.supported, &c.token))
        return NULL;
    memset(asked, 0xA5, sizeof *asked); /* nothing of it may be kept */
    p->classes[p->class_count] = c;
    return &p->classes[p->class_count++];
}

/* An operator that no suite has, and types and ranks that no operator has. */
static void ask_about_garbage(probe *p)
{
    static const char *const names[] = { "touchstone.no_such_operator", "" };
    size_t count;
    const ts_operator *const *all = operators_all(&count);
    ts_tensor tensors[TS_MAX_TENSORS] = { { .dtype = TS_FLOAT32, .rank = 4, .given = TS_GIVEN_ALL } };
    bool supported;
    void *token;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        const ts_call call = { .struct_size = sizeof call,
                               .tensor_size = sizeof *tensors,
                               .op = names[i],
                               .tensor_count = 1,
                               .flags = TS_CALL_DESCRIPTOR_ONLY,
                               .tensors = tensors };
        if (ask(p, &call, "an operator that there is not", &supported, &token) && supported)
            probe_breaks(p, CLAUSE_QUERY, "query returns TS_OK for the operator '%s', which there is not", names[i]);
    }
    static const uint32_t odd[][2] = {
        { 0, 0 }, { 99, 4 }, { TS_FLOAT32, TS_MAX_DIMS + 1 }, { UINT32_MAX, UINT32_MAX }
    };
    for (size_t i = 0; i < count; ++i)
        for (size_t k = 0; k < sizeof odd / sizeof odd[0]; ++k) {
            ts_descriptor d;
            operator_begin(&d, all[i]);
            for (unsigned t = 0; t < all[i]->tensor_count; ++t) {
                d.tensors[t].dtype = odd[k][0];
                d.tensors[t].rank = odd[k][1];
                d.tensors[t].given = TS_GIVEN_ALL;
            }
            if (!probe_query(p, &d))
                return;
        }
}

void probe_check_query(probe *p)
{
    if (!probe_open(p) || !probe_room(p))
        return;
    ask_about_garbage(p);
    if (p->outcome == PROBE_KEPT && p->shared->surveyed && p->shared->classes == 0)
        probe_saw(p, PROBE_KEPT, "it supports no class of calls of tier quick");
}

void probe_check_query_clause(probe *p)
{
    size_t count, asked = 0;
    if (!probe_open(p))
        return;
    const ts_operator *const *all = operators_all(&count);
    const ts_backend *b = p->plugin.backend;
    if (b->struct_size < offsetof(ts_backend, query_clause) + sizeof b->query_clause || !b->query_clause) {
        probe_saw(p, PROBE_NOT_APPLICABLE, "it has no query_clause");
        return;
    }
    for (size_t i = 0; i < count; ++i)
        for (unsigned k = 0; k <= all[i]->clause_count + all[i]->shared_count; ++k) {
            const char *id = k < all[i]->clause_count ? all[i]->clauses[k].id
                             : k < all[i]->clause_count + all[i]->shared_count
                                 ? all[i]->shared[k - all[i]->clause_count].id
                                 : "NO-99";
            probe_step(p, "query_clause of %s, %s", all[i]->name, id);
            const ts_status first = b->query_clause(p->plugin.self, all[i]->name, id),
                            second = b->query_clause(p->plugin.self, all[i]->name, id);
            if ((first != TS_OK && first != TS_UNSUPPORTED) || first != second) {
                probe_breaks(p, CLAUSE_QUERY_CLAUSE, "query_clause of %s, %s returns %d, and asked again %d",
                             all[i]->name, id, (int)first, (int)second);
                return;
            }
            ++asked;
        }
    probe_saw(p, PROBE_KEPT, "%zu clauses", asked);
}
