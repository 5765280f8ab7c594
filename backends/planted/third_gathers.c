/* SPDX-License-Identifier: Apache-2.0 */
/* The third set: Gather of OpenVINO, invented and reported; and indices of all gathers. */
#include "backends/planted/third.h"

/* ---- invented: Gather -------------------------------------------------------------------------------------------- */

static bool batches_of_other_length(const fault_call *call)
{
    const third_map m = third_map_of(call);
    return m.batch > 0 && m.array == 1 && m.indices->sizes[m.batch] != third_selected(&m, 0);
}

/* Indices of a batch are as far apart as elements along the axis are. */
static void batch_as_data(third_place *e)
{
    const third_map *m = e->map;
    uint64_t batch = 0;
    for (uint32_t i = 0; i < m->batch; ++i)
        batch = batch * m->indices->sizes[i] + e->index_at[i];
    e->index_offset = (int64_t)(batch * third_selected(m, 0) + e->index_at[m->batch]);
}

static bool only_batches(const fault_call *call)
{
    const third_map m = third_map_of(call);
    return m.batch > 1 && m.array == 0;
}

static void first_of_batches(third_place *e)
{
    e->index_at[e->map->batch - 1] = 0;
}

static bool narrow_inner(const fault_call *call)
{
    const third_map m = third_map_of(call);
    return m.indices->dtype == TS_INT32 && m.axis > 0;
}

/* A negative index is extended without its sign. */
static void zero_extended(third_place *e)
{
    const int64_t size = (int64_t)third_selected(e->map, 0);
    if (e->index[0] < size && third_stated(e->map, tensor_number(e->map->indices, e->index_at)) < 0)
        e->index[0] = UINT32_MAX;
}

static bool long_blocks(const fault_call *call)
{
    const third_map m = third_map_of(call);
    return third_block(&m) * tensor_element_bytes(call->out->dtype) >= 64;
}

static void moved_anyway(third_place *e)
{
    e->clamped = true;
}

static bool many_indices(const fault_call *call)
{
    const third_map m = third_map_of(call);
    return third_picks(&m) > 256;
}

/* Indices are fetched 256 ahead, and the first one of each is that of before. */
static void fetched_ahead(third_place *e)
{
    const uint64_t n = tensor_number(e->map->indices, e->index_at);
    if (n > 0 && n % 256 == 0)
        e->index_offset = (int64_t)(n - 1);
}

static bool seems_a_run(const fault_call *call)
{
    const third_map m = third_map_of(call);
    const uint64_t n = m.tuples ? 0 : third_picks(&m);
    const int64_t first = n ? third_stated(&m, 0) : 0;
    return n > 3 && first >= 0 && third_stated(&m, n - 1) - first == (int64_t)n - 1;
}

/* The last index is as far from the first as in a run: it is one. */
static void as_a_run(third_place *e)
{
    const uint64_t n = tensor_number(e->map->indices, e->index_at);
    e->index[0] = third_stated(e->map, 0) + (int64_t)n;
}

THIRD(gather_batch, batches_of_other_length, third_gather(call, batch_as_data, NULL))
THIRD(gather_only, only_batches, third_gather(call, first_of_batches, NULL))
THIRD(gather_extended, narrow_inner, third_gather(call, NULL, zero_extended))
THIRD(gather_clamped, long_blocks, third_gather(call, NULL, moved_anyway))
THIRD(gather_ahead, many_indices, third_gather(call, fetched_ahead, NULL))
THIRD(gather_run, seems_a_run, third_gather(call, NULL, as_a_run))

/* ---- invented: indices of 16 bits -------------------------------------------------------------------------------- */

static bool in_16_bits(const fault_call *call)
{
    const third_map m = third_map_of(call);
    for (uint32_t i = 0; i < m.tuple; ++i)
        if (third_selected(&m, i) > INT16_MAX + 1 && third_selected(&m, i) <= UINT16_MAX + 1)
            return true;
    return false;
}

/* Indices are kept in 16 bits, with a sign; negative ones count from the end. */
static void sign_of_16(third_place *e)
{
    for (uint32_t i = 0; i < e->map->tuple; ++i) {
        const int64_t size = (int64_t)third_selected(e->map, i);
        if (size <= UINT16_MAX + 1 && e->index[i] > INT16_MAX && e->index[i] < size)
            e->index[i] += size - UINT16_MAX - 1;
    }
}

static void index_short(const fault_call *call)
{
    if (!in_16_bits(call))
        fault_run_right(call);
    else if (call->on & ON_ALL_SCATTERS)
        third_scatter(call, NULL, NULL, sign_of_16);
    else
        third_gather(call, NULL, sign_of_16);
}

/* ---- reported ---------------------------------------------------------------------------------------------------- */

static bool five_dims(const fault_call *call)
{
    const third_map m = third_map_of(call);
    return (call->out->rank == 5 || call->out->rank == 6) && m.array > 1;
}

/* The last two coordinates of the index are exchanged. */
static void exchanged(third_place *e)
{
    const uint32_t last = e->map->indices->rank - 1;
    const uint64_t kept = e->index_at[last];
    const uint64_t *sizes = e->map->indices->sizes;
    e->index_at[last] = e->index_at[last - 1] < sizes[last] ? e->index_at[last - 1] : sizes[last] - 1;
    e->index_at[last - 1] = kept < sizes[last - 1] ? kept : sizes[last - 1] - 1;
}

