/* SPDX-License-Identifier: Apache-2.0 */
/* The third set: JOIN, invented and reported. */
#include "backends/planted/third.h"

#include "reference/dml/join.h"

#include <stdlib.h>

static uint32_t count_of(const fault_call *call)
{
    return TS_ATTRS(ts_dml_join, call->d)->InputCount;
}

static uint32_t axis_of(const fault_call *call)
{
    return TS_ATTRS(ts_dml_join, call->d)->Axis;
}

static uint64_t along(const fault_call *call, uint32_t input)
{
    return call->d->tensors[input].sizes[axis_of(call)];
}

/* The elements that an input has side by side in the output: its row. */
static uint64_t row_of(const fault_call *call, uint32_t input)
{
    return third_product(&call->d->tensors[input], axis_of(call), call->out->rank);
}

/* The coordinate of an element in its row. */
static uint64_t in_row(const third_place *e)
{
    uint64_t n = 0;
    for (uint32_t i = axis_of(e->call); i < e->call->out->rank; ++i)
        n = n * e->source->sizes[i] + e->from[i];
    return n;
}

/* Take the element from this input, at this place along the axis. */
static void take(third_place *e, uint32_t input, uint64_t place)
{
    const uint64_t size = along(e->call, input);
    e->source = &e->call->d->tensors[input];
    e->from[axis_of(e->call)] = place < size ? place : size - 1;
}

/* ---- invented ---------------------------------------------------------------------------------------------------- */

static bool later_inputs(const fault_call *call)
{
    return third_packed(call->out) && axis_of(call) > 0 && call->out->sizes[0] > 1 && count_of(call) > 1;
}

/* Rows of later inputs that are longer than two vectors, and do not fill them. */
static void no_tail(third_place *e)
{
    const uint64_t lanes = 16 / tensor_element_bytes(e->call->out->dtype), row = row_of(e->call, e->input);
    e->unwritten = e->input > 0 && row > 2 * lanes && in_row(e) >= row - row % lanes;
}

static bool all_single(const fault_call *call)
{
    bool single = count_of(call) > 1;
    for (uint32_t k = 0; k < count_of(call); ++k)
        single = single && along(call, k) == 1;
    return single;
}

static void strides_of_first(third_place *e)
{
    e->read_offset = (int64_t)tensor_offset(e->call->in, e->from);
}

static bool begins_equal(const fault_call *call)
{
    return count_of(call) > 2 && along(call, 0) == along(call, 1);
}

static void divided(third_place *e)
{
    const uint64_t place = e->at[axis_of(e->call)], size = along(e->call, 0);
    const uint64_t input = place / size < count_of(e->call) ? place / size : count_of(e->call) - 1;
    take(e, (uint32_t)input, place - input * size);
}

static bool two_threads(const fault_call *call)
{
    return fault_count(call->out) * tensor_element_bytes(call->out->dtype) >= 32768 && axis_of(call) == 0 &&
           count_of(call) > 1;
}

/* The second thread begins the input in which the half lies at its first row. */
static void begun_again(third_place *e)
{
    const uint64_t rows = e->call->out->sizes[0], half = rows / 2;
    const uint64_t start = e->at[0] - e->from[0], begun = start < half && half < start + e->source->sizes[0];
    if (begun && e->at[0] >= half)
        e->from[0] -= half - start;
}

THIRD(join_tail, later_inputs, third_join(call, no_tail))
THIRD(join_single, all_single, third_join(call, strides_of_first))
THIRD(join_divided, begins_equal, third_join(call, divided))
THIRD(join_seam, two_threads, third_join(call, begun_again))

/* ---- reported ---------------------------------------------------------------------------------------------------- */

static bool spread_output(const fault_call *call)
{
    for (uint32_t k = 0; k < count_of(call); ++k)
        if (!third_packed(&call->d->tensors[k]))
            return false;
    return axis_of(call) == 0 && !third_packed(call->out);
}

static void dense(third_place *e)
{
    e->write_offset = (int64_t)e->number;
}

static bool three(const fault_call *call)
{
    return count_of(call) > 2 && axis_of(call) > 0;
}

/* An input begins where the one before it would end if that one began at 0. */
static void after_one(third_place *e)
{
    const uint32_t axis = axis_of(e->call);
    uint64_t at[TS_MAX_DIMS];
    if (e->input < 2)
        return;
    memcpy(at, e->at, sizeof at);
    at[axis] = along(e->call, e->input - 1) + e->from[axis];
    e->write_offset = (int64_t)tensor_offset(e->call->out, at);
}

static bool one_dimension(const fault_call *call)
{
    return call->out->rank == 1;
}

static void not_written(third_place *e)
{
    e->unwritten = true;
}

static bool repeats(const ts_tensor *t)
{
    for (uint32_t i = 0; i < t->rank; ++i)
        if (t->sizes[i] > 1 && t->strides[i] == 0)
            return true;
    return false;
}

static bool all_repeat(const fault_call *call)
{
    bool all = count_of(call) > 1;
    for (uint32_t k = 0; k < count_of(call); ++k)
        all = all && repeats(&call->d->tensors[k]);
    return all;
}

/* The broadcast is done after joining, with the strides of the first input. */
static void broadcast_late(third_place *e)
{
    for (uint32_t i = 0; i < e->call->in->rank; ++i)
        if (e->call->in->strides[i] == 0)
            e->from[i] = 0;
}

