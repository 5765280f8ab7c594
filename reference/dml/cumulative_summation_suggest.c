/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/cumulative_summation.h"
#include "reference/dml_suggest.h"

enum { IN };

ts_suggest dml_cumulative_summation_suggest_axis, dml_cumulative_summation_suggest_direction;

void dml_cumulative_summation_suggest_axis(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)v;
    suggest_value(d, out, "Axis", 0, 0, (int64_t)d->tensors[IN].rank - 1);
}

void dml_cumulative_summation_suggest_direction(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)v;
    suggest_values(d, out, "AxisDirection", 0, (const int64_t[]){ 0, 1 }, 2);
}
