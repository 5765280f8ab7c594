/* SPDX-License-Identifier: Apache-2.0 */
/* Random descriptors of every operator that the cpu backend implements, most of them legal: each has a maker. */
#ifndef TOUCHSTONE_RANDOM_DESCRIPTORS_H
#define TOUCHSTONE_RANDOM_DESCRIPTORS_H

#include "backends/cpu/cpu_testing.h"
#include "reference/dml/blocks.h"
#include "reference/dml/cumulative_summation.h"
#include "reference/dml/gather.h"
#include "reference/dml/gather_elements.h"
#include "reference/dml/gather_nd1.h"
#include "reference/dml/join.h"
#include "reference/dml/random_generator.h"
#include "reference/dml/scatter_elements.h"
#include "reference/dml/scatter_nd.h"
#include "reference/dml/slice1.h"
#include "reference/openvino/gather_8.h"
#include "reference/openvino/gather_elements.h"
#include "reference/openvino/gather_nd_8.h"
#include "reference/openvino/non_zero_3.h"
#include "reference/openvino/strided_slice.h"

#include <stdlib.h>

/* ---- random numbers: the same on every platform; a failure prints the seed --------------------------------------- */

static uint64_t seed;

static uint64_t next(void)
{
    return testing_random(&seed);
}

static uint32_t below(uint32_t n)
{
    return (uint32_t)(next() % n);
}

static int64_t between(int64_t low, int64_t high)
{
    return low + (int64_t)(next() % (uint64_t)(high - low + 1));
}

/* ---- random descriptors -------------------------------------------------------------------------------------- */

static const ts_level levels[] = {
    0, TS_LEVEL_6_4, TS_LEVEL_4_1, TS_LEVEL_4_0, TS_LEVEL_3_1, TS_LEVEL_3_0, TS_LEVEL_2_1, TS_LEVEL_2_0, TS_LEVEL_1_0
};

static ts_level some_level(void)
{
    return below(3) ? 0 : levels[below(sizeof levels / sizeof *levels)];
}

static uint64_t size_limit;

static void some_sizes(uint32_t rank, uint64_t *sizes, bool zeros)
{
    uint64_t left = size_limit;
    for (uint32_t i = 0; i < rank; ++i)
        sizes[i] = 1;
    for (uint32_t n = 0; n < rank; ++n) {
        const uint32_t i = below(rank);
        if (sizes[i] != 1)
            continue;
        const uint32_t kind = below(12);
        uint64_t size = kind < 3 ? 1 : kind < 10 ? 1 + below(6) : 1 + below(200);
        if (zeros && below(40) == 0)
            size = 0;
        if (size > left)
            size = left ? left : 1;
        sizes[i] = size;
        if (size)
            left /= size;
    }
}

/* Choose strides for the sizes of *t: packed, padded, in any order of the axes, broadcast. */
static void some_layout(ts_tensor *t, bool output)
{
    const uint32_t kind = below(4);
    t->given = TS_GIVEN_ALL;
    tensor_pack(t);
    if (kind > 0) {
        t->given |= TS_GIVEN_STRIDES;
        uint32_t order[TS_MAX_DIMS];
        for (uint32_t i = 0; i < t->rank; ++i)
            order[i] = i;
        for (uint32_t i = t->rank; kind == 3 && i-- > 1;) {
            const uint32_t k = below(i + 1), kept = order[i];
            order[i] = order[k];
            order[k] = kept;
        }
        uint64_t stride = 1;
        for (uint32_t i = t->rank; i-- > 0;) {
            const uint32_t at = order[i];
            t->strides[at] = stride;
            stride *= t->sizes[at] ? t->sizes[at] : 1;
            if (kind > 1 && below(3) == 0)
                stride += below(5);
            if (t->sizes[at] <= 1 && below(4) == 0)
                t->strides[at] = below(2) ? 0 : UINT32_MAX;
            if (!output && kind > 1 && below(6) == 0)
                t->strides[at] = below(2) ? 0 : below(4);
        }
    }
    uint64_t bytes = 0;
    if (!tensor_min_bytes(t, &bytes))
        bytes = 0;
    t->total_bytes = bytes + (below(3) ? 0 : 4 * (uint64_t)below(8));
    t->alignment = below(4) ? 0 : 16u << below(4);
    t->flags = output ? 0 : below(10) == 0;
}

