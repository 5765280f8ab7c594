/* SPDX-License-Identifier: Apache-2.0 */
/* Faults in reading the indices of GATHER, GATHER_ELEMENTS, GATHER_ND, GATHER_ND1, SCATTER_ELEMENTS, SCATTER_ND and of
 * other operators that have such a tensor: the reference runs on modified indices. */
#include "backends/faulty/fault.h"
#include "reference/dml/gather_nd1.h"

#include <stdlib.h>

/* Modify one index of an axis of `size` elements. */
typedef int64_t (*corrupter)(int64_t index, int64_t size, uint32_t dtype, uint64_t number);

typedef struct corruption {
    corrupter fn;
    int64_t *to;
    const uint64_t *sizes; /* of the dimensions that a tuple of indices is for; of the axis */
    uint64_t tuple;        /* how many indices it has; 1 */
    uint32_t dtype;
} corruption;

static void corrupt_one(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    const corruption *s = context;
    int64_t index = 0;
    memcpy(&index, element, bytes);
    if (s->dtype == TS_INT8)
        index = (int8_t)index;
    else if (s->dtype == TS_INT16)
        index = (int16_t)index;
    else if (s->dtype == TS_INT32)
        index = (int32_t)index;
    s->to[number] = s->fn(index, (int64_t)s->sizes[number % s->tuple], s->dtype, number);
}

/* The dimension of the input that indices select from, or the first one of a tuple. */
static uint32_t first_axis(const fault_call *call, bool *tuples)
{
    const ts_operator *op = call->d->op;
    const bool other = (call->on & ON_OTHER) != 0;
    const int axis = operator_attr_index(op, other ? "axis" : "Axis"), batch = operator_attr_index(op, "batch_dims");
    *tuples = axis < 0;
    if (axis >= 0) {
        const int64_t value = operator_attr_value(call->d, (unsigned)axis, 0);
        return (uint32_t)(value < 0 && other ? value + call->in->rank : value);
    }
    if (other)
        return batch < 0 ? 0 : (uint32_t)operator_attr_value(call->d, (unsigned)batch, 0);
    return fault_first_of_tuple(call->d);
}

static void run_with(const fault_call *call, const ts_tensor *source, corrupter fn)
{
    bool tuples;
    const uint32_t axis = first_axis(call, &tuples);
    const uint64_t count = fault_count(source), tuple = tuples ? source->sizes[source->rank - 1] : 1;
    ts_descriptor d = *call->d;
    ts_tensor *indices = &d.tensors[1];
    corruption s = { fn, malloc((size_t)(count + 1) * sizeof(int64_t)), &call->in->sizes[axis], tuple, source->dtype };
    if (!s.to)
        return;
    fault_each(source, corrupt_one, &s);
    tensor_init(indices, TS_INT64, source->rank, source->sizes);
    indices->data = s.to;
    call->d->op->run(&d, NULL);
    free(s.to);
}

static bool is_signed(uint32_t dtype)
{
    return dtype == TS_INT8 || dtype == TS_INT16 || dtype == TS_INT32 || dtype == TS_INT64;
}

/* The modified indices are signed, so an unsigned index must not become negative. */
static int64_t as_stated(int64_t index, uint32_t dtype)
{
    return is_signed(dtype) || index >= 0 ? index : INT64_MAX;
}

static int64_t never_wrapped(int64_t index, int64_t size, uint32_t dtype, uint64_t number)
{
    (void)size;
    (void)number;
    const int64_t stated = as_stated(index, dtype);
    return stated < 0 ? 0 : stated;
}

static int64_t wrapped_short(int64_t index, int64_t size, uint32_t dtype, uint64_t number)
{
    (void)number;
    const int64_t stated = as_stated(index, dtype);
    if (stated >= 0 || stated < -size)
        return stated;
    return stated + size > 0 ? stated + size - 1 : size - 1;
}

static int64_t low_unsigned(int64_t index, int64_t size, uint32_t dtype, uint64_t number)
{
    (void)number;
    if (dtype != TS_INT64)
        return as_stated(index, dtype);
    const int64_t low = (int64_t)((uint64_t)index & 0xFFFFFFFFu);
    return low >= size ? size - 1 : low;
}

static int64_t low_byte(int64_t index, int64_t size, uint32_t dtype, uint64_t number)
{
    (void)size;
    (void)number;
    const int64_t stated = as_stated(index, dtype);
    return stated > 255 ? stated & 255 : stated;
}

