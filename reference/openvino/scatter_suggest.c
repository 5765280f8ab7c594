/* SPDX-License-Identifier: Apache-2.0 */
/* The suggestions of ScatterNDUpdate-3, ScatterElementsUpdate-3 and ScatterUpdate-3. */
#include "reference/openvino/scatter_shared.h"

#include <inttypes.h>

enum { DATA, INDICES };

void openvino_scatter_suggest_type(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const uint32_t dtype = d->tensors[DATA].dtype;
    (void)v;
    if (dtype < TS_DTYPE_COUNT && (d->op->support->tensors[DATA].dtypes & TS_DTYPE_BIT(dtype)))
        suggest_add(out, "data, updates and output of type %s", operator_dtype_name(d->op, dtype));
}

void openvino_scatter_suggest_axis(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const int64_t rank = d->tensors[DATA].rank;
    (void)v;
    suggest_add_range(out, -rank, (uint64_t)rank - 1, "axis");
}

void openvino_scatter_suggest_tuple(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    suggest_add(out, "indices with the size 0 to %u in dimension %d, and updates to fit", d->tensors[DATA].rank,
                v->axis);
}

void openvino_scatter_suggest_size(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    if (v->axis < 0)
        suggest_add(out, "indices and updates of %u dimensions", d->tensors[DATA].rank);
    else
        suggest_add(out, "indices and updates with the size 0 to %" PRIu64 " in dimension %d",
                    d->tensors[DATA].sizes[v->axis], v->axis);
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
    suggest_add(out, "updates of shape [");
    for (uint32_t i = 0; i < rank; ++i)
        suggest_add(out, "%s%" PRIu64, i ? "," : "", sizes[i]);
    suggest_add(out, "]");
}
