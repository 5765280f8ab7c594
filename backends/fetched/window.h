/* SPDX-License-Identifier: Apache-2.0 */
/* SLICE1's windows, for libraries that have ranges. */
#ifndef TOUCHSTONE_FETCHED_WINDOW_H
#define TOUCHSTONE_FETCHED_WINDOW_H

#include "reference/dml/slice1.h"

#include <stdbool.h>

/* The range from `start` by InputWindowStrides[axis] to `stop`, which is not in it, with the `steps` elements that the
   output has along an axis of `size` elements. A `stop` before the first element is -size-1, since -1 would be the last
   one. False if the window is illegal, or has no `steps` elements: there is no such range. */
bool window_range(const ts_dml_slice1 *a, uint32_t axis, uint64_t size, uint64_t steps, int64_t *start, int64_t *stop);

#endif
