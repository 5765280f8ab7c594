/* SPDX-License-Identifier: Apache-2.0 */
/* Element values as text and numbers. Comparisons never use them: they compare bytes. */
#ifndef TOUCHSTONE_VALUE_H
#define TOUCHSTONE_VALUE_H

#include "harness/model/tensor.h"

/* The little-endian bits of the element at p, zero-extended. */
uint64_t value_bits(uint32_t dtype, const void *p);

/* Store the low `size` bytes of `bits` at p, little-endian on any host. A constant size compiles to one move. */
static inline void value_store_bytes(void *p, uint64_t bits, size_t size)
{
    unsigned char *bytes = p;
    for (size_t i = 0; i < size; ++i)
        bytes[i] = (unsigned char)(bits >> 8 * i);
}

/* Store the low bits of `bits` as the element at p. */
void value_store_bits(uint32_t dtype, void *p, uint64_t bits);

/* An element as text: "3", "-0.5", "nan(0x7e01)" with the bits of a NaN, "true". Floats are printed so that
   reading them gives the same bits. Returns buf. 40 bytes are enough. */
char *value_format(uint32_t dtype, const void *p, char *buf, size_t size);

/* The bits of an element and its value: "0x40400000 (3)". 96 bytes are enough. */
char *value_format_bits(uint32_t dtype, uint64_t bits, char *buf, size_t size);

/* A coordinate, or sizes: "[1,0,2]". 22 bytes each are enough. */
char *value_format_list(const uint64_t *numbers, uint32_t count, char *buf, size_t size);

/* A shape that was reported: its sizes as above; "none" if it was not; "17 dimensions" if those are too many. */
char *value_format_shape(const ts_shape *shape, char *buf, size_t size);

/* An element as a double; exact for everything but 64-bit integers beyond 2^53. */
double value_to_double(uint32_t dtype, const void *p);

/* Store an integer. False if the type cannot represent it exactly. */
bool value_store_int(uint32_t dtype, void *p, int64_t value);

/* The same for `count` integers, `step` bytes apart. Returns how many were stored: those before the first that the type
   cannot represent. */
size_t value_store_ints(uint32_t dtype, void *p, size_t step, const int64_t *values, size_t count);

/* Store a number: rounded to nearest even for float types, false for an integer type if it is no integer or out of
   range. */
bool value_store_double(uint32_t dtype, void *p, double value);

/* binary16 and bfloat16 by their bits; to nearest even, NaN payloads truncated but kept non-zero. */
uint16_t value_half_from_float(float f);
float value_half_to_float(uint16_t h);
uint16_t value_bfloat_from_float(float f);
float value_bfloat_to_float(uint16_t b);

#endif
