/* SPDX-License-Identifier: Apache-2.0 */
/* DML_GATHER_ELEMENTS as GatherElements-6. */
#include "harness/formats/openvino/layer.h"
#include "backends/openvino/pack.h"
#include "reference/dml/gather_elements.h"

#include <string.h>

/* GatherElements takes no unsigned indices. */
static bool query(const ts_call *shape)
{
    if (!pack_query(shape, 3))
        return false;
    const uint32_t indices = ts_call_tensor(shape, 1)->dtype;
    return indices == TS_INT32 || indices == TS_INT64;
}

static ts_status make(const ts_call *call, layer *l, const char **reason)
{
    const ts_dml_gather_elements *a = call->attrs;
    const ts_tensor *in = ts_call_tensor(call, 0), *indices = ts_call_tensor(call, 1), *out = ts_call_tensor(call, 2);
    *reason = "refused by the adapter: GatherElements cannot express these shapes";
    if (!pack_legal(in, true) || !pack_legal(indices, true) || !pack_legal(out, false) || in->dtype != out->dtype ||
        !(call->attrs_given & TS_GATHER_ELEMENTS_GIVEN_AXIS) || a->Axis >= in->rank ||
        !pack_same_sizes(out, indices, TS_MAX_DIMS) || !pack_same_sizes(indices, in, a->Axis))
        return TS_REJECTED;
    memset(l, 0, sizeof *l);
    l->type = "GatherElements";
    l->opset = "opset6";
    l->tensor_count = 2;
    l->in[0] = in;
    l->in[1] = indices;
    l->out = out;
    l->has_axis = true;
    l->axis = a->Axis;
    return TS_OK;
}

const layer_operator layer_gather_elements = { "dml.gather_elements", 3, sizeof(ts_dml_gather_elements), query, make };
