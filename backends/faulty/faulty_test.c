/* SPDX-License-Identifier: Apache-2.0 */
/* Each fault must show on some input of each operator that it claims: in the outputs, in the bytes around them, in the
   input, in the status or in the reported shape. Without a fault, there must be no difference. */
#include "backends/backend_testing.h"
#include "harness/model/listed.h"
#include "harness/testing/part.h"
#include "backends/faulty/faulty_calls.h"
#include "backends/faulty/other_calls.h"
#include "harness/model/operator.h"
#include "harness/base/platform.h"
#include "reference/dml/cumulative_summation.h"
#include "reference/dml/gather.h"
#include "reference/dml/gather_nd1.h"
#include "reference/dml/scatter_nd.h"
#include "reference/dml/slice1.h"
#include "reference/dml/space_to_depth1.h"
#include "reference/openvino/strided_slice.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define TRIES 60000
#define SLACK 64 /* bytes around each buffer that a fault may reach */

static const ts_backend *backend;

static int load(void **state)
{
    (void)state;
    backend = TESTING_BACKEND("faulty");
    return backend ? 0 : -1;
}

static ts_status open_fault(const char *name, void **instance)
{
    const ts_option option = { "fault", name };
    return backend->open(NULL, &option, 1, instance);
}

static ts_status submit(void *instance, const ts_descriptor *d, uint32_t flags)
{
    ts_call call = operator_call(d);
    call.flags = flags;
    ts_status status = TS_ERROR;
    assert_int_equal(backend->query(instance, &call, &call.token), TS_OK);
    assert_int_equal(backend->submit(instance, &call, 1, &status), TS_OK);
    return status;
}

/* ---- descriptors that reach the places where faults sit ------------------------------------------------------ */

static uint64_t seed;

static uint64_t next(void)
{
    return testing_random(&seed);
}

static uint32_t below(uint32_t n)
{
    return (uint32_t)(next() % n);
}

static void some_sizes(uint32_t rank, uint64_t *sizes)
{
    const uint32_t most = rank > 5 ? 2 : rank > 3 ? 4 : 7;
    for (uint32_t i = 0; i < rank; ++i)
        sizes[i] = 1 + below(most);
    if (below(8) == 0)
        sizes[rank - 1] = 65 + below(20);
    if (below(200) == 0 && rank == 2) { /* more than 16 bits of elements */
        sizes[0] = 300;
        sizes[1] = 300;
    }
}

static void place(ts_tensor *t, uint32_t dtype, uint32_t rank, const uint64_t *sizes, bool output)
{
    ts_tensor fresh;
    tensor_init(&fresh, dtype, rank, sizes);
    if (rank > 0 && below(2)) {
        uint64_t stride = 1 + (below(4) == 0);
        fresh.given |= TS_GIVEN_STRIDES;
        for (uint32_t i = rank; i-- > 0;) {
            fresh.strides[i] = stride;
            stride = stride * (sizes[i] ? sizes[i] : 1) + below(3);
            if (!output && below(5) == 0)
                fresh.strides[i] = 0;
        }
    }
    if (!tensor_min_bytes(&fresh, &fresh.total_bytes))
        fresh.total_bytes = 0;
    fresh.total_bytes += below(4) ? 0 : 8;
    *t = fresh;
}

static void make_slice1(ts_descriptor *d, uint32_t dtype)
{
    ts_dml_slice1 a;
    memset(&a, 0, sizeof a);
    uint64_t sizes[TS_MAX_DIMS], out[TS_MAX_DIMS];
    const uint32_t rank = 1 + below(8);
    some_sizes(rank, sizes);
    a.DimensionCount = rank;
    for (uint32_t i = 0; i < rank; ++i) {
        const uint32_t size = (uint32_t)sizes[i];
        a.InputWindowSizes[i] = below(2) ? size : 1 + below(size);
        a.InputWindowOffsets[i] = below(size - a.InputWindowSizes[i] + 1);
        a.InputWindowStrides[i] = (int32_t)(below(2) ? 1 : 1 + below(3)) * (below(3) ? 1 : -1);
        out[i] = 1 + (a.InputWindowSizes[i] - 1) / (uint32_t)abs(a.InputWindowStrides[i]);
    }
    place(&d->tensors[0], dtype, rank, sizes, false);
    place(&d->tensors[1], dtype, rank, out, true);
    memcpy(d->attrs, &a, sizeof a);
    d->attrs_given = 15;
}

