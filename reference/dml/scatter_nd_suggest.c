/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/scatter_nd.h"
#include "reference/dml_interpretations.h"
#include "reference/dml_suggest.h"

enum { IN, INDICES, UPDATES };

ts_suggest dml_scatter_nd_suggest_type, dml_scatter_nd_suggest_input_count, dml_scatter_nd_suggest_indices_count,
    dml_scatter_nd_suggest_ones, dml_scatter_nd_suggest_tuple, dml_scatter_nd_suggest_updates;

void dml_scatter_nd_suggest_type(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    suggest_same_type(d, v, out);
}

void dml_scatter_nd_suggest_input_count(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)v;
    suggest_value(d, out, "InputDimensionCount", 0, 1, d->tensors[IN].rank);
}

void dml_scatter_nd_suggest_indices_count(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)v;
    suggest_value(d, out, "IndicesDimensionCount", 0, 1, d->tensors[INDICES].rank);
}

void dml_scatter_nd_suggest_ones(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)d;
    suggest_size(out, UINT32_C(1) << v->tensor, (unsigned)v->axis, 1, 1);
}

void dml_scatter_nd_suggest_tuple(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    suggest_size(out, 1u << INDICES, (unsigned)v->axis, 1, TS_ATTRS(ts_dml_scatter_nd, d)->InputDimensionCount);
}

void dml_scatter_nd_suggest_updates(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    uint64_t sizes[TS_MAX_DIMS];
    (void)v;
    if (dml_scatter_nd_updates_sizes(d, sizes)) /* else no sizes are legal */
        suggest_sizes(out, 1u << UPDATES, d->tensors[IN].rank, sizes);
}
