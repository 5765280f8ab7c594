/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The contents of input tensors. The value of an element depends on its position in the buffer, not on its coordinate.
 * So gaps have values too, overlapping layouts have no conflicts, and a value that a backend read from a gap can be
 * traced to its position.
 */
#ifndef TOUCHSTONE_FILL_H
#define TOUCHSTONE_FILL_H

#include "harness/model/tensor.h"

#define FILL_REST 0x5A /* the bytes behind the last whole element */

typedef enum fill {
    FILL_INJECTIVE, /* position p holds p + 1, while the type has distinct values */
    FILL_BITS,      /* random bits, a function of key and position alone */
    FILL_SPECIAL, /* quiet and signalling NaNs with payloads, both zeros, infinities, denormals, extremes, cyclically */
    FILL_STRETCHES, /* as FILL_BITS, but stretches of 32 elements are zeros or equal elements, or the whole buffer is */
    FILL_INVERTED,  /* as FILL_INJECTIVE with the highest bit inverted, so that two tensors have different elements */
    FILL_ZEROS, /* none, some or all elements are zeros, of either sign; the others have one bit, random ones, or are as
                   in FILL_SPECIAL: a function of key and position alone */
    FILL_CROSSED, /* those of FILL_SPECIAL, so that two inputs have every pair of them, and three every triple: the key is
                     the number of the input, and the value changes with every 16^key-th element */
    FILL_COUNT
} fill;

#define FILL_LISTED FILL_STRETCHES /* those before are all.fills of case files */

/* Does the fill depend on the key? */
static inline bool fill_uses_key(fill f)
{
    return f == FILL_BITS || f == FILL_STRETCHES || f == FILL_ZEROS || f == FILL_CROSSED;
}

const char *fill_name(fill f);

/* The bits of one element. */
uint64_t fill_element(fill f, uint32_t dtype, uint64_t position, uint64_t key);

/* Fill `bytes` bytes at p (a whole number of elements, then a rest that is filled as bytes). */
void fill_buffer(fill f, uint32_t dtype, void *p, uint64_t bytes, uint64_t key);

/* Cached beginnings of buffers whose fill depends on the position alone. Zero it before use. */
#define FILL_CACHE_BYTES 16384
typedef struct fill_cache {
    unsigned char *patterns[FILL_COUNT][TS_DTYPE_COUNT];
} fill_cache;
void fill_cache_free(fill_cache *c);

/* The same as fill_buffer, copying from the cache where possible. The cache may be NULL. */
void fill_cached(fill_cache *c, fill f, uint32_t dtype, void *p, uint64_t bytes, uint64_t key);

/* Fill with digit `pass` of each element's number, in a base that the type can represent; the first element has the
   number `first`. The values of one element in fill_digit_passes(dtype, elements) passes determine its number, of so
   many elements. fill_digit_of returns the digit that an
   element's bits represent, or -1. */
void fill_digits(uint32_t dtype, void *p, uint64_t bytes, uint64_t first, unsigned pass);
unsigned fill_digit_passes(uint32_t dtype, uint64_t elements);
uint64_t fill_digit_base(uint32_t dtype);
int64_t fill_digit_of(uint32_t dtype, uint64_t bits);

/* A 64-bit mix, used wherever numbers must look random and be the same everywhere. */
static inline uint64_t fill_mix(uint64_t x)
{
    x ^= x >> 30;
    x *= UINT64_C(0xBF58476D1CE4E5B9);
    x ^= x >> 27;
    x *= UINT64_C(0x94D049BB133111EB);
    x ^= x >> 31;
    return x;
}

#endif
