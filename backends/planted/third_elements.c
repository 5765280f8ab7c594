/* SPDX-License-Identifier: Apache-2.0 */
/* The third set: gathers of elements, invented and reported. */
#include "backends/planted/third.h"

static bool other_length(const fault_call *call)
{
    const third_map m = third_map_of(call);
    return m.axis + 1 == m.wide->rank && m.axis > 0 && m.indices->sizes[m.axis] != m.narrow->sizes[m.axis];
}

/* Rows of the indices are as far apart as the data is long, if they lie behind one another. */
static void row_of_data(third_place *e)
{
    const third_map *m = e->map;
    const uint64_t row = e->number / m->wide->sizes[m->axis];
    if (third_packed(m->indices))
        e->index_offset = (int64_t)(row * m->narrow->sizes[m->axis] + e->at[m->axis]);
}

static bool wide_rows(const fault_call *call)
{
    const third_map m = third_map_of(call);
    return m.axis + 1 < m.wide->rank && m.wide->sizes[m.wide->rank - 1] >= 8;
}

/* If the first and the last of eight indices are the same, all are. */
static void uniform(third_place *e)
{
    const third_map *m = e->map;
    const uint32_t last = m->wide->rank - 1;
    uint64_t at[TS_MAX_DIMS];
    memcpy(at, e->index_at, sizeof at);
    const uint64_t begin = fault_floor(at[last], 8);
    if (begin + 8 > m->wide->sizes[last])
        return;
    at[last] = begin;
    const uint64_t first = tensor_number(m->indices, at);
    at[last] = begin + 7;
    if (third_stated(m, first) == third_stated(m, tensor_number(m->indices, at)))
        e->index_at[last] = begin;
}

/* ---- reported ---------------------------------------------------------------------------------------------------- */

static bool behind_outermost(const fault_call *call)
{
    const third_map m = third_map_of(call);
    return m.wide->rank > 2 && m.axis > 0;
}

/* When a middle coordinate is carried, the outermost one is reset. */
static void outermost_reset(third_place *e)
{
    bool carried = false;
    for (uint32_t i = 1; i + 1 < e->map->wide->rank; ++i)
        carried = carried || e->at[i] > 0;
    if (carried)
        e->from[0] = 0;
}

static bool single_along(const fault_call *call)
{
    const third_map m = third_map_of(call);
    return m.wide->rank == 2 && m.axis == 1 && m.indices->sizes[1] == 1 && m.narrow->sizes[0] > 1;
}

/* The row is copied that the index selects. */
static void row_copied(third_place *e)
{
    e->from[0] = fault_inside(e->index[0], e->map->narrow->sizes[0]);
    e->index[0] = 0;
}

static bool expanded(const fault_call *call)
{
    const ts_tensor *t = &call->d->tensors[1];
    for (uint32_t i = 0; i < t->rank; ++i)
        if (t->sizes[i] > 1 && t->strides[i] == 0)
            return true;
    return false;
}

/* An index that is repeated is read as if the indices were packed. */
static void read_packed(third_place *e)
{
    e->index_offset = (int64_t)tensor_number(e->map->indices, e->index_at);
}

static void index_expanded(const fault_call *call)
{
    if (!expanded(call))
        fault_run_right(call);
    else if (call->on & ON_ALL_SCATTERS)
        third_scatter(call, NULL, read_packed, NULL);
    else
        third_gather(call, read_packed, NULL);
}

THIRD(elements_row, other_length, third_gather(call, row_of_data, NULL))
THIRD(elements_uniform, wide_rows, third_gather(call, uniform, NULL))
THIRD(elements_reset, behind_outermost, third_gather(call, outermost_reset, NULL))
THIRD(elements_rows, single_along, third_gather(call, NULL, row_copied))

static const fault rows[] = {
    { "third-elements-row", ON_ALL_GATHER_ELEMENTS, LAYOUTS,
      "rows of packed indices are as far apart as the data is long along the last axis", .execute = elements_row },
    { "third-elements-uniform", ON_ALL_GATHER_ELEMENTS, PATTERNS,
      "eight indices are all the same if the first and the last one are", .execute = elements_uniform },
    { "third-ort-reset", ON_ALL_GATHER_ELEMENTS, COUNTS,
      "where a middle coordinate is carried, the outermost one is reset (onnxruntime pull request 2130)",
      .execute = elements_reset },
    { "third-pytorch-single", ON_ALL_GATHER_ELEMENTS, COUNTS,
      "one index in each row along the last axis selects a row (pytorch pull request 151917)",
      .execute = elements_rows },
    { "third-flaggems-expanded", ON_GATHER_ELEMENTS | ON_SCATTER_ELEMENTS, LAYOUTS,
      "indices that are broadcast are read as packed ones (FlagGems issue 6448)", .execute = index_expanded },
};

const fault_table planted_third_elements = { rows, sizeof rows / sizeof *rows };