static void make_identity(ts_descriptor *d, uint32_t dtype)
{
    uint64_t sizes[TS_MAX_DIMS];
    const uint32_t rank = 1 + below(8);
    some_sizes(rank, sizes);
    place(&d->tensors[0], dtype, rank, sizes, false);
    place(&d->tensors[1], dtype, rank, sizes, true);
}

static void make_gather(ts_descriptor *d, uint32_t dtype)
{
    static const uint32_t index_types[] = { TS_INT64, TS_INT32, TS_UINT64, TS_UINT32 };
    uint64_t in[TS_MAX_DIMS], indices[TS_MAX_DIMS];
    const uint32_t rank = 1 + below(8), axis = below(rank), picks = below(axis + 2);
    some_sizes(rank, in);
    some_sizes(rank, indices);
    for (uint32_t i = 0; i < rank - picks; ++i)
        indices[i] = 1;
    for (uint32_t i = 0; i + 1 < picks; ++i)
        in[i] = 1;
    if (below(20) == 0)
        in[axis] = 300 + below(50);
    const ts_dml_gather a = { axis, picks };
    memcpy(d->attrs, &a, sizeof a);
    d->attrs_given = 3;
    place(&d->tensors[0], dtype, rank, in, false);
    place(&d->tensors[1], index_types[below(4)], rank, indices, false);
    if (d->op->shape(d)) {
        uint64_t sizes[TS_MAX_DIMS];
        memcpy(sizes, d->tensors[2].sizes, sizeof sizes);
        place(&d->tensors[2], dtype, rank, sizes, true);
    }
}

/* Begin a descriptor of an operator whose attribute is an axis: the input, with these sizes. Returns the axis. */
static uint32_t along_axis(ts_descriptor *d, uint32_t dtype, uint64_t *sizes)
{
    const uint32_t rank = 1 + below(8), axis = below(rank);
    some_sizes(rank, sizes);
    if (below(20) == 0)
        sizes[axis] = 300 + below(50);
    const int64_t value = axis;
    assert_true(operator_set_attr(d, 0, &value, 1));
    place(&d->tensors[0], dtype, rank, sizes, false);
    return axis;
}

static void place_indices(ts_descriptor *d, const uint64_t *sizes)
{
    static const uint32_t index_types[] = { TS_INT64, TS_INT32, TS_UINT64, TS_UINT32 };
    place(&d->tensors[1], index_types[below(4)], d->tensors[0].rank, sizes, false);
}

static void make_gather_elements(ts_descriptor *d, uint32_t dtype)
{
    uint64_t sizes[TS_MAX_DIMS];
    const uint32_t axis = along_axis(d, dtype, sizes);
    if (below(2))
        sizes[axis] = 1 + below(9);
    place_indices(d, sizes);
    place(&d->tensors[2], dtype, d->tensors[0].rank, sizes, true);
}

static void make_scatter_elements(ts_descriptor *d, uint32_t dtype)
{
    uint64_t sizes[TS_MAX_DIMS];
    const uint32_t axis = along_axis(d, dtype, sizes);
    place(&d->tensors[3], dtype, d->tensors[0].rank, sizes, true);
    if (below(2))
        sizes[axis] = 1 + below((uint32_t)sizes[axis]);
    place_indices(d, sizes);
    place(&d->tensors[2], dtype, d->tensors[0].rank, sizes, false);
}

static void make_scatter_nd(ts_descriptor *d, uint32_t dtype)
{
    uint64_t sizes[TS_MAX_DIMS], indices[TS_MAX_DIMS], updates[TS_MAX_DIMS];
    const uint32_t rank = 1 + below(8), own = 1 + below(rank), tuple = 1 + below(own);
    const uint32_t room = rank - own + tuple, array = below(room < rank ? room + 1 : rank);
    const ts_dml_scatter_nd a = { own, array + 1 };
    some_sizes(rank, sizes);
    for (uint32_t i = 0; i < rank; ++i)
        updates[i] = indices[i] = 1;
    for (uint32_t i = 0; i < rank - own; ++i)
        sizes[i] = 1;
    if (below(20) == 0)
        sizes[rank - own] = 300 + below(50);
    if (below(200) == 0 && own == 1 && array > 0) { /* more than 16 bits of updates */
        indices[rank - 2] = 66000;
    } else {
        for (uint32_t i = rank - 1 - array; i + 1 < rank; ++i)
            indices[i] = 1 + below(array > 2 ? 2 : 5);
    }
    indices[rank - 1] = tuple;
    memcpy(updates + room - array, indices + rank - 1 - array, array * sizeof *updates);
    memcpy(updates + room, sizes + room, (rank - room) * sizeof *updates);
    memcpy(d->attrs, &a, sizeof a);
    d->attrs_given = 3;
    place(&d->tensors[0], dtype, rank, sizes, false);
    place(&d->tensors[3], dtype, rank, sizes, true);
    place_indices(d, indices);
    place(&d->tensors[2], dtype, rank, updates, false);
}

