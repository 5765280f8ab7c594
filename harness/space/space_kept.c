/* SPDX-License-Identifier: Apache-2.0 */
/* The first points of a drawn space as bytes, so that they need not be drawn again: drawing a point takes longer than
   most of what is done with it. The bytes are numbers (harness/base/number.h): how many points there are, the size of
   each, then the points. A point is the drawn axes that do not have their default: the slot, of a vector its length,
   then the values. */
#include "harness/base/number.h"
#include "harness/space/space_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- writing ---- */

/* Small values of either sign are small numbers. */
static void add_value(text *t, int64_t value)
{
    number_add(t, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

/* Does an axis have its default at a point? */
static bool is_default(const space_axis *axis, const expr_value *value)
{
    bool same = true;
    for (uint32_t k = 0; k < value->length; ++k)
        same = same && value->v[k] == axis->fallback;
    return same;
}

static void add_point(const space *s, const expr_value *values, text *t)
{
    const uint64_t class_slots = space_class_slots(s);
    for (size_t i = 0; i < s->axis_count; ++i) {
        const space_axis *axis = &s->axes[i];
        if (axis->position || class_slots >> i & 1 || is_default(axis, &values[i]))
            continue;
        number_add(t, i);
        if (axis->per != SPACE_SCALAR)
            number_add(t, values[i].length);
        for (uint32_t k = 0; k < values[i].length; ++k)
            add_value(t, values[i].v[k]);
    }
}

bool space_write_drawn(const space *s, uint64_t count, text *t, error *e)
{
    expr_value *values = calloc(EXPR_MAX_SLOTS, sizeof *values);
    text points = { .data = NULL };
    bool fine = values || error_set(e, "out of memory");
    number_add(t, count);
    for (uint64_t i = 0; fine && i < count; ++i) {
        const size_t before = points.length;
        if ((fine = space_draws_point(s, values, i, e))) {
            add_point(s, values, &points);
            number_add(t, points.length - before);
        }
    }
    text_bytes(t, points.data, points.length);
    fine = fine && (!(points.failed || t->failed) || error_set(e, "out of memory"));
    text_free(&points);
    free(values);
    return fine;
}

/* ---- reading ---- */

static int64_t read_value(number_reader *r)
{
    const uint64_t number = number_next(r);
    return (int64_t)(number >> 1 ^ (number & 1 ? UINT64_MAX : 0));
}

bool space_read_drawn(space *s, const void *bytes, size_t size)
{
    number_reader r = { bytes, size, 0, false };
    const uint64_t count = number_next(&r);
    if (r.broken || count > size) /* a size takes at least a byte */
        return false;
    space_kept kept = { .count = (size_t)count, .at = calloc((size_t)count + 1, sizeof *kept.at) };
    for (size_t i = 0; kept.at && i < kept.count; ++i) {
        const uint64_t length = number_next(&r);
        r.broken = r.broken || length > size - kept.at[i];
        kept.at[i + 1] = kept.at[i] + (r.broken ? 0 : (size_t)length);
    }
    const size_t left = size - r.at;
    bool fine = kept.at && !r.broken && kept.at[kept.count] == left && (kept.bytes = malloc(left + 1)) != NULL;
    if (fine) {
        memcpy(kept.bytes, r.bytes + r.at, left);
        space_set_kept(s, &kept);
    } else {
        free(kept.at);
    }
    return fine;
}

bool space_kept_point(const space *s, const space_kept *kept, uint64_t index, expr_value *values)
{
    const uint64_t class_slots = space_class_slots(s);
    number_reader r = { kept->bytes, kept->at[index + 1], kept->at[index], false };
    while (r.at < r.size) {
        const uint64_t slot = number_next(&r);
        if (r.broken || slot >= s->axis_count || s->axes[slot].position || class_slots >> slot & 1)
            return false;
        expr_value *value = &values[slot];
        const uint64_t length = s->axes[slot].per == SPACE_SCALAR ? 1 : number_next(&r);
        if (length > EXPR_MAX_LENGTH)
            return false;
        value->length = (uint32_t)length;
        for (uint32_t k = 0; k < value->length; ++k)
            value->v[k] = read_value(&r);
    }
    return !r.broken;
}
