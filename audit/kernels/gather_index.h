/* SPDX-License-Identifier: Apache-2.0 */
/* The indices of GATHER: from the index tensor to offsets of picked blocks, and patterns among them. */
#ifndef TOUCHSTONE_KERNELS_GATHER_INDEX_H
#define TOUCHSTONE_KERNELS_GATHER_INDEX_H

#include <stdbool.h>
#include <stdint.h>

/* What is known of the indices of a call before they are read. */
typedef struct index_source {
    uint32_t dtype; /* ts_dtype; index_resolve: UINT32, INT32, UINT64 or INT64 */
    uint64_t size;  /* of the axis */
    int64_t pitch;  /* bytes of the source from one index of the axis to the next */
} index_source;

/* Resolve n indices that are `step` bytes apart to offsets. A negative index of a signed type counts from the end of
   the axis; one that is out of range is moved to the nearest end. */
void index_resolve(const index_source *s, const unsigned char *from, int64_t step, uint64_t n, int64_t *offsets);

/* How many offsets from the first one on are contiguous blocks of `bytes` bytes, one after the other; at least 1. */
uint64_t index_run(const int64_t *offsets, uint64_t n, int64_t bytes);

/* Are all n offsets equal? */
bool index_constant(const int64_t *offsets, uint64_t n);

#endif