static void make_gather_nd(ts_descriptor *d, uint32_t dtype)
{
    uint64_t sizes[TS_MAX_DIMS], indices[TS_MAX_DIMS];
    const uint32_t rank = 1 + below(8), own = 1 + below(rank);
    const uint32_t batch = d->op->attr_count > 2 ? below(own) : 0, tuple = 1 + below(own - batch);
    const uint32_t block = own - batch - tuple; /* the output has the array's dimensions and those of the block */
    const uint32_t room = rank - block < rank - 1 ? rank - block : rank - 1;
    some_sizes(rank, sizes);
    for (uint32_t i = 0; i < rank; ++i)
        indices[i] = 1;
    for (uint32_t i = 0; i < rank - own; ++i)
        sizes[i] = 1;
    if (below(20) == 0)
        sizes[rank - 1] = 300 + below(50);
    const uint32_t array = batch + below(room - batch + 1);
    const ts_dml_gather_nd1 a = { own, array + 1, batch };
    for (uint32_t i = 0; i < array; ++i)
        indices[rank - 1 - array + i] = i < batch ? sizes[rank - own + i] : 1 + below(array > 2 ? 2 : 5);
    indices[rank - 1] = tuple;
    memcpy(d->attrs, &a, d->op->attrs_size);
    d->attrs_given = (1u << d->op->attr_count) - 1;
    place(&d->tensors[0], dtype, rank, sizes, false);
    place_indices(d, indices);
    if (d->op->shape(d)) {
        memcpy(sizes, d->tensors[2].sizes, sizeof sizes);
        place(&d->tensors[2], dtype, rank, sizes, true);
    }
}

static void make_space_to_depth1(ts_descriptor *d, uint32_t dtype)
{
    const ts_dml_space_to_depth1 a = { below(3) ? 2 : 1 + below(9), below(2) };
    uint64_t sizes[TS_MAX_DIMS];
    some_sizes(4, sizes);
    sizes[1] += below(3) ? 0 : 4;
    sizes[2] *= a.BlockSize;
    sizes[3] *= a.BlockSize;
    memcpy(d->attrs, &a, sizeof a);
    d->attrs_given = TS_SPACE_TO_DEPTH1_GIVEN_BLOCK_SIZE | TS_SPACE_TO_DEPTH1_GIVEN_ORDER;
    place(&d->tensors[0], dtype, 4, sizes, false);
    tensor_init(&d->tensors[1], dtype, 4, sizes);
    assert_true(d->op->shape(d));
    memcpy(sizes, d->tensors[1].sizes, sizeof sizes);
    place(&d->tensors[1], dtype, 4, sizes, true);
}

/* The types that the operator does not have become one that it has. */
static void make_cumulative_summation(ts_descriptor *d, uint32_t dtype)
{
    const uint32_t own = dtype == TS_UINT8 || dtype == TS_INT16 || dtype == TS_FLOAT64 ? TS_UINT32 : dtype;
    uint64_t sizes[TS_MAX_DIMS];
    const uint32_t rank = 1 + below(8);
    const ts_dml_cumulative_summation a = { below(rank), below(2), below(2) };
    some_sizes(rank, sizes);
    memcpy(d->attrs, &a, sizeof a);
    d->attrs_given = TS_CUMULATIVE_SUMMATION_GIVEN_AXIS | TS_CUMULATIVE_SUMMATION_GIVEN_AXIS_DIRECTION |
                     TS_CUMULATIVE_SUMMATION_GIVEN_HAS_EXCLUSIVE_SUM;
    place(&d->tensors[0], own, rank, sizes, false);
    place(&d->tensors[1], own, rank, sizes, true);
}

