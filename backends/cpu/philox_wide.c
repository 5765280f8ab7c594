/* SPDX-License-Identifier: Apache-2.0 */
/* A word of the counter is in the low half of a 64-bit lane, because the vector multiplication multiplies low halves to
   64-bit products. The high halves are never read, so a round needs no masks: two multiplications, two shifts and four
   exclusive ors for one block per lane. */
#include "backends/cpu/philox_wide.h"

#include <stddef.h>

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

__attribute__((target("avx2"))) static void loop_avx2(const philox_state *state, uint32_t *to, uint64_t groups)
{
    enum { VECTORS = PHILOX_GROUP / 4 };
    const __m256i m0 = _mm256_set1_epi64x(PHILOX_MULTIPLIER_0);
    const __m256i m1 = _mm256_set1_epi64x(PHILOX_MULTIPLIER_1);
    uint32_t first = state->counter[0];
    for (uint64_t group = 0; group < groups; ++group) {
        __m256i c0[VECTORS], c1[VECTORS], c2[VECTORS], c3[VECTORS];
        for (int v = 0; v < VECTORS; ++v, first += 4) {
            c0[v] = _mm256_add_epi64(_mm256_set1_epi64x(first), _mm256_set_epi64x(3, 2, 1, 0));
            c1[v] = _mm256_set1_epi64x(state->counter[1]);
            c2[v] = _mm256_set1_epi64x(state->counter[2]);
            c3[v] = _mm256_set1_epi64x(state->counter[3]);
        }
        uint32_t k0 = state->key[0], k1 = state->key[1];
        for (int round = 0; round < PHILOX_ROUNDS; ++round) {
            const __m256i key0 = _mm256_set1_epi64x(k0);
            const __m256i key1 = _mm256_set1_epi64x(k1);
            for (int v = 0; v < VECTORS; ++v) {
                const __m256i p0 = _mm256_mul_epu32(c0[v], m0);
                const __m256i p1 = _mm256_mul_epu32(c2[v], m1);
                c0[v] = _mm256_xor_si256(_mm256_srli_epi64(p1, 32), _mm256_xor_si256(c1[v], key0));
                c2[v] = _mm256_xor_si256(_mm256_srli_epi64(p0, 32), _mm256_xor_si256(c3[v], key1));
                c1[v] = p1;
                c3[v] = p0;
            }
            k0 += PHILOX_WEYL_0;
            k1 += PHILOX_WEYL_1;
        }
        for (int v = 0; v < VECTORS; ++v, to += 16) {
            /* Words 0 and 1 of four blocks, words 2 and 3 of them, then block by block. */
            const __m256i low = _mm256_blend_epi32(c0[v], _mm256_slli_epi64(c1[v], 32), 0xAA);
            const __m256i high = _mm256_blend_epi32(c2[v], _mm256_slli_epi64(c3[v], 32), 0xAA);
            const __m256i even = _mm256_unpacklo_epi64(low, high);
            const __m256i odd = _mm256_unpackhi_epi64(low, high);
            _mm256_storeu_si256((__m256i *)(void *)to, _mm256_permute2x128_si256(even, odd, 0x20));
            _mm256_storeu_si256((__m256i *)(void *)(to + 8), _mm256_permute2x128_si256(even, odd, 0x31));
        }
    }
}

__attribute__((target("avx512f"))) static void loop_avx512(const philox_state *state, uint32_t *to, uint64_t groups)
{
    enum { VECTORS = PHILOX_GROUP / 8 };
    const __m512i m0 = _mm512_set1_epi64(PHILOX_MULTIPLIER_0);
    const __m512i m1 = _mm512_set1_epi64(PHILOX_MULTIPLIER_1);
    /* Where the 64-bit halves of each block come from: `low` is operand 0 to 7, `high` is 8 to 15. */
    const __m512i former = _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0);
    const __m512i latter = _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4);
    uint32_t first = state->counter[0];
    for (uint64_t group = 0; group < groups; ++group) {
        __m512i c0[VECTORS], c1[VECTORS], c2[VECTORS], c3[VECTORS];
        for (int v = 0; v < VECTORS; ++v, first += 8) {
            c0[v] = _mm512_add_epi64(_mm512_set1_epi64(first), _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0));
            c1[v] = _mm512_set1_epi64(state->counter[1]);
            c2[v] = _mm512_set1_epi64(state->counter[2]);
            c3[v] = _mm512_set1_epi64(state->counter[3]);
        }
        uint32_t k0 = state->key[0], k1 = state->key[1];
        for (int round = 0; round < PHILOX_ROUNDS; ++round) {
            const __m512i key0 = _mm512_set1_epi64(k0);
            const __m512i key1 = _mm512_set1_epi64(k1);
            for (int v = 0; v < VECTORS; ++v) {
                const __m512i p0 = _mm512_mul_epu32(c0[v], m0);
                const __m512i p1 = _mm512_mul_epu32(c2[v], m1);
                c0[v] = _mm512_xor_si512(_mm512_srli_epi64(p1, 32), _mm512_xor_si512(c1[v], key0));
                c2[v] = _mm512_xor_si512(_mm512_srli_epi64(p0, 32), _mm512_xor_si512(c3[v], key1));
                c1[v] = p1;
                c3[v] = p0;
            }
            k0 += PHILOX_WEYL_0;
            k1 += PHILOX_WEYL_1;
        }
        for (int v = 0; v < VECTORS; ++v, to += 32) {
            const __m512i low = _mm512_mask_blend_epi32(0xAAAA, c0[v], _mm512_slli_epi64(c1[v], 32));
            const __m512i high = _mm512_mask_blend_epi32(0xAAAA, c2[v], _mm512_slli_epi64(c3[v], 32));
            _mm512_storeu_si512(to, _mm512_permutex2var_epi64(low, former, high));
            _mm512_storeu_si512(to + 16, _mm512_permutex2var_epi64(low, latter, high));
        }
    }
}

philox_loop philox_wide_loop(void)
{
    if (__builtin_cpu_supports("avx512f"))
        return loop_avx512;
    return __builtin_cpu_supports("avx2") ? loop_avx2 : NULL;
}

#else

philox_loop philox_wide_loop(void)
{
    return NULL;
}

#endif
