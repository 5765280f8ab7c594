/* SPDX-License-Identifier: Apache-2.0 */
/* A call of StridedSlice-1 as a layer: the same attributes and lists. */
#include "harness/formats/openvino/layer.h"
#include "reference/openvino/strided_slice.h"

#include <string.h>

enum { BEGIN, END, STRIDE, FIRST_MASK };

static bool query(const ts_call *shape)
{
    const ts_tensor *data = ts_call_tensor(shape, 0), *out = ts_call_tensor(shape, 1);
    if (shape->profile != TS_PROFILE_DEFAULT)
        return false;
    /* OpenVINO computes the shape of the output: a model cannot express that the output is missing. */
    if (!(out->given & TS_GIVEN_TENSOR) || !ir_type(out->dtype) || out->rank > TS_MAX_DIMS)
        return false;
    return !(data->given & TS_GIVEN_TENSOR) || (ir_type(data->dtype) && data->rank <= TS_MAX_DIMS);
}

static bool take_list(layer *l, const int64_t *values, uint32_t count, bool given)
{
    layer_list *list = &l->lists[l->list_count++];
    list->absent = !given;
    list->count = given ? count : 0;
    if (list->count > LAYER_STEPS)
        return false;
    memcpy(list->values, values, list->count * sizeof *values);
    return true;
}

/* Set type, lists and masks of the layer. False where a list has more values than there is room for. */
static bool take_attributes(const void *attrs, uint32_t attrs_given, layer *l)
{
    const ts_openvino_strided_slice *a = attrs;
    const struct {
        uint32_t count;
        const uint8_t *values;
    } masks[LAYER_MASKS] = { { a->begin_mask_count, a->begin_mask },
                             { a->end_mask_count, a->end_mask },
                             { a->new_axis_mask_count, a->new_axis_mask },
                             { a->shrink_axis_mask_count, a->shrink_axis_mask },
                             { a->ellipsis_mask_count, a->ellipsis_mask } };
    memset(l, 0, sizeof *l);
    l->type = "StridedSlice";
    l->opset = "opset1";
    l->tensor_count = 1;
    bool fits = take_list(l, a->begin, a->begin_count, attrs_given >> BEGIN & 1);
    fits = take_list(l, a->end, a->end_count, attrs_given >> END & 1) && fits;
    if (attrs_given >> STRIDE & 1)
        fits = take_list(l, a->stride, a->stride_count, true) && fits;
    for (unsigned k = 0; k < LAYER_MASKS && fits; ++k) {
        l->mask_given[k] = attrs_given >> (FIRST_MASK + k) & 1;
        if (!l->mask_given[k])
            continue; /* its members have no meaning */
        fits = masks[k].count <= LAYER_STEPS;
        l->mask_counts[k] = (uint8_t)masks[k].count;
        if (fits)
            memcpy(l->masks[k], masks[k].values, masks[k].count);
    }
    return fits;
}

void layer_pad_masks(layer *l)
{
    const uint32_t count = l->lists[BEGIN].count;
    for (unsigned k = 0; k < LAYER_MASKS && strcmp(l->type, "StridedSlice") == 0; ++k) {
        const uint32_t there = l->mask_given[k] ? l->mask_counts[k] : 0;
        bool legal = true; /* padding would hide an illegal value behind the steps */
        for (uint32_t i = count; i < there; ++i)
            legal = legal && l->masks[k][i] <= 1;
        if (!legal)
            continue;
        for (uint32_t i = there; i < count; ++i)
            l->masks[k][i] = 0;
        l->mask_given[k] = true;
        l->mask_counts[k] = (uint8_t)count;
    }
}

static ts_status make(const ts_call *call, layer *l, const char **reason)
{
    const ts_tensor *data = ts_call_tensor(call, 0);
    if (!take_attributes(call->attrs, call->attrs_given, l)) {
        *reason = "a list has more values than the call has room for";
        return TS_UNSUPPORTED;
    }
    l->in[0] = data->given & TS_GIVEN_TENSOR ? data : NULL;
    l->out = ts_call_tensor(call, 1);
    return TS_OK;
}

const layer_operator layer_strided_slice = { "openvino.strided_slice", 2, sizeof(ts_openvino_strided_slice), query,
                                             make };
