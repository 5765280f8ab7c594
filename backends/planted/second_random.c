/* SPDX-License-Identifier: Apache-2.0 */
/* The second set: generators, invented and reported. */
#include "backends/planted/second.h"

#include <stdlib.h>

typedef struct generator {
    uint32_t counter[4]; /* of the call */
    uint32_t key[2];
    uint64_t count;  /* of words */
    uint64_t number; /* of earlier calls */
} generator;

static void *word_of(const ts_tensor *t, uint32_t w)
{
    uint64_t at[TS_MAX_DIMS] = { 0 };
    at[t->rank - 1] = w;
    return tensor_at(t, at);
}

static generator generator_of(const fault_call *call)
{
    generator g = { .count = fault_count(call->out), .number = call->number };
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

/* Modifies the counter of a word's block, and which word of it is meant. */
typedef void change(const generator *g, uint64_t number, uint32_t counter[4], unsigned *lane);

typedef struct writer {
    generator g;
    change *change;
} writer;

static void write_word(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    const writer *w = context;
    uint32_t words[4];
    unsigned lane = (unsigned)(number % 4);
    memcpy(words, w->g.counter, sizeof words);
    skip(words, number / 4);
    if (w->change)
        w->change(&w->g, number, words, &lane);
    rounds(words, w->g.key[0], w->g.key[1]);
    memcpy(element, &words[lane], bytes);
}

static void run_with(const fault_call *call, generator g, change *changed)
{
    writer w = { g, changed };
    fault_run_right(call);
    fault_each(call->out, write_word, &w);
}

/* ---- invented ---------------------------------------------------------------------------------------------------- */

static void second_pair(const generator *g, uint64_t number, uint32_t counter[4], unsigned *lane)
{
    (void)counter;
    if (g->count % 4 == 2 && number >= g->count - 2)
        *lane += 2;
}

static void last_pair(const fault_call *call)
{
    run_with(call, generator_of(call), second_pair);
}

static void two_words(const generator *g, uint64_t number, uint32_t counter[4], unsigned *lane)
{
    (void)number;
    (void)lane;
    counter[2] = g->counter[2];
    counter[3] = g->counter[3];
}

static void carry_of_64(const fault_call *call)
{
    run_with(call, generator_of(call), two_words);
}

static void advanced(const generator *g, uint64_t number, uint32_t counter[4], unsigned *lane)
{
    (void)lane;
    if (number >= 65536)
        skip(counter, (g->count + 3) / 4);
}

static void state_first(const fault_call *call)
{
    run_with(call, generator_of(call), (call->d->tensors[2].given & TS_GIVEN_TENSOR) ? advanced : NULL);
}

static bool odd_rows(const fault_path *p)
{
    return fault_rows(p) && fault_row(p)->size % 4 != 0;
}

/* The word where a row begins in its block, from the number of the row modulo 4. */
static void row_phase(const fault_path *p, fault_place *e)
{
    const uint64_t n = fault_row(p)->size, row = e->number / n;
    e->from += (int64_t)(n % 4 * (row % 4)) - (int64_t)(n * row % 4);
}

typedef struct kept_keys {
    bool filled;
    uint32_t key[2];
} kept_keys;

static void keys_kept(const fault_call *call)
{
    generator g = generator_of(call);
    if (!*call->kept)
        *call->kept = calloc(1, sizeof(kept_keys));
    kept_keys *kept = *call->kept;
    if (kept && kept->filled && kept->key[0] == g.key[0])
        g.key[1] = kept->key[1];
    if (kept) {
        kept->filled = true;
        memcpy(kept->key, g.key, sizeof g.key);
    }
    run_with(call, g, NULL);
}

/* What is kept is the number of words, and whether the call had no new state. */
static void state_absent(const fault_call *call)
{
    const ts_tensor *state = &call->d->tensors[2];
    const bool given = (state->given & TS_GIVEN_TENSOR) != 0;
    const uint64_t key = fault_count(call->out) << 1 | 1;
    uint32_t before[6];
    const bool lost = given && *call->carried == key;
    for (uint32_t w = 0; lost && w < 6; ++w)
        memcpy(&before[w], word_of(state, w), sizeof *before);
    fault_run_right(call);
    for (uint32_t w = 0; lost && w < 6; ++w)
        memcpy(word_of(state, w), &before[w], sizeof *before);
    if (!lost)
        *call->carried = given ? 0 : key;
}

/* ---- reported ---------------------------------------------------------------------------------------------------- */

static void own_sequences(const generator *g, uint64_t number, uint32_t counter[4], unsigned *lane)
{
    (void)lane;
    if (g->counter[0] == 0 && g->counter[1] == 0)
        return;
    uint32_t high[4] = { g->counter[2], g->counter[3], 0, 0 };
    skip(high, number / 4);
    memcpy(counter, g->counter, 2 * sizeof *counter);
    memcpy(counter + 2, high, 2 * sizeof *counter);
}

static void offset_apart(const fault_call *call)
{
    run_with(call, generator_of(call), own_sequences);
}

static void undiscarded(const generator *g, uint64_t number, uint32_t counter[4], unsigned *lane)
{
    (void)lane;
    if (g->number > 0)
        return;
    counter[0] = counter[1] = 0;
    memcpy(counter + 2, g->counter + 2, 2 * sizeof *counter);
    skip(counter, number / 4);
}

static void first_call(const fault_call *call)
{
    run_with(call, generator_of(call), undiscarded);
}

static bool several_rows(const fault_path *p)
{
    return p->dims > 1;
}

static void row_0_again(const fault_path *p, fault_place *e)
{
    e->from -= (int64_t)fault_floor(e->number, fault_row(p)->size);
}

static const fault rows[] = {
    { "second-random-pair", ON_RANDOM, TAILS, "two words that are left are the second pair of their block",
      .execute = last_pair },
    { "second-random-carry", ON_RANDOM, MAGNITUDES, "the counter is one of 64 bits, without a carry to its third word",
      .execute = carry_of_64 },
    { "second-random-state-first", ON_RANDOM, GRIDS,
      "words after the first 65,536 are made from the new state, which is written by then", .execute = state_first },
    { "second-random-phase", ON_RANDOM, DIVISIONS, "the word where a row begins in its block is not reduced modulo 4",
      .takes = odd_rows, .wrong = row_phase },
    { "second-random-keys", ON_RANDOM, HISTORY,
      "the keys of the rounds are kept while the first word of the key is the same", .execute = keys_kept },
    { "second-random-state-absent", ON_RANDOM, HISTORY,
      "after a call without a new state, one with as many words does not write it", .execute = state_absent },
    { "second-rocrand-offset", ON_RANDOM, MEANING,
      "with a counter that is not 0, each block is of a sequence of its own (rocRAND issue 234)",
      .execute = offset_apart },
    { "second-randomjs-discard", ON_RANDOM, HISTORY,
      "skipping words has no effect before the first word is made (random-js issue 8)", .execute = first_call },
    { "second-nvfuser-thread", ON_RANDOM, GRIDS,
      "the number of a thread within its row makes the words, so all rows are the same (csarofeen/pytorch pull request "
      "1149)",
      .takes = several_rows, .wrong = row_0_again },
};

const fault_table planted_second_random = { rows, sizeof rows / sizeof *rows };
