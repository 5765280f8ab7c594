/* SPDX-License-Identifier: Apache-2.0 */
/* OpenVINO's Gather-1, Gather-7 and Gather-8: blocks of data, picked by indices along one axis, in batches (rules G1-01
   to G1-11, G7-01 to G7-14, G8-01 to G8-15). */
#include "backends/cpu/buffer.h"
#include "backends/cpu/copy.h"
#include "backends/cpu/cpu.h"
#include "backends/cpu/position.h"
#include "reference/openvino/gather_1.h"
#include "reference/openvino/gather_7.h"
#include "reference/openvino/gather_8.h"

#define MOST_DIMS 8 /* of data and of indices */

/* One dimension around a block, and the bytes by which a step moves each tensor. */
typedef struct around {
    uint64_t count;
    int64_t to, index, from;
} around;

typedef struct plan {
    around dims[2 * MOST_DIMS];
    copy_dim block[MOST_DIMS]; /* what an index picks */
    copy_dim blank[MOST_DIMS]; /* the same block of the output, filled from a single 0 */
    uint32_t rank, block_rank, blank_rank;
    uint32_t bytes, index_type;
    uint64_t size;                 /* of the axis */
    int64_t step;                  /* bytes between two elements of data there */
    bool negative;                 /* may an index be negative? */
    uint64_t sizes[2 * MOST_DIMS]; /* of the output */
    uint32_t out_rank;
} plan;

/* The attributes of a call. */
typedef struct wanted {
    int64_t axis, batch;
    bool axis_given, negative;
} wanted;

static void copy_block(const plan *p, unsigned char *to, const unsigned char *from)
{
    static const uint64_t zero = 0;
    if (!from)
        copy_folded(to, &zero, p->bytes, p->blank, p->blank_rank);
    else if (p->block_rank == 1 && p->block[0].to == p->bytes && p->block[0].from == p->bytes)
        copy_bytes(to, from, (size_t)p->block[0].count * p->bytes);
    else
        copy_folded(to, from, p->bytes, p->block, p->block_rank);
}

/* The block that an index picks, or NULL for one beyond the axis. */
static const unsigned char *picked(const plan *p, const unsigned char *data, const unsigned char *index)
{
    const uint64_t at = position(index, p->index_type, p->size, p->negative);
    return at < p->size ? data + (int64_t)at * p->step : NULL;
}

static void execute(const plan *p, unsigned char *to, const unsigned char *from, const unsigned char *index)
{
    uint64_t at[2 * MOST_DIMS] = { 0 };
    for (;;) {
        copy_block(p, to, picked(p, from, index));
        uint32_t i = p->rank;
        for (; i > 0; --i) {
            const around *d = &p->dims[i - 1];
            to += d->to;
            index += d->index;
            from += d->from;
            if (++at[i - 1] < d->count)
                break;
            to -= (int64_t)d->count * d->to;
            index -= (int64_t)d->count * d->index;
            from -= (int64_t)d->count * d->from;
            at[i - 1] = 0;
        }
        if (i == 0)
            return;
    }
}

/* Add a dimension of the output, with the strides of the inputs that it walks, in elements. */
static void add_around(plan *p, uint64_t count, uint64_t index, uint64_t from)
{
    p->sizes[p->out_rank++] = count;
    p->dims[p->rank++] = (around){ .count = count, .index = (int64_t)index, .from = (int64_t)from };
}