static void make_random(ts_descriptor *d, uint32_t dtype)
{
    uint64_t state[TS_MAX_DIMS] = { 1, 1, 1, 1, 1, 1, 1, 1 }, out[TS_MAX_DIMS];
    const uint32_t rank = 1 + below(8), out_rank = 1 + below(8);
    (void)dtype;
    state[rank - 1] = 6;
    some_sizes(out_rank, out);
    place(&d->tensors[0], TS_UINT32, rank, state, false);
    place(&d->tensors[1], TS_UINT32, out_rank, out, true);
    if (below(4))
        place(&d->tensors[2], TS_UINT32, rank, state, true);
    d->attrs_given = 1;
}

static void make_strided(ts_descriptor *d, uint32_t dtype)
{
    ts_openvino_strided_slice a;
    memset(&a, 0, sizeof a);
    uint64_t sizes[TS_MAX_DIMS];
    const uint32_t rank = 1 + below(8), steps = below(rank + 2);
    some_sizes(rank, sizes);
    a.begin_count = a.end_count = a.stride_count = a.begin_mask_count = a.end_mask_count = steps;
    a.new_axis_mask_count = a.shrink_axis_mask_count = a.ellipsis_mask_count = steps;
    for (uint32_t i = 0; i < steps; ++i) {
        const int64_t size = (int64_t)sizes[i < rank ? i : rank - 1];
        a.stride[i] = (int64_t)(1 + below(3)) * (below(3) ? 1 : -1);
        a.begin[i] = (int64_t)below(2 * (uint32_t)size + 1) - size;
        a.end[i] = a.stride[i] > 0 ? size - below(2) : -size - 1 + below(2);
        a.begin_mask[i] = below(3) == 0;
        a.end_mask[i] = below(2) == 0;
        a.new_axis_mask[i] = below(6) == 0;
        a.shrink_axis_mask[i] = below(6) == 0;
    }
    if (steps > 0 && below(2))
        a.ellipsis_mask[below(steps)] = 1;
    if (steps > 1 && below(30) == 0)
        a.ellipsis_mask[0] = a.ellipsis_mask[1] = 1;
    if (steps > 0 && below(30) == 0)
        a.begin_mask[0] = 2;
    memcpy(d->attrs, &a, sizeof a);
    d->attrs_given = 255;
    place(&d->tensors[0], dtype, rank, sizes, false);
    tensor_init(&d->tensors[1], dtype, 0, sizes); /* kept if the steps are illegal */
    if (d->op->shape(d)) {
        const uint32_t out_rank = d->tensors[1].rank;
        memcpy(sizes, d->tensors[1].sizes, sizeof sizes);
        place(&d->tensors[1], dtype, out_rank, sizes, true);
    }
}

static void make_other(ts_descriptor *d, uint32_t dtype)
{
    static const uint32_t index_types[] = { TS_INT64, TS_INT32 };
    uint64_t sizes[TS_MAX_DIMS], shape[TS_MAX_DIMS];
    const uint32_t rank = other_is(d, "tree") ? 3 : 1 + below(8), array = rank > 1 ? 1 + below(2) : 1;
    some_sizes(rank, sizes);
    if (other_is(d, "scatter") && below(20) == 0)
        sizes[0] = 300 + below(50);
    const uint64_t most = other_is(d, "scatter") ? sizes[0] : below(6) ? 7 : 400;
    other_describe(d, dtype, rank, sizes, 1 + below((uint32_t)most), array, index_types[below(2)]);
    for (uint32_t t = 0; t < d->op->tensor_count; ++t) {
        ts_tensor *tensor = &d->tensors[t];
        const bool output = d->op->tensors[t].role == TS_OUTPUT;
        if (output) {
            tensor->dtype = dtype;
            assert_true(d->op->shape(d));
        } else if (!(tensor->given & TS_GIVEN_TENSOR)) {
            continue;
        }
        memcpy(shape, tensor->sizes, sizeof shape);
        place(tensor, tensor->dtype, tensor->rank, shape, output);
    }
}

