/* SPDX-License-Identifier: Apache-2.0 */
/* The second set: ends of rows, tiles and grids. */
#include "backends/planted/second.h"

/* ---- tails ------------------------------------------------------------------------------------------------------- */

static bool long_rows(const fault_path *p)
{
    return fault_vector(p) && fault_row(p)->size * p->bytes >= 64;
}

static void peeled_twice(const fault_path *p, fault_place *e)
{
    const uint64_t begin = (uintptr_t)p->call->out->data + ((uint64_t)e->to - column(p, e)) * p->bytes;
    const uint64_t head = (16 - begin % 16) % 16 / p->bytes;
    e->unwritten = column(p, e) >= fault_row(p)->size - head;
}

static bool paired_rows(const fault_path *p)
{
    const uint64_t lanes = 32 / p->bytes, n = fault_row(p)->size;
    return fault_rows(p) && !above(p)->picks && above(p)->size > 1 && n > lanes && n % lanes != 0;
}

static void tail_of_first(const fault_path *p, fault_place *e)
{
    e->unwritten = e->at[p->dims - 2] % 2 == 1 && column(p, e) >= fault_floor(fault_row(p)->size, 32 / p->bytes);
}

static bool five_left(const fault_path *p)
{
    return fault_vector(p) && p->bytes == 4 && fault_row(p)->size > 8 && fault_row(p)->size % 8 == 5;
}

static void four_copied(const fault_path *p, fault_place *e)
{
    e->unwritten = column(p, e) + 1 == fault_row(p)->size;
}

static bool one_vector(const fault_path *p)
{
    return fault_rows(p) && fault_row(p)->size * p->bytes == 16;
}

static void neither_loop(const fault_path *p, fault_place *e)
{
    (void)p;
    e->unwritten = true;
}

static bool spread_stores(const fault_path *p)
{
    const fault_axis *row = fault_row(p);
    return !row->picks && row->in == 1 && row->out > 1 && row->size > 8 && row->size % 8 > 1;
}

static void dense_stores(const fault_path *p, fault_place *e)
{
    const uint64_t whole = fault_floor(fault_row(p)->size, 8);
    if (column(p, e) > whole)
        e->to -= (int64_t)(column(p, e) - whole) * (fault_row(p)->out - 1);
}

/* ---- tiles ------------------------------------------------------------------------------------------------------- */

static bool tiles_32(const fault_path *p)
{
    return second_matrix(p, 32) && second_height(p) % 32 != 0;
}

/* A thread copies four rows of a tile, 8 apart, if the last of them is inside. */
static void four_or_none(const fault_path *p, fault_place *e)
{
    const uint64_t down = reported_down(p, e), base = fault_floor(down, 32);
    e->unwritten = base + (down - base) % 8 + 24 >= second_height(p);
}

static bool half_tiles(const fault_path *p)
{
    return p->bytes == 2 && second_matrix(p, 32);
}

static void two_pitches(const fault_path *p, fault_place *e)
{
    const uint64_t down = reported_down(p, e), along = reported_along(p, e);
    const uint64_t place = down % 32 * 33 + along % 32, row = place / 32, col = place % 32;
    if (row > 31 || fault_floor(down, 32) + row >= second_height(p) ||
        fault_floor(along, 32) + col >= fault_row(p)->size)
        return;
    e->from += ((int64_t)row - (int64_t)(down % 32)) * p->axis[fault_across(p)].in +
               ((int64_t)col - (int64_t)(along % 32)) * fault_row(p)->in;
}

static bool batched(const fault_path *p)
{
    return p->dims == 3 && fault_across(p) == 1 && !p->axis[0].picks && p->axis[0].in != p->axis[0].out;
}

static void pitch_of_output(const fault_path *p, fault_place *e)
{
    e->from += (int64_t)e->at[0] * (p->axis[0].out - p->axis[0].in);
}

static bool wide_tiles(const fault_path *p)
{
    return p->bytes == 8 && second_matrix(p, 8);
}

static void other_swizzle(const fault_path *p, fault_place *e)
{
    const uint64_t along = reported_along(p, e), down = reported_down(p, e);
    if (fault_floor(along, 8) + 8 <= fault_row(p)->size)
        e->from += ((int64_t)((along % 8) ^ (down & 4)) - (int64_t)(along % 8)) * fault_row(p)->in;
}

static bool two_batches(const fault_path *p)
{
    return p->dims == 4 && fault_across(p) == 2 && !p->axis[0].picks && !p->axis[1].picks &&
           p->axis[0].size != p->axis[1].size;
}

static void unfolded_by_other(const fault_path *p, fault_place *e)
{
    const uint64_t batch = e->at[0] * p->axis[1].size + e->at[1];
    const uint64_t outer = batch % p->axis[0].size, inner = batch / p->axis[0].size;
    fault_shift(p, e,
                ((int64_t)outer - (int64_t)e->at[0]) * fault_stride(p, 0) +
                    ((int64_t)inner - (int64_t)e->at[1]) * fault_stride(p, 1));
}

