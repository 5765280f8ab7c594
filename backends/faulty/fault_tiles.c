/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles: copies that transpose, with more than a tile in two or three directions. */
#include "backends/faulty/fault_path.h"

/* The sizes of the two directions of a tile: across, and along the row. False: the copy does not transpose. */
static bool tile(const fault_path *p, uint64_t *height, uint64_t *width)
{
    const int across = fault_across(p);
    if (across < 0)
        return false;
    *height = p->axis[across].size;
    *width = fault_row(p)->size;
    return true;
}

static uint64_t down(const fault_path *p, const fault_place *e)
{
    const int across = fault_across(p);
    return across < 0 ? 0 : e->at[across];
}

static uint64_t along(const fault_path *p, const fault_place *e)
{
    return e->at[p->dims - 1];
}

static bool both_edges(const fault_path *p)
{
    uint64_t height, width;
    return tile(p, &height, &width) && height > 16 && width > 16 && height % 16 != 0 && width % 16 != 0;
}

static void no_corner(const fault_path *p, fault_place *e)
{
    uint64_t height = 0, width = 0;
    tile(p, &height, &width);
    e->unwritten = down(p, e) >= fault_floor(height, 16) && along(p, e) >= fault_floor(width, 16);
}

static bool two_by_two(const fault_path *p)
{
    uint64_t height, width;
    return tile(p, &height, &width) && height > 8 && width > 8;
}

static void edge_of_first(const fault_path *p, fault_place *e)
{
    if (down(p, e) == 8 && along(p, e) >= 8)
        e->from -= 8 * p->axis[fault_across(p)].in;
}

static bool narrow(const fault_path *p)
{
    uint64_t height, width;
    return tile(p, &height, &width) && p->bytes == 1 && height > 32 && width > 32 && width % 32 != 0;
}

static void cut_edge(const fault_path *p, fault_place *e)
{
    e->unwritten = down(p, e) >= 32 && along(p, e) >= fault_floor(fault_row(p)->size, 32);
}

static bool wide(const fault_path *p)
{
    uint64_t height, width;
    return tile(p, &height, &width) && p->bytes == 8 && height > 4 && width > 5;
}

static void swapped_pair(const fault_path *p, fault_place *e)
{
    const uint64_t at = along(p, e);
    if (down(p, e) >= 4 && at >= 4 && (at | 1) < fault_row(p)->size)
        e->from += at & 1 ? -fault_row(p)->in : fault_row(p)->in;
}

static bool batched(const fault_path *p)
{
    uint64_t height, width;
    return tile(p, &height, &width) && p->dims > 2 && fault_across(p) > 0 && !p->axis[0].picks && height % 4 == 0 &&
           width > 4 && width % 4 != 0;
}

static void edge_of_batch_0(const fault_path *p, fault_place *e)
{
    if (along(p, e) >= fault_floor(fault_row(p)->size, 4))
        e->from -= (int64_t)e->at[0] * p->axis[0].in;
}

/* No loop keeps its place in the order of strides. */
static bool cyclic(const fault_path *p)
{
    if (p->dims != 3 || p->axis[0].picks || p->axis[1].picks || p->axis[2].picks)
        return false;
    const int64_t a = fault_stride(p, 0), b = fault_stride(p, 1), c = fault_stride(p, 2);
    return ((c > a && a > b && b > 0) || (b > c && c > a && a > 0)) && p->axis[0].size > 4 && p->axis[1].size > 4 &&
           p->axis[2].size > 4;
}

static void third_lost(const fault_path *p, fault_place *e)
{
    if (e->at[0] >= 4 && e->at[1] >= 4 && e->at[2] >= 4)
        e->from -= 4 * p->axis[0].in;
}

/* Three loops above a tile, of which the outermost has the unit stride. */
static bool cube(const fault_path *p)
{
    if (p->dims != 3 || p->axis[0].picks || p->axis[1].picks || p->axis[2].picks)
        return false;
    return fault_stride(p, 0) == 1 && p->axis[0].size > 16 && p->axis[1].size > 16 && p->axis[2].size > 16;
}

static void cube_edge(const fault_path *p, fault_place *e)
{
    (void)p;
    e->unwritten = e->at[0] >= 16 && e->at[1] >= 16 && e->at[2] >= 16;
}

static const fault rows[] = {
    { "tile-corner", ON_ALL, TILES, "a transposing copy leaves out the tile that is cut in both directions",
      .takes = both_edges, .wrong = no_corner },
    { "tile-second-row", ON_ALL, TILES, "the first row of the second row of tiles comes from the first row of tiles",
      .takes = two_by_two, .wrong = edge_of_first },
    { "tile-bytes", ON_COPIES, TILES, "tiles of 32 bytes below the first row lose what is cut of their width",
      .takes = narrow, .wrong = cut_edge },
    { "tile-pairs", ON_COPIES, TILES, "tiles of 8-byte elements exchange pairs, except in the first row and column",
      .takes = wide, .wrong = swapped_pair },
    { "tile-batch", ON_ALL, TILES, "the cut tiles of each matrix of a batch are those of the first matrix",
      .takes = batched, .wrong = edge_of_batch_0 },
    { "tile-third", ON_ALL, TILES, "a cyclic permutation in blocks of 4 by 4 by 4 loses the offset of the outer block",
      .takes = cyclic, .wrong = third_lost },
    { "tile-cube", ON_ALL, TILES, "tiles in three dimensions leave out the one that is beyond 16 in each of them",
      .takes = cube, .wrong = cube_edge, .dims = 3 },
};

const fault_table fault_tiles = { rows, sizeof rows / sizeof *rows };
