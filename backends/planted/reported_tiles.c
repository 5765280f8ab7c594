/* SPDX-License-Identifier: Apache-2.0 */
/* Reported faults of tiles, grids, tails and divisions. */
#include "backends/planted/reported.h"

#define GRID 65535u

static bool cut_below(const fault_path *p)
{
    uint64_t height = 0, width = 0;
    return p->bytes == 2 && reported_tile(p, &height, &width) && height > 32 && height % 32 != 0 && width % 32 == 0;
}

static void tile_above(const fault_path *p, fault_place *e)
{
    const fault_axis *across = &p->axis[fault_across(p)];
    if (reported_down(p, e) >= fault_floor(across->size, 32))
        e->from -= 32 * across->in;
}

static bool no_threads(const fault_path *p)
{
    return p->dims == 3 && !reported_picks(p) && fault_vector(p) && fault_stride(p, 0) > 0 &&
           fault_stride(p, 0) < fault_stride(p, 1) && fault_row(p)->size * p->bytes < 16;
}

static void nothing(const fault_path *p, fault_place *e)
{
    (void)p;
    e->unwritten = true;
}

static bool tall_halves(const fault_path *p)
{
    uint64_t height = 0, width = 0;
    return p->bytes == 2 && reported_tile(p, &height, &width) && height > 32 * GRID;
}

static void below_grid(const fault_path *p, fault_place *e)
{
    e->unwritten = reported_down(p, e) >= 32 * GRID;
}

static bool many_batches(const fault_path *p)
{
    return fault_across(p) > 0 && !p->axis[0].picks && p->axis[0].size > GRID;
}

static void later_batches(const fault_path *p, fault_place *e)
{
    (void)p;
    e->unwritten = e->at[0] >= GRID;
}

static bool broadcast_rows(const fault_path *p)
{
    return p->dims == 2 && !reported_picks(p) && p->axis[0].in == 0 && p->axis[0].size > 2 * GRID;
}

static void later_pairs(const fault_path *p, fault_place *e)
{
    (void)p;
    e->unwritten = e->at[0] >= 2 * GRID;
}

static bool many_groups(const fault_path *p)
{
    return p->dims > 1 && p->count > 256 * GRID;
}

static void later_groups(const fault_path *p, fault_place *e)
{
    (void)p;
    e->unwritten = e->number >= 256 * GRID;
}

static bool two_by_two(const fault_path *p)
{
    uint64_t height = 0, width = 0;
    return p->bytes == 1 && reported_tile(p, &height, &width) && height % 4 == 2 && width % 4 == 2;
}

static void not_exchanged(const fault_path *p, fault_place *e)
{
    const int64_t row = (int64_t)(reported_down(p, e) & 1), column = (int64_t)(reported_along(p, e) & 1);
    e->from += (column - row) * (p->axis[fault_across(p)].in - fault_row(p)->in);
}

static bool narrow_features(const fault_path *p)
{
    uint64_t height = 0, width = 0;
    return fault_across(p) > 0 && reported_tile(p, &height, &width) && height > 16 && height % 16 == 0 && width < 8;
}

static void features_again(const fault_path *p, fault_place *e)
{
    const uint32_t across = (uint32_t)fault_across(p);
    if (e->at[across] >= 16)
        fault_shift(p, e, -16 * fault_stride(p, across));
}

static bool cut_random(const fault_path *p)
{
    uint64_t height = 0, width = 0;
    return reported_tile(p, &height, &width) && height > 4 && height % 4 != 0;
}

static void words_again(const fault_path *p, fault_place *e)
{
    if (reported_down(p, e) >= 4)
        e->from -= 4 * p->axis[fault_across(p)].in;
}

static bool cut_block(const fault_path *p)
{
    uint64_t height = 0, width = 0;
    return p->call->out->rank >= 4 && reported_tile(p, &height, &width) && height > 16 && height % 16 > 1;
}

static void first_of_block(const fault_path *p, fault_place *e)
{
    e->unwritten = reported_down(p, e) > fault_floor(p->axis[fault_across(p)].size, 16);
}

static bool odd_bytes(const fault_path *p)
{
    return p->dims == 1 && fault_vector(p) && p->count * p->bytes % 4 != 0;
}

static void whole_words(const fault_path *p, fault_place *e)
{
    e->unwritten = e->number * p->bytes >= fault_floor(p->count * p->bytes, 4);
}

static uint64_t area(const fault_path *p)
{
    return reported_size(p->call->out, 0) * reported_size(p->call->out, 1);
}

