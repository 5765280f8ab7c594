/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/scatter_nd.h"
#include "reference/dml_interpretations.h"
#include "reference/dml_suggest.h"

#include <inttypes.h>

enum { IN, INDICES };

ts_suggest dml_scatter_nd_suggest_type, dml_scatter_nd_suggest_input_count, dml_scatter_nd_suggest_indices_count,
    dml_scatter_nd_suggest_ones, dml_scatter_nd_suggest_tuple, dml_scatter_nd_suggest_updates;

void dml_scatter_nd_suggest_type(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)v;
    suggest_add(out, "InputTensor, UpdatesTensor and OutputTensor of type %s",
                operator_dtype_name(d->op, d->tensors[IN].dtype));
}

void dml_scatter_nd_suggest_input_count(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)v;
    suggest_add_range(out, 1, d->tensors[IN].rank, "InputDimensionCount");
}

void dml_scatter_nd_suggest_indices_count(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)v;
    suggest_add_range(out, 1, d->tensors[INDICES].rank, "IndicesDimensionCount");
}

void dml_scatter_nd_suggest_ones(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    suggest_add(out, "%s.Sizes[%d] = 1", d->op->tensors[v->tensor].name, v->axis);
}

void dml_scatter_nd_suggest_tuple(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    suggest_add_range(out, 1, TS_ATTRS(ts_dml_scatter_nd, d)->InputDimensionCount, "IndicesTensor.Sizes[%d]", v->axis);
}

void dml_scatter_nd_suggest_updates(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    uint64_t sizes[TS_MAX_DIMS];
    (void)v;
    if (!dml_scatter_nd_updates_sizes(d, sizes))
        return; /* no sizes are legal */
    suggest_add(out, "UpdatesTensor sizes {");
    for (uint32_t i = 0; i < d->tensors[IN].rank; ++i)
        suggest_add(out, "%s%" PRIu64, i ? "," : "", sizes[i]);
    suggest_add(out, "}");
}
