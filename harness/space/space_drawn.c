/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Drawn spaces: point i is what a drawer makes of the number i, so that axes may take any value of their type. What a
 * drawer draws and a predicate rules out is drawn again. Class axes are enumerated instead: point i has combination
 * i modulo their number, in an order that spreads the values of each axis. So a run can count the points that a backend
 * supports without drawing them.
 *
 * A point that somebody names by its id is added behind the drawn ones: its index belongs to this space object alone.
 */
#include "harness/base/array.h"
#include "harness/space/space_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPACE_MAX_ATTEMPTS 1000
#define SPACE_MAX_CLASSES  (1u << 16)

struct space_draws {
    space_drawer draw;
    void *context;
    uint64_t class_slots;
    unsigned class_axes[SPACE_MAX_AXES], class_axis_count;
    uint16_t *classes; /* class_count rows of class_axis_count numbers of values: there are many rows */
    size_t class_count, class_capacity;
    uint64_t count;      /* drawn points */
    expr_value **points; /* added points: a value for each axis */
    size_t point_count, point_capacity;
    space_kept kept; /* points that need not be drawn */
    error problem;   /* why the last draw failed */
};

void space_draws_free(struct space_draws *d)
{
    if (!d)
        return;
    for (size_t i = 0; i < d->point_count; ++i)
        free(d->points[i]);
    free(d->points);
    free(d->classes);
    free(d->kept.bytes);
    free(d->kept.at);
    free(d);
}

void space_set_kept(space *s, const space_kept *kept)
{
    struct space_draws *d = s->draws;
    free(d->kept.bytes);
    free(d->kept.at);
    d->kept = *kept;
}

/* Give vectors their length and positions their values. A vector without values has the default ones. */
static bool complete(const space *s, expr_value *values, error *e)
{
    for (size_t i = 0; i < s->axis_count; ++i) {
        const space_axis *axis = &s->axes[i];
        if (axis->per == SPACE_SCALAR)
            continue;
        const int64_t length = axis->per == SPACE_FIXED ? axis->fixed : values[axis->per].v[0];
        if (length < 0 || length > EXPR_MAX_LENGTH)
            return error_usage(e, "%s:%s: axis '%s' would have %lld elements; 0 to %d are possible", s->op, s->test,
                               axis->name, (long long)length, EXPR_MAX_LENGTH);
        if (axis->position || values[i].length == SPACE_NOT_DRAWN) {
            values[i].length = (uint32_t)length;
            for (uint32_t k = 0; k < length; ++k)
                values[i].v[k] = axis->position ? k + 1 : axis->fallback;
        } else if (values[i].length != (uint32_t)length) {
            return error_usage(e, "%s:%s: axis '%s' has %lld elements, and %u were drawn", s->op, s->test, axis->name,
                               (long long)length, values[i].length);
        }
    }
    return true;
}

