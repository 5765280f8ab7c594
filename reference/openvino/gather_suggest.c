/* SPDX-License-Identifier: Apache-2.0 */
/* The suggestions of Gather-1, Gather-7 and Gather-8. */
#include "reference/openvino/gather_shared.h"

enum { DATA, INDICES, OUT };

void openvino_gather_suggest_axis(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const int64_t rank = d->tensors[DATA].rank;
    (void)v;
    suggest_value(d, out, "axis", 0, -rank, rank - 1);
}

void openvino_gather_suggest_batch(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const int64_t rank = d->tensors[DATA].rank, indices_rank = d->tensors[INDICES].rank;
    const int64_t most = rank < indices_rank ? rank : indices_rank;
    (void)v;
    suggest_value(d, out, "batch_dims", 0, -most, most);
}

void openvino_gather_suggest_batch_axis(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const int64_t axis = suggest_attr(d, "axis", 0);
    (void)v;
    suggest_value(d, out, "batch_dims", 0, 0, axis < 0 ? axis + d->tensors[DATA].rank : axis);
}

void openvino_gather_suggest_batch_size(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const uint64_t size = d->tensors[DATA].sizes[v->axis];
    suggest_size(out, 1u << INDICES, (unsigned)v->axis, size, size);
    suggest_fit(out, 1u << OUT);
}
