/* SPDX-License-Identifier: Apache-2.0 */
/* Ends of rows, tiles and grids. */
#include "backends/planted/invented.h"

/* ---- tails ------------------------------------------------------------------------------------------------------- */

static bool long_bytes(const fault_path *p)
{
    return fault_vector(p) && p->bytes == 1 && fault_row(p)->size >= 64 && fault_row(p)->size % 64 > 32;
}

static void half_mask(const fault_path *p, fault_place *e)
{
    e->unwritten = column(p, e) >= fault_floor(fault_row(p)->size, 64) + 32;
}

static uint64_t vectors(const fault_path *p)
{
    return fault_row(p)->size * p->bytes / 16;
}

static bool three_left(const fault_path *p)
{
    return fault_rows(p) && vectors(p) > 4 && vectors(p) % 4 == 3;
}

static void third_is_second(const fault_path *p, fault_place *e)
{
    if (column(p, e) * p->bytes / 16 == vectors(p) - 1)
        e->from -= (int64_t)(16 / p->bytes);
}

static bool short_pairs(const fault_path *p)
{
    return fault_rows(p) && p->bytes == 2 && fault_row(p)->size > 2 && fault_row(p)->size % 2 == 0;
}

static void odd_start(const fault_path *p, fault_place *e)
{
    const int64_t begin = e->to - (int64_t)column(p, e);
    if (begin % 2 != 0 && column(p, e) + 1 == fault_row(p)->size)
        --e->from;
}

static bool reversed_rows(const fault_path *p)
{
    const uint64_t lanes = 32 / p->bytes, n = fault_row(p)->size;
    return p->dims > 1 && fault_row(p)->in == -1 && fault_row(p)->out == 1 && n > lanes && n % lanes > 1;
}

static void forward_tail(const fault_path *p, fault_place *e)
{
    const uint64_t n = fault_row(p)->size, whole = fault_floor(n, 32 / p->bytes);
    if (column(p, e) < whole)
        return;
    const uint64_t mirrored = whole + (n - 1 - column(p, e));
    e->from += (int64_t)column(p, e) - (int64_t)mirrored;
}

static bool every_other(const fault_path *p)
{
    return p->dims > 1 && !fault_row(p)->picks && fault_row(p)->in == 2 && fault_row(p)->out == 1 && p->bytes <= 2 &&
           fault_row(p)->size > 32 / p->bytes;
}

static void dense_tail(const fault_path *p, fault_place *e)
{
    const uint64_t whole = fault_floor(fault_row(p)->size, 32 / p->bytes);
    if (column(p, e) > whole)
        e->from -= (int64_t)(column(p, e) - whole);
}

static bool cut_blocks(const fault_path *p)
{
    return fault_rows(p) && fault_row(p)->size >= 16 && fault_row(p)->size % 4 != 0;
}

static void fresh_block(const fault_path *p, fault_place *e)
{
    const uint64_t n = fault_row(p)->size, row = e->number / n;
    e->from += (int64_t)(row * (4 - n % 4));
}

/* ---- tiles ------------------------------------------------------------------------------------------------------- */

/* The sizes of the two directions of a transposing copy that fills at least a tile. */
static bool matrix(const fault_path *p, uint64_t tile, uint64_t *height, uint64_t *width)
{
    const int across = fault_across(p);
    *height = across < 0 ? 0 : p->axis[across].size;
    *width = fault_row(p)->size;
    return across >= 0 && *height >= tile && *width >= tile;
}

static uint64_t down(const fault_path *p, const fault_place *e)
{
    return e->at[fault_across(p)];
}

static bool oblong(const fault_path *p)
{
    uint64_t height, width;
    return matrix(p, 32, &height, &width) && height != width;
}

static void unswapped_bounds(const fault_path *p, fault_place *e)
{
    uint64_t height, width;
    matrix(p, 32, &height, &width);
    e->unwritten = down(p, e) >= (width + 31) / 32 * 32 || column(p, e) >= (height + 31) / 32 * 32;
}

static bool tiled(const fault_path *p)
{
    uint64_t height, width;
    return matrix(p, 32, &height, &width);
}

static void few_tiles(const fault_path *p, fault_place *e)
{
    uint64_t height, width, batch = 0;
    matrix(p, 32, &height, &width);
    for (uint32_t i = 0; i + 1 < p->dims; ++i)
        if ((int)i != fault_across(p))
            batch = batch * p->axis[i].size + e->at[i];
    const uint64_t high = (height + 31) / 32, wide = (width + 31) / 32;
    const uint64_t tile = (batch * high + down(p, e) / 32) * wide + column(p, e) / 32;
    e->unwritten = tile >= (p->count + 1023) / 1024;
}

static bool half_tiles(const fault_path *p)
{
    uint64_t height, width;
    return p->bytes == 2 && matrix(p, 8, &height, &width) && width % 8 != 0 && fault_row(p)->out == 1 &&
           above(p)->out % 8 != 0;
}

static void stepped_back(const fault_path *p, fault_place *e)
{
    const uint64_t width = fault_row(p)->size;
    if (column(p, e) >= fault_floor(width, 8))
        e->from -= (int64_t)(8 - width % 8) * fault_row(p)->in;
}

static bool cubes(const fault_path *p)
{
    return p->dims == 3 && fault_across(p) == 0 && !p->axis[1].picks && p->axis[1].size > 16 &&
           p->axis[1].size % 16 != 0;
}

static void count_kept(const fault_path *p, fault_place *e)
{
    e->unwritten = e->at[0] > 0 && e->at[1] < 16 && e->at[1] >= p->axis[1].size % 16;
}

