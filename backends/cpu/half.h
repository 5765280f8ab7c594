/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of half precision, which C has no type for. */
#ifndef TOUCHSTONE_CPU_HALF_H
#define TOUCHSTONE_CPU_HALF_H

#include <stdint.h>
#include <string.h>

/* A half as a float, which holds it exactly: by shifts of the bits, as the number is a float of which 13 bits and much of
   the exponent are unused. */
static inline float cpu_widen(uint16_t half)
{
    const uint32_t sign = (uint32_t)(half & 0x8000) << 16, rest = (uint32_t)(half & 0x7FFF) << 13;
    uint32_t bits = sign | (rest >= 0x0F800000 ? rest + 0x70000000 : rest);
    float value;
    memcpy(&value, &bits, sizeof value);
    return rest >= 0x0F800000 ? value
                              : value * 0x1p112f; /* a denormal float is the small number, 2^112 times smaller */
}

#endif
