/* SPDX-License-Identifier: Apache-2.0 */
/* The second set: reported faults of slices. */
#include "backends/planted/second.h"
#include "reference/openvino/strided_slice.h"

static bool single_batch(const fault_path *p)
{
    return p->dims == 1 && fault_vector(p) && p->start > 0 && p->call->out->rank > 1 && p->call->out->sizes[0] == 1;
}

static void offset_dropped(const fault_path *p, fault_place *e)
{
    e->from -= p->start;
}

/* A reversed dimension of one element reverses the next dimension instead. */
static void next_reversed(const fault_path *p, fault_place *e)
{
    window w, next;
    for (uint32_t i = 0; i + 1 < p->call->in->rank; ++i) {
        const int64_t n = (int64_t)p->call->out->sizes[i + 1];
        if (p->call->in->sizes[i] == 1 && reported_window(p->call, i, &w) && w.step < 0 &&
            reported_window(p->call, i + 1, &next) && next.step > 0)
            e->from += (n - 1 - 2 * (int64_t)reported_coordinate(p, e, i + 1)) * next.step *
                       (int64_t)p->call->in->strides[i + 1];
    }
}

static bool falling_vector(const fault_path *p)
{
    const fault_axis *row = fault_row(p);
    return row->in == -1 && row->out == 1 && row->size <= 16 && fault_power_of_two(row->size);
}

static void rising_vector(const fault_path *p, fault_place *e)
{
    e->from += 2 * (int64_t)column(p, e) - ((int64_t)fault_row(p)->size - 1);
}

static bool falling_rows(const fault_path *p)
{
    return fault_rows(p) && above(p)->in < 0;
}

static void first_row(const fault_path *p, fault_place *e)
{
    e->unwritten = e->at[p->dims - 2] > 0;
}

static bool swizzled(const fault_path *p)
{
    window w;
    return p->call->in->rank == 2 && p->dims == 2 && reported_plain(p) && fault_vector(p) && p->axis[0].step == 1 &&
           fault_row(p)->size * p->bytes % 128 == 0 && reported_window(p->call, 0, &w) && w.low % 8 != 0;
}

/* Chunks of 16 bytes are exchanged by the number of their row, which is counted from the slice and from the data. */
static void other_origin(const fault_path *p, fault_place *e)
{
    window w;
    const uint64_t lanes = 16 / p->bytes, chunk = column(p, e) / lanes, row = e->at[0];
    if (reported_window(p->call, 0, &w))
        e->from += ((int64_t)(chunk ^ (row % 8) ^ ((row + (uint64_t)w.low) % 8)) - (int64_t)chunk) * (int64_t)lanes;
}

static bool half_pairs(const fault_path *p)
{
    return p->bytes == 2 && fault_vector(p) && fault_row(p)->size % 2 == 0;
}

static void pair_down(const fault_path *p, fault_place *e)
{
    if ((e->from - (int64_t)column(p, e)) % 2 != 0)
        --e->from;
}

/* ---- StridedSlice ------------------------------------------------------------------------------------------------ */

static const ts_openvino_strided_slice *lists(const fault_path *p)
{
    return TS_ATTRS(ts_openvino_strided_slice, p->call->d);
}

static bool bit_of(const fault_path *p, unsigned attr, const uint8_t *mask, uint32_t count, uint32_t step)
{
    return (p->call->d->attrs_given >> attr & 1u) && step < count && mask[step] == 1;
}

static bool shrinks(const fault_path *p, uint32_t step)
{
    return bit_of(p, 6, lists(p)->shrink_axis_mask, lists(p)->shrink_axis_mask_count, step);
}

static int64_t step_of(const fault_path *p, uint32_t step)
{
    return p->call->d->attrs_given >> 2 & 1u ? lists(p)->stride[step] : 1;
}

static void begin_in_16_bits(const fault_path *p, fault_place *e)
{
    for (uint32_t i = 0; i < lists(p)->begin_count && i < p->call->in->rank; ++i) {
        const int64_t begin = lists(p)->begin[i], size = (int64_t)p->call->in->sizes[i];
        if (bit_of(p, 3, lists(p)->begin_mask, lists(p)->begin_mask_count, i) || begin <= INT16_MAX || begin >= size)
            continue;
        int64_t kept = (int16_t)(uint16_t)(uint64_t)begin;
        kept = kept < 0 ? kept + size : kept;
        e->from += ((kept < 0 ? 0 : kept) - begin) * (int64_t)p->call->in->strides[i];
    }
}