/* The loop that runs backwards through neighbours while the row does not. */
static int backwards(const fault_path *p)
{
    for (uint32_t i = 0; i + 1 < p->dims; ++i)
        if (p->axis[i].in == -1 && fault_row(p)->in > 1 && fault_row(p)->out == 1)
            return (int)i;
    return -1;
}

static bool flipped_matrix(const fault_path *p)
{
    const int i = backwards(p);
    return i >= 0 && p->axis[i].size > 8 && p->axis[i].size % 8 > 1 && fault_row(p)->size >= 8;
}

static void edge_unflipped(const fault_path *p, fault_place *e)
{
    const int i = backwards(p);
    const uint64_t n = p->axis[i].size, whole = fault_floor(n, 8);
    if (e->at[i] >= whole)
        e->from += (int64_t)e->at[i] - (int64_t)(whole + (n - 1 - e->at[i]));
}

/* ---- grids ------------------------------------------------------------------------------------------------------- */

enum { GROUPS = 65535, RANDOM_SWEEP = 1 << 21 };

static bool many_groups(const fault_path *p)
{
    return (p->dims > 1 || p->call->on == ON_RANDOM) && p->count > (uint64_t)GROUPS * 256;
}

static void groups_skipped(const fault_path *p, fault_place *e)
{
    (void)p;
    e->unwritten = e->number / 256 % (GROUPS + 1) == GROUPS;
}

static bool four_threads(const fault_path *p)
{
    return fault_rows(p) && fault_row_count(p) >= 64 && p->count * p->bytes >= 32768;
}

static void rows_left_over(const fault_path *p, fault_place *e)
{
    e->unwritten = e->number / fault_row(p)->size >= 4 * fault_floor(fault_row_count(p) / 4, 8);
}

static bool quarter_groups(const fault_path *p)
{
    const uint64_t n = fault_row(p)->size;
    return fault_rows(p) && p->bytes == 1 && n > 256 && n % 256 != 0 && n % 64 == 0;
}

static void no_last_group(const fault_path *p, fault_place *e)
{
    e->unwritten = column(p, e) >= fault_floor(fault_row(p)->size, 256);
}

static bool many_blocks(const fault_path *p)
{
    return fault_picks(p) > 1 && block(p) > 1 && !p->axis[0].picks && p->count / block(p) > GROUPS;
}

static void blocks_dropped(const fault_path *p, fault_place *e)
{
    e->unwritten = e->number / block(p) >= GROUPS;
}

static bool second_sweep(const fault_path *p)
{
    return p->count > RANDOM_SWEEP;
}

static void sweep_again(const fault_path *p, fault_place *e)
{
    (void)p;
    e->from %= RANDOM_SWEEP;
}

static const fault rows[] = {
    { "mask-32-lanes", ON_COPIES, TAILS, "the mask of a tail of bytes has 32 bits, the vector 64 lanes",
      .takes = long_bytes, .wrong = half_mask },
    { "unroll-third", ON_ALL, TAILS,
      "after a loop of four vectors at a time, the third vector left is the second again", .takes = three_left,
      .wrong = third_is_second },
    { "pairs-odd-start", ON_COPIES, TAILS, "rows of 16-bit elements that start within a word end with a wrong element",
      .takes = short_pairs, .wrong = odd_start },
    { "reverse-tail-forward", ON_SLICES, TAILS, "what a reversing vector loop leaves of a row is copied forward",
      .takes = reversed_rows, .wrong = forward_tail },
    { "even-lanes-tail", ON_COPIES, TAILS, "rows of every other narrow element: the tail takes every element",
      .takes = every_other, .wrong = dense_tail },
    { "row-fresh-block", ON_RANDOM, TAILS, "the generator for long rows starts each row with a fresh block",
      .takes = cut_blocks, .wrong = fresh_block },
    { "tile-bounds-unswapped", ON_ALL, TILES, "tiles are written within the bounds of the matrix before transposition",
      .takes = oblong, .wrong = unswapped_bounds },
    { "tile-total", ON_ALL, TILES,
      "as many tiles are started as the elements fill, and those at the edges are not full", .takes = tiled,
      .wrong = few_tiles },
    { "tile-stepped-back", ON_COPIES, TILES,
      "the last tile of 16-bit elements is moved back into the matrix where it is read but not where it is written",
      .takes = half_tiles, .wrong = stepped_back },
    { "tile-count-kept", ON_ALL, TILES, "the height of an edge tile is kept for the first tile of the next slice",
      .takes = cubes, .wrong = count_kept },
    { "tile-edge-unflipped", ON_SLICES, TILES, "a transposing copy that also flips does not flip its edge tiles",
      .takes = flipped_matrix, .wrong = edge_unflipped },
    { "grid-fold-65536", ON_ALL, GRIDS,
      "a grid of more than 65,535 groups is folded into rows of 65,535, unfolded by 65,536", .takes = many_groups,
      .wrong = groups_skipped },
    { "grid-thread-rows", ON_ALL, GRIDS, "four threads share the rows in eights, rounded down", .takes = four_threads,
      .wrong = rows_left_over },
    { "grid-quarter-group", ON_COPIES, GRIDS, "a group that is full in a quarter of its threads is not started",
      .takes = quarter_groups, .wrong = no_last_group },
    { "grid-gather-blocks", ON_GATHER, GRIDS, "one group for each block of each batch, at most 65,535",
      .takes = many_blocks, .wrong = blocks_dropped },
    { "grid-random-sweep", ON_RANDOM, GRIDS, "the second sweep of 2,097,152 words has the counters of the first",
      .takes = second_sweep, .wrong = sweep_again },
};

const fault_table planted_invented = { rows, sizeof rows / sizeof *rows };
