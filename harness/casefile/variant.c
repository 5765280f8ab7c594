/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/variant.h"

#include "harness/model/fill.h"

#include <string.h>

const char *const variant_hows[] = { "default", "one", "near", "flip", "negated", "swap", NULL };
const char *const variant_words[] = { "data", "refused", "swapped", "others", NULL };

/* The name of a scalar axis' value, or "". */
static const char *name_at(const space *s, const char *axis, const expr_value *values)
{
    const int slot = space_axis_named(s, axis);
    if (slot < 0)
        return "";
    const char *symbol = space_symbol(space_axis_at(s, (size_t)slot), values[slot].v[0]);
    return symbol ? symbol : "";
}

static int64_t number_at(const space *s, const char *axis, const expr_value *values)
{
    const int slot = space_axis_named(s, axis);
    return slot < 0 ? 0 : values[slot].v[0];
}

variant variant_read(const space *s, const expr_value *values)
{
    static const variant_kind kinds[] = { VARIANT_DATA, VARIANT_REFUSED, VARIANT_SWAPPED, VARIANT_OTHERS };
    const char *word = name_at(s, "before", values);
    variant v = { .kind = VARIANT_AXIS,
                  .times = number_at(s, "times", values),
                  .which = (uint64_t)number_at(s, "which", values),
                  .slot = space_axis_named(s, word),
                  .how = name_at(s, "how", values) };
    for (unsigned i = 0; variant_words[i]; ++i)
        if (strcmp(word, variant_words[i]) == 0)
            v.kind = kinds[i];
    return v;
}

/* The name behind this one, or the first. */
static int64_t next_symbol(const space_axis *a, int64_t value)
{
    for (size_t i = 0; i < a->symbol_count; ++i)
        if (a->symbol_values[i] == value)
            return a->symbol_values[(i + 1) % a->symbol_count];
    return value;
}

static void swap_elements(expr_value *x, uint64_t which)
{
    if (x->length < 2)
        return;
    const uint64_t a = which % x->length, b = (a + 1) % x->length;
    const int64_t kept = x->v[a];
    x->v[a] = x->v[b];
    x->v[b] = kept;
}

static void change_axis(const space_axis *a, const char *how, uint64_t which, expr_value *x)
{
    if (x->length == 0)
        return;
    int64_t *at = &x->v[which % x->length];
    if (strcmp(how, "one") == 0)
        *at = a->fallback;
    else if (strcmp(how, "near") == 0)
        *at = a->symbol_count ? next_symbol(a, *at) : (int64_t)((uint64_t)*at + 1);
    else if (strcmp(how, "flip") == 0)
        *at = a->symbol_count ? next_symbol(a, *at) : *at ^ 1;
    else if (strcmp(how, "negated") == 0 && !a->symbol_count)
        *at = (int64_t)(0 - (uint64_t)*at);
    else if (strcmp(how, "swap") == 0 && x->length > 1)
        swap_elements(x, which);
    else
        for (uint32_t k = 0; k < x->length; ++k)
            x->v[k] = a->fallback;
}

static bool is_length(const space *s, size_t slot)
{
    for (size_t i = 0; i < space_axis_count(s); ++i)
        if (space_axis_at(s, i)->per == (int)slot)
            return true;
    return false;
}

/* Swap two dimensions in all vectors of the first length axis. */
static void swap_dimensions(const space *s, uint64_t which, expr_value *out)
{
    int length = SPACE_SCALAR;
    for (size_t i = 0; i < space_axis_count(s); ++i) {
        const space_axis *a = space_axis_at(s, i);
        if (a->per < 0 || a->position)
            continue;
        length = length < 0 ? a->per : length;
        if (a->per == length)
            swap_elements(&out[i], which);
    }
}

/* Change one to three axes, in ways that depend on the case and on k. */
static void change_some(const space *s, uint64_t k, const expr_value *values, expr_value *out)
{
    uint64_t random = fill_mix(space_point_hash(s, values) ^ fill_mix(k + 1));
    const unsigned changes = 1 + (unsigned)(random % 3);
    for (unsigned i = 0; i < changes; ++i) {
        random = fill_mix(random + i);
        const size_t slot = random % space_axis_count(s);
        const space_axis *a = space_axis_at(s, slot);
        const char *how = variant_hows[random / 64 % 6];
        if (!a->position && !is_length(s, slot))
            change_axis(a, how, random / 1024, &out[slot]);
    }
}

void variant_values(const space *s, const variant *v, uint64_t k, const expr_value *values, expr_value *out)
{
    memcpy(out, values, space_axis_count(s) * sizeof *out);
    if (v->kind == VARIANT_AXIS && v->slot >= 0)
        change_axis(space_axis_at(s, (size_t)v->slot), v->how, v->which, &out[v->slot]);
    else if (v->kind == VARIANT_SWAPPED)
        swap_dimensions(s, v->which, out);
    else if (v->kind == VARIANT_OTHERS)
        change_some(s, k, values, out);
}
