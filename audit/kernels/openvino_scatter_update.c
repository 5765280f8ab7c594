/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ScatterUpdate-3: data is copied, and then the updates. Indices become offsets, some hundreds at a time, and each
 * batch is used for all positions before the axis; updates that land one behind the other are one block.
 */
#include "audit/kernels/copy.h"
#include "audit/kernels/kernels.h"
#include "audit/kernels/lanes.h"
#include "audit/kernels/scratch.h"
#include "audit/kernels/tensors.h"
#include "audit/kernels/tuples.h"
#include "audit/kernels/walk.h"
#include "audit/kernels/whole.h"
#include "audit/kernels/widened.h"
#include "reference/openvino/scatter_update.h"

#include <string.h>

enum { IN, INDICES, UPDATES, OUT };
enum { BATCH = 512 };

typedef struct update_plan {
    copy_plan copy;
    index_source source;
    nest around;       /* the dimensions before the axis: the steps of output and updates */
    nest array;        /* those of the indices: the steps of the indices, as the target, and of the updates */
    tuple_block block; /* what an index replaces */
    int64_t adjacent;  /* bytes from one block of the output to the next, if blocks and updates have no gaps; else 0 */
} update_plan;

static plan_cache cache;
static update_plan plans[PLAN_SLOTS];

/* n updates, `step` bytes apart. */
static void replace(const update_plan *p, const int64_t *offsets, uint64_t n, unsigned char *to,
                    const unsigned char *from, int64_t step)
{
    if (p->adjacent == 0 || step != p->adjacent) {
        for (uint64_t i = 0; i < n; ++i)
            tuple_block_copy(&p->block, to + offsets[i], from + (int64_t)i * step);
        return;
    }
    for (uint64_t i = 0; i < n;) {
        const uint64_t run = index_run(offsets + i, n - i, p->adjacent);
        copy_block(to + offsets[i], from + (int64_t)i * step, run * (uint64_t)p->adjacent);
        i += run;
    }
}

static void run_row(const update_plan *p, const loop *row, unsigned char *to, const unsigned char *indices,
                    const unsigned char *from)
{
    int64_t offsets[BATCH];
    const uint64_t positions = nest_count(&p->around, p->around.rank);
    for (uint64_t left = row->size; left > 0;) {
        const uint64_t n = left < BATCH ? left : BATCH;
        walk w;
        widened_resolve(&p->source, indices, row->to, n, offsets);
        walk_begin(&w, &p->around, p->around.rank, 0);
        for (uint64_t i = 0; i < positions; ++i) {
            replace(p, offsets, n, to + w.to, from + w.from, row->from);
            walk_next(&w);
        }
        indices += (int64_t)n * row->to;
        from += (int64_t)n * row->from;
        left -= n;
    }
}

static void run_rows(const update_plan *p, unsigned char *to, const unsigned char *indices, const unsigned char *from)
{
    const uint32_t outer = p->array.rank - 1;
    walk w;
    walk_begin(&w, &p->array, outer, 0);
    for (uint64_t rows = nest_count(&p->array, outer); rows > 0; --rows) {
        run_row(p, &p->array.loops[outer], to, indices + w.to, from + w.from);
        walk_next(&w);
    }
}

static void plan_make(update_plan *p, const ts_call *call, uint32_t axis)
{
    const ts_tensor *in = ts_call_tensor(call, IN), *indices = ts_call_tensor(call, INDICES);
    const ts_tensor *updates = ts_call_tensor(call, UPDATES), *out = ts_call_tensor(call, OUT);
    const uint32_t bytes = lane_bytes(out->dtype);
    const nest copied = tensor_nest(out, in, bytes);
    nest inside;
    copy_plan_make(&p->copy, &copied);
    nest_begin(&p->around, bytes);
    nest_begin(&p->array, bytes);
    nest_begin(&inside, bytes);
    for (uint32_t k = 0; k < axis; ++k)
        nest_add(&p->around, out->sizes[k], tensor_step(out, k), tensor_step(updates, k));
    for (uint32_t k = 0; k < indices->rank; ++k)
        nest_add(&p->array, indices->sizes[k], tensor_step(indices, k), tensor_step(updates, axis + k));
    for (uint32_t k = axis + 1; k < out->rank; ++k)
        nest_add(&inside, out->sizes[k], tensor_step(out, k), tensor_step(updates, k - 1 + indices->rank));
    nest_merge(&p->around);
    nest_merge(&p->array);
    if (p->array.rank == 0) /* one index */
        p->array.loops[p->array.rank++] = (loop){ 1, 0, 0 };
    p->source = (index_source){ indices->dtype, out->sizes[axis], tensor_step(out, axis) };
    p->block = tuple_block_of(&inside);
    p->adjacent = p->block.path != TUPLE_STRIDED && p->source.pitch == (int64_t)p->block.bytes ? p->source.pitch : 0;
}

static ts_status run(const ts_call *call)
{
    const ts_openvino_scatter_update *attrs = call->attrs;
    const ts_tensor *in = ts_call_tensor(call, IN), *indices = ts_call_tensor(call, INDICES);
    const ts_tensor *updates = ts_call_tensor(call, UPDATES), *out = ts_call_tensor(call, OUT);
    const uint32_t axis = (uint32_t)(attrs->axis < 0 ? attrs->axis + in->rank : attrs->axis);
    if (tensor_is_empty(updates) || tensor_is_empty(out)) { /* nothing is replaced */
        whole_copy(out, in);
        return TS_OK;
    }
    plan_key key = { .count = 0 };
    for (uint32_t t = IN; t <= OUT; ++t)
        tensor_key(&key, ts_call_tensor(call, t));
    plan_key_add(&key, indices->dtype);
    plan_key_add(&key, axis);
    bool found;
    update_plan *p = &plans[plan_cache_slot(&cache, &key, &found)];
    if (!found)
        plan_make(p, call, axis);
    copy_plan_run(&p->copy, out->data, in->data);
    run_rows(p, out->data, indices->data, updates->data);
    return TS_OK;
}

static void reset(void)
{
    memset(&cache, 0, sizeof cache);
    scratch_forget();
}

const kernel_operator kernel_openvino_scatter_update = { "openvino.scatter_update", run, reset };
