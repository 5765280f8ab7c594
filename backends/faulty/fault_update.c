/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/faulty/fault_update.h"
#include "reference/dml/scatter_nd.h"

#include <stdlib.h>

int64_t fault_index_value(const ts_tensor *indices, uint64_t offset, int64_t size)
{
    const size_t bytes = tensor_element_bytes(indices->dtype);
    int64_t index = 0;
    memcpy(&index, (const unsigned char *)indices->data + offset * bytes, bytes);
    if (indices->dtype == TS_INT32)
        index = (int32_t)(uint32_t)(uint64_t)index;
    if (indices->dtype == TS_UINT64 && index < 0)
        return INT64_MAX;
    if (index < 0)
        index += size;
    return index;
}

void fault_apply(const fault_update *u)
{
    memcpy(u->element, u->from, u->bytes);
}

/* Replace a coordinate by an index, unless it is outside of its dimension. */
static bool point(const fault_call *call, const uint64_t *where, uint32_t axis, uint64_t *to)
{
    const ts_tensor *indices = &call->d->tensors[1];
    const int64_t size = (int64_t)call->out->sizes[axis];
    const int64_t index = fault_index_value(indices, tensor_offset(indices, where), size);
    to[axis] = (uint64_t)index;
    return index >= 0 && index < size;
}

/* The element that an update of SCATTER_ND replaces: behind the indices of its tuple, its place in the block. */
static bool point_tuple(const fault_call *call, const uint64_t *at, uint64_t *to)
{
    const ts_dml_scatter_nd *a = TS_ATTRS(ts_dml_scatter_nd, call->d);
    const uint32_t rank = call->out->rank, first = fault_first_of_tuple(call->d);
    const uint32_t behind = first + (uint32_t)call->d->tensors[1].sizes[rank - 1], array = a->IndicesDimensionCount - 1;
    uint64_t where[TS_MAX_DIMS] = { 0 };
    memset(to, 0, TS_MAX_DIMS * sizeof *to);
    memcpy(where + rank - 1 - array, at + behind - array, array * sizeof *at);
    memcpy(to + behind, at + behind, (rank - behind) * sizeof *at);
    for (uint32_t axis = first; axis < behind; ++axis) {
        where[rank - 1] = axis - first;
        if (!point(call, where, axis, to))
            return false;
    }
    return true;
}

void fault_each_update(const fault_call *call, void (*apply)(const fault_update *u))
{
    const ts_tensor *updates = &call->d->tensors[2], *out = call->out;
    const bool tuples = call->on == ON_SCATTER_ND;
    const int attr = operator_attr_index(call->d->op, "Axis");
    const uint32_t axis = tuples ? 0 : (uint32_t)operator_attr_value(call->d, (unsigned)attr, 0);
    uint64_t at[TS_MAX_DIMS] = { 0 }, to[TS_MAX_DIMS], number = 0;
    unsigned char *seen = calloc((size_t)fault_count(out) + 1, 1);
    if (!seen)
        return;
    do {
        ++number;
        memcpy(to, at, sizeof to);
        if (!(tuples ? point_tuple(call, at, to) : point(call, at, axis, to)))
            continue;
        const uint64_t place = tensor_number(out, to);
        apply(&(fault_update){ call, updates, axis, number - 1, at, to, tensor_at(out, to), tensor_at(updates, at),
                               tensor_element_bytes(out->dtype), seen[place] });
        seen[place] = 1;
    } while (tensor_next(updates, at));
    free(seen);
}
