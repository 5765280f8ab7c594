/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/kernels/walk.h"

void walk_begin(walk *w, const nest *n, uint32_t rank, uint64_t first)
{
    w->nest = n;
    w->rank = rank;
    w->to = 0;
    w->from = 0;
    for (uint32_t k = rank; k-- > 0;) {
        const loop *l = &n->loops[k];
        w->at[k] = first % l->size;
        first /= l->size;
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
