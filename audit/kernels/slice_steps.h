/* SPDX-License-Identifier: Apache-2.0 */
/* The slicing steps of StridedSlice in canonical form: where the slice starts, and how it advances. */
#ifndef TOUCHSTONE_KERNELS_SLICE_STEPS_H
#define TOUCHSTONE_KERNELS_SLICE_STEPS_H

#include "audit/kernels/nest.h"
#include "audit/kernels/plan_cache.h"
#include "backends/backend.h"

/* A slice as a nest of loops from the first element of the source on. */
typedef struct slice_canonical {
    int64_t start; /* bytes */
    nest nest;
} slice_canonical;

/* Resolve the steps of a legal call whose output is not empty. */
void slice_resolve(slice_canonical *s, const ts_call *call);

/* Append all attributes to a key. */
void slice_key(plan_key *key, const ts_call *call);

#endif
