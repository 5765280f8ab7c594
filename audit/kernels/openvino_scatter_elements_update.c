/* SPDX-License-Identifier: Apache-2.0 */
/* ScatterElementsUpdate-3: as SCATTER_ELEMENTS does it. The indices may have any type of integers, be fewer than the
   elements beside the axis, and be none. */
#include "audit/kernels/kernels.h"
#include "audit/kernels/scatter_elements.h"
#include "audit/kernels/tensors.h"
#include "audit/kernels/whole.h"
#include "reference/openvino/scatter_elements_update_3.h"

enum { IN, INDICES, UPDATES, OUT };

/* Do indices and output agree in all sizes but that of the axis? */
static bool agree_beside(const ts_tensor *indices, const ts_tensor *out, uint32_t axis)
{
    for (uint32_t k = 0; k < out->rank; ++k)
        if (k != axis && indices->sizes[k] != out->sizes[k])
            return false;
    return true;
}

static ts_status run(const ts_call *call)
{
    const ts_openvino_scatter_elements_update_3 *attrs = call->attrs;
    const ts_tensor *in = ts_call_tensor(call, IN), *indices = ts_call_tensor(call, INDICES);
    const ts_tensor *out = ts_call_tensor(call, OUT);
    const uint32_t axis = (uint32_t)(attrs->axis < 0 ? attrs->axis + in->rank : attrs->axis);
    if (tensor_is_empty(indices) || tensor_is_empty(out)) /* nothing is replaced */
        whole_copy(out, in);
    else
        scatter_elements_along(call, axis, agree_beside(indices, out, axis));
    return TS_OK;
}

const kernel_operator kernel_openvino_scatter_elements_update_3 = { "openvino.scatter_elements_update_3", run,
                                                                    scatter_elements_forget };
