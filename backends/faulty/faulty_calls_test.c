/* SPDX-License-Identifier: Apache-2.0 */
/* Each fault of a code path is real: in each operator that it claims, a smallest call made by hand shows it. The
   backend `planted` has its own faults and calls. */
#ifndef MADE_BACKEND
#define MADE_BACKEND "faulty"
#define MADE_CALLS   "backends/faulty/faulty_calls.h"
#define MADE_LEAST   250
#define MADE_NAMED   0 /* faults that name operators which a copy does not express */
#endif
#include "backends/backend_testing.h"
#include "harness/model/listed.h"
#include "harness/testing/part.h"
#include MADE_CALLS
#include "backends/faulty/made_whole.h"
#include "backends/faulty/other_calls.h"
#include "reference/dml/cumulative_summation.h"
#include "reference/dml/gather.h"
#include "reference/dml/gather_elements.h"
#include "reference/dml/gather_nd1.h"
#include "reference/dml/random_generator.h"
#include "reference/dml/scatter_elements.h"
#include "reference/dml/scatter_nd.h"
#include "reference/dml/slice1.h"
#include "reference/dml/space_to_depth1.h"
#include "reference/openvino/strided_slice.h"
#include "reference/operators.h"

#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const ts_backend *backend;

static int load(void **state)
{
    (void)state;
    backend = TESTING_BACKEND(MADE_BACKEND);
    return backend ? 0 : -1;
}

static const struct {
    const char *name;
    uint32_t on;
    unsigned output;
} operators[] = {
    { "dml.slice1", ON_SLICE1, 1 },
    { "dml.gather", ON_GATHER, 2 },
    { "dml.random_generator", ON_RANDOM, 1 },
    { "dml.element_wise_identity", ON_IDENTITY, 1 },
    { "openvino.strided_slice", ON_STRIDED, 1 },
    { "dml.gather_elements", ON_GATHER_ELEMENTS, 2 },
    { "dml.scatter_elements", ON_SCATTER_ELEMENTS, 3 },
    { "dml.scatter_nd", ON_SCATTER_ND, 3 },
    { "dml.gather_nd", ON_GATHER_ND, 2 },
    { "dml.gather_nd1", ON_GATHER_ND1, 2 },
    { "dml.space_to_depth1", ON_SPACE_TO_DEPTH, 1 },
    { "dml.cumulative_summation", ON_CUMULATIVE_SUMMATION, 1 },
    { "dml.join", ON_OTHER | ON_JOIN, 16 },
    { "openvino.gather_1", ON_OTHER | ON_GATHER_1, 2 },
    { "openvino.gather_7", ON_OTHER | ON_GATHER_7, 2 },
    { "openvino.gather_8", ON_OTHER | ON_GATHER_8, 2 },
    { "openvino.gather_nd_5", ON_OTHER | ON_GATHER_ND_5, 2 },
    { "openvino.gather_nd_8", ON_OTHER | ON_GATHER_ND_8, 2 },
    { "openvino.gather_tree", ON_OTHER | ON_GATHER_TREE, 4 },
    { "openvino.scatter_update", ON_OTHER | ON_SCATTER_UPDATE, 3 },
    { "openvino.scatter_elements_update_3", ON_OTHER | ON_SCATTER_ELEMENTS_UPDATE, 3 },
    { "openvino.scatter_nd_update_3", ON_OTHER | ON_SCATTER_ND_UPDATE, 3 },
#if MADE_NAMED
    { "openvino.gather_elements", ON_OTHER | ON_OPENVINO_GATHER_ELEMENTS, 2 },
    { "openvino.non_zero_3", ON_NON_ZERO, 1 },
#endif
};
#define OPERATOR_COUNT (sizeof operators / sizeof *operators)

/* ---- the descriptor of a row --------------------------------------------------------------------------------- */

static uint32_t rank_of(const uint64_t *size)
{
    uint32_t rank = 0;
    while (rank < MADE_DIMS && size[rank])
        ++rank;
    return rank;
}

static bool any(const uint64_t *values, uint32_t n)
{
    for (uint32_t i = 0; i < n; ++i)
        if (values[i])
            return true;
    return false;
}

