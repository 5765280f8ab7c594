/* SPDX-License-Identifier: Apache-2.0 */
/* The third set: reported faults of scatters. */
#include "backends/planted/third.h"

static bool gaps_in_tuples(const fault_call *call)
{
    const third_map m = third_map_of(call);
    return m.tuple > 1 && m.indices->strides[m.indices->rank - 1] != 1;
}

/* The indices of a tuple are read one behind the other. */
static void tuple_at_once(third_place *e)
{
    const third_map *m = e->map;
    const uint64_t offset = tensor_offset(m->indices, e->index_at);
    for (uint32_t i = 0; i < m->tuple; ++i)
        e->index[i] = third_index_at(m, i, offset + i);
    e->clamped = true;
}

static bool two_dims_of_tuples(const fault_call *call)
{
    const third_map m = third_map_of(call);
    return m.array > 1 && m.wide->sizes[m.first_wide] == 1;
}

/* Updates are as far apart as those that differ in the first coordinate. */
static void first_stride(third_place *e)
{
    const third_map *m = e->map;
    uint64_t n = 0, at[TS_MAX_DIMS];
    memcpy(at, e->at, sizeof at);
    for (uint32_t i = 0; i < m->array; ++i) {
        n = n * m->wide->sizes[m->first_wide + i] + e->at[m->first_wide + i];
        at[m->first_wide + i] = 0;
    }
    e->read_offset = (int64_t)(tensor_offset(m->wide, at) + n * m->wide->strides[m->first_wide]);
}

static bool other_pitch(const fault_call *call)
{
    for (uint32_t i = 0; i < call->in->rank; ++i)
        if (call->in->sizes[i] > 1 && call->in->strides[i] != call->out->strides[i])
            return true;
    return false;
}

/* The data is read with the strides of the output. */
static void as_output(third_place *e)
{
    e->read_offset = (int64_t)tensor_offset(e->call->out, e->at);
}

static void to_zero(third_place *e)
{
    memset(tensor_at(e->call->out, e->at), 0, tensor_element_bytes(e->call->out->dtype));
    e->unwritten = true;
}

enum { LOCAL_BYTES = 4096 };

/* The kernel of the first call stays: the local memory that it had does not hold a larger output. */
static void local_memory(const fault_call *call)
{
    const bool fits = fault_count(call->out) * tensor_element_bytes(call->out->dtype) <= LOCAL_BYTES;
    if (*call->carried == 0)
        *call->carried = fits ? 1 : 2;
    if (*call->carried == 1 && !fits)
        third_scatter(call, to_zero, NULL, NULL);
    else
        fault_run_right(call);
}

static bool single_floats(const fault_call *call)
{
    return call->out->dtype == TS_FLOAT32;
}

/* The bits that half precision keeps of a normal number; those of others are kept. */
static void to_half(third_place *e)
{
    const third_map *m = e->map;
    uint32_t bits;
    memcpy(&bits, tensor_at(m->wide, e->at), sizeof bits);
    const uint32_t exponent = bits >> 23 & 255;
    if (exponent <= 112 || exponent >= 143 || (bits & 0x1fff) == 0 || e->index[0] < 0 ||
        (uint64_t)e->index[0] >= third_selected(m, 0))
        return;
    bits = (bits + 0xfff + (bits >> 13 & 1)) & ~UINT32_C(0x1fff);
    e->from[m->axis] = (uint64_t)e->index[0];
    memcpy(tensor_at(m->narrow, e->from), &bits, sizeof bits);
    e->unwritten = true;
}

static bool any_elements(const fault_call *call)
{
    return call->out->rank > 2 && third_packed(call->out);
}

/* The size of a block of a dimension is a product of the sizes before the ones that it has. */
static void other_blocks(third_place *e)
{
    const third_map *m = e->map;
    uint64_t at[TS_MAX_DIMS], block = 1, offset = 0;
    memcpy(at, e->from, sizeof at);
    at[m->axis] = fault_inside(e->index[0], third_selected(m, 0));
    for (uint32_t i = m->narrow->rank; i-- > 0;) {
        offset += at[i] * block;
        block *= i == 0 ? 1 : m->narrow->sizes[i - 1];
    }
    e->write_offset = (int64_t)offset;
}

static bool beyond_16_bits(const fault_call *call)
{
    return fault_count(call->out) > UINT16_MAX + 1 && third_packed(call->out);
}

