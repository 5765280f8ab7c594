/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies as a GPU runs them: one thread per element, 256 threads per group, at most 65,535 groups in each of three
 * dimensions of a dispatch. What does not fit into one dispatch takes several. The threads run one after the other.
 */
#ifndef TOUCHSTONE_KERNELS_GRID_H
#define TOUCHSTONE_KERNELS_GRID_H

#include "audit/kernels/divmod.h"
#include "audit/kernels/nest.h"

#define GRID_THREADS 256u
#define GRID_GROUPS  65535u

/* The groups of one dispatch, and the place of its first group in the whole grid. */
typedef struct dispatch {
    uint32_t groups[3]; /* x, y, z */
    uint64_t first[3];
} dispatch;

/* Run a shader once for each dispatch that the grid of total[0] * total[1] * total[2] groups needs. */
void grid_dispatch(const uint64_t total[3], void (*shader)(const dispatch *, void *context), void *context);

/* A copy with one index for all elements: coordinates by division. `divisors` are those of the loops. */
void grid_flat(const nest *n, const divisor *divisors, unsigned char *to, const unsigned char *from);

/* The same with indices of 64 bits and without reciprocals. */
void grid_flat_wide(const nest *n, unsigned char *to, const unsigned char *from);

/* A copy of one to three loops, a dimension of the grid for each. */
void grid_box(const nest *n, unsigned char *to, const unsigned char *from);

#endif
