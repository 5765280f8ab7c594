/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/analysis/region_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- columns ---- */

/* Can a vector of this axis be empty? Then it needs no conditions on its first and last element. */
static bool may_be_empty(const space *s, const space_axis *axis)
{
    if (axis->per == SPACE_FIXED)
        return axis->fixed == 0;
    const space_axis *length = space_axis_at(s, (size_t)axis->per);
    for (size_t i = 0; i < length->count; ++i)
        if (length->values[i] <= 0)
            return true;
    return false;
}

static void add_column(region *r, column_kind kind, size_t slot)
{
    const space_axis *axis = space_axis_at(r->space, slot);
    column c = { .kind = kind, .slot = slot, .listed = axis->count <= REGION_SET, .ordered = !axis->symbols };
    c.full = axis->count >= 64 ? UINT64_MAX : (UINT64_C(1) << axis->count) - 1;
    c.least = INT64_MAX;
    c.most = INT64_MIN;
    for (size_t i = 0; i < axis->count; ++i) {
        c.least = axis->values[i] < c.least ? axis->values[i] : c.least;
        c.most = axis->values[i] > c.most ? axis->values[i] : c.most;
    }
    if (r->column_count < REGION_COLUMNS)
        r->columns[r->column_count++] = c;
}

region *region_new(const space *s, error *e)
{
    region *r = calloc(1, sizeof *r);
    if (!r) {
        error_set(e, "out of memory");
        return NULL;
    }
    r->space = s;
    r->random = UINT64_C(0x9E3779B97F4A7C15);
    for (size_t slot = 0; slot < space_axis_count(s); ++slot) {
        const space_axis *axis = space_axis_at(s, slot);
        if (axis->position || axis->count <= 1)
            continue; /* equal for all points */
        bool vector = axis->per != SPACE_SCALAR, listed = axis->count <= REGION_SET;
        if (!vector) {
            add_column(r, COLUMN_SCALAR, slot);
            continue;
        }
        if (listed)
            add_column(r, COLUMN_ALL, slot);
        if (!axis->symbols) {
            add_column(r, COLUMN_MIN, slot);
            add_column(r, COLUMN_MAX, slot);
        }
        if (!may_be_empty(s, axis)) {
            add_column(r, COLUMN_FIRST, slot);
            add_column(r, COLUMN_LAST, slot);
        }
    }
    size_t width = r->column_count ? r->column_count : 1;
    r->in = malloc(REGION_IN * width * sizeof *r->in);
    r->out = malloc(REGION_OUT * width * sizeof *r->out);
    if (!r->in || !r->out) {
        region_free(r);
        error_set(e, "out of memory");
        return NULL;
    }
    return r;
}

void region_clear_parts(region *r)
{
    for (size_t i = 0; i < r->part_count; ++i)
        expr_free(r->parts[i].predicate);
    r->part_count = 0;
}

void region_free(region *r)
{
    if (!r)
        return;
    region_clear_parts(r);
    free(r->in);
    free(r->out);
    free(r);
}

/* ---- points ---- */

static int64_t position(const space_axis *axis, int64_t value)
{
    for (size_t i = 0; i < axis->count; ++i)
        if (axis->values[i] == value)
            return (int64_t)i;
    return 0;
}

int64_t region_value(const region *r, const column *c, int64_t number)
{
    bool coded = c->listed && c->kind != COLUMN_MIN && c->kind != COLUMN_MAX;
    return coded ? space_axis_at(r->space, c->slot)->values[number] : number;
}

