/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/fetched/strided.h"

#include "backends/cpu/copy.h"

bool strided_fits(const ts_tensor *t, uint32_t bytes)
{
    const uint64_t room = t->total_bytes / bytes;
    uint64_t last = 0;
    for (uint32_t i = 0; i < t->rank; ++i) {
        uint64_t reach;
        if (__builtin_mul_overflow(t->sizes[i] - 1, t->sizes[i] > 1 ? t->strides[i] : 0, &reach) ||
            __builtin_add_overflow(last, reach, &last) || last >= room)
            return false;
    }
    return room > 0;
}

bool strided_is_packed(const ts_tensor *t)
{
    uint64_t stride = 1;
    for (uint32_t i = t->rank; i-- > 0; stride *= t->sizes[i])
        if (t->sizes[i] > 1 && t->strides[i] != stride)
            return false;
    return true;
}

void strided_copy(const ts_tensor *t, uint32_t element, void *packed, bool back)
{
    copy_dim dims[TS_MAX_DIMS];
    uint64_t dense = element;
    for (uint32_t i = t->rank; i-- > 0; dense *= t->sizes[i]) {
        const int64_t own = t->sizes[i] > 1 ? (int64_t)(t->strides[i] * element) : 0;
        if (t->sizes[i] == 0)
            return;
        dims[i] =
            (copy_dim){ .count = t->sizes[i], .to = back ? own : (int64_t)dense, .from = back ? (int64_t)dense : own };
    }
    copy_strided(back ? t->data : packed, back ? packed : t->data, element, dims, t->rank);
}
