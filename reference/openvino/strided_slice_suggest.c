/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/openvino/strided_slice.h"
#include "harness/model/mention.h"
#include "harness/model/suggest.h"

#include <inttypes.h>

enum { DATA, OUT };

ts_suggest openvino_strided_slice_suggest_lengths, openvino_strided_slice_suggest_bit,
    openvino_strided_slice_suggest_ellipsis, openvino_strided_slice_suggest_steps, openvino_strided_slice_suggest_index,
    openvino_strided_slice_suggest_stride, openvino_strided_slice_suggest_type;

void openvino_strided_slice_suggest_lengths(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const ts_openvino_strided_slice *a = TS_ATTRS(ts_openvino_strided_slice, d);
    uint32_t steps = a->begin_count;
    bool no_stride = !(d->attrs_given >> operator_attr_index(d->op, "stride") & 1);
    (void)v;
    if (a->end_count == steps && (no_stride || a->stride_count == steps))
        return; /* something else breaks SS-01 */
    suggest_add(out, "end and stride with %u value%s, like begin; or no stride", steps, steps == 1 ? "" : "s");
}

void openvino_strided_slice_suggest_bit(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)d;
    (void)v;
    suggest_add(out, "0 or 1");
}

void openvino_strided_slice_suggest_ellipsis(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)d;
    (void)v;
    suggest_add(out, "ellipsis_mask with one 1, or none");
}

void openvino_strided_slice_suggest_steps(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)v;
    suggest_add(out, "at most %u shrink and range steps", d->tensors[DATA].rank);
}

void openvino_strided_slice_suggest_index(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    uint64_t size = v->axis >= 0 && v->axis < TS_MAX_DIMS ? d->tensors[DATA].sizes[v->axis] : 0;
    if (size > 0)
        suggest_add(out, "begin[%u] = -%" PRIu64 " to %" PRIu64, mention_index(d, v, "begin"), size, size - 1);
    else
        suggest_add(out, "no shrink step over a dimension of size 0");
}

void openvino_strided_slice_suggest_stride(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    suggest_add(out, "stride[%u] of any value but 0", mention_index(d, v, "stride"));
}

void openvino_strided_slice_suggest_type(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    if (d->tensors[OUT].dtype != d->tensors[DATA].dtype)
        suggest_same_type(d, v, out);
}