static void some_tensor(ts_tensor *t, uint32_t dtype, uint32_t rank, const uint64_t *sizes, bool output)
{
    ts_tensor fresh; /* the sizes may be those of *t itself */
    memset(&fresh, 0, sizeof fresh);
    fresh.dtype = dtype;
    fresh.rank = rank;
    memcpy(fresh.sizes, sizes, rank * sizeof *sizes);
    *t = fresh;
    some_layout(t, output);
}

static const uint32_t openvino_types[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, TS_BFLOAT16, TS_BOOLEAN };
#define OPENVINO_TYPES (sizeof openvino_types / sizeof *openvino_types)

static void random_slice1(ts_descriptor *d)
{
    ts_dml_slice1 a;
    memset(&a, 0, sizeof a);
    uint64_t sizes[TS_MAX_DIMS], out[TS_MAX_DIMS];
    const uint32_t rank = 1 + below(8), dtype = 1 + below(11);
    some_sizes(rank, sizes, false);
    a.DimensionCount = rank;
    for (uint32_t i = 0; i < rank; ++i) {
        const uint32_t size = (uint32_t)sizes[i];
        a.InputWindowSizes[i] = below(3) ? size : 1 + below(size);
        a.InputWindowOffsets[i] = below(size - a.InputWindowSizes[i] + 1);
        a.InputWindowStrides[i] = below(2) ? 1 : (int32_t)between(1, 4) * (below(2) ? 1 : -1);
        if (below(20) == 0)
            a.InputWindowStrides[i] = below(2) ? INT32_MIN : INT32_MAX;
        const uint64_t step = (uint64_t)llabs((long long)a.InputWindowStrides[i]);
        const uint64_t most = 1 + (a.InputWindowSizes[i] - 1) / step;
        out[i] = below(4) ? most : 1 + next() % most;
    }
    some_tensor(&d->tensors[0], dtype, rank, sizes, false);
    some_tensor(&d->tensors[1], dtype, rank, out, true);
    memcpy(d->attrs, &a, sizeof a);
    d->attrs_given = 15;
}

static void random_identity(ts_descriptor *d)
{
    uint64_t sizes[TS_MAX_DIMS];
    const uint32_t rank = 1 + below(8), dtype = 1 + below(11);
    some_sizes(rank, sizes, false);
    some_tensor(&d->tensors[0], dtype, rank, sizes, false);
    some_tensor(&d->tensors[1], dtype, rank, sizes, true);
}

/* An operator that computes element by element: all tensors have the same sizes, and all inputs the same type, which the
   output need not have, nor an input that may have one type alone. */
static void random_each(ts_descriptor *d)
{
    const unsigned out = d->op->tensor_count - 1;
    const ts_support_row *row = operator_support_row(d->op, d->feature_level);
    uint64_t sizes[TS_MAX_DIMS];
    const uint32_t rank = below(8) ? 4 : 1 + below(8);
    const unsigned typed = operator_typed(d->op);
    uint32_t dtype = 1 + below(11);
    for (unsigned tries = 0; row && tries < 100 && !(row->tensors[typed].dtypes >> dtype & 1); ++tries)
        dtype = 1 + below(11);
    some_sizes(rank, sizes, false);
    for (unsigned k = 0; k < d->op->tensor_count; ++k) {
        const bool same = !row || row->tensors[k].dtypes == row->tensors[typed].dtypes;
        const uint32_t other = k == out && below(2) ? TS_UINT32 : TS_UINT8;
        some_tensor(&d->tensors[k], same ? dtype : other, rank, sizes, k == out);
    }
}

