/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What input tensors hold. The content of an element depends on its position in the buffer (not in the tensor), so
 * that gaps hold values as well and an overlapping layout is no conflict: what was read can be told even if it was
 * read from where the tensor has nothing.
 */
#ifndef TOUCHSTONE_FILL_H
#define TOUCHSTONE_FILL_H

#include "harness/model/tensor.h"

#define FILL_REST 0x5A /* what bytes behind the last whole element hold */

typedef enum fill {
    FILL_INJECTIVE, /* position p holds p + 1, as long as the type can tell positions apart */
    FILL_BITS,      /* random bits, a function of key and position alone */
    FILL_SPECIAL,   /* quiet and signalling NaNs with payloads, both zeros, infinities, denormals, extremes, in turn */
    FILL_COUNT
} fill;

const char *fill_name(fill f);

/* The bits of one element. */
uint64_t fill_element(fill f, uint32_t dtype, uint64_t position, uint64_t key);

/* Fill `bytes` bytes at p (a whole number of elements, then a rest that is filled as bytes). */
void fill_buffer(fill f, uint32_t dtype, void *p, uint64_t bytes, uint64_t key);

/* The beginnings of buffers whose fill depends on the position alone, made once. Zero it before use. */
#define FILL_CACHE_BYTES 16384
typedef struct fill_cache {
    unsigned char *patterns[FILL_COUNT][TS_DTYPE_COUNT];
} fill_cache;
void fill_cache_free(fill_cache *c);

/* fill_buffer, by copying from the cache where it can. NULL is no cache. */
void fill_cached(fill_cache *c, fill f, uint32_t dtype, void *p, uint64_t bytes, uint64_t key);

/* Fill with digit `pass` of each element's position, in a base that the type can hold: reading the same element in
   fill_digit_passes(dtype, elements) passes tells its position. fill_digit_of tells the digit of an element's bits,
   or -1 where it is none. */
void fill_digits(uint32_t dtype, void *p, uint64_t bytes, unsigned pass);
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
