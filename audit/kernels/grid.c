/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/kernels/grid.h"
#include "audit/kernels/lanes.h"

/* ---- dispatches --------------------------------------------------------------------------------------------- */

/* The part of a dimension that one dispatch covers from `first` on. */
static uint32_t part(uint64_t total, uint64_t first)
{
    const uint64_t left = total - first;
    return left < GRID_GROUPS ? (uint32_t)left : GRID_GROUPS;
}

void grid_dispatch(const uint64_t total[3], void (*shader)(const dispatch *, void *context), void *context)
{
    dispatch d;
    for (d.first[2] = 0; d.first[2] < total[2]; d.first[2] += d.groups[2]) {
        d.groups[2] = part(total[2], d.first[2]);
        for (d.first[1] = 0; d.first[1] < total[1]; d.first[1] += d.groups[1]) {
            d.groups[1] = part(total[1], d.first[1]);
            for (d.first[0] = 0; d.first[0] < total[0]; d.first[0] += d.groups[0]) {
                d.groups[0] = part(total[0], d.first[0]);
                shader(&d, context);
            }
        }
    }
}

static uint64_t groups_of(uint64_t threads)
{
    return (threads + GRID_THREADS - 1) / GRID_THREADS;
}

/* What the shaders read. */
typedef struct arguments {
    const nest *nest;
    const divisor *divisors;
    unsigned char *to;
    const unsigned char *from;
    uint64_t elements;
} arguments;

/* ---- one index for all elements ------------------------------------------------------------------------------ */

/* The offsets of both sides for the coordinates of element `index`. */
static void place_narrow(const arguments *a, uint32_t index, int32_t *to, int32_t *from)
{
    const nest *n = a->nest;
    int32_t to_sum = 0;
    int32_t from_sum = 0;
    for (uint32_t k = n->rank; k-- > 0;) {
        uint32_t coordinate;
        index = divisor_split(&a->divisors[k], index, &coordinate);
        to_sum += (int32_t)coordinate * (int32_t)n->loops[k].to;
        from_sum += (int32_t)coordinate * (int32_t)n->loops[k].from;
    }
    *to = to_sum;
    *from = from_sum;
}

static void place_wide(const arguments *a, uint64_t index, int64_t *to, int64_t *from)
{
    const nest *n = a->nest;
    *to = 0;
    *from = 0;
    for (uint32_t k = n->rank; k-- > 0;) {
        const int64_t coordinate = (int64_t)(index % n->loops[k].size);
        index /= n->loops[k].size;
        *to += coordinate * n->loops[k].to;
        *from += coordinate * n->loops[k].from;
    }
}

/* The groups of x are numbered on through y: y is the number of a line of at most 65,535 groups. */
static uint64_t thread_number(const dispatch *d, uint32_t x, uint32_t y, uint32_t thread)
{
    const uint64_t group = (d->first[1] + y) * GRID_GROUPS + d->first[0] + x;
    return group * GRID_THREADS + thread;
}

static void flat_group(const arguments *a, uint64_t first)
{
    for (uint32_t thread = 0; thread < GRID_THREADS; ++thread) {
        const uint64_t index = first + thread;
        if (index >= a->elements)
            return;
        if (a->divisors) {
            int32_t to, from;
            place_narrow(a, (uint32_t)index, &to, &from);
            lane_copy(a->to + to, a->from + from, a->nest->bytes);
        } else {
            int64_t to, from;
            place_wide(a, index, &to, &from);
            lane_copy(a->to + to, a->from + from, a->nest->bytes);
        }
    }
}

static void flat_shader(const dispatch *d, void *context)
{
    for (uint32_t y = 0; y < d->groups[1]; ++y)
        for (uint32_t x = 0; x < d->groups[0]; ++x)
            flat_group(context, thread_number(d, x, y, 0));
}

static void flat(const nest *n, const divisor *divisors, unsigned char *to, const unsigned char *from)
{
    arguments a = { n, divisors, to, from, nest_count(n, n->rank) };
    const uint64_t groups = groups_of(a.elements);
    const uint64_t lines = (groups + GRID_GROUPS - 1) / GRID_GROUPS;
    const uint64_t total[3] = { groups < GRID_GROUPS ? groups : GRID_GROUPS, lines, 1 };
    grid_dispatch(total, flat_shader, &a);
}

void grid_flat(const nest *n, const divisor *divisors, unsigned char *to, const unsigned char *from)
{
    flat(n, divisors, to, from);
}

void grid_flat_wide(const nest *n, unsigned char *to, const unsigned char *from)
{
    flat(n, NULL, to, from);
}

/* ---- a dimension of the grid for each loop ------------------------------------------------------------------- */

/* The groups of x cover the innermost loop, 256 elements each; y and z are the two others. */
static void box_shader(const dispatch *d, void *context)
{
    const arguments *a = context;
    const nest *n = a->nest;
    const loop none = { 1, 0, 0 };
    const loop x = n->loops[n->rank - 1];
    const loop y = n->rank > 1 ? n->loops[n->rank - 2] : none;
    const loop z = n->rank > 2 ? n->loops[n->rank - 3] : none;
    for (uint32_t gz = 0; gz < d->groups[2]; ++gz) {
        for (uint32_t gy = 0; gy < d->groups[1]; ++gy) {
            const int64_t at_z = (int64_t)(d->first[2] + gz);
            const int64_t at_y = (int64_t)(d->first[1] + gy);
            const int64_t to = at_z * z.to + at_y * y.to;
            const int64_t from = at_z * z.from + at_y * y.from;
            const uint64_t first = d->first[0] * GRID_THREADS;
            uint64_t end = first + (uint64_t)d->groups[0] * GRID_THREADS;
            if (end > x.size)
                end = x.size;
            for (uint64_t i = first; i < end; ++i)
                lane_copy(a->to + to + (int64_t)i * x.to, a->from + from + (int64_t)i * x.from, n->bytes);
        }
    }
}

void grid_box(const nest *n, unsigned char *to, const unsigned char *from)
{
    arguments a = { n, NULL, to, from, 0 };
    const uint64_t total[3] = { groups_of(n->loops[n->rank - 1].size), n->rank > 1 ? n->loops[n->rank - 2].size : 1,
                                n->rank > 2 ? n->loops[n->rank - 3].size : 1 };
    grid_dispatch(total, box_shader, &a);
}