static void random_gather(ts_descriptor *d)
{
    static const uint32_t index_types[] = { TS_INT64, TS_INT32, TS_UINT64, TS_UINT32 };
    uint64_t in[TS_MAX_DIMS], indices[TS_MAX_DIMS];
    const uint32_t rank = 1 + below(8), dtype = 1 + below(11);
    const uint32_t axis = below(rank), picks = below(axis + 2);
    size_limit = 60;
    some_sizes(rank, in, false);
    some_sizes(rank, indices, false);
    for (uint32_t i = 0; i + 1 < picks; ++i)
        in[i] = 1;
    for (uint32_t i = 0; i < rank - picks && below(30); ++i)
        indices[i] = 1;
    const ts_dml_gather a = { axis, picks };
    memcpy(d->attrs, &a, sizeof a);
    d->attrs_given = 3;
    some_tensor(&d->tensors[0], dtype, rank, in, false);
    some_tensor(&d->tensors[1], index_types[below(4)], rank, indices, false);
    d->tensors[2].dtype = dtype;
    if (d->op->shape(d))
        some_tensor(&d->tensors[2], dtype, rank, d->tensors[2].sizes, true);
}

static void random_join(ts_descriptor *d)
{
    uint64_t sizes[TS_MAX_DIMS], sum = 0;
    const uint32_t rank = 1 + below(8), dtype = 1 + below(11), count = below(3) ? 1 + below(4) : 1 + below(16);
    const ts_dml_join a = { count, below(rank) };
    memcpy(d->attrs, &a, sizeof a);
    d->attrs_given = TS_JOIN_GIVEN_INPUT_COUNT | TS_JOIN_GIVEN_AXIS;
    some_sizes(rank, sizes, false);
    for (uint32_t k = 0; k < count; ++k) {
        sizes[a.Axis] = 1 + below(5);
        sum += sizes[a.Axis];
        some_tensor(&d->tensors[k], dtype, rank, sizes, false);
    }
    sizes[a.Axis] = sum;
    some_tensor(&d->tensors[TS_JOIN_OUTPUT], dtype, rank, sizes, true);
}

static void random_gather_elements(ts_descriptor *d)
{
    static const uint32_t index_types[] = { TS_INT64, TS_INT32, TS_UINT64, TS_UINT32 };
    uint64_t sizes[TS_MAX_DIMS];
    const uint32_t rank = 1 + below(8), dtype = 1 + below(11);
    const ts_dml_gather_elements a = { below(rank) };
    memcpy(d->attrs, &a, sizeof a);
    d->attrs_given = 1;
    some_sizes(rank, sizes, false);
    some_tensor(&d->tensors[0], dtype, rank, sizes, false);
    if (below(3))
        sizes[a.Axis] = 1 + below(12);
    some_tensor(&d->tensors[1], index_types[below(4)], rank, sizes, false);
    some_tensor(&d->tensors[2], dtype, rank, sizes, true);
}

