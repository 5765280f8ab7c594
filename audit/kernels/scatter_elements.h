/* SPDX-License-Identifier: Apache-2.0 */
/* SCATTER_ELEMENTS, which is ScatterElementsUpdate where the tensors have elements. */
#ifndef TOUCHSTONE_KERNELS_SCATTER_ELEMENTS_H
#define TOUCHSTONE_KERNELS_SCATTER_ELEMENTS_H

#include "backends/backend.h"

#include <stdbool.h>

/* Copy tensor 0 to tensor 3, and replace elements along its dimension `axis`, by the indices of tensor 1, with the
   updates of tensor 2. Each tensor has an element; the indices may have any type of integers. lines: have the indices
   the sizes of tensor 3 but along the axis, so that each of them is of a line along it? */
void scatter_elements_along(const ts_call *call, uint32_t axis, bool lines);

/* Forget the plans. */
void scatter_elements_forget(void);

#endif
