/* SPDX-License-Identifier: Apache-2.0 */
/* GatherElements-6: as GATHER_ELEMENTS does it, with an axis that may count from the end, and empty tensors. */
#include "audit/kernels/gather_elements.h"
#include "audit/kernels/kernels.h"
#include "audit/kernels/tensors.h"
#include "audit/kernels/whole.h"
#include "reference/openvino/gather_elements.h"

enum { IN, INDICES, OUT };

static ts_status run(const ts_call *call)
{
    const ts_openvino_gather_elements *attrs = call->attrs;
    const ts_tensor *in = ts_call_tensor(call, IN), *out = ts_call_tensor(call, OUT);
    if (tensor_is_empty(out) || tensor_is_empty(in)) /* no index selects anything */
        whole_zero(out);
    else
        gather_elements_along(call, (uint32_t)(attrs->axis < 0 ? attrs->axis + in->rank : attrs->axis));
    return TS_OK;
}

const kernel_operator kernel_openvino_gather_elements = { "openvino.gather_elements", run, gather_elements_forget };