/* GATHER_ND1, and GATHER_ND if the descriptor is of that, whose attributes are the first two. */
static void random_gather_nd(ts_descriptor *d)
{
    static const uint32_t index_types[] = { TS_INT64, TS_INT32, TS_UINT64, TS_UINT32 };
    uint64_t in[TS_MAX_DIMS], indices[TS_MAX_DIMS];
    const uint32_t rank = 1 + below(8), dtype = 1 + below(11);
    ts_dml_gather_nd1 a = { .InputDimensionCount = 1 + below(rank), .IndicesDimensionCount = 1 + below(rank) };
    const uint32_t least =
        a.InputDimensionCount < a.IndicesDimensionCount ? a.InputDimensionCount : a.IndicesDimensionCount;
    if (d->op->attr_count == 3)
        a.BatchDimensionCount = below(least);
    size_limit = 60;
    some_sizes(rank, in, false);
    some_sizes(rank, indices, false);
    for (uint32_t i = 0; i + a.InputDimensionCount < rank && below(30); ++i)
        in[i] = 1;
    for (uint32_t i = 0; i + a.IndicesDimensionCount < rank && below(30); ++i)
        indices[i] = 1;
    for (uint32_t i = 0; i < a.BatchDimensionCount; ++i)
        indices[rank - a.IndicesDimensionCount + i] = in[rank - a.InputDimensionCount + i];
    indices[rank - 1] = 1 + below(a.InputDimensionCount - a.BatchDimensionCount);
    memcpy(d->attrs, &a, d->op->attrs_size);
    d->attrs_given = (1u << d->op->attr_count) - 1;
    some_tensor(&d->tensors[0], dtype, rank, in, false);
    some_tensor(&d->tensors[1], index_types[below(4)], rank, indices, false);
    d->tensors[2].dtype = dtype;
    if (d->op->shape(d))
        some_tensor(&d->tensors[2], dtype, rank, d->tensors[2].sizes, true);
}

static void random_scatter_elements(ts_descriptor *d)
{
    static const uint32_t index_types[] = { TS_INT64, TS_INT32, TS_UINT64, TS_UINT32 };
    uint64_t sizes[TS_MAX_DIMS];
    const uint32_t rank = 1 + below(8), dtype = 1 + below(11);
    const ts_dml_scatter_elements a = { below(rank) };
    memcpy(d->attrs, &a, sizeof a);
    d->attrs_given = 1;
    some_sizes(rank, sizes, false);
    some_tensor(&d->tensors[0], dtype, rank, sizes, false);
    some_tensor(&d->tensors[3], dtype, rank, sizes, true);
    if (below(3))
        sizes[a.Axis] = 1 + below((uint32_t)sizes[a.Axis]);
    some_tensor(&d->tensors[1], index_types[below(4)], rank, sizes, false);
    some_tensor(&d->tensors[2], dtype, rank, sizes, false);
}

static void random_scatter_nd(ts_descriptor *d)
{
    static const uint32_t index_types[] = { TS_INT64, TS_INT32, TS_UINT64, TS_UINT32 };
    uint64_t sizes[TS_MAX_DIMS], indices[TS_MAX_DIMS], updates[TS_MAX_DIMS], own[TS_MAX_DIMS], array[TS_MAX_DIMS];
    const uint32_t rank = 1 + below(8), dtype = 1 + below(11), dims = 1 + below(rank), tuple = 1 + below(dims);
    const uint32_t room = rank - (dims - tuple), tuples = below(1 + (room < rank ? room : rank - 1));
    const ts_dml_scatter_nd a = { dims, tuples + 1 };
    memcpy(d->attrs, &a, sizeof a);
    d->attrs_given = 3;
    size_limit = 60; /* the updates are as many as the tuples times the elements of a block */
    some_sizes(dims, own, false);
    some_sizes(tuples, array, false);
    for (uint32_t i = 0; i < rank; ++i)
        sizes[i] = indices[i] = updates[i] = 1;
    memcpy(sizes + rank - dims, own, dims * sizeof *own);
    indices[rank - 1] = tuple;
    memcpy(indices + rank - 1 - tuples, array, tuples * sizeof *array);
    memcpy(updates + rank - (dims - tuple), own + tuple, (dims - tuple) * sizeof *own);
    memcpy(updates + rank - (dims - tuple) - tuples, array, tuples * sizeof *array);
    some_tensor(&d->tensors[0], dtype, rank, sizes, false);
    some_tensor(&d->tensors[1], index_types[below(4)], rank, indices, false);
    some_tensor(&d->tensors[2], dtype, rank, updates, false);
    some_tensor(&d->tensors[3], dtype, rank, sizes, true);
}

