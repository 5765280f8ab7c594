/* SPDX-License-Identifier: Apache-2.0 */
/* Memory for one submission: taken piece by piece, given back all at once, and kept for the next. */
#ifndef TOUCHSTONE_OPENVINO_SCRATCH_H
#define TOUCHSTONE_OPENVINO_SCRATCH_H

#include <stddef.h>

typedef struct scratch {
    struct scratch_block *first, *at;
} scratch;

/* Memory for `size` bytes, aligned to 64; NULL where there is none. */
void *scratch_take(scratch *s, size_t size);

/* All of it is free again; large blocks are given back to the system. */
void scratch_clear(scratch *s);

void scratch_free(scratch *s);

#endif
