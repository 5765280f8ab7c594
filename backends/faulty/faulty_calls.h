/* SPDX-License-Identifier: Apache-2.0 */
/* Calls made by hand: for each fault of a code path, and of what is judged or remembered, a smallest call that shows
   it. One row serves every operator that can express it: as a copy of the input (GATHER: of the block of one index),
   and with the same layout of the output for RANDOM_GENERATOR. */
#ifndef TOUCHSTONE_FAULTY_CALLS_H
#define TOUCHSTONE_FAULTY_CALLS_H

#include "backends/faulty/fault.h"

#define MADE_DIMS 9

typedef struct made {
    const char *fault;
    uint32_t on;    /* ON_*: the operators that the row is for; 0: all that the fault claims */
    uint32_t dtype; /* 0: UINT32 */
    uint32_t rank;  /* 0: as many as there are sizes before the first 0 */
    uint64_t size[MADE_DIMS];
    uint64_t in[MADE_DIMS];                          /* strides; all 0 with `in_given` unset: packed */
    uint64_t out[MADE_DIMS];                         /* strides; none: packed, and those of `in` for RANDOM_GENERATOR */
    bool in_given;                                   /* `in` counts although it is all 0 */
    int64_t begin[16], end[16], step[16];            /* of windows; none: everything */
    uint32_t steps;                                  /* StridedSlice: number of steps; 0: one for each dimension */
    uint32_t begin_mask, end_mask, new_axis, shrink; /* StridedSlice: bit i is step i */
    uint32_t bad_mask;                               /* StridedSlice: begin_mask of this step, from 1 on, is 2 */
    bool indexed;                                    /* GATHER: of these indices, not of a block */
    uint32_t axis, picks;                            /* GATHER; picks - 1 leading dimensions are 1 */
    uint64_t indices;                                /* how many; those beyond `index` are number modulo axis size */
    int64_t index[8];
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
    bool refused;                 /* of the call before: make it illegal */
} made;

#define P2(n)     (INT64_C(1) << (n))
#define MADE_ZERO P2(40) /* in `step`: 0 */

