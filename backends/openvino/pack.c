/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/openvino/pack.h"

#include <string.h>

uint32_t pack_element(uint32_t dtype)
{
    static const uint8_t bytes[TS_DTYPE_COUNT] = { 0, 4, 2, 4, 2, 1, 4, 2, 1, 8, 8, 8, 0, 0, 2, 1 };
    return dtype < TS_DTYPE_COUNT ? bytes[dtype] : 0;
}

bool pack_measure(const ts_tensor *t, uint64_t *bytes)
{
    const uint64_t element = pack_element(t->dtype);
    uint64_t last = 0, count = 1;
    *bytes = 0;
    if ((t->given & TS_GIVEN_ALL) != TS_GIVEN_ALL || element == 0 || t->rank > TS_MAX_DIMS)
        return false;
    for (uint32_t i = 0; i < t->rank; ++i)
        if (t->sizes[i] == 0)
            return true;
    *bytes = UINT64_MAX;
    for (uint32_t i = 0; i < t->rank; ++i) {
        uint64_t reach;
        if (__builtin_mul_overflow(t->sizes[i] - 1, t->sizes[i] > 1 ? t->strides[i] : 0, &reach) ||
            __builtin_add_overflow(last, reach, &last) || last >= t->total_bytes / element)
            return false;
    }
    if (t->total_bytes < element)
        return false;
    for (uint32_t i = 0; i < t->rank; ++i)
        if (__builtin_mul_overflow(count, t->sizes[i], &count))
            return true; /* it is legal: many elements at few addresses */
    if (count <= UINT64_MAX / element)
        *bytes = count * element;
    return true;
}

bool pack_is_packed(const ts_tensor *t)
{
    uint64_t stride = 1;
    for (uint32_t i = t->rank; i-- > 0; stride *= t->sizes[i])
        if (t->sizes[i] > 1 && t->strides[i] != stride)
            return false;
    return true;
}

static void copy(char *to, uint64_t to_step, const char *from, uint64_t from_step, uint64_t count, uint32_t element)
{
    for (uint64_t i = 0; i < count; ++i, to += to_step, from += from_step) {
        switch (element) { /* constant sizes compile to one move */
        case 1: memcpy(to, from, 1); break;
        case 2: memcpy(to, from, 2); break;
        case 4: memcpy(to, from, 4); break;
        default: memcpy(to, from, 8); break;
        }
    }
}

/* Row by row: every coordinate but the last counts up. */
static void walk(const ts_tensor *t, char *strided, char *packed, bool to_packed)
{
    const uint32_t element = pack_element(t->dtype), rows = t->rank ? t->rank - 1 : 0;
    const uint64_t row = t->rank ? t->sizes[rows] : 1, step = t->rank ? t->strides[rows] * element : 0;
    uint64_t at[TS_MAX_DIMS] = { 0 }, offset = 0;
    for (uint32_t i = 0; i < t->rank; ++i)
        if (t->sizes[i] == 0)
            return;
    for (;;) {
        if (to_packed)
            copy(packed, element, strided + offset, step, row, element);
        else
            copy(strided + offset, step, packed, element, row, element);
        packed += row * element;
        uint32_t i = rows;
        for (; i > 0; --i) {
            offset += t->strides[i - 1] * element;
            if (++at[i - 1] < t->sizes[i - 1])
                break;
            offset -= t->sizes[i - 1] * t->strides[i - 1] * element;
            at[i - 1] = 0;
        }
        if (i == 0)
            return;
    }
}

void pack_from(const ts_tensor *t, void *packed)
{
    walk(t, t->data, packed, true);
}

void pack_to(const ts_tensor *t, const void *packed)
{
    walk(t, t->data, (char *)(uintptr_t)packed, false);
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
