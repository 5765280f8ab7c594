/* SPDX-License-Identifier: Apache-2.0 */
/* DML_SLICE1 as Slice-8. */
#include "backends/fetched/window.h"
#include "backends/openvino/pack.h"
#include "harness/formats/openvino/layer.h"

#include <string.h>

static bool query(const ts_call *shape)
{
    return pack_query(shape, 2);
}

/* Slice has a range where SLICE1 has a window; the end of the range follows from the size of the output. An illegal
   window has no range. */
static ts_status make(const ts_call *call, layer *l, const char **reason)
{
    const ts_dml_slice1 *a = call->attrs;
    const ts_tensor *in = ts_call_tensor(call, 0), *out = ts_call_tensor(call, 1);
    *reason = "refused by the adapter: Slice cannot express this window";
    if (!pack_legal(in, true) || !pack_legal(out, false) || (call->attrs_given & 0xE) != 0xE || in->rank != out->rank ||
        in->dtype != out->dtype || a->DimensionCount != in->rank)
        return TS_REJECTED;
    memset(l, 0, sizeof *l);
    l->type = "Slice";
    l->opset = "opset8";
    l->tensor_count = 1;
    l->in[0] = in;
    l->out = out;
    l->list_count = 4; /* start, stop, step, axes */
    for (uint32_t i = 0; i < in->rank; ++i) {
        int64_t start, stop;
        if (!window_range(a, i, in->sizes[i], out->sizes[i], &start, &stop))
            return TS_REJECTED;
        l->lists[0].values[i] = start;
        l->lists[1].values[i] = stop;
        l->lists[2].values[i] = a->InputWindowStrides[i];
        l->lists[3].values[i] = i;
    }
    for (unsigned k = 0; k < l->list_count; ++k)
        l->lists[k].count = in->rank;
    return TS_OK;
}

const layer_operator layer_slice1 = { "dml.slice1", 2, sizeof(ts_dml_slice1), query, make };
