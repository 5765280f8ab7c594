/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of Gather-1, Gather-7 and Gather-8 as these layers: the same attribute and inputs. The axis is a list of one
   value, so that it is an input at run time in mode run. */
#include "harness/formats/openvino/layer.h"
#include "reference/openvino/gather_1.h"
#include "reference/openvino/gather_7.h"
#include "reference/openvino/gather_8.h"

#include <string.h>

enum { DATA, INDICES, OUT };

#define MOST_ELEMENTS    (UINT64_C(1) << 30) /* of data for each index */
#define LEAST_BATCH_DIMS -1000               /* that OpenVINO is asked about (OV-28) */

static bool query(const ts_call *shape)
{
    /* OpenVINO computes the shape of the output: a model cannot express that the output is missing. */
    bool known = shape->profile == TS_PROFILE_DEFAULT && (ts_call_tensor(shape, OUT)->given & TS_GIVEN_TENSOR);
    for (uint32_t i = DATA; i <= OUT; ++i) {
        const ts_tensor *t = ts_call_tensor(shape, i);
        known = known && (!(t->given & TS_GIVEN_TENSOR) || (ir_type(t->dtype) && t->rank <= TS_MAX_DIMS));
    }
    return known;
}

/* OpenVINO computes an output even where the call is only asked about. */
static bool is_huge(const ts_call *call)
{
    uint64_t elements = 1;
    for (uint32_t i = DATA; i <= INDICES; ++i) {
        const ts_tensor *t = ts_call_tensor(call, i);
        for (uint32_t k = 0; (t->given & TS_GIVEN_ALL) == TS_GIVEN_ALL && k < t->rank; ++k)
            if (__builtin_mul_overflow(elements, t->sizes[k] ? t->sizes[k] : 1, &elements))
                return true;
    }
    return elements > MOST_ELEMENTS;
}

static ts_status take(const ts_call *call, layer *l, const char *opset, const int64_t *axis, const char **reason)
{
    memset(l, 0, sizeof *l);
    l->type = "Gather";
    l->opset = opset;
    l->tensor_count = 2;
    for (uint32_t i = DATA; i <= INDICES; ++i) {
        const ts_tensor *t = ts_call_tensor(call, i);
        l->in[i] = t->given & TS_GIVEN_TENSOR ? t : NULL;
    }
    l->out = ts_call_tensor(call, OUT);
    if (is_huge(call)) {
        *reason = "the output may be too large to be computed";
        return TS_UNSUPPORTED;
    }
    l->list_count = 1;
    l->lists[0].absent = !axis;
    l->lists[0].count = axis ? 1 : 0;
    l->lists[0].values[0] = axis ? *axis : 0;
    return TS_OK;
}

static ts_status make_1(const ts_call *call, layer *l, const char **reason)
{
    const ts_openvino_gather_1 *a = call->attrs;
    return take(call, l, "opset1", call->attrs_given & TS_GATHER_1_GIVEN_AXIS ? &a->axis : NULL, reason);
}

static ts_status take_batched(const ts_call *call, layer *l, const char *opset, const int64_t *axis,
                              const int64_t *batch_dims, const char **reason)
{
    if (batch_dims && *batch_dims < LEAST_BATCH_DIMS) {
        *reason = "OpenVINO would infer an output of as many dimensions as batch_dims is below 0, in many seconds";
        return TS_UNSUPPORTED;
    }
    const ts_status status = take(call, l, opset, axis, reason);
    l->has_batch_dims = batch_dims != NULL;
    l->batch_dims = batch_dims ? *batch_dims : 0;
    return status;
}

static ts_status make_7(const ts_call *call, layer *l, const char **reason)
{
    const ts_openvino_gather_7 *a = call->attrs;
    return take_batched(call, l, "opset7", call->attrs_given & TS_GATHER_7_GIVEN_AXIS ? &a->axis : NULL,
                        call->attrs_given & TS_GATHER_7_GIVEN_BATCH_DIMS ? &a->batch_dims : NULL, reason);
}

static ts_status make_8(const ts_call *call, layer *l, const char **reason)
{
    const ts_openvino_gather_8 *a = call->attrs;
    return take_batched(call, l, "opset8", call->attrs_given & TS_GATHER_8_GIVEN_AXIS ? &a->axis : NULL,
                        call->attrs_given & TS_GATHER_8_GIVEN_BATCH_DIMS ? &a->batch_dims : NULL, reason);
}

const layer_operator layer_gather_1 = { "openvino.gather_1", 3, sizeof(ts_openvino_gather_1), query, make_1 };
const layer_operator layer_gather_7 = { "openvino.gather_7", 3, sizeof(ts_openvino_gather_7), query, make_7 };
const layer_operator layer_gather_8 = { "openvino.gather_8", 3, sizeof(ts_openvino_gather_8), query, make_8 };