static bool last_axis_words(const fault_call *call)
{
    return axis_of(call) + 1 == call->out->rank && tensor_element_bytes(call->out->dtype) == 4 &&
           call->out->strides[axis_of(call)] == 1;
}

/* An input is stored in pairs, and begins at an even address. */
static void even_address(third_place *e)
{
    const uint32_t axis = axis_of(e->call);
    const uint64_t start = e->at[axis] - e->from[axis];
    if (e->input > 0 && start % 2 == 1 && along(e->call, e->input) > 1)
        e->write_offset = (int64_t)tensor_offset(e->call->out, e->at) - 1;
}

static bool beyond_eight(const fault_call *call)
{
    return count_of(call) > 8;
}

static void table_of_eight(third_place *e)
{
    if (e->input >= 8)
        take(e, e->input % 8, e->from[axis_of(e->call)]);
}

/* The inputs of the call before, as they were. */
typedef struct split {
    uint64_t key;
    uint32_t axis, count;
    uint64_t along[TS_JOIN_MAX_INPUTS];
} split;

static split split_of(const fault_call *call)
{
    split s = { .key = third_key(call->out), .axis = axis_of(call), .count = count_of(call) };
    for (uint32_t k = 0; k < s.count; ++k)
        s.along[k] = along(call, k);
    return s;
}

static void split_as_before(third_place *e)
{
    const split *before = *e->call->kept;
    uint64_t place = e->at[before->axis];
    uint32_t k = 0;
    while (k + 1 < before->count && place >= before->along[k])
        place -= before->along[k++];
    take(e, k < count_of(e->call) ? k : count_of(e->call) - 1, place);
}

/* A program is kept for an output and an axis, whatever the inputs are. */
static void program_of_output(const fault_call *call)
{
    const split now = split_of(call);
    if (!*call->kept)
        *call->kept = calloc(1, sizeof(split));
    split *before = *call->kept;
    if (before && before->key == now.key && before->axis == now.axis)
        third_join(call, split_as_before);
    else
        fault_run_right(call);
    if (before)
        *before = now;
}

static void first_twice(third_place *e)
{
    if (e->input == 1)
        take(e, 0, e->from[axis_of(e->call)]);
}

/* A program that is found again has the address of the first input for both. */
static void program_found(const fault_call *call)
{
    const bool two = count_of(call) == 2 && third_same_sizes(call->in, &call->d->tensors[1]);
    const uint64_t key = third_key(call->out) * 31 + axis_of(call) + 1;
    if (two && *call->carried == key)
        third_join(call, first_twice);
    else
        fault_run_right(call);
    *call->carried = key;
}

THIRD(join_dense, spread_output, third_join(call, dense))
THIRD(join_third, three, third_join(call, after_one))
THIRD(join_vector, one_dimension, third_join(call, not_written))
THIRD(join_broadcast, all_repeat, third_join(call, broadcast_late))
THIRD(join_pairs, last_axis_words, third_join(call, even_address))
THIRD(join_many, beyond_eight, third_join(call, table_of_eight))

static const fault rows[] = {
    { "third-join-tail", ON_JOIN, TAILS, "of rows of the inputs behind the first, what does not fill a vector is lost",
      .execute = join_tail },
    { "third-join-single", ON_JOIN, LAYOUTS,
      "inputs of one element along the axis are read with the strides of the first", .execute = join_single },
    { "third-join-divided", ON_JOIN, DIVISIONS,
      "if the first two inputs have one size, the input is found by a division by it", .execute = join_divided },
    { "third-join-seam", ON_JOIN, GRIDS, "the second of two threads begins its first input at the first row",
      .execute = join_seam },
    { "third-torch-dense", ON_JOIN, LAYOUTS,
      "packed inputs are copied one behind the other, though the output has gaps (torch7 pull request 873)",
      .execute = join_dense },
    { "third-nngen-third", ON_JOIN, COUNTS,
      "inputs from the third on begin where the one before would end (nngen pull request 40)", .execute = join_third },
    { "third-bigdl-vector", ON_JOIN, COUNTS, "nothing is written where there is one dimension (ipex-llm issue 1014)",
      .execute = join_vector },
    { "third-migraphx-broadcast", ON_JOIN, LAYOUTS,
      "inputs that are all broadcast are joined first, and broadcast as the first one (AMDMIGraphX issue 3224)",
      .execute = join_broadcast },
    { "third-pytorch-pairs", ON_JOIN, LAYOUTS,
      "inputs are stored in pairs, also where they begin at an odd element (pytorch issue 103271)",
      .execute = join_pairs },
    { "third-cutorch-eight", ON_JOIN, COUNTS, "a table has room for eight inputs (cutorch pull request 385)",
      .execute = join_many },
    { "third-tt-inputs", ON_JOIN, HISTORY,
      "a program is kept for a shape of the output, and has the inputs of the first call (tt-metal pull request 49867)",
      .execute = program_of_output },
    { "third-tt-addresses", ON_JOIN, HISTORY,
      "a program that is found again has one address for both inputs (tt-metal issue 13466)",
      .execute = program_found },
};

const fault_table planted_third_joins = { rows, sizeof rows / sizeof *rows };