/* `lead` dimensions of size 1, at most 3, precede those of the row. */
static void place(ts_tensor *t, uint32_t dtype, uint32_t lead, uint32_t rank, const uint64_t *size,
                  const uint64_t *strides)
{
    uint64_t sizes[TS_MAX_DIMS] = { 1, 1, 1 };
    memcpy(sizes + lead, size, rank * sizeof *size);
    tensor_init(t, dtype, rank + lead, sizes);
    if (strides) {
        t->given |= TS_GIVEN_STRIDES;
        memcpy(t->strides + lead, strides, rank * sizeof *strides);
    }
    if (!tensor_min_bytes(t, &t->total_bytes))
        t->total_bytes = 0;
}

static void windows_of_slice1(ts_descriptor *d, const made *m, uint32_t rank)
{
    ts_dml_slice1 a;
    memset(&a, 0, sizeof a);
    a.DimensionCount = rank;
    for (uint32_t i = 0; i < rank; ++i) {
        a.InputWindowOffsets[i] = (uint32_t)m->begin[i];
        a.InputWindowSizes[i] = (uint32_t)(m->end[i] ? m->end[i] - m->begin[i] : (int64_t)m->size[i]);
        a.InputWindowStrides[i] = m->step[i] == MADE_ZERO ? 0 : m->step[i] ? (int32_t)m->step[i] : 1;
    }
    memcpy(d->attrs, &a, sizeof a);
    d->attrs_given = 15;
}

static void steps_of_strided(ts_descriptor *d, const made *m, uint32_t rank)
{
    ts_openvino_strided_slice a;
    memset(&a, 0, sizeof a);
    const uint32_t steps = m->steps ? m->steps : rank;
    a.begin_count = a.end_count = a.stride_count = a.begin_mask_count = a.end_mask_count = steps;
    a.new_axis_mask_count = a.shrink_axis_mask_count = a.ellipsis_mask_count = steps;
    for (uint32_t i = 0; i < steps; ++i) {
        a.begin[i] = m->begin[i];
        a.end[i] = m->end[i] || m->begin[i] || i >= rank ? m->end[i] : (int64_t)m->size[i];
        a.stride[i] = m->step[i] == MADE_ZERO ? 0 : m->step[i] ? m->step[i] : 1;
        a.begin_mask[i] = (uint8_t)(m->bad_mask == i + 1 ? 2 : m->begin_mask >> i & 1);
        a.end_mask[i] = m->end_mask >> i & 1;
        a.new_axis_mask[i] = m->new_axis >> i & 1;
        a.shrink_axis_mask[i] = m->shrink >> i & 1;
        a.ellipsis_mask[i] = m->ellipsis >> i & 1;
    }
    for (uint32_t i = steps; i < m->strides; ++i)
        a.stride[i] = 1;
    a.stride_count = m->strides ? m->strides : steps;
    memcpy(d->attrs, &a, sizeof a);
    d->attrs_given = 255;
}

static void gather(ts_descriptor *d, const made *m, uint32_t rank, const uint64_t *in)
{
    const uint32_t dtype = m->dtype ? m->dtype : TS_UINT32, lead = m->indexed ? 0 : 1;
    const uint32_t picks = m->picks == UINT32_MAX ? 0 : m->picks ? m->picks : 1;
    const ts_dml_gather a = { m->axis, picks };
    memcpy(d->attrs, &a, sizeof a);
    d->attrs_given = 3;
    place(&d->tensors[0], dtype, lead, rank, m->size, in);
    uint64_t sizes[TS_MAX_DIMS], strides[TS_MAX_DIMS];
    for (uint32_t i = 0; i < rank + lead; ++i)
        sizes[i] = strides[i] = 1;
    sizes[rank + lead - 1] = m->indexed ? m->indices : 1;
    if (m->index_rows) {
        sizes[rank - 2] = m->index_rows;
        strides[rank - 2] = 2 * m->indices;
    }
    place(&d->tensors[1], m->index_type ? m->index_type : TS_INT64, 0, rank + lead, sizes,
          m->index_rows ? strides : NULL);
    d->tensors[1].total_bytes += m->index_slack;
}

