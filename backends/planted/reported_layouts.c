/* SPDX-License-Identifier: Apache-2.0 */
/* Reported faults of strides, pitches, broadcasts and alignment. */
#include "backends/planted/reported.h"

/* How far an element is from the first one in the source. */
static int64_t way(const fault_path *p, const fault_place *e)
{
    int64_t way = 0;
    for (uint32_t i = 0; i < p->dims; ++i)
        way += p->axis[i].picks ? 0 : (int64_t)e->at[i] * p->axis[i].in;
    return way;
}

static bool same_gaps(const fault_path *p)
{
    for (uint32_t i = 0; i < p->dims; ++i)
        if (p->axis[i].picks || p->axis[i].in != p->axis[i].out)
            return false;
    return p->dims > 1 || fault_row(p)->in > 1;
}

static void flat(const fault_path *p, fault_place *e)
{
    e->from += (int64_t)e->number - way(p, e);
    e->to = (int64_t)e->number;
}

static bool unit_dims(const fault_path *p)
{
    const ts_tensor *out = p->call->out;
    return reported_size(out, 0) > 1 && reported_size(out, 1) == 1 && reported_size(out, 2) == 1 &&
           reported_size(out, 3) > 1;
}

static void first_row_only(const fault_path *p, fault_place *e)
{
    e->unwritten =
        e->number % (reported_size(p->call->out, 0) * reported_size(p->call->out, 3)) >= reported_size(p->call->out, 0);
}

static bool outer_swapped(const fault_path *p)
{
    return p->dims == 4 && !reported_picks(p) && fault_vector(p) && p->axis[1].out > p->axis[0].out &&
           p->axis[0].out > p->axis[2].out && p->axis[2].out > (int64_t)fault_row(p)->size;
}

static void not_swapped(const fault_path *p, fault_place *e)
{
    e->to += ((int64_t)e->at[0] - (int64_t)e->at[1]) * (p->axis[1].out - p->axis[0].out);
}

static bool spread_rows(const fault_path *p)
{
    const ts_tensor *out = p->call->out;
    return p->dims == 1 && !fault_row(p)->picks && fault_stride(p, 0) > 1 && reported_size(out, 0) > 1 &&
           fault_row(p)->size > reported_size(out, 0);
}

static void close_inside(const fault_path *p, fault_place *e)
{
    const int64_t column = (int64_t)(e->at[0] % reported_size(p->call->out, 0));
    fault_shift(p, e, -column * (fault_stride(p, 0) - 1));
}

static bool column_target(const fault_path *p)
{
    const fault_axis *row = fault_row(p);
    return p->dims == 1 && !row->picks && row->in == 1 && row->out > 1 && reported_size(p->call->out, 0) == 1;
}

static void packed_target(const fault_path *p, fault_place *e)
{
    (void)p;
    e->to = (int64_t)e->number;
}

static bool plain_transposed(const fault_path *p)
{
    return p->dims == 2 && !reported_picks(p) && p->axis[0].in == 1 && p->axis[1].in == (int64_t)p->axis[0].size;
}

/* The source was copied to packed memory, and is then read by the strides that it had. */
static void strided_twice(const fault_path *p, fault_place *e)
{
    const uint64_t flat_number = e->at[0] + e->at[1] * p->axis[0].size;
    const uint64_t row = flat_number / p->axis[1].size, column = flat_number % p->axis[1].size;
    e->from +=
        ((int64_t)row - (int64_t)e->at[0]) * p->axis[0].in + ((int64_t)column - (int64_t)e->at[1]) * p->axis[1].in;
}

static bool narrowed(const fault_path *p)
{
    return p->dims == 2 && p->call->in->rank == 2 && p->start == 0 && p->axis[0].in == 1 && p->axis[0].step == 1 &&
           p->axis[1].step == 1 && p->axis[1].in > 1;
}

static void as_if_packed(const fault_path *p, fault_place *e)
{
    e->from = (int64_t)(e->at[0] * p->call->in->sizes[1] + e->at[1]);
}

static bool broadcast_row(const fault_path *p)
{
    const uint32_t last = p->dims - 1;
    return p->dims > 1 && !p->axis[last].picks && !p->axis[last - 1].picks && p->axis[last].in == 0 &&
           p->axis[last - 1].in == 1;
}

static void merged_into_it(const fault_path *p, fault_place *e)
{
    e->from -= (int64_t)e->at[p->dims - 2];
}

static bool part_of_heads(const fault_path *p)
{
    const uint64_t size = fault_row(p)->size;
    return p->dims == 2 && fault_vector(p) && !p->axis[0].picks && fault_stride(p, 0) > (int64_t)size &&
           size != reported_size(p->call->out, 0);
}

static void packed_heads(const fault_path *p, fault_place *e)
{
    fault_shift(p, e, -(int64_t)e->at[0] * (fault_stride(p, 0) - (int64_t)fault_row(p)->size));
}

