/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/gather_elements.h"
#include "reference/dml_suggest.h"

enum { IN, INDICES, OUT };

ts_suggest dml_gather_elements_suggest_axis, dml_gather_elements_suggest_size;

void dml_gather_elements_suggest_axis(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)v;
    suggest_value(d, out, "Axis", 0, 0, (int64_t)d->tensors[IN].rank - 1);
}

void dml_gather_elements_suggest_size(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const uint64_t size = d->tensors[IN].sizes[v->axis];
    suggest_size(out, 1u << INDICES | 1u << OUT, (unsigned)v->axis, size, size);
}
