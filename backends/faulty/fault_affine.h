/* SPDX-License-Identifier: Apache-2.0 */
/* The copying operators except GATHER are affine: output coordinate o gets the input element at
   start + sum(o[i] * from[i]), and is at sum(o[i] * to[i]). */
#ifndef TOUCHSTONE_FAULT_AFFINE_H
#define TOUCHSTONE_FAULT_AFFINE_H

#include "backends/faulty/fault.h"

typedef struct affine {
    uint32_t rank;
    uint64_t count[TS_MAX_DIMS];
    int64_t from[TS_MAX_DIMS]; /* steps in the input, elements */
    int64_t to[TS_MAX_DIMS];   /* steps in the output */
    int64_t step[TS_MAX_DIMS]; /* of the attributes: input coordinates per output coordinate */
    int source[TS_MAX_DIMS];   /* the input dimension, or -1 */
    int64_t start;
} affine;

/* Ways to misread a StridedSlice. */
enum {
    SHRINK_NEGATIVE_IGNORED = 1,
    ELLIPSIS_SHORT = 2,
    NEW_AXIS_CONSUMES = 4,
    BEGIN_MASK_REVERSE_IGNORED = 8,
    BEGIN_MASK_IGNORED = 16,
    BEGIN_NEGATIVE_ZERO = 32,
    SHRINK_BEGIN_MASK = 64,
    ELLIPSIS_AT_END = 128,
    BEGIN_INT32 = 256,    /* begin is truncated to 32 bits */
    BEGIN_MASK_BYTE = 512 /* begin_mask is kept in a byte */
};

/* The copy of a call of SLICE1, StridedSlice or IDENTITY. `quirks`: how a StridedSlice is misread; 0: not at all. */
affine affine_of(const fault_call *call, unsigned quirks);

#endif
