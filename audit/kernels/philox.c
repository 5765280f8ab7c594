/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/kernels/philox.h"

#include <string.h>

enum { ROUNDS = 10, LANES = 4 };

static const uint32_t multipliers[2] = { 0xD2511F53, 0xCD9E8D57 };
static const uint32_t increments[2] = { 0x9E3779B9, 0xBB67AE85 };

/* A word of each of four blocks. */
typedef struct lanes {
    uint32_t words[PHILOX_BLOCK_WORDS][LANES];
} lanes;

void philox_expand(philox_keys *keys, uint32_t key_0, uint32_t key_1)
{
    for (uint32_t round = 0; round < ROUNDS; ++round) {
        keys->rounds[round][0] = key_0 + round * increments[0];
        keys->rounds[round][1] = key_1 + round * increments[1];
    }
}

void philox_skip(philox_stream *s, uint64_t blocks)
{
    s->low += blocks;
    if (s->low < blocks)
        s->high++;
}

/* The counters of the next four blocks. A carry out of the low half can be between two of them. */
static void load_counters(const philox_stream *s, lanes *c)
{
    for (uint32_t lane = 0; lane < LANES; ++lane) {
        const uint64_t low = s->low + lane;
        const uint64_t high = low < lane ? s->high + 1 : s->high;
        c->words[0][lane] = (uint32_t)low;
        c->words[1][lane] = (uint32_t)(low >> 32);
        c->words[2][lane] = (uint32_t)high;
        c->words[3][lane] = (uint32_t)(high >> 32);
    }
}

static void rounds(const philox_keys *keys, lanes *c)
{
    for (uint32_t round = 0; round < ROUNDS; ++round) {
        const uint32_t *key = keys->rounds[round];
        for (uint32_t lane = 0; lane < LANES; ++lane) {
            const uint64_t even = (uint64_t)multipliers[0] * c->words[0][lane];
            const uint64_t odd = (uint64_t)multipliers[1] * c->words[2][lane];
            c->words[0][lane] = (uint32_t)(odd >> 32) ^ c->words[1][lane] ^ key[0];
            c->words[1][lane] = (uint32_t)odd;
            c->words[2][lane] = (uint32_t)(even >> 32) ^ c->words[3][lane] ^ key[1];
            c->words[3][lane] = (uint32_t)even;
        }
    }
}

/* Four blocks, block after block. */
static void four_blocks(const philox_stream *s, uint32_t out[LANES * PHILOX_BLOCK_WORDS])
{
    lanes c;
    load_counters(s, &c);
    rounds(s->keys, &c);
    for (uint32_t lane = 0; lane < LANES; ++lane)
        for (uint32_t word = 0; word < PHILOX_BLOCK_WORDS; ++word)
            out[lane * PHILOX_BLOCK_WORDS + word] = c.words[word][lane];
}

void philox_words(philox_stream *s, unsigned char *to, uint64_t n)
{
    uint32_t words[LANES * PHILOX_BLOCK_WORDS];
    const uint64_t batch = LANES * PHILOX_BLOCK_WORDS;
    for (; n >= batch; n -= batch) {
        four_blocks(s, words);
        memcpy(to, words, sizeof words);
        to += sizeof words;
        philox_skip(s, LANES);
    }
    if (n == 0)
        return;
    /* The tail: the blocks that it needs no word of are not counted. */
    four_blocks(s, words);
    memcpy(to, words, (size_t)n * sizeof *words);
    philox_skip(s, (n + PHILOX_BLOCK_WORDS - 1) / PHILOX_BLOCK_WORDS);
}