/* Without indices of the row: along a leading dimension of one element. */
static void gather_elements(ts_descriptor *d, const made *m, uint32_t rank, const uint64_t *in)
{
    const uint32_t dtype = m->dtype ? m->dtype : TS_UINT32, lead = m->indexed ? 0 : 1;
    const ts_dml_gather_elements a = { m->axis };
    uint64_t sizes[TS_MAX_DIMS];
    memcpy(d->attrs, &a, sizeof a);
    d->attrs_given = 1;
    place(&d->tensors[0], dtype, lead, rank, m->size, in);
    memcpy(sizes, d->tensors[0].sizes, sizeof sizes);
    if (m->indexed && m->axis < rank)
        sizes[m->axis] = m->indices;
    place(&d->tensors[1], m->index_type ? m->index_type : TS_INT64, 0, rank + lead, sizes, NULL);
}

/* Without indices of the row: a block along a leading dimension of one element. Else each index is a tuple, and a
   dimension of 1 leads where the indices need two. */
static void gather_nd(ts_descriptor *d, const made *m, uint32_t rank, const uint64_t *in)
{
    const uint32_t dtype = m->dtype ? m->dtype : TS_UINT32, lead = m->indexed ? rank == 1 : 1, dims = rank + lead;
    const ts_dml_gather_nd1 a = { m->indexed ? rank : dims, m->indexed ? 2 : 1, 0 };
    uint64_t indices[TS_MAX_DIMS];
    memcpy(d->attrs, &a, d->op->attrs_size);
    d->attrs_given = (1u << d->op->attr_count) - 1;
    place(&d->tensors[0], dtype, lead, rank, m->size, in);
    for (uint32_t i = 0; i < dims; ++i)
        indices[i] = 1;
    if (m->indexed)
        indices[dims - 2] = m->indices;
    place(&d->tensors[1], m->index_type ? m->index_type : TS_INT64, 0, dims, indices, NULL);
}

/* Without indices of the row: one update in each line along the longest dimension, in its first half. */
static uint32_t scatter_axis(const made *m)
{
    uint32_t longest = 0;
    for (uint32_t i = 1; i < MADE_DIMS; ++i)
        longest = m->size[i] > m->size[longest] ? i : longest;
    return m->indexed ? m->axis : longest;
}

static void scatter_elements(ts_descriptor *d, const made *m, uint32_t rank, const uint64_t *in)
{
    const uint32_t dtype = m->dtype ? m->dtype : TS_UINT32;
    const ts_dml_scatter_elements a = { scatter_axis(m) };
    uint64_t sizes[TS_MAX_DIMS] = { 0 };
    memcpy(d->attrs, &a, sizeof a);
    d->attrs_given = 1;
    place(&d->tensors[0], dtype, 0, rank, m->size, in);
    memcpy(sizes, m->size, rank * sizeof *sizes);
    if (a.Axis < rank)
        sizes[a.Axis] = m->indexed ? m->indices : 1;
    place(&d->tensors[1], m->index_type ? m->index_type : TS_INT64, 0, rank, sizes, NULL);
    place(&d->tensors[2], dtype, 0, rank, sizes, NULL);
}

/* Without indices of the row: an update of one element, in the first half of each dimension. Else each index is a
   tuple, and a dimension of 1 leads where the indices need two. */
static void scatter_nd(ts_descriptor *d, const made *m, uint32_t rank, const uint64_t *in)
{
    const uint32_t dtype = m->dtype ? m->dtype : TS_UINT32, lead = m->indexed && rank == 1 ? 1 : 0, dims = rank + lead;
    const ts_dml_scatter_nd a = { rank, m->indexed ? 2 : 1 };
    uint64_t indices[TS_MAX_DIMS], updates[TS_MAX_DIMS];
    memcpy(d->attrs, &a, sizeof a);
    d->attrs_given = 3;
    place(&d->tensors[0], dtype, lead, rank, m->size, in);
    for (uint32_t i = 0; i < dims; ++i)
        indices[i] = updates[i] = 1;
    indices[dims - 1] = m->indexed ? 1 : rank;
    if (m->indexed) {
        memcpy(updates + dims - rank + 1, m->size + 1, (rank - 1) * sizeof *updates);
        indices[dims - 2] = updates[dims - rank] = m->indices;
    }
    place(&d->tensors[1], m->index_type ? m->index_type : TS_INT64, 0, dims, indices, NULL);
    place(&d->tensors[2], dtype, 0, dims, updates, NULL);
}