static const struct {
    const char *name;
    uint32_t output;
    void (*make)(ts_descriptor *d, uint32_t dtype);
} operators[] = {
    { "dml.slice1", 1, make_slice1 },
    { "dml.gather", 2, make_gather },
    { "dml.random_generator", 1, make_random },
    { "dml.element_wise_identity", 1, make_identity },
    { "openvino.strided_slice", 1, make_strided },
    { "dml.gather_elements", 2, make_gather_elements },
    { "dml.scatter_elements", 3, make_scatter_elements },
    { "dml.scatter_nd", 3, make_scatter_nd },
    { "dml.gather_nd", 2, make_gather_nd },
    { "dml.gather_nd1", 2, make_gather_nd },
    { "dml.space_to_depth1", 1, make_space_to_depth1 },
    { "dml.cumulative_summation", 1, make_cumulative_summation },
    { "dml.join", 16, make_other },
    { "openvino.gather_8", 2, make_other },
    { "openvino.gather_nd_5", 2, make_other },
    { "openvino.gather_tree", 4, make_other },
    { "openvino.scatter_update", 3, make_other },
};
#define OPERATOR_COUNT (sizeof operators / sizeof *operators)

/* Make one field illegal, for the faults of judgment. */
static void break_field(ts_descriptor *d, size_t o)
{
    ts_tensor *t = &d->tensors[below(d->op->tensor_count)];
    const uint32_t dim = t->rank ? below(t->rank) : 0;
    if (!(t->given & TS_GIVEN_TENSOR) || t->rank == 0)
        return;
    ts_dml_slice1 *slice = (ts_dml_slice1 *)(void *)d->attrs;
    switch (below(10)) {
    case 0: t->total_bytes -= t->total_bytes >= 4 ? 4 : 0; break;
    case 1: t->alignment = 3; break;
    case 2: t->flags = 1u + below(2); break;
    case 3:
        t->given |= TS_GIVEN_STRIDES;
        t->strides[dim] = 0;
        break;
    case 4: d->feature_level = TS_LEVEL_1_0; break;
    case 5: t->sizes[dim] += t->sizes[dim] > 1 ? (uint64_t)-1 : 1; break;
    case 6:
        if (operators[o].make != make_other)
            memset(d->attrs, below(2) ? 9 : 1, 4);
        break;
    default:
        if (strcmp(operators[o].name, "dml.slice1") == 0) {
            if (below(3) == 0)
                slice->InputWindowOffsets[dim] += 1;
            else if (below(2))
                slice->InputWindowStrides[dim] = 0;
            else
                slice->InputWindowOffsets[dim] = 0u - slice->InputWindowSizes[dim]; /* the sum wraps to 0 */
        } else if (strcmp(operators[o].name, "openvino.strided_slice") == 0) {
            ts_openvino_strided_slice *s = (ts_openvino_strided_slice *)(void *)d->attrs;
            s->stride[0] = 0;
        } else if (strcmp(operators[o].name, "dml.gather_nd1") == 0) {
            ts_dml_gather_nd1 *g = (ts_dml_gather_nd1 *)(void *)d->attrs;
            g->BatchDimensionCount = g->IndicesDimensionCount;
        } else if (strcmp(operators[o].name, "dml.space_to_depth1") == 0) {
            ts_dml_space_to_depth1 *s = (ts_dml_space_to_depth1 *)(void *)d->attrs;
            s->Order = 2;
        }
        break;
    }
}

/* ---- is there a difference? ---------------------------------------------------------------------------------- */

/* All effects of one call. */
typedef struct outcome {
    ts_status status;
    ts_shape shape;
    unsigned char *memory; /* every buffer with its slack, one behind the other */
    size_t bytes;
} outcome;

/* How many elements the axis has that indices are for; of several, the least. */
static int64_t indexed_size(const ts_descriptor *d)
{
    const ts_tensor *in = &d->tensors[0];
    const int attr = operator_attr_index(d->op, "Axis");
    if (attr >= 0)
        return (int64_t)in->sizes[operator_attr_value(d, (unsigned)attr, 0)];
    const uint32_t first = fault_first_of_tuple(d);
    uint64_t least = in->sizes[first];
    for (uint32_t i = first; i < first + d->tensors[1].sizes[in->rank - 1]; ++i)
        least = in->sizes[i] < least ? in->sizes[i] : least;
    return (int64_t)least;
}

