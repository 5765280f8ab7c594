/* SPDX-License-Identifier: Apache-2.0 */
/* The suggestions of GATHER_ND and GATHER_ND1. */
#include "reference/dml/gather_nd_shared.h"
#include "reference/dml_suggest.h"

#include <inttypes.h>

enum { IN, INDICES, OUT };

void dml_gather_nd_suggest_input_count(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)v;
    suggest_add_range(out, 1, d->tensors[IN].rank, "InputDimensionCount");
}

void dml_gather_nd_suggest_indices_count(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)v;
    suggest_add_range(out, 1, d->tensors[IN].rank, "IndicesDimensionCount");
}

void dml_gather_nd_suggest_ones(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    suggest_add(out, "%s.Sizes[%d] = 1", d->op->tensors[v->tensor].name, v->axis);
}

void dml_gather_nd_suggest_tuple(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const dml_gather_nd n = dml_gather_nd_counts(d);
    suggest_add_range(out, 1, n.input - n.batch, "IndicesTensor.Sizes[%d]", v->axis);
    suggest_add(out, ", and OutputTensor.Sizes to fit");
}

void dml_gather_nd_suggest_batch_count(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const dml_gather_nd n = dml_gather_nd_counts(d);
    (void)v;
    suggest_add_range(out, 0, (n.input < n.indices ? n.input : n.indices) - 1, "BatchDimensionCount");
}

void dml_gather_nd_suggest_batch_size(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const dml_gather_nd n = dml_gather_nd_counts(d);
    const ts_tensor *in = &d->tensors[IN];
    const uint32_t place = (uint32_t)v->axis - (in->rank - n.indices); /* among the batch dimensions */
    suggest_add(out, "IndicesTensor.Sizes[%d] = %" PRIu64 ", and OutputTensor.Sizes to fit", v->axis,
                in->sizes[in->rank - n.input + place]);
}
