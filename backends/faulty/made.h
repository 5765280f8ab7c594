/* SPDX-License-Identifier: Apache-2.0 */
/* Calls made by hand, each of which shows a fault. One row serves every operator that can express it: as a copy of the
   input (GATHER: of the block of one index), and with the same layout of the output for RANDOM_GENERATOR and
   CUMULATIVE_SUMMATION. */
#ifndef TOUCHSTONE_MADE_H
#define TOUCHSTONE_MADE_H

#include "backends/faulty/fault.h"

#include <string.h>

#define MADE_DIMS 9

typedef struct made {
    const char *fault;
    uint32_t on;    /* ON_*: the operators that the row is for; 0: all that the fault claims */
    uint32_t dtype; /* 0: UINT32 */
    uint32_t rank;  /* 0: as many as there are sizes before the first 0 */
    uint64_t size[MADE_DIMS];
    uint64_t in[MADE_DIMS];                          /* strides; all 0 with `in_given` unset: packed */
    uint64_t out[MADE_DIMS];                         /* strides; none: packed, or those of `in` (as above) */
    bool in_given;                                   /* `in` counts although it is all 0 */
    int64_t begin[16], end[16], step[16];            /* of windows; none: everything */
    uint32_t steps;                                  /* StridedSlice: number of steps; 0: one for each dimension */
    uint32_t begin_mask, end_mask, new_axis, shrink; /* StridedSlice: bit i is step i */
    uint32_t ellipsis;                               /* StridedSlice: bit i is step i */
    uint32_t strides;                                /* StridedSlice: number of strides; 0: as many as steps */
    uint32_t bad_mask;                               /* StridedSlice: begin_mask of this step, from 1 on, is 2 */
    bool indexed;                                    /* GATHER: of these indices, not of a block */
    uint32_t axis, picks;                            /* GATHER; picks - 1 leading dimensions are 1 */
    uint64_t indices;                                /* how many; those beyond `index` are number modulo axis size */
    int64_t index[8];
    uint32_t block, order; /* SPACE_TO_DEPTH1; 0: blocks of one element */
    uint32_t direction;    /* CUMULATIVE_SUMMATION, along `axis` */
    uint32_t exclusive;    /* CUMULATIVE_SUMMATION */
    uint32_t out_type;     /* CUMULATIVE_SUMMATION: of the output; 0: that of the input */
    uint32_t index_type;   /* 0: INT64 */
    uint64_t index_rows;   /* GATHER: the index tensor has so many rows, pitched */
    uint64_t index_slack;  /* bytes */
    const uint32_t *state; /* RANDOM_GENERATOR: 6 words */
    uint64_t state_size, state_stride;
    bool no_state;                /* the new state is absent */
    uint32_t type;                /* of the generator */
    uint64_t fill;                /* each element of the input, if `filled` */
    bool filled;                  /* */
    uint32_t flags, alignment;    /* of the input */
    uint64_t slack, short_total;  /* of the input in bytes; TotalTensorSizeInBytes of the output */
    uint64_t out_size[MADE_DIMS]; /* none: the sizes that the operator determines */
    uint32_t misaligned;          /* bytes of the output beyond a multiple of 64 */
    const struct made *before;    /* a call before, */
    unsigned times;               /* repeated; 0: once */
    /* Of operators with indices (made_whole.h): `size` is that of the data, and the indices have this shape. */
    bool whole;
    uint32_t index_rank;
    uint64_t index_shape[MADE_DIMS], index_strides[MADE_DIMS]; /* strides, of JOIN of the later inputs; none: packed */
    const int64_t *values;                                     /* of the first indices; none: those of `index` */
    uint32_t value_count;        /* how many values; further indices are numbers modulo the size */
    int64_t attr[3];             /* the attributes in their order, but for InputCount of JOIN */
    uint64_t parts[16];          /* JOIN: sizes of the inputs along the axis, as many as are not 0 */
    uint64_t lengths[4];         /* GatherTree: of batches; none: all steps; those beyond: the last one */
    uint64_t token;              /* GatherTree: the end token */
    bool counted;                /* element i of the data is i + 1, and index i is i, modulo the size */
    uint64_t zero_from, zero_to; /* elements of the data from the one to before the other are 0 */
    bool in_place;               /* the output is in the memory of the input */
    bool bad_part, bad_updates;  /* another size of the last input is one more; the updates have a dimension too many */
    bool empty;                  /* the last size of the data is 0 */
    bool descriptor;             /* without executing it */
    bool refused;                /* of the call before: make it illegal */
} made;

#define P2(n)     (INT64_C(1) << (n))
#define MADE_ZERO P2(40) /* in `step`: 0 */

/* The call that shows a fault in an operator (of ON_*), or NULL. */
static inline const made *made_find(const made *calls, size_t count, const char *name, uint32_t on)
{
    for (size_t i = 0; i < count; ++i)
        if (strcmp(calls[i].fault, name) == 0 && (calls[i].on == 0 || (calls[i].on & on)))
            return &calls[i];
    return NULL;
}

#endif
