/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/reduce.h"

#include "harness/base/array.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists of points ---- */

void reduce_points_clear(reduce_points *p)
{
    free(p->text);
    *p = (reduce_points){ .text = NULL };
}

void reduce_points_add(reduce_points *p, const char *parameters)
{
    const size_t n = strlen(parameters);
    if (p->failed || !array_reserve(&p->text, &p->capacity, p->length + n + 2, 1)) {
        p->failed = true;
        return;
    }
    if (p->count++ > 0)
        p->text[p->length++] = '\n';
    memcpy(p->text + p->length, parameters, n + 1);
    p->length += n;
}

bool reduce_points_at(const reduce_points *p, size_t i, char *parameters, size_t size)
{
    const char *line = p->text;
    if (i >= p->count)
        return false;
    for (; i > 0; --i)
        line = strchr(line, '\n') + 1;
    const size_t n = strcspn(line, "\n");
    if (n >= size)
        return false;
    memcpy(parameters, line, n);
    parameters[n] = '\0';
    return true;
}

/* ---- values ---- */

/* The values of a point; those of parameters that it does not name are the defaults. A separate cursor, because the
   point need not be legal. */
static void name_value(const space_axis *axis, int64_t value, char *out, size_t size)
{
    const char *symbol = space_symbol(axis, value);
    if (symbol)
        snprintf(out, size, "%s", symbol);
    else
        snprintf(out, size, "%" PRId64, value);
}

/* One parameter of a list: "size=4.1". */
typedef struct parameter {
    int slot;
    char name[64], value[REDUCE_TEXT];
    bool vector;
} parameter;

/* Read the parameter at *list and move behind it; false at the end. */
static bool next_parameter(const space *s, const char **list, parameter *p)
{
    const char *at = *list;
    const size_t n = strcspn(at, ","), name = strcspn(at, "=");
    if (n == 0 || name >= n || name >= sizeof p->name || n - name > sizeof p->value)
        return false;
    snprintf(p->name, sizeof p->name, "%.*s", (int)name, at);
    snprintf(p->value, sizeof p->value, "%.*s", (int)(n - name - 1), at + name + 1);
    p->slot = space_axis_named(s, p->name);
    p->vector = p->slot >= 0 && space_axis_at(s, (size_t)p->slot)->per != SPACE_SCALAR;
    *list = at + n + (at[n] == ',');
    return p->slot >= 0;
}

static void append(char *out, size_t size, const char *text)
{
    const size_t used = strlen(out);
    snprintf(out + used, size - used, "%s", text);
}

static void append_parameter(char *out, size_t size, const char *name, const char *value)
{
    append(out, size, *out ? "," : "");
    append(out, size, name);
    append(out, size, "=");
    append(out, size, value);
}

/* Element k of "4.1"; false if there is none. */
static bool element_of(const char *value, unsigned k, char *out, size_t size)
{
    for (; k > 0; --k) {
        value += strcspn(value, ".");
        if (!*value++)
            return false;
    }
    snprintf(out, size, "%.*s", (int)strcspn(value, "."), value);
    return true;
}

/* The value with some elements, a set of bits, at the default. *differs: some element is not. */
static void with_defaults(const space_axis *axis, const char *value, uint64_t which, char *out, size_t size,
                          bool *differs)
{
    char element[96], fallback[96];
    name_value(axis, axis->fallback, fallback, sizeof fallback);
    out[0] = '\0';
    *differs = false;
    for (unsigned k = 0; element_of(value, k, element, sizeof element); ++k) {
        append(out, size, k ? "." : "");
        append(out, size, which >> k & 1 ? fallback : element);
        *differs = *differs || (!(which >> k & 1) && strcmp(element, fallback) != 0);
    }
}

/* A parameter as a whole, or one element of it. */
typedef struct unit {
    int slot;
    int element; /* -1: all */
} unit;

/* The point without the units. */
static void remove_units(const space *s, const char *parameters, const unit *units, size_t count, char *out,
                         size_t size)
{
    parameter p;
    out[0] = '\0';
    while (next_parameter(s, &parameters, &p)) {
        uint64_t which = 0;
        bool differs = true;
        char value[REDUCE_TEXT];
        for (size_t i = 0; i < count; ++i)
            if (units[i].slot == p.slot)
                which |= units[i].element < 0 ? UINT64_MAX : UINT64_C(1) << units[i].element;
        if (which == UINT64_MAX)
            continue;
        if (which)
            with_defaults(space_axis_at(s, (size_t)p.slot), p.value, which, value, sizeof value, &differs);
        if (differs)
            append_parameter(out, size, p.name, which ? value : p.value);
    }
}

