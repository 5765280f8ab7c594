/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/scatter_elements.h"
#include "reference/dml_suggest.h"

enum { IN, INDICES, UPDATES };

ts_suggest dml_scatter_elements_suggest_type, dml_scatter_elements_suggest_axis, dml_scatter_elements_suggest_indices,
    dml_scatter_elements_suggest_count, dml_scatter_elements_suggest_updates;

void dml_scatter_elements_suggest_type(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    suggest_same_type(d, v, out);
}

void dml_scatter_elements_suggest_axis(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)v;
    suggest_value(d, out, "Axis", 0, 0, (int64_t)d->tensors[IN].rank - 1);
}

/* The indices, and the updates with them. */
void dml_scatter_elements_suggest_indices(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const uint64_t size = d->tensors[IN].sizes[v->axis];
    suggest_size(out, 1u << INDICES | 1u << UPDATES, (unsigned)v->axis, size, size);
}

void dml_scatter_elements_suggest_count(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    suggest_size(out, 1u << INDICES | 1u << UPDATES, (unsigned)v->axis, 1, d->tensors[IN].sizes[v->axis]);
}

void dml_scatter_elements_suggest_updates(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const uint64_t size = d->tensors[INDICES].sizes[v->axis];
    suggest_size(out, 1u << UPDATES, (unsigned)v->axis, size, size);
}
