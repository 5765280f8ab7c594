/* SPDX-License-Identifier: Apache-2.0 */
/* GATHER_ELEMENTS, which is GatherElements where the tensors have elements. */
#ifndef TOUCHSTONE_KERNELS_GATHER_ELEMENTS_H
#define TOUCHSTONE_KERNELS_GATHER_ELEMENTS_H

#include "backends/backend.h"

/* Gather from tensor 0 along its dimension `axis` by the indices of tensor 1 into tensor 2, each of which has an
   element. */
void gather_elements_along(const ts_call *call, uint32_t axis);

/* Forget the plans. */
void gather_elements_forget(void);

#endif
