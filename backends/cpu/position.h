/* SPDX-License-Identifier: Apache-2.0 */
/* Indices of any integer type. */
#ifndef CPU_POSITION_H
#define CPU_POSITION_H

#include "backends/backend.h"

#include <stdbool.h>

/* The position that an index means among `size` elements, or `size` if it is beyond them. */
static inline uint64_t position(const unsigned char *at, uint32_t type, uint64_t size, bool from_end)
{
    const void *p = at;
    int64_t index;
    switch (type) {
    case TS_INT8: index = *(const int8_t *)p; break;
    case TS_INT16: index = *(const int16_t *)p; break;
    case TS_INT32: index = *(const int32_t *)p; break;
    case TS_INT64: index = *(const int64_t *)p; break;
    case TS_UINT8: return *at < size ? *at : size;
    case TS_UINT16: return *(const uint16_t *)p < size ? *(const uint16_t *)p : size;
    case TS_UINT32: return *(const uint32_t *)p < size ? *(const uint32_t *)p : size;
    default: return *(const uint64_t *)p < size ? *(const uint64_t *)p : size;
    }
    if (index >= 0)
        return (uint64_t)index < size ? (uint64_t)index : size;
    const uint64_t back = 0 - (uint64_t)index;
    return from_end && back <= size ? size - back : size;
}

#endif