static void before_0(const fault_path *p, fault_place *e)
{
    window w;
    for (uint32_t i = 0; i < lists(p)->begin_count && i < p->call->in->rank; ++i)
        if (bit_of(p, 4, lists(p)->end_mask, lists(p)->end_mask_count, i) && reported_window(p->call, i, &w) &&
            w.step < 0 && w.first + (int64_t)reported_coordinate(p, e, i) * w.step == 0)
            e->unwritten = true;
}

static void empty_range(const fault_path *p, fault_place *e)
{
    for (uint32_t i = 0; i < lists(p)->begin_count && i < p->call->in->rank; ++i)
        if (!bit_of(p, 4, lists(p)->end_mask, lists(p)->end_mask_count, i) && step_of(p, i) < 0 &&
            lists(p)->end[i] < -(int64_t)p->call->in->sizes[i])
            e->unwritten = true;
}

static bool shrunk_only(const fault_path *p)
{
    bool shrunk = false;
    for (uint32_t i = 0; i < lists(p)->begin_count; ++i) {
        if (bit_of(p, 5, lists(p)->new_axis_mask, lists(p)->new_axis_mask_count, i) ||
            bit_of(p, 7, lists(p)->ellipsis_mask, lists(p)->ellipsis_mask_count, i))
            return false;
        shrunk = shrunk || shrinks(p, i);
    }
    return shrunk;
}

/* Mirror what a step takes, in its own dimension of the output. */
static void mirror(const fault_path *p, fault_place *e, uint32_t step, uint32_t dim)
{
    const int64_t n = (int64_t)p->call->out->sizes[dim], at = (int64_t)reported_coordinate(p, e, dim);
    e->from += (n - 1 - 2 * at) * step_of(p, step) * (int64_t)p->call->in->strides[step];
}

/* Dimensions are reversed after those that shrink are gone, by the number that they had before. */
static void reversed_late(const fault_path *p, fault_place *e)
{
    uint32_t step_at[TS_MAX_DIMS], dims = 0;
    for (uint32_t i = 0; i < p->call->in->rank; ++i)
        if (i >= lists(p)->begin_count || !shrinks(p, i))
            step_at[dims++] = i;
    for (uint32_t dim = 0; dim < dims && dim < p->call->out->rank; ++dim) {
        const uint32_t step = step_at[dim];
        if (step == dim || step >= lists(p)->begin_count || step_of(p, step) >= 0)
            continue;
        mirror(p, e, step, dim);
        if (step < dims && step_at[step] < lists(p)->begin_count)
            mirror(p, e, step_at[step], step);
    }
}

static const fault rows[] = {
    { "second-nntile-offset", ON_SLICES, LAYOUTS,
      "a slice of one batch is contiguous, and its offset is dropped (nntile pull request 464)", .takes = single_batch,
      .wrong = offset_dropped },
    { "second-pytorch-flip-unit", ON_SLICES, MEANING,
      "reversing a dimension of 1 reverses the next one (pytorch issue 98266)", .takes = reported_plain,
      .wrong = next_reversed },
    { "second-triton-falling", ON_SLICES, LAYOUTS,
      "a reversed row of a power of two is loaded as one vector, forwards (triton-cpu issue 159)",
      .takes = falling_vector, .wrong = rising_vector },
    { "second-mlx-reversed", ON_SLICES, LAYOUTS, "of rows in reversed order only the first is written (mlx issue 3716)",
      .takes = falling_rows, .wrong = first_row },
    { "second-mosaic-swizzle", ON_SLICES, TILES,
      "a slice that does not begin at a multiple of eight rows is swizzled by other rows (jax issue 34102)",
      .takes = swizzled, .wrong = other_origin },
    { "second-tvm-pairs", ON_SLICES, TAILS, "pairs of half floats are loaded from even offsets only (tvm issue 8540)",
      .takes = half_pairs, .wrong = pair_down },
    { "second-onert-begin", ON_STRIDED, MAGNITUDES, "begins are kept in 16 bits (Samsung/ONE issue 15186)",
      .takes = reported_plain, .wrong = begin_in_16_bits },
    { "second-tvm-end-mask", ON_STRIDED, MEANING,
      "a masked end of a reversed range is 0, and element 0 is lost (tvm pull request 6829)", .takes = reported_plain,
      .wrong = before_0 },
    { "second-tfdml-end", ON_STRIDED, MEANING,
      "a reversed range that ends before the data is taken for an empty one (tensorflow-directml pull request 59)",
      .takes = reported_plain, .wrong = empty_range },
    { "second-tosa-reversed", ON_STRIDED, MEANING,
      "dimensions are reversed by numbers from before others are shrunk (tensorflow pull request 52390)",
      .takes = shrunk_only, .wrong = reversed_late },
};

const fault_table planted_second_reported_slices = { rows, sizeof rows / sizeof *rows };
