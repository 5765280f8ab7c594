/* SPDX-License-Identifier: Apache-2.0 */
/* DML_OPERATOR_GATHER: blocks of the input, picked by indices along one axis (rules GA-01 to GA-13). */
#include "backends/cpu/buffer.h"
#include "backends/cpu/copy.h"
#include "backends/cpu/cpu.h"
#include "reference/dml/gather.h"

static const buffer_row support[] = {
    { TS_LEVEL_4_1, 1, 8, BUFFER_TYPES_ALL, BUFFER_TYPES_INDEX },
    { TS_LEVEL_3_0, 1, 8, BUFFER_TYPES_NARROW, BUFFER_TYPES_INDEX },
    { TS_LEVEL_2_1, 4, 4, BUFFER_TYPES_NARROW, BUFFER_BIT(TS_UINT32) },
    { TS_LEVEL_1_0, 4, 4, BUFFER_TYPES_FLOAT, BUFFER_BIT(TS_UINT32) },
};

/* Source offsets that are worked out before they are used: enough to amortise the switch over the index type. */
#define BATCH 128

/* The three nests of loops: around the axis, over the indices, and inside the picked block. */
typedef struct nest {
    copy_dim dims[8];
    uint32_t rank;
} nest;

static void nest_add(nest *n, uint64_t count, uint64_t to, uint64_t from)
{
    copy_dim *dim = &n->dims[n->rank++];
    dim->count = count;
    dim->to = (int64_t)to;
    dim->from = (int64_t)from;
}

/* Step to the next position of a nest: false after the last, with all counters and pointers back at the start. */
static inline int nest_next(const copy_dim *dims, uint32_t rank, uint64_t *at, unsigned char **to,
                            const unsigned char **from)
{
    for (uint32_t i = rank; i-- > 0;) {
        *to += dims[i].to;
        *from += dims[i].from;
        if (++at[i] < dims[i].count)
            return 1;
        *to -= (int64_t)dims[i].count * dims[i].to;
        *from -= (int64_t)dims[i].count * dims[i].from;
        at[i] = 0;
    }
    return 0;
}

/* Compute the byte offsets of the blocks that n indices pick. A negative index of a signed type counts from the end
   (GA-11); an index that is still out of range picks the nearest end of the axis (GA-12). */
static void resolve(int64_t *offsets, const unsigned char *from, int64_t step, uint64_t n, uint32_t dtype,
                    uint64_t size, int64_t block)
{
    const int64_t last = (int64_t)size - 1;
    if (dtype == TS_UINT32 || dtype == TS_UINT64) {
        for (uint64_t i = 0; i < n; ++i, from += step) {
            uint64_t index = 0;
            if (dtype == TS_UINT32)
                index = *(const uint32_t *)(const void *)from;
            else
                index = *(const uint64_t *)(const void *)from;
            offsets[i] = (index > (uint64_t)last ? last : (int64_t)index) * block;
        }
    } else {
        for (uint64_t i = 0; i < n; ++i, from += step) {
            int64_t index = 0;
            if (dtype == TS_INT32)
                index = *(const int32_t *)(const void *)from;
            else
                index = *(const int64_t *)(const void *)from;
            if (index < 0)
                index += (int64_t)size;
            index = index < 0 ? 0 : index;
            offsets[i] = (index > last ? last : index) * block;
        }
    }
}

/* A batch of blocks of one element. */
#define DEFINE_PICK(type, name)                                                                                        \
    static void name(unsigned char *to, int64_t step, const unsigned char *from, const int64_t *offsets, uint64_t n)   \
    {                                                                                                                  \
        if (step == (int64_t)sizeof(type)) {                                                                           \
            type *target = (type *)(void *)to;                                                                         \
            for (uint64_t i = 0; i < n; ++i)                                                                           \
                target[i] = *(const type *)(const void *)(from + offsets[i]);                                          \
        } else {                                                                                                       \
            for (uint64_t i = 0; i < n; ++i, to += step)                                                               \
                *(type *)(void *)to = *(const type *)(const void *)(from + offsets[i]);                                \
        }                                                                                                              \
    }
DEFINE_PICK(uint8_t, pick_1)
DEFINE_PICK(uint16_t, pick_2)
DEFINE_PICK(uint32_t, pick_4)
DEFINE_PICK(uint64_t, pick_8)

static void pick(unsigned char *to, int64_t step, const unsigned char *from, const int64_t *offsets, uint64_t n,
                 const nest *inside, uint32_t bytes)
{
    if (inside->rank == 0) {
        switch (bytes) {
        case 1: pick_1(to, step, from, offsets, n); break;
        case 2: pick_2(to, step, from, offsets, n); break;
        case 4: pick_4(to, step, from, offsets, n); break;
        default: pick_8(to, step, from, offsets, n); break;
        }
    } else if (inside->rank == 1 && inside->dims[0].to == bytes && inside->dims[0].from == bytes) {
        const size_t block = (size_t)inside->dims[0].count * bytes;
        for (uint64_t i = 0; i < n; ++i, to += step)
            copy_bytes(to, from + offsets[i], block);
    } else {
        for (uint64_t i = 0; i < n; ++i, to += step)
            copy_folded(to, from + offsets[i], bytes, inside->dims, inside->rank);
    }
}

