/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of floats, by which no case is judged (CS-10): two numbers are added and the sum is rounded to the nearest one
   of their type, ties to even. */
#include "harness/model/operator.h"

#include <math.h>

/* A binary16 is a number of units below 2048: its ten bits of a fraction, and a leading 1 if it is no denormal. The
   unit is 2^-24 for an exponent of 0 or 1, and doubles with each further one. */
#define UNIT     0x1p-24
#define LEADING  1024
#define INFINITE 31

static double half_value(uint64_t bits)
{
    const unsigned exponent = (unsigned)(bits >> 10 & 31);
    double size = UNIT * (double)(bits % LEADING + (exponent ? LEADING : 0));
    for (unsigned i = 1; i < exponent; ++i)
        size *= 2;
    if (exponent == INFINITE)
        size = bits % LEADING ? (double)NAN : (double)INFINITY;
    return bits >> 15 & 1 ? -size : size;
}

static uint64_t half_bits(double value)
{
    const uint64_t sign = signbit(value) ? 0x8000 : 0;
    double units = (signbit(value) ? -value : value) / UNIT;
    uint64_t exponent = 0; /* the leading 1 of a number that is no denormal counts it up to 1 */
    if (isnan(units))
        return INFINITE << 10 | LEADING / 2;
    for (; units >= 2 * LEADING && exponent < INFINITE; ++exponent)
        units /= 2;
    if (exponent >= INFINITE - 1)
        return sign | INFINITE << 10;
    const uint64_t below = (uint64_t)units;
    const double rest = units - (double)below;
    return sign | ((exponent << 10) + below + (rest > 0.5 || (rest == 0.5 && below % 2 == 1)));
}

uint64_t dml_cumulative_summation_add_floats(uint32_t dtype, uint64_t a, uint64_t b);
uint64_t dml_cumulative_summation_add_floats(uint32_t dtype, uint64_t a, uint64_t b)
{
    const uint32_t bits[] = { (uint32_t)a, (uint32_t)b };
    float numbers[2];
    uint32_t sum;
    if (dtype == TS_FLOAT16)
        return half_bits(half_value(a) + half_value(b)); /* which a double holds exactly */
    memcpy(numbers, bits, sizeof bits);
    numbers[0] += numbers[1];
    memcpy(&sum, numbers, sizeof sum);
    return sum;
}
