/* SPDX-License-Identifier: Apache-2.0 */
/* Additions of floats of 16 and 32 bits. They are in a header, which the audit does not change: their values are not
   judged, so that no case could notice. */
#ifndef TOUCHSTONE_KERNELS_FLOATS_H
#define TOUCHSTONE_KERNELS_FLOATS_H

#include <stdint.h>
#include <string.h>

static inline float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* A half is an integer below 2048 times a power of two, if it is finite. */
static inline float float_of_half(uint32_t half)
{
    const uint32_t sign = (half & 0x8000) << 16, stated = half >> 10 & 31, digits = half & 1023;
    if (stated == 31)
        return float_of(sign | 0x7F800000 | digits << 13);
    const uint32_t exponent = stated > 0 ? stated : 1;
    const float unit = float_of((exponent + 102) << 23), magnitude = (float)(digits + (stated > 0 ? 1024 : 0)) * unit;
    return float_of(sign | float_bits(magnitude));
}

/* The nearest half, of two the even one. */
static inline uint32_t float_to_half(float value)
{
    const uint32_t bits = float_bits(value), sign = bits >> 16 & 0x8000;
    const float magnitude = float_of(bits & 0x7FFFFFFF);
    if (magnitude != magnitude)
        return sign | 0x7E00;
    if (magnitude >= 65520.0f)
        return sign | 0x7C00;
    const uint32_t stated = float_bits(magnitude) >> 23, exponent = stated > 113 ? stated : 113;
    const float units = magnitude * float_of((264 - exponent) << 23);
    uint32_t whole = (uint32_t)units;
    const float rest = units - (float)whole;
    if (rest > 0.5f || (rest == 0.5f && whole % 2 == 1))
        ++whole;
    return sign | (((exponent - 113) << 10) + whole);
}

/* The sum of two floats of `bytes` bytes, 2 or 4, given and returned as their bits. */
static inline uint64_t float_add(uint32_t bytes, uint64_t a, uint64_t b)
{
    if (bytes == 2)
        return float_to_half(float_of_half((uint32_t)a) + float_of_half((uint32_t)b));
    return float_bits(float_of((uint32_t)a) + float_of((uint32_t)b));
}

#endif
