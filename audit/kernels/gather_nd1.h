/* SPDX-License-Identifier: Apache-2.0 */
/* GATHER_ND1, which is GatherND where the tensors have elements. */
#ifndef TOUCHSTONE_KERNELS_GATHER_ND1_H
#define TOUCHSTONE_KERNELS_GATHER_ND1_H

#include "backends/backend.h"
#include "reference/dml/gather_nd1.h"

typedef struct nd_tensors {
    const ts_tensor *in, *indices, *out;
} nd_tensors;

/* Gather by tuples. The counts say how many of the last dimensions of input and indices matter. Each tensor may have
   its own rank, and has an element; the dimensions of the output are the array of tuples and those of a block, at the
   end.
 */
void gather_nd_batched(const nd_tensors *t, const ts_dml_gather_nd1 *counts);

/* Forget the plans. */
void gather_nd_forget(void);

#endif
