/* SPDX-License-Identifier: Apache-2.0 */
/* The second set: reported faults of indices. */
#include "backends/planted/second.h"

#include "backends/faulty/fault_update.h"

static bool gathered_batches(const fault_path *p)
{
    return outside(p) == 1 && p->dims > 1 && fault_picks(p) > 1 && (int64_t)fault_picks(p) != p->picked_size;
}

static void batch_of_indices(const fault_path *p, fault_place *e)
{
    e->from += (int64_t)e->at[0] * ((int64_t)fault_picks(p) * p->picked_stride - p->axis[0].in);
}

static bool cut_tile(const fault_path *p)
{
    return p->axis[0].picks && fault_picks(p) > 8 && fault_picks(p) % 8 != 0 && block(p) >= 8;
}

static void whole_tiles(const fault_path *p, fault_place *e)
{
    e->unwritten = e->pick >= fault_floor(fault_picks(p), 8);
}

static bool many_rows(const fault_path *p)
{
    return p->axis[0].picks && block(p) > 1 && fault_picks(p) > UINT16_MAX;
}

static void later_rows(const fault_path *p, fault_place *e)
{
    (void)p;
    e->unwritten = e->pick >= UINT16_MAX;
}

/* ---- updates ----------------------------------------------------------------------------------------------------- */

static void write_to(const fault_update *u, const uint64_t *to)
{
    memcpy(tensor_at(u->call->out, to), u->from, u->bytes);
}

/* As many indices of a tuple are used as the indices have dimensions before the tuple; other coordinates are those of
   the update. */
static void as_many_as_dims(const fault_update *u)
{
    const ts_descriptor *d = u->call->d;
    const int attr = operator_attr_index(d->op, "IndicesDimensionCount");
    const uint32_t array = (uint32_t)operator_attr_value(d, (unsigned)attr, 0) - 1, first = fault_first_of_tuple(d);
    const uint32_t tuple = (uint32_t)d->tensors[1].sizes[d->tensors[1].rank - 1];
    uint64_t to[TS_MAX_DIMS];
    memcpy(to, u->to, sizeof to);
    for (uint32_t i = array; i < tuple; ++i)
        to[first + i] = u->at[first + i] < u->call->out->sizes[first + i] ? u->at[first + i] : 0;
    write_to(u, to);
}

static void not_negative(const fault_update *u)
{
    const ts_tensor *indices = &u->call->d->tensors[1];
    if (fault_index_value(indices, tensor_offset(indices, u->at), 0) >= 0)
        fault_apply(u);
}

/* Dimensions before the last four are made one, and so is the index along one of them. */
static void folded(const fault_update *u)
{
    const ts_tensor *out = u->call->out;
    const uint32_t lead = out->rank > 4 ? out->rank - 4 : 0;
    uint64_t to[TS_MAX_DIMS], index = u->to[u->axis];
    memcpy(to, u->to, sizeof to);
    for (uint32_t i = u->axis < lead ? lead : 0; i-- > 0;) {
        to[i] = index % out->sizes[i];
        index /= out->sizes[i];
    }
    write_to(u, to);
}

static void tuple_depth(const fault_call *call)
{
    second_scatter(call, as_many_as_dims);
}

static void negative_lost(const fault_call *call)
{
    second_scatter(call, not_negative);
}

static void rank_folded(const fault_call *call)
{
    second_scatter(call, folded);
}

static const fault rows[] = {
    { "second-flexflow-batch", ON_GATHER, LAYOUTS,
      "batches of the data are as far apart as those of the indices (flexflow-train issue 686)",
      .takes = gathered_batches, .wrong = batch_of_indices },
    { "second-cutlass-indices", ON_GATHER, TAILS, "indices after the last eight are not followed (cutlass issue 570)",
      .takes = cut_tile, .wrong = whole_tiles },
    { "second-ikllama-rows", ON_GATHER, GRIDS,
      "more than 65,535 rows do not fit the grid (ik_llama.cpp pull request 2367)", .takes = many_rows,
      .wrong = later_rows },
    { "second-onnxmlir-depth", ON_SCATTER_ND, MEANING,
      "the length of a tuple is taken from the number of dimensions of the indices (onnx-mlir pull request 3611)",
      .execute = tuple_depth },
    { "second-onnxmlir-negative", ON_SCATTER_ELEMENTS, MEANING,
      "negative indices do not count from the end (onnx-mlir pull request 3611)", .execute = negative_lost },
    { "second-tt-rank", ON_SCATTER_ELEMENTS, COUNTS,
      "more than four dimensions are folded, and so is the index (tt-metal pull request 56875)",
      .execute = rank_folded },
};

const fault_table planted_second_reported_indices = { rows, sizeof rows / sizeof *rows };
