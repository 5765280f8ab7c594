/* SPDX-License-Identifier: Apache-2.0 */
/* OpenVINO StridedSlice-1 (rules SS-01 to SS-14). The output shape is inferred here and reported. */
#include "backends/cpu/buffer.h"
#include "backends/cpu/copy.h"
#include "backends/cpu/cpu.h"
#include "reference/openvino/strided_slice.h"

#include <stddef.h>

enum { BEGIN, END, STRIDE, BEGIN_MASK, END_MASK, NEW_AXIS_MASK, SHRINK_AXIS_MASK, ELLIPSIS_MASK };

/* The result of analysing a descriptor: one dimension of the copy per output dimension, with steps of the source in
   bytes, and the start of the source. Unsigned, because values of illegal descriptors may overflow; negative steps are
   modulo 2^64. */
typedef struct plan {
    uint32_t rank;
    uint64_t sizes[TS_MAX_DIMS];
    uint64_t steps[TS_MAX_DIMS];
    uint64_t start;
} plan;

/* A mask as bits, one per slicing step: 0 if the mask is absent or shorter. Values after the last step must be 0 or 1
   too, but are ignored (SS-02, SS-03). */
static bool mask_bits(const ts_call *call, unsigned attr, const uint8_t *values, uint32_t count, uint32_t steps,
                      uint32_t *bits)
{
    *bits = 0;
    if (!(call->attrs_given & (1u << attr)))
        return true;
    if (count > TS_STRIDED_SLICE_STEPS)
        count = TS_STRIDED_SLICE_STEPS; /* the whole array */
    uint32_t all = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (values[i] > 1)
            return false;
        all |= (uint32_t)values[i] << i;
    }
    *bits = all & ((1u << steps) - 1);
    return true;
}

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

static bool plan_add(plan *p, uint64_t size, uint64_t step)
{
    if (p->rank == TS_MAX_DIMS)
        return false;
    p->sizes[p->rank] = size;
    p->steps[p->rank++] = size > 1 ? step : 0;
    return true;
}

/* A range: which elements of a dimension of d elements, `stride` bytes apart, are taken (SS-11, SS-12). */
static bool plan_range(plan *p, int64_t d, uint64_t stride, int64_t begin, int64_t end, int64_t step, bool from_edge,
                       bool to_edge, bool numpy)
{
    const bool forward = step > 0;
    const int64_t low = forward ? 0 : -1;
    const int64_t high = forward ? d : d - 1;
    int64_t b = forward ? low : high;
    int64_t e = forward ? high : low;
    if (!from_edge)
        b = clamp(begin < 0 ? begin + d : begin, forward || !numpy ? 0 : -1, high);
    if (!to_edge)
        e = clamp(end < 0 ? end + d : end, low, high);
    const int64_t distance = forward ? e - b : b - e;
    if (d == 0 || distance <= 0)
        return plan_add(p, 0, 0);
    const uint64_t magnitude = forward ? (uint64_t)step : 0 - (uint64_t)step;
    const uint64_t count = ((uint64_t)distance - 1) / magnitude + 1;
    p->start += (uint64_t)b * stride;
    return plan_add(p, count, (uint64_t)step * stride);
}

