/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/openvino/pack.h"

#include "backends/fetched/strided.h"

uint32_t pack_element(uint32_t dtype)
{
    static const uint8_t bytes[TS_DTYPE_COUNT] = { 0, 4, 2, 4, 2, 1, 4, 2, 1, 8, 8, 8, 0, 0, 2, 1 };
    return dtype < TS_DTYPE_COUNT ? bytes[dtype] : 0;
}

bool pack_measure(const ts_tensor *t, uint64_t *bytes)
{
    const uint32_t element = pack_element(t->dtype);
    uint64_t count = 1;
    *bytes = 0;
    if ((t->given & TS_GIVEN_ALL) != TS_GIVEN_ALL || element == 0 || t->rank > TS_MAX_DIMS)
        return false;
    for (uint32_t i = 0; i < t->rank; ++i)
        if (t->sizes[i] == 0)
            return true;
    *bytes = UINT64_MAX;
    if (!strided_fits(t, element))
        return false;
    for (uint32_t i = 0; i < t->rank; ++i)
        if (__builtin_mul_overflow(count, t->sizes[i], &count))
            return true; /* legal: many elements at few addresses */
    if (count <= UINT64_MAX / element)
        *bytes = count * element;
    return true;
}

void pack_from(const ts_tensor *t, void *packed)
{
    strided_copy(t, pack_element(t->dtype), packed, false);
}

void pack_to(const ts_tensor *t, const void *packed)
{
    strided_copy(t, pack_element(t->dtype), (void *)(uintptr_t)packed, true);
}

bool pack_query(const ts_call *shape, uint32_t tensors)
{
    if (shape->profile != TS_PROFILE_DEFAULT)
        return false;
    for (uint32_t i = 0; i < tensors; ++i) {
        const ts_tensor *t = ts_call_tensor(shape, i);
        if (!(t->given & TS_GIVEN_TENSOR) || pack_element(t->dtype) == 0 || t->rank < 1 || t->rank > 8)
            return false;
    }
    return true;
}

bool pack_legal(const ts_tensor *t, bool input)
{
    uint64_t bytes;
    const uint32_t element = pack_element(t->dtype);
    return pack_measure(t, &bytes) && bytes > 0 && (t->flags == 0 || (input && t->flags == 1)) &&
           (t->alignment == 0 || (t->alignment >= element && (t->alignment & (t->alignment - 1)) == 0));
}

bool pack_is_index(uint32_t dtype)
{
    return dtype == TS_INT32 || dtype == TS_INT64 || dtype == TS_UINT32 || dtype == TS_UINT64;
}

bool pack_tensors(const ts_call *call, unsigned count, const ts_tensor **tensors)
{
    for (unsigned i = 0; i < count; ++i) {
        tensors[i] = ts_call_tensor(call, i);
        if (!pack_legal(tensors[i], i + 1 < count))
            return false;
    }
    return true;
}

bool pack_same_sizes(const ts_tensor *t, const ts_tensor *other, uint32_t axis)
{
    if (t->rank != other->rank)
        return false;
    for (uint32_t i = 0; i < t->rank; ++i)
        if (i != axis && t->sizes[i] != other->sizes[i])
            return false;
    return true;
}
