/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/kernels/walk.h"
#include "audit/kernels/divmod.h"

/* Take the coordinate of a loop from *left, which is smaller than 2^31 on the narrow way. */
static uint64_t take(uint64_t *left, uint64_t size)
{
    if (*left <= INT32_MAX && size <= INT32_MAX) {
        const divisor d = divisor_of((uint32_t)size);
        uint32_t rest;
        *left = divisor_split(&d, (uint32_t)*left, &rest);
        return rest;
    }
    const uint64_t rest = *left % size;
    *left /= size;
    return rest;
}

void walk_begin(walk *w, const nest *n, uint32_t rank, uint64_t first)
{
    w->nest = n;
    w->rank = rank;
    w->to = 0;
    w->from = 0;
    for (uint32_t k = rank; k-- > 0;) {
        const loop *l = &n->loops[k];
        w->at[k] = first == 0 ? 0 : take(&first, l->size);
        w->to += (int64_t)w->at[k] * l->to;
        w->from += (int64_t)w->at[k] * l->from;
    }
}

void walk_next(walk *w)
{
    for (uint32_t k = w->rank; k-- > 0;) {
        const loop *l = &w->nest->loops[k];
        w->to += l->to;
        w->from += l->from;
        if (++w->at[k] < l->size)
            return;
        w->to -= (int64_t)l->size * l->to;
        w->from -= (int64_t)l->size * l->from;
        w->at[k] = 0;
    }
}
