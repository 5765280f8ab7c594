/* SPDX-License-Identifier: Apache-2.0 */
/* Layouts: a path that is chosen by strides and alignment, alone or together with sizes. */
#include "backends/faulty/fault_path.h"

#include <stdlib.h>

static bool is_last(const fault_path *p, const fault_place *e, uint32_t i)
{
    return e->at[i] + 1 == p->axis[i].size;
}

/* ---- strides that equal something by chance ---------------------------------------------------------------------- */

/* The outermost loop of three, whose stride is the size of another loop. */
static bool stride_is_a_size(const fault_path *p)
{
    const int64_t stride = fault_stride(p, 0), row = fault_stride(p, p->dims - 1);
    bool equal = false;
    for (uint32_t i = 1; i < p->dims; ++i)
        equal = equal || stride == (int64_t)p->axis[i].size;
    return p->dims > 2 && !p->axis[0].picks && row == 1 && equal;
}

static void as_if_packed(const fault_path *p, fault_place *e)
{
    const int64_t packed = (int64_t)(p->count / p->axis[0].size);
    fault_shift(p, e, (int64_t)e->at[0] * (packed - fault_stride(p, 0)));
}

static bool low_byte_is_packed(const fault_path *p)
{
    const uint32_t i = p->dims - 2;
    return fault_rows(p) && !p->axis[i].picks && fault_stride(p, i) != (int64_t)fault_row(p)->size &&
           (fault_stride(p, i) & 255) == (int64_t)(fault_row(p)->size & 255);
}

static void merged(const fault_path *p, fault_place *e)
{
    const uint32_t i = p->dims - 2;
    fault_shift(p, e, (int64_t)e->at[i] * ((int64_t)fault_row(p)->size - fault_stride(p, i)));
}

static bool page_pitch(const fault_path *p)
{
    const uint32_t i = p->dims - 2;
    const int64_t bytes = (int64_t)p->bytes;
    return fault_rows(p) && !p->axis[i].picks && fault_stride(p, i) != 0 && fault_stride(p, i) * bytes % 4096 == 0 &&
           fault_row(p)->size > 4;
}

static void no_end_of_row(const fault_path *p, fault_place *e)
{
    e->unwritten = e->at[p->dims - 2] == 1 && is_last(p, e, p->dims - 1);
}

/* ---- alignment --------------------------------------------------------------------------------------------------- */

static uintptr_t source_address(const fault_path *p)
{
    return (uintptr_t)p->call->in->data + (uintptr_t)((uint64_t)p->start * p->bytes);
}

/* Elements of the output before its first multiple of 16 bytes. */
static uint64_t head(const fault_path *p)
{
    return (16 - (uintptr_t)p->call->out->data % 16) % 16 / p->bytes;
}

static bool sides_differ(const fault_path *p)
{
    return fault_vector(p) && (source_address(p) ^ (uintptr_t)p->call->out->data) % 16 != 0 && head(p) > 0 &&
           fault_row(p)->size * p->bytes > 32;
}

static void head_off(const fault_path *p, fault_place *e)
{
    if (e->number < head(p))
        e->from += 1;
}

static bool in_registers(const fault_path *p)
{
    const int across = fault_across(p);
    return across >= 0 && p->bytes == 4 && p->axis[across].size % 4 == 0 && fault_row(p)->size % 4 == 0 &&
           source_address(p) % 16 == 0 && (uintptr_t)p->call->out->data % 16 == 0;
}

/* Two elements of each block of 4 by 4 stay where they are. */
static void not_transposed(const fault_path *p, fault_place *e)
{
    const int across = fault_across(p);
    const uint64_t row = e->at[across] % 4, column = e->at[p->dims - 1] % 4;
    if ((row == 1 && column == 2) || (row == 2 && column == 1))
        e->from += ((int64_t)column - (int64_t)row) * (p->axis[across].in - fault_row(p)->in);
}

/* ---- broadcasts and interleaved outputs -------------------------------------------------------------------------- */

/* The loop that is broadcast between others that are not; 0: none. */
static uint32_t middle(const fault_path *p)
{
    for (uint32_t i = 1; i + 1 < p->dims; ++i)
        if (!p->axis[i].picks && p->axis[i].in == 0 && p->axis[i - 1].in != 0 && !p->axis[i - 1].picks &&
            p->axis[i + 1].in != 0)
            return i;
    return 0;
}

static bool middle_broadcast(const fault_path *p)
{
    return middle(p) > 0;
}

static void not_moved_on(const fault_path *p, fault_place *e)
{
    const uint32_t i = middle(p);
    if (is_last(p, e, i) && e->at[i - 1] > 0)
        e->from -= p->axis[i - 1].in;
}