/* Four dimensions, in blocks of one element unless the row says otherwise. */
static void space_to_depth1(ts_descriptor *d, const made *m, uint32_t rank, const uint64_t *in)
{
    const ts_dml_space_to_depth1 a = { m->block ? m->block : 1, m->order };
    memcpy(d->attrs, &a, sizeof a);
    d->attrs_given = TS_SPACE_TO_DEPTH1_GIVEN_BLOCK_SIZE | TS_SPACE_TO_DEPTH1_GIVEN_ORDER;
    place(&d->tensors[0], m->dtype ? m->dtype : TS_UINT32, 4 - rank, rank, m->size, in);
}

static void cumulative_summation(ts_descriptor *d, const made *m, uint32_t rank, const uint64_t *in)
{
    const ts_dml_cumulative_summation a = { m->axis, m->direction, m->exclusive };
    memcpy(d->attrs, &a, sizeof a);
    d->attrs_given = TS_CUMULATIVE_SUMMATION_GIVEN_AXIS | TS_CUMULATIVE_SUMMATION_GIVEN_AXIS_DIRECTION |
                     TS_CUMULATIVE_SUMMATION_GIVEN_HAS_EXCLUSIVE_SUM;
    place(&d->tensors[0], m->dtype ? m->dtype : TS_UINT32, 0, rank, m->size, in);
}

static void random_state(ts_descriptor *d, const made *m)
{
    const uint64_t size = m->state_size ? m->state_size : 6, stride = m->state_stride;
    place(&d->tensors[0], TS_UINT32, 0, 1, &size, stride ? &stride : NULL);
    if (!m->no_state)
        place(&d->tensors[2], TS_UINT32, 0, 1, &size, NULL);
    memcpy(d->attrs, &m->type, sizeof m->type);
    d->attrs_given = 1;
}

static void describe(ts_descriptor *d, const made *m, size_t o)
{
    const uint32_t rank = rank_of(m->size), dtype = m->dtype ? m->dtype : TS_UINT32, on = operators[o].on;
    const uint64_t *in = m->in_given || any(m->in, rank) ? m->in : NULL, *out = any(m->out, rank) ? m->out : NULL;
    ts_tensor *output = &d->tensors[operators[o].output];
    operator_begin(d, operators_find(operators[o].name));
    if (made_is_whole(m, d->op)) {
        made_whole(d, m, in);
    } else if (on == ON_GATHER) {
        gather(d, m, rank, in);
    } else if (on == ON_GATHER_ELEMENTS) {
        gather_elements(d, m, rank, in);
    } else if (on & ON_GATHER_NDS) {
        gather_nd(d, m, rank, in);
    } else if (on == ON_SCATTER_ELEMENTS) {
        scatter_elements(d, m, rank, in);
    } else if (on == ON_SCATTER_ND) {
        scatter_nd(d, m, rank, in);
    } else if (on == ON_SPACE_TO_DEPTH) {
        space_to_depth1(d, m, rank, in);
    } else if (on == ON_CUMULATIVE_SUMMATION) {
        cumulative_summation(d, m, rank, in);
        out = out ? out : in;
    } else if (on == ON_RANDOM) {
        random_state(d, m);
        out = out ? out : in;
    } else if (on & ON_OTHER) {
        const uint64_t most = m->size[0] < 7 ? m->size[0] : 7, elements = other_is(d, "scatter") ? 1 : most;
        other_describe(d, dtype, rank, m->size, elements, 1, m->index_type ? m->index_type : TS_INT64);
        out = out ? out : in;
    } else {
        place(&d->tensors[0], dtype, 0, rank, m->size, in);
        if (on == ON_SLICE1)
            windows_of_slice1(d, m, rank);
        else if (on == ON_STRIDED)
            steps_of_strided(d, m, rank);
    }
    place(output, on == ON_RANDOM ? TS_UINT32 : on == ON_NON_ZERO ? TS_INT64 : dtype, 0, rank, m->size, NULL);
    if (on != ON_RANDOM)
        d->op->shape(d);
    uint64_t sizes[TS_MAX_DIMS];
    uint32_t out_rank = rank_of(m->out_size);
    memcpy(sizes, m->out_size, sizeof m->out_size);
    if (out_rank == 0) {
        out_rank = output->rank;
        memcpy(sizes, output->sizes, sizeof sizes);
    }
    const uint32_t lead = out_rank > rank && out ? out_rank - rank : 0;
    place(output, m->out_type ? m->out_type : output->dtype, lead, out_rank - lead, sizes + lead, out);
    d->tensors[0].flags = m->flags;
    d->tensors[0].alignment = m->alignment;
    d->tensors[0].total_bytes += m->slack;
    if (m->short_total)
        output->total_bytes = m->short_total;
    if (m->refused && on == ON_STRIDED)
        ((ts_openvino_strided_slice *)(void *)d->attrs)->begin_mask[0] = 2;
    else if (m->refused)
        output->total_bytes = 0;
}

