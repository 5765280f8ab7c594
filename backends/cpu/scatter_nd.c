/* SPDX-License-Identifier: Apache-2.0 */
/* DML_OPERATOR_SCATTER_ND: a copy of the input, with an element or a block replaced for each tuple of indices (SN-01 to
   SN-16). */
#include "backends/cpu/buffer.h"
#include "backends/cpu/copy.h"
#include "backends/cpu/cpu.h"
#include "reference/dml/scatter_nd.h"

static const buffer_row support[] = {
    { TS_LEVEL_4_1, 1, 8, BUFFER_TYPES_ALL, BUFFER_TYPES_INDEX },
    { TS_LEVEL_3_0, 1, 8, BUFFER_TYPES_NARROW, BUFFER_TYPES_INDEX },
    { TS_LEVEL_2_1, 4, 4, BUFFER_TYPES_NARROW, BUFFER_BIT(TS_UINT32) },
};

/* A dimension of the array of tuples, and the bytes from one tuple to the next. */
typedef struct lane {
    uint64_t count;
    int64_t index, update;
} lane;

/* A dimension that the tuples have an index for: its elements, and the bytes from one to the next in the output. */
typedef struct reach {
    uint64_t size;
    int64_t step;
} reach;

typedef struct plan {
    lane lanes[8];
    reach reaches[8];
    copy_dim block[8]; /* what one tuple replaces */
    uint32_t lane_count, reach_count, block_count;
    int64_t next_index; /* bytes from one index of a tuple to the next */
    uint32_t bytes, index_type;
} plan;

/* The position that an index means among `size` elements, or `size` if it is beyond them (SN-14, SN-15). */
static inline uint64_t position(const unsigned char *at, uint32_t type, uint64_t size)
{
    uint64_t value;
    bool backwards = false;
    if (type == TS_UINT32) {
        value = *(const uint32_t *)(const void *)at;
    } else if (type == TS_INT32) {
        const int32_t index = *(const int32_t *)(const void *)at;
        value = (uint64_t)(int64_t)index;
        backwards = index < 0;
    } else {
        value = *(const uint64_t *)(const void *)at;
        backwards = type == TS_INT64 && value >> 63;
    }
    value += backwards ? size : 0;
    return value < size ? value : size;
}

static void replace(const plan *p, const unsigned char *index, const unsigned char *update, unsigned char *to)
{
    for (uint32_t k = 0; k < p->reach_count; ++k, index += p->next_index) {
        const uint64_t at = position(index, p->index_type, p->reaches[k].size);
        if (at == p->reaches[k].size)
            return; /* the updates of the tuple are dropped */
        to += (int64_t)at * p->reaches[k].step;
    }
    copy_folded(to, update, p->bytes, p->block, p->block_count);
}

/* Replace what the tuples along the lanes from k on select, in their order. */
static void apply(const plan *p, uint32_t k, const unsigned char *index, const unsigned char *update, unsigned char *to)
{
    if (k == p->lane_count) {
        replace(p, index, update, to);
        return;
    }
    const lane *l = &p->lanes[k];
    for (uint64_t i = 0; i < l->count; ++i, index += l->index, update += l->update)
        apply(p, k + 1, index, update, to);
}

static int64_t stride(const buffer *b, uint32_t i)
{
    return (int64_t)(b->strides[i] * b->bytes);
}

static void copy_input(const buffer *output, const buffer *input)
{
    copy_dim dims[8];
    for (uint32_t i = 0; i < input->rank; ++i)
        dims[i] = (copy_dim){ .count = input->sizes[i], .to = stride(output, i), .from = stride(input, i) };
    copy_strided(output->data, input->data, output->bytes, dims, input->rank);
}

/* Where the tuples, the blocks and the dimensions of the tuples lie. False if the sizes do not fit each other. */
static bool make_plan(plan *p, const ts_dml_scatter_nd *attrs, const buffer *index, const buffer *update,
                      const buffer *output)
{
    const uint32_t rank = output->rank, last = rank - 1;
    if (attrs->InputDimensionCount - 1 >= rank || attrs->IndicesDimensionCount - 1 >= rank ||
        index->sizes[last] > attrs->InputDimensionCount)
        return false;
    p->reach_count = (uint32_t)index->sizes[last];
    p->next_index = stride(index, last);
    uint32_t from = rank - attrs->InputDimensionCount, at = rank; /* the updates are walked from their last dimension */
    for (uint32_t k = 0; k < p->reach_count; ++k, ++from)
        p->reaches[k] = (reach){ output->sizes[from], stride(output, from) };
    for (uint32_t i = rank; i-- > from;)
        if (update->sizes[--at] != output->sizes[i])
            return false;
    for (uint32_t i = from; i < rank; ++i)
        p->block[p->block_count++] =
            (copy_dim){ .count = output->sizes[i], .to = stride(output, i), .from = stride(update, i) };
    p->lane_count = attrs->IndicesDimensionCount - 1;
    for (uint32_t k = p->lane_count; k-- > 0;) {
        const uint32_t i = last - p->lane_count + k;
        if (at-- == 0 || update->sizes[at] != index->sizes[i])
            return false;
        p->lanes[k] = (lane){ index->sizes[i], stride(index, i), stride(update, at) };
    }
    while (at > 0)
        if (update->sizes[--at] != 1)
            return false;
    p->block_count = copy_fold(p->block, p->block_count);
    return true;
}

static ts_status run(const ts_call *call)
{
    const ts_dml_scatter_nd *attrs = call->attrs;
    const uint32_t given = TS_SCATTER_ND_GIVEN_INPUT_DIMENSION_COUNT | TS_SCATTER_ND_GIVEN_INDICES_DIMENSION_COUNT;
    const ts_tensor *t[4];
    buffer input, index, update, output;
    for (uint32_t i = 0; i < 4; ++i)
        t[i] = ts_call_tensor(call, i);
    const buffer_row *row = buffer_row_at(support, sizeof support / sizeof *support, cpu_level(call));
    if (!row || (call->attrs_given & given) != given)
        return TS_REJECTED;
    if (!buffer_check(&input, t[0], BUFFER_INPUT, row->types, row->min_rank, row->max_rank) ||
        !buffer_check(&index, t[1], BUFFER_INPUT, row->indices, t[0]->rank, t[0]->rank) ||
        !buffer_check(&update, t[2], BUFFER_INPUT, BUFFER_BIT(t[0]->dtype), t[0]->rank, t[0]->rank) ||
        !buffer_check(&output, t[3], BUFFER_OUTPUT, BUFFER_BIT(t[0]->dtype), t[0]->rank, t[0]->rank))
        return TS_REJECTED;
    for (uint32_t i = 0; i < input.rank; ++i)
        if (output.sizes[i] != input.sizes[i])
            return TS_REJECTED;
    plan p = { .bytes = output.bytes, .index_type = t[1]->dtype };
    if (!make_plan(&p, attrs, &index, &update, &output))
        return TS_REJECTED;
    if (cpu_only_asks(call))
        return TS_OK;
    if (buffer_lacks_data(&input) || buffer_lacks_data(&index) || buffer_lacks_data(&update) ||
        buffer_lacks_data(&output))
        return TS_ERROR;
    copy_input(&output, &input);
    apply(&p, 0, index.data, update.data, output.data);
    return TS_OK;
}

const cpu_operator cpu_scatter_nd = { "dml.scatter_nd", 4, sizeof(ts_dml_scatter_nd), run };
