/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole numbers of 128 bits, for what follows from the numbers of a descriptor. Sizes, strides and counts have up to 64
 * bits, so what rules make of them may have more: a number that 64 bits do not hold differs from every size, instead of
 * being equal to what is left of it modulo 2^64.
 *
 * Numbers of 64 bits are added, subtracted and divided as in C, which stays far from 2^127. Products are those of
 * wide_mul, and sums of products those of wide_add, which stop at WIDE_MOST.
 */
#ifndef TOUCHSTONE_WIDE_H
#define TOUCHSTONE_WIDE_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 wide_bits;

/* 2^127 - 1, which stands for every number that is not below it. */
#define WIDE_MOST ((((wide)1 << 126) - 1) * 2 + 1)

/* The product of two numbers that are not negative. (As unsigned ones: of signed ones, clang calls a function that
   gcc's library does not have.) */
static inline wide wide_mul(wide a, wide b)
{
    wide_bits product;
    return __builtin_mul_overflow((wide_bits)a, (wide_bits)b, &product) || product > (wide_bits)WIDE_MOST
               ? WIDE_MOST
               : (wide)product;
}

/* The sum of two numbers that are not negative. */
static inline wide wide_add(wide a, wide b)
{
    return b > WIDE_MOST - a ? WIDE_MOST : a + b;
}

/* Is it a number of 64 bits, as a size is? */
static inline bool wide_fits(wide n)
{
    return n >= 0 && n <= UINT64_MAX;
}

#define WIDE_TEXT 56 /* bytes */

/* A number in decimal, for messages; what stands for numbers that are not below 2^127 - 1 says so. Returns buf. */
static inline const char *wide_text(wide n, char buf[WIDE_TEXT])
{
    char digits[WIDE_TEXT], *to = buf;
    unsigned count = 0;
    wide rest = n < 0 ? -n : n;
    do
        digits[count++] = (char)('0' + (int)(rest % 10));
    while ((rest /= 10) > 0);
    if (n < 0)
        *to++ = '-';
    while (count > 0)
        *to++ = digits[--count];
    for (const char *more = n == WIDE_MOST ? " or more" : ""; *more; ++more)
        *to++ = *more;
    *to = 0;
    return buf;
}

#endif
