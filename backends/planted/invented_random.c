/* SPDX-License-Identifier: Apache-2.0 */
/* Generators that compute several blocks at a time. */
#include "backends/planted/planted.h"

#include <stdlib.h>

typedef struct generator {
    uint32_t counter[4]; /* of the call */
    uint32_t key[2];
    uint64_t count; /* of words */
} generator;

static void *word_of(const ts_tensor *t, uint32_t w)
{
    uint64_t at[TS_MAX_DIMS] = { 0 };
    at[t->rank - 1] = w;
    return tensor_at(t, at);
}

static generator generator_of(const fault_call *call)
{
    generator g = { .count = fault_count(call->out) };
    for (uint32_t w = 0; w < 6; ++w)
        memcpy(w < 4 ? &g.counter[w] : &g.key[w - 4], word_of(call->in, w), sizeof(uint32_t));
    return g;
}

static void rounds(uint32_t c[4], uint32_t k0, uint32_t k1)
{
    for (unsigned round = 0; round < 10; ++round) {
        const uint64_t p0 = (uint64_t)0xD2511F53 * c[0], p1 = (uint64_t)0xCD9E8D57 * c[2];
        const uint32_t c0 = (uint32_t)(p1 >> 32) ^ c[1] ^ k0, c2 = (uint32_t)(p0 >> 32) ^ c[3] ^ k1;
        c[0] = c0;
        c[1] = (uint32_t)p1;
        c[2] = c2;
        c[3] = (uint32_t)p0;
        k0 += 0x9E3779B9;
        k1 += 0xBB67AE85;
    }
}

static void skip(uint32_t counter[4], uint64_t blocks)
{
    uint64_t carry = 0;
    for (unsigned w = 0; w < 4; ++w) {
        carry += (uint64_t)counter[w] + (w < 2 ? (uint32_t)(blocks >> (32 * w)) : 0);
        counter[w] = (uint32_t)carry;
        carry >>= 32;
    }
}

/* The counter of a block. */
typedef void counter_of(const generator *g, uint64_t block, uint32_t counter[4]);

typedef struct writer {
    generator g;
    counter_of *of;
    uint32_t words[4];
} writer;

static void write_word(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    writer *w = context;
    if (number % 4 == 0) {
        memcpy(w->words, w->g.counter, sizeof w->words);
        w->of(&w->g, number / 4, w->words);
        rounds(w->words, w->g.key[0], w->g.key[1]);
    }
    memcpy(element, &w->words[number % 4], bytes);
}

/* Run the reference, which writes the new state, and then write the words of these counters. */
static void run_with(const fault_call *call, generator g, counter_of *of)
{
    fault_run_right(call);
    writer w = { .g = g, .of = of };
    fault_each(call->out, write_word, &w);
}

static void right_counter(const generator *g, uint64_t block, uint32_t counter[4])
{
    (void)g;
    skip(counter, block);
}

/* ---- four lanes, whose carries a signed comparison finds ----------------------------------------------------------
 */

static void signed_carry(const generator *g, uint64_t block, uint32_t counter[4])
{
    skip(counter, block - block % 4);
    if (block / 4 >= g->count / 16) { /* a scalar loop computes what is less than four blocks */
        skip(counter, block % 4);
        return;
    }
    const uint32_t first = counter[0];
    counter[0] += (uint32_t)(block % 4);
    if ((counter[0] ^ 0x80000000u) < (first ^ 0x80000000u) && ++counter[1] == 0 && ++counter[2] == 0)
        ++counter[3];
}

static void carry_signed(const fault_call *call)
{
    run_with(call, generator_of(call), signed_carry);
}

/* ---- threads of 4,096 words, each of which moves the counter to its part ------------------------------------------
 */

static void part_without_carry(const generator *g, uint64_t block, uint32_t counter[4])
{
    (void)g;
    counter[0] += (uint32_t)(block - block % 1024);
    skip(counter, block % 1024);
}

static void thread_carry(const fault_call *call)
{
    run_with(call, generator_of(call), part_without_carry);
}

