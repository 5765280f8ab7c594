/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/scatter_elements.h"
#include "reference/dml_suggest.h"

#include <inttypes.h>

enum { IN, INDICES };

ts_suggest dml_scatter_elements_suggest_type, dml_scatter_elements_suggest_axis, dml_scatter_elements_suggest_indices,
    dml_scatter_elements_suggest_count, dml_scatter_elements_suggest_updates;

void dml_scatter_elements_suggest_type(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)v;
    suggest_add(out, "InputTensor, UpdatesTensor and OutputTensor of type %s",
                operator_dtype_name(d->op, d->tensors[IN].dtype));
}

void dml_scatter_elements_suggest_axis(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)v;
    suggest_add(out, "Axis = 0 to %u", d->tensors[IN].rank - 1);
}

void dml_scatter_elements_suggest_indices(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    suggest_add(out, "IndicesTensor.Sizes[%d] = %" PRIu64, v->axis, d->tensors[IN].sizes[v->axis]);
}

void dml_scatter_elements_suggest_count(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    suggest_add_range(out, 1, d->tensors[IN].sizes[v->axis], "IndicesTensor.Sizes[%d]", v->axis);
}

void dml_scatter_elements_suggest_updates(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    suggest_add(out, "UpdatesTensor.Sizes[%d] = %" PRIu64, v->axis, d->tensors[INDICES].sizes[v->axis]);
}
