/* SPDX-License-Identifier: Apache-2.0 */
/* GatherND-5 and GatherND-8: as GATHER_ND1 does it. Of GatherND-5's output, the one dimension of all batches is taken
   apart again. */
#include "audit/kernels/gather_nd1.h"
#include "audit/kernels/kernels.h"
#include "audit/kernels/tensors.h"
#include "audit/kernels/whole.h"
#include "reference/openvino/gather_nd_5.h"
#include "reference/openvino/gather_nd_8.h"

enum { IN, INDICES, OUT };

static ts_status gather(const ts_call *call, const ts_tensor *out, uint32_t batches)
{
    const ts_tensor *in = ts_call_tensor(call, IN), *indices = ts_call_tensor(call, INDICES);
    const nd_tensors t = { in, indices, out };
    if (tensor_is_empty(out) || tensor_is_empty(in)) /* no tuple selects anything */
        whole_zero(out);
    else
        gather_nd_batched(&t, &(ts_dml_gather_nd1){ in->rank, indices->rank, batches });
    return TS_OK;
}

/* The output with a dimension for each of two or more batches. */
static ts_tensor unfold(const ts_tensor *out, const ts_tensor *indices, uint32_t batches)
{
    ts_tensor unfolded = *out;
    unfolded.rank = out->rank - 1 + batches;
    for (uint32_t k = 1; k < out->rank; ++k) {
        unfolded.sizes[batches + k - 1] = out->sizes[k];
        unfolded.strides[batches + k - 1] = out->strides[k];
    }
    uint64_t stride = out->strides[0];
    for (uint32_t k = batches; k-- > 0;) {
        unfolded.sizes[k] = indices->sizes[k];
        unfolded.strides[k] = stride;
        stride *= indices->sizes[k];
    }
    return unfolded;
}

static ts_status run_5(const ts_call *call)
{
    const ts_openvino_gather_nd_5 *attrs = call->attrs;
    const int64_t stated = call->attrs_given & TS_GATHER_ND_5_GIVEN_BATCH_DIMS ? attrs->batch_dims : 0;
    const uint32_t batches = (uint32_t)stated;
    const ts_tensor *out = ts_call_tensor(call, OUT);
    if (batches < 2)
        return gather(call, out, batches);
    const ts_tensor unfolded = unfold(out, ts_call_tensor(call, INDICES), batches);
    return gather(call, &unfolded, batches);
}

static ts_status run_8(const ts_call *call)
{
    const ts_openvino_gather_nd_8 *attrs = call->attrs;
    const int64_t batches = call->attrs_given & TS_GATHER_ND_8_GIVEN_BATCH_DIMS ? attrs->batch_dims : 0;
    return gather(call, ts_call_tensor(call, OUT), (uint32_t)batches);
}

const kernel_operator kernel_openvino_gather_nd_5 = { "openvino.gather_nd_5", run_5, gather_nd_forget };
const kernel_operator kernel_openvino_gather_nd_8 = { "openvino.gather_nd_8", run_8, gather_nd_forget };
