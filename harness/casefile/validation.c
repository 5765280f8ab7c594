/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/validation.h"

#include "harness/base/array.h"
#include "harness/model/descriptor.h"
#include "harness/model/fill.h"
#include "reference/operators.h"

#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

/* ---- what the checker says ---- */

/* Is the attribute a number of the structure itself, not behind a pointer? Such a field cannot be absent. */
static bool is_number(const ts_attr_decl *a)
{
    return a->type != TS_ATTR_OPERATOR && a->count != TS_ARRAY && !(a->count == TS_RECORD && a->optional);
}

/* Can nested operators be written as structures? */
static bool has_nested(const ts_descriptor *d, unsigned k)
{
    for (unsigned i = 0; (d->attrs_given >> k & 1) && i < operator_attr_count(d, k); ++i) {
        ts_descriptor inner;
        const ts_nested_operator nested = operator_nested(d, k, i);
        if (!operator_of_nested(&inner, &d->op->attrs[k], &nested) || operator_missing_attrs(&inner))
            return false;
    }
    return true;
}

/* Does the tensor fit into structures of 32 bits? */
static bool fits(const ts_tensor *t)
{
    for (uint32_t i = 0; i < t->rank && i < TS_MAX_DIMS; ++i)
        if (t->sizes[i] > UINT32_MAX || ((t->given & TS_GIVEN_STRIDES) && t->strides[i] > UINT32_MAX))
            return false;
    return t->rank <= TS_MAX_DIMS;
}

static bool is_askable(const ts_descriptor *d)
{
    for (unsigned k = 0; k < d->op->attr_count; ++k) {
        const ts_attr_decl *a = &d->op->attrs[k];
        if (a->count == TS_ARRAY && operator_attr_count(d, k) > a->capacity)
            return false;
        if (is_number(a) && !a->counts && !(d->attrs_given >> k & 1))
            return false;
        if (a->type == TS_ATTR_OPERATOR && !has_nested(d, k))
            return false;
    }
    for (unsigned i = 0; i < d->op->list_count; ++i) {
        const int64_t stated = operator_attr_value(d, d->op->lists[i].count, 0);
        if (stated < 0 || stated > d->op->lists[i].most)
            return false;
    }
    for (unsigned k = 0; k < d->op->tensor_count; ++k)
        if ((d->tensors[k].given & TS_GIVEN_TENSOR) && !fits(&d->tensors[k]))
            return false;
    return true;
}

static bool refuses(const ts_violation *v)
{
    return v->result == TS_RESULT_INVALID || v->result == TS_RESULT_UNSUPPORTED_FL || v->result == TS_RESULT_OPEN;
}

validation_answer validation_ask(const ts_descriptor *d, ts_report *report)
{
    memset(report, 0, sizeof *report);
    if (!is_askable(d))
        return VALIDATION_UNASKED;
    operator_check(d, report);
    bool illegal = report->worst == TS_RESULT_INVALID;
    for (unsigned i = 0; i < report->count; ++i) {
        if (report->items[i].result == TS_RESULT_BIND_ERROR || strcmp(report->items[i].clause, "OP-05") == 0)
            return VALIDATION_UNASKED;
        illegal = illegal || refuses(&report->items[i]);
    }
    return illegal ? VALIDATION_ILLEGAL : VALIDATION_LEGAL;
}

bool validation_breaks(const ts_report *report, const char *clause, bool *alone)
{
    bool found = false;
    *alone = report->dropped == 0;
    for (unsigned i = 0; i < report->count; ++i) {
        if (!refuses(&report->items[i]))
            continue;
        const bool same = strcmp(report->items[i].clause, clause) == 0;
        found = found || same;
        *alone = *alone && same;
    }
    return found;
}

/* ---- the changes of the legal call ---- */

typedef struct sorter {
    validation *v;
    uint64_t *seen; /* hashes of the descriptors so far */
    size_t count, capacity;
    bool failed; /* memory is out */
} sorter;

static bool is_new(sorter *s, const ts_descriptor *d)
{
    const uint64_t hash = XXH3_64bits(d, sizeof *d);
    for (size_t i = 0; i < s->count; ++i)
        if (s->seen[i] == hash)
            return false;
    if (!array_reserve(&s->seen, &s->capacity, s->count + 1, sizeof *s->seen)) {
        s->failed = true;
        return false;
    }
    s->seen[s->count++] = hash;
    return true;
}

static void add(sorter *s, validation_changes *to, const field_change *c)
{
    if (!array_reserve(&to->list, &to->capacity, to->count + 1, sizeof *to->list)) {
        s->failed = true;
        return;
    }
    to->list[to->count++] = *c;
}

