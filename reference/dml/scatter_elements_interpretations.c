/* SPDX-License-Identifier: Apache-2.0 */
/* Known interpretations of what SCATTER_ELEMENTS's page leaves open: which of several updates an element has (E-SE-2),
   and an index beyond the axis (E-SE-3). They name observed behaviour and do not affect verdicts. */
#include "reference/dml/scatter_elements.h"
#include "reference/dml_index.h"
#include "reference/dml_interpretations.h"

enum { IN, INDICES, UPDATES, OUT };

/* Apply the updates in row-major order, or in the opposite order, which matters along the axis alone. */
static void scatter(const ts_descriptor *d, bool backwards, bool clamped)
{
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES], *out = &d->tensors[OUT];
    const uint32_t axis = TS_ATTRS(ts_dml_scatter_elements, d)->Axis;
    uint64_t at[TS_MAX_DIMS] = { 0 }, from[TS_MAX_DIMS], to[TS_MAX_DIMS];
    do
        tensor_copy_element(out, at, in, at);
    while (tensor_next(out, at));
    do {
        bool inside;
        memcpy(from, at, sizeof from);
        if (backwards)
            from[axis] = indices->sizes[axis] - 1 - at[axis];
        memcpy(to, from, sizeof to);
        to[axis] = dml_index(indices, from, out->sizes[axis], &inside);
        if (inside || clamped)
            tensor_copy_element(out, to, &d->tensors[UPDATES], from);
    } while (tensor_next(indices, at));
}

static void run_first(const ts_descriptor *d)
{
    scatter(d, true, false);
}

static void run_clamped(const ts_descriptor *d)
{
    scatter(d, false, true);
}

/* E-SE-3, DirectML: the address of dml_flat_place; an update behind the tensor's last byte is dropped. */
static void run_flat(const ts_descriptor *d)
{
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES], *out = &d->tensors[OUT];
    const uint32_t axis = TS_ATTRS(ts_dml_scatter_elements, d)->Axis;
    const size_t size = tensor_element_bytes(in->dtype);
    uint64_t at[TS_MAX_DIMS] = { 0 }, to[TS_MAX_DIMS];
    do
        tensor_copy_element(out, at, in, at);
    while (tensor_next(out, at));
    do {
        memcpy(to, at, sizeof to);
        const uint64_t place = dml_flat_place(out, axis, to, indices, at);
        if (place < out->total_bytes / size)
            memcpy((unsigned char *)out->data + place * size, tensor_at(&d->tensors[UPDATES], at), size);
    } while (tensor_next(indices, at));
}

const ts_interpretation dml_scatter_elements_interpretations[DML_SCATTER_ELEMENTS_INTERPRETATIONS] = {
    { "E-SE-2", "the last update", NULL, NULL },       { "E-SE-2", "the first update", run_first, NULL },
    { "E-SE-3", "the update is dropped", NULL, NULL }, { "E-SE-3", "flat address", run_flat, NULL },
    { "E-SE-3", "clamped index", run_clamped, NULL },
};
