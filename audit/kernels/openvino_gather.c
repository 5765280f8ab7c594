/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gather-1, Gather-7 and Gather-8: batch by batch as GATHER does it. Gather-8 defines what an index beyond the axis
 * selects: the rows of indices are scanned for such ones, and what these have picked is cleared afterwards.
 */
#include "audit/kernels/gather_plan.h"
#include "audit/kernels/kernels.h"
#include "audit/kernels/lanes.h"
#include "audit/kernels/scratch.h"
#include "audit/kernels/walk.h"
#include "audit/kernels/whole.h"
#include "reference/openvino/gather_1.h"
#include "reference/openvino/gather_7.h"
#include "reference/openvino/gather_8.h"

#include <string.h>

enum { IN, INDICES, OUT };

typedef struct batched_plan {
    gather_plan one;   /* of one batch */
    nest moves;        /* the batches: the steps of output and input; */
    nest reads;        /* the same loops with the steps of the indices */
    copy_plan cleared; /* what an index picks at all positions between the batches and the axis, from a single zero */
} batched_plan;

static plan_cache cache;
static batched_plan plans[PLAN_SLOTS];

/* ---- indices beyond the axis ------------------------------------------------------------------------------------ */

/* An unsigned index of 2^63 or more is beyond every axis, as 2^63 - 1 is. */
static int64_t stated(uint32_t dtype, const unsigned char *from)
{
    uint64_t bits = 0;
    memcpy(&bits, from, lane_bytes(dtype));
    switch (dtype) {
    case TS_INT8: return (int8_t)bits;
    case TS_INT16: return (int16_t)bits;
    case TS_INT32: return (int32_t)bits;
    case TS_INT64: return (int64_t)bits;
    default: return bits < INT64_MAX ? (int64_t)bits : INT64_MAX;
    }
}

/* Is one of n indices beyond? Only the least and the greatest are compared with the size. */
static bool row_strays(const index_source *s, const unsigned char *from, int64_t step, uint64_t n)
{
    int64_t least = 0, most = 0;
    for (uint64_t i = 0; i < n; ++i) {
        const int64_t index = stated(s->dtype, from + (int64_t)i * step);
        least = index < least ? index : least;
        most = index > most ? index : most;
    }
    return least < -(int64_t)s->size || most >= (int64_t)s->size;
}

static void clear_row(const batched_plan *p, const loop *row, const unsigned char *indices, unsigned char *to)
{
    static const unsigned char zero[LANE_MOST];
    const index_source *s = &p->one.source;
    const int64_t size = (int64_t)s->size;
    if (!row_strays(s, indices, row->from, row->size))
        return;
    for (uint64_t i = 0; i < row->size; ++i) {
        const int64_t index = stated(s->dtype, indices + (int64_t)i * row->from);
        if (index < -size || index >= size)
            copy_plan_run(&p->cleared, to + (int64_t)i * row->to, zero);
    }
}

static void clear(const batched_plan *p, const unsigned char *indices, unsigned char *to)
{
    const nest *along = &p->one.along;
    const loop single = { 1, 0, 0 };
    const uint32_t outer = along->rank > 0 ? along->rank - 1 : 0;
    walk w;
    walk_begin(&w, along, outer, 0);
    for (uint64_t rows = nest_count(along, outer); rows > 0; --rows) {
        clear_row(p, along->rank > 0 ? &along->loops[outer] : &single, indices + w.from, to + w.to);
        walk_next(&w);
    }
}

/* ---- plans ----------------------------------------------------------------------------------------------------- */

