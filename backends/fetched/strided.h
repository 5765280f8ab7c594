/* SPDX-License-Identifier: Apache-2.0 */
/* Pack and unpack strided tensors, for libraries without strides. */
#ifndef TOUCHSTONE_FETCHED_STRIDED_H
#define TOUCHSTONE_FETCHED_STRIDED_H

#include "backends/backend.h"

#include <stdbool.h>

/* Is every element, of `bytes` bytes, within the tensor's total_bytes? Libraries that take an address without a size
   cannot tell. No size is 0. */
bool strided_fits(const ts_tensor *t, uint32_t bytes);

/* Are the elements contiguous in row-major order? No size is 0. */
bool strided_is_packed(const ts_tensor *t);

/* Copy the elements of a tensor, of `element` bytes each (1, 2, 4 or 8), to packed memory in row-major order; `back`:
   from there. The caller has checked the layout, and the tensor has data. */
void strided_copy(const ts_tensor *t, uint32_t element, void *packed, bool back);

#endif
