/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/copy_loops.h"

#include <string.h>

static const ts_tensor *output_of(const ts_descriptor *d)
{
    for (unsigned t = 0; t < d->op->tensor_count; ++t)
        if (d->op->tensors[t].role == TS_OUTPUT)
            return &d->tensors[t];
    return &d->tensors[0];
}

/* Add a loop inside of the others, or make it one with the last. */
static void add_loop(copy_loops *c, const ts_loop *inner)
{
    ts_loop *outer = c->count ? &c->loops[c->count - 1] : NULL;
    if (inner->size == 1)
        return;
    if (!outer || outer->picks != inner->picks || outer->from != ts_loop_times(inner->size, (uint64_t)inner->from) ||
        outer->to != ts_loop_times(inner->size, (uint64_t)inner->to)) {
        c->loops[c->count++] = *inner;
        return;
    }
    const int64_t size = ts_loop_times(outer->size, (uint64_t)inner->size);
    *outer = *inner;
    outer->size = size;
}

void copy_loops_of(copy_loops *c, const ts_descriptor *d, ts_find_sources *find)
{
    const ts_tensor *out = output_of(d), *in = &d->tensors[0];
    ts_loop dims[TS_MAX_DIMS];
    memset(dims, 0, sizeof dims);
    *c = (copy_loops){ .empty = true };
    if (!find || out->rank > TS_MAX_DIMS || in->rank > TS_MAX_DIMS || !(out->given & TS_GIVEN_TENSOR))
        return;
    for (uint32_t i = 0; i < out->rank; ++i) {
        dims[i].size = (int64_t)out->sizes[i];
        dims[i].to = (int64_t)out->strides[i];
        if (dims[i].size == 0)
            return;
    }
    c->empty = false;
    find(d, out->rank, dims);
    for (uint32_t i = 0; i < out->rank; ++i)
        add_loop(c, &dims[i]);
}

int64_t copy_loops_across(const copy_loops *c)
{
    const ts_loop *row = c->count ? &c->loops[c->count - 1] : NULL;
    for (uint32_t i = 0; i + 1 < c->count && !row->picks; ++i)
        if (!c->loops[i].picks && ((c->loops[i].from == 1 && row->from != 1) || (c->loops[i].to == 1 && row->to != 1)))
            return c->loops[i].size;
    return 0;
}
