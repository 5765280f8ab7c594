/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/faulty/fault_path.h"
#include "backends/faulty/fault_affine.h"
#include "backends/faulty/fault_update.h"
#include "reference/dml/gather.h"
#include "reference/dml/gather_elements.h"
#include "reference/dml/gather_nd1.h"
#include "reference/dml/space_to_depth1.h"

#include <stdlib.h>

/* ---- the loops of a call ----------------------------------------------------------------------------------------- */

/* Add a loop inside of the others, or make it one with the last one. */
static void add_loop(fault_path *p, fault_axis a)
{
    fault_axis *last = p->dims ? &p->axis[p->dims - 1] : NULL;
    if (a.size == 1)
        return;
    if (last && last->picks == a.picks && last->in == (int64_t)((uint64_t)a.in * a.size) &&
        last->out == (int64_t)((uint64_t)a.out * a.size) && last->index == (int64_t)((uint64_t)a.index * a.size)) {
        last->size *= a.size;
        last->in = a.in;
        last->out = a.out;
        last->index = a.index;
        last->step = a.step;
        return;
    }
    p->axis[p->dims++] = a;
}

static void loops_of_affine(fault_path *p, const fault_call *call)
{
    const affine a = affine_of(call, 0);
    p->start = a.start;
    for (uint32_t i = 0; i < a.rank; ++i)
        add_loop(p, (fault_axis){ a.count[i], a.from[i], a.to[i], a.source[i] < 0 ? 1 : a.step[i], false, 0 });
}

static void loops_of_gather(fault_path *p, const fault_call *call)
{
    const ts_dml_gather *g = TS_ATTRS(ts_dml_gather, call->d);
    const ts_tensor *in = call->in, *out = call->out;
    const uint32_t axis = g->Axis, picks = g->IndexDimensions;
    p->indices = &call->d->tensors[1];
    p->picked_stride = in->sizes[axis] > 1 ? (int64_t)in->strides[axis] : 0;
    p->picked_size = (int64_t)in->sizes[axis];
    for (uint32_t i = 0; i < out->rank; ++i) {
        fault_axis a = { out->sizes[i], 0, (int64_t)out->strides[i], 1, false, 0 };
        if (i > axis) {
            a.in = (int64_t)in->strides[i];
        } else if (i + picks > axis) {
            a.in = (int64_t)p->indices->strides[p->indices->rank - 1 - axis + i];
            a.picks = true;
        } else if (i + picks >= 1) {
            a.in = (int64_t)in->strides[i + picks - 1];
        }
        add_loop(p, a);
    }
}

static void loops_of_gather_elements(fault_path *p, const fault_call *call)
{
    const uint32_t axis = TS_ATTRS(ts_dml_gather_elements, call->d)->Axis;
    const ts_tensor *in = call->in, *out = call->out, *indices = &call->d->tensors[1];
    p->indices = indices;
    p->picked_stride = in->sizes[axis] > 1 ? (int64_t)in->strides[axis] : 0;
    p->picked_size = (int64_t)in->sizes[axis];
    for (uint32_t i = 0; i < out->rank; ++i)
        add_loop(p, (fault_axis){ out->sizes[i], i == axis ? 0 : (int64_t)in->strides[i], (int64_t)out->strides[i], 1,
                                  false, (int64_t)indices->strides[i] });
}

/* The dimensions of the output that count are those of the batches, those of the array of tuples, and the block behind
   what a tuple is for. */
static void loops_of_gather_nd(fault_path *p, const fault_call *call)
{
    const ts_dml_gather_nd1 *a = TS_ATTRS(ts_dml_gather_nd1, call->d); /* of GATHER_ND, without its last attribute */
    const ts_tensor *in = call->in, *out = call->out, *indices = &call->d->tensors[1];
    const uint32_t first = fault_first_of_tuple(call->d), tuple = (uint32_t)indices->sizes[indices->rank - 1];
    const uint32_t last = first + tuple - 1, array = a->IndicesDimensionCount - 1;
    const uint32_t batch = first + a->InputDimensionCount - in->rank, block = in->rank - last - 1;
    p->indices = indices;
    p->picked_stride = in->sizes[last] > 1 ? (int64_t)in->strides[last] : 0;
    p->picked_size = (int64_t)in->sizes[last];
    p->tuple = tuple - 1;
    p->tuple_axis = first;
    p->tuple_stride = tuple > 1 ? (int64_t)indices->strides[indices->rank - 1] : 0;
    for (uint32_t i = 0; i < array + block; ++i) {
        const uint32_t o = out->rank - array - block + i;
        fault_axis loop = { out->sizes[o], 0, (int64_t)out->strides[o], 1, false, 0 };
        const int64_t index = i < array ? (int64_t)indices->strides[indices->rank - 1 - array + i] : 0;
        loop.picks = i >= batch && i < array;
        loop.index = i < batch ? index : 0;
        if (loop.picks)
            loop.in = index;
        else
            loop.in = (int64_t)in->strides[i < batch ? first - batch + i : last + 1 + i - array];
        add_loop(p, loop);
    }
}

