/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/kernels/lanes.h"
#include "backends/backend.h"

uint32_t lane_bytes(uint32_t dtype)
{
    switch (dtype) {
    case TS_UINT8:
    case TS_INT8:
    case TS_BOOLEAN: return 1;
    case TS_FLOAT16:
    case TS_BFLOAT16:
    case TS_UINT16:
    case TS_INT16: return 2;
    case TS_FLOAT64:
    case TS_UINT64:
    case TS_INT64: return 8;
    default: return 4;
    }
}
