/* SPDX-License-Identifier: Apache-2.0 */
/* The suggestions of GatherElements-6. */
#include "harness/model/suggest.h"

#include <inttypes.h>

enum { DATA, INDICES };

ts_suggest openvino_gather_elements_suggest_axis, openvino_gather_elements_suggest_size;

void openvino_gather_elements_suggest_axis(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const int64_t rank = d->tensors[DATA].rank;
    (void)v;
    suggest_add_range(out, -rank, (uint64_t)rank - 1, "axis");
}

void openvino_gather_elements_suggest_size(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    suggest_add(out, "indices with the size %" PRIu64 " in dimension %d, and output to fit",
                d->tensors[DATA].sizes[v->axis], v->axis);
}