static const made calls[] = {
    /* tails */
    { "tail-second", .size = { 2, 13 }, .in = { 16, 1 } },
    { "tail-halves", .dtype = TS_UINT16, .size = { 2, 9 }, .in = { 16, 1 } },
    { "tail-overlapped", .dtype = TS_UINT8, .size = { 2, 17 }, .in = { 32, 1 } },
    { "tail-reversed", .size = { 10 }, .step = { -1 }, .begin_mask = 1, .end_mask = 1 },
    { "tail-lane", .size = { 7 }, .in = { 2 } },
    { "tail-block", .dtype = TS_UINT8, .size = { 2, 5 }, .in = { 8, 1 } },
    { "tail-words", .size = { 2, 5 }, .in = { 8, 1 } },
    { "tail-rows", .size = { 7, 9 }, .in = { 16, 1 } },
    /* tiles */
    { "tile-corner", .size = { 17, 17 }, .in = { 1, 17 } },
    { "tile-second-row", .size = { 9, 9 }, .in = { 1, 9 } },
    { "tile-bytes", .dtype = TS_UINT8, .size = { 33, 33 }, .in = { 1, 33 } },
    { "tile-pairs", .dtype = TS_UINT64, .size = { 5, 6 }, .in = { 1, 5 } },
    { "tile-batch", .size = { 2, 4, 5 }, .in = { 20, 1, 4 } },
    { "tile-third", .size = { 5, 5, 5 }, .in = { 6, 1, 30 } },
    /* grids */
    { "grid-rest", .size = { 65537 } },
    { "grid-slices", .size = { 65, 2, 2 }, .in = { 16, 4, 1 } },
    { "grid-seam", .size = { 33, 2 }, .in = { 4, 1 } },
    { "grid-rows", .size = { 65536, 2 }, .in = { 4, 1 } },
    { "grid-columns", .size = { 2, 1025 }, .in = { 1040, 1 } },
    { "grid-indices", .size = { 7, 2 }, .indexed = true, .indices = 1025 },
    /* divisions */
    { "division-float", .size = { 2, 41 }, .in = { 48, 1 } },
    { "division-16", .size = { 20, 100, 7 }, .in = { 1000, 8, 1 } },
    { "division-20", .size = { 4, 1000 }, .in = { 1024, 1 } },
    { "division-shift", .size = { 2, 257 }, .in = { 260, 1 } },
    /* layouts */
    { "layout-stride-is-size", .size = { 2, 3, 5 }, .in = { 5, 20, 1 } },
    { "layout-low-byte", .size = { 2, 4 }, .in = { 260, 1 } },
    { "layout-page-pitch", .size = { 2, 5 }, .in = { 1024, 1 } },
    { "layout-misaligned", .size = { 9 }, .misaligned = 4 },
    { "layout-registers", .size = { 4, 4 }, .in = { 1, 4 } },
    { "layout-broadcast-middle", .size = { 2, 2, 2 }, .in = { 2, 0, 1 } },
    { "layout-broadcast-two", .size = { 2, 2, 2 }, .in = { 0, 1, 0 } },
    { "layout-interleaved", .size = { 2, 3 }, .out = { 1, 2 } },
    { "layout-sort", .size = { 2, 2, 2, 2 }, .in = { 1, 2, 4, 8 } },
    /* magnitudes */
    { "magnitude-float", .on = ON_COPIES, .dtype = TS_UINT8, .size = { 2 }, .in = { 16777217 } },
    { "magnitude-float", .size = { 2 }, .in = { 16777217 } },
    { "magnitude-18", .size = { 262145 } },
    { "magnitude-pitch-16", .size = { 2, 2 }, .in = { 65537, 1 } },
    { "magnitude-step-16", .dtype = TS_UINT8, .size = { 40000 }, .end = { 40000 }, .step = { 33000 } },
    { "magnitude-offset-16", .dtype = TS_UINT8, .size = { 70000 }, .begin = { 65537 }, .end = { 65538 } },
    { "magnitude-begin-32", .size = { 4 }, .begin = { P2(32) }, .end_mask = 1, .step = { -1 } },
    { "magnitude-index-16", .dtype = TS_UINT8, .size = { 65538 }, .indexed = true, .indices = 1, .index = { 65537 } },
    { "magnitude-index-float", .dtype = TS_UINT8, .size = { 16777218 }, .indexed = true, .indices = 1,
      .index = { 16777217 } },
    { "magnitude-index-31", .dtype = TS_UINT8, .size = { P2(31) + 2 }, .indexed = true, .indices = 1,
      .index = { P2(31) } },
    { "magnitude-lane", .size = { 8 }, .state = (const uint32_t[]){ UINT32_MAX, 1, 2, 3, 4, 5 } },
    /* patterns */
    { "pattern-run", .size = { 5 }, .indexed = true, .indices = 4, .index = { 0, 2, 1, 3 } },
    { "pattern-again", .size = { 3, 5 }, .indexed = true, .indices = 2, .index = { 1, 1 } },
    { "pattern-descending", .size = { 5 }, .indexed = true, .indices = 5, .index = { 4, 3, 2, 1, 0 } },
    { "pattern-constant", .size = { 2, 3 }, .indexed = true, .axis = 1, .indices = 4, .index = { 1, 1, 1, 1 } },
    { "pattern-far", .dtype = TS_UINT8, .size = { 40000 }, .indexed = true, .indices = 2, .index = { 0, 39999 } },
    { "pattern-zeros", .size = { 4 }, .filled = true },
    { "pattern-equal", .size = { 2, 8 }, .in = { 1, 0 } },
    { "pattern-zero-key", .size = { 4 }, .state = (const uint32_t[]){ 1, 2, 3, 4, 0, 0 } },
    { "pattern-equal-key", .size = { 4 }, .state = (const uint32_t[]){ 1, 2, 3, 4, 5, 5 } },
    /* counts */
    { "count-batches", .size = { 65536, 2, 2 }, .in = { 16, 4, 1 } },
    { "count-rows", .size = { 2, 40000, 2 }, .in = { 200000, 4, 1 } },
    { "count-row-64k", .on = ON_COPIES, .dtype = TS_UINT8, .size = { 2, 65537 }, .in = { 65540, 1 } },
    { "count-row-64k", .size = { 2, 16385 }, .in = { 16388, 1 } },
    { "count-row-1m", .on = ON_COPIES, .dtype = TS_UINT8, .size = { 2, 1048577 }, .in = { 1048580, 1 } },
    { "count-row-1m", .size = { 2, 262145 }, .in = { 262148, 1 } },
    { "count-block-128m", .dtype = TS_UINT64, .size = { P2(24) + 1 } },
    { "count-index-rows", .size = { 1, 3 }, .indexed = true, .axis = 1, .picks = 2, .indices = 2, .index_rows = 65536 },
    { "count-indices", .size = { 3 }, .indexed = true, .indices = 65536 },
    { "count-slack", .size = { 2, 9 }, .indexed = true, .axis = 1, .indices = 8, .index_slack = 16 },
    { "count-loops-7", .size = { 2, 2, 2, 2, 2, 2, 2 }, .in = { 1, 2, 4, 8, 16, 32, 64 } },
    { "count-loops-8", .on = ON_ALL & ~ON_GATHER, .size = { 2, 2, 2, 2, 2, 2, 2, 2 },
      .in = { 1, 2, 4, 8, 16, 32, 64, 128 } },
    { "count-loops-8", .size = { 2, 2, 2, 2, 2, 2, 2, 2 }, .in = { 1, 2, 4, 8, 16, 32, 64, 128 }, .indexed = true,
      .indices = 2 },
    { "count-blocks", .size = { 4 * 65536 + 4 } },
    { "count-steps", .size = { 3 }, .steps = 9, .begin = { [8] = 1 }, .end = { [8] = 2 }, .begin_mask = 256,
      .new_axis = 255 },
    /* history */
    { "plan-sizes", .on = ON_IDENTITY | ON_GATHER, .size = { 3, 2 }, .out = { 4, 1 },
      .before = &(const made){ .size = { 2, 3 } } },
    { "plan-sizes", .size = { 6, 4 }, .end = { 2, 2 }, .before = &(const made){ .size = { 4, 6 }, .end = { 2, 2 } } },
    { "plan-type", .dtype = TS_UINT16, .size = { 4 }, .before = &(const made){ .dtype = TS_UINT8, .size = { 4 } } },
    { "plan-index-type", .size = { 5 }, .indexed = true, .indices = 2, .index = { 1, 2 },
      .before = &(const made){ .size = { 5 }, .indexed = true, .indices = 2, .index_type = TS_INT32 } },
    { "plan-optional", .size = { 4 }, .before = &(const made){ .size = { 4 }, .no_state = true } },
    { "plan-sign", .size = { 5 }, .step = { -2 }, .begin_mask = 1, .end_mask = 1,
      .before = &(const made){ .size = { 5 }, .step = { 2 }, .begin_mask = 1, .end_mask = 1 } },
    { "plan-begin-mask", .size = { 4 }, .begin = { 1 }, .end = { 4 }, .step = { 2 }, .begin_mask = 1,
      .before = &(const made){ .size = { 4 }, .begin = { 1 }, .end = { 4 }, .step = { 2 } } },
    { "plan-axis", .size = { 3, 3 }, .indexed = true, .axis = 1, .indices = 3, .index = { 2, 1, 0 },
      .before = &(const made){ .size = { 3, 3 }, .indexed = true, .indices = 3 } },
    { "order-first", .size = { 1 } },
    { "order-ring-128", .size = { 1 }, .before = &(const made){ .size = { 1 } }, .times = 128 },
    { "order-growth", .size = { 6 }, .before = &(const made){ .size = { 4 } } },
    { "order-refused", .size = { 1 }, .before = &(const made){ .size = { 1 }, .refused = true } },
    /* acceptance */
    { "reject-owned", .size = { 1 }, .flags = 1 },
    { "reject-alignment", .size = { 1 }, .alignment = 512 },
    { "reject-double-total", .size = { 1 }, .slack = 128 },
    { "reject-interleaved", .size = { 3, 3 }, .out = { 2, 3 } },
    { "reject-wide-stride", .size = { 1, 1 }, .in = { P2(31), 1 } },
    { "reject-many-elements", .size = { P2(20) + 1 } },
    { "reject-far-step", .size = { 1 }, .end = { 1 }, .step = { P2(30) } },
    { "reject-all-broadcast", .size = { 2 }, .in_given = true },
    { "reject-steps", .size = { 1 }, .steps = 13, .end = { [12] = 1 }, .new_axis = 4095 },
    { "reject-empty", .size = { 2 }, .begin = { 1 }, .end = { 1 } },
    { "reject-no-indices", .size = { 2 }, .indexed = true, .picks = UINT32_MAX, .indices = 1 },
    { "reject-all-indices", .size = { 2 }, .indexed = true, .indices = 1 },
    { "reject-state-stride", .size = { 1 }, .state_stride = 2 },
    /* refusal */
    { "accept-strided-overlap", .size = { 2, 2 }, .out = { 1, 1 } },
    { "accept-short-strided", .size = { 2, 2 }, .out = { 4, 1 }, .short_total = 16 },
    { "accept-short-32", .size = { 2 }, .out = { P2(30) }, .short_total = 4 },
    { "accept-high-alignment", .size = { 1 }, .alignment = 8193 },
    { "accept-high-flags", .size = { 1 }, .flags = 256 },
    { "accept-zero-step-inside", .size = { 1, 1 }, .end = { 1, 1 }, .step = { 1, MADE_ZERO } },
    { "accept-far-overrun", .size = { 1 }, .begin = { UINT32_MAX }, .end = { P2(32) } },
    { "accept-negative-axis", .size = { 1 }, .indexed = true, .axis = UINT32_MAX, .indices = 1 },
    { "accept-shape-count", .size = { 2, 3 }, .indexed = true, .indices = 2, .out_size = { 3, 2 } },
    { "accept-size-count", .size = { 2, 3 }, .out_size = { 3, 2 } },
    { "accept-generator-byte", .size = { 1 }, .type = 256 },
    { "accept-long-state", .size = { 1 }, .state_size = 7 },
    { "accept-far-shrink", .size = { 1, 2 }, .begin = { P2(32) }, .shrink = 1, .out_size = { 2 } },
    { "accept-late-mask", .size = { 1, 1 }, .bad_mask = 2 },
    /* values */
    { "i8-symmetric", .dtype = TS_INT8, .size = { 1 }, .filled = true, .fill = 0x80 },
    { "nan-sign", .dtype = TS_FLOAT16, .size = { 1 }, .filled = true, .fill = 0xFC01 },
    { "u64-saturated", .dtype = TS_UINT64, .size = { 1 }, .filled = true, .fill = UINT64_C(1) << 63 },
    { "words-quieted", .size = { 4096 } },
};

/* The call that shows a fault in an operator, or NULL. */
static inline const made *made_for(const char *name, uint32_t on)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i)
        if (strcmp(calls[i].fault, name) == 0 && (calls[i].on == 0 || (calls[i].on & on)))
            return &calls[i];
    return NULL;
}

#endif
