/* SPDX-License-Identifier: Apache-2.0 */
/* SCATTER_ND, which is ScatterNDUpdate where the tensors have elements. */
#ifndef TOUCHSTONE_KERNELS_SCATTER_ND_H
#define TOUCHSTONE_KERNELS_SCATTER_ND_H

#include "backends/backend.h"
#include "reference/dml/scatter_nd.h"

/* Copy tensor 0 to tensor 3, and replace blocks, by the tuples of tensor 1, with the updates of tensor 2. The counts
   say how many of the last dimensions of input and indices matter. Each tensor may have its own rank, and has an
   element; the dimensions of the updates are the array of tuples and those of a block, at the end. */
void scatter_nd_counted(const ts_call *call, const ts_dml_scatter_nd *counts);

/* Forget the plans. */
void scatter_nd_forget(void);

#endif