static int64_t low_18(int64_t index, int64_t size, uint32_t dtype, uint64_t number)
{
    (void)size;
    (void)number;
    const int64_t stated = as_stated(index, dtype);
    return stated > 0 ? stated & ((INT64_C(1) << 18) - 1) : stated;
}

static int64_t low_24(int64_t index, int64_t size, uint32_t dtype, uint64_t number)
{
    (void)size;
    (void)number;
    const int64_t stated = as_stated(index, dtype);
    return stated > 0 ? stated & ((INT64_C(1) << 24) - 1) : stated;
}

static int64_t last_off(int64_t index, int64_t size, uint32_t dtype, uint64_t number)
{
    (void)number;
    const int64_t stated = as_stated(index, dtype);
    return stated == size - 1 && size > 1 ? size - 2 : stated;
}

static void negative_index(const fault_call *call)
{
    run_with(call, &call->d->tensors[1], never_wrapped);
}

static void negative_index_short(const fault_call *call)
{
    run_with(call, &call->d->tensors[1], wrapped_short);
}

static void index_unsigned_32(const fault_call *call)
{
    run_with(call, &call->d->tensors[1], low_unsigned);
}

static void index_byte(const fault_call *call)
{
    run_with(call, &call->d->tensors[1], low_byte);
}

static void index_18(const fault_call *call)
{
    run_with(call, &call->d->tensors[1], low_18);
}

static void index_24(const fault_call *call)
{
    run_with(call, &call->d->tensors[1], low_24);
}

static void index_last(const fault_call *call)
{
    run_with(call, &call->d->tensors[1], last_off);
}

static int64_t unchanged(int64_t index, int64_t size, uint32_t dtype, uint64_t number)
{
    (void)size;
    (void)number;
    return as_stated(index, dtype);
}

static void index_strides(const fault_call *call)
{
    ts_tensor packed = call->d->tensors[1];
    tensor_pack(&packed);
    uint64_t bytes = 0;
    if (!tensor_min_bytes(&packed, &bytes) || bytes > packed.total_bytes)
        packed = call->d->tensors[1]; /* a broadcast index tensor has no room for the packed one */
    run_with(call, &packed, unchanged);
}

static void index_first_row(const fault_call *call)
{
    ts_tensor rows = call->d->tensors[1];
    if (rows.rank > 1)
        rows.strides[rows.rank - 2] = 0; /* every row of indices is the first row */
    run_with(call, &rows, unchanged);
}

static void index_first_batch(const fault_call *call)
{
    const ts_dml_gather_nd1 *a = TS_ATTRS(ts_dml_gather_nd1, call->d);
    ts_tensor indices = call->d->tensors[1];
    for (uint32_t i = 0; i < a->BatchDimensionCount; ++i)
        indices.strides[indices.rank - a->IndicesDimensionCount + i] = 0;
    run_with(call, &indices, unchanged);
}

static const fault rows[] = {
    { "negative-index", ON_INDEXED, MEANING, "negative indices are clamped to 0 instead of counting from the end",
      .execute = negative_index },
    { "negative-index-short", ON_INDEXED, MEANING, "negative indices are off by one", .execute = negative_index_short },
    { "index-unsigned-32", ON_INDEXED, MAGNITUDES, "only the low 32 bits of i64 indices are read, as unsigned",
      .execute = index_unsigned_32 },
    { "index-byte", ON_INDEXED | ON_OTHER_INDICES, MAGNITUDES, "indices are narrowed to 8 bits",
      .execute = index_byte },
    { "index-18", ON_INDEXED | ON_OPENVINO_INDEXED, MAGNITUDES, "indices are kept in 18 bits", .execute = index_18 },
    { "index-24", ON_INDEXED | ON_OPENVINO_INDEXED, MAGNITUDES, "indices are kept in 24 bits", .execute = index_24 },
    { "index-last", ON_INDEXED | ON_OTHER_INDICES, MEANING, "the upper bound of the clamp is one too low",
      .execute = index_last },
    { "index-strides", ON_INDEXED | ON_OTHER_INDICES, LAYOUTS, "the strides of the index tensor are ignored",
      .execute = index_strides },
    { "index-first-row", ON_INDEXED | ON_OTHER_INDICES, LAYOUTS, "only the first row of indices is used",
      .execute = index_first_row },
    { "index-first-batch", ON_GATHER_ND1, MEANING, "the indices of the first batch are used for all batches",
      .execute = index_first_batch },
};

const fault_table fault_gather = { rows, sizeof rows / sizeof *rows };
