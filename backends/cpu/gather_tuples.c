/* SPDX-License-Identifier: Apache-2.0 */
/* OpenVINO's GatherND-5 and GatherND-8: blocks of data, each picked by a tuple of indices, in batches (rules ND5-01 to
   ND5-16, ND8-01 to ND8-16). */
#include "backends/cpu/buffer.h"
#include "backends/cpu/copy.h"
#include "backends/cpu/cpu.h"
#include "backends/cpu/position.h"
#include "reference/openvino/gather_nd_5.h"
#include "reference/openvino/gather_nd_8.h"

#define MOST_DIMS 8 /* of data and of indices */

/* One dimension of the array of tuples, and the bytes by which a step moves each input. Only batches move data. */
typedef struct array_dim {
    uint64_t count;
    int64_t index, from;
} array_dim;

typedef struct plan {
    array_dim dims[MOST_DIMS];
    copy_dim block[MOST_DIMS], blank[MOST_DIMS]; /* what a tuple picks; the same block filled from a single 0 */
    uint64_t sizes[2 * MOST_DIMS];               /* of the output */
    uint64_t reach[MOST_DIMS];                   /* the size of the dimension that each index of a tuple is for */
    int64_t step[MOST_DIMS];                     /* bytes between two elements there */
    int64_t next;                                /* bytes between two indices of a tuple */
    uint32_t rank, tuple, block_rank, blank_rank, out_rank,
        front; /* front: dimensions of the output before the block */
    uint32_t bytes, index_type;
    bool negative; /* may an index be negative? */
} plan;

/* The block that a tuple picks, or NULL if one of its indices is beyond its dimension. */
static const unsigned char *picked(const plan *p, const unsigned char *data, const unsigned char *tuple)
{
    for (uint32_t k = 0; k < p->tuple; ++k, tuple += p->next) {
        const uint64_t at = position(tuple, p->index_type, p->reach[k], p->negative);
        if (at == p->reach[k])
            return NULL;
        data += (int64_t)at * p->step[k];
    }
    return data;
}

static void put(const plan *p, unsigned char *to, const unsigned char *from)
{
    static const uint64_t zero = 0;
    if (from)
        copy_folded(to, from, p->bytes, p->block, p->block_rank);
    else
        copy_folded(to, &zero, p->bytes, p->blank, p->blank_rank);
}

/* The address in the output of the block with this number: its coordinate in the dimensions before the block. */
static unsigned char *place_of(const plan *p, const buffer *output, uint64_t number)
{
    unsigned char *to = output->data;
    for (uint32_t i = p->front; i > 0; --i) {
        to += number % p->sizes[i - 1] * output->strides[i - 1] * output->bytes;
        number /= p->sizes[i - 1];
    }
    return to;
}

static void execute(const plan *p, const buffer *output, const unsigned char *from, const unsigned char *tuple)
{
    uint64_t at[MOST_DIMS] = { 0 };
    for (uint64_t number = 0;; ++number) {
        put(p, place_of(p, output, number), picked(p, from, tuple));
        uint32_t i = p->rank;
        for (; i > 0; --i) {
            const array_dim *d = &p->dims[i - 1];
            tuple += d->index;
            from += d->from;
            if (++at[i - 1] < d->count)
                break;
            tuple -= (int64_t)d->count * d->index;
            from -= (int64_t)d->count * d->from;
            at[i - 1] = 0;
        }
        if (i == 0)
            return;
    }
}

/* A batch of which one tensor has a single one, and stays there. False: the sizes differ. */
static bool add_batch(plan *p, uint32_t i, const buffer *data, const buffer *indices)
{
    const bool one = data->sizes[i] == 1, single = indices->sizes[i] == 1;
    if (!one && !single && data->sizes[i] != indices->sizes[i])
        return false;
    p->dims[i] = (array_dim){ .count = single ? data->sizes[i] : indices->sizes[i],
                              .index = single ? 0 : (int64_t)(indices->strides[i] * indices->bytes),
                              .from = one ? 0 : (int64_t)(data->strides[i] * data->bytes) };
    return true;
}

