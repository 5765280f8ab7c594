/* SPDX-License-Identifier: Apache-2.0 */
/* DML_OPERATOR_GATHER_ND and DML_OPERATOR_GATHER_ND1: blocks of the input, each picked by a tuple of indices (rules
   ND-01 to ND-14, ND1-01 to ND1-16). */
#include "backends/cpu/buffer.h"
#include "backends/cpu/copy.h"
#include "backends/cpu/cpu.h"
#include "reference/dml/gather_nd.h"
#include "reference/dml/gather_nd1.h"

static const buffer_row support[] = {
    { TS_LEVEL_4_1, 1, 8, BUFFER_TYPES_ALL, BUFFER_TYPES_INDEX },
    { TS_LEVEL_3_0, 1, 8, BUFFER_TYPES_NARROW, BUFFER_TYPES_INDEX },
    { TS_LEVEL_2_1, 4, 4, BUFFER_TYPES_NARROW, BUFFER_BIT(TS_UINT32) },
};

/* One dimension of the array of tuples, and the bytes by which a step moves each tensor. Only batches move the input.
 */
typedef struct tuple_dim {
    uint64_t count;
    int64_t to, index, from;
} tuple_dim;

/* One index of a tuple. */
typedef struct pick {
    int64_t size;  /* of the dimension that it is for */
    int64_t step;  /* bytes between two elements there */
    int64_t place; /* of the index, in bytes from the tuple's first */
} pick;

typedef struct plan {
    tuple_dim dims[8];
    pick picks[8];
    copy_dim block[8]; /* what a tuple picks */
    uint32_t rank, pick_count, block_rank;
    uint32_t bytes, index_type;
} plan;

/* Where in the input the block begins that a tuple picks. A negative index of a signed type counts from the end
   (ND-12); one that is still beyond its dimension picks the nearest end (ND-13). */
static int64_t resolve(const plan *p, const unsigned char *tuple)
{
    int64_t offset = 0;
    for (uint32_t k = 0; k < p->pick_count; ++k) {
        const pick *at = &p->picks[k];
        const void *index = tuple + at->place;
        uint64_t wide = 0;
        int64_t value = 0;
        switch (p->index_type) {
        case TS_UINT32: value = *(const uint32_t *)index; break;
        case TS_INT32: value = *(const int32_t *)index; break;
        case TS_INT64: value = *(const int64_t *)index; break;
        default:
            wide = *(const uint64_t *)index;
            value = wide < INT64_MAX ? (int64_t)wide : INT64_MAX;
            break;
        }
        value += value < 0 ? at->size : 0;
        offset += (value < 0 ? 0 : value < at->size ? value : at->size - 1) * at->step;
    }
    return offset;
}

static void copy_block(const plan *p, unsigned char *to, const unsigned char *from)
{
    const copy_dim *d = p->block;
    if (p->block_rank == 0) {
        switch (p->bytes) {
        case 1: *to = *from; break;
        case 2: *(uint16_t *)(void *)to = *(const uint16_t *)(const void *)from; break;
        case 4: *(uint32_t *)(void *)to = *(const uint32_t *)(const void *)from; break;
        default: *(uint64_t *)(void *)to = *(const uint64_t *)(const void *)from; break;
        }
    } else if (p->block_rank == 1 && d->to == p->bytes && d->from == p->bytes) {
        copy_bytes(to, from, (size_t)d->count * p->bytes);
    } else {
        copy_folded(to, from, p->bytes, d, p->block_rank);
    }
}

/* Walk the array of tuples. */
static void execute(const plan *p, unsigned char *to, const unsigned char *from, const unsigned char *tuple)
{
    uint64_t at[8] = { 0 };
    for (;;) {
        copy_block(p, to, from + resolve(p, tuple));
        uint32_t i = p->rank;
        for (; i > 0; --i) {
            const tuple_dim *d = &p->dims[i - 1];
            to += d->to;
            tuple += d->index;
            from += d->from;
            if (++at[i - 1] < d->count)
                break;
            to -= (int64_t)d->count * d->to;
            tuple -= (int64_t)d->count * d->index;
            from -= (int64_t)d->count * d->from;
            at[i - 1] = 0;
        }
        if (i == 0)
            return;
    }
}

/* The three tensors of a call, and their dimensions that count. */
typedef struct meant {
    const ts_tensor *in, *idx, *out;
    buffer input, index, output;
    uint32_t inputs, indices, batches;
} meant;

