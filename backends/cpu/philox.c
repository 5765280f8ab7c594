/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/cpu/philox_wide.h"

#include <string.h>

static void one_block(const philox_state *state, uint32_t words[4])
{
    uint32_t c0 = state->counter[0], c1 = state->counter[1], c2 = state->counter[2], c3 = state->counter[3];
    uint32_t k0 = state->key[0], k1 = state->key[1];
    for (int round = 0; round < PHILOX_ROUNDS; ++round) {
        const uint64_t p0 = (uint64_t)PHILOX_MULTIPLIER_0 * c0;
        const uint64_t p1 = (uint64_t)PHILOX_MULTIPLIER_1 * c2;
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)p1;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)p0;
        k0 += PHILOX_WEYL_0;
        k1 += PHILOX_WEYL_1;
    }
    words[0] = c0;
    words[1] = c1;
    words[2] = c2;
    words[3] = c3;
}

/* The portable loop. Each word of the counter is an array over the blocks of a group, so that a round is a loop without
   dependences, which compilers turn into vectors. */
static void loop_portable(const philox_state *state, uint32_t *restrict to, uint64_t groups)
{
    uint32_t first = state->counter[0];
    const uint32_t w1 = state->counter[1], w2 = state->counter[2], w3 = state->counter[3];
    for (uint64_t group = 0; group < groups; ++group, first += PHILOX_GROUP, to += 4 * (size_t)PHILOX_GROUP) {
        uint32_t c0[PHILOX_GROUP], c1[PHILOX_GROUP], c2[PHILOX_GROUP], c3[PHILOX_GROUP];
        for (uint32_t i = 0; i < PHILOX_GROUP; ++i) {
            c0[i] = first + i;
            c1[i] = w1;
            c2[i] = w2;
            c3[i] = w3;
        }
        uint32_t k0 = state->key[0], k1 = state->key[1];
        for (int round = 0; round < PHILOX_ROUNDS; ++round) {
            for (uint32_t i = 0; i < PHILOX_GROUP; ++i) {
                const uint64_t p0 = (uint64_t)PHILOX_MULTIPLIER_0 * c0[i];
                const uint64_t p1 = (uint64_t)PHILOX_MULTIPLIER_1 * c2[i];
                c0[i] = (uint32_t)(p1 >> 32) ^ c1[i] ^ k0;
                c1[i] = (uint32_t)p1;
                c2[i] = (uint32_t)(p0 >> 32) ^ c3[i] ^ k1;
                c3[i] = (uint32_t)p0;
            }
            k0 += PHILOX_WEYL_0;
            k1 += PHILOX_WEYL_1;
        }
        for (uint32_t i = 0; i < PHILOX_GROUP; ++i) {
            to[4 * i] = c0[i];
            to[4 * i + 1] = c1[i];
            to[4 * i + 2] = c2[i];
            to[4 * i + 3] = c3[i];
        }
    }
}

void philox_skip(philox_state *state, uint64_t blocks)
{
    uint64_t low = state->counter[0] | (uint64_t)state->counter[1] << 32;
    uint64_t high = state->counter[2] | (uint64_t)state->counter[3] << 32;
    low += blocks;
    if (low < blocks)
        ++high;
    state->counter[0] = (uint32_t)low;
    state->counter[1] = (uint32_t)(low >> 32);
    state->counter[2] = (uint32_t)high;
    state->counter[3] = (uint32_t)(high >> 32);
}

void philox_words(philox_state *state, uint32_t *to, uint64_t n)
{
    philox_loop loop = n >= 4 * PHILOX_GROUP ? philox_wide_loop() : NULL;
    if (!loop)
        loop = loop_portable;
    while (n >= 4 * PHILOX_GROUP) {
        const uint64_t room = UINT64_C(0x100000000) - state->counter[0]; /* blocks until word 0 wraps */
        uint64_t groups = n / (4 * PHILOX_GROUP);
        if (groups > room / PHILOX_GROUP)
            groups = room / PHILOX_GROUP;
        if (groups > 0) {
            loop(state, to, groups);
            philox_skip(state, groups * PHILOX_GROUP);
            to += groups * 4 * PHILOX_GROUP;
            n -= groups * 4 * PHILOX_GROUP;
        } else {
            /* The group that carries into word 1: block by block. */
            for (unsigned i = 0; i < PHILOX_GROUP; ++i, to += 4, n -= 4) {
                one_block(state, to);
                philox_skip(state, 1);
            }
        }
    }
    for (; n >= 4; n -= 4, to += 4) {
        one_block(state, to);
        philox_skip(state, 1);
    }
    if (n > 0) {
        uint32_t words[4];
        one_block(state, words);
        philox_skip(state, 1);
        memcpy(to, words, (size_t)n * sizeof *words);
    }
}