/* The number of the element has 16 bits. */
static void number_of_16(third_place *e)
{
    const third_map *m = e->map;
    uint64_t at[TS_MAX_DIMS];
    memcpy(at, e->from, sizeof at);
    for (uint32_t i = 0; i < m->tuple; ++i)
        at[m->axis + i] = fault_inside(e->index[i], third_selected(m, i));
    e->write_offset = (int64_t)(tensor_offset(m->narrow, at) & UINT16_MAX);
}

static bool many_tuples(const fault_call *call)
{
    const third_map m = third_map_of(call);
    return third_picks(&m) > UINT16_MAX;
}

static void beyond_grid(third_place *e)
{
    const ts_tensor *t = e->map->indices;
    e->unwritten = tensor_number(t, e->index_at) / t->sizes[t->rank - 1] >= UINT16_MAX;
}

static bool long_tuples(const fault_call *call)
{
    const third_map m = third_map_of(call);
    return m.tuple > 1 && tensor_element_bytes(m.indices->dtype) == 8;
}

/* The second index is the upper half of the first one. */
static void upper_half(third_place *e)
{
    const third_map *m = e->map;
    if (m->tuple > 1)
        e->index[1] = e->index[0] < 0 ? (int64_t)third_selected(m, 1) - 1 : 0;
}

static bool short_rows(const fault_call *call)
{
    const third_map m = third_map_of(call);
    return m.axis == 0 && call->out->rank == 2 && tensor_element_bytes(call->out->dtype) == 2;
}

static void half_row(third_place *e)
{
    e->index[0] /= 2;
}

static bool broadcast_dims(const fault_call *call)
{
    const third_map m = third_map_of(call);
    for (uint32_t i = 0; i < m.wide->rank; ++i)
        if (i != m.axis && m.wide->sizes[i] == 1 && m.narrow->sizes[i] > 1)
            return true;
    return false;
}

/* An update along dimensions of 1 is repeated along those of the data. */
static void repeated(third_place *e)
{
    const third_map *m = e->map;
    ts_tensor rest = *m->narrow;
    uint64_t c[TS_MAX_DIMS] = { 0 }, to[TS_MAX_DIMS];
    if (e->index[0] < 0 || (uint64_t)e->index[0] >= third_selected(m, 0))
        return;
    for (uint32_t i = 0; i < rest.rank; ++i)
        rest.sizes[i] = i != m->axis && m->wide->sizes[i] == 1 ? rest.sizes[i] : 1;
    do {
        for (uint32_t i = 0; i < rest.rank; ++i)
            to[i] = e->from[i] + c[i];
        to[m->axis] = (uint64_t)e->index[0];
        tensor_copy_element(m->narrow, to, m->wide, e->at);
    } while (tensor_next(&rest, c));
    e->unwritten = true;
}

static bool smaller_inside(const fault_call *call)
{
    const third_map m = third_map_of(call);
    return m.axis == 0 && m.wide->rank > 2 && m.wide->sizes[m.wide->rank - 1] < m.narrow->sizes[m.wide->rank - 1];
}

/* Dimensions behind the axis are made one, by the sizes of the indices. */
static void merged(third_place *e)
{
    const third_map *m = e->map;
    const uint64_t row = third_product(m->narrow, 1, m->narrow->rank), count = third_product(m->wide, 1, m->wide->rank);
    const int64_t index = e->index[0];
    if (index >= 0 && (uint64_t)index < third_selected(m, 0))
        e->write_offset = (int64_t)((uint64_t)index * row + e->number % count);
}

static bool narrow_indices(const fault_call *call)
{
    const third_map m = third_map_of(call);
    const size_t bytes = tensor_element_bytes(m.indices->dtype);
    return third_picks(&m) == 1 && bytes < 4 && third_selected(&m, 0) >> (8 * bytes - 1) > 0;
}

static void dropped(third_place *e)
{
    e->unwritten = true;
}

static bool unsigned_bytes(const fault_call *call)
{
    return call->d->tensors[1].dtype == TS_UINT8;
}

/* A byte from 128 on is negative, and counts from the end. */
static void signed_byte(third_place *e)
{
    const int64_t size = (int64_t)third_selected(e->map, 0);
    if (e->index[0] >= 128 && e->index[0] < size)
        e->index[0] = e->index[0] - 256 + size < 0 ? 0 : e->index[0] - 256 + size;
}

