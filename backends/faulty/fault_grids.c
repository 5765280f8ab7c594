/* SPDX-License-Identifier: Apache-2.0 */
/* Grids: more groups of threads than one dimension of a dispatch holds, and seams between threads. */
#include "backends/faulty/fault_path.h"

static bool beyond_x(const fault_path *p)
{
    return p->count > 65536 && p->count % 65536 != 0;
}

static void no_rest(const fault_path *p, fault_place *e)
{
    e->unwritten = e->number >= fault_floor(p->count, 65536);
}

static bool slices(const fault_path *p)
{
    return p->dims == 3 && p->axis[0].size > 64 && p->axis[0].size % 64 != 0;
}

static void no_last_slices(const fault_path *p, fault_place *e)
{
    e->unwritten = e->at[0] >= fault_floor(p->axis[0].size, 64);
}

static bool two_threads(const fault_path *p)
{
    return fault_rows(p) && fault_row_count(p) > 32 && fault_row_count(p) % 2 == 1;
}

static void no_middle(const fault_path *p, fault_place *e)
{
    e->unwritten = e->number / fault_row(p)->size == fault_row_count(p) / 2;
}

static bool many_rows(const fault_path *p)
{
    return p->dims == 2 && p->axis[0].size > 65535;
}

static void rows_to_the_limit(const fault_path *p, fault_place *e)
{
    (void)p;
    e->unwritten = e->at[0] >= 65535;
}

static bool long_rows(const fault_path *p)
{
    return fault_rows(p) && fault_row(p)->size > 1024 && fault_row(p)->size % 256 != 0;
}

static void group_before(const fault_path *p, fault_place *e)
{
    if (e->at[p->dims - 1] >= fault_floor(fault_row(p)->size, 256))
        e->from -= 256;
}

static bool many_indices(const fault_path *p)
{
    return fault_picks(p) > 1024 && !fault_row(p)->picks;
}

static void index_group(const fault_path *p, fault_place *e)
{
    if (e->pick >= 1024)
        e->from += (fault_index(p, e->pick - 1024) - e->index) * p->picked_stride;
}

static bool rows_of_2_20(const fault_path *p)
{
    return p->dims == 2 && !p->axis[0].picks && p->axis[0].size > 1 << 20;
}

static void rows_in_20_bits(const fault_path *p, fault_place *e)
{
    (void)p;
    e->unwritten = e->at[0] >= 1 << 20;
}

/* Rows that one thread copies, in more than one dimension. */
static bool short_rows(const fault_path *p)
{
    return p->dims > 2 && fault_vector(p) && p->count > 65536 && fault_row(p)->size >= 8 && fault_row(p)->size < 64;
}

static void last_of_row(const fault_path *p, fault_place *e)
{
    e->unwritten = e->number >= 65536 && e->at[p->dims - 1] == fault_row(p)->size - 1;
}

static const fault rows[] = {
    { "grid-rest", ON_ALL, GRIDS, "of more than 65,536 threads, those of a partial second dimension are not started",
      .takes = beyond_x, .wrong = no_rest },
    { "grid-slices", ON_ALL, GRIDS, "the third dimension of a grid has 64 slices and loses a partial group of them",
      .takes = slices, .wrong = no_last_slices },
    { "grid-seam", ON_ALL, GRIDS, "two threads share an odd number of rows, and none copies the middle one",
      .takes = two_threads, .wrong = no_middle },
    { "grid-rows", ON_ALL, GRIDS, "a group for each row: the 65,536th and later ones are not started",
      .takes = many_rows, .wrong = rows_to_the_limit },
    { "grid-rows-20", ON_ALL, GRIDS, "the number of a row is kept in 20 bits", .takes = rows_of_2_20,
      .wrong = rows_in_20_bits, .dims = 3 },
    { "grid-short-rows", ON_ALL, GRIDS, "behind 65,536 elements, rows of 8 to 63 lose their last one",
      .takes = short_rows, .wrong = last_of_row, .dims = 3 },
    { "grid-columns", ON_ALL, GRIDS, "in rows of more than 4 groups the last, partial group reads that before it",
      .takes = long_rows, .wrong = group_before },
    { "grid-indices", ON_GATHER, GRIDS, "beyond 1,024 indices a group of threads reads those of the group before",
      .takes = many_indices, .wrong = index_group },
};

const fault_table fault_grids = { rows, sizeof rows / sizeof *rows };
