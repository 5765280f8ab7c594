/* SPDX-License-Identifier: Apache-2.0 */
/* DML_OPERATOR_SCATTER_ELEMENTS: a copy of the input, with an element replaced by each update (SE-01 to SE-14). */
#include "backends/cpu/buffer.h"
#include "backends/cpu/copy.h"
#include "backends/cpu/cpu.h"
#include "reference/dml/scatter_elements.h"

#include <string.h>

static const buffer_row support[] = {
    { TS_LEVEL_4_1, 1, 8, BUFFER_TYPES_ALL, BUFFER_TYPES_INDEX },
    { TS_LEVEL_3_0, 1, 8, BUFFER_TYPES_NARROW, BUFFER_TYPES_INDEX },
    { TS_LEVEL_2_1, 4, 4, BUFFER_TYPES_NARROW, BUFFER_BIT(TS_UINT32) },
    { TS_LEVEL_1_0, 4, 4, BUFFER_TYPES_FLOAT, BUFFER_BIT(TS_UINT32) },
};

/* A dimension of the indices: its steps, and the bytes from one to the next in three tensors. In the output, the
   position along the axis comes from the index instead. */
typedef struct lane {
    uint64_t count;
    int64_t index, update, to;
} lane;

typedef struct plan {
    lane lanes[8];
    uint32_t lane_count;
    uint64_t size; /* of the axis in the output */
    int64_t step;  /* bytes from one of its elements to the next */
    uint32_t bytes, index_type;
} plan;

/* The position along the axis that an index means, or -1: it is beyond the axis, and its update is dropped (SE-11,
   SE-12). */
static inline int64_t position(const unsigned char *at, uint32_t type, uint64_t size)
{
    uint64_t value = 0;
    switch (type) {
    case TS_UINT32: value = *(const uint32_t *)(const void *)at; break;
    case TS_UINT64: value = *(const uint64_t *)(const void *)at; break;
    case TS_INT32: {
        const int64_t index = *(const int32_t *)(const void *)at;
        value = (uint64_t)index + (index < 0 ? size : 0);
        break;
    }
    default: {
        const int64_t index = *(const int64_t *)(const void *)at;
        value = (uint64_t)index + (index < 0 ? size : 0);
        break;
    }
    }
    return value < size ? (int64_t)value : -1;
}

static inline void put(unsigned char *to, const unsigned char *from, uint32_t bytes)
{
    switch (bytes) {
    case 1: *to = *from; break;
    case 2: *(uint16_t *)(void *)to = *(const uint16_t *)(const void *)from; break;
    case 4: *(uint32_t *)(void *)to = *(const uint32_t *)(const void *)from; break;
    default: *(uint64_t *)(void *)to = *(const uint64_t *)(const void *)from; break;
    }
}

/* Apply the updates along the lanes from k on, in their order. */
static void apply(const plan *p, uint32_t k, const unsigned char *index, const unsigned char *update, unsigned char *to)
{
    if (k == p->lane_count) {
        const int64_t at = position(index, p->index_type, p->size);
        if (at >= 0)
            put(to + at * p->step, update, p->bytes);
        return;
    }
    const lane *l = &p->lanes[k];
    for (uint64_t i = 0; i < l->count; ++i, index += l->index, update += l->update, to += l->to)
        apply(p, k + 1, index, update, to);
}

static void copy_input(const buffer *output, const buffer *input)
{
    copy_dim dims[8];
    for (uint32_t i = 0; i < input->rank; ++i)
        dims[i] = (copy_dim){ .count = input->sizes[i],
                              .to = (int64_t)(output->strides[i] * output->bytes),
                              .from = (int64_t)(input->strides[i] * input->bytes) };
    copy_strided(output->data, input->data, output->bytes, dims, input->rank);
}

static ts_status run(const ts_call *call)
{
    const ts_dml_scatter_elements *attrs = call->attrs;
    const ts_tensor *t[4];
    buffer input, index, update, output;
    for (uint32_t i = 0; i < 4; ++i)
        t[i] = ts_call_tensor(call, i);
    const buffer_row *row = buffer_row_at(support, sizeof support / sizeof *support, cpu_level(call));
    if (!row || !(call->attrs_given & TS_SCATTER_ELEMENTS_GIVEN_AXIS))
        return TS_REJECTED;
    if (!buffer_check(&input, t[0], BUFFER_INPUT, row->types, row->min_rank, row->max_rank) ||
        !buffer_check(&index, t[1], BUFFER_INPUT, row->indices, t[0]->rank, t[0]->rank) ||
        !buffer_check(&update, t[2], BUFFER_INPUT, BUFFER_BIT(t[0]->dtype), t[0]->rank, t[0]->rank) ||
        !buffer_check(&output, t[3], BUFFER_OUTPUT, BUFFER_BIT(t[0]->dtype), t[0]->rank, t[0]->rank) ||
        attrs->Axis >= input.rank)
        return TS_REJECTED;
    plan p = { .bytes = output.bytes, .index_type = t[1]->dtype };
    for (uint32_t i = 0; i < input.rank; ++i) {
        const bool along = i == attrs->Axis;
        if (output.sizes[i] != input.sizes[i] || update.sizes[i] != index.sizes[i] ||
            (!along && index.sizes[i] != input.sizes[i]))
            return TS_REJECTED;
        if (index.sizes[i] > 1)
            p.lanes[p.lane_count++] = (lane){ .count = index.sizes[i],
                                              .index = (int64_t)(index.strides[i] * index.bytes),
                                              .update = (int64_t)(update.strides[i] * update.bytes),
                                              .to = along ? 0 : (int64_t)(output.strides[i] * output.bytes) };
    }
    p.size = output.sizes[attrs->Axis];
    p.step = (int64_t)(output.strides[attrs->Axis] * output.bytes);
    if (cpu_only_asks(call))
        return TS_OK;
    if (buffer_lacks_data(&input) || buffer_lacks_data(&index) || buffer_lacks_data(&update) ||
        buffer_lacks_data(&output))
        return TS_ERROR;
    copy_input(&output, &input);
    apply(&p, 0, index.data, update.data, output.data);
    return TS_OK;
}

const cpu_operator cpu_scatter_elements = { "dml.scatter_elements", 4, sizeof(ts_dml_scatter_elements), run };
