/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/planted/reported.h"
#include "reference/dml/slice1.h"
#include "reference/openvino/strided_slice.h"

static bool any_bit(const ts_descriptor *d, unsigned attr, const uint8_t *mask, uint32_t count)
{
    for (uint32_t i = 0; (d->attrs_given >> attr & 1u) && i < count && i < TS_STRIDED_SLICE_STEPS; ++i)
        if (mask[i])
            return true;
    return false;
}

static bool bit(const ts_descriptor *d, unsigned attr, const uint8_t *mask, uint32_t count, uint32_t i)
{
    return (d->attrs_given >> attr & 1u) && i < count && mask[i] == 1;
}

static int64_t limited(int64_t n, int64_t low, int64_t high)
{
    return n < low ? low : n > high ? high : n;
}

static bool window_of_strided(const ts_descriptor *d, uint32_t dim, window *w)
{
    const ts_openvino_strided_slice *s = TS_ATTRS(ts_openvino_strided_slice, d);
    if (any_bit(d, 5, s->new_axis_mask, s->new_axis_mask_count) ||
        any_bit(d, 6, s->shrink_axis_mask, s->shrink_axis_mask_count) ||
        any_bit(d, 7, s->ellipsis_mask, s->ellipsis_mask_count))
        return false;
    if (dim >= s->begin_count) {
        w->high = w->size;
        return true;
    }
    w->step = d->attrs_given >> 2 & 1u ? s->stride[dim] : 1;
    const bool back = w->step < 0;
    const int64_t least = back ? -1 : 0, most = back ? w->size - 1 : w->size;
    int64_t begin = s->begin[dim], end = s->end[dim];
    begin = limited(begin < 0 ? begin + w->size : begin, 0, most);
    end = limited(end < 0 ? end + w->size : end, least, most);
    if (bit(d, 3, s->begin_mask, s->begin_mask_count, dim))
        begin = back ? most : 0;
    if (bit(d, 4, s->end_mask, s->end_mask_count, dim))
        end = back ? -1 : most;
    w->low = back ? end + 1 : begin;
    w->high = back ? begin + 1 : end;
    w->first = begin;
    return true;
}

bool reported_window(const fault_call *call, uint32_t dim, window *w)
{
    if (dim >= call->in->rank)
        return false;
    *w = (window){ .step = 1, .size = (int64_t)call->in->sizes[dim] };
    if (call->on == ON_STRIDED)
        return window_of_strided(call->d, dim, w);
    if (call->on != ON_SLICE1)
        return false;
    const ts_dml_slice1 *s = TS_ATTRS(ts_dml_slice1, call->d);
    w->step = s->InputWindowStrides[dim];
    w->low = s->InputWindowOffsets[dim];
    w->high = w->low + (int64_t)s->InputWindowSizes[dim];
    w->first = w->step < 0 ? w->high - 1 : w->low;
    return true;
}

bool reported_plain(const fault_path *p)
{
    window w;
    return p->call->in->rank == p->call->out->rank && reported_window(p->call, 0, &w);
}