static void describe(const region *r, const expr_value *values, int64_t *point)
{
    for (size_t i = 0; i < r->column_count; ++i) {
        const column *c = &r->columns[i];
        const space_axis *axis = space_axis_at(r->space, c->slot);
        const expr_value *v = &values[c->slot];
        uint64_t bits = 0;
        int64_t low = INT64_MAX, high = INT64_MIN, one = 0;
        switch (c->kind) {
        case COLUMN_SCALAR:
        case COLUMN_FIRST:
        case COLUMN_LAST:
            if (v->length)
                one = v->v[c->kind == COLUMN_LAST ? v->length - 1 : 0];
            point[i] = c->listed ? position(axis, one) : one;
            break;
        case COLUMN_ALL:
            for (uint32_t k = 0; k < v->length; ++k)
                bits |= UINT64_C(1) << position(axis, v->v[k]);
            memcpy(&point[i], &bits, sizeof bits);
            break;
        case COLUMN_MIN:
        case COLUMN_MAX:
            for (uint32_t k = 0; k < v->length; ++k) {
                low = v->v[k] < low ? v->v[k] : low;
                high = v->v[k] > high ? v->v[k] : high;
            }
            point[i] = c->kind == COLUMN_MIN ? low : high;
            break;
        }
    }
}

static uint64_t next_random(region *r)
{
    r->random ^= r->random << 13;
    r->random ^= r->random >> 7;
    r->random ^= r->random << 17;
    return r->random;
}

/* Reservoir sampling: the place to store the next point at, or SIZE_MAX to drop it. All points of a pass have the same
   chance. */
static size_t choose(region *r, size_t first, size_t *count, uint64_t *seen, size_t most)
{
    ++*seen;
    if (*count < first + most)
        return (*count)++;
    uint64_t at = next_random(r) % *seen;
    return at < most ? first + (size_t)at : SIZE_MAX;
}

static void store_point(region *r, const expr_value *values, bool inside)
{
    size_t at = inside ? choose(r, r->in_first, &r->in_count, &r->in_seen, REGION_IN_PASS)
                       : choose(r, r->out_first, &r->out_count, &r->out_seen, REGION_OUT_PASS);
    if (at != SIZE_MAX)
        describe(r, values, (inside ? r->in : r->out) + at * r->column_count);
}

void region_add(region *r, const expr_value *values, bool inside)
{
    int64_t point[REGION_COLUMNS];
    store_point(r, values, inside);
    if (!inside)
        return;
    describe(r, values, point);
    for (size_t i = 0; i < r->column_count; ++i) {
        const column *c = &r->columns[i];
        box_side *side = &r->whole[i];
        uint64_t bits;
        if (c->kind == COLUMN_ALL)
            memcpy(&bits, &point[i], sizeof bits);
        else
            bits = c->listed && c->kind != COLUMN_MIN && c->kind != COLUMN_MAX ? UINT64_C(1) << point[i] : 0;
        int64_t value = c->kind == COLUMN_ALL ? 0 : region_value(r, c, point[i]);
        if (r->inside == 0)
            *side = (box_side){ bits, bits, value, value };
        side->any |= bits;
        side->all &= bits;
        side->low = value < side->low ? value : side->low;
        side->high = value > side->high ? value : side->high;
    }
    r->inside++;
}

void region_check(region *r, const expr_value *values, bool inside)
{
    bool held = false;
    for (size_t i = 0; i < r->part_count && !(inside && held); ++i) {
        part *p = &r->parts[i];
        bool failed = false;
        bool holds = !p->predicate || (expr_eval(p->predicate, values, &failed) != 0 && !failed);
        if (holds && inside)
            p->inside++;
        else if (holds)
            p->others++;
        held = held || holds;
    }
    if (held == inside)
        return;
    inside ? ++r->missed : ++r->others;
    store_point(r, values, inside);
}

bool region_again(region *r)
{
    return (r->missed || r->others) && r->round < REGION_ROUNDS && r->given_up < REGION_GIVEN_UP && r->inside > 0;
}

size_t region_count(const region *r)
{
    return r->part_count;
}

region_part region_at(const region *r, size_t i)
{
    return (region_part){ r->parts[i].text, r->parts[i].inside, r->parts[i].others };
}

uint64_t region_inside(const region *r)
{
    return r->inside;
}

uint64_t region_missed(const region *r)
{
    return r->missed;
}

uint64_t region_others(const region *r)
{
    return r->others;
}

bool region_exact(const region *r)
{
    return r->part_count > 0 && r->missed == 0 && r->others == 0;
}
