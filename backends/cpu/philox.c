/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/cpu/philox.h"

#include <string.h>

#define ROUNDS 10
#define LANES  16 /* blocks in flight: enough independent work to fill the multipliers */

#define MULTIPLIER_0 0xD2511F53u
#define MULTIPLIER_1 0xCD9E8D57u
#define WEYL_0       0x9E3779B9u
#define WEYL_1       0xBB67AE85u

/* Where the toolchain can, a second version of the hot loop is made for processors with wide vectors and chosen when
   the program is loaded. */
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) &&                           \
    !defined(__SANITIZE_ADDRESS__)
#define MULTIVERSION __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define MULTIVERSION
#endif

static void one_block(const philox_state *state, uint32_t words[4])
{
    uint32_t c0 = state->counter[0], c1 = state->counter[1], c2 = state->counter[2], c3 = state->counter[3];
    uint32_t k0 = state->key[0], k1 = state->key[1];
    for (int round = 0; round < ROUNDS; ++round) {
        const uint64_t p0 = (uint64_t)MULTIPLIER_0 * c0;
        const uint64_t p1 = (uint64_t)MULTIPLIER_1 * c2;
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)p1;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)p0;
        k0 += WEYL_0;
        k1 += WEYL_1;
    }
    words[0] = c0;
    words[1] = c1;
    words[2] = c2;
    words[3] = c3;
}

/* As many groups of LANES blocks as asked. Each word of the counter is an array over the lanes, so that a round is a
   loop without dependences. Only word 0 counts here: the caller sees to it that it does not wrap. */
MULTIVERSION
static void groups_of_blocks(const philox_state *state, uint32_t *restrict to, uint64_t groups)
{
    uint32_t first = state->counter[0];
    const uint32_t w1 = state->counter[1], w2 = state->counter[2], w3 = state->counter[3];
    for (uint64_t group = 0; group < groups; ++group, first += LANES, to += 4 * (size_t)LANES) {
        uint32_t c0[LANES], c1[LANES], c2[LANES], c3[LANES];
        for (uint32_t i = 0; i < LANES; ++i) {
            c0[i] = first + i;
            c1[i] = w1;
            c2[i] = w2;
            c3[i] = w3;
        }
        uint32_t k0 = state->key[0], k1 = state->key[1];
        for (int round = 0; round < ROUNDS; ++round) {
            for (uint32_t i = 0; i < LANES; ++i) {
                const uint64_t p0 = (uint64_t)MULTIPLIER_0 * c0[i];
                const uint64_t p1 = (uint64_t)MULTIPLIER_1 * c2[i];
                c0[i] = (uint32_t)(p1 >> 32) ^ c1[i] ^ k0;
                c1[i] = (uint32_t)p1;
                c2[i] = (uint32_t)(p0 >> 32) ^ c3[i] ^ k1;
                c3[i] = (uint32_t)p0;
            }
            k0 += WEYL_0;
            k1 += WEYL_1;
        }
        for (uint32_t i = 0; i < LANES; ++i) {
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
    while (n >= 4 * LANES) {
        const uint64_t room = UINT64_C(0x100000000) - state->counter[0]; /* blocks until word 0 wraps */
        uint64_t groups = n / (4 * LANES);
        if (groups > room / LANES)
            groups = room / LANES;
        if (groups > 0) {
            groups_of_blocks(state, to, groups);
            philox_skip(state, groups * LANES);
            to += groups * 4 * LANES;
            n -= groups * 4 * LANES;
        } else {
            /* The group that carries into word 1: block by block. */
            for (unsigned i = 0; i < LANES; ++i, to += 4, n -= 4) {
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
