/* SPDX-License-Identifier: Apache-2.0 */
/* The second set: reported faults of copies. */
#include "backends/planted/second.h"

static bool batched_vectors(const fault_path *p)
{
    return p->dims == 3 && p->bytes == 4 && fault_across(p) == 1 && !p->axis[0].picks && p->axis[1].in == 1 &&
           fault_row(p)->out == 1 && p->axis[1].size % 4 == 0 && fault_row(p)->size % 4 != 0;
}

static void rows_down(const fault_path *p, fault_place *e)
{
    e->to -= (e->to - (int64_t)column(p, e)) % 4;
}

static bool padded_features(const fault_path *p)
{
    return fault_across(p) >= 0 && second_height(p) % 16 == 0 && fault_row(p)->out == 1 &&
           !p->axis[p->dims - 2].picks && above(p)->out > (int64_t)fault_row(p)->size;
}

static void padding_forgotten(const fault_path *p, fault_place *e)
{
    (void)p;
    e->to = (int64_t)e->number;
}

static bool permuted_rows(const fault_path *p)
{
    return p->dims >= 3 && fault_vector(p) && second_dense(p);
}

static bool dense_columns(const fault_path *p)
{
    return p->dims > 1 && fault_row(p)->in > 1 && second_dense(p);
}

static void in_memory_order(const fault_path *p, fault_place *e)
{
    e->from = p->start + (int64_t)e->number;
}

static bool outer_batches(const fault_path *p)
{
    return p->dims >= 4 && fault_across(p) >= 2 && !p->axis[0].picks;
}

static void first_batch(const fault_path *p, fault_place *e)
{
    (void)p;
    e->unwritten = e->at[0] > 0;
}

static bool whole_blocks(const fault_path *p)
{
    return p->bytes == 4 && second_matrix(p, 8) && second_height(p) % 8 == 0 && fault_row(p)->size % 8 == 0;
}

static void other_block(const fault_path *p, fault_place *e)
{
    const uint64_t r = reported_down(p, e) % 8, c = reported_along(p, e) % 4, place = r * 4 + c;
    e->from += ((int64_t)(place % 8) - (int64_t)r) * p->axis[fault_across(p)].in +
               ((int64_t)(place / 8) - (int64_t)c) * fault_row(p)->in;
}

static bool six_loops(const fault_path *p)
{
    return p->dims >= 6 && !p->axis[0].picks && !p->axis[1].picks;
}

static void outer_reversed(const fault_path *p, fault_place *e)
{
    const uint64_t number = e->at[0] * p->axis[1].size + e->at[1];
    fault_shift(p, e,
                ((int64_t)(number % p->axis[0].size) - (int64_t)e->at[0]) * fault_stride(p, 0) +
                    ((int64_t)(number / p->axis[0].size) - (int64_t)e->at[1]) * fault_stride(p, 1));
}

static bool unit_channels(const fault_path *p)
{
    const ts_tensor *t = second_laid_out(p->call);
    bool unit = false;
    for (uint32_t i = 0; i + 1 < t->rank && i < TS_MAX_DIMS; ++i)
        unit = unit || (t->sizes[i] == 1 && t->strides[i] == 1);
    return unit && p->dims == 2 && fault_vector(p) && !p->axis[0].picks;
}

static void rows_packed(const fault_path *p, fault_place *e)
{
    fault_shift(p, e, -(int64_t)e->at[0] * (fault_stride(p, 0) - (int64_t)fault_row(p)->size));
}

static bool broadcast_between(const fault_path *p)
{
    return p->dims >= 3 && fault_vector(p) && !above(p)->picks && above(p)->in == 0 && above(p)->index == 0 &&
           !p->axis[p->dims - 3].picks && p->axis[p->dims - 3].in != 0;
}

static void last_stands(const fault_path *p, fault_place *e)
{
    e->from -= (int64_t)column(p, e);
}

static bool unaligned_base(const fault_path *p)
{
    return p->dims == 1 && fault_vector(p) && p->count * p->bytes % 16 == 0 && (uintptr_t)p->call->out->data % 16 != 0;
}

static void base_down(const fault_path *p, fault_place *e)
{
    e->to -= (int64_t)((uintptr_t)p->call->out->data % 16 / p->bytes);
}

static bool many_bytes(const fault_path *p)
{
    return p->bytes == 1 && p->dims == 1 && fault_vector(p) && p->count >= 1024 &&
           (uintptr_t)p->call->out->data % 8 == 0;
}