/* `along` walks the output in its `to` and the index tensor in its `from`. */
static void execute(unsigned char *to, const unsigned char *from, const unsigned char *indices, nest *around,
                    nest *along, nest *inside, uint32_t bytes, uint32_t index_type, uint64_t size, int64_t block)
{
    around->rank = copy_fold(around->dims, around->rank);
    along->rank = copy_fold(along->dims, along->rank);
    inside->rank = copy_fold(inside->dims, inside->rank);
    static const copy_dim once = { 1, 0, 0 };
    const copy_dim *run = along->rank ? &along->dims[along->rank - 1] : &once;
    const uint32_t outer_rank = along->rank ? along->rank - 1 : 0;
    uint64_t around_at[8] = { 0 };
    int64_t offsets[BATCH];
    do {
        uint64_t along_at[8] = { 0 };
        unsigned char *row = to;
        const unsigned char *row_indices = indices;
        do {
            for (uint64_t done = 0; done < run->count; done += BATCH) {
                const uint64_t n = run->count - done < BATCH ? run->count - done : BATCH;
                resolve(offsets, row_indices + (int64_t)done * run->from, run->from, n, index_type, size, block);
                pick(row + (int64_t)done * run->to, run->to, from, offsets, n, inside, bytes);
            }
        } while (nest_next(along->dims, outer_rank, along_at, &row, &row_indices));
    } while (nest_next(around->dims, around->rank, around_at, &to, &from));
}

static ts_status run(const ts_call *call)
{
    const ts_dml_gather *attrs = call->attrs;
    const ts_tensor *in = ts_call_tensor(call, 0);
    const ts_tensor *idx = ts_call_tensor(call, 1);
    const ts_tensor *out = ts_call_tensor(call, 2);
    const buffer_row *row = buffer_row_at(support, sizeof support / sizeof *support, cpu_level(call));
    const uint32_t numbers = TS_GATHER_GIVEN_AXIS | TS_GATHER_GIVEN_INDEX_DIMENSIONS;
    if (!row || (call->attrs_given & numbers) != numbers)
        return TS_REJECTED;
    buffer input, index, output;
    if (!buffer_check(&input, in, BUFFER_INPUT, row->types, row->min_rank, row->max_rank) ||
        !buffer_check(&index, idx, BUFFER_INPUT, row->indices, in->rank, in->rank) ||
        !buffer_check(&output, out, BUFFER_OUTPUT, BUFFER_BIT(in->dtype), in->rank, in->rank))
        return TS_REJECTED;
    const uint32_t rank = input.rank;
    const uint32_t axis = attrs->Axis;
    const uint32_t picks = attrs->IndexDimensions;
    if (axis >= rank || picks > rank) /* GA-05, GA-06 */
        return TS_REJECTED;

    /* The output's coordinates are those around the axis, those of the indices, and those inside the block, right
       aligned: with n index dimensions the first n - 1 around the axis have no room and must be 1 in the input;
       with none there is one dimension too many, a leading 1 (GA-08, GA-09). */
    const uint32_t dropped = picks > 1 ? picks - 1 : 0;
    if (dropped > axis)
        return TS_REJECTED;
    for (uint32_t i = 0; i < dropped; ++i)
        if (in->sizes[i] != 1)
            return TS_REJECTED;
    uint32_t o = 0; /* the output dimension that is next */
    if (picks == 0 && out->sizes[o++] != 1)
        return TS_REJECTED;
    nest around, along, inside;
    around.rank = along.rank = inside.rank = 0;
    const uint64_t bytes = input.bytes;
    const uint64_t index_bytes = index.bytes;
    for (uint32_t i = dropped; i < axis; ++i, ++o) {
        if (out->sizes[o] != in->sizes[i])
            return TS_REJECTED;
        nest_add(&around, in->sizes[i], output.strides[o] * bytes, input.strides[i] * bytes);
    }
    for (uint32_t i = rank - picks; i < rank; ++i, ++o) {
        if (out->sizes[o] != idx->sizes[i])
            return TS_REJECTED;
        nest_add(&along, idx->sizes[i], output.strides[o] * bytes, index.strides[i] * index_bytes);
    }
    for (uint32_t i = axis + 1; i < rank; ++i, ++o) {
        if (out->sizes[o] != in->sizes[i])
            return TS_REJECTED;
        nest_add(&inside, in->sizes[i], output.strides[o] * bytes, input.strides[i] * bytes);
    }
    if (cpu_only_asks(call))
        return TS_OK;
    if (buffer_lacks_data(&input) || buffer_lacks_data(&index) || buffer_lacks_data(&output))
        return TS_ERROR;
    execute(output.data, input.data, index.data, &around, &along, &inside, input.bytes, idx->dtype, in->sizes[axis],
            (int64_t)(input.strides[axis] * bytes));
    return TS_OK;
}

const cpu_operator cpu_gather = { "dml.gather", 3, sizeof(ts_dml_gather), run };
