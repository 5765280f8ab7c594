/* SPDX-License-Identifier: Apache-2.0 */
/* Transposing a matrix tile by tile. */
#ifndef TOUCHSTONE_KERNELS_TILES_H
#define TOUCHSTONE_KERNELS_TILES_H

#include <stdint.h>

/* A matrix whose source is contiguous along its rows and whose target is contiguous along its columns. */
typedef struct tiling {
    uint32_t bytes;      /* of an element: 1, 2, 4, 8 or 16 */
    uint64_t rows;       /* iterations of the loop whose source is contiguous */
    uint64_t columns;    /* iterations of the loop whose target is contiguous */
    int64_t to_row;      /* step of the target from row to row, */
    int64_t from_column; /* and of the source from column to column */
} tiling;

/* Elements along each side of a tile: 32, 16 or 8 by the width of an element. */
uint32_t tile_edge(uint32_t bytes);

/* Copy the whole matrix. */
void tiles_transpose(const tiling *t, unsigned char *to, const unsigned char *from);

#endif