/* ---- eight lanes, whose numbers are or-ed into an aligned counter -------------------------------------------------
 */

static void lane_or(const generator *g, uint64_t block, uint32_t counter[4])
{
    const bool wide = counter[0] % 4 == 0 && block / 8 < g->count / 32;
    skip(counter, wide ? block - block % 8 : block);
    if (wide)
        counter[0] |= (uint32_t)(block % 8);
}

static void aligned_counter(const fault_call *call)
{
    run_with(call, generator_of(call), lane_or);
}

/* ---- the key as one number of 64 bits -----------------------------------------------------------------------------
 */

static void key_sign(const fault_call *call)
{
    generator g = generator_of(call);
    if (g.count >= 64 && g.key[0] > INT32_MAX)
        g.key[1] = UINT32_MAX; /* key[1] << 32 | (int32_t)key[0] */
    run_with(call, g, right_counter);
}

/* ---- the new state ------------------------------------------------------------------------------------------------
 */

static void span_counted(const fault_call *call)
{
    const ts_tensor *state = &call->d->tensors[2];
    uint64_t span = 0;
    fault_run_right(call);
    if (!(state->given & TS_GIVEN_TENSOR) || !tensor_span_elements(call->out, &span))
        return;
    generator g = generator_of(call);
    skip(g.counter, (span + 3) / 4);
    for (uint32_t w = 0; w < 4; ++w)
        memcpy(word_of(state, w), &g.counter[w], sizeof(uint32_t));
}

/* ---- a call that continues the one before -------------------------------------------------------------------------
 */

/* What is kept: the state that the call returned, and how many words of its last block were not used. */
typedef struct continued {
    uint32_t state[6];
    uint64_t left;
} continued;

typedef struct late {
    generator g; /* from the block that the words that are left belong to */
    uint64_t first;
} late;

static void late_word(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    const late *l = context;
    uint32_t words[4];
    memcpy(words, l->g.counter, sizeof words);
    skip(words, (number + l->first) / 4);
    rounds(words, l->g.key[0], l->g.key[1]);
    memcpy(element, &words[(number + l->first) % 4], bytes);
}

static void words_left(const fault_call *call)
{
    if (!*call->kept)
        *call->kept = calloc(1, sizeof(continued));
    continued *kept = *call->kept;
    const generator g = generator_of(call);
    fault_run_right(call);
    if (!kept)
        return;
    if (kept->left && memcmp(kept->state, g.counter, 16) == 0 && memcmp(kept->state + 4, g.key, 8) == 0) {
        late l = { g, 4 - kept->left };
        for (unsigned w = 0; w < 4 && l.g.counter[w]-- == 0; ++w)
            ;
        fault_each(call->out, late_word, &l);
    }
    generator next = g;
    skip(next.counter, (g.count + 3) / 4);
    memcpy(kept->state, next.counter, 16);
    memcpy(kept->state + 4, next.key, 8);
    kept->left = (4 - g.count % 4) % 4;
}

static const fault rows[] = {
    { "random-signed-carry", ON_RANDOM, MAGNITUDES,
      "four lanes find the carry of the lowest word by a signed comparison", .execute = carry_signed },
    { "random-thread-carry", ON_RANDOM, MAGNITUDES,
      "threads of 4,096 words move the lowest word of the counter to their part without a carry",
      .execute = thread_carry },
    { "random-lane-or", ON_RANDOM, PATTERNS, "a counter that is a multiple of four counts as one of eight lanes",
      .execute = aligned_counter },
    { "random-key-sign", ON_RANDOM, VALUES,
      "for 64 words and more the key is one number, its lower half extended by its sign", .execute = key_sign },
    { "random-span-state", ON_RANDOM, COUNTS, "the new state counts the elements that the output spans",
      .execute = span_counted },
    { "random-words-left", ON_RANDOM, HISTORY,
      "a call that continues the last one first returns the unused words of its last block", .execute = words_left },
};

const fault_table planted_random = { rows, sizeof rows / sizeof *rows };
