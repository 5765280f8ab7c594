/* SPDX-License-Identifier: Apache-2.0 */
/* Known interpretations of an index beyond the axis, which the page of GatherElements-6 leaves unspecified (E-GE6-1).
   They name observed behaviour and do not affect verdicts. */
#include "reference/openvino/gather_elements.h"
#include "reference/openvino_index.h"

enum { DATA, INDICES, OUT };

/* Whether the axis, of n elements, has the element that a stated index selects, and which one. */
typedef bool selection(int64_t stated, uint64_t n, uint64_t *at);

static void run(const ts_descriptor *d, selection *selects)
{
    const ts_tensor *data = &d->tensors[DATA], *indices = &d->tensors[INDICES], *out = &d->tensors[OUT];
    const int64_t axis = TS_ATTRS(ts_openvino_gather_elements, d)->axis;
    const uint32_t k = (uint32_t)(axis < 0 ? axis + data->rank : axis);
    uint64_t o[TS_MAX_DIMS] = { 0 }, from[TS_MAX_DIMS], elements;
    if (!tensor_element_count(out, &elements) || elements == 0)
        return;
    do {
        memcpy(from, o, sizeof from);
        if (selects(openvino_index(indices, o), data->sizes[k], &from[k]))
            tensor_copy_element(out, o, data, from);
        else
            memset(tensor_at(out, o), 0, tensor_element_bytes(out->dtype));
    } while (tensor_next(out, o));
}

static bool clamped(int64_t stated, uint64_t n, uint64_t *at)
{
    *at = stated < 0 ? 0 : (uint64_t)stated < n ? (uint64_t)stated : n - 1;
    return n > 0;
}

static bool from_end(int64_t stated, uint64_t n, uint64_t *at)
{
    *at = (uint64_t)stated + (stated < 0 ? n : 0);
    return *at < n;
}

static void run_clamped(const ts_descriptor *d)
{
    run(d, clamped);
}

/* As ONNX: negative indices count from the end of the axis, and others give zeros. */
static void run_from_end(const ts_descriptor *d)
{
    run(d, from_end);
}

extern const ts_interpretation openvino_gather_elements_interpretations[3];
const ts_interpretation openvino_gather_elements_interpretations[3] = {
    { "E-GE6-1", "zeros", NULL, NULL },
    { "E-GE6-1", "negative from the end", run_from_end, NULL },
    { "E-GE6-1", "clamped index", run_clamped, NULL },
};
