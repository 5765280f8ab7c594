/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/store/scope.h"

#include "harness/base/array.h"
#include "harness/store/summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static scope_operator *find_operator(scope *s, const char *op, bool add)
{
    for (size_t i = 0; i < s->count; ++i)
        if (strcmp(s->operators[i].name, op) == 0)
            return &s->operators[i];
    if (!add || !array_reserve(&s->operators, &s->capacity, s->count + 1, sizeof *s->operators))
        return NULL;
    s->operators[s->count] = (scope_operator){ .name = op };
    return &s->operators[s->count++];
}

static scope_type *find_type(scope_operator *o, const char *dtype, bool add)
{
    for (size_t i = 0; i < o->type_count; ++i)
        if (strcmp(o->types[i].name, dtype) == 0)
            return &o->types[i];
    if (!add || !array_reserve(&o->types, &o->type_capacity, o->type_count + 1, sizeof *o->types))
        return NULL;
    scope_type *own = &o->types[o->type_count++];
    *own = (scope_type){ 0 };
    snprintf(own->name, sizeof own->name, "%s", dtype);
    return own;
}

bool scope_begin(scope *s, const scope_facts *facts)
{
    *s = (scope){ .facts = facts };
    for (size_t i = 0; i < facts->suite.count; ++i) {
        const scope_count *c = &facts->suite.list[i];
        scope_operator *o = find_operator(s, c->op, true);
        if (!o || !find_type(o, c->dtype, true))
            return false;
    }
    for (size_t i = 0; i < facts->refused.count; ++i) {
        const scope_count *c = &facts->refused.list[i];
        scope_operator *o = find_operator(s, c->op, true);
        scope_type *t = o ? find_type(o, c->dtype, true) : NULL;
        if (!t)
            return false;
        t->refused += c->cases;
    }
    for (size_t i = 0; i < facts->offered.count; ++i) {
        scope_operator *o = find_operator(s, facts->offered.list[i].op, true);
        scope_type *t = o ? find_type(o, facts->offered.list[i].dtype, true) : NULL;
        if (!t)
            return false;
        t->supported = true;
    }
    return true;
}

bool scope_add_operator(scope *s, const char *op, bool planned)
{
    scope_operator *o = find_operator(s, op, true);
    if (o)
        o->planned |= planned;
    return o != NULL;
}

static bool judges(verdict v)
{
    return v == VERDICT_PASS || v == VERDICT_WAIVED || verdict_fails(v);
}

bool scope_add_cases(scope *s, const char *op, const char *dtype, verdict v, uint64_t cases)
{
    scope_operator *o = find_operator(s, op, true);
    if (!o)
        return false;
    if (judges(v)) {
        o->judged += cases;
        s->judged += cases;
    }
    /* Illegal descriptors have any data type, or none. */
    const bool illegal = !*dtype || strcmp(dtype, "?") == 0;
    scope_type *t = illegal ? NULL : find_type(o, dtype, s->facts->suite.count == 0);
    if (t && s->facts->suite.count == 0)
        t->supported = true; /* a file without facts */
    if (t)
        *(v == VERDICT_UNSUPPORTED  ? &t->unsupported
          : v == VERDICT_NOT_JUDGED ? &t->unjudged
          : judges(v)               ? &t->judged
                                    : &t->open) += cases;
    return t != NULL || illegal || s->facts->suite.count > 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const scope_operator *)a)->name, ((const scope_operator *)b)->name);
}

static int by_type(const void *a, const void *b)
{
    return summary_compare_dtypes(((const scope_type *)a)->name, ((const scope_type *)b)->name);
}

void scope_end(scope *s)
{
    if (s->count)
        qsort(s->operators, s->count, sizeof *s->operators, by_name);
    for (size_t i = 0; i < s->count; ++i)
        if (s->operators[i].type_count)
            qsort(s->operators[i].types, s->operators[i].type_count, sizeof(scope_type), by_type);
}

void scope_free(scope *s)
{
    for (size_t i = 0; i < s->count; ++i)
        free(s->operators[i].types);
    free(s->operators);
    *s = (scope){ 0 };
}

bool scope_type_is(const scope_type *t, scope_part part)
{
    /* Illegal descriptors have data types as well: they offer nothing. */
    const uint64_t offered = t->supported ? t->judged + t->open + t->unjudged : 0;
    const bool judged = t->judged > 0 && t->unjudged == 0; /* a refusal of illegal descriptors judges no values */
    const uint64_t required = offered + t->refused + (t->supported ? t->unsupported : 0);
    switch (part) {
    case SCOPE_REQUIRED: return required > 0;
    case SCOPE_OFFERED: return offered > 0;
    case SCOPE_JUDGED: return offered > 0 && judged;
    case SCOPE_NOT_JUDGED: return offered > 0 && !judged;
    case SCOPE_NOT_OFFERED: return required > 0 && offered == 0;
    case SCOPE_NOT_TRIED: return required == 0;
    }
    return false;
}

/* Has the operator a data type that belongs to the part? */
static bool has_type(const scope_operator *o, scope_part part)
{
    for (size_t i = 0; i < o->type_count; ++i)
        if (scope_type_is(&o->types[i], part))
            return true;
    return false;
}

bool scope_operator_is(const scope_operator *o, scope_part part)
{
    const bool refused = has_type(o, SCOPE_NOT_OFFERED);
    const bool offered = has_type(o, SCOPE_OFFERED) || (o->judged > 0 && !refused);
    const bool required = o->planned || offered || refused;
    switch (part) {
    case SCOPE_REQUIRED: return required;
    case SCOPE_OFFERED: return offered;
    case SCOPE_JUDGED: return o->judged > 0;
    case SCOPE_NOT_JUDGED: return offered && o->judged == 0;
    case SCOPE_NOT_OFFERED: return !offered && refused;
    case SCOPE_NOT_TRIED: return !required;
    }
    return false;
}

bool scope_is_part(const scope *s)
{
    if (scope_counts_sum(&s->facts->unshown) > 0)
        return true;
    for (size_t i = 0; i < s->count; ++i)
        for (size_t k = 0; k < s->operators[i].type_count; ++k)
            if (s->operators[i].types[k].refused)
                return true;
    return false;
}
