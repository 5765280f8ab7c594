/* SPDX-License-Identifier: Apache-2.0 */
/* Known interpretations of what SCATTER_ND's page leaves open: which of several updates an element has (E-SN-4), and an
   index beyond its dimension (E-SN-5). They name observed behaviour and do not affect verdicts. */
#include "reference/dml/scatter_nd.h"
#include "reference/dml_interpretations.h"

enum { IN, INDICES, UPDATES, OUT };

static void copy_input(const ts_descriptor *d)
{
    uint64_t o[TS_MAX_DIMS] = { 0 };
    do
        tensor_copy_element(&d->tensors[OUT], o, &d->tensors[IN], o);
    while (tensor_next(&d->tensors[OUT], o));
}

/* Apply the updates in row-major order, or in the opposite order, which matters if several fall on one element. */
static void scatter(const ts_descriptor *d, bool backwards, bool clamped)
{
    const ts_tensor *updates = &d->tensors[UPDATES], *out = &d->tensors[OUT];
    uint64_t at[TS_MAX_DIMS] = { 0 }, u[TS_MAX_DIMS], to[TS_MAX_DIMS], index[TS_MAX_DIMS];
    copy_input(d);
    do {
        memcpy(u, at, sizeof u);
        for (uint32_t i = 0; backwards && i < updates->rank; ++i)
            u[i] = updates->sizes[i] - 1 - at[i];
        if (dml_scatter_nd_target(d, u, to, index) || clamped)
            tensor_copy_element(out, to, updates, u);
    } while (tensor_next(updates, at));
}

static void run_first(const ts_descriptor *d)
{
    scatter(d, true, false);
}

static void run_clamped(const ts_descriptor *d)
{
    scatter(d, false, true);
}

/* E-SN-5, DirectML: the address of dml_flat_place of each index; an update behind the tensor's last byte is dropped. */
static void run_flat(const ts_descriptor *d)
{
    const ts_tensor *indices = &d->tensors[INDICES], *updates = &d->tensors[UPDATES], *out = &d->tensors[OUT];
    const uint32_t first = out->rank - TS_ATTRS(ts_dml_scatter_nd, d)->InputDimensionCount;
    const uint32_t tuple = out->rank - dml_scatter_nd_block(d) - first;
    const size_t size = tensor_element_bytes(out->dtype);
    uint64_t u[TS_MAX_DIMS] = { 0 }, to[TS_MAX_DIMS], index[TS_MAX_DIMS];
    copy_input(d);
    do {
        uint64_t place = 0;
        dml_scatter_nd_target(d, u, to, index);
        for (uint32_t k = 0; k < tuple; ++k) {
            index[indices->rank - 1] = k;
            place = dml_flat_place(out, first + k, to, indices, index);
        }
        if (place < out->total_bytes / size)
            memcpy((unsigned char *)out->data + place * size, tensor_at(updates, u), size);
    } while (tensor_next(updates, u));
}

const ts_interpretation dml_scatter_nd_interpretations[DML_SCATTER_ND_INTERPRETATIONS] = {
    { "E-SN-4", "the last update", NULL, NULL },       { "E-SN-4", "the first update", run_first, NULL },
    { "E-SN-5", "the update is dropped", NULL, NULL }, { "E-SN-5", "flat address", run_flat, NULL },
    { "E-SN-5", "clamped index", run_clamped, NULL },
};
