/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/join.h"
#include "reference/dml_suggest.h"

#include <inttypes.h>

ts_suggest dml_join_suggest_axis, dml_join_suggest_size;

void dml_join_suggest_axis(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)v;
    suggest_add(out, "Axis = 0 to %u", d->tensors[TS_JOIN_OUTPUT].rank - 1);
}

void dml_join_suggest_size(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    if (v->tensor >= 0 && v->axis >= 0)
        suggest_add(out, "%s.Sizes[%d] = %" PRIu64, d->op->tensors[v->tensor].name, v->axis,
                    d->tensors[TS_JOIN_OUTPUT].sizes[v->axis]);
}
