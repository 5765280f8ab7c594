/* SPDX-License-Identifier: Apache-2.0 */
/* DML_SCATTER_ND as ScatterNDUpdate-3. */
#include "harness/formats/openvino/layer.h"
#include "backends/openvino/pack.h"
#include "reference/dml/scatter_nd.h"

#include <string.h>

enum { IN, INDICES, UPDATES, OUT, TENSORS };

/* Its indices are signed. */
static bool query(const ts_call *shape)
{
    const uint32_t dtype = pack_query(shape, TENSORS) ? ts_call_tensor(shape, INDICES)->dtype : 0;
    return dtype == TS_INT32 || dtype == TS_INT64;
}

static ts_status make(const ts_call *call, layer *l, const char **reason)
{
    const ts_dml_scatter_nd *a = call->attrs;
    const uint32_t given = TS_SCATTER_ND_GIVEN_INPUT_DIMENSION_COUNT | TS_SCATTER_ND_GIVEN_INDICES_DIMENSION_COUNT;
    const ts_tensor *t[TENSORS];
    *reason = "refused by the adapter: ScatterNDUpdate cannot express these shapes";
    if (!pack_tensors(call, TENSORS, t))
        return TS_REJECTED;
    memset(l, 0, sizeof *l);
    if ((call->attrs_given & given) != given || a->InputDimensionCount == 0 || a->IndicesDimensionCount == 0 ||
        t[UPDATES]->dtype != t[IN]->dtype || t[OUT]->dtype != t[IN]->dtype || t[OUT]->rank != t[IN]->rank ||
        !pack_same_sizes(t[OUT], t[IN], TS_MAX_DIMS) || !layer_keep_last(l, IN, t[IN], a->InputDimensionCount) ||
        !layer_keep_last(l, INDICES, t[INDICES], a->IndicesDimensionCount))
        return TS_REJECTED;
    const uint64_t tuple = t[INDICES]->sizes[t[INDICES]->rank - 1];
    if (tuple > a->InputDimensionCount ||
        !layer_keep_last(l, UPDATES, t[UPDATES], a->IndicesDimensionCount - 1 + (a->InputDimensionCount - tuple)))
        return TS_REJECTED;
    l->type = "ScatterNDUpdate";
    l->opset = "opset4";
    l->tensor_count = OUT;
    l->index_range = UINT64_MAX; /* what none of the dimensions of a tuple exceeds */
    for (uint32_t i = l->drop[IN]; i < l->drop[IN] + tuple; ++i)
        if (t[IN]->sizes[i] < l->index_range)
            l->index_range = t[IN]->sizes[i];
    l->out = t[OUT];
    l->reshaped = true;
    l->out_rank = a->InputDimensionCount;
    memcpy(l->out_sizes, t[OUT]->sizes + l->drop[IN], l->out_rank * sizeof l->out_sizes[0]);
    return TS_OK;
}

const layer_operator layer_scatter_nd = { "dml.scatter_nd", TENSORS, sizeof(ts_dml_scatter_nd), query, make };