/* ---- grids ------------------------------------------------------------------------------------------------------- */

enum { RESIDENT = 108 * 4 * 1024 };

static bool beyond_resident(const fault_path *p)
{
    return p->count > RESIDENT && p->count % 1024 != 0;
}

static void rest_of_waves(const fault_path *p, fault_place *e)
{
    e->unwritten = e->number >= fault_floor(p->count, 1024);
}

static bool halved(const fault_path *p)
{
    return fault_rows(p) && p->count * p->bytes >= 65536 && p->count / 2 % fault_row(p)->size != 0;
}

static void row_begun_again(const fault_path *p, fault_place *e)
{
    const uint64_t half = p->count / 2, n = fault_row(p)->size;
    if (e->number >= half && e->number / n == half / n)
        fault_shift(p, e, -(int64_t)(half % n));
}

static bool many_planes(const fault_path *p)
{
    return p->dims == 3 && !picks_any(p) && p->axis[0].size > 64 && p->axis[0].size % 64 != 0;
}

static void planes_by_64(const fault_path *p, fault_place *e)
{
    e->unwritten = e->at[0] >= fault_floor(p->axis[0].size, 64);
}

static bool beyond_shared(const fault_path *p)
{
    return fault_picks(p) > 1024;
}

static void first_shared(const fault_path *p, fault_place *e)
{
    e->from += (fault_index(p, e->pick % 1024) - e->index) * p->picked_stride;
}

static bool beyond_float(const fault_path *p)
{
    return p->count > 1 << 24;
}

static void rounded_groups(const fault_path *p, fault_place *e)
{
    e->unwritten = e->number / 256 >= ((uint64_t)(float)p->count + 255) / 256;
}

static const fault rows[] = {
    { "second-tail-peeled", ON_EVERY, TAILS,
      "elements copied to reach an aligned address are taken twice off what is left of the row", .takes = long_rows,
      .wrong = peeled_twice },
    { "second-tail-pair", ON_EVERY, TAILS, "of rows copied two at a time, only the first one has its tail",
      .takes = paired_rows, .wrong = tail_of_first },
    { "second-tail-switch", ON_EVERY, TAILS, "in a switch over what is left of eight, five is done as four",
      .takes = five_left, .wrong = four_copied },
    { "second-tail-one-vector", ON_EVERY, TAILS, "rows of exactly one vector are in neither loop", .takes = one_vector,
      .wrong = neither_loop },
    { "second-tail-spread", ON_EVERY, TAILS,
      "a loop of eight stores elements that are apart; the tail stores neighbours", .takes = spread_stores,
      .wrong = dense_stores },
    { "second-tile-four-rows", ON_EVERY, TILES,
      "a thread of a tile copies four rows, 8 apart, if the last of them is inside, else none", .takes = tiles_32,
      .wrong = four_or_none },
    { "second-tile-bank", ON_EVERY_COPY, TILES,
      "tiles of 16-bit elements are stored with a pitch of 32 and read with one of 33", .takes = half_tiles,
      .wrong = two_pitches },
    { "second-tile-batch-pitch", ON_EVERY_COPY, TILES,
      "transposed matrices are read with the distance that they have in the output", .takes = batched,
      .wrong = pitch_of_output },
    { "second-tile-swizzle", ON_EVERY_COPY, TILES,
      "tiles of 64-bit elements are stored with three bits of a swizzle and read with two", .takes = wide_tiles,
      .wrong = other_swizzle },
    { "second-tile-unfolded", ON_EVERY, TILES, "two batch dimensions of matrices are unfolded by the size of the other",
      .takes = two_batches, .wrong = unfolded_by_other },
    { "second-grid-resident", ON_EVERY, GRIDS,
      "more elements than 432 resident groups take: what does not fill a group is lost", .takes = beyond_resident,
      .wrong = rest_of_waves },
    { "second-grid-half-row", ON_EVERY, GRIDS, "the second thread begins its first row at the beginning of the row",
      .takes = halved, .wrong = row_begun_again },
    { "second-grid-planes", ON_EVERY, GRIDS, "planes are launched 64 at a time, and the rest is not",
      .takes = many_planes, .wrong = planes_by_64 },
    { "second-grid-shared", ON_GATHER, GRIDS, "1,024 indices are in shared memory, and the others are those again",
      .takes = beyond_shared, .wrong = first_shared },
    { "second-grid-float", ON_AFFINE | ON_RANDOM, GRIDS, "the number of groups is computed in single precision",
      .takes = beyond_float, .wrong = rounded_groups },
};

const fault_table planted_second_paths = { rows, sizeof rows / sizeof *rows };
