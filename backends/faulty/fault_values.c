/* SPDX-License-Identifier: Apache-2.0 */
/* Faults in the bits of an element: copies through another type, a register or a vector. */
#include "backends/faulty/fault.h"

/* The format of a float type. */
typedef struct float_format {
    unsigned mantissa; /* bits */
    unsigned exponent;
} float_format;

static bool format_of(uint32_t dtype, float_format *f)
{
    switch (dtype) {
    case TS_FLOAT16: *f = (float_format){ 10, 5 }; return true;
    case TS_BFLOAT16: *f = (float_format){ 7, 8 }; return true;
    case TS_FLOAT32: *f = (float_format){ 23, 8 }; return true;
    case TS_FLOAT64: *f = (float_format){ 52, 11 }; return true;
    default: return false;
    }
}

/* A modification of one element that depends only on its bits. */
typedef uint64_t (*change)(uint64_t bits, float_format f);

typedef struct changing {
    change fn;
    float_format format;
} changing;

static void change_one(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    (void)number;
    const changing *c = context;
    const uint64_t bits = c->fn(fault_bits(element, bytes), c->format);
    memcpy(element, &bits, bytes);
}

static void change_floats(const fault_call *call, change fn)
{
    fault_run_right(call);
    changing c = { fn, { 0, 0 } };
    if (format_of(call->out->dtype, &c.format))
        fault_each(call->out, change_one, &c);
}

static uint64_t mantissa_mask(float_format f)
{
    return (UINT64_C(1) << f.mantissa) - 1;
}

static uint64_t exponent_mask(float_format f)
{
    return ((UINT64_C(1) << f.exponent) - 1) << f.mantissa;
}

static bool is_nan(uint64_t bits, float_format f)
{
    return (bits & exponent_mask(f)) == exponent_mask(f) && (bits & mantissa_mask(f)) != 0;
}

static uint64_t flushed(uint64_t bits, float_format f)
{
    return (bits & exponent_mask(f)) == 0 ? bits & ~mantissa_mask(f) : bits;
}

static uint64_t quieted(uint64_t bits, float_format f)
{
    return is_nan(bits, f) ? bits | UINT64_C(1) << (f.mantissa - 1) : bits;
}

static uint64_t canonical(uint64_t bits, float_format f)
{
    return is_nan(bits, f) ? exponent_mask(f) | UINT64_C(1) << (f.mantissa - 1) : bits;
}

static uint64_t positive_zero(uint64_t bits, float_format f)
{
    return bits == UINT64_C(1) << (f.mantissa + f.exponent) ? 0 : bits;
}

static uint64_t infinity_to_largest(uint64_t bits, float_format f)
{
    return (bits & (exponent_mask(f) | mantissa_mask(f))) == exponent_mask(f) ? bits - 1 : bits;
}

static void flush_denormals(const fault_call *call)
{
    change_floats(call, flushed);
}

static void quiet_nan(const fault_call *call)
{
    change_floats(call, quieted);
}

static void canonical_nan(const fault_call *call)
{
    change_floats(call, canonical);
}

static void negative_zero(const fault_call *call)
{
    change_floats(call, positive_zero);
}

static void saturate_infinity(const fault_call *call)
{
    change_floats(call, infinity_to_largest);
}

/* 64-bit integers on a device without 64-bit arithmetic. */
static void through_double(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    (void)number;
    uint64_t bits = fault_bits(element, bytes);
    const bool is_signed = *(const bool *)context;
    if (is_signed) {
        const double value = (double)(int64_t)bits;
        bits = value >= 0x1p63 ? (uint64_t)INT64_MAX : (uint64_t)(int64_t)value;
    } else {
        const double value = (double)bits;
        bits = value >= 0x1p64 ? UINT64_MAX : (uint64_t)value;
    }
    memcpy(element, &bits, bytes);
}

static void int64_double(const fault_call *call)
{
    fault_run_right(call);
    bool is_signed = call->out->dtype == TS_INT64;
    if (is_signed || call->out->dtype == TS_UINT64)
        fault_each(call->out, through_double, &is_signed);
}

static void low_word(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    (void)number;
    const bool is_signed = *(const bool *)context;
    uint64_t bits = fault_bits(element, bytes);
    bits = is_signed && (bits & 0x80000000u) ? bits | 0xFFFFFFFF00000000u : bits & 0xFFFFFFFFu;
    memcpy(element, &bits, bytes);
}

static void int64_truncated(const fault_call *call)
{
    fault_run_right(call);
    bool is_signed = call->out->dtype == TS_INT64;
    if (tensor_element_bytes(call->out->dtype) == 8)
        fault_each(call->out, low_word, &is_signed);
}

static void drop_low_bit(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    (void)number;
    (void)context;
    uint32_t bits = (uint32_t)fault_bits(element, bytes);
    const float value = (float)(int32_t)bits; /* a 24-bit mantissa for a 32-bit integer */
    bits = value >= 0x1p31f ? (uint32_t)INT32_MAX : (uint32_t)(int32_t)value;
    memcpy(element, &bits, bytes);
}

static void int32_float(const fault_call *call)
{
    fault_run_right(call);
    if (call->out->dtype == TS_INT32)
        fault_each(call->out, drop_low_bit, NULL);
}

