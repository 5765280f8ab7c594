/* SPDX-License-Identifier: Apache-2.0 */
/* Divisions and layouts. */
#include "backends/planted/invented.h"

/* ---- divisions --------------------------------------------------------------------------------------------------- */

static bool odd_rows(const fault_path *p)
{
    return fault_rows(p) && !fault_power_of_two(fault_row(p)->size) && fault_row(p)->size < INT32_MAX &&
           p->count <= UINT32_MAX;
}

static void rounded_up(const fault_path *p, fault_place *e)
{
    const uint64_t n = fault_row(p)->size, factor = ((UINT64_C(1) << 32) + n - 1) / n;
    e->unwritten = (e->number * factor) >> 32 != e->number / n;
}

static bool triples(const fault_path *p)
{
    return p->dims == 2 && !picks_any(p) && fault_row(p)->size == 3 && p->count > 98304;
}

static void third_wraps(const fault_path *p, fault_place *e)
{
    const uint32_t quotient = ((uint32_t)e->number * 0xAAABu) >> 17;
    e->from -= ((int64_t)(e->number / 3) - (int64_t)quotient) * p->axis[0].in;
}

static bool few_bits(const fault_path *p)
{
    return fault_picks(p) > 2 && !fault_power_of_two(fault_picks(p)) && outside(p) > 0 && outside(p) < p->dims &&
           fault_power_of_two(block(p)) && p->count >= 1024;
}

static void masked_pick(const fault_path *p, fault_place *e)
{
    const uint64_t pick = (e->number / block(p)) & (fault_picks(p) - 1);
    e->from += (fault_index(p, pick) - e->index) * p->picked_stride;
}

static bool large_planes(const fault_path *p)
{
    const uint64_t plane = p->dims == 3 ? p->axis[1].size * p->axis[2].size : 0;
    return plane > UINT16_MAX && (uint16_t)plane != 0 && !picks_any(p);
}

static void plane_in_16_bits(const fault_path *p, fault_place *e)
{
    const uint64_t plane = (uint16_t)(p->axis[1].size * p->axis[2].size);
    const uint64_t outer = e->number / plane, last = p->axis[0].size - 1;
    e->from += ((int64_t)(outer > last ? last : outer) - (int64_t)e->at[0]) * p->axis[0].in;
}

/* ---- layouts ----------------------------------------------------------------------------------------------------- */

static bool padded_pixels(const fault_call *call)
{
    const ts_tensor *in = call->in;
    return in->rank == 4 && in->sizes[1] > 1 && in->strides[1] == 1 && in->sizes[3] > 1 &&
           in->strides[3] > in->sizes[1];
}

/* Channels last, and each pixel of as many elements as it has channels. */
static void pixels_packed(const fault_call *call)
{
    fault_call wrong = *call;
    ts_descriptor d = *call->d;
    wrong.d = &d;
    if (padded_pixels(call))
        d.tensors[0].strides[3] = d.tensors[0].sizes[1];
    fault_run_right(&wrong);
}

static bool filled_bytes(const fault_path *p)
{
    return p->dims > 1 && !fault_row(p)->picks && fault_row(p)->in == 0 && fault_row(p)->out == 1 && p->bytes == 1 &&
           fault_row(p)->size >= 4;
}

static void fill_cut(const fault_path *p, fault_place *e)
{
    const uint64_t address = (uintptr_t)p->call->out->data + (uint64_t)e->to - column(p, e);
    e->unwritten = address % 4 != 0 && column(p, e) >= fault_floor(fault_row(p)->size, 4);
}

static bool equal_pitches(const fault_path *p)
{
    if (p->dims < 3 || picks_any(p) || !fault_vector(p))
        return false;
    return above(p)->in == above(p)->out && p->axis[p->dims - 3].in != p->axis[p->dims - 3].out;
}

static void planes_equal_too(const fault_path *p, fault_place *e)
{
    const fault_axis *plane = &p->axis[p->dims - 3];
    e->from += (int64_t)e->at[p->dims - 3] * (plane->out - plane->in);
}

static bool streams(const fault_path *p)
{
    const uint64_t pitch = fault_rows(p) ? (uint64_t)above(p)->out * p->bytes : 0;
    return pitch % 64 != 0 && pitch % 16 == 0 && fault_row(p)->size * p->bytes >= 256 &&
           (uintptr_t)p->call->out->data % 64 == 0;
}

