/* SPDX-License-Identifier: Apache-2.0 */
/* Known interpretations of an index beyond its dimension, which the pages of GATHER_ND and GATHER_ND1 leave unspecified
   (E-ND-2, E-ND1-2). They name observed behaviour and do not affect verdicts. */
#include "reference/dml/gather_nd_shared.h"
#include "reference/dml_interpretations.h"

enum { IN, INDICES, OUT };

/* Elements that an index beyond its dimension selects are zero. */
static void run_zero(const ts_descriptor *d)
{
    const ts_tensor *in = &d->tensors[IN], *out = &d->tensors[OUT];
    const dml_gather_nd n = dml_gather_nd_counts(d);
    uint64_t o[TS_MAX_DIMS] = { 0 }, from[TS_MAX_DIMS];
    do {
        if (dml_gather_nd_source(d, n, o, from))
            tensor_copy_element(out, o, in, from);
        else
            memset(tensor_at(out, o), 0, tensor_element_bytes(out->dtype));
    } while (tensor_next(out, o));
}

/* DirectML, as in GATHER: the address counts in 32 bits, and is clamped to the tensor. */
static void run_flat(const ts_descriptor *d)
{
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES], *out = &d->tensors[OUT];
    const size_t size = tensor_element_bytes(in->dtype);
    const uint64_t last = in->total_bytes / size - 1;
    const dml_gather_nd n = dml_gather_nd_counts(d);
    uint64_t o[TS_MAX_DIMS] = { 0 }, from[TS_MAX_DIMS], index[TS_MAX_DIMS], at = 0;
    uint32_t first;
    do {
        dml_gather_nd_trace(d, n, o, from, index, &first);
        for (uint64_t k = 0; k < n.tuple; ++k) {
            index[indices->rank - 1] = k;
            at = dml_flat_place(in, first + (uint32_t)k, from, indices, index);
        }
        memcpy(tensor_at(out, o), (const unsigned char *)in->data + (at < last ? at : last) * size, size);
    } while (tensor_next(out, o));
}

#define INTERPRETATIONS(entry)                                                                                         \
    {                                                                                                                  \
        { entry, "clamped index", NULL, NULL }, { entry, "flat clamp", run_flat, NULL },                               \
        {                                                                                                              \
            entry, "zeros", run_zero, NULL                                                                             \
        }                                                                                                              \
    }

const ts_interpretation dml_gather_nd_interpretations[DML_GATHER_ND_INTERPRETATIONS] = INTERPRETATIONS("E-ND-2");
const ts_interpretation dml_gather_nd1_interpretations[DML_GATHER_ND_INTERPRETATIONS] = INTERPRETATIONS("E-ND1-2");
