/* SPDX-License-Identifier: Apache-2.0 */
/* What an index means on an axis of five elements, for tests of operators with a tensor of indices. */
#ifndef TOUCHSTONE_INDEX_CASES_H
#define TOUCHSTONE_INDEX_CASES_H

#include "backends/backend.h"

#include <stdbool.h>
#include <stdint.h>

/* A negative index counts from the end; one beyond the axis is clamped, and its element marked undefined. */
static const struct index_case {
    uint32_t dtype;
    uint64_t bits;    /* of the index, in its lowest bytes */
    uint8_t expected; /* the element that it selects */
    bool marked;
} index_cases[] = {
    { TS_UINT32, 4, 4, false },
    { TS_UINT32, 5, 4, true },
    { TS_UINT32, UINT32_MAX, 4, true }, /* not -1 */
    { TS_INT32, 0xFFFFFFFF, 4, false }, /* -1 */
    { TS_INT32, (uint32_t)-5, 0, false },
    { TS_INT32, (uint32_t)-6, 0, true },
    { TS_INT32, 0x80000000, 0, true },
    { TS_INT32, 0x7FFFFFFF, 4, true },
    { TS_UINT64, 3, 3, false },
    { TS_UINT64, UINT64_MAX, 4, true },
    { TS_UINT64, (uint64_t)1 << 32, 4, true }, /* all 64 bits count */
    { TS_INT64, (uint64_t)-2, 3, false },
    { TS_INT64, (uint64_t)1 << 63, 0, true },
    { TS_INT64, ((uint64_t)1 << 32) + 2, 4, true },
};
enum { INDEX_CASES = sizeof index_cases / sizeof index_cases[0] };

#endif
