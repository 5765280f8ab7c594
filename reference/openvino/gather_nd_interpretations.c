/* SPDX-License-Identifier: Apache-2.0 */
/* Known interpretations of an index beyond its dimension, which the pages of GatherND-5 and GatherND-8 leave
   unspecified (E-ND5-1, E-ND8-1). They name observed behaviour and do not affect verdicts. */
#include "reference/openvino/gather_nd_shared.h"

enum { DATA, INDICES, OUT };

/* Whether a dimension of n elements has the element that a stated index selects, and which one. */
typedef bool selection(int64_t stated, uint64_t n, uint64_t *at);

static void run(const ts_descriptor *d, selection *selects)
{
    const ts_tensor *data = &d->tensors[DATA], *indices = &d->tensors[INDICES], *out = &d->tensors[OUT];
    uint64_t o[TS_MAX_DIMS] = { 0 }, from[TS_MAX_DIMS], index[TS_MAX_DIMS], elements;
    openvino_gather_nd n;
    if (!openvino_gather_nd_place(d, &n, NULL) || !tensor_element_count(out, &elements) || elements == 0)
        return;
    do {
        bool inside = true;
        openvino_gather_nd_trace(d, &n, o, from, index);
        for (uint32_t k = 0; k < n.tuple; ++k) {
            index[indices->rank - 1] = k;
            inside = selects(openvino_index(indices, index), data->sizes[n.batch + k], &from[n.batch + k]) && inside;
        }
        if (inside)
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

/* As ONNX: negative indices count from the end of their dimension, and others give zeros. */
static void run_from_end(const ts_descriptor *d)
{
    run(d, from_end);
}

#define INTERPRETATIONS(entry)                                                                                         \
    {                                                                                                                  \
        { entry, "zeros", NULL, NULL }, { entry, "negative from the end", run_from_end, NULL },                        \
        {                                                                                                              \
            entry, "clamped index", run_clamped, NULL                                                                  \
        }                                                                                                              \
    }

const ts_interpretation openvino_gather_nd_5_interpretations[OPENVINO_GATHER_ND_INTERPRETATIONS] =
    INTERPRETATIONS("E-ND5-1");
const ts_interpretation openvino_gather_nd_8_interpretations[OPENVINO_GATHER_ND_INTERPRETATIONS] =
    INTERPRETATIONS("E-ND8-1");