/* The units that a point can be rid of, in the order of reduce_simpler. */
enum { MOST_UNITS = SPACE_MAX_AXES * (1 + EXPR_MAX_LENGTH) };
static size_t list_units(const space *s, const char *parameters, unit *units)
{
    parameter p;
    size_t n = 0;
    while (next_parameter(s, &parameters, &p) && n + 1 + EXPR_MAX_LENGTH < MOST_UNITS) {
        const space_axis *axis = space_axis_at(s, (size_t)p.slot);
        char element[96], fallback[96];
        unsigned differing = 0;
        units[n++] = (unit){ p.slot, -1 };
        name_value(axis, axis->fallback, fallback, sizeof fallback);
        const size_t first = n;
        for (unsigned k = 0; p.vector && k < EXPR_MAX_LENGTH && element_of(p.value, k, element, sizeof element); ++k)
            if (strcmp(element, fallback) != 0) {
                units[n++] = (unit){ p.slot, (int)k };
                ++differing;
            }
        if (differing < 2) /* the same as the parameter as a whole */
            n = first;
    }
    return n;
}

void reduce_simpler(const space *s, const char *parameters, reduce_points *to)
{
    unit units[MOST_UNITS];
    char out[REDUCE_TEXT];
    const size_t n = list_units(s, parameters, units);
    for (size_t i = 0; i < n; ++i) {
        remove_units(s, parameters, &units[i], 1, out, sizeof out);
        reduce_points_add(to, out);
    }
}

void reduce_together(const space *s, const char *parameters, const reduce_points *simpler, const bool *chosen,
                     char *out, size_t size)
{
    unit units[MOST_UNITS];
    const size_t n = list_units(s, parameters, units);
    size_t kept = 0;
    for (size_t i = 0; i < n && i < simpler->count; ++i)
        if (chosen[i])
            units[kept++] = units[i];
    remove_units(s, parameters, units, kept, out, size);
}

/* Does the point name this axis? */
static bool names(const space *s, const char *parameters, size_t slot)
{
    parameter p;
    while (next_parameter(s, &parameters, &p))
        if ((size_t)p.slot == slot)
            return true;
    return false;
}

void reduce_otherwise(const space *s, const char *parameters, reduce_points *to, size_t *slots)
{
    for (size_t i = 0; i < space_axis_count(s); ++i) {
        const space_axis *axis = space_axis_at(s, i);
        unsigned tried = 0;
        if (axis->per != SPACE_SCALAR || names(s, parameters, i))
            continue;
        for (size_t k = 0; k < axis->count && tried < 2; ++k) {
            char out[REDUCE_TEXT], value[96];
            if (axis->values[k] == axis->fallback)
                continue;
            ++tried;
            snprintf(out, sizeof out, "%s", parameters);
            name_value(axis, axis->values[k], value, sizeof value);
            append_parameter(out, sizeof out, axis->name, value);
            slots[to->count] = i;
            reduce_points_add(to, out);
        }
    }
}

/* ---- conditions ---- */

static void append_condition(char *out, size_t size, const char *name, int element, const char *value)
{
    char text[200];
    if (element < 0)
        snprintf(text, sizeof text, "%s%s=%.96s", *out ? " and " : "", name, value);
    else
        snprintf(text, sizeof text, "%s%s[%d]=%.96s", *out ? " and " : "", name, element + 1, value);
    append(out, size, text);
}

void reduce_conditions(const space *s, const char *parameters, uint64_t also, char *out, size_t size)
{
    parameter p;
    char value[96], fallback[96];
    out[0] = '\0';
    while (next_parameter(s, &parameters, &p)) {
        const space_axis *axis = space_axis_at(s, (size_t)p.slot);
        name_value(axis, axis->fallback, fallback, sizeof fallback);
        if (!p.vector)
            append_condition(out, size, p.name, -1, p.value);
        for (unsigned k = 0; p.vector && element_of(p.value, k, value, sizeof value); ++k)
            if (strcmp(value, fallback) != 0)
                append_condition(out, size, p.name, (int)k, value);
    }
    for (size_t i = 0; i < space_axis_count(s) && i < 64; ++i)
        if (also >> i & 1) {
            name_value(space_axis_at(s, i), space_axis_at(s, i)->fallback, value, sizeof value);
            append_condition(out, size, space_axis_at(s, i)->name, -1, value);
        }
}

bool reduce_meets(const space_cursor *at, const char *parameters, uint64_t also)
{
    const space *s = at->space;
    parameter p;
    char wanted[96], value[96], fallback[96];
    for (size_t i = 0; i < space_axis_count(s) && i < 64; ++i)
        if ((also >> i & 1) && at->values[i].v[0] != space_axis_at(s, i)->fallback)
            return false;
    while (next_parameter(s, &parameters, &p)) {
        const space_axis *axis = space_axis_at(s, (size_t)p.slot);
        const expr_value *v = &at->values[p.slot];
        name_value(axis, axis->fallback, fallback, sizeof fallback);
        for (unsigned k = 0; element_of(p.value, k, wanted, sizeof wanted); ++k) {
            if (p.vector && strcmp(wanted, fallback) == 0)
                continue;
            if (k >= v->length)
                return false;
            name_value(axis, v->v[k], value, sizeof value);
            if (strcmp(value, wanted) != 0)
                return false;
            if (!p.vector)
                break;
        }
    }
    return true;
}
