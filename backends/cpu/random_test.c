/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cpu backend beside the reference, on random descriptors. Legal descriptors are executed by both and the outputs
 * compared; mutated ones are judged by both and the results compared; random bytes must not crash the backend.
 */
#include "backends/cpu/cpu_testing.h"
#include "harness/model/fill.h"
#include "harness/model/value.h"
#include "harness/testing/sanitizer.h"
#include "reference/dml/cumulative_summation.h"
#include "reference/dml/gather.h"
#include "reference/dml/gather_elements.h"
#include "reference/dml/gather_nd1.h"
#include "reference/dml/join.h"
#include "reference/dml/random_generator.h"
#include "reference/dml/scatter_elements.h"
#include "reference/dml/scatter_nd.h"
#include "reference/dml/slice1.h"
#include "reference/dml/space_to_depth1.h"
#include "reference/openvino/gather_8.h"
#include "reference/openvino/gather_elements.h"
#include "reference/openvino/gather_nd_8.h"
#include "reference/openvino/non_zero_3.h"
#include "reference/openvino/strided_slice.h"

#include <stdlib.h>

#define SHARE         (UNDER_SANITIZER ? 5 : 1)
#define VALID_CASES   (100000 / SHARE)
#define MUTATED_CASES (200000 / SHARE)
#define GARBAGE_CASES (50000 / SHARE)

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
    some_tensor(&d->tensors[1], below(2) ? TS_INT32 : TS_INT64, index_rank, indices, false);
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
    indices[index_rank - 1] = 1 + below(rank - batch);
    memcpy(d->attrs, &a, sizeof a);
    d->attrs_given = batch || below(2);
    d->feature_level = 0;
    some_tensor(&d->tensors[0], dtype, rank, sizes, false);
    some_tensor(&d->tensors[1], below(2) ? TS_INT32 : TS_INT64, index_rank, indices, false);
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
    static const uint32_t types[] = {
        TS_INT32, TS_INT64, TS_UINT8, TS_INT8, TS_UINT16, TS_INT16, TS_UINT32, TS_UINT64
    };
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
    some_tensor(&d->tensors[1], types[below(tuples ? 2 : 8)], dims, indices, false);
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

static void random_space_to_depth1(ts_descriptor *d)
{
    uint64_t sizes[4];
    const uint32_t dtype = 1 + below(11);
    const ts_dml_space_to_depth1 a = { below(20) ? 1 + below(4) : 1 + below(20), below(2) };
    memcpy(d->attrs, &a, sizeof a);
    d->attrs_given = TS_SPACE_TO_DEPTH1_GIVEN_BLOCK_SIZE | TS_SPACE_TO_DEPTH1_GIVEN_ORDER;
    size_limit = 60;
    some_sizes(4, sizes, false);
    sizes[2] *= a.BlockSize;
    sizes[3] *= a.BlockSize;
    some_tensor(&d->tensors[0], dtype, 4, sizes, false);
    d->tensors[1].dtype = dtype;
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
    { "dml.space_to_depth1", random_space_to_depth1 },
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
};
#define MAKER_COUNT (sizeof makers / sizeof *makers)

/* Every operator that the backend implements has a maker. */
static void test_every_operator_has_a_maker(void **state)
{
    (void)state;
    size_t count;
    const ts_operator *const *all = operators_all(&count);
    for (size_t i = 0; i < count; ++i) {
        ts_descriptor d;
        bool made = false;
        for (size_t maker = 0; maker < MAKER_COUNT; ++maker)
            made = made || strcmp(makers[maker].name, all[i]->name) == 0;
        operator_begin(&d, all[i]);
        if (!made && submit(&d, TS_CALL_DESCRIPTOR_ONLY) != TS_UNSUPPORTED)
            fail_msg("%s: the backend implements it; add a function that makes random descriptors to makers[]",
                     all[i]->name);
    }
}

static void make(ts_descriptor *d, size_t maker)
{
    operator_begin(d, operators_find(makers[maker].name));
    d->feature_level = some_level();
    size_limit = below(100) ? 200 : 20000;
    makers[maker].make(d);
}