/* Lay the dimensions out. False: the descriptor is illegal. */
static int make_plan(plan *p, const meant *m)
{
    const uint32_t rank = m->input.rank;
    if (m->inputs - 1 >= rank || m->indices - 1 >= rank) /* ND-05, ND-06; a count of 0 wraps */
        return 0;
    if (m->batches && (m->batches >= m->inputs || m->batches >= m->indices)) /* ND1-15 */
        return 0;
    const uint64_t tuple = m->idx->sizes[rank - 1];
    if (tuple > m->inputs - m->batches) /* ND-09 */
        return 0;
    uint32_t i = rank - m->inputs, x = rank - m->indices; /* the dimensions that are next */
    const uint32_t behind = m->inputs - m->batches - (uint32_t)tuple, needed = m->indices - 1 + behind;
    uint32_t o = rank - needed;
    if (needed > rank)
        return 0;
    for (uint32_t k = 0; k < rank; ++k) /* ND-07, ND-08, ND-10 */
        if ((k < i && m->in->sizes[k] != 1) || (k < x && m->idx->sizes[k] != 1) || (k < o && m->out->sizes[k] != 1))
            return 0;
    *p = (plan){ .bytes = m->input.bytes, .index_type = m->idx->dtype };
    const uint64_t bytes = p->bytes, index_bytes = m->index.bytes;
    for (uint32_t k = 0; x + 1 < rank; ++k, ++x, ++o) {
        const int batched = k < m->batches;
        if (m->out->sizes[o] != m->idx->sizes[x] || (batched && m->in->sizes[i] != m->idx->sizes[x]))
            return 0;
        p->dims[p->rank++] = (tuple_dim){ .count = m->idx->sizes[x],
                                          .to = (int64_t)(m->output.strides[o] * bytes),
                                          .index = (int64_t)(m->index.strides[x] * index_bytes),
                                          .from = batched ? (int64_t)(m->input.strides[i++] * bytes) : 0 };
    }
    for (uint32_t k = 0; k < tuple; ++k, ++i)
        p->picks[p->pick_count++] = (pick){ .size = (int64_t)m->in->sizes[i],
                                            .step = (int64_t)(m->input.strides[i] * bytes),
                                            .place = (int64_t)(k * m->index.strides[x] * index_bytes) };
    for (; i < rank; ++i, ++o) {
        if (m->out->sizes[o] != m->in->sizes[i])
            return 0;
        p->block[p->block_rank++] = (copy_dim){ .count = m->in->sizes[i],
                                                .to = (int64_t)(m->output.strides[o] * bytes),
                                                .from = (int64_t)(m->input.strides[i] * bytes) };
    }
    p->block_rank = copy_fold(p->block, p->block_rank);
    return 1;
}

static ts_status gather(const ts_call *call, const buffer_row *row, meant *m)
{
    plan p;
    m->in = ts_call_tensor(call, 0);
    m->idx = ts_call_tensor(call, 1);
    m->out = ts_call_tensor(call, 2);
    if (!row || !buffer_check(&m->input, m->in, BUFFER_INPUT, row->types, row->min_rank, row->max_rank) ||
        !buffer_check(&m->index, m->idx, BUFFER_INPUT, row->indices, m->in->rank, m->in->rank) ||
        !buffer_check(&m->output, m->out, BUFFER_OUTPUT, BUFFER_BIT(m->in->dtype), m->in->rank, m->in->rank) ||
        !make_plan(&p, m))
        return TS_REJECTED;
    if (cpu_only_asks(call))
        return TS_OK;
    if (buffer_lacks_data(&m->input) || buffer_lacks_data(&m->index) || buffer_lacks_data(&m->output))
        return TS_ERROR;
    execute(&p, m->output.data, m->input.data, m->index.data);
    return TS_OK;
}

static ts_status run(const ts_call *call)
{
    const ts_dml_gather_nd *a = call->attrs;
    const uint32_t all = TS_GATHER_ND_GIVEN_INPUT_DIMENSION_COUNT | TS_GATHER_ND_GIVEN_INDICES_DIMENSION_COUNT;
    meant m = { .inputs = a->InputDimensionCount, .indices = a->IndicesDimensionCount };
    if ((call->attrs_given & all) != all)
        return TS_REJECTED;
    return gather(call, buffer_row_at(support, sizeof support / sizeof *support, cpu_level(call)), &m);
}

static ts_status run_batched(const ts_call *call)
{
    const ts_dml_gather_nd1 *a = call->attrs;
    const uint32_t all = TS_GATHER_ND1_GIVEN_INPUT_DIMENSION_COUNT | TS_GATHER_ND1_GIVEN_INDICES_DIMENSION_COUNT |
                         TS_GATHER_ND1_GIVEN_BATCH_DIMENSION_COUNT;
    meant m = { .inputs = a->InputDimensionCount,
                .indices = a->IndicesDimensionCount,
                .batches = a->BatchDimensionCount };
    if ((call->attrs_given & all) != all || cpu_level(call) < TS_LEVEL_3_0)
        return TS_REJECTED;
    return gather(call, buffer_row_at(support, sizeof support / sizeof *support, cpu_level(call)), &m);
}

const cpu_operator cpu_gather_nd = { "dml.gather_nd", 3, sizeof(ts_dml_gather_nd), run };
const cpu_operator cpu_gather_nd1 = { "dml.gather_nd1", 3, sizeof(ts_dml_gather_nd1), run_batched };
