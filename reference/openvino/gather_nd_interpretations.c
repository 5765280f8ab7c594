/* SPDX-License-Identifier: Apache-2.0 */
/* Known interpretations of an index beyond its dimension, which the pages of GatherND-5 and GatherND-8 leave
   unspecified (E-ND5-1, E-ND8-1). They name observed behaviour and do not affect verdicts. */
#include "reference/openvino/gather_nd_shared.h"

enum { DATA, INDICES, OUT };

static void run(const ts_descriptor *d, openvino_selection *selects)
{
    const ts_tensor *data = &d->tensors[DATA], *indices = &d->tensors[INDICES], *out = &d->tensors[OUT];
    uint64_t o[TS_MAX_DIMS] = { 0 }, from[TS_MAX_DIMS], index[TS_MAX_DIMS], elements;
    openvino_gather_nd n;
    if (!openvino_gather_nd_place(d, &n, NULL) || !tensor_element_count(out, &elements) || elements == 0)
        return;
    do {
        bool inside = true, negative;
        openvino_gather_nd_trace(d, &n, o, from, index);
        for (uint32_t k = 0; k < n.tuple; ++k) {
            index[indices->rank - 1] = k;
            const uint64_t stated = openvino_index(indices, index, &negative);
            inside = selects(stated, negative, data->sizes[n.batch + k], &from[n.batch + k]) && inside;
        }
        if (inside)
            tensor_copy_element(out, o, data, from);
        else
            memset(tensor_at(out, o), 0, tensor_element_bytes(out->dtype));
    } while (tensor_next(out, o));
}

static void run_clamped(const ts_descriptor *d)
{
    run(d, openvino_clamped);
}

/* As GatherND-8: negative indices count from the end of their dimension. Others give zeros. */
static void run_from_end(const ts_descriptor *d)
{
    run(d, openvino_from_either_end);
}

const ts_interpretation openvino_gather_nd_5_interpretations[OPENVINO_GATHER_ND_5_INTERPRETATIONS] = {
    { "E-ND5-1", "zeros", NULL, NULL },
    { "E-ND5-1", "negative from the end", run_from_end, NULL },
    { "E-ND5-1", "clamped index", run_clamped, NULL },
};
const ts_interpretation openvino_gather_nd_8_interpretations[OPENVINO_GATHER_ND_8_INTERPRETATIONS] = {
    { "E-ND8-1", "zeros", NULL, NULL },
    { "E-ND8-1", "clamped index", run_clamped, NULL },
};