static void random_random(ts_descriptor *d)
{
    uint64_t sizes[TS_MAX_DIMS] = { 1, 1, 1, 1, 1, 1, 1, 1 }, out[TS_MAX_DIMS];
    const uint32_t rank = 1 + below(8), out_rank = 1 + below(8);
    sizes[rank - 1] = 6;
    some_sizes(out_rank, out, false);
    some_tensor(&d->tensors[0], TS_UINT32, rank, sizes, false);
    some_tensor(&d->tensors[1], TS_UINT32, out_rank, out, true);
    if (below(3))
        some_tensor(&d->tensors[2], TS_UINT32, rank, sizes, true);
    d->attrs_given = 1;
}

static uint32_t some_integer(void)
{
    static const uint32_t types[] = {
        TS_INT32, TS_INT64, TS_UINT8, TS_INT8, TS_UINT16, TS_INT16, TS_UINT32, TS_UINT64
    };
    return types[below(8)];
}

/* Gather-8; Gather-7, which has the same attributes; and Gather-1, which has the first of them. */
static void random_gather_8(ts_descriptor *d)
{
    uint64_t sizes[TS_MAX_DIMS], indices[TS_MAX_DIMS];
    const uint32_t rank = 1 + below(6), index_rank = below(6), dtype = openvino_types[below((uint32_t)OPENVINO_TYPES)];
    const uint32_t axis = below(rank), most = axis < index_rank ? axis : index_rank;
    const uint32_t batch = d->op->attr_count > 1 ? below(most + 1) : 0;
    const ts_openvino_gather_8 a = { .axis = (int64_t)axis - (below(3) ? 0 : rank),
                                     .batch_dims = (int64_t)batch - (below(3) ? 0 : index_rank) };
    size_limit = 60;
    some_sizes(rank, sizes, true);
    some_sizes(index_rank, indices, true);
    memcpy(indices, sizes, batch * sizeof *sizes);
    memcpy(d->attrs, &a, d->op->attrs_size);
    d->attrs_given = batch || below(2) ? (1u << d->op->attr_count) - 1 : 1;
    d->feature_level = 0;
    some_tensor(&d->tensors[0], dtype, rank, sizes, false);
    some_tensor(&d->tensors[1], some_integer(), index_rank, indices, false);
    d->tensors[2].dtype = dtype;
    if (d->op->shape(d))
        some_tensor(&d->tensors[2], dtype, d->tensors[2].rank, d->tensors[2].sizes, true);
}

/* GatherElements-6. */
static void random_gather_lines(ts_descriptor *d)
{
    uint64_t sizes[TS_MAX_DIMS];
    const uint32_t rank = 1 + below(8), dtype = openvino_types[below((uint32_t)OPENVINO_TYPES)], axis = below(rank);
    const ts_openvino_gather_elements a = { (int64_t)axis - (below(3) ? 0 : rank) };
    memcpy(d->attrs, &a, sizeof a);
    d->attrs_given = 1;
    d->feature_level = 0;
    some_sizes(rank, sizes, true);
    some_tensor(&d->tensors[0], dtype, rank, sizes, false);
    if (below(3))
        sizes[axis] = below(12);
    some_tensor(&d->tensors[1], below(2) ? TS_INT32 : TS_INT64, rank, sizes, false);
    some_tensor(&d->tensors[2], dtype, rank, sizes, true);
}

/* GatherND-5 and GatherND-8. */
static void random_gather_tuples(ts_descriptor *d)
{
    uint64_t sizes[TS_MAX_DIMS], indices[TS_MAX_DIMS];
    const uint32_t rank = 1 + below(8), index_rank = 1 + below(5);
    const uint32_t dtype = openvino_types[below((uint32_t)OPENVINO_TYPES)];
    const uint32_t batch = below(rank < index_rank ? rank : index_rank);
    const ts_openvino_gather_nd_8 a = { batch };
    size_limit = 60;
    some_sizes(rank, sizes, true);
    some_sizes(index_rank, indices, true);
    memcpy(indices, sizes, batch * sizeof *sizes);
    for (uint32_t i = 0; i < batch; ++i) { /* either tensor may have a single batch */
        indices[i] = below(4) ? indices[i] : 1;
        sizes[i] = below(4) ? sizes[i] : 1;
    }
    indices[index_rank - 1] = 1 + below(rank - batch);
    memcpy(d->attrs, &a, sizeof a);
    d->attrs_given = batch || below(2);
    d->feature_level = 0;
    some_tensor(&d->tensors[0], dtype, rank, sizes, false);
    some_tensor(&d->tensors[1], some_integer(), index_rank, indices, false);
    d->tensors[2].dtype = dtype;
    if (d->op->shape(d))
        some_tensor(&d->tensors[2], dtype, d->tensors[2].rank, d->tensors[2].sizes, true);
}

