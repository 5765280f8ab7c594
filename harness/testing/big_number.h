/* SPDX-License-Identifier: Apache-2.0 */
/* Whole numbers of 640 bits, more than any rule makes of a descriptor, for tests that compute in another way what the
   checker computes. None is negative: what a rule subtracts is added on the other side. */
#ifndef TOUCHSTONE_BIG_NUMBER_H
#define TOUCHSTONE_BIG_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#define BIG_DIGITS 20

typedef struct big_number {
    uint32_t digits[BIG_DIGITS]; /* the lowest first */
} big_number;

static inline big_number big_of(uint64_t n)
{
    return (big_number){ .digits = { (uint32_t)n, (uint32_t)(n >> 32) } };
}

static inline big_number big_add(big_number a, big_number b)
{
    uint64_t carry = 0;
    for (unsigned i = 0; i < BIG_DIGITS; ++i) {
        carry += (uint64_t)a.digits[i] + b.digits[i];
        a.digits[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return a;
}

static inline big_number big_add64(big_number a, uint64_t b)
{
    return big_add(a, big_of(b));
}

/* What exceeds 640 bits is lost. */
static inline big_number big_mul(big_number a, big_number b)
{
    big_number product = { .digits = { 0 } };
    unsigned digits = BIG_DIGITS; /* of b */
    while (digits > 0 && b.digits[digits - 1] == 0)
        --digits;
    for (unsigned i = 0; i < BIG_DIGITS; ++i) {
        uint64_t carry = 0;
        for (unsigned k = 0; a.digits[i] != 0 && (k < digits || carry) && i + k < BIG_DIGITS; ++k) {
            carry += (k < digits ? (uint64_t)a.digits[i] * b.digits[k] : 0) + product.digits[i + k];
            product.digits[i + k] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    return product;
}

static inline big_number big_mul64(big_number a, uint64_t b)
{
    return big_mul(a, big_of(b));
}

/* Half of it, rounded down. */
static inline big_number big_half(big_number n)
{
    for (unsigned i = 0; i < BIG_DIGITS; ++i)
        n.digits[i] = n.digits[i] >> 1 | (i + 1 < BIG_DIGITS ? n.digits[i + 1] << 31 : 0);
    return n;
}

/* Negative, 0 or positive: a is less than b, equal, or greater. */
static inline int big_compare(big_number a, big_number b)
{
    for (unsigned i = BIG_DIGITS; i-- > 0;)
        if (a.digits[i] != b.digits[i])
            return a.digits[i] < b.digits[i] ? -1 : 1;
    return 0;
}

/* The number modulo 2^64: what is left of it where 64 bits do not hold it. */
static inline uint64_t big_low(big_number n)
{
    return (uint64_t)n.digits[1] << 32 | n.digits[0];
}

static inline bool big_is(big_number n, uint64_t value)
{
    return big_compare(n, big_of(value)) == 0;
}

#endif
