/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of ScatterElementsUpdate-3, ScatterNDUpdate-3 and ScatterUpdate-3 as these layers, and DML_SCATTER_ELEMENTS and
   DML_SCATTER_ND as the first two. The axis of OpenVINO's operators is a list of one value, so that it is an input at
   run time in mode run. */
#include "harness/formats/openvino/layer.h"
#include "backends/openvino/pack.h"
#include "reference/dml/scatter_elements.h"
#include "reference/dml/scatter_nd.h"
#include "reference/openvino/scatter_elements_update_3.h"
#include "reference/openvino/scatter_nd_update_3.h"
#include "reference/openvino/scatter_update.h"

#include <string.h>

enum { IN, INDICES, UPDATES, OUT, TENSORS };

/* A layer that selects elements by tuples of indices, from data whose first dimension is `first`. */
static void select_by_tuples(layer *l, uint32_t first, uint64_t tuple)
{
    l->type = "ScatterNDUpdate";
    l->opset = "opset4";
    l->tensor_count = OUT;
    l->index_range = UINT64_MAX; /* what none of the dimensions of a tuple exceeds */
    for (uint32_t i = first; i < l->in[IN]->rank && i - first < tuple; ++i)
        if (l->in[IN]->sizes[i] < l->index_range)
            l->index_range = l->in[IN]->sizes[i];
}

/* One that selects them along an axis. */
static void select_along(layer *l, const char *type, uint64_t size)
{
    l->type = type;
    l->opset = "opset3";
    l->tensor_count = OUT;
    l->index_range = size;
    l->list_count = 1;
}

/* ---- DirectML's operators -------------------------------------------------------------------------------------- */

static bool query_elements(const ts_call *shape)
{
    return pack_query(shape, TENSORS) && pack_is_index(ts_call_tensor(shape, INDICES)->dtype);
}

static ts_status make_elements(const ts_call *call, layer *l, const char **reason)
{
    const ts_dml_scatter_elements *a = call->attrs;
    const ts_tensor *t[TENSORS];
    *reason = "refused by the adapter: ScatterElementsUpdate cannot express these shapes";
    if (!pack_tensors(call, TENSORS, t))
        return TS_REJECTED;
    if (!(call->attrs_given & TS_SCATTER_ELEMENTS_GIVEN_AXIS) || a->Axis >= t[IN]->rank ||
        t[UPDATES]->dtype != t[IN]->dtype || t[OUT]->dtype != t[IN]->dtype ||
        !pack_same_sizes(t[OUT], t[IN], TS_MAX_DIMS) || !pack_same_sizes(t[UPDATES], t[INDICES], TS_MAX_DIMS) ||
        !pack_same_sizes(t[INDICES], t[IN], a->Axis))
        return TS_REJECTED;
    memset(l, 0, sizeof *l);
    memcpy(l->in, t, OUT * sizeof *t);
    l->out = t[OUT];
    select_along(l, "ScatterElementsUpdate", t[IN]->sizes[a->Axis]);
    l->lists[0].scalar = true;
    l->lists[0].count = 1;
    l->lists[0].values[0] = a->Axis;
    return TS_OK;
}

/* Its indices are signed. */
static bool query_nd(const ts_call *shape)
{
    const uint32_t dtype = pack_query(shape, TENSORS) ? ts_call_tensor(shape, INDICES)->dtype : 0;
    return dtype == TS_INT32 || dtype == TS_INT64;
}

static ts_status make_nd(const ts_call *call, layer *l, const char **reason)
{
    const ts_dml_scatter_nd *a = call->attrs;
    const uint32_t given = TS_SCATTER_ND_GIVEN_INPUT_DIMENSION_COUNT | TS_SCATTER_ND_GIVEN_INDICES_DIMENSION_COUNT;
    const ts_tensor *t[TENSORS];
    *reason = "refused by the adapter: ScatterNDUpdate cannot express these shapes";
    if (!pack_tensors(call, TENSORS, t))
        return TS_REJECTED;
    memset(l, 0, sizeof *l);
    if ((call->attrs_given & given) != given || a->InputDimensionCount == 0 || a->IndicesDimensionCount == 0 ||
        t[UPDATES]->dtype != t[IN]->dtype || t[OUT]->dtype != t[IN]->dtype || t[OUT]->rank != t[IN]->rank ||
        !pack_same_sizes(t[OUT], t[IN], TS_MAX_DIMS) || !layer_keep_last(l, IN, t[IN], a->InputDimensionCount) ||
        !layer_keep_last(l, INDICES, t[INDICES], a->IndicesDimensionCount))
        return TS_REJECTED;
    const uint64_t tuple = t[INDICES]->sizes[t[INDICES]->rank - 1];
    if (tuple > a->InputDimensionCount ||
        !layer_keep_last(l, UPDATES, t[UPDATES], a->IndicesDimensionCount - 1 + (a->InputDimensionCount - tuple)))
        return TS_REJECTED;
    select_by_tuples(l, l->drop[IN], tuple);
    l->out = t[OUT];
    l->reshaped = true;
    l->out_rank = a->InputDimensionCount;
    memcpy(l->out_sizes, t[OUT]->sizes + l->drop[IN], l->out_rank * sizeof l->out_sizes[0]);
    return TS_OK;
}

