/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels for one row of elements. Each has a main loop over blocks of 16 or 32 bytes and a scalar tail. `n` counts
 * elements of `bytes` bytes (1, 2, 4, 8 or 16), steps are in bytes. The sides do not overlap.
 */
#ifndef TOUCHSTONE_KERNELS_ROWS_H
#define TOUCHSTONE_KERNELS_ROWS_H

#include <stddef.h>
#include <stdint.h>

/* Copy `bytes` contiguous bytes. */
void row_copy(unsigned char *to, const unsigned char *from, size_t bytes);

/* Write one element n times, contiguously. */
void row_fill(unsigned char *to, const unsigned char *from, uint32_t bytes, uint64_t n);

/* Copy n elements in reverse order: `from` is the first one read, and the others precede it. */
void row_reverse(unsigned char *to, const unsigned char *from, uint32_t bytes, uint64_t n);

/* Copy every second element, those at from, from + 2 * bytes, ... */
void row_halve(unsigned char *to, const unsigned char *from, uint32_t bytes, uint64_t n);

/* Copy elements that are `step` apart to contiguous ones. */
void row_pick(unsigned char *to, const unsigned char *from, int64_t step, uint32_t bytes, uint64_t n);

/* Copy contiguous elements to places that are `step` apart. */
void row_spread(unsigned char *to, int64_t step, const unsigned char *from, uint32_t bytes, uint64_t n);

/* Copy elements where both sides have a step. */
void row_move(unsigned char *to, int64_t to_step, const unsigned char *from, int64_t from_step, uint32_t bytes,
              uint64_t n);

/* The kernel for these steps. */
void row_any(unsigned char *to, int64_t to_step, const unsigned char *from, int64_t from_step, uint32_t bytes,
             uint64_t n);

#endif
