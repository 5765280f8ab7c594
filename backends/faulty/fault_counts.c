/* SPDX-License-Identifier: Apache-2.0 */
/* Counts: of dimensions, batches, rows, indices, steps, and of the bytes of a row, each beyond what one loop handles.
 */
#include "backends/faulty/fault_affine.h"
#include "backends/faulty/fault_path.h"

static uint64_t row_number(const fault_path *p, const fault_place *e)
{
    return e->number / fault_row(p)->size;
}

/* Bytes in a row from its start to the element. */
static uint64_t bytes_before(const fault_path *p, const fault_place *e)
{
    return e->at[p->dims - 1] * p->bytes;
}

static bool many_batches(const fault_path *p)
{
    return p->dims > 2 && p->axis[0].size > 65535;
}

static void batches_to_the_limit(const fault_path *p, fault_place *e)
{
    (void)p;
    e->unwritten = e->at[0] >= 65535;
}

static bool many_rows(const fault_path *p)
{
    return p->dims > 2 && fault_row_count(p) > 65536;
}

static void row_wraps(const fault_path *p, fault_place *e)
{
    e->unwritten = row_number(p, e) > 65535;
}

static bool long_row(const fault_path *p)
{
    return fault_rows(p) && fault_row(p)->size * p->bytes > 1 << 16;
}

static void length_in_16(const fault_path *p, fault_place *e)
{
    e->unwritten = bytes_before(p, e) >= (fault_row(p)->size * p->bytes & ((1 << 16) - 1));
}

static bool longer_row(const fault_path *p)
{
    return fault_rows(p) && fault_row(p)->size * p->bytes > 1 << 20;
}

static void first_mebibyte(const fault_path *p, fault_place *e)
{
    e->unwritten = bytes_before(p, e) >= 1 << 20;
}

static bool longest_block(const fault_path *p)
{
    return fault_vector(p) && fault_row(p)->size * p->bytes > 1 << 27;
}

static void beyond_27_bits(const fault_path *p, fault_place *e)
{
    e->unwritten = bytes_before(p, e) >= 1 << 27;
}

/* The outer loop over indices with more than 16 bits of them; -1: none. */
static int outer_indices(const fault_path *p)
{
    for (uint32_t i = 0; i + 1 < p->dims; ++i)
        if (p->axis[i].picks && p->axis[i + 1].picks && p->axis[i].size > 65535)
            return (int)i;
    return -1;
}

static bool many_index_rows(const fault_path *p)
{
    return outer_indices(p) >= 0;
}

static void index_rows_to_the_limit(const fault_path *p, fault_place *e)
{
    e->unwritten = e->at[outer_indices(p)] >= 65535;
}

static bool many_indices(const fault_path *p)
{
    return fault_picks(p) > 65535;
}

static void indices_to_the_limit(const fault_path *p, fault_place *e)
{
    (void)p;
    e->unwritten = e->pick >= 65535;
}

/* Indices that the size of the index tensor in bytes has room for. */
static uint64_t indices_by_bytes(const fault_path *p)
{
    return p->indices->total_bytes / tensor_element_bytes(p->indices->dtype);
}

static bool room_for_more(const fault_path *p)
{
    return fault_picks(p) > 7 && !p->axis[0].picks && indices_by_bytes(p) > fault_picks(p);
}

/* The batches of the output are that many indices apart. */
static void batch_pitch(const fault_path *p, fault_place *e)
{
    e->to +=
        (int64_t)(e->at[0] * (indices_by_bytes(p) - fault_picks(p)) * (p->count / p->axis[0].size / fault_picks(p)));
}

static bool seven_loops(const fault_path *p)
{
    return p->dims == 7;
}

static bool eight_loops(const fault_path *p)
{
    return p->dims == 8;
}

static void outermost_once(const fault_path *p, fault_place *e)
{
    (void)p;
    e->unwritten = e->at[0] > 0;
}

static void second_once(const fault_path *p, fault_place *e)
{
    (void)p;
    e->unwritten = e->at[1] > 0;
}

static bool many_blocks(const fault_path *p)
{
    return p->count > 4 * 65536;
}

static void block_in_16(const fault_path *p, fault_place *e)
{
    (void)p;
    e->from = (int64_t)(e->number / 4 % 65536 * 4 + e->number % 4);
}

static bool mask_beyond_a_byte(const fault_path *p)
{
    return fault_moved(p, BEGIN_MASK_BYTE) != 0;
}

static void mask_in_a_byte(const fault_path *p, fault_place *e)
{
    e->from += fault_moved(p, BEGIN_MASK_BYTE);
}

static const fault rows[] = {
    { "count-batches", ON_ALL, COUNTS, "with three loops, batches from the 65,536th on are left out",
      .takes = many_batches, .wrong = batches_to_the_limit },
    { "count-rows", ON_ALL, COUNTS, "with three loops, rows of all batches together are counted in 16 bits",
      .takes = many_rows, .wrong = row_wraps },
    { "count-row-64k", ON_ALL, COUNTS, "the bytes of a row that is not merged are counted in 16 bits",
      .takes = long_row, .wrong = length_in_16 },
    { "count-row-1m", ON_ALL, COUNTS, "rows that are not merged are copied up to 2^20 bytes", .takes = longer_row,
      .wrong = first_mebibyte },
    { "count-block-128m", ON_GATHER, COUNTS, "a block is copied up to 2^27 bytes", .takes = longest_block,
      .wrong = beyond_27_bits },
    { "count-index-rows", ON_GATHER, COUNTS, "rows of the index tensor from the 65,536th on are left out",
      .takes = many_index_rows, .wrong = index_rows_to_the_limit },
    { "count-indices", ON_GATHER, COUNTS, "indices from the 65,536th on are left out", .takes = many_indices,
      .wrong = indices_to_the_limit },
    { "count-slack", ON_GATHER, COUNTS, "more than seven indices are counted by the bytes of their tensor",
      .takes = room_for_more, .wrong = batch_pitch },
    { "count-loops-7", ON_ALL, COUNTS, "the outermost of seven loops runs once", .dims = 7, .takes = seven_loops,
      .wrong = outermost_once },
    { "count-loops-8", ON_ALL, COUNTS, "the second of eight loops runs once", .dims = 8, .takes = eight_loops,
      .wrong = second_once },
    { "count-blocks", ON_RANDOM, COUNTS, "the generator's blocks are counted in 16 bits", .takes = many_blocks,
      .wrong = block_in_16 },
    { "count-steps", ON_STRIDED, COUNTS, "begin_mask is kept in a byte: steps beyond the eighth have none",
      .takes = mask_beyond_a_byte, .wrong = mask_in_a_byte },
};

const fault_table fault_counts = { rows, sizeof rows / sizeof *rows };
