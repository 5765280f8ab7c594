/* SPDX-License-Identifier: Apache-2.0 */
/* DML_OPERATOR_GATHER_ELEMENTS: an index for each element of the output (rules GE-01 to GE-11). */
#include "backends/cpu/buffer.h"
#include "backends/cpu/cpu.h"
#include "reference/dml/gather_elements.h"

#include <string.h>

static const buffer_row support[] = {
    { TS_LEVEL_4_1, 1, 8, BUFFER_TYPES_ALL, BUFFER_TYPES_INDEX },
    { TS_LEVEL_3_0, 1, 8, BUFFER_TYPES_NARROW, BUFFER_TYPES_INDEX },
    { TS_LEVEL_2_1, 4, 4, BUFFER_TYPES_NARROW, BUFFER_BIT(TS_UINT32) },
};

/* One dimension of the walk: its steps, and the bytes by which a step moves each of the three tensors. The input does
   not move along the axis. */
typedef struct walk_dim {
    uint64_t count;
    int64_t to, index, from;
} walk_dim;

typedef struct walk {
    walk_dim dims[8];
    uint32_t rank;
    int64_t size;  /* of the axis */
    int64_t block; /* bytes from one of its elements to the next */
} walk;

/* A negative index of a signed type counts from the end (GE-09); one that is still beyond the axis picks its nearest
   end (GE-10). */
static inline int64_t pick_signed(int64_t index, int64_t size)
{
    const int64_t from_start = index < 0 ? index + size : index;
    return from_start < 0 ? 0 : from_start >= size ? size - 1 : from_start;
}

static inline int64_t pick_unsigned(uint64_t index, int64_t size)
{
    return index >= (uint64_t)size ? size - 1 : (int64_t)index;
}

/* The elements of a row, in one loop for each pair of an element's width and a type of index. */
#define DEFINE_ROW(bytes, element, index_type, pick)                                                                   \
    static void row_##bytes##_##index_type(unsigned char *to, const unsigned char *index, const unsigned char *from,   \
                                           const walk_dim *d, const walk *w)                                           \
    {                                                                                                                  \
        for (uint64_t i = 0; i < d->count; ++i) {                                                                      \
            const int64_t at = (int64_t)i;                                                                             \
            const int64_t picked = pick(*(const index_type##_t *)(const void *)(index + at * d->index), w->size);      \
            *(element *)(void *)(to + at * d->to) =                                                                    \
                *(const element *)(const void *)(from + at * d->from + picked * w->block);                             \
        }                                                                                                              \
    }
#define DEFINE_ROWS(bytes, element)                                                                                    \
    DEFINE_ROW(bytes, element, uint32, pick_unsigned)                                                                  \
    DEFINE_ROW(bytes, element, int32, pick_signed)                                                                     \
    DEFINE_ROW(bytes, element, uint64, pick_unsigned)                                                                  \
    DEFINE_ROW(bytes, element, int64, pick_signed)
DEFINE_ROWS(1, uint8_t)
DEFINE_ROWS(2, uint16_t)
DEFINE_ROWS(4, uint32_t)
DEFINE_ROWS(8, uint64_t)

typedef void row_of(unsigned char *to, const unsigned char *index, const unsigned char *from, const walk_dim *d,
                    const walk *w);

static row_of *choose_row(uint32_t bytes, uint32_t index_type)
{
    static row_of *const rows[4][4] = {
        { row_1_uint32, row_1_int32, row_1_uint64, row_1_int64 },
        { row_2_uint32, row_2_int32, row_2_uint64, row_2_int64 },
        { row_4_uint32, row_4_int32, row_4_uint64, row_4_int64 },
        { row_8_uint32, row_8_int32, row_8_uint64, row_8_int64 },
    };
    const unsigned width = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
    const unsigned type = index_type == TS_UINT32 ? 0 : index_type == TS_INT32 ? 1 : index_type == TS_UINT64 ? 2 : 3;
    return rows[width][type];
}

static void execute(unsigned char *to, const unsigned char *index, const unsigned char *from, const walk *w,
                    row_of *row)
{
    static const walk_dim once = { 1, 0, 0, 0 };
    const walk_dim *inner = w->rank ? &w->dims[w->rank - 1] : &once;
    const uint32_t outer = w->rank ? w->rank - 1 : 0;
    uint64_t at[8] = { 0 };
    for (;;) {
        row(to, index, from, inner, w);
        uint32_t i = outer;
        while (i > 0) {
            const walk_dim *d = &w->dims[--i];
            if (++at[i] < d->count) {
                to += d->to;
                index += d->index;
                from += d->from;
                break;
            }
            const int64_t back = (int64_t)(d->count - 1);
            to -= back * d->to;
            index -= back * d->index;
            from -= back * d->from;
            at[i] = 0;
            if (i == 0)
                return;
        }
        if (outer == 0)
            return;
    }
}

static ts_status run(const ts_call *call)
{
    const ts_dml_gather_elements *attrs = call->attrs;
    const ts_tensor *in = ts_call_tensor(call, 0), *idx = ts_call_tensor(call, 1), *out = ts_call_tensor(call, 2);
    const buffer_row *row = buffer_row_at(support, sizeof support / sizeof *support, cpu_level(call));
    if (!row || !(call->attrs_given & TS_GATHER_ELEMENTS_GIVEN_AXIS))
        return TS_REJECTED;
    buffer input, index, output;
    if (!buffer_check(&input, in, BUFFER_INPUT, row->types, row->min_rank, row->max_rank) ||
        !buffer_check(&index, idx, BUFFER_INPUT, row->indices, in->rank, in->rank) ||
        !buffer_check(&output, out, BUFFER_OUTPUT, BUFFER_BIT(in->dtype), in->rank, in->rank) ||
        attrs->Axis >= input.rank)
        return TS_REJECTED;
    walk w = { .rank = 0 };
    for (uint32_t i = 0; i < input.rank; ++i) {
        if (out->sizes[i] != idx->sizes[i] || (i != attrs->Axis && idx->sizes[i] != in->sizes[i]))
            return TS_REJECTED;
        if (idx->sizes[i] == 1)
            continue;
        w.dims[w.rank++] = (walk_dim){ .count = idx->sizes[i],
                                       .to = (int64_t)(output.strides[i] * output.bytes),
                                       .index = (int64_t)(index.strides[i] * index.bytes),
                                       .from = i == attrs->Axis ? 0 : (int64_t)(input.strides[i] * input.bytes) };
    }
    w.size = (int64_t)in->sizes[attrs->Axis];
    w.block = (int64_t)(input.strides[attrs->Axis] * input.bytes);
    if (cpu_only_asks(call))
        return TS_OK;
    if (buffer_lacks_data(&input) || buffer_lacks_data(&index) || buffer_lacks_data(&output))
        return TS_ERROR;
    execute(output.data, index.data, input.data, &w, choose_row(input.bytes, idx->dtype));
    return TS_OK;
}

const cpu_operator cpu_gather_elements = { "dml.gather_elements", 3, sizeof(ts_dml_gather_elements), run };