static int64_t some_bound(int64_t size)
{
    switch (below(12)) {
    case 0: return INT64_MIN;
    case 1: return INT64_MAX;
    default: return between(-size - 2, size + 2);
    }
}

static void some_mask(uint8_t *mask, uint32_t *count, uint32_t steps, uint32_t rarity)
{
    *count = below(4) ? steps : below(TS_STRIDED_SLICE_STEPS + 1);
    for (uint32_t i = 0; i < TS_STRIDED_SLICE_STEPS; ++i)
        mask[i] = below(rarity) == 0;
}

static void random_strided(ts_descriptor *d)
{
    ts_openvino_strided_slice a;
    memset(&a, 0, sizeof a);
    uint64_t sizes[TS_MAX_DIMS];
    const uint32_t rank = 1 + below(below(4) ? 5 : 12), dtype = openvino_types[below((uint32_t)OPENVINO_TYPES)];
    some_sizes(rank, sizes, true);
    const uint32_t steps = below(rank + 2);
    a.begin_count = a.end_count = a.stride_count = steps;
    for (uint32_t i = 0; i < steps; ++i) {
        const int64_t size = (int64_t)sizes[i < rank ? i : rank - 1];
        a.begin[i] = some_bound(size);
        a.end[i] = some_bound(size);
        a.stride[i] = below(2) ? 1 : between(1, 3) * (below(2) ? 1 : -1);
        if (below(20) == 0)
            a.stride[i] = below(2) ? INT64_MIN : INT64_MAX;
    }
    some_mask(a.begin_mask, &a.begin_mask_count, steps, 3);
    some_mask(a.end_mask, &a.end_mask_count, steps, 3);
    some_mask(a.new_axis_mask, &a.new_axis_mask_count, steps, 8);
    some_mask(a.shrink_axis_mask, &a.shrink_axis_mask_count, steps, 10);
    some_mask(a.ellipsis_mask, &a.ellipsis_mask_count, steps, 12);
    memcpy(d->attrs, &a, sizeof a);
    d->attrs_given = 3 | (uint32_t)next() % 64 << 2;
    d->profile = below(3) == 0;
    d->feature_level = 0;
    some_tensor(&d->tensors[0], dtype, rank, sizes, false);
    d->tensors[1].dtype = dtype;
    if (d->op->shape(d))
        some_tensor(&d->tensors[1], dtype, d->tensors[1].rank, d->tensors[1].sizes, true);
}

