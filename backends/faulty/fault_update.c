/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/faulty/fault_update.h"

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

void fault_each_update(const fault_call *call, void (*apply)(const fault_update *u))
{
    const ts_tensor *indices = &call->d->tensors[1], *updates = &call->d->tensors[2], *out = call->out;
    const unsigned attr = (unsigned)operator_attr_index(call->d->op, "Axis");
    const uint32_t axis = (uint32_t)operator_attr_value(call->d, attr, 0);
    const int64_t size = (int64_t)out->sizes[axis];
    uint64_t at[TS_MAX_DIMS] = { 0 }, to[TS_MAX_DIMS], number = 0;
    unsigned char *seen = calloc((size_t)fault_count(out) + 1, 1);
    if (!seen)
        return;
    do {
        const int64_t index = fault_index_value(indices, tensor_offset(indices, at), size);
        ++number;
        if (index < 0 || index >= size)
            continue;
        memcpy(to, at, sizeof to);
        to[axis] = (uint64_t)index;
        const uint64_t place = tensor_number(out, to);
        apply(&(fault_update){ call, updates, axis, number - 1, at, to, tensor_at(out, to), tensor_at(updates, at),
                               tensor_element_bytes(out->dtype), seen[place] });
        seen[place] = 1;
    } while (tensor_next(indices, at));
    free(seen);
}