static ts_report judge(const ts_descriptor *d)
{
    ts_report report;
    memset(&report, 0, sizeof report);
    d->op->check(d, &report);
    return report;
}

static bool refused(const ts_report *report)
{
    return report->worst == TS_RESULT_INVALID || report->worst == TS_RESULT_UNSUPPORTED_FL;
}

static void print(const ts_descriptor *d, const ts_report *report, uint64_t from)
{
    print_message("%s, seed 0x%016llx, level 0x%x, profile %u, attrs_given 0x%x\n", d->op->name,
                  (unsigned long long)from, d->feature_level, d->profile, d->attrs_given);
    for (unsigned i = 0; i < d->op->tensor_count; ++i) {
        const ts_tensor *t = &d->tensors[i];
        print_message("  %s dtype %u rank %u given %u flags %u align %u total %llu:", d->op->tensors[i].name, t->dtype,
                      t->rank, t->given, t->flags, t->alignment, (unsigned long long)t->total_bytes);
        for (uint32_t k = 0; k < t->rank && k < TS_MAX_DIMS; ++k)
            print_message(" %llu/%llu", (unsigned long long)t->sizes[k], (unsigned long long)t->strides[k]);
        print_message("\n");
    }
    for (unsigned k = 0; k < d->op->attr_count; ++k) {
        print_message("  %s:", d->op->attrs[k].name);
        for (uint32_t i = 0; i < operator_attr_count(d, k) && i < TS_MAX_DIMS; ++i)
            print_message(" %lld", (long long)operator_attr_value(d, k, i));
        print_message("\n");
    }
    for (unsigned i = 0; report && i < report->count; ++i)
        print_message("  %s: %s\n", report->items[i].clause, report->items[i].text);
}

/* A dimension of the input that the indices are for. */
static uint32_t some_axis(const ts_descriptor *d)
{
    const ts_tensor *in = &d->tensors[0], *indices = &d->tensors[1];
    const int axis = operator_attr_index(d->op, "Axis"), batch = operator_attr_index(d->op, "BatchDimensionCount");
    if (axis >= 0)
        return (uint32_t)operator_attr_value(d, (unsigned)axis, 0);
    if (d->op->openvino_types) {
        const int own = operator_attr_index(d->op, "axis");
        if (own < 0)
            return below(in->rank); /* of tuples */
        const int64_t stated = operator_attr_value(d, (unsigned)own, 0);
        return (uint32_t)(stated < 0 ? stated + in->rank : stated);
    }
    const uint32_t counted = (uint32_t)operator_attr_value(d, 0, 0);
    const uint32_t batches = batch < 0 ? 0 : (uint32_t)operator_attr_value(d, (unsigned)batch, 0);
    return in->rank - counted + batches + below((uint32_t)indices->sizes[indices->rank - 1]);
}

/* Fill the indices tensor: most indices in range, the others out of range in every way. */
static void fill_indices(const ts_descriptor *d)
{
    const ts_tensor *t = &d->tensors[1];
    const size_t bytes = tensor_element_bytes(t->dtype);
    for (uint64_t at = 0; at + bytes <= t->total_bytes; at += bytes) {
        const int64_t size = (int64_t)d->tensors[0].sizes[some_axis(d)];
        const int64_t index = below(12) ? between(-size - 1, size) : (int64_t)next();
        memcpy((unsigned char *)t->data + at, &index, bytes);
    }
}

/* Fill the tensors of a GatherTree: few different ids, and most parents and lengths as they should be. */
static void fill_tree(const ts_descriptor *d)
{
    const int64_t time = (int64_t)d->tensors[0].sizes[0], beams = (int64_t)d->tensors[0].sizes[2];
    const uint32_t ids = 1 + below(30);
    for (unsigned i = 0; i < 4; ++i) {
        const ts_tensor *t = &d->tensors[i];
        const size_t bytes = tensor_element_bytes(t->dtype);
        for (uint64_t at = 0; at + bytes <= t->total_bytes; at += bytes) {
            void *p = (unsigned char *)t->data + at;
            const int64_t value = i == 1   ? beams && below(100) ? below((uint32_t)beams) : between(-1, beams)
                                    : i == 2 ? between(below(20) ? 0 : -1, time + 2)
                                           : below(ids);
            if (!value_store_int(t->dtype, p, value))
                value_store_int(t->dtype, p, 0);
        }
    }
}

