/* SPDX-License-Identifier: Apache-2.0 */
/* Memory for one submission: allocated piece by piece, freed at once, and reused by the next submission. */
#ifndef TOUCHSTONE_OPENVINO_SCRATCH_H
#define TOUCHSTONE_OPENVINO_SCRATCH_H

#include <stddef.h>

typedef struct scratch {
    struct scratch_block *first, *at;
} scratch;

/* Allocate `size` bytes, aligned to 64; NULL if memory is out. */
void *scratch_take(scratch *s, size_t size);

/* Free all allocations; large blocks are returned to the operating system. */
void scratch_clear(scratch *s);

void scratch_free(scratch *s);

#endif
