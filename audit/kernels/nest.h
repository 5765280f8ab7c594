/* SPDX-License-Identifier: Apache-2.0 */
/* A nest of loops that copies elements, and how it is made simpler before a kernel is chosen for it. */
#ifndef TOUCHSTONE_KERNELS_NEST_H
#define TOUCHSTONE_KERNELS_NEST_H

#include <stdbool.h>
#include <stdint.h>

#define NEST_RANK 16

/* One loop: how often, and by how many bytes each side advances. A step of the source may be 0 or negative. */
typedef struct loop {
    uint64_t size;
    int64_t to;
    int64_t from;
} loop;

/* Loops from the outermost to the innermost; the innermost body copies one element of `bytes` bytes. */
typedef struct nest {
    uint32_t bytes;
    uint32_t rank;
    loop loops[NEST_RANK];
} nest;

/* Start a nest without loops. */
void nest_begin(nest *n, uint32_t bytes);

/* Add the next inner loop, unless it has one iteration. */
void nest_add(nest *n, uint64_t size, int64_t to, int64_t from);

/* Remove loop k. */
void nest_remove(nest *n, uint32_t k);

/* Order the loops by the step of the target, the largest first. */
void nest_sort(nest *n);

/* Merge each loop with the next inner one where both together are one loop. */
void nest_merge(nest *n);

/* Let several adjacent elements count as one of up to 16 bytes, where the innermost loop has just these. */
void nest_widen(nest *n);

/* nest_sort, nest_merge and nest_widen. */
void nest_collapse(nest *n);

/* The product of the sizes of the first `rank` loops. */
uint64_t nest_count(const nest *n, uint32_t rank);

/* Are the number of elements and the offsets of both sides below 2^31, so that 32 bits are enough for indices? */
bool nest_fits_32(const nest *n);

#endif