/* Does every predicate that reads nothing but `slots` hold? One that fails holds no less than one that is false. */
static bool predicates_hold(const space *s, const expr_value *values, uint64_t slots, const expr **last)
{
    for (int i = 0; i < s->predicate_count; ++i) {
        bool failed = false;
        if (expr_uses(s->predicates[i]) & ~slots)
            continue;
        *last = s->predicates[i];
        if (!expr_eval(s->predicates[i], values, &failed) || failed)
            return false;
    }
    return true;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

/* Order the combinations such that any few successive ones have many values of every class axis: steps of about the
   golden section of their number. */
static bool spread_classes(struct space_draws *d, error *e)
{
    const size_t width = d->class_axis_count;
    uint64_t step = d->class_count * UINT64_C(618) / 1000 + 1;
    uint16_t *spread = malloc((d->class_count * width + 1) * sizeof *spread);
    if (!spread)
        return error_set(e, "out of memory");
    while (common_divisor(step, d->class_count) != 1)
        ++step;
    for (uint64_t i = 0; i < d->class_count && width > 0; ++i)
        memcpy(spread + i * width, d->classes + i * step % d->class_count * width, width * sizeof *spread);
    free(d->classes);
    d->classes = spread;
    return true;
}

/* List the combinations of the class axes that the predicates on them allow: an odometer whose last axis is fastest. */
static bool list_classes(space *s, struct space_draws *d, error *e)
{
    size_t digit[SPACE_MAX_AXES] = { 0 };
    expr_value values[EXPR_MAX_SLOTS];
    memset(values, 0, sizeof values);
    for (;;) {
        const expr *last = NULL;
        for (unsigned a = 0; a < d->class_axis_count; ++a) {
            values[d->class_axes[a]].length = 1;
            values[d->class_axes[a]].v[0] = s->axes[d->class_axes[a]].values[digit[a]];
        }
        if (predicates_hold(s, values, d->class_slots, &last)) {
            if (d->class_count == SPACE_MAX_CLASSES)
                return error_usage(e, "%s:%s: more than %u combinations of the axes of `each`", s->op, s->test,
                                   SPACE_MAX_CLASSES);
            if (!array_reserve(&d->classes, &d->class_capacity, d->class_count + 1,
                               (d->class_axis_count + 1) * sizeof *d->classes))
                return error_set(e, "out of memory");
            for (unsigned a = 0; a < d->class_axis_count; ++a)
                d->classes[d->class_count * d->class_axis_count + a] = (uint16_t)digit[a];
            d->class_count++;
        }
        unsigned a = d->class_axis_count;
        while (a > 0 && ++digit[a - 1] == s->axes[d->class_axes[a - 1]].count)
            digit[--a] = 0;
        if (a == 0)
            break;
    }
    return d->class_count
               ? true
               : error_usage(e, "%s:%s: the predicates leave no combination of the axes of `each`", s->op, s->test);
}

bool space_close_drawn(space *s, uint64_t class_slots, space_drawer draw, void *context, error *e)
{
    struct space_draws *d = calloc(1, sizeof *d);
    if (!d)
        return error_set(e, "out of memory");
    s->draws = d;
    d->draw = draw;
    d->context = context;
    d->class_slots = class_slots;
    for (unsigned i = 0; i < s->axis_count; ++i)
        if (class_slots >> i & 1) {
            if (s->axes[i].per != SPACE_SCALAR)
                return error_usage(e, "%s:%s: axis '%s' of `each` is a vector", s->op, s->test, s->axes[i].name);
            if (s->axes[i].count > SPACE_MAX_CLASSES)
                return error_usage(e, "%s:%s: axis '%s' of `each` has more than %u values", s->op, s->test,
                                   s->axes[i].name, SPACE_MAX_CLASSES);
            d->class_axes[d->class_axis_count++] = i;
        }
    return list_classes(s, d, e) && spread_classes(d, e);
}

bool space_is_drawn(const space *s)
{
    return s->draws != NULL;
}

uint64_t space_class_slots(const space *s)
{
    return s->draws->class_slots;
}

void space_set_draws(space *s, uint64_t count)
{
    s->draws->count = count;
}

bool space_is_added(const space *s, uint64_t index)
{
    return s->draws && index >= s->draws->count;
}

uint64_t space_draws_points(const space *s)
{
    return s->draws->count + s->draws->point_count;
}

/* The values of the class axes at point `index`, and nothing else. */
static void set_class(const space *s, expr_value *values, uint64_t index)
{
    const struct space_draws *d = s->draws;
    const uint16_t *row = d->classes + index % d->class_count * d->class_axis_count;
    for (size_t i = 0; i < s->axis_count; ++i) {
        values[i].length = s->axes[i].per == SPACE_SCALAR ? 1 : SPACE_NOT_DRAWN;
        values[i].v[0] = s->axes[i].fallback;
    }
    for (unsigned a = 0; a < d->class_axis_count; ++a)
        values[d->class_axes[a]].v[0] = s->axes[d->class_axes[a]].values[row[a]];
}

/* The drawer draws again and again until the predicates hold. */
bool space_draws_point(const space *s, expr_value *values, uint64_t index, error *e)
{
    struct space_draws *d = s->draws;
    const expr *last = NULL;
    for (unsigned attempt = 0; attempt < SPACE_MAX_ATTEMPTS; ++attempt) {
        bool again = false;
        set_class(s, values, index);
        if (!d->draw(d->context, index, attempt, values, &again, e) || !complete(s, values, e))
            return false;
        if (!again && predicates_hold(s, values, UINT64_MAX, &last))
            return true;
    }
    return error_usage(e, "%s:%s: %d draws for point %llu gave nothing that satisfies %s%s%s", s->op, s->test,
                       SPACE_MAX_ATTEMPTS, (unsigned long long)index, last ? "'" : "the function",
                       last ? expr_text(last) : "", last ? "'" : " itself");
}

/* Take point `index` from those that are kept, or draw it. */
static bool make_point(const space *s, expr_value *values, uint64_t index, error *e)
{
    const space_kept *kept = &s->draws->kept;
    const expr *last = NULL;
    if (index >= kept->count)
        return space_draws_point(s, values, index, e);
    set_class(s, values, index);
    return (space_kept_point(s, kept, index, values) && complete(s, values, e) &&
            predicates_hold(s, values, UINT64_MAX, &last)) ||
           space_draws_point(s, values, index, e);
}

/* The class axes alone decide what the gate says, so that a point that is not planned need not be drawn. */
static bool gate_passes(space_cursor *c, bool added)
{
    const space *s = c->space;
    error e;
    if (added)
        memcpy(c->values, s->draws->points[c->index - s->draws->count], s->axis_count * sizeof *c->values);
    else
        set_class(s, c->values, c->index);
    return !c->range.gate || ((added || complete(s, c->values, &e)) && c->range.gate(c->range.context, c->values, 0));
}

bool space_draws_search(space_cursor *c)
{
    const space *s = c->space;
    struct space_draws *d = s->draws;
    for (; c->index < c->range.end; ++c->index) {
        const bool added = c->index >= d->count;
        if (!gate_passes(c, added))
            continue;
        if (!added && !make_point(s, c->values, c->index, &d->problem)) {
            c->problem = d->problem.text;
            return false;
        }
        const bool holds = space_filters_hold(c);
        if (c->failed)
            return false;
        if (!holds)
            continue;
        c->new_class = true;
        c->changed_element = 0;
        return true;
    }
    return false;
}

uint64_t space_draws_count(const space *s, uint64_t first, uint64_t end, space_gate gate, void *context)
{
    const struct space_draws *d = s->draws;
    uint64_t total = 0;
    const uint64_t drawn_end = end < d->count ? end : d->count;
    for (uint64_t k = 0; k < d->class_count && first + k < drawn_end; ++k) {
        expr_value values[EXPR_MAX_SLOTS];
        error e;
        set_class(s, values, first + k);
        if (complete(s, values, &e) && (!gate || gate(context, values, 0)))
            total += (drawn_end - first - k - 1) / d->class_count + 1;
    }
    for (uint64_t k = first > d->count ? first : d->count; k < end; ++k)
        total += !gate || gate(context, d->points[k - d->count], 0);
    return total;
}

bool space_draws_allow(const space *s, expr_value *values, error *e)
{
    const expr *last = NULL;
    if (!complete(s, values, e))
        return false;
    return predicates_hold(s, values, UINT64_MAX, &last) ||
           error_usage(e, "%s:%s: this point is ruled out by the test's predicate '%s'", s->op, s->test,
                       expr_text(last));
}

bool space_draws_add(space *s, const expr_value *values, uint64_t *index, error *e)
{
    struct space_draws *d = s->draws;
    expr_value own[EXPR_MAX_SLOTS];
    memcpy(own, values, s->axis_count * sizeof *own);
    if (!space_draws_allow(s, own, e))
        return false;
    for (size_t i = 0; i < d->point_count; ++i)
        if (memcmp(d->points[i], own, s->axis_count * sizeof *own) == 0) {
            *index = d->count + i;
            return true;
        }
    expr_value *kept = malloc(s->axis_count * sizeof *kept);
    if (!kept || !array_reserve(&d->points, &d->point_capacity, d->point_count + 1, sizeof *d->points)) {
        free(kept);
        return error_set(e, "out of memory");
    }
    memcpy(kept, own, s->axis_count * sizeof *kept);
    d->points[d->point_count] = kept;
    *index = d->count + d->point_count++;
    return true;
}
