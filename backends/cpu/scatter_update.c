/* SPDX-License-Identifier: Apache-2.0 */
/* OpenVINO's ScatterNDUpdate-3, ScatterElementsUpdate-3 and ScatterUpdate-3 (rules SN3-01 to SN3-13, SE3-01 to SE3-14,
   SU3-01 to SU3-13). */
#include "backends/cpu/cpu.h"
#include "backends/cpu/scatter.h"
#include "reference/openvino/scatter_elements_update_3.h"
#include "reference/openvino/scatter_nd_update_3.h"
#include "reference/openvino/scatter_update.h"

#define MOST_DIMS 8 /* of data and of indices */

/* The tensors of a call. */
typedef struct tensors {
    buffer data, index, update, output;
} tensors;

/* Are all tensors legal by themselves, of one type, with indices of one of these types, and is the output like data? */
static bool take(const ts_call *call, tensors *t, uint32_t index_types)
{
    const ts_tensor *data = ts_call_tensor(call, 0), *index = ts_call_tensor(call, 1);
    const ts_tensor *update = ts_call_tensor(call, 2), *output = ts_call_tensor(call, 3);
    if (!buffer_check_openvino(&t->data, data) || !buffer_check_openvino(&t->index, index) ||
        !buffer_check_openvino(&t->update, update) || !buffer_check_openvino(&t->output, output))
        return false;
    if (data->dtype == TS_BOOLEAN || update->dtype != data->dtype || output->dtype != data->dtype ||
        !(index_types & BUFFER_BIT(index->dtype)) || data->rank < 1 || data->rank > MOST_DIMS ||
        index->rank > MOST_DIMS || output->rank != data->rank)
        return false;
    if (output->reported) {
        output->reported->rank = data->rank;
        memcpy(output->reported->sizes, data->sizes, data->rank * sizeof data->sizes[0]);
    }
    return memcmp(output->sizes, data->sizes, data->rank * sizeof data->sizes[0]) == 0;
}

/* Reads a dimension of updates; *at is the next one. False if it does not have this size. */
static bool expect(const buffer *update, uint32_t *at, uint64_t size)
{
    return *at < update->rank && update->sizes[(*at)++] == size;
}

/* The dimensions of data from `first` on are the last ones of updates. */
static bool plan_block(scatter_plan *p, const tensors *t, uint32_t first, uint32_t at)
{
    for (uint32_t i = first; i < t->data.rank; ++i) {
        const uint32_t u = at;
        if (!expect(&t->update, &at, t->data.sizes[i]))
            return false;
        p->block[p->block_count++] = (copy_dim){ .count = t->data.sizes[i],
                                                 .to = scatter_stride(&t->output, i),
                                                 .from = scatter_stride(&t->update, u) };
    }
    return at == t->update.rank;
}

/* Each index of the first `count` dimensions of indices has an update. */
static bool plan_array(scatter_plan *p, const tensors *t, uint32_t count, uint32_t *at)
{
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t u = *at;
        if (!expect(&t->update, at, t->index.sizes[i]))
            return false;
        p->lanes[p->lane_count++] =
            (scatter_lane){ t->index.sizes[i], scatter_stride(&t->index, i), scatter_stride(&t->update, u), 0 };
    }
    return true;
}

static void add_reach(scatter_plan *p, const buffer *output, uint32_t i)
{
    p->reaches[p->reach_count++] = (scatter_reach){ output->sizes[i], scatter_stride(output, i) };
}

static ts_status execute(const ts_call *call, scatter_plan *p, const tensors *t)
{
    if (cpu_only_asks(call) || t->output.elements == 0)
        return TS_OK;
    if (buffer_lacks_data(&t->data) || buffer_lacks_data(&t->index) || buffer_lacks_data(&t->update) ||
        buffer_lacks_data(&t->output))
        return TS_ERROR;
    p->bytes = t->output.bytes;
    p->index_type = ts_call_tensor(call, 1)->dtype;
    scatter_copy(&t->output, &t->data);
    if (t->update.elements > 0)
        scatter_apply(p, &t->index, &t->update, &t->output);
    return TS_OK;
}