static bool four_batches(const fault_call *call)
{
    const third_map m = third_map_of(call);
    return m.batch >= 3 && m.array > 0;
}

/* The indices have one dimension more, of 1, so that their last coordinate is lost. */
static void last_lost(third_place *e)
{
    e->index_at[e->map->indices->rank - 1] = 0;
}

static bool one_index(const fault_call *call)
{
    const third_map m = third_map_of(call);
    return third_picks(&m) == 1 && third_stated(&m, 0) < 0;
}

static void from_rank(third_place *e)
{
    e->index[0] = third_stated(e->map, 0) + e->map->narrow->rank;
    e->clamped = true;
}

/* The size of the first call's axis counts for negative indices of all calls. */
static void from_first_size(third_place *e)
{
    const uint64_t n = tensor_number(e->map->indices, e->index_at);
    const int64_t stated = third_stated(e->map, n);
    if (stated < 0)
        e->index[0] = stated + (int64_t)*e->call->carried;
}

static void gather_first_size(const fault_call *call)
{
    const third_map m = third_map_of(call);
    if (*call->carried == 0)
        *call->carried = third_selected(&m, 0);
    third_gather(call, NULL, from_first_size);
}

static bool trailing_one(const fault_call *call)
{
    const third_map m = third_map_of(call);
    return m.indices->rank > 1 && m.block > 0 && m.indices->sizes[m.indices->rank - 1] == 1;
}

/* Dimensions of the data behind the axis are found as if the indices had one dimension less. */
static void one_dimension_less(third_place *e)
{
    const third_map *m = e->map;
    const uint64_t *behind = e->at + m->wide->rank - m->block - 1;
    memcpy(e->from + m->narrow->rank - m->block, behind, m->block * sizeof *behind);
}

static bool beyond_31_bits(const fault_call *call)
{
    return fault_count(call->in) > INT32_MAX;
}

static void offset_of_31(third_place *e)
{
    const third_map *m = e->map;
    uint64_t at[TS_MAX_DIMS];
    memcpy(at, e->from, sizeof at);
    if (e->index[0] < 0 || (uint64_t)e->index[0] >= third_selected(m, 0))
        return;
    at[m->axis] = (uint64_t)e->index[0];
    const uint64_t offset = tensor_offset(m->narrow, at);
    if (offset > INT32_MAX)
        e->read_offset = (int64_t)(offset & INT32_MAX);
}

THIRD(gather_five, five_dims, third_gather(call, exchanged, NULL))
THIRD(gather_four_batches, four_batches, third_gather(call, last_lost, NULL))
THIRD(gather_rank, one_index, third_gather(call, NULL, from_rank))
THIRD(gather_trailing, trailing_one, third_gather(call, one_dimension_less, NULL))
THIRD(gather_31, beyond_31_bits, third_gather(call, NULL, offset_of_31))

static const fault rows[] = {
    { "third-gather-batch", ON_BATCHED_GATHERS, LAYOUTS,
      "batches of the indices are as far apart as the data is long along the axis", .execute = gather_batch },
    { "third-gather-only", ON_BATCHED_GATHERS, COUNTS,
      "if all dimensions of the indices are batches, the last one is not followed", .execute = gather_only },
    { "third-gather-extended", ON_GATHER_8, MEANING,
      "negative 32-bit indices of an inner axis are extended without their sign", .execute = gather_extended },
    { "third-gather-clamped", ON_GATHER_8, MEANING,
      "blocks of 64 bytes and more are moved from the nearest element if the index is beyond the axis",
      .execute = gather_clamped },
    { "third-gather-ahead", ON_OPENVINO_GATHERS, GRIDS,
      "indices are fetched 256 at a time, and the first one of each is that of before", .execute = gather_ahead },
    { "third-gather-run", ON_OPENVINO_GATHERS | ON_ALL_GATHER_ELEMENTS, PATTERNS,
      "indices are a run if the last one is as far from the first as in a run", .execute = gather_run },
    { "third-index-short", ON_OPENVINO_GATHERS | ON_ALL_GATHER_ELEMENTS | ON_ALL_GATHER_NDS | ON_ALL_SCATTERS,
      MAGNITUDES, "indices of dimensions of up to 65,536 elements are kept in 16 bits with a sign",
      .execute = index_short },
    { "third-openvino-five", ON_OPENVINO_GATHERS, COUNTS,
      "with five or six dimensions, those of the indices are exchanged (openvino pull request 26894)",
      .execute = gather_five },
    { "third-openvino-batches", ON_BATCHED_GATHERS, COUNTS,
      "with many batch dimensions, the last coordinate of the index is lost (openvino pull request 30054)",
      .execute = gather_four_batches },
    { "third-openvino-rank", ON_GATHER_8, MEANING,
      "a single negative index counts from the number of dimensions (openvino pull request 22039)",
      .execute = gather_rank },
    { "third-openvino-first", ON_GATHER_8, HISTORY,
      "negative indices count from the size that the axis had at first (openvino pull request 22716)",
      .execute = gather_first_size },
    { "third-openvino-trailing", ON_OPENVINO_GATHERS, COUNTS,
      "a last dimension of 1 of the indices is forgotten (openvino pull request 960)", .execute = gather_trailing },
    { "third-ort-offset", ON_OPENVINO_GATHERS, MAGNITUDES,
      "offsets in the data have 31 bits (onnxruntime pull request 28108)", .execute = gather_31 },
};

const fault_table planted_third_gathers = { rows, sizeof rows / sizeof *rows };
