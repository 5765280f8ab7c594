/* SPDX-License-Identifier: Apache-2.0 */
/* An odometer over the outer loops of a nest: the byte offsets of both sides, position by position. */
#ifndef TOUCHSTONE_KERNELS_WALK_H
#define TOUCHSTONE_KERNELS_WALK_H

#include "audit/kernels/nest.h"

typedef struct walk {
    const nest *nest;
    uint32_t rank; /* loops that it walks over, from the outermost */
    int64_t to;    /* offsets of the present position */
    int64_t from;
    uint64_t at[NEST_RANK];
} walk;

/* Start at position `first`, counted in row-major order. */
void walk_begin(walk *w, const nest *n, uint32_t rank, uint64_t first);

/* Go to the next position; behind the last one comes the first. */
void walk_next(walk *w);

#endif