/* Updates of ScatterNDUpdate-3, which has no axis, ScatterElementsUpdate-3 and ScatterUpdate-3. */
static void random_scatter_update(ts_descriptor *d)
{
    uint64_t sizes[TS_MAX_DIMS], indices[TS_MAX_DIMS], updates[TS_MAX_DIMS];
    const bool tuples = d->op->attr_count == 0, beside = strstr(d->op->name, "elements") != NULL;
    const uint32_t rank = 1 + below(6), dtype = openvino_types[below((uint32_t)OPENVINO_TYPES - 1)]; /* no boolean */
    const uint32_t axis = below(rank), tuple = below(10) ? 1 + below(rank) : 0;
    const uint32_t dims = beside ? rank : tuples ? 1 + below(4) : below(5), array = tuples ? dims - 1 : dims;
    const uint32_t head = tuples || beside ? 0 : axis, tail = beside ? rank : tuples ? tuple : axis + 1;
    size_limit = 60; /* the updates are as many as the indices times the elements of a block */
    some_sizes(rank, sizes, true);
    some_sizes(dims, indices, true);
    for (uint32_t i = 0; beside && i < rank; ++i)
        indices[i] = below((uint32_t)sizes[i] + 1);
    if (tuples)
        indices[array] = tuple;
    memcpy(updates, sizes, head * sizeof *sizes);
    memcpy(updates + head, indices, array * sizeof *indices);
    memcpy(updates + head + array, sizes + tail, (rank - tail) * sizeof *sizes);
    const int64_t a = (int64_t)axis - (below(3) ? 0 : rank);
    if (!tuples)
        operator_set_attr(d, 0, &a, 1);
    d->feature_level = 0;
    some_tensor(&d->tensors[0], dtype, rank, sizes, false);
    some_tensor(&d->tensors[1], tuples ? (below(2) ? TS_INT32 : TS_INT64) : some_integer(), dims, indices, false);
    some_tensor(&d->tensors[2], dtype, head + array + rank - tail, updates, false);
    some_tensor(&d->tensors[3], dtype, rank, sizes, true);
}

static void random_gather_tree(ts_descriptor *d)
{
    uint64_t sizes[3];
    const uint32_t dtype = openvino_types[below((uint32_t)OPENVINO_TYPES - 1)]; /* no boolean */
    some_sizes(3, sizes, true);
    d->feature_level = 0;
    for (unsigned i = 0; i < 5; ++i)
        some_tensor(&d->tensors[i], dtype, i == 2 ? 1 : i == 3 ? 0 : 3, i == 2 ? sizes + 1 : sizes, i == 4);
}

static void random_blocks(ts_descriptor *d)
{
    uint64_t sizes[4];
    const uint32_t dtype = 1 + below(11);
    const bool ordered = d->op->attr_count > 1, deep = strncmp(d->op->name, "dml.depth", 9) == 0;
    const ts_dml_space_to_depth1 a = { below(20) ? 1 + below(4) : 1 + below(20), below(2) };
    memcpy(d->attrs, &a, ordered ? sizeof a : sizeof(ts_dml_space_to_depth));
    d->attrs_given = ordered ? TS_BLOCKS_GIVEN_BLOCK_SIZE | TS_BLOCKS_GIVEN_ORDER : TS_BLOCKS_GIVEN_BLOCK_SIZE;
    size_limit = 60;
    some_sizes(4, sizes, false);
    sizes[1] *= deep ? (uint64_t)a.BlockSize * a.BlockSize : 1;
    sizes[2] *= deep ? 1 : a.BlockSize;
    sizes[3] *= deep ? 1 : a.BlockSize;
    some_tensor(&d->tensors[0], dtype, 4, sizes, false);
    tensor_init(&d->tensors[1], dtype, 4, sizes);
    if (d->op->shape(d))
        some_tensor(&d->tensors[1], dtype, 4, d->tensors[1].sizes, true);
}

static void random_cumulative_summation(ts_descriptor *d)
{
    static const uint32_t types[] = { TS_UINT32, TS_INT32, TS_UINT64, TS_INT64, TS_FLOAT32, TS_FLOAT16 };
    uint64_t sizes[TS_MAX_DIMS];
    const uint32_t rank = 1 + below(8), dtype = below(20) ? types[below(6)] : 1 + below(11);
    const ts_dml_cumulative_summation a = { below(rank), below(2), below(10) ? below(2) : (uint32_t)next() };
    memcpy(d->attrs, &a, sizeof a);
    d->attrs_given = TS_CUMULATIVE_SUMMATION_GIVEN_AXIS | TS_CUMULATIVE_SUMMATION_GIVEN_AXIS_DIRECTION |
                     TS_CUMULATIVE_SUMMATION_GIVEN_HAS_EXCLUSIVE_SUM;
    some_sizes(rank, sizes, false);
    some_tensor(&d->tensors[0], dtype, rank, sizes, false);
    some_tensor(&d->tensors[1], dtype, rank, sizes, true);
}

