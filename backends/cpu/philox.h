/* SPDX-License-Identifier: Apache-2.0 */
/* Philox 4x32, 10 rounds: a counter and a key in, four random words per counter out. */
#ifndef TOUCHSTONE_CPU_PHILOX_H
#define TOUCHSTONE_CPU_PHILOX_H

#include <stdint.h>

typedef struct philox_state {
    uint32_t counter[4]; /* word 0 is the least significant */
    uint32_t key[2];
} philox_state;

/* Write the words of the blocks counter, counter + 1, ... until n words are written (the rest of the last block is
   dropped), and move the counter behind the last block. Two calls are one longer call if n is a multiple of 4. */
void philox_words(philox_state *state, uint32_t *to, uint64_t n);

/* Move the counter on by a number of blocks, modulo 2^128. */
void philox_skip(philox_state *state, uint64_t blocks);

#endif
