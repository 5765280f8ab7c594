/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/kernels/tiles.h"
#include "audit/kernels/lanes.h"
#include "audit/kernels/rows.h"

enum { MOST_EDGE = 32, MOST_BYTES = 8 * 8 * LANE_MOST };

uint32_t tile_edge(uint32_t bytes)
{
    switch (bytes) {
    case 1: return MOST_EDGE;
    case 2:
    case 4: return 16;
    default: return 8;
    }
}

/* A full tile: the lines of the source are loaded whole, turned, and the lines of the target are stored whole. */
static void full_tile(const tiling *t, unsigned char *to, const unsigned char *from)
{
    unsigned char tile[MOST_BYTES], line[MOST_EDGE * 8];
    const uint32_t edge = tile_edge(t->bytes);
    const uint32_t length = edge * t->bytes;
    for (uint32_t column = 0; column < edge; ++column) {
        memcpy(line, from, length);
        for (uint32_t row = 0; row < edge; ++row)
            lane_copy(tile + row * length + column * t->bytes, line + row * t->bytes, t->bytes);
        from += t->from_column;
    }
    for (uint32_t row = 0; row < edge; ++row) {
        memcpy(to, tile + row * length, length);
        to += t->to_row;
    }
}

/* A tile at the right or the lower edge. */
static void edge_tile(const tiling *t, unsigned char *to, const unsigned char *from, uint64_t rows, uint64_t columns)
{
    for (uint64_t row = 0; row < rows; ++row) {
        row_pick(to, from, t->from_column, t->bytes, columns);
        to += t->to_row;
        from += t->bytes;
    }
}

/* One band of `rows` rows, at most as many as a tile has. */
static void band(const tiling *t, unsigned char *to, const unsigned char *from, uint64_t rows)
{
    const uint32_t edge = tile_edge(t->bytes);
    uint64_t column = 0;
    for (; column + edge <= t->columns; column += edge) {
        if (rows == edge)
            full_tile(t, to, from);
        else
            edge_tile(t, to, from, rows, edge);
        to += edge * t->bytes;
        from += (int64_t)edge * t->from_column;
    }
    edge_tile(t, to, from, rows, t->columns - column);
}

void tiles_transpose(const tiling *t, unsigned char *to, const unsigned char *from)
{
    const uint32_t edge = tile_edge(t->bytes);
    uint64_t row = 0;
    for (; row + edge <= t->rows; row += edge) {
        band(t, to, from, edge);
        to += (int64_t)edge * t->to_row;
        from += edge * t->bytes;
    }
    band(t, to, from, t->rows - row);
}