static void half_of_eight(const fault_path *p, fault_place *e)
{
    if (e->number % 8 >= 4 && e->number < fault_floor(p->count, 1024))
        e->from -= 4;
}

static bool cut_pages(const fault_path *p)
{
    return fault_rows(p) && p->bytes == 4 && fault_row(p)->size > 64 && fault_row(p)->size % 32 != 0;
}

static void page_before(const fault_path *p, fault_place *e)
{
    if (column(p, e) >= fault_floor(fault_row(p)->size, 32))
        e->from -= 32;
}

static bool narrowed_rows(const fault_path *p)
{
    return p->dims == 2 && fault_vector(p) && !p->axis[0].picks && p->axis[0].in > (int64_t)fault_row(p)->size;
}

static void beyond_staged(const fault_path *p, fault_place *e)
{
    e->unwritten = e->from - p->start >= (int64_t)p->count;
}

static bool tall_grid(const fault_path *p)
{
    return p->dims == 2 && !picks_any(p) && p->axis[0].size > UINT16_MAX;
}

static void not_launched(const fault_path *p, fault_place *e)
{
    (void)p;
    e->unwritten = true;
}

static const fault rows[] = {
    { "second-paddle-vector", ON_EVERY_COPY, TILES,
      "transposed batches are written in vectors of the height, which does not divide the width (Paddle pull request "
      "47212)",
      .takes = batched_vectors, .wrong = rows_down },
    { "second-openvino-padding", ON_EVERY_COPY, LAYOUTS,
      "a reorder of 16 features at a time does not ask for the padding of its output (openvino pull request 36037)",
      .takes = padded_features, .wrong = padding_forgotten },
    { "second-llama-permuted", ON_EVERY_COPY, LAYOUTS,
      "permuted rows are looked for by sizes, not by strides (llama.cpp pull request 25928)", .takes = permuted_rows,
      .wrong = in_memory_order },
    { "second-oneflow-dense", ON_EVERY_COPY, LAYOUTS,
      "a transposed input without gaps is copied in the order of memory (oneflow issue 7667)", .takes = dense_columns,
      .wrong = in_memory_order },
    { "second-llama-batches", ON_EVERY, TILES,
      "of two batch dimensions of transposed matrices the outer one is not covered (llama.cpp pull request 17081)",
      .takes = outer_batches, .wrong = first_batch },
    { "second-onednn-blocks", ON_EVERY_COPY, TILES,
      "transposed blocks of 8 by 4 are read as blocks of 4 by 8 (oneDNN pull request 2751)", .takes = whole_blocks,
      .wrong = other_block },
    { "second-mlx-many-dims", ON_EVERY, COUNTS,
      "with many loops the coordinates of the outer ones are found in wrong order (mlx pull request 1137)",
      .takes = six_loops, .wrong = outer_reversed },
    { "second-mlx-unit", ON_EVERY, LAYOUTS,
      "the stride of a dimension of 1 makes a tensor look like one with its channels last (mlx pull request 2513)",
      .takes = unit_channels, .wrong = rows_packed },
    { "second-nntrainer-broadcast", ON_BROADCASTS, LAYOUTS,
      "with a broadcast dimension in the middle, the last one is broadcast, too (nntrainer pull request 560)",
      .takes = broadcast_between, .wrong = last_stands },
    { "second-tilelang-base", ON_EVERY, LAYOUTS,
      "vectors are chosen by the number of bytes, not by the address of the output (tilelang issue 2526)",
      .takes = unaligned_base, .wrong = base_down },
    { "second-pytorch-bytes", ON_EVERY_COPY, TAILS,
      "vectors of eight bytes have their first half twice (pytorch pull request 141959)", .takes = many_bytes,
      .wrong = half_of_eight },
    { "second-tt-pages", ON_EVERY_COPY, TAILS,
      "the last page of a row that is not full is the page before it (tt-metal pull request 44726)", .takes = cut_pages,
      .wrong = page_before },
    { "second-pytorch-staged", ON_EVERY_COPY, LAYOUTS,
      "an input with gaps is staged as if it had none, and its end is lost (pytorch pull request 86056)",
      .takes = narrowed_rows, .wrong = beyond_staged },
    { "second-ilgpu-rows", ON_EVERY, GRIDS,
      "a launch with more than 65,535 rows fails without a word (ILGPU issue 341)", .takes = tall_grid,
      .wrong = not_launched },
};

const fault_table planted_second_reported_copies = { rows, sizeof rows / sizeof *rows };