static void fill(const ts_descriptor *d, outcome *o, ts_descriptor *placed, uint64_t from)
{
    bool other = false;
    for (size_t i = 0; i < OPERATOR_COUNT; ++i)
        other = other || (operators[i].make == make_other && strcmp(operators[i].name, d->op->name) == 0);
    *placed = *d;
    o->bytes = 0;
    for (unsigned i = 0; i < d->op->tensor_count; ++i)
        o->bytes += 2 * SLACK + (((size_t)d->tensors[i].total_bytes + 15) & ~(size_t)15);
    o->memory = malloc(o->bytes);
    assert_non_null(o->memory);
    memset(o->memory, 0xA5, o->bytes);
    size_t at = SLACK;
    seed = from;
    for (unsigned i = 0; i < d->op->tensor_count; ++i) {
        ts_tensor *t = &placed->tensors[i];
        t->data = o->memory + at;
        at += 2 * SLACK + (((size_t)t->total_bytes + 15) & ~(size_t)15);
        if (!(t->given & TS_GIVEN_TENSOR) || d->op->tensors[i].role == TS_OUTPUT)
            continue;
        const size_t bytes = tensor_element_bytes(t->dtype);
        const uint64_t values = other ? other_values(d, i) : 0;
        for (uint64_t k = 0; bytes && k + bytes <= t->total_bytes; k += bytes) {
            /* All exponents, both signs, few mantissa bits: specials of every float type are among them. */
            uint64_t bits = below(2) ? next() : 0;
            const uint32_t special = below(12);
            if (special == 0)
                bits = UINT64_C(1) << (8 * bytes - 1); /* -0 */
            else if (special == 1)
                bits = bytes == 2   ? 0x7C00 + below(3)
                       : bytes == 4 ? 0x7F800000 + below(3)
                                    : UINT64_C(0x7FF0000000000000) + below(3);
            else if (special == 2)
                bits = 1 + below(3);
            if (values)
                bits = other_value(d, i, values, next());
            if (i == 1 && !other) { /* indices, inside the axis, either sign */
                const int64_t size = indexed_size(d);
                const bool is_signed = t->dtype == TS_INT64 || t->dtype == TS_INT32;
                bits = below(3) ? below((uint32_t)size) : (uint64_t)(size - 1);
                if (is_signed && below(2))
                    bits = (uint64_t)(-(int64_t)(1 + below((uint32_t)size)));
            }
            if (strcmp(d->op->name, "dml.random_generator") == 0 && below(2))
                bits = UINT32_MAX; /* the state of RANDOM_GENERATOR: carries */
            memcpy((unsigned char *)t->data + k, &bits, bytes);
        }
    }
}

static outcome run_call(void *instance, const ts_descriptor *d, uint32_t output, uint64_t from)
{
    outcome o;
    memset(&o, 0, sizeof o);
    o.shape.rank = TS_RANK_UNREPORTED;
    ts_report report;
    memset(&report, 0, sizeof report);
    operator_check(d, &report);
    const bool legal = !operator_graver(report.worst, TS_RESULT_UNSPECIFIED);
    ts_descriptor placed = *d;
    if (legal)
        fill(d, &o, &placed, from);
    placed.tensors[output].reported = &o.shape;
    o.status = submit(instance, &placed, legal ? 0 : TS_CALL_DESCRIPTOR_ONLY);
    return o;
}

static bool same(const outcome *a, const outcome *b)
{
    return a->status == b->status && memcmp(&a->shape, &b->shape, sizeof a->shape) == 0 && a->bytes == b->bytes &&
           (a->bytes == 0 || memcmp(a->memory, b->memory, a->bytes) == 0);
}

/* Make random calls until the fault shows, comparing with the backend without a fault. The number of calls; 0: it does
   not show. */
static unsigned shows(const char *name, size_t o)
{
    static const uint32_t types[] = { TS_FLOAT16, TS_FLOAT32, TS_INT64, TS_UINT64,
                                      TS_UINT8,   TS_INT16,   TS_INT32, TS_FLOAT64 };
    void *without_fault = NULL, *with_fault = NULL;
    assert_int_equal(open_fault("none", &without_fault), TS_OK);
    assert_int_equal(open_fault(name, &with_fault), TS_OK);
    unsigned found = 0;
    for (unsigned i = 1; i <= TRIES && !found; ++i) {
        seed = i * UINT64_C(0x1000003);
        ts_descriptor d;
        operator_begin(&d, operators_find(operators[o].name));
        operators[o].make(&d, types[below(8)]);
        if (below(2))
            break_field(&d, o);
        const uint64_t from = next();
        outcome a = run_call(without_fault, &d, operators[o].output, from);
        outcome b = run_call(with_fault, &d, operators[o].output, from);
        if (!same(&a, &b))
            found = i;
        free(a.memory);
        free(b.memory);
    }
    backend->close(without_fault);
    backend->close(with_fault);
    return found;
}

