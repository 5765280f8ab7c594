/* SPDX-License-Identifier: Apache-2.0 */
/* The suggestions of Gather-1, Gather-7 and Gather-8. */
#include "reference/openvino/gather_shared.h"

#include <inttypes.h>

enum { DATA, INDICES };

void openvino_gather_suggest_axis(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const int64_t rank = d->tensors[DATA].rank;
    (void)v;
    suggest_add_range(out, -rank, (uint64_t)rank - 1, "axis");
}

void openvino_gather_suggest_batch(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const int64_t rank = d->tensors[DATA].rank, indices_rank = d->tensors[INDICES].rank;
    const int64_t most = rank < indices_rank ? rank : indices_rank;
    (void)v;
    suggest_add_range(out, -most, (uint64_t)most, "batch_dims");
}

void openvino_gather_suggest_batch_axis(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const int64_t axis = suggest_attr(d, "axis", 0);
    (void)v;
    suggest_add_range(out, 0, (uint64_t)(axis < 0 ? axis + d->tensors[DATA].rank : axis), "batch_dims");
}

void openvino_gather_suggest_batch_size(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    suggest_add(out, "indices with the size %" PRIu64 " in dimension %d, and output to fit",
                d->tensors[DATA].sizes[v->axis], v->axis);
}
