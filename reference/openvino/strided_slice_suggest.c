/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/openvino/strided_slice.h"
#include "harness/model/mention.h"
#include "harness/model/suggest.h"

enum { DATA, OUT };

ts_suggest openvino_strided_slice_suggest_lengths, openvino_strided_slice_suggest_bit,
    openvino_strided_slice_suggest_ellipsis, openvino_strided_slice_suggest_steps, openvino_strided_slice_suggest_index,
    openvino_strided_slice_suggest_stride, openvino_strided_slice_suggest_type;

static bool gives(const ts_descriptor *d, const char *attr)
{
    return d->attrs_given >> operator_attr_index(d->op, attr) & 1;
}

/* Lists as long as begin. */
void openvino_strided_slice_suggest_lengths(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const ts_openvino_strided_slice *a = TS_ATTRS(ts_openvino_strided_slice, d);
    const uint32_t steps = a->begin_count;
    (void)v;
    if (a->end_count != steps)
        suggest_length(d, out, "end", steps);
    if (gives(d, "stride") && a->stride_count != steps)
        suggest_length(d, out, "stride", steps);
}

void openvino_strided_slice_suggest_bit(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    static const int64_t bits[] = { 0, 1 };
    ts_mention m[8];
    const size_t count = mention_list(d, v, m, 8);
    for (size_t i = 0; i < count; ++i) {
        if (m[i].attr < 0)
            continue;
        suggest_values(d, out, d->op->attrs[m[i].attr].name,
                       m[i].index >= 0 ? (unsigned)m[i].index : (unsigned)(v->axis > 0 ? v->axis : 0), bits, 2);
        return;
    }
}

/* All ellipses but the first one become ordinary steps. */
void openvino_strided_slice_suggest_ellipsis(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const int k = operator_attr_index(d->op, "ellipsis_mask");
    bool first = true;
    (void)v;
    for (unsigned i = 0; i < operator_attr_count(d, (unsigned)k) && i < d->op->attrs[k].capacity; ++i) {
        if (suggest_attr(d, "ellipsis_mask", i) != 1)
            continue;
        if (!first)
            suggest_value(d, out, "ellipsis_mask", i, 0, 0);
        first = false;
    }
}

/* The steps beyond the dimensions become new axes: the last ones. */
void openvino_strided_slice_suggest_steps(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const ts_openvino_strided_slice *a = TS_ATTRS(ts_openvino_strided_slice, d);
    uint32_t steps = 0, kept = a->begin_count;
    (void)v;
    for (unsigned i = 0; i < a->begin_count && i < TS_STRIDED_SLICE_STEPS; ++i) {
        if (suggest_attr(d, "new_axis_mask", i) == 1 || suggest_attr(d, "ellipsis_mask", i) == 1)
            continue;
        if (steps == d->tensors[DATA].rank && kept == a->begin_count)
            kept = i;
        ++steps;
    }
    if (kept == a->begin_count)
        return;
    suggest_length(d, out, "begin", kept);
    suggest_length(d, out, "end", kept);
    if (gives(d, "stride"))
        suggest_length(d, out, "stride", kept);
}

void openvino_strided_slice_suggest_index(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const uint64_t size = v->axis >= 0 && v->axis < TS_MAX_DIMS ? d->tensors[DATA].sizes[v->axis] : 0;
    const unsigned i = mention_index(d, v, "begin");
    if (size > 0)
        suggest_value(d, out, "begin", i, -(int64_t)size, (int64_t)size - 1);
    else /* no index is legal in a dimension of size 0 */
        suggest_value(d, out, "shrink_axis_mask", i, 0, 0);
}

void openvino_strided_slice_suggest_stride(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    suggest_values(d, out, "stride", mention_index(d, v, "stride"), (const int64_t[]){ 1, -1 }, 2);
}

void openvino_strided_slice_suggest_type(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    suggest_same_type(d, v, out);
}