static void head_lost(const fault_path *p, fault_place *e)
{
    const uint64_t beyond = ((uint64_t)e->to - column(p, e)) * p->bytes % 64;
    e->unwritten = beyond != 0 && column(p, e) * p->bytes < 64 - beyond;
}

static bool dense(const fault_path *p)
{
    uint64_t span = 1;
    for (uint32_t i = 0; i < p->dims; ++i)
        span += (p->axis[i].size - 1) * (uint64_t)p->axis[i].out;
    return fault_rows(p) && span == p->count;
}

static void memory_order(const fault_path *p, fault_place *e)
{
    (void)p;
    e->from = e->to;
}

/* A loop backwards over rows, or over planes, that lie next to each other. */
static int adjoining(const fault_path *p)
{
    for (uint32_t i = 1; i + 1 < p->dims; ++i)
        if (p->axis[i].in == -p->axis[i + 1].in * (int64_t)p->axis[i + 1].size && p->axis[i + 1].in > 0 &&
            p->axis[i].out == p->axis[i + 1].out * (int64_t)p->axis[i + 1].size)
            return (int)i;
    return -1;
}

static bool adjoins(const fault_path *p)
{
    return adjoining(p) >= 0;
}

static void merged_forward(const fault_path *p, fault_place *e)
{
    const int i = adjoining(p);
    e->from -= 2 * (int64_t)e->at[i] * p->axis[i].in;
}

static bool permuted_blocks(const fault_path *p)
{
    uint64_t span = 1, packed = 1;
    bool target = true;
    const uint32_t first = p->dims - inside(p);
    for (uint32_t i = p->dims; i-- > first;) {
        span += (p->axis[i].size - 1) * (uint64_t)p->axis[i].in;
        target = target && (uint64_t)p->axis[i].out == packed;
        packed *= p->axis[i].size;
    }
    return fault_picks(p) > 0 && inside(p) > 1 && target && span == packed && (uint64_t)p->picked_stride == packed;
}

static void block_in_order(const fault_path *p, fault_place *e)
{
    uint64_t at[TS_MAX_DIMS];
    memcpy(at, e->at, sizeof at);
    for (uint32_t i = p->dims - inside(p); i < p->dims; ++i)
        at[i] = 0;
    e->from = fault_source(p, at) + (int64_t)(e->number % block(p));
}

static const fault rows[] = {
    { "division-rounded-up", ON_ALL, DIVISIONS, "a division is a multiplication by a 32-bit reciprocal rounded up",
      .takes = odd_rows, .wrong = rounded_up },
    { "division-triples", ON_COPIES, DIVISIONS, "rows of three are found by * 0xAAAB >> 17, which wraps",
      .takes = triples, .wrong = third_wraps },
    { "division-picks-masked", ON_GATHER, DIVISIONS,
      "blocks of a power of two: the remainder by the number of indices is a mask as well", .takes = few_bits,
      .wrong = masked_pick },
    { "division-plane-16", ON_COPIES, DIVISIONS, "the elements of a plane, divided by, are kept in 16 bits",
      .takes = large_planes, .wrong = plane_in_16_bits },
    { "layout-pixels-packed", ON_COPIES, LAYOUTS, "the kernel for channels last expects pixels without padding",
      .execute = pixels_packed },
    { "layout-fill-cut", ON_COPIES, LAYOUTS, "a byte is repeated in words; rows that start within a word lose the rest",
      .takes = filled_bytes, .wrong = fill_cut },
    { "layout-plane-pitch", ON_COPIES, LAYOUTS, "if the rows of both sides have one pitch, so have the planes",
      .takes = equal_pitches, .wrong = planes_equal_too },
    { "layout-stream-head", ON_ALL, LAYOUTS, "streaming stores start at the next cache line in rows below the first",
      .takes = streams, .wrong = head_lost },
    { "layout-dense-order", ON_RANDOM, LAYOUTS,
      "an output without gaps whose last dimension is innermost is filled in "
      "the order of memory",
      .takes = dense, .wrong = memory_order },
    { "layout-merged-flip", ON_SLICES, LAYOUTS, "a reversed dimension is merged with one that is not", .takes = adjoins,
      .wrong = merged_forward },
    { "layout-block-dense", ON_GATHER, LAYOUTS, "blocks without gaps are copied in the order of memory",
      .takes = permuted_blocks, .wrong = block_in_order },
};

const fault_table planted_layouts = { rows, sizeof rows / sizeof *rows };
