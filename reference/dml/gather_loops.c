/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/gather.h"
#include "harness/model/loops.h"

ts_find_sources loops_dml_gather;

/* Of the output's dimensions, Axis - IndexDimensions + 1 to Axis are those of the indices. */
void loops_dml_gather(const ts_descriptor *d, uint32_t rank, ts_loop *dims)
{
    const ts_dml_gather *a = TS_ATTRS(ts_dml_gather, d);
    const ts_tensor *in = &d->tensors[0], *indices = &d->tensors[1];
    const int64_t axis = a->Axis, picked = a->IndexDimensions;
    for (int64_t i = 0; i < (int64_t)rank; ++i) {
        const bool picks = i <= axis && i > axis - picked;
        const int64_t at = picks ? (int64_t)indices->rank - 1 - axis + i : i > axis ? i : i + picked - 1;
        const ts_tensor *source = picks ? indices : in;
        dims[i].picks = picks;
        dims[i].from = at >= 0 && at < (int64_t)source->rank ? (int64_t)source->strides[at] : 0;
    }
}
