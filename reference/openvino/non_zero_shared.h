/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the parts of NonZero-3. */
#ifndef TOUCHSTONE_OPENVINO_NON_ZERO_SHARED_H
#define TOUCHSTONE_OPENVINO_NON_ZERO_SHARED_H

#include "harness/model/operator.h"

/* Is an element zero? Both zeros of a float type are (NZ3-10). */
bool openvino_is_zero(const ts_tensor *t, const uint64_t *at);

/* Store an index in an output of type i32 or i64. */
void openvino_store_index(const ts_tensor *out, const uint64_t *at, uint64_t index);

#endif