static void random_non_zero(ts_descriptor *d)
{
    uint64_t sizes[8];
    const uint32_t rank = below(9), dtype = openvino_types[below((uint32_t)OPENVINO_TYPES)];
    const ts_openvino_non_zero_3 a = { below(2) };
    memcpy(d->attrs, &a, sizeof a);
    d->attrs_given = a.output_type == TS_NON_ZERO_3_I32 || below(2) ? TS_NON_ZERO_3_GIVEN_OUTPUT_TYPE : 0;
    d->feature_level = 0;
    some_sizes(rank, sizes, true);
    some_tensor(&d->tensors[0], dtype, rank, sizes, false);
    uint64_t elements = 1;
    for (uint32_t i = 0; i < rank; ++i)
        elements *= sizes[i];
    tensor_init(&d->tensors[1], a.output_type == TS_NON_ZERO_3_I32 ? TS_INT32 : TS_INT64, 2,
                (const uint64_t[]){ rank, elements });
}

static const struct {
    const char *name;
    void (*make)(ts_descriptor *d);
} makers[] = {
    { "dml.slice1", random_slice1 },
    { "dml.element_wise_identity", random_identity },
    { "dml.gather", random_gather },
    { "dml.gather_elements", random_gather_elements },
    { "dml.join", random_join },
    { "dml.gather_nd", random_gather_nd },
    { "dml.gather_nd1", random_gather_nd },
    { "dml.scatter_elements", random_scatter_elements },
    { "dml.scatter_nd", random_scatter_nd },
    { "dml.random_generator", random_random },
    { "dml.depth_to_space", random_blocks },
    { "dml.depth_to_space1", random_blocks },
    { "dml.space_to_depth", random_blocks },
    { "dml.space_to_depth1", random_blocks },
    { "dml.cumulative_summation", random_cumulative_summation },
    { "openvino.strided_slice", random_strided },
    { "openvino.gather_1", random_gather_8 },
    { "openvino.gather_7", random_gather_8 },
    { "openvino.gather_8", random_gather_8 },
    { "openvino.scatter_nd_update_3", random_scatter_update },
    { "openvino.scatter_elements_update_3", random_scatter_update },
    { "openvino.scatter_update", random_scatter_update },
    { "openvino.gather_tree", random_gather_tree },
    { "openvino.gather_elements", random_gather_lines },
    { "openvino.gather_nd_5", random_gather_tuples },
    { "openvino.gather_nd_8", random_gather_tuples },
    { "openvino.non_zero_3", random_non_zero },
    { "dml.element_wise_bit_and", random_each },
    { "dml.element_wise_bit_count", random_each },
    { "dml.element_wise_bit_not", random_each },
    { "dml.element_wise_bit_or", random_each },
    { "dml.element_wise_bit_shift_left", random_each },
    { "dml.element_wise_bit_shift_right", random_each },
    { "dml.element_wise_bit_xor", random_each },
    { "dml.element_wise_if", random_each },
    { "dml.element_wise_is_nan", random_each },
    { "dml.element_wise_logical_and", random_each },
    { "dml.element_wise_logical_equals", random_each },
    { "dml.element_wise_logical_greater_than", random_each },
    { "dml.element_wise_logical_greater_than_or_equal", random_each },
    { "dml.element_wise_logical_less_than", random_each },
    { "dml.element_wise_logical_less_than_or_equal", random_each },
    { "dml.element_wise_logical_not", random_each },
    { "dml.element_wise_logical_or", random_each },
    { "dml.element_wise_logical_xor", random_each },
};
#define MAKER_COUNT (sizeof makers / sizeof *makers)

#endif
