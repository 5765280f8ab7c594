/* SPDX-License-Identifier: Apache-2.0 */
/* Pack and unpack strided tensors, for libraries without strides. */
#ifndef TOUCHSTONE_FETCHED_STRIDED_H
#define TOUCHSTONE_FETCHED_STRIDED_H

#include "backends/backend.h"

#include <stdbool.h>

/* Copy the elements of a tensor, of `element` bytes each (1, 2, 4 or 8), to packed memory in row-major order; `back`:
   from there. The caller has checked the layout, and the tensor has data. */
void strided_copy(const ts_tensor *t, uint32_t element, void *packed, bool back);

#endif