static bool two_broadcasts(const fault_path *p)
{
    uint32_t broadcast = 0, moving = 0;
    for (uint32_t i = 0; i < p->dims; ++i) {
        broadcast += !p->axis[i].picks && p->axis[i].in == 0;
        moving += p->axis[i].picks || p->axis[i].in != 0;
    }
    return broadcast > 1 && moving > 0;
}

static void ends_at_start(const fault_path *p, fault_place *e)
{
    if (e->number + 1 == p->count)
        e->from = p->start;
}

/* The loop whose elements lie between those of a row of the output; -1: none. */
static int interleaving(const fault_path *p)
{
    for (uint32_t i = 0; i + 1 < p->dims; ++i)
        if (p->axis[i].out < fault_row(p)->out)
            return (int)i;
    return -1;
}

static bool interleaved(const fault_path *p)
{
    return interleaving(p) >= 0 && fault_row(p)->size > 2;
}

static void store_lost(const fault_path *p, fault_place *e)
{
    e->unwritten = e->at[interleaving(p)] > 0 && is_last(p, e, p->dims - 1);
}

/* ---- permutations ------------------------------------------------------------------------------------------------ */

/* Sort the loops by descending stride in a single pass of exchanges. The first pair that it leaves unsorted, or -1. */
static int unsorted(const fault_path *p, uint32_t order[TS_MAX_DIMS])
{
    for (uint32_t i = 0; i < p->dims; ++i)
        order[i] = i;
    for (uint32_t i = 0; i + 1 < p->dims; ++i)
        if (llabs(fault_stride(p, order[i])) < llabs(fault_stride(p, order[i + 1]))) {
            const uint32_t kept = order[i];
            order[i] = order[i + 1];
            order[i + 1] = kept;
        }
    for (uint32_t i = 0; i + 1 < p->dims; ++i)
        if (llabs(fault_stride(p, order[i])) < llabs(fault_stride(p, order[i + 1])))
            return (int)i;
    return -1;
}

static bool far_out_of_order(const fault_path *p)
{
    uint32_t order[TS_MAX_DIMS];
    return p->dims > 3 && fault_picks(p) < 2 && unsorted(p, order) >= 0;
}

static void exchanged(const fault_path *p, fault_place *e)
{
    uint32_t order[TS_MAX_DIMS];
    const int i = unsorted(p, order);
    const uint32_t a = order[i], b = order[i + 1];
    if (e->at[a] < p->axis[b].size && e->at[b] < p->axis[a].size)
        fault_shift(p, e, ((int64_t)e->at[b] - (int64_t)e->at[a]) * (fault_stride(p, a) - fault_stride(p, b)));
}

static const fault rows[] = {
    { "layout-stride-is-size", ON_ALL, LAYOUTS,
      "an outer stride that equals the size of another dimension is taken as packed", .takes = stride_is_a_size,
      .wrong = as_if_packed },
    { "layout-low-byte", ON_ALL, LAYOUTS, "rows are merged if their pitch equals their length in its low byte",
      .takes = low_byte_is_packed, .wrong = merged },
    { "layout-page-pitch", ON_ALL, LAYOUTS, "a pitch of whole pages: the last element of the second row is left out",
      .takes = page_pitch, .wrong = no_end_of_row },
    { "layout-misaligned", ON_ALL, LAYOUTS,
      "source and target are misaligned to each other: what precedes the first full vector is one element off",
      .takes = sides_differ, .wrong = head_off },
    { "layout-registers", ON_ALL, LAYOUTS,
      "aligned, 4-byte elements, sizes that 4 divides: two elements of a block are not transposed",
      .takes = in_registers, .wrong = not_transposed },
    { "layout-broadcast-middle", ON_COPIES, LAYOUTS,
      "a broadcast between two other dimensions: its last repetition is that of the row before",
      .takes = middle_broadcast, .wrong = not_moved_on },
    { "layout-broadcast-two", ON_COPIES, LAYOUTS, "two broadcast dimensions apart: the last element is the first",
      .takes = two_broadcasts, .wrong = ends_at_start },
    { "layout-interleaved", ON_ALL, LAYOUTS, "outputs that are interleaved lose the last element of a row",
      .takes = interleaved, .wrong = store_lost },
    { "layout-sort", ON_ALL, LAYOUTS, "four and more dimensions are sorted by stride in a single pass",
      .takes = far_out_of_order, .wrong = exchanged, .dims = 4 },
};

const fault_table fault_strides = { rows, sizeof rows / sizeof *rows };