static bool inside_block(const fault_path *p)
{
    window w;
    if (!reported_plain(p) || p->call->in->rank != 4)
        return false;
    for (uint32_t i = 0; i < 4; ++i)
        if (!reported_window(p->call, i, &w) || w.step != 1)
            return false;
    return reported_window(p->call, 1, &w) && w.size % 8 == 0 && w.low % 8 != 0;
}

static void from_block(const fault_path *p, fault_place *e)
{
    window w;
    if (reported_window(p->call, 1, &w))
        e->from -= w.low % 8 * (int64_t)p->call->in->strides[1];
}

static bool whole_halves(const fault_path *p)
{
    const ts_tensor *in = p->call->in;
    return p->bytes == 2 && p->dims == 1 && fault_vector(p) && p->start == 0 && p->count == fault_count(in) &&
           in->rank >= 3 && reported_size(in, 2) % 4 == 0 && reported_size(in, 0) * reported_size(in, 1) > 1;
}

static void still_packed(const fault_path *p, fault_place *e)
{
    const uint64_t area = reported_size(p->call->in, 0) * reported_size(p->call->in, 1);
    const uint64_t in_group = e->number % (4 * area);
    e->from = (int64_t)(e->number - in_group + in_group % area * 4 + in_group / area);
}

static bool off_16(const fault_path *p)
{
    return p->dims == 1 && fault_vector(p) && (uint64_t)p->start * p->bytes % 16 != 0 &&
           fault_row(p)->size * p->bytes % 16 == 0;
}

static void aligned_down(const fault_path *p, fault_place *e)
{
    e->from -= p->start % (int64_t)(16 / p->bytes);
}

static bool odd_pitch(const fault_path *p)
{
    return p->dims == 2 && fault_vector(p) && p->axis[0].out > (int64_t)fault_row(p)->size &&
           (uint64_t)p->axis[0].out * p->bytes % 32 != 0 && fault_row(p)->size * p->bytes % 32 == 0;
}

static void row_aligned_down(const fault_path *p, fault_place *e)
{
    e->to -= (int64_t)(e->at[0] * (uint64_t)p->axis[0].out % (32 / p->bytes));
}

static const fault rows[] = {
    { "pytorch-equal-strides", ON_COPIES, LAYOUTS,
      "equal strides on both sides are taken for packed ones, and the gaps are copied too (pytorch issue 189961)",
      .takes = same_gaps, .wrong = flat },
    { "xnnpack-unit-dims", ON_ALL, LAYOUTS,
      "with two dimensions of 1 in the middle, all rows after the first are lost (XNNPACK issue 3029)",
      .takes = unit_dims, .wrong = first_row_only },
    { "onednn-outer-swap", ON_ALL, LAYOUTS,
      "a pitched target of four loops with the outer two exchanged is written unexchanged (oneDNN issue 3280)",
      .takes = outer_swapped, .wrong = not_swapped },
    { "cutorch-inner-stride", ON_ALL, LAYOUTS,
      "rows of elements that are apart are taken for rows of neighbours (cutorch issue 39)", .takes = spread_rows,
      .wrong = close_inside },
    { "ggml-column-target", ON_ALL, LAYOUTS,
      "one element a row is written to a pitched target as to a packed one (ggml issue 1497)", .takes = column_target,
      .wrong = packed_target },
    { "pytorch-restrided", ON_COPIES, LAYOUTS,
      "a transposed source is made packed and then read by its old strides (pytorch pull request 80859)",
      .takes = plain_transposed, .wrong = strided_twice },
    { "pytorch-narrow", ON_SLICES, LAYOUTS,
      "the columns from the first on of a transposed matrix are read as if it were packed (pytorch issue 91690)",
      .takes = narrowed, .wrong = as_if_packed },
    { "nvfuser-broadcast-row", ON_COPIES, LAYOUTS,
      "a contiguous dimension is merged into a broadcast one inside it (csarofeen/pytorch pull request 1519)",
      .takes = broadcast_row, .wrong = merged_into_it },
    { "llama-packed-heads", ON_ALL, LAYOUTS,
      "matrices that are the first rows of larger ones are taken for adjacent (llama.cpp pull request 28956)",
      .takes = part_of_heads, .wrong = packed_heads },
    { "openvino-blocked-begin", ON_SLICES, LAYOUTS,
      "blocks of 8 channels, chosen although the slice begins inside one (openvino pull request 7245)",
      .takes = inside_block, .wrong = from_block },
    { "ncnn-pack4-crop", ON_SLICES, LAYOUTS,
      "a crop of everything leaves half floats in groups of 4 channels (ncnn issue 1828)", .takes = whole_halves,
      .wrong = still_packed },
    { "vulkan-offset-16", ON_SLICES, LAYOUTS,
      "a copy from an offset that is no multiple of 16 bytes begins too early (VK-GL-CTS issue 320)", .takes = off_16,
      .wrong = aligned_down },
    { "ascend-row-pitch", ON_ALL, LAYOUTS,
      "rows of whole vectors go to addresses cut to 32 bytes if the pitch is not (tilelang-ascend issue 1304)",
      .takes = odd_pitch, .wrong = row_aligned_down },
};

const fault_table planted_reported_layouts = { rows, sizeof rows / sizeof *rows };
