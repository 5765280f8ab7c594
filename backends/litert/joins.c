/* SPDX-License-Identifier: Apache-2.0 */
/* JOIN as CONCATENATION, and ELEMENT_WISE_IDENTITY as RESHAPE to the same sizes. */
#include "backends/litert/node.h"
#include "reference/dml/join.h"

ts_status node_join(const ts_call *call, node *n, const char **reason)
{
    const ts_dml_join *a = call->attrs;
    const uint32_t given = TS_JOIN_GIVEN_INPUT_COUNT | TS_JOIN_GIVEN_AXIS;
    *reason = "refused by the adapter: CONCATENATION cannot express this call";
    if ((call->attrs_given & given) != given || a->InputCount == 0 || a->InputCount > TS_JOIN_MAX_INPUTS ||
        a->Axis > INT32_MAX)
        return TS_REJECTED;
    n->operation = NODE_CONCATENATION;
    n->options_type = NODE_CONCATENATION_OPTIONS;
    n->option_count = 2; /* the axis, and no activation */
    n->options[0] = (int32_t)a->Axis;
    for (uint32_t i = 0; i < a->InputCount; ++i) {
        const ts_tensor *t = ts_call_tensor(call, i);
        if (!(t->given & TS_GIVEN_TENSOR))
            return TS_REJECTED;
        n->in[n->input_count++] = t;
    }
    return TS_OK;
}

ts_status node_identity(const ts_call *call, node *n, const char **reason)
{
    const ts_tensor *in = ts_call_tensor(call, 0), *out = ts_call_tensor(call, 1);
    n->operation = NODE_RESHAPE;
    n->options_type = NODE_RESHAPE_OPTIONS;
    n->in[n->input_count++] = in;
    n->list_count = 1;
    n->list_sizes[0] = out->rank;
    bool same = in->rank == out->rank && in->dtype == out->dtype && out->rank > 0;
    for (uint32_t i = 0; same && i < out->rank; ++i) {
        same = in->sizes[i] == out->sizes[i];
        if (out->sizes[i] > INT32_MAX) {
            *reason = "a size of TensorFlow Lite has 32 bits";
            return TS_UNSUPPORTED;
        }
        n->lists[0][i] = (int32_t)out->sizes[i];
    }
    *reason = "refused by the adapter: RESHAPE would not be the identity";
    return same ? TS_OK : TS_REJECTED;
}
