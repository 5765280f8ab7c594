/* SPDX-License-Identifier: Apache-2.0 */
/* Known interpretations of an index beyond the axis, which GATHER_ELEMENTS's page leaves unspecified (E-GE-2). They
   name observed behaviour and do not affect verdicts. */
#include "reference/dml/gather_elements.h"
#include "reference/dml_index.h"
#include "reference/dml_interpretations.h"

enum { IN, INDICES, OUT };

/* Elements that an index beyond the axis selects are zero. */
static void run_zero(const ts_descriptor *d)
{
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES], *out = &d->tensors[OUT];
    const uint32_t axis = TS_ATTRS(ts_dml_gather_elements, d)->Axis;
    uint64_t o[TS_MAX_DIMS] = { 0 }, from[TS_MAX_DIMS];
    do {
        bool inside;
        memcpy(from, o, sizeof from);
        from[axis] = dml_index(indices, o, in->sizes[axis], &inside);
        if (inside)
            tensor_copy_element(out, o, in, from);
        else
            memset(tensor_at(out, o), 0, tensor_element_bytes(out->dtype));
    } while (tensor_next(out, o));
}

/* DirectML, as in GATHER. */
static void run_flat(const ts_descriptor *d)
{
    uint64_t o[TS_MAX_DIMS] = { 0 }, from[TS_MAX_DIMS];
    do {
        memcpy(from, o, sizeof from);
        dml_gather_flat(d, TS_ATTRS(ts_dml_gather_elements, d)->Axis, o, from, o);
    } while (tensor_next(&d->tensors[OUT], o));
}

const ts_interpretation dml_gather_elements_interpretations[DML_GATHER_ELEMENTS_INTERPRETATIONS] = {
    { "E-GE-2", "clamped index", NULL, NULL },
    { "E-GE-2", "flat clamp", run_flat, NULL },
    { "E-GE-2", "zeros", run_zero, NULL },
};
