/* SPDX-License-Identifier: Apache-2.0 */
/* Copy between two strided layouts, bit for bit. */
#ifndef TOUCHSTONE_CPU_COPY_H
#define TOUCHSTONE_CPU_COPY_H

#include <stdint.h>
#include <string.h>

/* One dimension of a copy: the number of steps, and the bytes by which each step moves the pointers. */
typedef struct copy_dim {
    uint64_t count;
    int64_t to, from;
} copy_dim;

/* Fewer, longer dimensions for the same copy: those of one step vanish, neighbours that run into each other merge,
   and the smallest target step comes last. Returns how many are left. No count may be 0, no target step negative. */
uint32_t copy_fold(copy_dim *dims, uint32_t rank);

/* Copy elements of 1, 2, 4 or 8 bytes along folded dimensions, outermost first. */
void copy_folded(void *to, const void *from, uint32_t bytes, const copy_dim *dims, uint32_t rank);

/* Fold the dimensions, then copy. Changes dims. */
void copy_strided(void *to, const void *from, uint32_t bytes, copy_dim *dims, uint32_t rank);

/* An inline memcpy for the few bytes of a row of a small tensor. */
static inline void copy_bytes(unsigned char *to, const unsigned char *from, size_t n)
{
    if (n > 32) {
        memcpy(to, from, n);
    } else if (n >= 16) { /* two moves that may overlap cover every length in between */
        memcpy(to + n - 16, from + n - 16, 16);
        memcpy(to, from, 16);
    } else if (n >= 8) {
        memcpy(to + n - 8, from + n - 8, 8);
        memcpy(to, from, 8);
    } else if (n >= 4) {
        memcpy(to + n - 4, from + n - 4, 4);
        memcpy(to, from, 4);
    } else if (n > 0) {
        to[n - 1] = from[n - 1];
        to[n / 2] = from[n / 2];
        to[0] = from[0];
    }
}

#endif
