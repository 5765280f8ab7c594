/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of NonZero-3 as that layer. */
#include "harness/formats/openvino/layer.h"
#include "reference/openvino/non_zero_3.h"

#include <stdio.h>
#include <string.h>

#define MOST_ELEMENTS (UINT64_C(1) << 24) /* of data: OpenVINO computes the output, too */

enum { DATA, OUT };

static bool query(const ts_call *shape)
{
    const ts_tensor *data = ts_call_tensor(shape, DATA), *out = ts_call_tensor(shape, OUT);
    return shape->profile == TS_PROFILE_DEFAULT && (out->given & TS_GIVEN_TENSOR) &&
           (!(data->given & TS_GIVEN_TENSOR) || (ir_type(data->dtype) && data->rank <= TS_MAX_DIMS));
}

static ts_status make(const ts_call *call, layer *l, const char **reason)
{
    const ts_openvino_non_zero_3 *a = call->attrs;
    const ts_tensor *data = ts_call_tensor(call, DATA);
    uint64_t elements = 1;
    memset(l, 0, sizeof *l);
    l->type = "NonZero";
    l->opset = "opset3";
    l->tensor_count = 1;
    l->in[0] = data->given & TS_GIVEN_TENSOR ? data : NULL;
    l->out = ts_call_tensor(call, OUT);
    for (uint32_t k = 0; l->in[0] && k < data->rank; ++k)
        if (__builtin_mul_overflow(elements, data->sizes[k] ? data->sizes[k] : 1, &elements))
            elements = UINT64_MAX;
    if (elements > MOST_ELEMENTS) {
        *reason = "the output may be too large to be computed";
        return TS_UNSUPPORTED;
    }
    if (call->attrs_given & TS_NON_ZERO_3_GIVEN_OUTPUT_TYPE)
        snprintf(l->attributes, sizeof l->attributes, " output_type=\"%s\"",
                 a->output_type == TS_NON_ZERO_3_I64   ? "i64"
                 : a->output_type == TS_NON_ZERO_3_I32 ? "i32"
                                                       : "another");
    return TS_OK;
}

const layer_operator layer_non_zero_3 = { "openvino.non_zero_3", 2, sizeof(ts_openvino_non_zero_3), query, make };