/* ---- its execution ------------------------------------------------------------------------------------------- */

/* Memory of one tensor. What is large is zero except at its ends. */
typedef struct memory {
    unsigned char *owned, *data;
    size_t bytes;
} memory;

enum { ENDS = 65536, SLACK = 128 };

static void fill(memory *m, size_t from, size_t to, uint64_t seed)
{
    for (size_t i = from; i < to; ++i)
        m->data[i] = (unsigned char)(testing_random(&seed) >> 7);
}

static memory memory_of(size_t bytes, size_t misaligned, uint64_t seed)
{
    memory m = { calloc(bytes + 4 * SLACK, 1), NULL, bytes };
    assert_non_null(m.owned);
    m.data = m.owned + SLACK + (64 - (uintptr_t)m.owned % 64) % 64 + misaligned;
    fill(&m, 0, bytes < ENDS ? bytes : ENDS, seed);
    if (bytes > 64 * (size_t)ENDS)
        fill(&m, bytes - ENDS, bytes, seed + 1000);
    else if (bytes > ENDS)
        fill(&m, ENDS, bytes, seed + 1000);
    return m;
}

static void fill_others(const ts_descriptor *d, const made *m, memory *memories)
{
    for (unsigned t = 0; t < d->op->tensor_count; ++t) {
        const size_t width = tensor_element_bytes(d->tensors[t].dtype);
        if (d->op->tensors[t].role == TS_OUTPUT || !(d->tensors[t].given & TS_GIVEN_TENSOR))
            continue;
        const uint64_t values = other_values(d, t);
        for (uint64_t i = 0; (values || m->filled) && (i + 1) * width <= memories[t].bytes; ++i) {
            const uint64_t bits = values ? other_value(d, t, values, t == 2 ? values - 1 : i) : m->fill;
            memcpy(memories[t].data + i * width, &bits, width);
        }
    }
}

