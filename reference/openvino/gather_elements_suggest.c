/* SPDX-License-Identifier: Apache-2.0 */
/* The suggestions of GatherElements-6. */
#include "harness/model/suggest.h"

enum { DATA, INDICES, OUT };

ts_suggest openvino_gather_elements_suggest_axis, openvino_gather_elements_suggest_size;

void openvino_gather_elements_suggest_axis(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const int64_t rank = d->tensors[DATA].rank;
    (void)v;
    suggest_value(d, out, "axis", 0, -rank, rank - 1);
}

void openvino_gather_elements_suggest_size(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const uint64_t size = d->tensors[DATA].sizes[v->axis];
    suggest_size(out, 1u << INDICES, (unsigned)v->axis, size, size);
    suggest_fit(out, 1u << OUT);
}