static validation_clause *clause_of(validation *v, const char *id)
{
    for (size_t i = 0; i < v->clause_count; ++i)
        if (strcmp(v->clauses[i].id, id) == 0)
            return &v->clauses[i];
    if (v->clause_count == VALIDATION_CLAUSES)
        return NULL;
    v->clauses[v->clause_count] = (validation_clause){ .id = id };
    return &v->clauses[v->clause_count++];
}

static void sort_change(void *context, const ts_descriptor *d, const field_change *c)
{
    sorter *s = context;
    ts_report report;
    const validation_answer answer = validation_ask(d, &report);
    if (answer == VALIDATION_UNASKED || s->failed || !is_new(s, d))
        return;
    if (answer == VALIDATION_LEGAL) {
        add(s, &s->v->legal, c);
        return;
    }
    for (unsigned i = 0; i < report.count; ++i) {
        bool alone, again = false;
        for (unsigned k = 0; k < i; ++k)
            again = again || strcmp(report.items[k].clause, report.items[i].clause) == 0;
        validation_clause *own = again || !refuses(&report.items[i]) ? NULL : clause_of(s->v, report.items[i].clause);
        if (!own)
            continue;
        validation_breaks(&report, own->id, &alone);
        if (alone && !own->alone) {
            own->alone = true;
            own->changes.count = 0;
        }
        if (alone == own->alone)
            add(s, &own->changes, c);
    }
}

/* Bring the changes into an order in which the first ones are of all kinds: tier quick has these alone. */
static void shuffle(validation_changes *c, uint64_t key)
{
    for (size_t i = c->count; i > 1; --i) {
        const size_t k = (size_t)(fill_mix(key + i) % i);
        const field_change kept = c->list[i - 1];
        c->list[i - 1] = c->list[k];
        c->list[k] = kept;
    }
}

static int by_id(const void *a, const void *b)
{
    return strcmp(((const validation_clause *)a)->id, ((const validation_clause *)b)->id);
}

static bool read_call(validation *v, const ts_operator *op, error *e)
{
    size_t length = 0;
    const char *record = operators_legal_call(op->name, &length);
    json_error_t where;
    json_t *json = record ? json_loadb(record, length, JSON_REJECT_DUPLICATES, &where) : NULL;
    const bool fine = json && descriptor_from_json(op, json_object_get(json, "descriptor"), &v->call, NULL, e);
    if (!json)
        error_set(e, "%s has no legal call in reference/checked/legal.json: %s", op->name,
                  record ? where.text : "none");
    json_decref(json);
    return fine;
}

const field_change *validation_listed(const validation_changes *c, uint64_t number)
{
    return number % 2 == 0 && number / 2 < c->count ? &c->list[number / 2] : NULL;
}

validation *validation_open(const ts_operator *op, error *e)
{
    enum { MOST = 200 }; /* numbers of each clause, if so many are not needed for VALIDATION_CASES */
    ts_report report;
    validation *v = calloc(1, sizeof *v);
    if (!v) {
        error_set(e, "out of memory");
        return NULL;
    }
    v->key = XXH3_64bits(op->name, strlen(op->name));
    bool fine = read_call(v, op, e);
    if (fine && validation_ask(&v->call, &report) != VALIDATION_LEGAL)
        fine = error_set(e, "%s: the legal call in reference/checked/legal.json breaks %s: %s", op->name,
                         report.items[0].clause, report.items[0].text);
    sorter s = { .v = v };
    if (fine)
        changes_each(&v->call, sort_change, &s);
    free(s.seen);
    if (s.failed)
        fine = error_set(e, "out of memory");
    if (!fine) {
        validation_close(v);
        return NULL;
    }
    qsort(v->clauses, v->clause_count, sizeof *v->clauses, by_id);
    v->legal_cases = 2 * v->legal.count > VALIDATION_CASES ? 2 * v->legal.count : VALIDATION_CASES;
    shuffle(&v->legal, v->key);
    v->clause_cases = v->clause_count ? (VALIDATION_CASES + v->clause_count - 1) / v->clause_count : 0;
    for (size_t i = 0; i < v->clause_count; ++i) {
        const size_t count = 2 * v->clauses[i].changes.count, most = count < MOST ? count : MOST;
        v->clause_cases = most > v->clause_cases ? most : v->clause_cases;
        shuffle(&v->clauses[i].changes, v->key + i);
    }
    return v;
}

void validation_close(validation *v)
{
    if (!v)
        return;
    free(v->legal.list);
    for (size_t i = 0; i < v->clause_count; ++i)
        free(v->clauses[i].changes.list);
    free(v);
}