static void fill_inputs(ts_descriptor *d, const made *m, size_t o, memory *memories)
{
    const size_t bytes = tensor_element_bytes(d->tensors[0].dtype);
    if (made_is_whole(m, d->op)) {
        made_fill(d, m);
        return;
    }
    const bool scatters = (operators[o].on & ON_SCATTERS) != 0, tuples = (operators[o].on & ON_TUPLES) != 0;
    for (unsigned t = 0; m->filled && t <= (scatters ? 2 : 0); t += 2)
        for (size_t at = 0; at + bytes <= memories[t].bytes; at += bytes)
            memcpy(memories[t].data + at, &m->fill, bytes);
    if (m->state)
        memcpy(memories[0].data, m->state, 24);
    if (operators[o].on & ON_OTHER)
        fill_others(d, m, memories);
    if (!(operators[o].on & ON_INDEXED))
        return;
    const size_t width = tensor_element_bytes(d->tensors[1].dtype);
    const uint64_t size = m->indexed && m->axis < MADE_DIMS ? m->size[m->axis] : 1;
    const uint64_t place_of_one = scatters && !m->indexed ? (m->size[scatter_axis(m)] - 1) / 3 : 0;
    uint64_t inside = 1; /* of operators on elements, the number of the index along the axis counts */
    const bool along = operators[o].on != ON_GATHER && !tuples;
    for (uint32_t i = m->axis + 1; along && m->axis < MADE_DIMS && i < MADE_DIMS; ++i)
        inside *= m->indexed && m->size[i] ? m->size[i] : 1;
    for (uint64_t i = 0; (i + 1) * width <= memories[1].bytes; ++i) {
        const bool listed = i < 8 && any((const uint64_t *)m->index, 8);
        int64_t index = listed ? m->index[i] : (int64_t)(place_of_one + i / inside % size);
        if (tuples && scatters && !m->indexed)
            index = (int64_t)((m->size[i] - 1) / 3);
        memcpy(memories[1].data + i * width, &index, width);
    }
}

static ts_status run(void *instance, const made *m, size_t o, memory *memories)
{
    ts_descriptor d;
    ts_report report;
    ts_status status = TS_ERROR;
    describe(&d, m, o);
    memset(&report, 0, sizeof report);
    operator_check(&d, &report);
    const bool legal = !operator_graver(report.worst, TS_RESULT_UNSPECIFIED) && !m->descriptor;
    for (unsigned t = 0; legal && t < d.op->tensor_count; ++t) {
        if (!(d.tensors[t].given & TS_GIVEN_TENSOR))
            continue;
        if (m->in_place && t == operators[o].output) {
            d.tensors[t].data = d.tensors[0].data;
            continue;
        }
        memories[t] = memory_of((size_t)d.tensors[t].total_bytes, t == operators[o].output ? m->misaligned : 0, t);
        d.tensors[t].data = memories[t].data;
    }
    if (legal)
        fill_inputs(&d, m, o, memories);
    operator_mark_dependent(&d);
    if (operator_dependent(d.op, operators[o].output)) { /* the shape is compared like a tensor */
        memory *const shape = &memories[TS_MAX_TENSORS - 1];
        *shape = memory_of(sizeof(ts_shape), 0, 0);
        memset(shape->data, 0, shape->bytes);
        d.tensors[operators[o].output].reported = (ts_shape *)(void *)shape->data;
    }
    ts_call call = operator_call(&d);
    call.flags = legal ? 0 : TS_CALL_DESCRIPTOR_ONLY;
    assert_int_equal(backend->query(instance, &call, &call.token), TS_OK);
    assert_int_equal(backend->submit(instance, &call, 1, &status), TS_OK);
    return status;
}

static void release(memory *memories)
{
    for (unsigned t = 0; t < TS_MAX_TENSORS; ++t)
        free(memories[t].owned);
    memset(memories, 0, TS_MAX_TENSORS * sizeof *memories);
}

static ts_status run_fault(const char *name, const made *m, size_t o, memory *memories)
{
    void *instance = NULL;
    const ts_option option = { "fault", name };
    assert_int_equal(backend->open(NULL, &option, 1, &instance), TS_OK);
    for (unsigned i = 0; m->before && i < (m->times ? m->times : 1); ++i) {
        const ts_status status = run(instance, m->before, o, memories);
        assert_int_equal(status, m->before->refused ? TS_REJECTED : TS_OK);
        release(memories);
    }
    const ts_status status = run(instance, m, o, memories);
    backend->close(instance);
    return status;
}

/* Where the specification allows what the fault wrote into an element, it is as right as the reference's: make it the
   same. */