/* Is each element that has one answer the reference's, and each that has several one of them? The bytes between the
   elements are compared, too. `ours` becomes `theirs` where the specification leaves a choice. */
static bool same_output(const ts_descriptor *ours, const ts_descriptor *theirs, unsigned i, const ts_marks *marks)
{
    const ts_tensor *t = &ours->tensors[i], *other = &theirs->tensors[i];
    const size_t bytes = tensor_element_bytes(t->dtype);
    uint64_t coord[TS_MAX_DIMS] = { 0 };
    bool fine = true;
    for (uint64_t number = 0; number < marks[i].capacity; ++number, tensor_next(t, coord)) {
        const ts_open open = operator_open(marks, i, number);
        if (open == TS_ONE_ANSWER)
            continue;
        const uint64_t at = tensor_offset(t, coord) * bytes;
        ts_answers answers = { .asked = value_bits(t->dtype, (unsigned char *)t->data + at) };
        if (open == TS_SEVERAL) {
            ours->op->answers(theirs, i, coord, &answers);
            fine = fine && answers.allowed;
        }
        memcpy((unsigned char *)t->data + at, (unsigned char *)other->data + at, bytes);
    }
    return fine && memcmp(t->data, other->data, (size_t)t->total_bytes) == 0;
}

static void run_both(const ts_descriptor *d, uint64_t from)
{
    ts_descriptor ours = *d, theirs = *d;
    ts_marks marks[TS_MAX_TENSORS] = { { 0 } };
    ts_unspecified unspecified = { .marks = marks };
    ts_shape reported[2][TS_MAX_TENSORS];
    memset(reported, 0, sizeof reported);
    for (unsigned i = 0; i < d->op->tensor_count; ++i) {
        ts_tensor *t = &ours.tensors[i];
        t->reported = operator_dependent(d->op, i) ? &reported[0][i] : NULL;
        theirs.tensors[i].reported = operator_dependent(d->op, i) ? &reported[1][i] : NULL;
        if (!(t->given & TS_GIVEN_TENSOR))
            continue;
        t->data = malloc((size_t)t->total_bytes + !t->total_bytes);
        theirs.tensors[i].data = t->data;
        if (d->op->tensors[i].role == TS_OUTPUT) {
            memset(t->data, 0xA5, (size_t)t->total_bytes);
            theirs.tensors[i].data = malloc((size_t)t->total_bytes + !t->total_bytes);
            memset(theirs.tensors[i].data, 0xA5, (size_t)t->total_bytes);
            assert_true(tensor_element_count(t, &marks[i].capacity));
            marks[i].map = calloc((size_t)marks[i].capacity + 1, 1);
        } else {
            for (uint64_t k = 0; k < t->total_bytes; ++k)
                ((unsigned char *)t->data)[k] = (unsigned char)next();
        }
    }
    if (strcmp(d->op->tensors[1].alias, "indices") == 0)
        fill_indices(&ours);
    if (strcmp(d->op->name, "openvino.gather_tree") == 0)
        fill_tree(&ours);
    if (strcmp(d->op->name, "dml.random_generator") == 0 && below(2))
        memset(ours.tensors[0].data, 0xFF, (size_t)ours.tensors[0].total_bytes);
    if (strcmp(d->op->name, "openvino.non_zero_3") == 0)
        fill_buffer(FILL_ZEROS, ours.tensors[0].dtype, ours.tensors[0].data, ours.tensors[0].total_bytes, next());
    const ts_status status = submit(&ours, 0);
    d->op->run(&theirs, &unspecified);
    bool equal = status == TS_OK;
    for (unsigned i = 0; i < d->op->tensor_count; ++i) {
        ts_tensor *t = &ours.tensors[i];
        if (!(t->given & TS_GIVEN_TENSOR))
            continue;
        if (d->op->tensors[i].role == TS_OUTPUT) {
            /* Where they are not judged, values need not agree. */
            equal = equal && (!operator_judges(d->op, ours.tensors[0].dtype) || same_output(&ours, &theirs, i, marks)) &&
                    !operator_shape_differs(&reported[0][i], &reported[1][i]);
            free(theirs.tensors[i].data);
            free(marks[i].map);
        }
    }
    for (unsigned i = 0; i < d->op->tensor_count; ++i) /* after the outputs, whose answers are read from the inputs */
        if (ours.tensors[i].given & TS_GIVEN_TENSOR)
            free(ours.tensors[i].data);
    if (!equal) {
        print(d, NULL, from);
        fail_msg("the outputs differ (status %d)", status);
    }
}

