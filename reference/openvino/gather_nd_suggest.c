/* SPDX-License-Identifier: Apache-2.0 */
/* The suggestions of GatherND-5 and GatherND-8. */
#include "reference/openvino/gather_nd_shared.h"

#include <inttypes.h>

enum { DATA, INDICES };

void openvino_gather_nd_suggest_batch(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const uint32_t rank = d->tensors[DATA].rank, indices_rank = d->tensors[INDICES].rank;
    (void)v;
    suggest_add_range(out, 0, (rank < indices_rank ? rank : indices_rank) - 1, "batch_dims");
}

void openvino_gather_nd_suggest_batch_size(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    suggest_add(out, "indices with the size %" PRIu64 " or 1 in dimension %d, and output to fit",
                d->tensors[DATA].sizes[v->axis], v->axis);
}

void openvino_gather_nd_suggest_tuple(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const int64_t most = d->tensors[DATA].rank - suggest_attr(d, "batch_dims", 0);
    suggest_add(out, "indices with a size of 1 to %" PRId64 " in dimension %d, and output to fit", most, v->axis);
}
