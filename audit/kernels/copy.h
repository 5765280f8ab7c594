/* SPDX-License-Identifier: Apache-2.0 */
/* The dispatcher of strided copies: chooses a code path for a nest of loops, once, and runs it as often as needed. */
#ifndef TOUCHSTONE_KERNELS_COPY_H
#define TOUCHSTONE_KERNELS_COPY_H

#include "audit/kernels/divmod.h"
#include "audit/kernels/nest.h"
#include "audit/kernels/tiles.h"

typedef enum copy_path {
    COPY_ELEMENT,  /* one element */
    COPY_BLOCK,    /* one contiguous block */
    COPY_ROWS,     /* the innermost loop by a row kernel */
    COPY_TILES,    /* a transposed matrix, tile by tile */
    COPY_PACKED,   /* the distinct elements of a broadcast source are packed first */
    COPY_BOX,      /* a grid of threads with a dimension for each loop */
    COPY_FLAT,     /* a grid of threads with one index in 32 bits */
    COPY_FLAT_WIDE /* and in 64 bits */
} copy_path;

typedef struct copy_plan {
    copy_path path;
    nest nest;                   /* collapsed */
    divisor divisors[NEST_RANK]; /* COPY_FLAT: of the loops */
    nest outer;                  /* COPY_TILES: the loops around the matrix */
    tiling tiles;
    nest pack, unpack; /* COPY_PACKED: to scratch memory, and from there */
} copy_plan;

/* Choose a path for a nest, whose loops may be in any order. No loop is empty. */
void copy_plan_make(copy_plan *p, const nest *n);

/* Copy. */
void copy_plan_run(const copy_plan *p, unsigned char *to, const unsigned char *from);

/* Run a nest of one or more loops row by row, the first half of the rows in one thread and the others in a second one.
 */
void copy_rows(const nest *n, unsigned char *to, const unsigned char *from);

/* Copy a contiguous block, a large one in two threads. */
void copy_block(unsigned char *to, const unsigned char *from, uint64_t bytes);

#endif
