/* SPDX-License-Identifier: Apache-2.0 */
/* Known interpretations of what GATHER's page leaves unspecified (E-GA-9, E-GA-10). They name observed behaviour and do
   not affect verdicts. */
#include "reference/dml/gather.h"
#include "reference/dml_index.h"
#include "reference/dml_interpretations.h"

enum { IN, INDICES, OUT };

/* The index at `coord` as its tensor holds it, sign-extended. */
static uint64_t stated(const ts_tensor *indices, const uint64_t *coord)
{
    uint64_t value = 0;
    uint32_t narrow = 0;
    const void *p = tensor_at(indices, coord);
    if (indices->dtype == TS_UINT64 || indices->dtype == TS_INT64) {
        memcpy(&value, p, sizeof value);
        return value;
    }
    memcpy(&narrow, p, sizeof narrow);
    return indices->dtype == TS_INT32 && narrow >> 31 ? narrow | ~UINT64_C(0xFFFFFFFF) : narrow;
}

static bool is_signed(const ts_tensor *indices)
{
    return indices->dtype == TS_INT32 || indices->dtype == TS_INT64;
}

/* E-GA-10: an index beyond the axis wraps around. */
static void run_wrapped(const ts_descriptor *d)
{
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES], *out = &d->tensors[OUT];
    const uint32_t axis = TS_ATTRS(ts_dml_gather, d)->Axis;
    uint64_t o[TS_MAX_DIMS] = { 0 }, from[TS_MAX_DIMS], index[TS_MAX_DIMS], n = in->sizes[axis];
    do {
        dml_gather_trace(d, o, from, index);
        uint64_t value = stated(indices, index);
        bool negative = is_signed(indices) && value >> 63;
        uint64_t rest = (negative ? 0 - value : value) % n;
        from[axis] = negative && rest ? n - rest : rest;
        tensor_copy_element(out, o, in, from);
    } while (tensor_next(out, o));
}

uint64_t dml_flat_place(const ts_tensor *t, uint32_t axis, uint64_t *coord, const ts_tensor *indices,
                        const uint64_t *index)
{
    const uint64_t value = stated(indices, index);
    const bool negative = value >> 63 && indices->dtype != TS_UINT32;
    coord[axis] = (value + (negative ? t->sizes[axis] : 0)) & 0xFFFFFFFFu;
    return tensor_offset(t, coord) & 0xFFFFFFFFu;
}

void dml_gather_flat(const ts_descriptor *d, uint32_t axis, const uint64_t *o, uint64_t *from, const uint64_t *index)
{
    const ts_tensor *in = &d->tensors[IN];
    const size_t size = tensor_element_bytes(in->dtype);
    const uint64_t last = in->total_bytes / size - 1, at = dml_flat_place(in, axis, from, &d->tensors[INDICES], index);
    memcpy(tensor_at(&d->tensors[OUT], o), (const unsigned char *)in->data + (at < last ? at : last) * size, size);
}

/* E-GA-10, DirectML. */
static void run_flat(const ts_descriptor *d)
{
    uint64_t o[TS_MAX_DIMS] = { 0 }, from[TS_MAX_DIMS], index[TS_MAX_DIMS];
    do {
        dml_gather_trace(d, o, from, index);
        dml_gather_flat(d, TS_ATTRS(ts_dml_gather, d)->Axis, o, from, index);
    } while (tensor_next(&d->tensors[OUT], o));
}

/* E-GA-9: the dimensions before the last IndexDimensions are those of a batch, which the output walks as well. */
static void run_batch(const ts_descriptor *d)
{
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES], *out = &d->tensors[OUT];
    const ts_dml_gather *a = TS_ATTRS(ts_dml_gather, d);
    uint64_t o[TS_MAX_DIMS] = { 0 }, from[TS_MAX_DIMS], index[TS_MAX_DIMS];
    bool inside;
    do {
        dml_gather_trace(d, o, from, index);
        for (uint32_t i = 0; i + a->IndexDimensions < in->rank; ++i)
            index[i] = o[i] < indices->sizes[i] ? o[i] : 0;
        from[a->Axis] = dml_index(indices, index, in->sizes[a->Axis], &inside);
        tensor_copy_element(out, o, in, from);
    } while (tensor_next(out, o));
}

const ts_interpretation dml_gather_interpretations[DML_GATHER_INTERPRETATIONS] = {
    { "E-GA-9", "the leading index dimensions are ignored", NULL, NULL },
    { "E-GA-9", "they are a batch", run_batch, NULL },
    { "E-GA-10", "clamped index", NULL, NULL },
    { "E-GA-10", "flat clamp", run_flat, NULL },
    { "E-GA-10", "wrapped index", run_wrapped, NULL },
};
