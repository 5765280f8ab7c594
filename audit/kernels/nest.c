/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/kernels/nest.h"
#include "audit/kernels/lanes.h"

void nest_begin(nest *n, uint32_t bytes)
{
    n->bytes = bytes;
    n->rank = 0;
}

void nest_add(nest *n, uint64_t size, int64_t to, int64_t from)
{
    if (size == 1)
        return;
    n->loops[n->rank++] = (loop){ size, to, from };
}

void nest_remove(nest *n, uint32_t k)
{
    n->rank--;
    for (; k < n->rank; ++k)
        n->loops[k] = n->loops[k + 1];
}

static int64_t distance(int64_t step)
{
    return step < 0 ? -step : step;
}

void nest_sort(nest *n)
{
    for (uint32_t i = 1; i < n->rank; ++i) {
        const loop moving = n->loops[i];
        uint32_t place = i;
        for (; place > 0 && moving.to > n->loops[place - 1].to; --place)
            n->loops[place] = n->loops[place - 1];
        n->loops[place] = moving;
    }
}

void nest_merge(nest *n)
{
    uint32_t k = 1;
    while (k < n->rank) {
        loop *outer = &n->loops[k - 1];
        const loop *inner = &n->loops[k];
        const int64_t size = (int64_t)inner->size;
        if (outer->to == inner->to * size && outer->from == inner->from * size) {
            outer->size *= inner->size;
            outer->to = inner->to;
            outer->from = inner->from;
            nest_remove(n, k);
        } else {
            ++k;
        }
    }
}

void nest_widen(nest *n)
{
    if (n->rank == 0)
        return;
    const loop *inner = &n->loops[n->rank - 1];
    const int64_t bytes = n->bytes;
    if (inner->to != bytes || inner->from != bytes || inner->size > LANE_MOST)
        return;
    const uint32_t together = n->bytes * (uint32_t)inner->size;
    if (together == 2 || together == 4 || together == 8 || together == LANE_MOST) {
        n->bytes = together;
        n->rank--;
    }
}

void nest_collapse(nest *n)
{
    nest_sort(n);
    nest_merge(n);
    nest_widen(n);
}

uint64_t nest_count(const nest *n, uint32_t rank)
{
    uint64_t count = 1;
    for (uint32_t k = 0; k < rank; ++k)
        count *= n->loops[k].size;
    return count;
}

bool nest_fits_32(const nest *n)
{
    uint64_t to = n->bytes;
    uint64_t from = n->bytes;
    for (uint32_t k = 0; k < n->rank; ++k) {
        const uint64_t last = n->loops[k].size - 1;
        to += last * (uint64_t)n->loops[k].to;
        from += last * (uint64_t)distance(n->loops[k].from);
    }
    return to <= INT32_MAX && from <= INT32_MAX && nest_count(n, n->rank) <= INT32_MAX;
}
