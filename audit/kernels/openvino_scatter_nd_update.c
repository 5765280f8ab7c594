/* SPDX-License-Identifier: Apache-2.0 */
/* ScatterNDUpdate-3: as SCATTER_ND does it. Tuples without indices, which SCATTER_ND has not, replace the whole output.
 */
#include "audit/kernels/kernels.h"
#include "audit/kernels/lanes.h"
#include "audit/kernels/scatter_nd.h"
#include "audit/kernels/tensors.h"
#include "audit/kernels/whole.h"

enum { IN, INDICES, UPDATES, OUT };

/* The last of the blocks of updates, each of which replaces the whole output. */
static ts_tensor last_block(const ts_tensor *updates, const ts_tensor *out)
{
    const uint32_t array = updates->rank - out->rank;
    ts_tensor block = *out;
    uint64_t offset = 0;
    for (uint32_t k = 0; k < array; ++k)
        offset += (updates->sizes[k] - 1) * updates->strides[k];
    for (uint32_t k = 0; k < out->rank; ++k)
        block.strides[k] = updates->strides[array + k];
    block.data = (unsigned char *)updates->data + offset * lane_bytes(updates->dtype);
    return block;
}

static ts_status run(const ts_call *call)
{
    const ts_tensor *in = ts_call_tensor(call, IN), *indices = ts_call_tensor(call, INDICES);
    const ts_tensor *updates = ts_call_tensor(call, UPDATES), *out = ts_call_tensor(call, OUT);
    if (tensor_is_empty(updates) || tensor_is_empty(out)) { /* nothing is replaced */
        whole_copy(out, in);
    } else if (indices->sizes[indices->rank - 1] == 0) {
        const ts_tensor block = last_block(updates, out);
        whole_copy(out, &block);
    } else {
        scatter_nd_counted(call, &(ts_dml_scatter_nd){ in->rank, indices->rank });
    }
    return TS_OK;
}

const kernel_operator kernel_openvino_scatter_nd_update_3 = { "openvino.scatter_nd_update_3", run, scatter_nd_forget };
