/* SPDX-License-Identifier: Apache-2.0 */
/* Calls made by hand of operators that a copy does not express: with indices of any shape, several inputs, or no
   indices. */
#ifndef TOUCHSTONE_MADE_WHOLE_H
#define TOUCHSTONE_MADE_WHOLE_H

#include "backends/faulty/made.h"
#include "harness/model/value.h"
#include "reference/dml/join.h"

/* Is the call of an operator described whole, by the row's members for that? */
static inline bool made_is_whole(const made *m, const ts_operator *op)
{
    return m->whole || strstr(op->name, "non_zero") || (strstr(op->name, "join") && m->parts[0]);
}

static inline uint32_t made_rank(const uint64_t *size)
{
    uint32_t rank = 0;
    while (rank < MADE_DIMS && size[rank])
        ++rank;
    return rank;
}

static inline void made_attr(ts_descriptor *d, unsigned k, int64_t value)
{
    unsigned char *field = d->attrs + d->op->attrs[k].offset;
    const uint32_t word = (uint32_t)(uint64_t)value;
    if (d->op->attrs[k].type == TS_ATTR_I64)
        memcpy(field, &value, sizeof value);
    else
        memcpy(field, &word, sizeof word);
    d->attrs_given |= 1u << k;
}

static inline void made_tensor(ts_tensor *t, uint32_t dtype, uint32_t rank, const uint64_t *sizes,
                               const uint64_t *strides)
{
    tensor_init(t, dtype, rank, sizes);
    for (uint32_t i = 0; strides && i < rank; ++i) {
        t->given |= TS_GIVEN_STRIDES;
        t->strides[i] = strides[i];
    }
    if (!tensor_min_bytes(t, &t->total_bytes))
        t->total_bytes = 0;
}

/* The sizes of the updates: of DirectML's tuples with dimensions of 1 in front. */
static inline void made_updates(ts_descriptor *d, uint32_t dtype)
{
    const ts_tensor *data = &d->tensors[0], *indices = &d->tensors[1];
    const bool dml = strstr(d->op->name, "dml.") != NULL, tuples = strstr(d->op->name, "_nd") != NULL;
    uint64_t sizes[TS_MAX_DIMS];
    uint32_t n = 0, first = 0, array = 0, axis = 0;
    if (strstr(d->op->name, "elements")) {
        tensor_init(&d->tensors[2], dtype, indices->rank, indices->sizes);
        return;
    }
    if (tuples) {
        const uint32_t behind = (uint32_t)indices->sizes[indices->rank - 1];
        if (dml) {
            first = data->rank - (uint32_t)operator_attr_value(d, 0, 0);
            array = (uint32_t)operator_attr_value(d, 1, 0) - 1;
        } else {
            array = indices->rank - 1;
        }
        const uint32_t block = data->rank - first - behind;
        for (n = 0; dml && n + array + block < data->rank; ++n)
            sizes[n] = 1;
        for (uint32_t i = 0; i < array; ++i)
            sizes[n++] = indices->sizes[indices->rank - 1 - array + i];
        axis = first + behind;
    } else {
        const int64_t stated = operator_attr_value(d, 0, 0);
        axis = (uint32_t)(stated < 0 ? stated + data->rank : stated);
        for (uint32_t i = 0; i < axis; ++i)
            sizes[n++] = data->sizes[i];
        for (uint32_t i = 0; i < indices->rank; ++i)
            sizes[n++] = indices->sizes[i];
        ++axis;
    }
    for (uint32_t i = axis; i < data->rank; ++i)
        sizes[n++] = data->sizes[i];
    tensor_init(&d->tensors[2], dtype, n, sizes);
}

static inline void made_join(ts_descriptor *d, const made *m, uint32_t dtype, const uint64_t *in)
{
    const uint32_t axis = (uint32_t)m->attr[0];
    uint64_t sizes[TS_MAX_DIMS] = { 0 };
    uint32_t count = 0;
    memcpy(sizes, m->size, sizeof m->size);
    for (; count < TS_JOIN_MAX_INPUTS && m->parts[count]; ++count) {
        sizes[axis] = m->parts[count];
        if (m->bad_part && count > 0 && (count + 1 == TS_JOIN_MAX_INPUTS || m->parts[count + 1] == 0))
            ++sizes[axis == 0 ? 1 : 0];
        const uint64_t *others = m->index_strides[0] || m->index_strides[1] ? m->index_strides : NULL;
        made_tensor(&d->tensors[count], dtype, made_rank(m->size), sizes, count == 0 ? in : others);
    }
    made_attr(d, 0, count);
    made_attr(d, 1, axis);
}

