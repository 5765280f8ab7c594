/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/loops.h"
#include "reference/dml/gather_nd_shared.h"

ts_find_sources loops_dml_gather_nd;

/* The last dimensions of the output are those of InputTensor behind the tuple; those before them are of the tuples, and
   leading ones. */
void loops_dml_gather_nd(const ts_descriptor *d, uint32_t rank, ts_loop *dims)
{
    const ts_tensor *in = &d->tensors[0], *indices = &d->tensors[1];
    const dml_gather_nd n = dml_gather_nd_counts(d);
    if (in->rank != rank || indices->rank != rank || n.indices > rank || n.input > rank || n.batch > n.input ||
        n.tuple > n.input - n.batch)
        return;
    const uint64_t behind = n.input - n.batch - n.tuple;
    for (uint64_t left = rank; left > 0; --left) { /* dimensions from this one on */
        ts_loop *loop = &dims[rank - left];
        if (left <= behind) {
            loop->from = (int64_t)in->strides[rank - left];
        } else if (left - behind < n.indices) {
            loop->picks = true;
            loop->from = (int64_t)indices->strides[rank - 1 - (left - behind)];
        }
    }
}
