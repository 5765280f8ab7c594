/* SPDX-License-Identifier: Apache-2.0 */
/* OpenVINO's GatherElements-6: an index for each element of the output, on its own line of data along the axis (rules
   GE6-01 to GE6-14). */
#include "backends/cpu/buffer.h"
#include "backends/cpu/cpu.h"
#include "backends/cpu/position.h"
#include "reference/openvino/gather_elements.h"

#include <string.h>

#define MOST_DIMS 8

/* One dimension of the walk, and the bytes by which a step moves each tensor. data does not move along the axis. */
typedef struct line_dim {
    uint64_t count;
    int64_t to, index, from;
} line_dim;

typedef struct walk {
    line_dim dims[MOST_DIMS];
    uint32_t rank;
    uint32_t bytes, index_type;
    uint64_t size; /* of the axis */
    int64_t step;  /* bytes from one of its elements to the next */
} walk;

/* The element at an index of the line that begins at `line`. One that no index selects is 0 (GE6-12). */
static void take(const walk *w, unsigned char *to, const unsigned char *line, const unsigned char *index)
{
    static const uint64_t nothing = 0;
    const uint64_t at = position(index, w->index_type, w->size, true);
    const void *from = at < w->size ? line + (int64_t)at * w->step : (const unsigned char *)&nothing;
    switch (w->bytes) {
    case 1: *to = *(const uint8_t *)from; break;
    case 2: *(uint16_t *)(void *)to = *(const uint16_t *)from; break;
    case 4: *(uint32_t *)(void *)to = *(const uint32_t *)from; break;
    default: *(uint64_t *)(void *)to = *(const uint64_t *)from; break;
    }
}

/* Dimension `i` of the walk and those behind it. */
static void walk_from(const walk *w, uint32_t i, unsigned char *to, const unsigned char *line,
                      const unsigned char *index)
{
    const line_dim *d = &w->dims[i];
    for (uint64_t k = 0; k < d->count; ++k, to += d->to, line += d->from, index += d->index) {
        if (i + 1 < w->rank)
            walk_from(w, i + 1, to, line, index);
        else
            take(w, to, line, index);
    }
}

static bool same_shape(const buffer *a, const buffer *b, uint32_t except)
{
    for (uint32_t i = 0; i < a->rank; ++i)
        if (i != except && a->sizes[i] != b->sizes[i])
            return false;
    return a->rank == b->rank;
}

static ts_status run(const ts_call *call)
{
    const ts_openvino_gather_elements *a = call->attrs;
    const ts_tensor *in = ts_call_tensor(call, 0), *picks = ts_call_tensor(call, 1), *out = ts_call_tensor(call, 2);
    buffer data, indices, output;
    if (!(call->attrs_given & TS_OPENVINO_GATHER_ELEMENTS_GIVEN_AXIS) || !buffer_check_openvino(&data, in) ||
        !buffer_check_openvino(&indices, picks) || (picks->dtype != TS_INT32 && picks->dtype != TS_INT64) ||
        data.rank < 1 || data.rank > MOST_DIMS || indices.rank != data.rank)
        return TS_REJECTED;
    if (a->axis < -(int64_t)data.rank || a->axis >= (int64_t)data.rank)
        return TS_REJECTED;
    const uint32_t axis = (uint32_t)(a->axis < 0 ? data.rank + a->axis : a->axis);
    if (!same_shape(&data, &indices, axis))
        return TS_REJECTED;
    if (out->reported) {
        out->reported->rank = indices.rank;
        memcpy(out->reported->sizes, indices.sizes, indices.rank * sizeof indices.sizes[0]);
    }
    if (!buffer_check_openvino(&output, out) || out->dtype != in->dtype || output.rank != indices.rank ||
        !same_shape(&output, &indices, MOST_DIMS))
        return TS_REJECTED;
    if (cpu_only_asks(call) || output.elements == 0)
        return TS_OK;
    if (buffer_lacks_data(&data) || buffer_lacks_data(&indices) || buffer_lacks_data(&output))
        return TS_ERROR;
    walk w = { .rank = data.rank, .bytes = data.bytes, .index_type = picks->dtype, .size = data.sizes[axis] };
    w.step = (int64_t)(data.strides[axis] * data.bytes);
    for (uint32_t i = 0; i < data.rank; ++i)
        w.dims[i] = (line_dim){ .count = indices.sizes[i],
                                .to = (int64_t)(output.strides[i] * output.bytes),
                                .index = (int64_t)(indices.strides[i] * indices.bytes),
                                .from = i == axis ? 0 : (int64_t)(data.strides[i] * data.bytes) };
    walk_from(&w, 0, output.data, data.data, indices.data);
    return TS_OK;
}

const cpu_operator cpu_gather_lines = { "openvino.gather_elements", 3, sizeof(ts_openvino_gather_elements), run };
