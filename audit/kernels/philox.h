/* SPDX-License-Identifier: Apache-2.0 */
/* Philox 4x32 of 10 rounds, four blocks at a time. */
#ifndef TOUCHSTONE_KERNELS_PHILOX_H
#define TOUCHSTONE_KERNELS_PHILOX_H

#include <stdint.h>

#define PHILOX_BLOCK_WORDS 4
#define PHILOX_STATE_WORDS 6

/* The keys of all rounds. */
typedef struct philox_keys {
    uint32_t rounds[10][2];
} philox_keys;

/* A stream of blocks: its next counter in two halves. */
typedef struct philox_stream {
    uint64_t low, high;
    const philox_keys *keys;
} philox_stream;

/* The keys that follow from the key of a state. */
void philox_expand(philox_keys *keys, uint32_t key_0, uint32_t key_1);

/* Move the counter on, modulo 2^128. */
void philox_skip(philox_stream *s, uint64_t blocks);

/* Write the next n words to `to`, which need not be aligned, and move on behind the last block begun. */
void philox_words(philox_stream *s, unsigned char *to, uint64_t n);

#endif