/* Does the backend have the operator? `kernels`, which this test is also built for, need not have all of them. */
static bool implements(size_t maker)
{
    ts_descriptor d;
    operator_begin(&d, operators_find(makers[maker].name));
    return submit(&d, TS_CALL_DESCRIPTOR_ONLY) != TS_UNSUPPORTED;
}

static void test_valid(void **state)
{
    (void)state;
    for (size_t maker = 0; maker < MAKER_COUNT; ++maker) {
        if (!implements(maker))
            continue;
        unsigned accepted = 0, tried = 0;
        for (seed = UINT64_C(0xC0FFEE) + maker; accepted < VALID_CASES; ++tried) {
            const uint64_t from = seed;
            ts_descriptor d;
            make(&d, maker);
            const ts_report report = judge(&d);
            if (refused(&report)) {
                assert_true(tried < 20 * VALID_CASES); /* else the maker is broken */
                continue;
            }
            ++accepted;
            run_both(&d, from);
        }
    }
}

/* ---- mutated descriptors ------------------------------------------------------------------------------------- */

static uint64_t some_number(void)
{
    static const uint64_t numbers[] = { 0,
                                        1,
                                        2,
                                        3,
                                        5,
                                        6,
                                        7,
                                        8,
                                        9,
                                        15,
                                        16,
                                        17,
                                        32,
                                        0x7FFFFFFF,
                                        0x80000000,
                                        0xFFFFFFFF,
                                        0xFFFFFFFE,
                                        UINT64_C(0x100000000),
                                        UINT64_C(0x7FFFFFFFFFFFFFFF),
                                        UINT64_C(0x8000000000000000),
                                        UINT64_MAX };
    return below(3) ? numbers[below(sizeof numbers / sizeof *numbers)] : next() % 12;
}

static void mutate(ts_descriptor *d)
{
    unsigned tensor = below(d->op->tensor_count);
    const ts_tensor_list *l = operator_list_of(d->op, tensor);
    if (l && tensor - l->first >= operator_list_length(d, l)) /* a list has no such member to mutate */
        tensor = l->first;
    ts_tensor *t = &d->tensors[tensor];
    const uint32_t dim = below(t->rank >= 1 && t->rank <= TS_MAX_DIMS ? t->rank : 8);
    switch (below(14)) {
    case 0: t->dtype = below(2) ? below(TS_DTYPE_COUNT + 2) : (uint32_t)some_number(); break;
    case 1: t->rank = below(2) ? below(10) : (uint32_t)some_number(); break;
    case 2: t->given ^= 1u << below(3); break;
    case 3: t->flags = (uint32_t)some_number(); break;
    case 4: t->alignment = below(2) ? 1u << below(32) : (uint32_t)some_number(); break;
    case 5: t->total_bytes = below(2) ? t->total_bytes + (uint64_t)between(-5, 5) : some_number(); break;
    case 6:
    case 7: t->sizes[dim] = below(2) ? t->sizes[dim] + (uint64_t)between(-1, 1) : some_number(); break;
    case 8:
    case 9:
        t->given |= TS_GIVEN_STRIDES;
        t->strides[dim] = below(2) ? t->strides[dim] + (uint64_t)between(-2, 1) : some_number();
        break;
    case 10: d->attrs_given ^= 1u << below(8); break;
    case 11: d->feature_level = levels[below(sizeof levels / sizeof *levels)]; break;
    default:
        if (d->op->attr_count > 0) {
            const unsigned k = below(d->op->attr_count);
            const ts_attr_decl *attr = &d->op->attrs[k];
            const uint64_t value = some_number();
            const uint32_t i = attr->count == TS_ARRAY ? below(8) : 0;
            const size_t width = attr->type == TS_ATTR_BIT ? 1 : attr->type == TS_ATTR_I64 ? 8 : 4;
            if (attr->count == TS_ARRAY && below(4) == 0)
                memcpy(d->attrs + attr->count_offset, &value, 4);
            else
                memcpy(d->attrs + attr->offset + i * width, &value, width);
        }
        break;
    }
    if (!(t->given & TS_GIVEN_STRIDES) && t->rank <= TS_MAX_DIMS)
        tensor_pack(t);
}

