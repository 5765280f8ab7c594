/* SPDX-License-Identifier: Apache-2.0 */
/* The suggestions of ScatterNDUpdate-3, ScatterElementsUpdate-3 and ScatterUpdate-3. */
#include "reference/openvino/scatter_shared.h"

enum { DATA, INDICES, UPDATES };

void openvino_scatter_suggest_type(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    suggest_same_type(d, v, out);
}

void openvino_scatter_suggest_axis(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const int64_t rank = d->tensors[DATA].rank;
    (void)v;
    suggest_value(d, out, "axis", 0, -rank, rank - 1);
}

void openvino_scatter_suggest_tuple(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    suggest_size(out, 1u << INDICES, (unsigned)v->axis, 0, d->tensors[DATA].rank);
}

void openvino_scatter_suggest_size(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const uint32_t both = 1u << INDICES | 1u << UPDATES;
    if (v->axis < 0)
        suggest_tensor_number(out, SUGGEST_DIMS, both, d->tensors[DATA].rank, d->tensors[DATA].rank);
    else
        suggest_size(out, both, (unsigned)v->axis, 0, d->tensors[DATA].sizes[v->axis]);
}

void openvino_scatter_suggest_updates(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    openvino_scatter s;
    uint64_t sizes[TS_MAX_DIMS];
    uint32_t rank;
    (void)v;
    if (d->tensors[DATA].rank > OPENVINO_SCATTER_MOST_DIMS || d->tensors[INDICES].rank > OPENVINO_SCATTER_MOST_DIMS ||
        d->tensors[INDICES].rank < d->op->support->tensors[INDICES].min_dims || !openvino_scatter_place(d, &s, NULL))
        return;
    openvino_scatter_updates(d, &s, &rank, sizes);
    suggest_sizes(out, 1u << UPDATES, rank, sizes);
}