THIRD(update_gaps, gaps_in_tuples, third_scatter(call, NULL, NULL, tuple_at_once))
THIRD(update_stride, two_dims_of_tuples, third_scatter(call, NULL, NULL, first_stride))
THIRD(update_pitch, other_pitch, third_scatter(call, as_output, NULL, NULL))
THIRD(update_half, single_floats, third_scatter(call, NULL, NULL, to_half))
THIRD(update_blocks, any_elements, third_scatter(call, NULL, NULL, other_blocks))
THIRD(update_16, beyond_16_bits, third_scatter(call, NULL, NULL, number_of_16))
THIRD(update_grid, many_tuples, third_scatter(call, NULL, NULL, beyond_grid))
THIRD(update_upper, long_tuples, third_scatter(call, NULL, NULL, upper_half))
THIRD(update_rows, short_rows, third_scatter(call, NULL, NULL, half_row))
THIRD(update_repeated, broadcast_dims, third_scatter(call, NULL, NULL, repeated))
THIRD(update_merged, smaller_inside, third_scatter(call, NULL, NULL, merged))
THIRD(update_dropped, narrow_indices, third_scatter(call, NULL, NULL, dropped))
THIRD(update_byte, unsigned_bytes, third_scatter(call, NULL, NULL, signed_byte))

static const fault rows[] = {
    { "third-migraphx-tuple", ON_SCATTER_ND, LAYOUTS,
      "the indices of a tuple are read one behind the other, whatever the strides (AMDMIGraphX pull request 4919)",
      .execute = update_gaps },
    { "third-burn-stride", ON_SCATTERED_TUPLES, COUNTS,
      "updates of several dimensions are as far apart as along the first, of 1 (burn issue 5195)",
      .execute = update_stride },
    { "third-openvino-padded", ON_SCATTERS, LAYOUTS,
      "the data is read with the strides of the output (openvino pull requests 20447 and 29087)",
      .execute = update_pitch },
    { "third-openvino-local", ON_SCATTERED_ELEMENTS, HISTORY,
      "the local memory of the first call is too small for a later output (openvino pull request 32746)",
      .execute = local_memory },
    { "third-openvino-half", ON_SCATTER_UPDATE, VALUES, "updates are rounded to half precision (openvino issue 34532)",
      .execute = update_half },
    { "third-ort-blocks", ON_SCATTERED_ELEMENTS, MEANING,
      "strides of the output are products of the wrong sizes (onnxruntime pull request 913)",
      .execute = update_blocks },
    { "third-timvx-number", ON_SCATTERED_TUPLES, MAGNITUDES,
      "the number of an updated element has 16 bits (TIM-VX pull request 454)", .execute = update_16 },
    { "third-tvm-grid", ON_SCATTERED_TUPLES, GRIDS,
      "more than 65,535 tuples do not fit the grid (tvm pull request 8479)", .execute = update_grid },
    { "third-tfdml-upper", ON_SCATTERED_TUPLES, MEANING,
      "the second of two 64-bit indices is the upper half of the first (tensorflow-directml pull request 80)",
      .execute = update_upper },
    { "third-pto-rows", ON_SCATTERED_ELEMENTS, MEANING, "16-bit elements land in the wrong row (pto-isa issue 146)",
      .execute = update_rows },
    { "third-tvm-repeated", ON_SCATTER_ELEMENTS_UPDATE, MEANING,
      "dimensions of 1 of the updates are repeated along those of the data (tvm pull request 20187)",
      .execute = update_repeated },
    { "third-ort-merged", ON_SCATTER_ELEMENTS_UPDATE, LAYOUTS,
      "dimensions are merged by the sizes of the indices (onnxruntime pull request 11374)", .execute = update_merged },
    { "third-xla-narrow", ON_SCATTER_UPDATE | ON_SCATTER_ELEMENTS_UPDATE, MAGNITUDES,
      "a single update is dropped if the type of the index does not hold the size (xla issue 48718)",
      .execute = update_dropped },
    { "third-jax-byte", ON_SCATTER_UPDATE | ON_SCATTER_ELEMENTS_UPDATE, MAGNITUDES,
      "8-bit indices from 128 on are taken for negative ones (jax issue 16836)", .execute = update_byte },
};

const fault_table planted_third_updates = { rows, sizeof rows / sizeof *rows };