/* The lanes of a packed pair of 16-bit values. */
typedef struct pair {
    unsigned char *first;
} pair;

static void swap_with_first(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    pair *p = context;
    if (number % 2 == 0) {
        p->first = element;
        return;
    }
    unsigned char kept[8];
    memcpy(kept, p->first, bytes);
    memcpy(p->first, element, bytes);
    memcpy(element, kept, bytes);
}

static void half_lanes(const fault_call *call)
{
    fault_run_right(call);
    pair p = { NULL };
    if (call->out->dtype == TS_FLOAT16)
        fault_each(call->out, swap_with_first, &p);
}

static void byte_order(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    (void)context;
    (void)number;
    for (size_t i = 0; i < bytes / 2; ++i) {
        const unsigned char kept = element[i];
        element[i] = element[bytes - 1 - i];
        element[bytes - 1 - i] = kept;
    }
}

static void bytes_swapped(const fault_call *call)
{
    fault_run_right(call);
    if (tensor_element_bytes(call->out->dtype) == 2)
        fault_each(call->out, byte_order, NULL);
}

static void sign_of_bytes(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    (void)context;
    (void)number;
    (void)bytes;
    if (*element > 127)
        *element = 127;
}

static void u8_saturated(const fault_call *call)
{
    fault_run_right(call);
    if (call->out->dtype == TS_UINT8)
        fault_each(call->out, sign_of_bytes, NULL);
}

static void symmetric(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    (void)context;
    (void)number;
    (void)bytes;
    if (*element == 0x80)
        *element = 0x81;
}

static void i8_symmetric(const fault_call *call)
{
    fault_run_right(call);
    if (call->out->dtype == TS_INT8)
        fault_each(call->out, symmetric, NULL);
}

static uint64_t unsigned_nan(uint64_t bits, float_format f)
{
    return is_nan(bits, f) ? bits & (exponent_mask(f) | mantissa_mask(f)) : bits;
}

static void nan_sign(const fault_call *call)
{
    change_floats(call, unsigned_nan);
}

static void to_signed(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    const uint64_t largest = INT64_MAX;
    (void)context;
    (void)number;
    if (fault_bits(element, bytes) > largest)
        memcpy(element, &largest, sizeof largest);
}

static void u64_saturated(const fault_call *call)
{
    fault_run_right(call);
    if (call->out->dtype == TS_UINT64)
        fault_each(call->out, to_signed, NULL);
}

static void words_quieted(const fault_call *call)
{
    changing c = { quieted, { 0, 0 } };
    fault_run_right(call);
    if (format_of(TS_FLOAT32, &c.format))
        fault_each(call->out, change_one, &c);
}

static const fault rows[] = {
    { "flush-denormals", ON_COPIES | ON_OTHER, VALUES, "denormals become 0, as in some float units",
      .execute = flush_denormals },
    { "quiet-nan", ON_COPIES | ON_OTHER, VALUES, "signalling NaNs become quiet, as in some float units",
      .execute = quiet_nan },
    { "canonical-nan", ON_COPIES | ON_OTHER, VALUES, "a conversion loses the payload of NaNs",
      .execute = canonical_nan },
    { "negative-zero", ON_COPIES | ON_OTHER, VALUES, "-0 becomes +0 by an addition of 0", .execute = negative_zero },
    { "saturate-infinity", ON_COPIES | ON_OTHER, VALUES,
      "infinity becomes the largest number by a saturating conversion", .execute = saturate_infinity },
    { "int64-double", ON_COPIES | ON_OTHER | ON_CUMULATIVE_SUMMATION, VALUES, "64-bit integers are converted to double",
      .execute = int64_double },
    { "int64-truncated", ON_COPIES | ON_OTHER | ON_CUMULATIVE_SUMMATION, VALUES,
      "only the low 32 bits of 64-bit elements are copied", .execute = int64_truncated },
    { "int32-float", ON_COPIES | ON_OTHER | ON_CUMULATIVE_SUMMATION, VALUES, "i32 is converted to f32",
      .execute = int32_float },
    { "half-lanes", ON_COPIES | ON_OTHER, VALUES, "the two f16 of a 32-bit register are stored the wrong way round",
      .execute = half_lanes },
    { "bytes-swapped", ON_COPIES | ON_OTHER, VALUES, "16-bit elements are stored in the other byte order",
      .execute = bytes_swapped },
    { "u8-saturated", ON_COPIES | ON_OTHER, VALUES, "u8 goes through a signed byte with saturation",
      .execute = u8_saturated },
    { "i8-symmetric", ON_COPIES | ON_OTHER, VALUES, "-128 becomes -127 in a symmetric range", .execute = i8_symmetric },
    { "nan-sign", ON_COPIES | ON_OTHER, VALUES, "NaNs lose their sign", .execute = nan_sign },
    { "u64-saturated", ON_COPIES | ON_OTHER | ON_CUMULATIVE_SUMMATION, VALUES, "u64 goes through i64 with saturation",
      .execute = u64_saturated },
    { "words-quieted", ON_RANDOM, VALUES, "words go through float registers, where signalling NaNs become quiet",
      .execute = words_quieted },
};

const fault_table fault_values = { rows, sizeof rows / sizeof *rows };