static void forgive(const made *m, size_t o, const memory *right, memory *wrong)
{
    const unsigned output = operators[o].output;
    ts_descriptor d;
    uint64_t count, at[TS_MAX_DIMS] = { 0 };
    describe(&d, m, o);
    ts_tensor *out = &d.tensors[output];
    if ((!d.op->several && !d.op->undefined) || !right[output].data || !tensor_element_count(out, &count) ||
        count == 0 || memcmp(right[output].data, wrong[output].data, right[output].bytes) == 0)
        return;
    ts_marks marks[TS_MAX_TENSORS] = { { NULL, 0 } };
    marks[output] = (ts_marks){ calloc((size_t)count, 1), count };
    assert_non_null(marks[output].map);
    for (unsigned t = 0; t < d.op->tensor_count; ++t)
        d.tensors[t].data = right[t].data;
    d.op->run(&d, &(ts_unspecified){ .marks = marks });
    const size_t bytes = tensor_element_bytes(out->dtype);
    do {
        const size_t offset = (size_t)tensor_offset(out, at) * bytes;
        const ts_open open = operator_open(marks, output, tensor_number(out, at));
        ts_answers allowed = { .asked = 0 };
        memcpy(&allowed.asked, wrong[output].data + offset, bytes);
        if (open == TS_SEVERAL && d.op->answers)
            d.op->answers(&d, output, at, &allowed);
        if (open == TS_UNDEFINED || allowed.allowed)
            memcpy(wrong[output].data + offset, right[output].data + offset, bytes);
    } while (tensor_next(out, at));
    free(marks[output].map);
}

/* Does the call show the fault? */
static bool shows(const char *name, const made *m, size_t o)
{
    memory right[TS_MAX_TENSORS], wrong[TS_MAX_TENSORS];
    memset(right, 0, sizeof right);
    memset(wrong, 0, sizeof wrong);
    bool same = run_fault("none", m, o, right) == run_fault(name, m, o, wrong);
    if (same)
        forgive(m, o, right, wrong);
    for (unsigned t = 0; same && t < TS_MAX_TENSORS; ++t)
        same = right[t].bytes == wrong[t].bytes && (!right[t].data || right[t].bytes > UINT32_MAX / 4 ||
                                                    memcmp(right[t].data, wrong[t].data, right[t].bytes) == 0);
    release(right);
    release(wrong);
    return !same;
}

/* ---- the tests ----------------------------------------------------------------------------------------------- */

/* Each line of the description is "fault=NAME  dml.slice1 dml.gather: what it stands for [class]". */
static void test_each_call_shows_its_fault(void **state)
{
    (void)state;
    unsigned shown = 0, silent = 0;
    for (const char *line = backend->describe_options(); *line; line = strchr(line, '\n') + 1) {
        char name[64], listed[512];
        if (sscanf(line, "fault=%63s %511[^:\n]:", name, listed) != 2)
            continue;
        bool any_made = false;
        for (size_t o = 0; o < OPERATOR_COUNT; ++o)
            any_made = any_made || made_find(calls, sizeof calls / sizeof *calls, name, operators[o].on);
        for (size_t o = 0; any_made && o < OPERATOR_COUNT; ++o) { /* others are by their declaration */
            if (!listed_has(listed, operators[o].name, true))
                continue;
            ++shown;
            if (!part_has(o))
                continue;
            const made *m = made_find(calls, sizeof calls / sizeof *calls, name, operators[o].on);
            if (!m || !shows(name, m, o)) {
                print_message("%s %s on %s\n", name, m ? "does not show" : "has no call", operators[o].name);
                ++silent;
            }
        }
    }
    print_message("%u faults in operators, each shown by a call\n", shown);
    assert_in_range(shown, MADE_LEAST, 10000);
    assert_int_equal(silent, 0);
}

/* A row of a fault that does not exist would never run. */
static void test_each_call_has_a_fault(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i) {
        char begin[80];
        snprintf(begin, sizeof begin, "\nfault=%s ", calls[i].fault);
        if (!strstr(backend->describe_options(), begin))
            fail_msg("there is no fault '%s'", calls[i].fault);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_call_has_a_fault),
        cmocka_unit_test(test_each_call_shows_its_fault),
    };
    return cmocka_run_group_tests(tests, load, NULL);
}
