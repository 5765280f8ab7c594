/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/fetched/window.h"

bool window_range(const ts_dml_slice1 *a, uint32_t axis, uint64_t size, uint64_t steps, int64_t *start, int64_t *stop)
{
    const uint64_t window = a->InputWindowSizes[axis], offset = a->InputWindowOffsets[axis];
    const int64_t stride = a->InputWindowStrides[axis];
    if (window == 0 || stride == 0 || offset + window > size)
        return false;
    const uint64_t most = 1 + (window - 1) / (uint64_t)(stride < 0 ? -stride : stride);
    if (steps == 0 || steps > most)
        return false;
    *start = (int64_t)(stride < 0 ? offset + window - 1 : offset);
    *stop = *start + ((int64_t)steps - 1) * stride + (stride < 0 ? -1 : 1);
    if (*stop < 0)
        *stop = -(int64_t)size - 1;
    return true;
}
