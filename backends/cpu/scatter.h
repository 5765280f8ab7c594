/* SPDX-License-Identifier: Apache-2.0 */
/* The scatters: a copy of the input, and then updates in their order, each of which replaces an element or a block that
   one index or a tuple of them selects. */
#ifndef TOUCHSTONE_CPU_SCATTER_H
#define TOUCHSTONE_CPU_SCATTER_H

#include "backends/cpu/buffer.h"
#include "backends/cpu/copy.h"

/* A dimension that leads from one update to the next: its steps, and the bytes that each moves in three tensors. */
typedef struct scatter_lane {
    uint64_t count;
    int64_t index, update, to;
} scatter_lane;

/* A dimension of the output that an index selects from: its elements, and the bytes from one to the next. */
typedef struct scatter_reach {
    uint64_t size;
    int64_t step;
} scatter_reach;

typedef struct scatter_plan {
    scatter_lane lanes[TS_MAX_DIMS];
    scatter_reach reaches[8];
    copy_dim block[8]; /* what one update replaces; scatter_apply folds it */
    uint32_t lane_count, reach_count, block_count;
    int64_t next_index; /* bytes from one index of a tuple to the next */
    uint32_t bytes, index_type;
    bool from_end; /* do negative indices count from the end? Else they are beyond the dimension */
} scatter_plan;

/* The bytes from one element of a dimension to the next. */
static inline int64_t scatter_stride(const buffer *b, uint32_t i)
{
    return (int64_t)(b->strides[i] * b->bytes);
}

/* Copy a tensor, which has elements, to one of the same sizes. */
void scatter_copy(const buffer *output, const buffer *input);

/* Apply the updates. One with an index beyond its dimension is dropped. */
void scatter_apply(scatter_plan *p, const buffer *index, const buffer *update, const buffer *output);

#endif
