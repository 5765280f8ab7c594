/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/kernels/widened.h"
#include "audit/kernels/lanes.h"
#include "backends/backend.h"

#include <string.h>

enum { BATCH = 64 };

/* n indices of 8 or 16 bits; a loop for each type. */
static void widen(uint32_t dtype, const unsigned char *from, int64_t step, uint64_t n, int64_t *wide)
{
    int8_t byte;
    int16_t half;
    uint16_t unsigned_half;
    switch (dtype) {
    case TS_INT8:
        for (uint64_t i = 0; i < n; ++i) {
            memcpy(&byte, from + (int64_t)i * step, sizeof byte);
            wide[i] = byte;
        }
        break;
    case TS_INT16:
        for (uint64_t i = 0; i < n; ++i) {
            memcpy(&half, from + (int64_t)i * step, sizeof half);
            wide[i] = half;
        }
        break;
    case TS_UINT16:
        for (uint64_t i = 0; i < n; ++i) {
            memcpy(&unsigned_half, from + (int64_t)i * step, sizeof unsigned_half);
            wide[i] = unsigned_half;
        }
        break;
    default:
        for (uint64_t i = 0; i < n; ++i)
            wide[i] = from[(int64_t)i * step];
        break;
    }
}

void widened_resolve(const index_source *s, const unsigned char *from, int64_t step, uint64_t n, int64_t *offsets)
{
    if (lane_bytes(s->dtype) >= sizeof(int32_t)) {
        index_resolve(s, from, step, n, offsets);
        return;
    }
    const index_source wide_source = { TS_INT64, s->size, s->pitch };
    int64_t wide[BATCH];
    for (uint64_t first = 0; first < n; first += BATCH) {
        const uint64_t count = n - first < BATCH ? n - first : BATCH;
        widen(s->dtype, from + (int64_t)first * step, step, count, wide);
        index_resolve(&wide_source, (const unsigned char *)wide, sizeof wide[0], count, offsets + first);
    }
}
