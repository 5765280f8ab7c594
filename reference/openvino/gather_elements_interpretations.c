/* SPDX-License-Identifier: Apache-2.0 */
/* Known interpretations of an index beyond the axis, which the page of GatherElements-6 leaves unspecified (E-GE6-1).
   They name observed behaviour and do not affect verdicts. */
#include "reference/openvino/gather_elements.h"
#include "reference/openvino_index.h"

enum { DATA, INDICES, OUT };

static void run(const ts_descriptor *d, openvino_selection *selects)
{
    const ts_tensor *data = &d->tensors[DATA], *indices = &d->tensors[INDICES], *out = &d->tensors[OUT];
    const int64_t axis = TS_ATTRS(ts_openvino_gather_elements, d)->axis;
    const uint32_t k = (uint32_t)(axis < 0 ? axis + data->rank : axis);
    uint64_t o[TS_MAX_DIMS] = { 0 }, from[TS_MAX_DIMS], elements;
    if (!tensor_element_count(out, &elements) || elements == 0)
        return;
    do {
        bool negative;
        memcpy(from, o, sizeof from);
        const uint64_t stated = openvino_index(indices, o, &negative);
        if (selects(stated, negative, data->sizes[k], &from[k]))
            tensor_copy_element(out, o, data, from);
        else
            memset(tensor_at(out, o), 0, tensor_element_bytes(out->dtype));
    } while (tensor_next(out, o));
}

static void run_clamped(const ts_descriptor *d)
{
    run(d, openvino_clamped);
}

extern const ts_interpretation openvino_gather_elements_interpretations[2];
const ts_interpretation openvino_gather_elements_interpretations[2] = {
    { "E-GE6-1", "zeros", NULL, NULL },
    { "E-GE6-1", "clamped index", run_clamped, NULL },
};
