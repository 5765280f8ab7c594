/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/cumulative_summation.h"
#include "reference/dml_suggest.h"

enum { IN };

ts_suggest dml_cumulative_summation_suggest_axis, dml_cumulative_summation_suggest_direction;

void dml_cumulative_summation_suggest_axis(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const ts_tensor *in = &d->tensors[IN];
    (void)v;
    if (in->rank >= 1 && in->rank <= TS_MAX_DIMS)
        suggest_add_range(out, 0, in->rank - 1, "Axis");
}

void dml_cumulative_summation_suggest_direction(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)d;
    (void)v;
    suggest_add(out, "AxisDirection = DML_AXIS_DIRECTION_INCREASING = 0 or DML_AXIS_DIRECTION_DECREASING = 1");
}