/* Lay the dimensions out. False: the call is illegal. */
static bool plan_make(plan *p, int64_t batches, bool flat, const buffer *data, const buffer *indices)
{
    if (data->rank - 1 >= MOST_DIMS || indices->rank - 1 >= MOST_DIMS || batches < 0 || batches >= data->rank ||
        batches >= indices->rank)
        return false;
    const uint32_t batch = (uint32_t)batches, last = indices->rank - 1;
    const uint64_t tuple = indices->sizes[last];
    if (tuple == 0 || tuple > data->rank - batch)
        return false;
    *p = (plan){ .rank = last, .tuple = (uint32_t)tuple, .bytes = data->bytes };
    p->next = (int64_t)(indices->strides[last] * indices->bytes);
    for (uint32_t i = 0; i < last; ++i) {
        if (i < batch && !add_batch(p, i, data, indices))
            return false;
        if (i >= batch)
            p->dims[i] = (array_dim){ indices->sizes[i], (int64_t)(indices->strides[i] * indices->bytes), 0 };
        if (flat && i < batch && i > 0) {
            if (__builtin_mul_overflow(p->sizes[0], p->dims[i].count, &p->sizes[0]))
                return false;
        } else {
            p->sizes[p->out_rank++] = p->dims[i].count;
        }
    }
    p->front = p->out_rank;
    for (uint32_t k = 0; k < tuple; ++k) {
        p->reach[k] = data->sizes[batch + k];
        p->step[k] = (int64_t)(data->strides[batch + k] * data->bytes);
    }
    for (uint32_t i = batch + (uint32_t)tuple; i < data->rank; ++i) {
        p->sizes[p->out_rank++] = data->sizes[i];
        p->block[p->block_rank++] =
            (copy_dim){ .count = data->sizes[i], .from = (int64_t)(data->strides[i] * data->bytes) };
    }
    return true;
}

static ts_status gather(const ts_call *call, int64_t batches, bool flat)
{
    const ts_tensor *in = ts_call_tensor(call, 0), *index = ts_call_tensor(call, 1), *out = ts_call_tensor(call, 2);
    buffer data, indices, output;
    plan p;
    if (!buffer_check_openvino(&data, in) || !buffer_check_openvino(&indices, index) ||
        !(BUFFER_TYPES_INTEGER & BUFFER_BIT(index->dtype)) || !plan_make(&p, batches, flat, &data, &indices))
        return TS_REJECTED;
    if (out->reported) {
        out->reported->rank = p.out_rank;
        memcpy(out->reported->sizes, p.sizes, p.out_rank * sizeof p.sizes[0]);
    }
    if (!buffer_check_openvino(&output, out) || out->dtype != in->dtype || output.rank != p.out_rank ||
        memcmp(output.sizes, p.sizes, p.out_rank * sizeof p.sizes[0]) != 0)
        return TS_REJECTED;
    if (cpu_only_asks(call) || output.elements == 0)
        return TS_OK;
    if (buffer_lacks_data(&data) || buffer_lacks_data(&indices) || buffer_lacks_data(&output))
        return TS_ERROR;
    p.index_type = index->dtype;
    p.negative = !flat; /* ND8-14 */
    for (uint32_t i = 0; i < p.block_rank; ++i) {
        p.block[i].to = (int64_t)(output.strides[p.front + i] * output.bytes);
        p.blank[i] = (copy_dim){ .count = p.block[i].count, .to = p.block[i].to };
    }
    p.blank_rank = copy_fold(p.blank, p.block_rank);
    p.block_rank = copy_fold(p.block, p.block_rank);
    execute(&p, &output, data.data, indices.data);
    return TS_OK;
}

static ts_status run_5(const ts_call *call)
{
    const ts_openvino_gather_nd_5 *a = call->attrs;
    return gather(call, call->attrs_given & TS_GATHER_ND_5_GIVEN_BATCH_DIMS ? a->batch_dims : 0, true);
}

static ts_status run_8(const ts_call *call)
{
    const ts_openvino_gather_nd_8 *a = call->attrs;
    return gather(call, call->attrs_given & TS_GATHER_ND_8_GIVEN_BATCH_DIMS ? a->batch_dims : 0, false);
}

const cpu_operator cpu_gather_nd_5 = { "openvino.gather_nd_5", 3, sizeof(ts_openvino_gather_nd_5), run_5 };
const cpu_operator cpu_gather_nd_8 = { "openvino.gather_nd_8", 3, sizeof(ts_openvino_gather_nd_8), run_8 };
