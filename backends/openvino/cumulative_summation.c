/* SPDX-License-Identifier: Apache-2.0 */
/* DML_CUMULATIVE_SUMMATION as CumSum-3. */
#include "harness/formats/openvino/layer.h"
#include "backends/openvino/pack.h"
#include "reference/dml/cumulative_summation.h"

#include <stdio.h>
#include <string.h>

#define GIVEN                                                                                                          \
    (TS_CUMULATIVE_SUMMATION_GIVEN_AXIS | TS_CUMULATIVE_SUMMATION_GIVEN_AXIS_DIRECTION |                               \
     TS_CUMULATIVE_SUMMATION_GIVEN_HAS_EXCLUSIVE_SUM)

static bool query(const ts_call *shape)
{
    return pack_query(shape, 2);
}

static ts_status make(const ts_call *call, layer *l, const char **reason)
{
    const ts_dml_cumulative_summation *a = call->attrs;
    const ts_tensor *in = ts_call_tensor(call, 0), *out = ts_call_tensor(call, 1);
    *reason = "refused by the adapter: CumSum cannot express these shapes";
    if (!pack_legal(in, true) || !pack_legal(out, false) || in->dtype != out->dtype || in->rank != out->rank ||
        (call->attrs_given & GIVEN) != GIVEN || a->Axis >= in->rank || a->AxisDirection > TS_AXIS_DECREASING ||
        !pack_same_sizes(out, in, TS_MAX_DIMS))
        return TS_REJECTED;
    memset(l, 0, sizeof *l);
    l->type = "CumSum";
    l->opset = "opset3";
    l->tensor_count = 1;
    l->in[0] = in;
    l->out = out;
    l->list_count = 1;
    l->lists[0].scalar = true;
    l->lists[0].count = 1;
    l->lists[0].values[0] = a->Axis;
    snprintf(l->attributes, sizeof l->attributes, " exclusive=\"%s\" reverse=\"%s\"",
             a->HasExclusiveSum ? "true" : "false", a->AxisDirection == TS_AXIS_DECREASING ? "true" : "false");
    return TS_OK;
}

const layer_operator layer_cumulative_summation = { "dml.cumulative_summation", 2, sizeof(ts_dml_cumulative_summation),
                                                    query, make };
