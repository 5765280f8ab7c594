/* SPDX-License-Identifier: Apache-2.0 */
/* One element of 1, 2, 4, 8 or 16 bytes. It need not be aligned. */
#ifndef TOUCHSTONE_KERNELS_LANES_H
#define TOUCHSTONE_KERNELS_LANES_H

#include <stdint.h>
#include <string.h>

#define LANE_MOST 16 /* bytes of the widest element */

/* Copy one element of `bytes` bytes. The sizes are constants, so that each is one move. */
static inline void lane_copy(unsigned char *to, const unsigned char *from, uint32_t bytes)
{
    switch (bytes) {
    case 1: memcpy(to, from, 1); break;
    case 2: memcpy(to, from, 2); break;
    case 4: memcpy(to, from, 4); break;
    case 8: memcpy(to, from, 8); break;
    default: memcpy(to, from, LANE_MOST); break;
    }
}

/* Bytes of an element by ts_dtype; the operators have no type of 4 bits. */
uint32_t lane_bytes(uint32_t dtype);

#endif