static bool odd_channels(const fault_path *p)
{
    return p->bytes == 4 && p->dims == 1 && fault_vector(p) && p->start == 0 && p->call->out->rank >= 3 &&
           area(p) % 4 != 0 && reported_size(p->call->out, 2) > 1;
}

static void channels_apart(const fault_path *p, fault_place *e)
{
    const uint64_t channel = e->number / area(p) % reported_size(p->call->out, 2);
    e->from += (int64_t)(channel * (4 - area(p) % 4));
}

static bool divided_by_1(const fault_path *p)
{
    return p->dims == 2 && !reported_picks(p) && reported_size(p->call->out, 1) == 1 &&
           reported_size(p->call->out, 0) == fault_row(p)->size;
}

static void row_0(const fault_path *p, fault_place *e)
{
    fault_shift(p, e, -(int64_t)e->at[0] * fault_stride(p, 0));
}

static bool long_texture(const fault_path *p)
{
    const ts_tensor *in = p->call->in;
    return p->dims == 1 && in->rank == 1 && in->sizes[0] > 32768 && !fault_power_of_two(in->sizes[0]);
}

static void even_texel(const fault_path *p, fault_place *e)
{
    (void)p;
    if (e->from > 32768)
        e->from -= e->from & 1;
}

static const fault rows[] = {
    { "ort-tile-load", ON_COPIES, TILES,
      "tiles of half floats that are cut below are loaded from the tiles above (onnxruntime pull request 5294)",
      .takes = cut_below, .wrong = tile_above },
    { "ort-empty-block", ON_ALL, COUNTS,
      "rows shorter than a vector in exchanged order have no threads at all (onnxruntime pull request 7329)",
      .takes = no_threads, .wrong = nothing },
    { "ort-half-grid", ON_COPIES, GRIDS,
      "a transposition of half floats with more than 65,535 tiles loses the rest (onnxruntime issue 16039)",
      .takes = tall_halves, .wrong = below_grid },
    { "tensorflow-batches", ON_ALL, GRIDS,
      "more than 65,535 matrices to transpose: the rest is lost (tensorflow pull request 13049)", .takes = many_batches,
      .wrong = later_batches },
    { "dace-broadcast-rows", ON_COPIES, GRIDS,
      "a row that is broadcast to more than 131,070 rows does not reach the rest (dace issue 1266)",
      .takes = broadcast_rows, .wrong = later_pairs },
    { "llama-groups", ON_COPIES, GRIDS,
      "a copy that is not flat loses what is beyond 65,535 groups of 256 (llama.cpp pull request 23750)",
      .takes = many_groups, .wrong = later_groups },
    { "ck-bytes", ON_COPIES, TILES,
      "tiles of 2 by 2 bytes are not transposed inside (composable_kernel pull request 3042)", .takes = two_by_two,
      .wrong = not_exchanged },
    { "openvino-permute-f-y", ON_ALL, TILES,
      "narrow batched transpositions take later features from the first block of 16 (openvino pull request 24319)",
      .takes = narrow_features, .wrong = features_again },
    { "nvfuser-random-tile", ON_RANDOM, TILES,
      "random words written transposed are repeated in the tiles that are cut (csarofeen/pytorch issue 1926)",
      .takes = cut_random, .wrong = words_again },
    { "onednn-cut-block", ON_ALL, TAILS,
      "of the last block of 16 channels, if it is cut, only the first is written (oneDNN issue 1272)",
      .takes = cut_block, .wrong = first_of_block },
    { "moltenvk-words", ON_COPIES, TAILS, "a flat copy loses the bytes after the last whole word (MoltenVK issue 62)",
      .takes = odd_bytes, .wrong = whole_words },
    { "ncnn-channel-step", ON_IDENTITY | ON_SLICE1, TAILS,
      "channels are looked for at multiples of 16 bytes where they are adjacent (ncnn issue 1014)",
      .takes = odd_channels, .wrong = channels_apart },
    { "fastmod-one", ON_ALL, DIVISIONS,
      "a coordinate divided by a size of 1 becomes 0, and with it those further out (fastmod issue 9)",
      .takes = divided_by_1, .wrong = row_0 },
    { "tfjs-texel", ON_SLICES, DIVISIONS,
      "positions beyond 32,768 in a size that is no power of two are rounded to even ones (tfjs issue 1657)",
      .takes = long_texture, .wrong = even_texel },
};

const fault_table planted_reported_tiles = { rows, sizeof rows / sizeof *rows };
