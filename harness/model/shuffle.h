/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A keyed pseudo-random permutation of 0 .. n-1, computed without storing it: a Feistel network over the next even
 * number of bits, repeated until the result is below n.
 */
#ifndef TOUCHSTONE_SHUFFLE_H
#define TOUCHSTONE_SHUFFLE_H

#include <stdint.h>

/* The number at position i of the permutation; i < n. */
uint64_t shuffle_at(uint64_t key, uint64_t n, uint64_t i);

#endif
