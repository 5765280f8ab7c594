/* SPDX-License-Identifier: Apache-2.0 */
/* What kernels read of a tensor of a call. */
#ifndef TOUCHSTONE_KERNELS_TENSORS_H
#define TOUCHSTONE_KERNELS_TENSORS_H

#include "audit/kernels/nest.h"
#include "audit/kernels/plan_cache.h"
#include "backends/backend.h"

/* The step from one element of dimension k to the next, in bytes; 0 where there is no next one. */
int64_t tensor_step(const ts_tensor *t, uint32_t k);

/* Does a tensor have no elements? */
bool tensor_is_empty(const ts_tensor *t);

/* Are the elements contiguous in row-major order? */
bool tensor_is_dense(const ts_tensor *t);

/* The loops of a copy between tensors of the same sizes, of elements of this many bytes. */
nest tensor_nest(const ts_tensor *to, const ts_tensor *from, uint32_t bytes);

/* Append type, sizes and steps to a key. */
void tensor_key(plan_key *key, const ts_tensor *t);

#endif
