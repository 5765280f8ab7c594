/* SPDX-License-Identifier: Apache-2.0 */
/* Known interpretations of an index beyond its dimension. They name observed behaviour and do not affect verdicts. */
#include "reference/openvino_index.h"

bool openvino_clamped(uint64_t stated, bool negative, uint64_t n, uint64_t *at)
{
    *at = negative ? 0 : stated < n ? stated : n - 1;
    return n > 0;
}