/* Each line of the description names a fault and its operators: "fault=NAME  dml.slice1 dml.gather: what it stands
 * for". */
static void test_every_fault_shows(void **state)
{
    (void)state;
    unsigned faults = 0, silent = 0;
    for (const char *line = strchr(backend->describe_options(), '\n') + 1; *line; line = strchr(line, '\n') + 1) {
        char name[64], listed[512];
        if (strncmp(line, "fault=", 6) != 0)
            continue; /* another option */
        assert_int_equal(sscanf(line, "fault=%63s %511[^:]:", name, listed), 2);
        ++faults;
        if (strcmp(name, "read-past-end") == 0 || strncmp(name, "process-", 8) == 0)
            continue; /* only a guard page or another process can observe these */
        if (strncmp(name, "checked-", 8) == 0)
            continue; /* scripts/program/faults.sh: of operators that are not computed */
        if (strstr(name, "put-offset-") || strstr(name, "put-bytes-") || strncmp(name, "cached-", 7) == 0)
            continue; /* cases/faults_test.c: these need gigabytes, or the same call twice */
        if (made_find(calls, sizeof calls / sizeof *calls, name, UINT32_MAX))
            continue;                                 /* faulty_calls_test.c: random calls do not enter the path */
        for (size_t o = 0; o < OPERATOR_COUNT; ++o) { /* others are by their declaration */
            if (!part_has(o) || !listed_has(listed, operators[o].name, true))
                continue;
            if (shows(name, o) == 0) {
                print_message("%s does not show on %s\n", name, operators[o].name);
                ++silent;
            }
        }
    }
    assert_in_range(faults, 28, 1000);
    assert_int_equal(silent, 0);
}

typedef struct one_submission {
    void *instance;
    const ts_descriptor *d;
    ts_status status;
} one_submission;

static void submit_one(void *context)
{
    one_submission *s = context;
    s->status = submit(s->instance, s->d, 0);
}