/* The reference refuses StridedSlice of more than 12 dimensions (SS-14); the backend executes it. A list that counts
   more tensors than a descriptor holds cannot be judged. */
static bool beyond_the_reference(const ts_descriptor *d)
{
    const uint32_t rank = d->tensors[0].rank;
    for (unsigned i = 0; i < d->op->list_count; ++i)
        if (operator_attr_value(d, d->op->lists[i].count, 0) > d->op->lists[i].most)
            return true;
    return d->op->openvino_types && (rank == 0 || rank > 12) && rank <= TS_MAX_DIMS;
}

static void test_mutated(void **state)
{
    (void)state;
    for (size_t maker = 0; maker < MAKER_COUNT; ++maker) {
        unsigned refusals = 0, disagreements = 0;
        if (!implements(maker))
            continue;
        seed = UINT64_C(0xBADC0DE) + maker;
        for (unsigned i = 0; i < MUTATED_CASES; ++i) {
            const uint64_t from = seed;
            ts_descriptor d;
            make(&d, maker);
            for (uint32_t n = 1 + below(3); n > 0; --n)
                mutate(&d);
            if (beyond_the_reference(&d))
                continue;
            const ts_report report = judge(&d);
            const ts_status status = submit(&d, TS_CALL_DESCRIPTOR_ONLY);
            refusals += refused(&report);
            if (status == (refused(&report) ? TS_REJECTED : TS_OK))
                continue;
            if (++disagreements <= 8) {
                print_message("the backend returns status %d, the reference result %d\n", status, report.worst);
                print(&d, &report, from);
            }
        }
        assert_int_equal(disagreements, 0);
        assert_in_range(refusals, MUTATED_CASES / 10,
                        MUTATED_CASES / 10 * 9); /* else the mutations are too weak or too strong */
    }
}

/* Descriptors of random bytes: there is no verdict to compare, but the backend must not crash. */
static void test_garbage(void **state)
{
    (void)state;
    seed = 12345;
    for (unsigned i = 0; i < GARBAGE_CASES; ++i) {
        const size_t maker = below(MAKER_COUNT);
        ts_descriptor d;
        operator_begin(&d, operators_find(makers[maker].name));
        for (size_t k = 0; k < sizeof d.attrs; k += 8) {
            const uint64_t noise = below(2) ? next() : some_number();
            memcpy(d.attrs + k, &noise, 8);
        }
        for (unsigned k = 0; k < TS_MAX_TENSORS; ++k) {
            ts_tensor *t = &d.tensors[k];
            unsigned char *bytes = (unsigned char *)t;
            for (size_t b = 0; b < sizeof *t; ++b)
                bytes[b] = (unsigned char)next();
            t->data = NULL;
            t->reported = NULL;
            if (below(4)) { /* far enough in to reach the arithmetic */
                t->dtype = 1 + below(15);
                t->rank = below(17);
                t->given = 15;
                t->flags = 0;
                t->alignment = 0;
                for (uint32_t n = 0; n < TS_MAX_DIMS; ++n) {
                    t->sizes[n] = some_number();
                    t->strides[n] = some_number();
                }
            }
        }
        d.attrs_given = (uint32_t)next();
        d.feature_level = below(2) ? 0 : (uint32_t)next();
        const ts_status status = submit(&d, TS_CALL_DESCRIPTOR_ONLY);
        assert_true(status == TS_OK || status == TS_REJECTED || !implements(maker));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_operator_has_a_maker),
        cmocka_unit_test(test_valid),
        cmocka_unit_test(test_mutated),
        cmocka_unit_test(test_garbage),
    };
    return cmocka_run_group_tests(tests, open_backend, NULL);
}
