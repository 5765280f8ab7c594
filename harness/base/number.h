/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of 64 bits as few bytes: seven bits a byte, the lowest first; all bytes but the last have the eighth bit. */
#ifndef TOUCHSTONE_NUMBER_H
#define TOUCHSTONE_NUMBER_H

#include "harness/base/text.h"

#define NUMBER_BYTES 10 /* of the largest number */

/* Write a number, and return how many bytes it takes. */
static inline size_t number_write(uint8_t *to, uint64_t n)
{
    size_t used = 0;
    for (; n >= 0x80; n >>= 7)
        to[used++] = (uint8_t)(n | 0x80);
    to[used++] = (uint8_t)n;
    return used;
}

/* Append a number to a text that is no string. */
static inline void number_add(text *t, uint64_t n)
{
    uint8_t bytes[NUMBER_BYTES];
    text_bytes(t, bytes, number_write(bytes, n));
}

/* Read the number at bytes[*at], and move *at behind it. False: there is none before `size`. */
static inline bool number_read(const uint8_t *bytes, size_t size, size_t *at, uint64_t *n)
{
    *n = 0;
    for (unsigned shift = 0; shift < 64 && *at < size; shift += 7) {
        const uint8_t byte = bytes[(*at)++];
        *n |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

/* Numbers that are read one after the other. */
typedef struct number_reader {
    const uint8_t *bytes;
    size_t size, at;
    bool broken; /* a number was missing */
} number_reader;

/* The next number; 0, and broken, if there is none. */
static inline uint64_t number_next(number_reader *r)
{
    uint64_t n = 0;
    if (number_read(r->bytes, r->size, &r->at, &n))
        return n;
    r->broken = true;
    return 0;
}

#endif
