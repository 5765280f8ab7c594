/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml_index.h"

#include <string.h>

uint64_t dml_index(const ts_tensor *indices, const uint64_t *coord, uint64_t n, bool *inside)
{
    const void *p = tensor_at(indices, coord);
    uint32_t u32 = 0;
    uint64_t u64 = 0;
    int32_t i32 = 0;
    int64_t i64 = 0;
    switch (indices->dtype) {
    case TS_UINT32:
        memcpy(&u32, p, sizeof u32);
        u64 = u32;
        break;
    case TS_UINT64: memcpy(&u64, p, sizeof u64); break;
    case TS_INT32:
        memcpy(&i32, p, sizeof i32);
        i64 = i32;
        break;
    default: memcpy(&i64, p, sizeof i64); break;
    }
    if (i64 < 0)
        i64 += (int64_t)n; /* relative to the end of the axis */
    *inside = i64 >= 0;
    if (!*inside)
        return 0;
    u64 |= (uint64_t)i64; /* one of them is 0 */
    *inside = u64 < n;
    return *inside ? u64 : n - 1;
}
