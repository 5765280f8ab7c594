/* SPDX-License-Identifier: Apache-2.0 */
/* Make a ts_call by hand, for tests of backends and for benchmarks. */
#ifndef TOUCHSTONE_CALL_OF_H
#define TOUCHSTONE_CALL_OF_H

#include "backends/backend.h"

/* Return a call of operator `op` at the newest feature level. `attrs` has `size` bytes; bit k of `given` says whether
   attribute k is present. The call keeps the pointers; it copies nothing. */
static inline ts_call call_of(const char *op, const void *attrs, size_t size, uint32_t given, const ts_tensor *tensors,
                              uint32_t count)
{
    return (ts_call){ .struct_size = sizeof(ts_call),
                      .tensor_size = sizeof(ts_tensor),
                      .op = op,
                      .attrs = attrs,
                      .attrs_size = (uint32_t)size,
                      .attrs_given = given,
                      .tensor_count = count,
                      .feature_level = TS_LEVEL_6_4,
                      .tensors = tensors };
}

#endif
