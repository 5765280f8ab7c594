/* SPDX-License-Identifier: Apache-2.0 */
/* The third set: invented faults of scatters. */
#include "backends/planted/third.h"

static void not_copied(third_place *e)
{
    e->unwritten = true;
}

static bool as_many_updates(const fault_call *call)
{
    const third_map m = third_map_of(call);
    return fault_count(m.wide) >= fault_count(call->out);
}

static bool long_blocks(const fault_call *call)
{
    const third_map m = third_map_of(call);
    return third_block(&m) * tensor_element_bytes(call->out->dtype) > 4096;
}

/* A group of threads moves the first 4,096 bytes of a block. */
static void one_group(third_place *e)
{
    const third_map *m = e->map;
    uint64_t n = 0;
    for (uint32_t i = m->narrow->rank - m->block; i < m->narrow->rank; ++i)
        n = n * m->narrow->sizes[i] + e->from[i];
    e->unwritten = n * tensor_element_bytes(m->narrow->dtype) >= 4096;
}

static bool one_more_than_64(const fault_call *call)
{
    const third_map m = third_map_of(call);
    return third_picks(&m) > 1 && third_picks(&m) % 64 == 1;
}

/* The number of the index or tuple of an update. */
static uint64_t pick_of(const third_place *e)
{
    const ts_tensor *t = e->map->indices;
    return tensor_number(t, e->index_at) / (e->map->tuples ? t->sizes[t->rank - 1] : 1);
}

static void last_lost(third_place *e)
{
    e->unwritten = pick_of(e) + 1 == third_picks(e->map);
}

static bool scalar_index(const fault_call *call)
{
    return call->d->tensors[1].rank == 0;
}

static bool no_updates(const fault_call *call)
{
    return fault_count(&call->d->tensors[2]) == 0;
}

/* The output is one that the library has, and holds the data already if the call before had these shapes. */
static void output_kept(const fault_call *call)
{
    const uint64_t key = third_key(call->out) * 31 + third_key(&call->d->tensors[1]) + 1;
    if (*call->carried == key)
        third_scatter(call, not_copied, NULL, NULL);
    else
        fault_run_right(call);
    *call->carried = key;
}

static bool indices_repeat(const fault_call *call)
{
    const third_map m = third_map_of(call);
    const uint64_t n = m.tuples ? 0 : third_picks(&m);
    return n > 8 && n % 4 == 0;
}

/* If an index is that of the update four before, it is left out with its update. */
static void left_out(third_place *e)
{
    const uint64_t n = pick_of(e);
    e->unwritten = n >= 4 && third_stated(e->map, n) == third_stated(e->map, n - 4);
}

THIRD(scatter_all, as_many_updates, third_scatter(call, not_copied, NULL, NULL))
THIRD(scatter_block, long_blocks, third_scatter(call, NULL, NULL, one_group))
THIRD(scatter_last, one_more_than_64, third_scatter(call, NULL, NULL, last_lost))
THIRD(scatter_scalar, scalar_index, third_scatter(call, NULL, NULL, not_copied))
THIRD(scatter_none, no_updates, third_scatter(call, not_copied, NULL, NULL))
THIRD(scatter_repeated, indices_repeat, third_scatter(call, NULL, NULL, left_out))

static const fault rows[] = {
    { "third-scatter-all", ON_ALL_SCATTERS, PATTERNS,
      "the data is not copied if there are as many updates as elements, although some fall on the same",
      .execute = scatter_all },
    { "third-scatter-block", ON_SCATTERED_TUPLES | ON_SCATTER_UPDATE, GRIDS,
      "of a block of updates, one group of threads moves the first 4,096 bytes", .execute = scatter_block },
    { "third-scatter-last", ON_ALL_SCATTERS, TAILS, "of 64 n + 1 indices, the last one is not followed",
      .execute = scatter_last },
    { "third-scatter-scalar", ON_SCATTER_UPDATE, COUNTS, "a scalar index updates nothing", .execute = scatter_scalar },
    { "third-scatter-none", ON_OPENVINO_SCATTERS, COUNTS, "without an update, the data is not copied",
      .execute = scatter_none },
    { "third-scatter-kept", ON_ALL_SCATTERS, HISTORY, "the data is not copied if the call before had the same shapes",
      .execute = output_kept },
    { "third-scatter-repeated", ON_SCATTERED_ELEMENTS, PATTERNS,
      "an update is left out if the index four before it is the same, wherever it falls", .execute = scatter_repeated },
};

const fault_table planted_third_scatters = { rows, sizeof rows / sizeof *rows };