static ts_status run_tuples(const ts_call *call)
{
    scatter_plan p = { 0 };
    tensors t;
    uint32_t at = 0;
    if (!take(call, &t, BUFFER_BIT(TS_INT32) | BUFFER_BIT(TS_INT64)) || t.index.rank == 0)
        return TS_REJECTED;
    const uint32_t last = t.index.rank - 1;
    if (t.index.sizes[last] > t.data.rank)
        return TS_REJECTED;
    while (p.reach_count < t.index.sizes[last])
        add_reach(&p, &t.output, p.reach_count);
    p.next_index = scatter_stride(&t.index, last);
    if (last == 0 && p.reach_count == t.data.rank) { /* a single element, in any number of dimensions */
        for (uint32_t i = 0; i < t.update.rank; ++i)
            if (t.update.sizes[i] != 1)
                return TS_REJECTED;
    } else if (!plan_array(&p, &t, last, &at) || !plan_block(&p, &t, p.reach_count, at)) {
        return TS_REJECTED;
    }
    return execute(call, &p, &t);
}

/* The axis counted from the first dimension of data. False if there is none. */
static bool find_axis(const tensors *t, bool given, int64_t stated, uint32_t *axis)
{
    const int64_t rank = t->data.rank;
    if (!given || stated < -rank || stated >= rank)
        return false;
    *axis = (uint32_t)(stated + (stated < 0 ? rank : 0));
    return true;
}

static ts_status run_elements(const ts_call *call)
{
    const ts_openvino_scatter_elements_update_3 *a = call->attrs;
    scatter_plan p = { 0 };
    tensors t;
    uint32_t axis;
    if (!take(call, &t, BUFFER_TYPES_INTEGER) ||
        !find_axis(&t, call->attrs_given & TS_SCATTER_ELEMENTS_UPDATE_3_GIVEN_AXIS, a->axis, &axis) ||
        t.index.rank != t.data.rank || t.update.rank != t.data.rank)
        return TS_REJECTED;
    for (uint32_t i = 0; i < t.data.rank; ++i) {
        if (t.index.sizes[i] > t.data.sizes[i] || t.update.sizes[i] != t.index.sizes[i])
            return TS_REJECTED;
        p.lanes[p.lane_count++] =
            (scatter_lane){ t.index.sizes[i], scatter_stride(&t.index, i), scatter_stride(&t.update, i),
                            i == axis ? 0 : scatter_stride(&t.output, i) };
    }
    add_reach(&p, &t.output, axis);
    return execute(call, &p, &t);
}

static ts_status run_slices(const ts_call *call)
{
    const ts_openvino_scatter_update *a = call->attrs;
    scatter_plan p = { 0 };
    tensors t;
    uint32_t axis, at = 0;
    if (!take(call, &t, BUFFER_TYPES_INTEGER) ||
        !find_axis(&t, call->attrs_given & TS_SCATTER_UPDATE_GIVEN_AXIS, a->axis, &axis))
        return TS_REJECTED;
    for (; p.lane_count < axis; ++p.lane_count) {
        const uint32_t i = p.lane_count;
        if (!expect(&t.update, &at, t.data.sizes[i]))
            return TS_REJECTED;
        p.lanes[i] = (scatter_lane){ t.data.sizes[i], 0, scatter_stride(&t.update, i), scatter_stride(&t.output, i) };
    }
    add_reach(&p, &t.output, axis);
    if (!plan_array(&p, &t, t.index.rank, &at) || !plan_block(&p, &t, axis + 1, at))
        return TS_REJECTED;
    return execute(call, &p, &t);
}

const cpu_operator cpu_scatter_nd_update_3 = { "openvino.scatter_nd_update_3", 4,
                                               sizeof(ts_openvino_scatter_nd_update_3), run_tuples };
const cpu_operator cpu_scatter_elements_update_3 = { "openvino.scatter_elements_update_3", 4,
                                                     sizeof(ts_openvino_scatter_elements_update_3), run_elements };
const cpu_operator cpu_scatter_update = { "openvino.scatter_update", 4, sizeof(ts_openvino_scatter_update),
                                          run_slices };