/* Describe the inputs and the attributes. */
static inline void made_whole(ts_descriptor *d, const made *m, const uint64_t *in)
{
    const uint32_t dtype = m->dtype ? m->dtype : TS_UINT32, rank = made_rank(m->size);
    if (strstr(d->op->name, "join")) {
        made_join(d, m, dtype, in);
        return;
    }
    for (unsigned k = 0; k < d->op->attr_count; ++k)
        made_attr(d, k, m->attr[k]);
    uint64_t sizes[MADE_DIMS];
    memcpy(sizes, m->size, sizeof sizes);
    if (m->empty)
        sizes[rank - 1] = 0;
    made_tensor(&d->tensors[0], dtype, rank, sizes, in);
    if (strstr(d->op->name, "tree")) {
        made_tensor(&d->tensors[1], dtype, rank, m->size, NULL);
        made_tensor(&d->tensors[2], dtype, 1, m->size + 1, NULL);
        made_tensor(&d->tensors[3], dtype, 0, m->size, NULL);
    } else if (d->op->tensors[1].role == TS_INPUT) {
        const uint64_t *strides = m->index_strides[0] || m->index_strides[1] ? m->index_strides : NULL;
        made_tensor(&d->tensors[1], m->index_type ? m->index_type : TS_INT64, m->index_rank, m->index_shape, strides);
        if (d->op->tensors[2].role == TS_INPUT)
            made_updates(d, dtype);
        if (m->bad_updates)
            tensor_set_rank(&d->tensors[2], d->tensors[2].rank + 1);
    }
}

/* The number of values that an index at a place of the tensor of indices may have. */
static inline uint64_t made_limit(const ts_descriptor *d, uint64_t number)
{
    const ts_tensor *data = &d->tensors[0], *indices = &d->tensors[1];
    const bool tuples = strstr(d->op->name, "_nd") != NULL, dml = strstr(d->op->name, "dml.") != NULL;
    if (tuples) {
        const uint64_t tuple = indices->sizes[indices->rank - 1];
        const int batch = operator_attr_index(d->op, dml ? "BatchDimensionCount" : "batch_dims");
        const uint64_t first = (dml ? data->rank - (uint64_t)operator_attr_value(d, 0, 0) : 0) +
                               (batch < 0 ? 0 : (uint64_t)operator_attr_value(d, (unsigned)batch, 0));
        return data->sizes[first + number % tuple];
    }
    const int64_t axis = operator_attr_value(d, 0, 0);
    return data->sizes[axis < 0 ? axis + data->rank : axis];
}

static inline void made_store(ts_descriptor *d, unsigned tensor, uint64_t number, int64_t value)
{
    const size_t width = tensor_element_bytes(d->tensors[tensor].dtype);
    uint64_t bits = 0;
    value_store_ints(d->tensors[tensor].dtype, &bits, sizeof bits, &value, 1);
    memcpy((unsigned char *)d->tensors[tensor].data + number * width, &bits, width);
}

/* Fill in the values that count; the inputs have random ones. */
static inline void made_fill(ts_descriptor *d, const made *m)
{
    const size_t width = tensor_element_bytes(d->tensors[0].dtype);
    const uint64_t count = d->tensors[0].total_bytes / width;
    for (uint64_t i = 0; m->filled && i < count; ++i)
        memcpy((unsigned char *)d->tensors[0].data + i * width, &m->fill, width);
    for (uint64_t i = 0; m->counted && i < count; ++i)
        made_store(d, 0, i, (int64_t)i + 1);
    for (uint64_t i = m->zero_from; i < m->zero_to && i < count; ++i)
        memset((unsigned char *)d->tensors[0].data + i * width, 0, width);
    if (strstr(d->op->name, "tree")) {
        const uint64_t beams = m->size[2], batches = m->size[1];
        for (uint64_t i = 0; i < count; ++i)
            made_store(d, 1, i, i < m->value_count ? m->values[i] : (int64_t)((i * 7 + i / beams) % beams));
        for (uint64_t i = 0; i < batches; ++i) {
            const uint64_t given = m->lengths[i < 4 ? i : 3];
            made_store(d, 2, i, (int64_t)(given == UINT64_MAX ? 0 : given ? given : m->size[0]));
        }
        made_store(d, 3, 0, (int64_t)m->token);
    } else if (d->op->tensor_count > 2 && !strstr(d->op->name, "join")) {
        const uint64_t indices = d->tensors[1].total_bytes / tensor_element_bytes(d->tensors[1].dtype);
        for (uint64_t i = 0; i < indices; ++i) {
            const bool listed = i < 8 && m->value_count == 0 && memcmp(m->index, (int64_t[8]){ 0 }, sizeof m->index);
            const uint64_t limit = made_limit(d, i);
            made_store(d, 1, i,
                       i < m->value_count ? m->values[i]
                       : listed           ? m->index[i]
                                          : (int64_t)((m->counted ? i : i * 5 + i / 3) % limit));
        }
    }
}

#endif
