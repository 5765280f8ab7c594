/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/kernels/numbers.h"
#include "audit/kernels/lanes.h"
#include "backends/backend.h"

#include <string.h>

static int64_t rounded(double value)
{
    return value >= 0 && value < 0x1p63 ? (int64_t)value : -1;
}

static double single_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

/* A half from 1 on as an integer: its fraction with the leading bit, moved by the exponent. */
static int64_t half_of(uint32_t bits)
{
    const uint32_t exponent = bits >> 10 & 0x1F, fraction = (bits & 0x3FF) | 0x400;
    if (exponent < 15) /* below 1 */
        return bits <= 0x8000 ? 0 : -1;
    if (exponent == 0x1F || bits >= 0x8000)
        return -1;
    return exponent < 25 ? fraction >> (25 - exponent) : fraction << (exponent - 25);
}

int64_t number_read(uint32_t dtype, const unsigned char *from)
{
    uint64_t bits = 0;
    double wide;
    memcpy(&bits, from, lane_bytes(dtype)); /* little-endian */
    switch (dtype) {
    case TS_INT8: return (int8_t)bits;
    case TS_INT16: return (int16_t)bits;
    case TS_INT32: return (int32_t)bits;
    case TS_FLOAT16: return half_of((uint32_t)bits);
    case TS_BFLOAT16: return rounded(single_of((uint32_t)bits << 16));
    case TS_FLOAT32: return rounded(single_of((uint32_t)bits));
    case TS_FLOAT64: memcpy(&wide, from, sizeof wide); return rounded(wide);
    default: return (int64_t)bits; /* unsigned ones, and 64 bits */
    }
}

static bool is_float(uint32_t dtype)
{
    return dtype == TS_FLOAT16 || dtype == TS_BFLOAT16 || dtype == TS_FLOAT32 || dtype == TS_FLOAT64;
}

bool number_equal(uint32_t dtype, const unsigned char *a, const unsigned char *b)
{
    const uint32_t bytes = lane_bytes(dtype);
    uint64_t left = 0, right = 0;
    memcpy(&left, a, bytes); /* little-endian */
    memcpy(&right, b, bytes);
    const uint64_t sign = UINT64_C(1) << (8 * bytes - 1);
    return left == right || (is_float(dtype) && ((left | right) & ~sign) == 0);
}
