/* SPDX-License-Identifier: Apache-2.0 */
/* Pack and unpack strided tensors, for libraries without strides. */
#ifndef TOUCHSTONE_FETCHED_STRIDED_H
#define TOUCHSTONE_FETCHED_STRIDED_H

#include "backends/backend.h"

#include <stdbool.h>

/* Copy a tensor's elements, of so many bytes each (1, 2, 4 or 8), to memory in which they lie densely in row-major
   order; `back`: from there. Its layout has been checked, and its data is there. */
void strided_copy(const ts_tensor *t, uint32_t element, void *packed, bool back);

#endif
