/* SPDX-License-Identifier: Apache-2.0 */
/* Whole tensors: what remains of a call where there is nothing to gather from, or nothing to scatter. */
#ifndef TOUCHSTONE_KERNELS_WHOLE_H
#define TOUCHSTONE_KERNELS_WHOLE_H

#include "backends/backend.h"

/* Copy a tensor to one of the same sizes. Both may be empty. */
void whole_copy(const ts_tensor *to, const ts_tensor *from);

/* Make every element of a tensor, which may be empty, zero. */
void whole_zero(const ts_tensor *to);

#endif
