/* SPDX-License-Identifier: Apache-2.0 */
/* Tails: rows that cannot be merged, whose length is no multiple of what a vector holds. */
#include "backends/faulty/fault_path.h"

/* The coordinate in the row. */
static uint64_t column(const fault_path *p, const fault_place *e)
{
    return e->at[p->dims - 1];
}

static bool second_tail(const fault_path *p)
{
    return fault_rows(p) && fault_row(p)->size > 8 && fault_row(p)->size % 8 > 4;
}

static void after_four(const fault_path *p, fault_place *e)
{
    e->unwritten = column(p, e) >= fault_floor(fault_row(p)->size, 8) + 4;
}

static bool halves(const fault_path *p)
{
    return fault_rows(p) && p->bytes == 2 && fault_row(p)->size > 8 && fault_row(p)->size % 8 != 0;
}

static void last_repeats(const fault_path *p, fault_place *e)
{
    if (column(p, e) + 1 == fault_row(p)->size)
        e->from -= fault_row(p)->in;
}

static bool one_byte_over(const fault_path *p)
{
    return fault_rows(p) && p->bytes == 1 && fault_row(p)->size > 16 && fault_row(p)->size % 16 == 1;
}

static void overlapped(const fault_path *p, fault_place *e)
{
    if (column(p, e) + 16 >= fault_row(p)->size)
        e->from -= 1;
}

static bool backward(const fault_path *p)
{
    const fault_axis *row = fault_row(p);
    return row->in < 0 && row->out == 1 && row->size > 8 && row->size % 8 > 1;
}

static void tail_forward(const fault_path *p, fault_place *e)
{
    const fault_axis *row = fault_row(p);
    const uint64_t first = fault_floor(row->size, 8), at = column(p, e);
    if (at >= first)
        e->from += ((int64_t)(first + row->size - 1 - at) - (int64_t)at) * row->in;
}

static bool every_second(const fault_path *p)
{
    return fault_row(p)->in == 2 && !fault_row(p)->picks && fault_row(p)->out == 1 && fault_row(p)->size > 4 &&
           fault_row(p)->size % 4 == 3;
}

static void wrong_lane(const fault_path *p, fault_place *e)
{
    if (column(p, e) + 1 == fault_row(p)->size)
        e->from -= 1;
}

static bool odd_block(const fault_path *p)
{
    return fault_rows(p) && p->bytes < 4 && fault_row(p)->size * p->bytes > 4 && fault_row(p)->size * p->bytes % 4 != 0;
}

static void words_only(const fault_path *p, fault_place *e)
{
    e->unwritten = column(p, e) >= fault_floor(fault_row(p)->size * p->bytes, 4) / p->bytes;
}

static bool broken_rows(const fault_path *p)
{
    return fault_rows(p) && fault_row(p)->size > 4 && fault_row(p)->size % 4 != 0;
}

static void row_begins_block(const fault_path *p, fault_place *e)
{
    const uint64_t row = fault_row(p)->size;
    e->from += (int64_t)(e->number / row * (4 - row % 4));
}

static bool unrolled(const fault_path *p)
{
    return p->dims == 2 && fault_vector(p) && p->axis[0].size > 4 && p->axis[0].size % 4 == 3 &&
           fault_row(p)->size % 8 != 0;
}

static void last_row(const fault_path *p, fault_place *e)
{
    e->unwritten = e->at[0] + 1 == p->axis[0].size;
}

static const fault rows[] = {
    { "tail-second", ON_ALL, TAILS, "of a tail of 5 to 7 elements in rows that are not merged, 4 are written",
      .takes = second_tail, .wrong = after_four },
    { "tail-halves", ON_COPIES, TAILS, "the tail of 2-byte elements in rows that are not merged repeats an element",
      .takes = halves, .wrong = last_repeats },
    { "tail-overlapped", ON_COPIES, TAILS,
      "the last vector of a row of bytes overlaps the one before, and is loaded one byte off", .takes = one_byte_over,
      .wrong = overlapped },
    { "tail-reversed", ON_SLICES, TAILS, "the tail of a row that is copied backward is copied forward",
      .takes = backward, .wrong = tail_forward },
    { "tail-lane", ON_AFFINE, TAILS, "the tail of a load of every second element takes the other lane",
      .takes = every_second, .wrong = wrong_lane },
    { "tail-block", ON_GATHER, TAILS, "a gathered block is copied in words of 4 bytes, without the rest",
      .takes = odd_block, .wrong = words_only },
    { "tail-words", ON_RANDOM, TAILS, "each row of a pitched output begins with a new block of the generator",
      .takes = broken_rows, .wrong = row_begins_block },
    { "tail-rows", ON_ALL, TAILS, "the last of three rows that remain of a loop over four is left out",
      .takes = unrolled, .wrong = last_row },
};

const fault_table fault_tails = { rows, sizeof rows / sizeof *rows };