const layer_operator layer_scatter_elements = { "dml.scatter_elements", TENSORS, sizeof(ts_dml_scatter_elements),
                                                query_elements, make_elements };
const layer_operator layer_scatter_nd = { "dml.scatter_nd", TENSORS, sizeof(ts_dml_scatter_nd), query_nd, make_nd };

/* ---- OpenVINO's operators: its library judges what is illegal ---------------------------------------------------- */

static bool query_layer(const ts_call *shape)
{
    /* OpenVINO computes the shape of the output: a model cannot express that the output is missing. */
    bool known = shape->profile == TS_PROFILE_DEFAULT && (ts_call_tensor(shape, OUT)->given & TS_GIVEN_TENSOR);
    for (uint32_t i = IN; i <= OUT; ++i) {
        const ts_tensor *t = ts_call_tensor(shape, i);
        known = known && (!(t->given & TS_GIVEN_TENSOR) || (ir_type(t->dtype) && t->rank <= TS_MAX_DIMS));
    }
    return known;
}

/* The tensors of a call, without those that are absent. True if data and indices have shapes. */
static bool take_tensors(const ts_call *call, layer *l)
{
    memset(l, 0, sizeof *l);
    for (uint32_t i = IN; i < OUT; ++i) {
        const ts_tensor *t = ts_call_tensor(call, i);
        l->in[i] = t->given & TS_GIVEN_TENSOR ? t : NULL;
    }
    l->out = ts_call_tensor(call, OUT);
    return l->in[IN] && (l->in[IN]->given & TS_GIVEN_ALL) == TS_GIVEN_ALL && l->in[INDICES] &&
           (l->in[INDICES]->given & TS_GIVEN_ALL) == TS_GIVEN_ALL;
}

static ts_status make_tuples(const ts_call *call, layer *l, const char **reason)
{
    const bool shaped = take_tensors(call, l) && l->in[INDICES]->rank > 0;
    (void)reason;
    if (shaped)
        select_by_tuples(l, 0, l->in[INDICES]->sizes[l->in[INDICES]->rank - 1]);
    l->type = "ScatterNDUpdate";
    l->opset = "opset4";
    l->tensor_count = OUT;
    return TS_OK;
}

static ts_status make_along(const ts_call *call, layer *l, const char *type, const int64_t *axis)
{
    const bool shaped = take_tensors(call, l);
    const int64_t rank = shaped ? l->in[IN]->rank : 0, from_first = axis ? *axis + (*axis < 0 ? rank : 0) : -1;
    select_along(l, type, from_first >= 0 && from_first < rank ? l->in[IN]->sizes[from_first] : 0);
    l->lists[0].absent = !axis;
    l->lists[0].count = axis ? 1 : 0;
    l->lists[0].values[0] = axis ? *axis : 0;
    return TS_OK;
}

static ts_status make_beside(const ts_call *call, layer *l, const char **reason)
{
    const ts_openvino_scatter_elements_update_3 *a = call->attrs;
    (void)reason;
    return make_along(call, l, "ScatterElementsUpdate",
                      call->attrs_given & TS_SCATTER_ELEMENTS_UPDATE_3_GIVEN_AXIS ? &a->axis : NULL);
}

static ts_status make_slices(const ts_call *call, layer *l, const char **reason)
{
    const ts_openvino_scatter_update *a = call->attrs;
    (void)reason;
    return make_along(call, l, "ScatterUpdate", call->attrs_given & TS_SCATTER_UPDATE_GIVEN_AXIS ? &a->axis : NULL);
}

const layer_operator layer_scatter_nd_update_3 = { "openvino.scatter_nd_update_3", TENSORS,
                                                   sizeof(ts_openvino_scatter_nd_update_3), query_layer, make_tuples };
const layer_operator layer_scatter_elements_update_3 = { "openvino.scatter_elements_update_3", TENSORS,
                                                         sizeof(ts_openvino_scatter_elements_update_3), query_layer,
                                                         make_beside };
const layer_operator layer_scatter_update = { "openvino.scatter_update", TENSORS, sizeof(ts_openvino_scatter_update),
                                              query_layer, make_slices };
