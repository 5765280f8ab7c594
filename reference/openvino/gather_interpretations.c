/* SPDX-License-Identifier: Apache-2.0 */
/* Known interpretations of an index beyond the axis, which the pages of Gather-1 and Gather-7 leave unspecified
   (E-G1-1, E-G7-1). They name observed behaviour and do not affect verdicts. */
#include "reference/openvino/gather_shared.h"

enum { DATA, INDICES, OUT };

static void run(const ts_descriptor *d, openvino_selection *selects)
{
    const ts_tensor *data = &d->tensors[DATA], *out = &d->tensors[OUT];
    uint64_t o[TS_MAX_DIMS] = { 0 }, from[TS_MAX_DIMS], index[TS_MAX_DIMS], elements;
    openvino_gather g;
    if (!openvino_gather_place(d, &g, NULL) || !tensor_element_count(out, &elements) || elements == 0)
        return;
    do {
        bool negative;
        openvino_gather_trace(d, &g, o, from, index);
        const uint64_t stated = openvino_index(&d->tensors[INDICES], index, &negative);
        if (selects(stated, negative, data->sizes[g.axis], &from[g.axis]))
            tensor_copy_element(out, o, data, from);
        else
            memset(tensor_at(out, o), 0, tensor_element_bytes(out->dtype));
    } while (tensor_next(out, o));
}

static void run_clamped(const ts_descriptor *d)
{
    run(d, openvino_clamped);
}

/* As Gather-8: negative indices count from the end of the axis, and others give zeros. */
static void run_from_end(const ts_descriptor *d)
{
    run(d, openvino_from_either_end);
}

#define INTERPRETATIONS(entry)                                                                                         \
    {                                                                                                                  \
        { entry, "zeros", NULL, NULL }, { entry, "as Gather-8", run_from_end, NULL },                                  \
        {                                                                                                              \
            entry, "clamped index", run_clamped, NULL                                                                  \
        }                                                                                                              \
    }

const ts_interpretation openvino_gather_1_interpretations[OPENVINO_GATHER_INTERPRETATIONS] = INTERPRETATIONS("E-G1-1");
const ts_interpretation openvino_gather_7_interpretations[OPENVINO_GATHER_INTERPRETATIONS] = INTERPRETATIONS("E-G7-1");
