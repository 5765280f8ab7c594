/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/fetched/strided.h"

#include "backends/cpu/copy.h"

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
