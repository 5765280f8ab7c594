/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/faulty/fault_affine.h"
#include "reference/dml/slice1.h"
#include "reference/openvino/strided_slice.h"

static void add(affine *a, const ts_tensor *in, int dim, int64_t step)
{
    const uint32_t i = a->rank++;
    a->source[i] = dim;
    a->step[i] = step;
    a->from[i] = dim < 0 || dim >= (int)in->rank ? 0 : (int64_t)((uint64_t)step * in->strides[dim]);
}

static bool bit(const ts_descriptor *d, unsigned attr, const uint8_t *mask, uint32_t count, uint32_t i)
{
    return (d->attrs_given >> attr & 1u) && i < count && i < TS_STRIDED_SLICE_STEPS && mask[i] == 1;
}

static int64_t begin_of(int64_t begin, int64_t size, int64_t step, bool masked, unsigned quirks, bool numpy)
{
    if (masked && !(quirks & BEGIN_MASK_IGNORED) && !(step < 0 && (quirks & BEGIN_MASK_REVERSE_IGNORED)))
        return step > 0 ? 0 : size - 1;
    if (quirks & BEGIN_INT32)
        begin = (int32_t)(uint32_t)(uint64_t)begin;
    if (begin < 0)
        begin = quirks & BEGIN_NEGATIVE_ZERO ? 0 : begin + size;
    const int64_t low = step < 0 && numpy ? -1 : 0;
    const int64_t high = step > 0 ? size : size - 1;
    return begin < low ? low : begin > high ? high : begin;
}

static void affine_strided(affine *a, const ts_descriptor *d, unsigned quirks)
{
    const ts_openvino_strided_slice *s = TS_ATTRS(ts_openvino_strided_slice, d);
    const ts_tensor *in = &d->tensors[0];
    const uint32_t steps = s->begin_count;
    int consumed = 0;
    for (uint32_t i = 0; i < steps; ++i)
        consumed += !bit(d, 7, s->ellipsis_mask, s->ellipsis_mask_count, i) &&
                    !bit(d, 5, s->new_axis_mask, s->new_axis_mask_count, i);
    const int whole = (int)in->rank - consumed;
    bool spread = false;
    int dim = 0;
    for (uint32_t i = 0; i < steps; ++i) {
        if (bit(d, 7, s->ellipsis_mask, s->ellipsis_mask_count, i)) {
            spread = true;
            for (int k = 0; k < whole; ++k)
                add(a, in, dim + k, 1);
            dim += quirks & ELLIPSIS_AT_END ? 0 : whole - (quirks & ELLIPSIS_SHORT ? 1 : 0);
            dim = dim < 0 ? 0 : dim;
            continue;
        }
        if (bit(d, 5, s->new_axis_mask, s->new_axis_mask_count, i)) {
            add(a, in, -1, 0);
            dim += quirks & NEW_AXIS_CONSUMES ? 1 : 0;
            continue;
        }
        const int at = dim < (int)in->rank ? dim : (int)in->rank - 1;
        const int64_t size = (int64_t)in->sizes[at];
        ++dim;
        const bool masked = !(i >= 8 && (quirks & BEGIN_MASK_BYTE)) && bit(d, 3, s->begin_mask, s->begin_mask_count, i);
        if (bit(d, 6, s->shrink_axis_mask, s->shrink_axis_mask_count, i)) {
            int64_t index = s->begin[i] < 0 ? s->begin[i] + size : s->begin[i];
            if (s->begin[i] < 0 && (quirks & SHRINK_NEGATIVE_IGNORED))
                index = 0;
            if (masked && (quirks & SHRINK_BEGIN_MASK))
                index = 0;
            a->start += index * (int64_t)in->strides[at];
            continue;
        }
        const int64_t step = d->attrs_given >> 2 & 1u ? s->stride[i] : 1;
        a->start += begin_of(s->begin[i], size, step, masked, quirks, d->profile == TS_PROFILE_NUMPY) *
                    (int64_t)in->strides[at];
        add(a, in, at, step);
    }
    for (; !spread && dim < (int)in->rank && a->rank < TS_MAX_DIMS; ++dim)
        add(a, in, dim, 1);
}

affine affine_of(const fault_call *call, unsigned quirks)
{
    affine a;
    memset(&a, 0, sizeof a);
    const ts_tensor *in = call->in;
    if (call->on == ON_STRIDED) {
        affine_strided(&a, call->d, quirks);
    } else if (call->on == ON_SLICE1) {
        const ts_dml_slice1 *s = TS_ATTRS(ts_dml_slice1, call->d);
        for (uint32_t i = 0; i < in->rank; ++i) {
            const int64_t step = s->InputWindowStrides[i];
            const int64_t first =
                (int64_t)s->InputWindowOffsets[i] + (step < 0 ? (int64_t)s->InputWindowSizes[i] - 1 : 0);
            a.start += in->sizes[i] > 1 ? first * (int64_t)in->strides[i] : 0;
            add(&a, in, (int)i, step);
        }
    } else {
        for (uint32_t i = 0; i < in->rank; ++i)
            add(&a, in, (int)i, 1);
    }
    for (uint32_t i = 0; i < a.rank; ++i) {
        a.count[i] = call->out->sizes[i];
        a.to[i] = (int64_t)call->out->strides[i];
    }
    return a;
}
