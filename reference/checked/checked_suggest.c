/* SPDX-License-Identifier: Apache-2.0 */
/* What would be legal where a trial does not find it. */
#include "reference/checked/checked.h"

#include "harness/model/suggest.h"

void checked_suggest_no_scale(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const int k = operator_attr_index(d->op, "FusedActivation");
    const ts_nested_operator nested = operator_nested(d, (unsigned)k, 0);
    ts_descriptor inner;
    (void)v;
    if (operator_of_nested(&inner, &d->op->attrs[k], &nested))
        suggest_add(out, &(suggest_edit){ .kind = SUGGEST_NESTED_LESS,
                                          .attr = (unsigned)k,
                                          .count = 1,
                                          .values = { operator_attr_index(inner.op, "ScaleBias") } });
}