static bool plan_make(plan *p, const ts_call *call, const buffer *input)
{
    const ts_openvino_strided_slice *a = call->attrs;
    const uint32_t given = call->attrs_given;
    const uint32_t steps = a->begin_count;
    const bool strides_given = (given & (1u << STRIDE)) != 0;
    if (!(given & (1u << BEGIN)) || !(given & (1u << END)) || steps > TS_STRIDED_SLICE_STEPS || a->end_count != steps ||
        (strides_given && a->stride_count != steps)) /* SS-01 */
        return false;
    uint32_t begin_mask, end_mask, new_axis, shrink, ellipsis;
    if (!mask_bits(call, BEGIN_MASK, a->begin_mask, a->begin_mask_count, steps, &begin_mask) ||
        !mask_bits(call, END_MASK, a->end_mask, a->end_mask_count, steps, &end_mask) ||
        !mask_bits(call, NEW_AXIS_MASK, a->new_axis_mask, a->new_axis_mask_count, steps, &new_axis) ||
        !mask_bits(call, SHRINK_AXIS_MASK, a->shrink_axis_mask, a->shrink_axis_mask_count, steps, &shrink) ||
        !mask_bits(call, ELLIPSIS_MASK, a->ellipsis_mask, a->ellipsis_mask_count, steps, &ellipsis))
        return false;
    if ((ellipsis & (ellipsis - 1)) != 0) /* SS-04 */
        return false;
    uint32_t consumed = 0; /* number of input dimensions that steps consume */
    for (uint32_t i = 0; i < steps; ++i)
        consumed += !((ellipsis | new_axis) >> i & 1);
    if (consumed > input->rank) /* SS-06 */
        return false;
    uint32_t whole = input->rank - consumed; /* number of whole dimensions, at the ellipsis or at the end (SS-07) */

    p->rank = 0;
    p->start = 0;
    uint32_t dim = 0;
    for (uint32_t i = 0; i <= steps; ++i) {
        const uint32_t bit = 1u << i;
        if (i == steps || (ellipsis & bit)) {
            for (; whole > 0; --whole, ++dim)
                if (!plan_add(p, input->sizes[dim], input->strides[dim] * input->bytes))
                    return false;
            continue;
        }
        if (new_axis & bit) { /* SS-05: before shrink */
            if (!plan_add(p, 1, 0))
                return false;
            continue;
        }
        const int64_t d = (int64_t)input->sizes[dim];
        const uint64_t stride = input->strides[dim] * input->bytes;
        const int64_t begin = a->begin[i];
        ++dim;
        if (shrink & bit) { /* SS-09: neither the masks nor the stride matter */
            if (begin < -d || begin >= d)
                return false;
            p->start += (uint64_t)(begin < 0 ? begin + d : begin) * stride;
            continue;
        }
        const int64_t step = strides_given ? a->stride[i] : 1;
        if (step == 0 || !plan_range(p, d, stride, begin, a->end[i], step, begin_mask & bit, end_mask & bit,
                                     call->profile == TS_PROFILE_NUMPY))
            return false;
    }
    return true;
}

static void report(const ts_tensor *out, const plan *p)
{
    if (!out->reported)
        return;
    out->reported->rank = p->rank;
    for (uint32_t i = 0; i < p->rank; ++i)
        out->reported->sizes[i] = p->sizes[i];
}

static ts_status run(const ts_call *call)
{
    const ts_tensor *in = ts_call_tensor(call, 0);
    const ts_tensor *out = ts_call_tensor(call, 1);
    if (call->profile > TS_PROFILE_NUMPY)
        return TS_UNSUPPORTED;
    buffer input, output;
    plan p;
    if (!buffer_check_openvino(&input, in) || !plan_make(&p, call, &input))
        return TS_REJECTED;
    report(out, &p);
    if (!buffer_check_openvino(&output, out) || out->dtype != in->dtype || output.rank != p.rank)
        return TS_REJECTED;
    copy_dim dims[TS_MAX_DIMS];
    for (uint32_t i = 0; i < p.rank; ++i) {
        if (out->sizes[i] != p.sizes[i])
            return TS_REJECTED;
        dims[i].count = p.sizes[i];
        dims[i].to = (int64_t)(output.strides[i] * output.bytes);
        dims[i].from = (int64_t)p.steps[i];
    }
    if (cpu_only_asks(call) || output.elements == 0)
        return TS_OK;
    if (buffer_lacks_data(&input) || buffer_lacks_data(&output))
        return TS_ERROR;
    copy_strided(output.data, input.data + (ptrdiff_t)p.start, input.bytes, dims, p.rank);
    return TS_OK;
}

const cpu_operator cpu_strided_slice = { "openvino.strided_slice", 2, sizeof(ts_openvino_strided_slice), run };
