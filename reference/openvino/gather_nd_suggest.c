/* SPDX-License-Identifier: Apache-2.0 */
/* The suggestions of GatherND-5 and GatherND-8. */
#include "reference/openvino/gather_nd_shared.h"

enum { DATA, INDICES, OUT };

void openvino_gather_nd_suggest_batch(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const int64_t rank = d->tensors[DATA].rank, indices_rank = d->tensors[INDICES].rank;
    (void)v;
    suggest_value(d, out, "batch_dims", 0, 0, (rank < indices_rank ? rank : indices_rank) - 1);
}

void openvino_gather_nd_suggest_batch_size(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const uint64_t size = d->tensors[DATA].sizes[v->axis];
    suggest_size(out, 1u << INDICES, (unsigned)v->axis, size, size);
    suggest_fit(out, 1u << OUT);
}

void openvino_gather_nd_suggest_tuple(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const int64_t most = d->tensors[DATA].rank - suggest_attr(d, "batch_dims", 0);
    if (most < 1)
        return;
    suggest_size(out, 1u << INDICES, (unsigned)v->axis, 1, (uint64_t)most);
    suggest_fit(out, 1u << OUT);
}
