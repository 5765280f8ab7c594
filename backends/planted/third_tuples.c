/* SPDX-License-Identifier: Apache-2.0 */
/* The third set: gathers by tuples of indices, invented and reported. */
#include "backends/planted/third.h"

/* The place of an element in the block behind its tuple. */
static uint64_t in_block(const third_place *e)
{
    const third_map *m = e->map;
    uint64_t n = 0;
    for (uint32_t i = m->narrow->rank - m->block; i < m->narrow->rank; ++i)
        n = n * m->narrow->sizes[i] + e->from[i];
    return n;
}

static bool blocks_of_bytes(const fault_call *call)
{
    const third_map m = third_map_of(call);
    const size_t bytes = tensor_element_bytes(call->out->dtype);
    return bytes < 4 && third_block(&m) * bytes > 4 && third_block(&m) * bytes % 4 != 0;
}

static void whole_words(third_place *e)
{
    e->unwritten = in_block(e) >= fault_floor(third_block(e->map), 4 / tensor_element_bytes(e->source->dtype));
}

static bool two_batches(const fault_call *call)
{
    const third_map m = third_map_of(call);
    return m.batch > 1 && m.narrow->sizes[m.first] != m.narrow->sizes[m.first + 1];
}

/* The number of the batch is unfolded by the size of the first dimension. */
static void unfolded_by_first(third_place *e)
{
    const third_map *m = e->map;
    const uint64_t *sizes = m->narrow->sizes + m->first;
    uint64_t *at = e->from + m->first;
    const uint64_t n = at[0] * sizes[1] + at[1];
    at[0] = n / sizes[0] < sizes[0] ? n / sizes[0] : sizes[0] - 1;
    at[1] = n % sizes[0] < sizes[1] ? n % sizes[0] : sizes[1] - 1;
    memcpy(e->index_at + m->first_index, at, 2 * sizeof *at);
}

static bool four_indices(const fault_call *call)
{
    return third_map_of(call).tuple > 3;
}

/* Strides of the dimensions of a tuple are in a table of three, and the fourth one is that of the third. */
static void three_strides(third_place *e)
{
    const third_map *m = e->map;
    uint64_t at[TS_MAX_DIMS], offset;
    memcpy(at, e->from, sizeof at);
    for (uint32_t i = 0; i < m->tuple; ++i) {
        if (e->index[i] < 0 || (uint64_t)e->index[i] >= third_selected(m, i))
            return;
        at[m->axis + i] = i < 3 ? (uint64_t)e->index[i] : 0;
    }
    offset = tensor_offset(m->narrow, at);
    for (uint32_t i = 3; i < m->tuple; ++i)
        offset += (uint64_t)e->index[i] * m->narrow->strides[m->axis + 2];
    e->read_offset = (int64_t)offset;
}

static bool one_of_each_batch(const fault_call *call)
{
    const third_map m = third_map_of(call);
    return m.batch > 0 && third_product(m.indices, m.first_index + m.batch, m.indices->rank - 1) == 1;
}

/* One tuple serves all batches. */
static void tuple_of_first(third_place *e)
{
    memset(e->index_at + e->map->first_index, 0, e->map->batch * sizeof *e->index_at);
}

static bool several_tuples(const fault_call *call)
{
    const third_map m = third_map_of(call);
    return m.tuple > 1 && m.array > 0 && m.indices->sizes[m.indices->rank - 2] > 1;
}

/* If a tuple begins as the one before, it is taken for the same. */
static void same_as_before(third_place *e)
{
    const third_map *m = e->map;
    const uint32_t last = m->indices->rank - 2;
    if (e->index_at[last] == 0)
        return;
    const uint64_t n = tensor_number(m->indices, e->index_at);
    if (third_stated(m, n) == third_stated(m, n - m->tuple))
        --e->index_at[last];
}

/* ---- reported ---------------------------------------------------------------------------------------------------- */

static bool five_dims(const fault_call *call)
{
    const third_map m = third_map_of(call);
    return m.batch == 0 && m.array == 4 && m.indices->sizes[m.indices->rank - 2] > 1;
}

/* The fourth coordinate of the indices is not one of the output. */
static void fourth_lost(third_place *e)
{
    e->index_at[e->map->indices->rank - 2] = 0;
}

THIRD(tuple_words, blocks_of_bytes, third_gather(call, whole_words, NULL))
THIRD(tuple_unfolded, two_batches, third_gather(call, unfolded_by_first, NULL))
THIRD(tuple_four, four_indices, third_gather(call, NULL, three_strides))
THIRD(tuple_one, one_of_each_batch, third_gather(call, tuple_of_first, NULL))
THIRD(tuple_same, several_tuples, third_gather(call, same_as_before, NULL))
THIRD(tuple_five, five_dims, third_gather(call, fourth_lost, NULL))

static const fault rows[] = {
    { "third-tuple-words", ON_ALL_GATHER_NDS, TAILS,
      "blocks of narrow elements are copied in words of four bytes, and what is left is lost", .execute = tuple_words },
    { "third-tuple-unfolded", ON_GATHER_ND1 | ON_OPENVINO_GATHER_NDS, DIVISIONS,
      "two batch dimensions are unfolded by the size of the first", .execute = tuple_unfolded },
    { "third-tuple-four", ON_ALL_GATHER_NDS, COUNTS, "strides of a tuple are in a table of three",
      .execute = tuple_four },
    { "third-tuple-one", ON_GATHER_ND1 | ON_OPENVINO_GATHER_NDS, COUNTS,
      "where each batch has one tuple, that of the first one serves all", .execute = tuple_one },
    { "third-tuple-same", ON_ALL_GATHER_NDS, PATTERNS, "a tuple that begins as the one before is taken for the same",
      .execute = tuple_same },
    { "third-openvino-fourth", ON_GATHER_ND | ON_GATHER_ND1 | ON_OPENVINO_GATHER_NDS, COUNTS,
      "the fourth of five coordinates of the indices is lost (openvino pull request 27041)", .execute = tuple_five },
};

const fault_table planted_third_tuples = { rows, sizeof rows / sizeof *rows };