/* The output's channels are three loops: rows and columns of a block, and the input's channels. */
static void loops_of_blocks(fault_path *p, const fault_call *call)
{
    const ts_dml_space_to_depth1 *a = TS_ATTRS(ts_dml_space_to_depth1, call->d);
    const ts_tensor *in = call->in, *out = call->out;
    const uint64_t block = a->BlockSize, channels = in->sizes[1];
    const bool depth_first = a->Order == TS_DEPTH_COLUMN_ROW;
    const int64_t channel = (int64_t)out->strides[1];
    const int64_t row = (int64_t)(depth_first ? block * channels : block) * channel;
    const int64_t column = (int64_t)(depth_first ? channels : 1) * channel;
    const fault_axis of_channels = {
        channels, (int64_t)in->strides[1], (int64_t)(depth_first ? 1 : block * block) * channel, 1, false, 0
    };
    add_loop(p, (fault_axis){ in->sizes[0], (int64_t)in->strides[0], (int64_t)out->strides[0], 1, false, 0 });
    if (!depth_first)
        add_loop(p, of_channels);
    add_loop(p, (fault_axis){ block, (int64_t)in->strides[2], row, 1, false, 0 });
    add_loop(p, (fault_axis){ block, (int64_t)in->strides[3], column, 1, false, 0 });
    if (depth_first)
        add_loop(p, of_channels);
    for (uint32_t i = 2; i < 4; ++i)
        add_loop(
            p, (fault_axis){ out->sizes[i], (int64_t)(block * in->strides[i]), (int64_t)out->strides[i], 1, false, 0 });
}

/* The source is the result, a stream of words or another, which the reference writes to packed memory that the caller
   frees. It writes the generator's new state as well. */
static unsigned char *loops_of_result(fault_path *p, const fault_call *call)
{
    ts_descriptor d = *call->d;
    ts_tensor *out = &d.tensors[call->out - call->d->tensors];
    tensor_init(out, call->out->dtype, call->out->rank, call->out->sizes);
    out->reported = call->out->reported;
    out->data = calloc((size_t)out->total_bytes + 1, 1);
    if (!out->data)
        return NULL;
    d.op->run(&d, NULL);
    for (uint32_t i = 0; i < out->rank; ++i)
        add_loop(p,
                 (fault_axis){ out->sizes[i], (int64_t)out->strides[i], (int64_t)call->out->strides[i], 1, false, 0 });
    p->source = out->data;
    p->room = p->count;
    return out->data;
}

