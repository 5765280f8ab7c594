/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A keyed permutation of 0 .. n-1: every number once, in an order that looks like chance and follows from the key
 * alone. Nothing is stored, whatever n is. A Feistel network over the next even number of bits; what falls behind n is
 * put through again until it does not.
 */
#ifndef TOUCHSTONE_SHUFFLE_H
#define TOUCHSTONE_SHUFFLE_H

#include <stdint.h>

/* The number at place i of the order; i < n. */
uint64_t shuffle_at(uint64_t key, uint64_t n, uint64_t i);

#endif
