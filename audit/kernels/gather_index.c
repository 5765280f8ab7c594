/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/kernels/gather_index.h"
#include "backends/backend.h"

#include <string.h>

enum { QUAD = 4 };

static int64_t clamp_unsigned(uint64_t index, uint64_t size)
{
    return (int64_t)(index < size ? index : size - 1);
}

static int64_t clamp_signed(int64_t index, int64_t size)
{
    if (index < 0) {
        index += size;
        return index < 0 ? 0 : index;
    }
    return index < size ? index : size - 1;
}

/* One index of any type. */
static int64_t one_index(const index_source *s, const unsigned char *from)
{
    uint32_t narrow;
    uint64_t wide;
    switch (s->dtype) {
    case TS_UINT32: memcpy(&narrow, from, sizeof narrow); return clamp_unsigned(narrow, s->size);
    case TS_INT32: memcpy(&narrow, from, sizeof narrow); return clamp_signed((int32_t)narrow, (int64_t)s->size);
    case TS_UINT64: memcpy(&wide, from, sizeof wide); return clamp_unsigned(wide, s->size);
    default: memcpy(&wide, from, sizeof wide); return clamp_signed((int64_t)wide, (int64_t)s->size);
    }
}

/* Four contiguous indices of 32 bits: one load, then the corrections without branches. The size fits 32 bits. */
static void four_narrow(const index_source *s, const unsigned char *from, int64_t *offsets)
{
    uint32_t loaded[QUAD];
    int64_t index[QUAD];
    const int64_t size = (int64_t)s->size;
    memcpy(loaded, from, sizeof loaded);
    for (uint32_t lane = 0; lane < QUAD; ++lane) {
        index[lane] = s->dtype == TS_INT32 ? (int64_t)(int32_t)loaded[lane] : (int64_t)loaded[lane];
        index[lane] += index[lane] < 0 ? size : 0;
        index[lane] = index[lane] < 0 ? 0 : index[lane];
        index[lane] = index[lane] < size ? index[lane] : size - 1;
        offsets[lane] = index[lane] * s->pitch;
    }
}

void index_resolve(const index_source *s, const unsigned char *from, int64_t step, uint64_t n, int64_t *offsets)
{
    uint64_t i = 0;
    const bool narrow = s->dtype == TS_UINT32 || s->dtype == TS_INT32;
    if (narrow && step == (int64_t)sizeof(uint32_t)) {
        for (; i + QUAD <= n; i += QUAD) {
            four_narrow(s, from, offsets + i);
            from += QUAD * sizeof(uint32_t);
        }
    }
    for (; i < n; ++i) {
        offsets[i] = one_index(s, from) * s->pitch;
        from += step;
    }
}

uint64_t index_run(const int64_t *offsets, uint64_t n, int64_t bytes)
{
    uint64_t length = 1;
    while (length < n && offsets[length] == offsets[length - 1] + bytes)
        ++length;
    return length;
}

bool index_constant(const int64_t *offsets, uint64_t n)
{
    for (uint64_t i = 1; i < n; ++i)
        if (offsets[i] != offsets[0])
            return false;
    return true;
}
