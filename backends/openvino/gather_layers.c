/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of GatherElements-6, GatherND-5, GatherND-8 and GatherTree-1 as these layers. */
#include "harness/formats/openvino/layer.h"
#include "reference/openvino/gather_elements.h"
#include "reference/openvino/gather_nd_5.h"
#include "reference/openvino/gather_nd_8.h"
#include "reference/openvino/gather_tree.h"

#include <string.h>

#define MOST_ELEMENTS (UINT64_C(1) << 28) /* of a tensor that OpenVINO is asked about: it computes the output, too */

/* OpenVINO computes the output, the last tensor: a model cannot express that it is missing. */
static bool query(const ts_call *shape)
{
    bool known = shape->profile == TS_PROFILE_DEFAULT &&
                 (ts_call_tensor(shape, shape->tensor_count - 1)->given & TS_GIVEN_TENSOR);
    for (uint32_t i = 0; i < shape->tensor_count; ++i) {
        const ts_tensor *t = ts_call_tensor(shape, i);
        known = known && (!(t->given & TS_GIVEN_TENSOR) || (ir_type(t->dtype) && t->rank <= TS_MAX_DIMS));
    }
    return known;
}

static bool is_huge(const ts_tensor *t)
{
    uint64_t elements = 1;
    for (uint32_t k = 0; (t->given & TS_GIVEN_ALL) == TS_GIVEN_ALL && k < t->rank; ++k)
        if (__builtin_mul_overflow(elements, t->sizes[k] ? t->sizes[k] : 1, &elements))
            return true;
    return elements > MOST_ELEMENTS;
}

/* Begin a layer whose inputs are all tensors of the call but the last one, which is its output. */
static ts_status take(const ts_call *call, layer *l, const char *type, const char *opset, const char **reason)
{
    memset(l, 0, sizeof *l);
    l->type = type;
    l->opset = opset;
    l->tensor_count = call->tensor_count - 1;
    for (uint32_t i = 0; i < l->tensor_count; ++i) {
        const ts_tensor *t = ts_call_tensor(call, i);
        l->in[i] = t->given & TS_GIVEN_TENSOR ? t : NULL;
        if (is_huge(t)) {
            *reason = "the output may be too large to be computed";
            return TS_UNSUPPORTED;
        }
    }
    l->out = ts_call_tensor(call, l->tensor_count);
    return TS_OK;
}

static ts_status make_elements(const ts_call *call, layer *l, const char **reason)
{
    const ts_openvino_gather_elements *a = call->attrs;
    const ts_status status = take(call, l, "GatherElements", "opset6", reason);
    l->has_axis = call->attrs_given & TS_OPENVINO_GATHER_ELEMENTS_GIVEN_AXIS;
    l->axis = l->has_axis ? a->axis : 0;
    if (l->in[0] && l->in[1] && l->in[0]->rank <= TS_MAX_DIMS) {
        const int64_t rank = l->in[0]->rank, axis = l->axis < 0 ? l->axis + rank : l->axis;
        l->index_range = axis >= 0 && axis < rank ? l->in[0]->sizes[axis] : 0;
    }
    return status;
}

/* The range of an index is not that of all indices of a tuple: the least of them. */
static ts_status make_tuples(const ts_call *call, layer *l, const char *opset, bool given, int64_t batch_dims,
                             const char **reason)
{
    const ts_status status = take(call, l, "GatherND", opset, reason);
    const ts_tensor *data = l->in[0], *indices = l->in[1];
    l->has_batch_dims = given;
    l->batch_dims = given ? batch_dims : 0;
    if (!indices || indices->rank < 1 || indices->rank > TS_MAX_DIMS)
        return status;
    l->tuple = indices->sizes[indices->rank - 1]; /* the output's rank depends on it */
    for (uint64_t k = 0; data && data->rank <= TS_MAX_DIMS && k < l->tuple; ++k) {
        const int64_t i = l->batch_dims + (int64_t)k;
        if (i < 0 || i >= data->rank)
            break;
        if (k == 0 || data->sizes[i] < l->index_range)
            l->index_range = data->sizes[i];
    }
    return status;
}

static ts_status make_nd_5(const ts_call *call, layer *l, const char **reason)
{
    const ts_openvino_gather_nd_5 *a = call->attrs;
    return make_tuples(call, l, "opset5", call->attrs_given & TS_GATHER_ND_5_GIVEN_BATCH_DIMS, a->batch_dims, reason);
}

static ts_status make_nd_8(const ts_call *call, layer *l, const char **reason)
{
    const ts_openvino_gather_nd_8 *a = call->attrs;
    return make_tuples(call, l, "opset8", call->attrs_given & TS_GATHER_ND_8_GIVEN_BATCH_DIMS, a->batch_dims, reason);
}

static ts_status make_tree(const ts_call *call, layer *l, const char **reason)
{
    const ts_status status = take(call, l, "GatherTree", "opset1", reason);
    const ts_tensor *parents = l->in[1];
    l->parents = true;
    if (parents && parents->rank == 3)
        l->index_range = parents->sizes[2];
    return status;
}

const layer_operator layer_gather_nd_5 = { "openvino.gather_nd_5", 3, sizeof(ts_openvino_gather_nd_5), query,
                                           make_nd_5 };
const layer_operator layer_gather_nd_8 = { "openvino.gather_nd_8", 3, sizeof(ts_openvino_gather_nd_8), query,
                                           make_nd_8 };
const layer_operator layer_gather_elements_6 = { "openvino.gather_elements", 3, sizeof(ts_openvino_gather_elements),
                                                 query, make_elements };
const layer_operator layer_gather_tree = { "openvino.gather_tree", 5, sizeof(ts_openvino_gather_tree), query,
                                           make_tree };
