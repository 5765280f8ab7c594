/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/kernels/gather_plan.h"
#include "audit/kernels/lanes.h"
#include "audit/kernels/scratch.h"
#include "reference/dml/gather.h"

enum { IN, INDICES, OUT };
enum { MOST_INSIDE = 16 }; /* elements of a block that threads copy */

/* The dimension of the output for dimension `full` of the uncropped result: the output keeps the last ones, and has a
   leading 1 if there is one too few. */
static uint32_t output_dim(uint32_t full, uint32_t picks)
{
    return full + 1 - picks;
}

/* Is a thread per element possible, and short blocks the reason? */
static bool fits_threads(const gather_plan *p, const nest *inside, bool dense)
{
    if (!dense || inside->rank == 0)
        return false;
    const uint64_t length = nest_count(inside, inside->rank);
    const uint64_t around = nest_count(&p->around, p->around.rank);
    return length <= MOST_INSIDE && around > 1 && p->indices <= SCRATCH_WORDS &&
           length * around * p->indices <= INT32_MAX;
}

static void make_threads(gather_plan *p, const nest *inside)
{
    const uint64_t length = nest_count(inside, inside->rank);
    p->path = GATHER_THREADS;
    p->inside = (uint32_t)length;
    p->elements = (uint32_t)(length * nest_count(&p->around, p->around.rank) * p->indices);
    p->by_inside = divisor_of(p->inside);
    p->by_indices = divisor_of((uint32_t)p->indices);
    p->around_pitch = (int64_t)(p->source.size * length * inside->bytes);
}

static void make_slice(gather_plan *p, const nest *inside)
{
    nest whole = p->around;
    for (uint32_t k = 0; k < inside->rank; ++k)
        whole.loops[whole.rank++] = inside->loops[k];
    p->path = GATHER_SLICE;
    copy_plan_make(&p->block, &whole);
}

/* Choose by the block that an index picks. */
static void make_picks(gather_plan *p, nest *inside)
{
    nest_merge(inside);
    nest_widen(inside);
    p->around.bytes = p->along.bytes = inside->bytes;
    p->bytes = inside->bytes;
    if (inside->rank == 0) {
        p->path = GATHER_ELEMENTS;
    } else if (inside->rank == 1 && inside->loops[0].to == inside->bytes && inside->loops[0].from == inside->bytes) {
        p->path = GATHER_BLOCKS;
        p->bytes *= inside->loops[0].size;
    } else {
        p->path = GATHER_STRIDED;
        copy_plan_make(&p->block, inside);
    }
}

void gather_plan_choose(gather_plan *p, nest *inside, bool dense)
{
    p->indices = nest_count(&p->along, p->along.rank);
    nest_merge(&p->around);
    nest_merge(&p->along);
    if (p->indices == 1)
        make_slice(p, inside);
    else if (fits_threads(p, inside, dense))
        make_threads(p, inside);
    else
        make_picks(p, inside);
}

void gather_plan_make(gather_plan *p, const ts_call *call)
{
    const ts_dml_gather *attrs = call->attrs;
    const ts_tensor *in = ts_call_tensor(call, IN);
    const ts_tensor *indices = ts_call_tensor(call, INDICES);
    const ts_tensor *out = ts_call_tensor(call, OUT);
    const uint32_t axis = attrs->Axis, picks = attrs->IndexDimensions;
    const uint32_t bytes = lane_bytes(in->dtype);
    nest inside;
    nest_begin(&p->around, bytes);
    nest_begin(&p->along, bytes);
    nest_begin(&inside, bytes);
    for (uint32_t k = 0; k < axis; ++k)
        if (in->sizes[k] > 1) /* a cropped dimension has one element */
            nest_add(&p->around, in->sizes[k], tensor_step(out, output_dim(k, picks)), tensor_step(in, k));
    for (uint32_t k = 0; k < picks; ++k) {
        const uint32_t from = indices->rank - picks + k;
        if (indices->sizes[from] > 1)
            nest_add(&p->along, indices->sizes[from], tensor_step(out, output_dim(axis + k, picks)),
                     tensor_step(indices, from));
    }
    for (uint32_t k = axis + 1; k < in->rank; ++k)
        nest_add(&inside, in->sizes[k], tensor_step(out, k), tensor_step(in, k));
    p->source = (index_source){ indices->dtype, in->sizes[axis], tensor_step(in, axis) };
    gather_plan_choose(p, &inside, tensor_is_dense(in) && tensor_is_dense(indices) && tensor_is_dense(out));
}
