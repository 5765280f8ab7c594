/* SPDX-License-Identifier: Apache-2.0 */
/* Writes conditions of regions as text that follows `where` in a query. */
#include "harness/analysis/region_internal.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct out {
    char *buf;
    size_t size;
    int used;
} out;

static void put(out *o, const char *format, ...) ERROR_PRINTF(2, 3);
static void put(out *o, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    size_t at = (size_t)o->used < o->size ? (size_t)o->used : o->size;
    o->used += vsnprintf(o->buf ? o->buf + at : NULL, o->size - at, format, args);
    va_end(args);
}

/* Does the name of a value need no quotes? It must be one word, no keyword and no name of an axis. */
static bool is_bare(const space *s, const char *word)
{
    static const char *const taken[] = { "and", "or", "not", "in", "true", "false", "nil" };
    for (const char *p = word; *p; ++p)
        if (!isalnum((unsigned char)*p) && *p != '_')
            return false;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; ++i)
        if (strcmp(word, taken[i]) == 0)
            return false;
    return isalpha((unsigned char)word[0]) && space_axis_named(s, word) < 0;
}

static void put_value(const region *r, const column *c, int64_t value, out *o)
{
    const space_axis *axis = space_axis_at(r->space, c->slot);
    const char *symbol = space_symbol(axis, value);
    if (symbol)
        put(o, is_bare(r->space, symbol) ? "%s" : "\"%s\"", symbol);
    else if (value == INT64_MIN) /* the least integer has no literal */
        put(o, "(%" PRId64 " - 1)", value + 1);
    else
        put(o, "%" PRId64, value);
}

/* "stride", "stride[1]", "stride[rank]" */
static void put_subject(const region *r, const column *c, out *o)
{
    const space_axis *axis = space_axis_at(r->space, c->slot);
    put(o, "%s", axis->name);
    if (c->kind == COLUMN_FIRST)
        put(o, "[1]");
    else if (c->kind == COLUMN_LAST && axis->per == SPACE_FIXED)
        put(o, "[%u]", (unsigned)axis->fixed);
    else if (c->kind == COLUMN_LAST)
        put(o, "[%s]", space_axis_at(r->space, (size_t)axis->per)->name);
}

static unsigned bits_of(uint64_t set)
{
    unsigned n = 0;
    for (; set; set &= set - 1)
        ++n;
    return n;
}

static void put_set(const region *r, const column *c, uint64_t set, bool may_deny, out *o)
{
    const space_axis *axis = space_axis_at(r->space, c->slot);
    bool denied = may_deny && bits_of(c->full & ~set) < bits_of(set);
    uint64_t listed = denied ? c->full & ~set : set;
    bool one = bits_of(listed) == 1, more = false;
    put(o, "%s", one ? (denied ? " ~= " : " == ") : denied ? " not in {" : " in {");
    for (size_t i = 0; i < axis->count; ++i) {
        if (!(listed >> i & 1))
            continue;
        put(o, "%s", more ? ", " : "");
        put_value(r, c, axis->values[i], o);
        more = true;
    }
    put(o, "%s", one ? "" : "}");
}

/* Can the condition compare with 0 instead of the bound ("< 0" instead of "<= -1")? It can where the axis has no value
   between the bound and 0, and has values on the other side. */
static bool is_sign(const region *r, const column *c, int64_t bound)
{
    const space_axis *axis = space_axis_at(r->space, c->slot);
    bool far = false;
    for (size_t i = 0; i < axis->count; ++i) {
        if (bound < 0 ? axis->values[i] > bound && axis->values[i] < 0 : axis->values[i] < bound && axis->values[i] > 0)
            return false;
        far = far || (bound < 0 ? axis->values[i] >= 0 : axis->values[i] <= 0);
    }
    return bound != 0 && far;
}

static void put_bound(const region *r, const atom *a, out *o)
{
    const column *c = &r->columns[a->column];
    bool least = a->kind == ATOM_LEAST, vector = c->kind == COLUMN_MIN || c->kind == COLUMN_MAX;
    bool sign = (least ? a->bound > 0 : a->bound < 0) && is_sign(r, c, a->bound);
    const char *compare = least ? (sign ? " > " : " >= ") : (sign ? " < " : " <= ");
    /* each() bounds the minimum from below and the maximum from above, any() the other way round; unlike min(v), both
       are defined for a vector without elements. */
    put(o, "%s", !vector ? "" : least == (c->kind == COLUMN_MAX) ? "any(" : "each(");
    put_subject(r, c, o);
    put(o, "%s", compare);
    put_value(r, c, sign ? 0 : a->bound, o);
    put(o, "%s", vector ? ")" : "");
}

int region_atom_text(const region *r, const atom *a, char *buf, size_t size)
{
    const column *c = &r->columns[a->column];
    out o = { buf, size, 0 };
    switch (a->kind) {
    case ATOM_IN:
    case ATOM_WITHIN:
        put(&o, "%s", a->kind == ATOM_WITHIN ? "each(" : "");
        put_subject(r, c, &o);
        put_set(r, c, a->set, a->kind == ATOM_IN, &o);
        put(&o, "%s", a->kind == ATOM_WITHIN ? ")" : "");
        break;
    case ATOM_LEAST:
    case ATOM_MOST: put_bound(r, a, &o); break;
    case ATOM_HAS:
        put(&o, "any(%s == ", space_axis_at(r->space, c->slot)->name);
        for (size_t i = 0; i < REGION_SET; ++i)
            if (a->set >> i & 1)
                put_value(r, c, space_axis_at(r->space, c->slot)->values[i], &o);
        put(&o, ")");
        break;
    }
    return o.used;
}
