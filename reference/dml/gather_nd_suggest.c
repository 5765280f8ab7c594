/* SPDX-License-Identifier: Apache-2.0 */
/* The suggestions of GATHER_ND and GATHER_ND1. */
#include "reference/dml/gather_nd_shared.h"
#include "reference/dml_suggest.h"

enum { IN, INDICES, OUT };

void dml_gather_nd_suggest_input_count(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)v;
    suggest_value(d, out, "InputDimensionCount", 0, 1, d->tensors[IN].rank);
}

void dml_gather_nd_suggest_indices_count(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)v;
    suggest_value(d, out, "IndicesDimensionCount", 0, 1, d->tensors[IN].rank);
}

void dml_gather_nd_suggest_ones(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)d;
    suggest_size(out, UINT32_C(1) << v->tensor, (unsigned)v->axis, 1, 1);
}

void dml_gather_nd_suggest_tuple(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const dml_gather_nd n = dml_gather_nd_counts(d);
    suggest_size(out, 1u << INDICES, (unsigned)v->axis, 1, n.input - n.batch);
    suggest_fit(out, 1u << OUT);
}

void dml_gather_nd_suggest_batch_count(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const dml_gather_nd n = dml_gather_nd_counts(d);
    (void)v;
    suggest_value(d, out, "BatchDimensionCount", 0, 0, (int64_t)(n.input < n.indices ? n.input : n.indices) - 1);
}

void dml_gather_nd_suggest_batch_size(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const dml_gather_nd n = dml_gather_nd_counts(d);
    const ts_tensor *in = &d->tensors[IN];
    const uint32_t place = (uint32_t)v->axis - (in->rank - n.indices); /* among the batch dimensions */
    const uint64_t size = in->sizes[in->rank - n.input + place];
    suggest_size(out, 1u << INDICES, (unsigned)v->axis, size, size);
    suggest_fit(out, 1u << OUT);
}