/* Fill in the path of a call with at least one element. Memory to free is stored in *owned. */
static bool path_of(fault_path *p, const fault_call *call, unsigned char **owned)
{
    memset(p, 0, sizeof *p);
    *owned = NULL;
    p->call = call;
    p->bytes = tensor_element_bytes(call->out->dtype);
    p->count = fault_count(call->out);
    p->source = call->in->data;
    p->room = p->bytes ? call->in->total_bytes / p->bytes : 0;
    if (p->count == 0 || p->room == 0 || call->out->total_bytes < p->bytes)
        return false;
    if (call->on & ON_RESULTS) {
        *owned = loops_of_result(p, call);
        if (!*owned)
            return false;
    } else if (call->on == ON_GATHER) {
        loops_of_gather(p, call);
    } else if (call->on == ON_GATHER_ELEMENTS) {
        loops_of_gather_elements(p, call);
    } else if (call->on & ON_GATHER_NDS) {
        loops_of_gather_nd(p, call);
    } else if (call->on == ON_SPACE_TO_DEPTH) {
        loops_of_blocks(p, call);
    } else {
        loops_of_affine(p, call);
    }
    if (p->dims == 0)
        p->axis[p->dims++] = (fault_axis){ 1, 1, 1, 1, false, 0 };
    return true;
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

/* The index at an offset of the index tensor, from the start of an axis of this size. */
static int64_t inside(const fault_path *p, uint64_t offset, int64_t size)
{
    const int64_t index = fault_index_value(p->indices, offset, size);
    return index < 0 ? 0 : index >= size ? size - 1 : index;
}

/* Of a tuple, which begins at the offset, the last index. */
static int64_t index_at(const fault_path *p, uint64_t offset)
{
    return inside(p, offset + p->tuple * (uint64_t)p->tuple_stride, p->picked_size);
}

static uint64_t pick_offset(const fault_path *p, const uint64_t *at)
{
    uint64_t offset = 0;
    for (uint32_t i = 0; i < p->dims; ++i)
        offset += at[i] * (uint64_t)(p->axis[i].picks ? p->axis[i].in : p->axis[i].index);
    return offset;
}

int64_t fault_tuple_index(const fault_path *p, const uint64_t *at, uint32_t i)
{
    const int64_t size = (int64_t)p->call->in->sizes[p->tuple_axis + i];
    return inside(p, pick_offset(p, at) + i * (uint64_t)p->tuple_stride, size);
}

int64_t fault_source(const fault_path *p, const uint64_t *at)
{
    uint64_t from = (uint64_t)p->start;
    for (uint32_t i = 0; i < p->dims; ++i)
        from += p->axis[i].picks ? 0 : at[i] * (uint64_t)p->axis[i].in;
    if (p->indices)
        from += (uint64_t)(index_at(p, pick_offset(p, at)) * p->picked_stride);
    for (uint32_t i = 0; i < p->tuple; ++i)
        from += (uint64_t)fault_tuple_index(p, at, i) * p->call->in->strides[p->tuple_axis + i];
    return (int64_t)from;
}

int64_t fault_target(const fault_path *p, const uint64_t *at)
{
    uint64_t to = 0;
    for (uint32_t i = 0; i < p->dims; ++i)
        to += at[i] * (uint64_t)p->axis[i].out;
    return (int64_t)to;
}

uint64_t fault_picks(const fault_path *p)
{
    uint64_t picks = p->indices ? 1 : 0;
    for (uint32_t i = 0; i < p->dims; ++i)
        picks *= p->axis[i].picks ? p->axis[i].size : 1;
    return picks;
}

int64_t fault_index(const fault_path *p, uint64_t n)
{
    uint64_t at[TS_MAX_DIMS] = { 0 };
    for (uint32_t i = p->dims; i-- > 0;)
        if (p->axis[i].picks) {
            at[i] = n % p->axis[i].size;
            n /= p->axis[i].size;
        }
    return index_at(p, pick_offset(p, at));
}

static void place_at(const fault_path *p, fault_place *e)
{
    e->from = fault_source(p, e->at);
    e->to = fault_target(p, e->at);
    e->unwritten = false;
    e->pick = 0;
    if (!p->indices)
        return;
    for (uint32_t i = 0; i < p->dims; ++i)
        if (p->axis[i].picks)
            e->pick = e->pick * p->axis[i].size + e->at[i];
    e->index = index_at(p, pick_offset(p, e->at));
}

static bool next_place(const fault_path *p, fault_place *e)
{
    ++e->number;
    for (uint32_t i = p->dims; i-- > 0;) {
        if (++e->at[i] < p->axis[i].size)
            return true;
        e->at[i] = 0;
    }
    return false;
}

int64_t fault_moved(const fault_path *p, unsigned quirks)
{
    return affine_of(p->call, quirks).start - p->start;
}

void fault_run_path(const fault_call *call, const fault *f)
{
    fault_path p;
    unsigned char *owned = NULL;
    if (!path_of(&p, call, &owned) || !f->takes(&p)) {
        fault_run_right(call);
        free(owned);
        return;
    }
    const uint64_t room = call->out->total_bytes / p.bytes;
    fault_place e;
    memset(&e, 0, sizeof e);
    do {
        place_at(&p, &e);
        f->wrong(&p, &e);
        if (!e.unwritten)
            memcpy((unsigned char *)call->out->data + fault_inside(e.to, room) * p.bytes,
                   p.source + fault_inside(e.from, p.room) * p.bytes, p.bytes);
    } while (next_place(&p, &e));
    if (call->on & ON_SCATTERS)
        fault_each_update(call, fault_apply);
    free(owned);
}
