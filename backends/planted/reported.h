/* SPDX-License-Identifier: Apache-2.0 */
/* What the replicas of reported faults share. REPORTED.md says what was reported where. */
#ifndef TOUCHSTONE_REPORTED_H
#define TOUCHSTONE_REPORTED_H

#include "backends/planted/planted.h"

/* What a slice takes of one dimension of the data: elements low to high - 1, beginning with `first`. */
typedef struct window {
    int64_t low, high, first, step, size;
} window;

/* False if the call is no plain slice: a step inserts or removes a dimension, or there is an ellipsis. */
bool reported_window(const fault_call *call, uint32_t dim, window *w);

/* Is the call a plain slice in all of its dimensions? */
bool reported_plain(const fault_path *p);

/* Are all elements of the dimension taken in their order? */
static inline bool reported_whole(const window *w)
{
    return w->low == 0 && w->high == w->size && w->step == 1;
}

/* The coordinate in dimension `dim` of the output, before dimensions are merged. */
static inline uint64_t reported_coordinate(const fault_path *p, const fault_place *e, uint32_t dim)
{
    const ts_tensor *out = p->call->out;
    uint64_t number = e->number;
    for (uint32_t i = out->rank; i-- > dim + 1;)
        number /= out->sizes[i];
    return number % out->sizes[dim];
}

/* The size of the dimension `back` places before the last one; 0 if there is none. */
static inline uint64_t reported_size(const ts_tensor *t, uint32_t back)
{
    return back < t->rank ? t->sizes[t->rank - 1 - back] : 0;
}

/* Does any loop follow the indices of GATHER? */
static inline bool reported_picks(const fault_path *p)
{
    for (uint32_t i = 0; i < p->dims; ++i)
        if (p->axis[i].picks)
            return true;
    return false;
}

/* The sizes of the two directions of a copy that transposes, or false. */
static inline bool reported_tile(const fault_path *p, uint64_t *height, uint64_t *width)
{
    const int across = fault_across(p);
    if (across < 0)
        return false;
    *height = p->axis[across].size;
    *width = fault_row(p)->size;
    return true;
}

/* The coordinate of an element across the rows of a copy that transposes, and along its row. */
static inline uint64_t reported_down(const fault_path *p, const fault_place *e)
{
    return e->at[fault_across(p)];
}

static inline uint64_t reported_along(const fault_path *p, const fault_place *e)
{
    return e->at[p->dims - 1];
}

#endif
