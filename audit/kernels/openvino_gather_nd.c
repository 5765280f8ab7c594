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

/* The tensor with as many batches as the other one: a single one is repeated, without a step. */
static ts_tensor broadcast(const ts_tensor *t, const ts_tensor *other, uint32_t batches)
{
    ts_tensor all = *t;
    for (uint32_t k = 0; k < batches; ++k)
        if (t->sizes[k] == 1) {
            all.sizes[k] = other->sizes[k];
            all.strides[k] = 0;
        }
    return all;
}

static ts_status gather(const ts_call *call, const ts_tensor *out, uint32_t batches)
{
    const ts_tensor *in = ts_call_tensor(call, IN), *indices = ts_call_tensor(call, INDICES);
    const ts_tensor all_in = broadcast(in, indices, batches), all_indices = broadcast(indices, in, batches);
    const nd_tensors t = { &all_in, &all_indices, out };
    if (tensor_is_empty(out) || tensor_is_empty(in)) /* no tuple selects anything */
        whole_zero(out);
    else
        gather_nd_batched(&t, &(ts_dml_gather_nd1){ in->rank, indices->rank, batches });
    return TS_OK;
}

/* The output with a dimension for each of two or more batches, which are those of `indices`. */
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
    const ts_tensor indices = broadcast(ts_call_tensor(call, INDICES), ts_call_tensor(call, IN), batches);
    const ts_tensor unfolded = unfold(out, &indices, batches);
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
