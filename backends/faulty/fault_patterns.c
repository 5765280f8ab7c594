/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns: paths that are chosen by what the data looks like. */
#include "backends/faulty/fault_path.h"

/* ---- indices ----------------------------------------------------------------------------------------------------- */

/* Do all indices differ from the one before by this much? */
static bool indices_step(const fault_path *p, int64_t by)
{
    const uint64_t n = fault_picks(p);
    for (uint64_t i = 1; i < n; ++i)
        if (fault_index(p, i) - fault_index(p, i - 1) != by)
            return false;
    return n > 1;
}

static bool ends_of_a_run(const fault_path *p)
{
    const uint64_t n = fault_picks(p);
    return n >= 4 && fault_index(p, n - 1) - fault_index(p, 0) == (int64_t)n - 1;
}

static void as_a_run(const fault_path *p, fault_place *e)
{
    e->from += (fault_index(p, 0) + (int64_t)e->pick - e->index) * p->picked_stride;
}

static bool blocks(const fault_path *p)
{
    return fault_picks(p) > 1 && fault_vector(p) && fault_row(p)->size * p->bytes > 16;
}

static void first_vector_again(const fault_path *p, fault_place *e)
{
    e->unwritten = e->pick > 0 && e->index == fault_index(p, e->pick - 1) && e->at[p->dims - 1] * p->bytes >= 16;
}

static bool descending(const fault_path *p)
{
    return fault_picks(p) >= 5 && indices_step(p, -1);
}

static void last_off(const fault_path *p, fault_place *e)
{
    if (e->pick + 1 == fault_picks(p))
        e->from += p->picked_stride;
}

static bool constant(const fault_path *p)
{
    return fault_picks(p) >= 4 && !p->axis[0].picks && indices_step(p, 0);
}

static void batch_0(const fault_path *p, fault_place *e)
{
    for (uint32_t i = 0; i < p->dims && !p->axis[i].picks; ++i)
        e->from -= (int64_t)e->at[i] * p->axis[i].in;
}

static bool far_apart(const fault_path *p)
{
    return p->indices && p->picked_size > 32768;
}

static void difference_in_16(const fault_path *p, fault_place *e)
{
    if (e->pick == 0)
        return;
    const int64_t before = fault_index(p, e->pick - 1);
    const int64_t index = before + (int16_t)(uint16_t)(uint64_t)(e->index - before);
    e->from += ((int64_t)fault_inside(index, (uint64_t)p->picked_size) - e->index) * p->picked_stride;
}

/* ---- elements ---------------------------------------------------------------------------------------------------- */

static const unsigned char *element_at(const fault_path *p, int64_t from)
{
    return p->source + fault_inside(from, p->room) * p->bytes;
}

static bool vectors(const fault_path *p)
{
    return fault_vector(p) && fault_row(p)->size * p->bytes >= 16;
}

static void zeros_left_out(const fault_path *p, fault_place *e)
{
    static const unsigned char zeros[16];
    const uint64_t lanes = 16 / p->bytes, at = e->at[p->dims - 1], first = fault_floor(at, lanes);
    if (first + lanes <= fault_row(p)->size)
        e->unwritten = memcmp(element_at(p, e->from - (int64_t)(at - first)), zeros, sizeof zeros) == 0;
}

static bool wide_rows(const fault_path *p)
{
    return p->bytes > 1 && !fault_row(p)->picks && fault_row(p)->out == 1 && fault_row(p)->size >= 8;
}

static void first_only(const fault_path *p, fault_place *e)
{
    const fault_axis *row = fault_row(p);
    const int64_t first = e->from - (int64_t)e->at[p->dims - 1] * row->in;
    for (uint64_t i = 1; i < row->size; ++i)
        if (memcmp(element_at(p, first + (int64_t)i * row->in), element_at(p, first), p->bytes) != 0)
            return;
    e->unwritten = e->at[p->dims - 1] > 0;
}

static const fault rows[] = {
    { "pattern-run", ON_GATHER, PATTERNS, "indices whose ends lie as far apart as those of a run are taken for one",
      .takes = ends_of_a_run, .wrong = as_a_run },
    { "pattern-again", ON_GATHER, PATTERNS, "an index that repeats copies the first 16 bytes of its block only",
      .takes = blocks, .wrong = first_vector_again },
    { "pattern-descending", ON_GATHER, PATTERNS, "a descending run of indices ends one index early",
      .takes = descending, .wrong = last_off },
    { "pattern-constant", ON_GATHER, PATTERNS, "equal indices are gathered from the first batch for all batches",
      .takes = constant, .wrong = batch_0 },
    { "pattern-far", ON_GATHER, PATTERNS, "the difference of neighbouring indices is kept in 16 bits",
      .takes = far_apart, .wrong = difference_in_16 },
    { "pattern-zeros", ON_COPIES, PATTERNS, "16 bytes of zeros are not written, as if the output were cleared",
      .takes = vectors, .wrong = zeros_left_out },
    { "pattern-equal", ON_COPIES, PATTERNS, "of a row of equal elements only the first is written", .takes = wide_rows,
      .wrong = first_only },
};

const fault_table fault_patterns = { rows, sizeof rows / sizeof *rows };