/* What a shape that depends on data is reported as: of NonZero, for which random calls are not made. */
static void test_shapes_that_depend_on_data(void **state)
{
    static const struct {
        const char *name;
        uint32_t rank;
        uint64_t found;
    } faults[] = {
        { "none", 2, 3 },
        { "shape-more", 2, 4 },
        { "shape-less", 2, 2 },
        { "shape-largest", 2, 6 },
        { "shape-missing", TS_RANK_UNREPORTED, 0 },
        { "tail-64", 2, 3 }, /* another fault does not change the shape */
        { "flush-denormals", 2, 3 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; ++i) {
        void *instance = NULL;
        uint8_t data[6] = { 1, 0, 1, 0, 0, 1 };
        int64_t out[12];
        ts_shape shape = { .rank = TS_RANK_UNREPORTED };
        ts_descriptor d;
        assert_int_equal(open_fault(faults[i].name, &instance), TS_OK);
        operator_begin(&d, operators_find("openvino.non_zero_3"));
        tensor_init(&d.tensors[0], TS_UINT8, 2, (uint64_t[]){ 2, 3 });
        tensor_init(&d.tensors[1], TS_INT64, 2, (uint64_t[]){ 2, 6 });
        d.tensors[0].data = data;
        d.tensors[1].data = out;
        d.tensors[1].reported = &shape;
        assert_int_equal(submit(instance, &d, 0), TS_OK);
        assert_int_equal(shape.rank, faults[i].rank);
        if (shape.rank == 2)
            assert_int_equal(shape.sizes[1], faults[i].found);
        backend->close(instance);
    }
}

/* The only fault that leaves memory unchanged: the input ends where an inaccessible page begins. */
static void test_read_past_end(void **state)
{
    (void)state;
    const size_t page = platform_page_size();
    unsigned char *memory = platform_map_guarded(page);
    assert_non_null(memory);
    static const char *const names[] = { "none", "read-past-end" };
    for (int faulty = 0; faulty < 2; ++faulty) {
        void *instance = NULL;
        float out[4];
        assert_int_equal(open_fault(names[faulty], &instance), TS_OK);
        ts_descriptor d;
        operator_begin(&d, operators_find("dml.element_wise_identity"));
        tensor_init(&d.tensors[0], TS_FLOAT32, 1, (uint64_t[]){ 4 });
        d.tensors[1] = d.tensors[0];
        d.tensors[0].data = memory + page - sizeof out;
        d.tensors[1].data = out;
        one_submission s = { instance, &d, TS_ERROR };
        platform_fault where;
        platform_install_fault_handlers(); /* cmocka puts its own handlers in place for each test */
        assert_int_equal(platform_guarded_call(submit_one, &s, &where), !faulty);
        if (faulty)
            assert_ptr_equal(where.address, memory + page);
        else
            assert_int_equal(s.status, TS_OK);
        backend->close(instance);
    }
    platform_unmap_guarded(memory, page);
}

static void test_fault_none_equals_the_reference(void **state)
{
    (void)state;
    for (size_t o = 0; o < OPERATOR_COUNT; ++o) {
        if (!part_has(o))
            continue;
        void *without_fault = NULL;
        assert_int_equal(open_fault("none", &without_fault), TS_OK);
        for (unsigned i = 1; i <= 2000; ++i) {
            seed = i * UINT64_C(0x1000003);
            ts_descriptor d;
            operator_begin(&d, operators_find(operators[o].name));
            operators[o].make(&d, TS_FLOAT32);
            if (below(2))
                break_field(&d, o);
            const uint64_t from = next();
            ts_report report;
            memset(&report, 0, sizeof report);
            operator_check(&d, &report);
            const bool legal = !operator_graver(report.worst, TS_RESULT_UNSPECIFIED);
            outcome a = run_call(without_fault, &d, operators[o].output, from);
            assert_int_equal(a.status, legal ? TS_OK : TS_REJECTED);
            if (legal) {
                outcome b = { .status = TS_OK };
                ts_descriptor placed;
                fill(&d, &b, &placed, from);
                d.op->run(&placed, NULL);
                assert_memory_equal(a.memory, b.memory, a.bytes);
                free(b.memory);
            }
            free(a.memory);
        }
        backend->close(without_fault);
    }
}

static char noted[256];

static void take_note(void *context, const char *text)
{
    (void)context;
    snprintf(noted, sizeof noted, "%s", text);
}

static void test_open(void **state)
{
    (void)state;
    const ts_host host = { .struct_size = sizeof host, .note = take_note };
    void *instance = NULL;
    assert_int_equal(backend->open(&host, NULL, 0, &instance), TS_REJECTED);
    assert_non_null(strstr(noted, "touchstone backends"));
    const ts_option unknown = { "fault", "no-such-fault" }, other = { "threads", "1" };
    assert_int_equal(backend->open(&host, &unknown, 1, &instance), TS_REJECTED);
    assert_non_null(strstr(noted, "no-such-fault"));
    assert_int_equal(backend->open(&host, &other, 1, &instance), TS_REJECTED);
    assert_non_null(strstr(noted, "threads"));
    const ts_option none = { "batch", "0" }, many = { "batch", "257" }, word = { "batch", "7x" };
    const ts_option *const wrong[] = { &none, &many, &word };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        assert_int_equal(backend->open(&host, wrong[i], 1, &instance), TS_REJECTED);
        assert_non_null(strstr(noted, wrong[i]->value));
    }
    const ts_option both[] = { { "fault", "none" }, { "batch", "1" } };
    ts_info info = { .struct_size = sizeof info };
    assert_int_equal(backend->open(&host, both, 2, &instance), TS_OK);
    assert_int_equal(backend->info(instance, &info), TS_OK);
    assert_int_equal(info.preferred_batch, 1);
    backend->close(instance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_open),
        cmocka_unit_test(test_fault_none_equals_the_reference),
        cmocka_unit_test(test_every_fault_shows),
        cmocka_unit_test(test_read_past_end),
        cmocka_unit_test(test_shapes_that_depend_on_data),
    };
    return cmocka_run_group_tests(tests, load, NULL);
}