static void plan_make(batched_plan *p, const ts_call *call, uint32_t axis, uint32_t batch)
{
    const ts_tensor *in = ts_call_tensor(call, IN), *indices = ts_call_tensor(call, INDICES);
    const ts_tensor *out = ts_call_tensor(call, OUT);
    const uint32_t bytes = lane_bytes(in->dtype), behind = axis + indices->rank - batch;
    nest inside, cleared;
    nest_begin(&p->moves, bytes);
    nest_begin(&p->reads, bytes);
    nest_begin(&p->one.around, bytes);
    nest_begin(&p->one.along, bytes);
    nest_begin(&inside, bytes);
    nest_begin(&cleared, bytes);
    for (uint32_t k = 0; k < batch; ++k) {
        nest_add(&p->moves, in->sizes[k], tensor_step(out, k), tensor_step(in, k));
        nest_add(&p->reads, in->sizes[k], tensor_step(indices, k), 0);
    }
    for (uint32_t k = batch; k < axis; ++k) {
        nest_add(&p->one.around, in->sizes[k], tensor_step(out, k), tensor_step(in, k));
        nest_add(&cleared, in->sizes[k], tensor_step(out, k), 0);
    }
    for (uint32_t k = batch; k < indices->rank; ++k)
        nest_add(&p->one.along, indices->sizes[k], tensor_step(out, axis + k - batch), tensor_step(indices, k));
    for (uint32_t k = axis + 1; k < in->rank; ++k) {
        const int64_t step = tensor_step(out, behind + k - axis - 1);
        nest_add(&inside, in->sizes[k], step, tensor_step(in, k));
        nest_add(&cleared, in->sizes[k], step, 0);
    }
    p->one.source = (index_source){ indices->dtype, in->sizes[axis], tensor_step(in, axis) };
    gather_plan_choose(&p->one, &inside, tensor_is_dense(in) && tensor_is_dense(indices) && tensor_is_dense(out));
    copy_plan_make(&p->cleared, &cleared);
}

/* ---- calls ----------------------------------------------------------------------------------------------------- */

/* clears: is an element zero that an index beyond the axis selects? Otherwise it may be any. */
static ts_status gather(const ts_call *call, int64_t axis, int64_t batch, bool clears)
{
    const ts_tensor *in = ts_call_tensor(call, IN), *indices = ts_call_tensor(call, INDICES);
    const ts_tensor *out = ts_call_tensor(call, OUT);
    if (tensor_is_empty(out) || tensor_is_empty(in)) {
        whole_zero(out);
        return TS_OK;
    }
    axis += axis < 0 ? in->rank : 0;
    batch += batch < 0 ? indices->rank : 0;
    plan_key key = { .count = 0 };
    tensor_key(&key, in);
    tensor_key(&key, indices);
    tensor_key(&key, out);
    plan_key_add(&key, indices->dtype);
    plan_key_add(&key, (uint64_t)axis);
    plan_key_add(&key, (uint64_t)batch);
    bool found;
    batched_plan *p = &plans[plan_cache_slot(&cache, &key, &found)];
    if (!found)
        plan_make(p, call, (uint32_t)axis, (uint32_t)batch);
    walk moved, read;
    walk_begin(&moved, &p->moves, p->moves.rank, 0);
    walk_begin(&read, &p->reads, p->reads.rank, 0);
    for (uint64_t batches = nest_count(&p->moves, p->moves.rank); batches > 0; --batches) {
        unsigned char *to = (unsigned char *)out->data + moved.to;
        const unsigned char *at = (const unsigned char *)indices->data + read.to;
        gather_plan_run(&p->one, to, at, (const unsigned char *)in->data + moved.from);
        if (clears)
            clear(p, at, to);
        walk_next(&moved);
        walk_next(&read);
    }
    return TS_OK;
}

static ts_status run_1(const ts_call *call)
{
    const ts_openvino_gather_1 *attrs = call->attrs;
    return gather(call, attrs->axis, 0, false);
}

static ts_status run_7(const ts_call *call)
{
    const ts_openvino_gather_7 *attrs = call->attrs;
    return gather(call, attrs->axis, call->attrs_given & TS_GATHER_7_GIVEN_BATCH_DIMS ? attrs->batch_dims : 0, false);
}

static ts_status run_8(const ts_call *call)
{
    const ts_openvino_gather_8 *attrs = call->attrs;
    return gather(call, attrs->axis, call->attrs_given & TS_GATHER_8_GIVEN_BATCH_DIMS ? attrs->batch_dims : 0, true);
}

static void reset(void)
{
    memset(&cache, 0, sizeof cache);
    scratch_forget();
}

const kernel_operator kernel_openvino_gather_1 = { "openvino.gather_1", run_1, reset };
const kernel_operator kernel_openvino_gather_7 = { "openvino.gather_7", run_7, reset };
const kernel_operator kernel_openvino_gather_8 = { "openvino.gather_8", run_8, reset };
