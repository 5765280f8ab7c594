/* SPDX-License-Identifier: Apache-2.0 */
/* DML_SCATTER_ELEMENTS as ScatterElementsUpdate-3. */
#include "harness/formats/openvino/layer.h"
#include "backends/openvino/pack.h"
#include "reference/dml/scatter_elements.h"

#include <string.h>

enum { IN, INDICES, UPDATES, OUT, TENSORS };

static bool query(const ts_call *shape)
{
    return pack_query(shape, TENSORS) && pack_is_index(ts_call_tensor(shape, INDICES)->dtype);
}

static ts_status make(const ts_call *call, layer *l, const char **reason)
{
    const ts_dml_scatter_elements *a = call->attrs;
    const ts_tensor *t[TENSORS];
    *reason = "refused by the adapter: ScatterElementsUpdate cannot express these shapes";
    if (!pack_tensors(call, TENSORS, t))
        return TS_REJECTED;
    if (!(call->attrs_given & TS_SCATTER_ELEMENTS_GIVEN_AXIS) || a->Axis >= t[IN]->rank ||
        t[UPDATES]->dtype != t[IN]->dtype || t[OUT]->dtype != t[IN]->dtype ||
        !pack_same_sizes(t[OUT], t[IN], TS_MAX_DIMS) || !pack_same_sizes(t[UPDATES], t[INDICES], TS_MAX_DIMS) ||
        !pack_same_sizes(t[INDICES], t[IN], a->Axis))
        return TS_REJECTED;
    memset(l, 0, sizeof *l);
    l->type = "ScatterElementsUpdate";
    l->opset = "opset3";
    l->tensor_count = OUT;
    memcpy(l->in, t, sizeof l->in);
    l->index_range = t[IN]->sizes[a->Axis];
    l->out = t[OUT];
    l->list_count = 1;
    l->lists[0].scalar = true;
    l->lists[0].count = 1;
    l->lists[0].values[0] = a->Axis;
    return TS_OK;
}

const layer_operator layer_scatter_elements = { "dml.scatter_elements", TENSORS, sizeof(ts_dml_scatter_elements), query,
                                                make };
