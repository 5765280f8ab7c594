/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/join.h"
#include "reference/dml_suggest.h"

ts_suggest dml_join_suggest_axis, dml_join_suggest_size;

void dml_join_suggest_axis(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)v;
    suggest_value(d, out, "Axis", 0, 0, (int64_t)d->tensors[TS_JOIN_OUTPUT].rank - 1);
}

void dml_join_suggest_size(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    if (v->tensor < 0 || v->axis < 0)
        return;
    const uint64_t size = d->tensors[TS_JOIN_OUTPUT].sizes[v->axis];
    suggest_size(out, UINT32_C(1) << v->tensor, (unsigned)v->axis, size, size);
}
