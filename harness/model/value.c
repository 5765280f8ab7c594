/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/value.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- bits -------------------------------------------------------------------------------------------------- */

/* Bytes are combined one by one, so that the format is little-endian on any host. */
uint64_t value_bits(uint32_t dtype, const void *p)
{
    const unsigned char *bytes = p;
    uint64_t bits = 0;
    for (size_t i = tensor_element_bytes(dtype); i-- > 0;)
        bits = bits << 8 | bytes[i];
    return bits;
}

void value_store_bits(uint32_t dtype, void *p, uint64_t bits)
{
    switch (tensor_element_bytes(dtype)) {
    case 1: value_store_bytes(p, bits, 1); break;
    case 2: value_store_bytes(p, bits, 2); break;
    case 4: value_store_bytes(p, bits, 4); break;
    case 8: value_store_bytes(p, bits, 8); break;
    default: break; /* a type of four bits, or none */
    }
}

static uint64_t double_bits(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

static double bits_double(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static uint32_t float_bits(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static float bits_float(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* ---- binary16 and bfloat16 --------------------------------------------------------------------------------- */

/* A 16-bit format: its mantissa bits, and the exponent of its smallest normal number. */
typedef struct narrow_format {
    unsigned mantissa;
    int min_exponent;
    uint32_t infinity;
} narrow_format;

static const narrow_format half = { 10, -14, 0x7C00 };
static const narrow_format bfloat = { 7, -126, 0x7F80 };

/* A double to nearest even in one rounding: going through float would round twice. */
static uint16_t narrow(const narrow_format *format, uint64_t bits)
{
    uint32_t sign = (uint32_t)(bits >> 63) << 15;
    int exponent = (int)(bits >> 52 & 0x7FF) - 1023;
    uint64_t mantissa = bits & 0xFFFFFFFFFFFFF;
    unsigned shift = 52 - format->mantissa;
    if (exponent == 1024) {
        uint32_t payload = (uint32_t)(mantissa >> shift);
        return (uint16_t)(sign | format->infinity | (mantissa && !payload ? 1 : payload));
    }
    int below = exponent < format->min_exponent ? format->min_exponent - exponent : 0;
    if (below > (int)format->mantissa + 1)
        return (uint16_t)sign; /* less than half of the smallest denormal */
    shift += (unsigned)below;
    mantissa |= (uint64_t)1 << 52;
    uint64_t quotient = mantissa >> shift, tie = (uint64_t)1 << (shift - 1);
    uint64_t rest = mantissa & (((uint64_t)1 << shift) - 1);
    if (rest > tie || (rest == tie && (quotient & 1)))
        quotient++; /* a carry into the exponent is correct */
    uint64_t result = quotient;
    if (!below)
        result += (uint64_t)(exponent - format->min_exponent) << format->mantissa;
    return (uint16_t)(sign | (result < format->infinity ? (uint32_t)result : format->infinity));
}

/* A float's bits as a double's. A conversion would quiet a signalling NaN. */
static uint64_t widened(float f)
{
    uint32_t bits = float_bits(f);
    if ((bits & 0x7FFFFFFF) > 0x7F800000)
        return (uint64_t)(bits >> 31) << 63 | (uint64_t)0x7FF << 52 | (uint64_t)(bits & 0x7FFFFF) << 29;
    return double_bits((double)f);
}

uint16_t value_half_from_float(float f)
{
    return narrow(&half, widened(f));
}

uint16_t value_bfloat_from_float(float f)
{
    return narrow(&bfloat, widened(f));
}

float value_half_to_float(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, exponent = h >> 10 & 0x1F, mantissa = h & 0x3FF;
    if (exponent == 0x1F)
        return bits_float(sign | 0x7F800000 | mantissa << 13);
    if (exponent == 0)
        return bits_float(sign | float_bits((float)mantissa * 0x1p-24f)); /* exact */
    return bits_float(sign | (exponent + 127 - 15) << 23 | mantissa << 13);
}

float value_bfloat_to_float(uint16_t b)
{
    return bits_float((uint32_t)b << 16);
}

/* ---- numbers ----------------------------------------------------------------------------------------------- */

/* The bits of an integer type as the number they stand for. */
static int64_t signed_value(const ts_dtype_info *type, uint64_t bits)
{
    uint64_t sign = (uint64_t)1 << (type->bits - 1);
    return (int64_t)((bits ^ sign) - sign);
}

double value_to_double(uint32_t dtype, const void *p)
{
    const ts_dtype_info *type = tensor_dtype(dtype);
    uint64_t bits = value_bits(dtype, p);
    switch (dtype) {
    case TS_FLOAT64: return bits_double(bits);
    case TS_FLOAT32: return (double)bits_float((uint32_t)bits);
    case TS_FLOAT16: return (double)value_half_to_float((uint16_t)bits);
    case TS_BFLOAT16: return (double)value_bfloat_to_float((uint16_t)bits);
    default: break;
    }
    if (!type)
        return 0;
    return type->is_signed ? (double)signed_value(type, bits) : (double)bits;
}

bool value_store_int(uint32_t dtype, void *p, int64_t value)
{
    const ts_dtype_info *type = tensor_dtype(dtype);
    if (!type || tensor_element_bytes(dtype) == 0)
        return false;
    if (type->is_float) { /* exact if the conversion back gives the same number */
        unsigned char element[8];
        double d = (double)value;
        if (d == 0x1p63 || (int64_t)d != value)
            return false;
        value_store_double(dtype, element, d);
        if (value_to_double(dtype, element) != d)
            return false;
        memcpy(p, element, tensor_element_bytes(dtype));
        return true;
    }
    unsigned value_bit_count = dtype == TS_BOOLEAN ? 1 : type->bits - (type->is_signed ? 1u : 0u);
    int64_t magnitude = value < 0 && type->is_signed ? ~value : value;
    if (magnitude < 0 || (value_bit_count < 63 && magnitude >> value_bit_count != 0))
        return false;
    value_store_bits(dtype, p, (uint64_t)value);
    return true;
}

/* Of integers whose bytes are copied: the least and the greatest. */
static bool range_of(uint32_t dtype, int64_t *least, int64_t *greatest)
{
    const ts_dtype_info *type = tensor_dtype(dtype);
    if (!type || type->is_float || dtype == TS_BOOLEAN || type->bits % 8 != 0)
        return false;
    *greatest = type->bits == 64 ? INT64_MAX : (INT64_C(1) << (type->bits - (type->is_signed ? 1u : 0u))) - 1;
    *least = !type->is_signed ? 0 : type->bits == 64 ? INT64_MIN : -*greatest - 1;
    return true;
}

static inline void store_each(unsigned char *p, size_t step, const int64_t *values, size_t count, size_t size)
{
    for (size_t k = 0; k < count; ++k)
        value_store_bytes(p + k * step, (uint64_t)values[k], size);
}

size_t value_store_ints(uint32_t dtype, void *p, size_t step, const int64_t *values, size_t count)
{
    unsigned char *to = p;
    int64_t least, greatest;
    size_t fit = 0;
    if (!range_of(dtype, &least, &greatest)) {
        while (fit < count && value_store_int(dtype, to + fit * step, values[fit]))
            ++fit;
        return fit;
    }
    while (fit < count && values[fit] >= least && values[fit] <= greatest)
        ++fit;
    switch (tensor_element_bytes(dtype)) {
    case 1: store_each(to, step, values, fit, 1); break;
    case 2: store_each(to, step, values, fit, 2); break;
    case 4: store_each(to, step, values, fit, 4); break;
    default: store_each(to, step, values, fit, 8); break;
    }
    return fit;
}

bool value_store_double(uint32_t dtype, void *p, double value)
{
    switch (dtype) {
    case TS_FLOAT64: value_store_bits(dtype, p, double_bits(value)); return true;
    case TS_FLOAT32: value_store_bits(dtype, p, float_bits((float)value)); return true;
    case TS_FLOAT16: value_store_bits(dtype, p, narrow(&half, double_bits(value))); return true;
    case TS_BFLOAT16: value_store_bits(dtype, p, narrow(&bfloat, double_bits(value))); return true;
    default: break;
    }
    if (dtype == TS_UINT64 && value >= 0x1p63 && value < 0x1p64) { /* every double here is an integer */
        value_store_bits(dtype, p, (uint64_t)value);
        return true;
    }
    if (!(value >= -0x1p63 && value < 0x1p63) || (double)(int64_t)value != value)
        return false;
    return value_store_int(dtype, p, (int64_t)value);
}

/* ---- text -------------------------------------------------------------------------------------------------- */

/* The shortest decimal text that reads back to the same bits. */
static void format_float(uint32_t dtype, const void *p, char *buf, size_t size)
{
    double value = value_to_double(dtype, p);
    uint64_t bits = value_bits(dtype, p), sign = (uint64_t)1 << (8 * tensor_element_bytes(dtype) - 1);
    if (value != value) {
        snprintf(buf, size, "nan(0x%0*" PRIx64 ")", (int)(2 * tensor_element_bytes(dtype)), bits);
        return;
    }
    if (value - value != 0) {
        snprintf(buf, size, "%s", bits & sign ? "-inf" : "inf");
        return;
    }
    if (value > -1e9 && value < 1e9 && (double)(int64_t)value == value) {
        snprintf(buf, size, "%.0f", value); /* 100000 rather than 1e+05 */
        return;
    }
    for (int digits = 1; digits <= 17; ++digits) {
        unsigned char again[8];
        char text[32];
        snprintf(text, sizeof text, "%.*g", digits, value);
        value_store_double(dtype, again, strtod(text, NULL));
        if (value_bits(dtype, again) == bits || digits == 17) {
            snprintf(buf, size, "%s", text);
            return;
        }
    }
}

char *value_format(uint32_t dtype, const void *p, char *buf, size_t size)
{
    const ts_dtype_info *type = tensor_dtype(dtype);
    uint64_t bits = value_bits(dtype, p);
    if (!type || tensor_element_bytes(dtype) == 0)
        snprintf(buf, size, "?");
    else if (type->is_float)
        format_float(dtype, p, buf, size);
    else if (dtype == TS_BOOLEAN && bits <= 1)
        snprintf(buf, size, "%s", bits ? "true" : "false");
    else if (type->is_signed)
        snprintf(buf, size, "%" PRId64, signed_value(type, bits));
    else
        snprintf(buf, size, "%" PRIu64, bits);
    return buf;
}

char *value_format_bits(uint32_t dtype, uint64_t bits, char *buf, size_t size)
{
    unsigned char element[8] = { 0 };
    char value[48];
    value_store_bits(dtype, element, bits);
    value_format(dtype, element, value, sizeof value);
    snprintf(buf, size, "0x%0*" PRIx64 " (%s)", (int)(2 * tensor_element_bytes(dtype)), bits, value);
    return buf;
}

char *value_format_list(const uint64_t *numbers, uint32_t count, char *buf, size_t size)
{
    size_t used = (size_t)snprintf(buf, size, "[");
    for (uint32_t i = 0; i < count && used < size; ++i)
        used += (size_t)snprintf(buf + used, size - used, "%s%" PRIu64, i ? "," : "", numbers[i]);
    if (used < size)
        snprintf(buf + used, size - used, "]");
    return buf;
}

char *value_format_shape(const ts_shape *shape, char *buf, size_t size)
{
    if (shape->rank <= TS_MAX_DIMS)
        return value_format_list(shape->sizes, shape->rank, buf, size);
    if (shape->rank == TS_RANK_UNREPORTED)
        snprintf(buf, size, "none");
    else
        snprintf(buf, size, "%u dimensions", (unsigned)shape->rank);
    return buf;
}
