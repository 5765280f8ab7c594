/* SPDX-License-Identifier: Apache-2.0 */
/* DML_GATHER as Gather-8. */
#include "harness/formats/openvino/layer.h"
#include "backends/openvino/pack.h"
#include "reference/dml/gather.h"

#include <string.h>

static bool query(const ts_call *shape)
{
    return pack_query(shape, 3) && pack_is_index(ts_call_tensor(shape, 1)->dtype);
}

/* In DirectML, all three tensors have the same rank, with leading dimensions of 1; Gather's indices have rank
   IndexDimensions. Gather's output has the same elements in the same order; only the number of leading 1s differs. */
static ts_status make(const ts_call *call, layer *l, const char **reason)
{
    const ts_dml_gather *a = call->attrs;
    const ts_tensor *in = ts_call_tensor(call, 0), *indices = ts_call_tensor(call, 1), *out = ts_call_tensor(call, 2);
    *reason = "refused by the adapter: Gather cannot express these shapes";
    if (!pack_legal(in, true) || !pack_legal(indices, true) || !pack_legal(out, false) || in->rank != out->rank ||
        indices->rank != in->rank || in->dtype != out->dtype || !(call->attrs_given & TS_GATHER_GIVEN_AXIS) ||
        !(call->attrs_given & TS_GATHER_GIVEN_INDEX_DIMENSIONS))
        return TS_REJECTED;
    const uint32_t rank = in->rank, axis = a->Axis, count = a->IndexDimensions;
    if (axis >= rank || count > rank)
        return TS_REJECTED;
    memset(l, 0, sizeof *l);
    for (uint32_t k = 0; k < rank - count; ++k)
        if (indices->sizes[k] != 1)
            return TS_REJECTED; /* ambiguous: which of them are meant */
    /* The sizes of the output with all leading 1s, and the difference in their number. */
    uint64_t full[2 * TS_MAX_DIMS];
    uint32_t n = 0, at = 0;
    for (uint32_t i = 0; i < axis; ++i)
        full[n++] = in->sizes[i];
    for (uint32_t i = rank - count; i < rank; ++i)
        full[n++] = indices->sizes[i];
    for (uint32_t i = axis + 1; i < rank; ++i)
        full[n++] = in->sizes[i];
    for (; n - at > rank; ++at)
        if (at >= axis || full[at] != 1)
            return TS_REJECTED;
    const uint32_t before = rank - (n - at);
    for (uint32_t i = 0; i < rank; ++i)
        if (out->sizes[i] != (i < before ? 1 : full[at + i - before]))
            return TS_REJECTED;
    l->type = "Gather";
    l->opset = "opset8";
    l->tensor_count = 2;
    l->in[0] = in;
    l->in[1] = indices;
    l->drop[1] = rank - count;
    l->out = out;
    l->reshaped = true;
    l->out_rank = n;
    memcpy(l->out_sizes, full, n * sizeof *full);
    l->has_batch_dims = true;
    l->list_count = 1;
    l->lists[0].scalar = true;
    l->lists[0].count = 1;
    l->lists[0].values[0] = axis;
    return TS_OK;
}

const layer_operator layer_gather = { "dml.gather", 3, sizeof(ts_dml_gather), query, make };