/* Lay the dimensions out, without the addresses in the output. False: the call is illegal. */
static bool plan_make(plan *p, const wanted *w, const buffer *data, const buffer *indices, uint32_t index_type)
{
    if (!w->axis_given || data->rank < 1 || data->rank > MOST_DIMS || indices->rank > MOST_DIMS)
        return false;
    const int64_t rank = data->rank, index_rank = indices->rank, least = rank < index_rank ? rank : index_rank;
    if (w->axis < -rank || w->axis >= rank || w->batch < -least || w->batch > least)
        return false;
    const uint32_t axis = (uint32_t)(w->axis + (w->axis < 0 ? rank : 0));
    const uint32_t batch = (uint32_t)(w->batch + (w->batch < 0 ? index_rank : 0));
    if (batch > axis)
        return false;
    *p = (plan){ .bytes = data->bytes,
                 .index_type = index_type,
                 .size = data->sizes[axis],
                 .step = (int64_t)(data->strides[axis] * data->bytes),
                 .negative = w->negative };
    for (uint32_t i = 0; i < batch; ++i) {
        if (data->sizes[i] != indices->sizes[i])
            return false;
        add_around(p, data->sizes[i], indices->strides[i] * indices->bytes, data->strides[i] * data->bytes);
    }
    for (uint32_t i = batch; i < axis; ++i)
        add_around(p, data->sizes[i], 0, data->strides[i] * data->bytes);
    for (uint32_t i = batch; i < indices->rank; ++i)
        add_around(p, indices->sizes[i], indices->strides[i] * indices->bytes, 0);
    for (uint32_t i = axis + 1; i < data->rank; ++i) {
        p->sizes[p->out_rank++] = data->sizes[i];
        p->block[p->block_rank++] =
            (copy_dim){ .count = data->sizes[i], .from = (int64_t)(data->strides[i] * data->bytes) };
    }
    return true;
}

/* Complete the plan with the output, which has elements. */
static void plan_output(plan *p, const buffer *output)
{
    for (uint32_t i = 0; i < p->rank; ++i)
        p->dims[i].to = (int64_t)(output->strides[i] * output->bytes);
    for (uint32_t i = 0; i < p->block_rank; ++i) {
        p->block[i].to = (int64_t)(output->strides[p->rank + i] * output->bytes);
        p->blank[i] = (copy_dim){ .count = p->block[i].count, .to = p->block[i].to };
    }
    p->blank_rank = copy_fold(p->blank, p->block_rank);
    p->block_rank = copy_fold(p->block, p->block_rank);
}

static ts_status gather(const ts_call *call, const wanted *w)
{
    const ts_tensor *in = ts_call_tensor(call, 0), *index = ts_call_tensor(call, 1), *out = ts_call_tensor(call, 2);
    buffer data, indices, output;
    plan p;
    if (!buffer_check_openvino(&data, in) || !buffer_check_openvino(&indices, index) ||
        !(BUFFER_TYPES_INTEGER & BUFFER_BIT(index->dtype)) || !plan_make(&p, w, &data, &indices, index->dtype))
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
    plan_output(&p, &output);
    execute(&p, output.data, data.data, indices.data);
    return TS_OK;
}

static ts_status run_1(const ts_call *call)
{
    const ts_openvino_gather_1 *a = call->attrs;
    return gather(call, &(wanted){ .axis = a->axis, .axis_given = call->attrs_given & TS_GATHER_1_GIVEN_AXIS });
}

static ts_status run_7(const ts_call *call)
{
    const ts_openvino_gather_7 *a = call->attrs;
    return gather(call, &(wanted){ .axis = a->axis,
                                   .batch = call->attrs_given & TS_GATHER_7_GIVEN_BATCH_DIMS ? a->batch_dims : 0,
                                   .axis_given = call->attrs_given & TS_GATHER_7_GIVEN_AXIS });
}

static ts_status run_8(const ts_call *call)
{
    const ts_openvino_gather_8 *a = call->attrs;
    return gather(call, &(wanted){ .axis = a->axis,
                                   .batch = call->attrs_given & TS_GATHER_8_GIVEN_BATCH_DIMS ? a->batch_dims : 0,
                                   .axis_given = call->attrs_given & TS_GATHER_8_GIVEN_AXIS,
                                   .negative = true });
}

const cpu_operator cpu_gather_1 = { "openvino.gather_1", 3, sizeof(ts_openvino_gather_1), run_1 };
const cpu_operator cpu_gather_7 = { "openvino.gather_7", 3, sizeof(ts_openvino_gather_7), run_7 };
const cpu_operator cpu_gather_8 = { "openvino.gather_8", 3, sizeof(ts_openvino_gather_8), run_8 };
