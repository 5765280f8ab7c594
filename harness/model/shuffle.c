/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/shuffle.h"

#include "harness/model/fill.h"

enum { ROUNDS = 6 };

/* Half of the bits that n - 1 needs, rounded up. */
static unsigned half_bits(uint64_t n)
{
    unsigned bits = 0;
    while (bits < 64 && n > 1 && (n - 1) >> bits)
        ++bits;
    return bits > 1 ? (bits + 1) / 2 : 1;
}

uint64_t shuffle_at(uint64_t key, uint64_t n, uint64_t i)
{
    const unsigned half = half_bits(n);
    const uint64_t mask = (UINT64_C(1) << half) - 1;
    do { /* less than four iterations on average: the network's range is less than 4 n */
        uint64_t left = i >> half & mask, right = i & mask;
        for (uint64_t round = 0; round < ROUNDS; ++round) {
            uint64_t next = left ^ (fill_mix(key + fill_mix(right + (round << 32))) & mask);
            left = right;
            right = next;
        }
        i = left << half | right;
    } while (i >= n);
    return i;
}
