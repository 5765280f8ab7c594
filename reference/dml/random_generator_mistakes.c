/* SPDX-License-Identifier: Apache-2.0 */
/* How the outputs of RANDOM_GENERATOR come about, and the mistakes that implementations make: a separate generator with
   a switch for each. Findings name a mistake that gives exactly the backend's outputs. */
#include "harness/model/derive.h"

#include <inttypes.h>
#include <stdio.h>

enum { STATE, OUT, OUT_STATE };
#define STATE_WORDS 6
#define NEAR_BLOCKS 1024 /* blocks in which the bits of a wrong element are looked for */

/* What the new state counts. */
typedef enum state_counts { BLOCKS, WHOLE_BLOCKS, ELEMENTS, CALLS, NOTHING } state_counts;

/* Zero is right, but for `rounds`. */
typedef struct generator {
    unsigned rounds;
    unsigned carry_words; /* words of the counter that a carry reaches; 0: all */
    state_counts counts;
    unsigned state_carry_words; /* the same of the new state */
    bool keys_swapped, counter_reversed, key_first, multipliers_swapped, key_late, key_early;
    bool counter_stands, counter_early;
    bool words_reversed, word_major, tail_zero, packed;
    bool key_lost;
} generator;

typedef struct state {
    uint32_t w[STATE_WORDS];
} state;

static void *word_at(const ts_tensor *t, uint32_t w)
{
    uint64_t coord[TS_MAX_DIMS] = { 0 };
    coord[t->rank - 1] = w;
    return tensor_at(t, coord);
}

static state read_state(const ts_tensor *t)
{
    state s;
    for (uint32_t w = 0; w < STATE_WORDS; ++w)
        memcpy(&s.w[w], word_at(t, w), sizeof s.w[w]);
    return s;
}

/* Add to a counter, which a carry runs through the given number of words of. */
static void advance(uint32_t counter[4], uint64_t by, unsigned words, bool reversed)
{
    uint64_t carry = 0;
    for (unsigned i = 0; i < (words ? words : 4); ++i) {
        uint32_t *word = &counter[reversed ? 3 - i : i];
        const uint64_t sum = (uint64_t)*word + (i < 2 ? (uint32_t)(by >> (32 * i)) : 0) + carry;
        *word = (uint32_t)sum;
        carry = sum >> 32;
    }
}

/* The words of the block with this number. */
static void make_block(const generator *g, const state *s, uint64_t number, uint32_t c[4])
{
    const unsigned first = g->key_first ? 2 : 0, key = g->key_first ? 0 : 4;
    uint32_t k[2] = { s->w[key + g->keys_swapped], s->w[key + 1 - g->keys_swapped] };
    const uint64_t m0 = g->multipliers_swapped ? 0xCD9E8D57 : 0xD2511F53,
                   m1 = g->multipliers_swapped ? 0xD2511F53 : 0xCD9E8D57;
    memcpy(c, s->w + first, 4 * sizeof *c);
    advance(c, g->counter_stands ? 0 : number + g->counter_early, g->carry_words, g->counter_reversed);
    for (unsigned round = 0; round < g->rounds; ++round) {
        if ((round > 0 || g->key_early) && !(g->key_late && round == g->rounds - 1)) {
            k[0] += 0x9E3779B9;
            k[1] += 0xBB67AE85;
        }
        const uint64_t p0 = m0 * c[0], p1 = m1 * c[2];
        const uint32_t next[4] = { (uint32_t)(p1 >> 32) ^ c[1] ^ k[0], (uint32_t)p1, (uint32_t)(p0 >> 32) ^ c[3] ^ k[1],
                                   (uint32_t)p0 };
        memcpy(c, next, sizeof next);
    }
}

static void write_outputs(const generator *g, const ts_descriptor *d, const state *s, uint64_t count)
{
    ts_tensor out = d->tensors[OUT];
    uint64_t o[TS_MAX_DIMS] = { 0 }, n = 0, made = UINT64_MAX;
    const uint64_t blocks = (count + 3) / 4;
    uint32_t block[4];
    if (g->packed)
        tensor_pack(&out);
    do {
        const uint64_t number = g->word_major ? n % blocks : n / 4;
        const unsigned w = (unsigned)(g->word_major ? n / blocks : n % 4);
        if (number != made)
            make_block(g, s, made = number, block);
        const uint32_t word = g->tail_zero && n >= count - count % 4 ? 0 : block[g->words_reversed ? 3 - w : w];
        memcpy(tensor_at(&out, o), &word, sizeof word);
        ++n;
    } while (tensor_next(&out, o));
}

static void generate(const ts_descriptor *d, const generator *g)
{
    const ts_tensor *out_state = &d->tensors[OUT_STATE];
    state s = read_state(&d->tensors[STATE]);
    uint64_t count;
    if (!tensor_element_count(&d->tensors[OUT], &count))
        return;
    write_outputs(g, d, &s, count);
    const uint64_t counted[] = { (count + 3) / 4, count / 4, count, 1, 0 };
    advance(s.w + (g->key_first ? 2 : 0), counted[g->counts], g->state_carry_words, g->counter_reversed);
    if (g->key_lost)
        s.w[4] = s.w[5] = 0;
    for (uint32_t w = 0; w < STATE_WORDS && (out_state->given & TS_GIVEN_TENSOR); ++w)
        memcpy(word_at(out_state, w), &s.w[w], sizeof s.w[w]);
}

/* ---- the mistakes ---- */

#define MISTAKE(name, ...)                                                                                             \
    static void name(const ts_descriptor *d)                                                                           \
    {                                                                                                                  \
        generator g = { .rounds = 10 };                                                                                \
        __VA_ARGS__;                                                                                                   \
        generate(d, &g);                                                                                               \
    }
MISTAKE(rounds_7, g.rounds = 7)
MISTAKE(rounds_8, g.rounds = 8)
MISTAKE(rounds_9, g.rounds = 9)
MISTAKE(rounds_11, g.rounds = 11)
MISTAKE(keys_swapped, g.keys_swapped = true)
MISTAKE(key_first, g.key_first = true)
MISTAKE(counter_reversed, g.counter_reversed = true)
MISTAKE(multipliers_swapped, g.multipliers_swapped = true)
MISTAKE(key_late, g.key_late = true)
MISTAKE(key_early, g.key_early = true)
MISTAKE(counter_stands, g.counter_stands = true)
MISTAKE(counter_early, g.counter_early = true)
MISTAKE(carry_none, g.carry_words = 1)
MISTAKE(carry_64, g.carry_words = 2)
MISTAKE(carry_96, g.carry_words = 3)
MISTAKE(words_reversed, g.words_reversed = true)
MISTAKE(word_major, g.word_major = true)
MISTAKE(tail_zero, g.tail_zero = true)
MISTAKE(packed, g.packed = true)
MISTAKE(state_whole, g.counts = WHOLE_BLOCKS)
MISTAKE(state_elements, g.counts = ELEMENTS)
MISTAKE(state_calls, g.counts = CALLS)
MISTAKE(state_stands, g.counts = NOTHING)
MISTAKE(state_carry_none, g.state_carry_words = 1)
MISTAKE(state_carry_64, g.state_carry_words = 2)
MISTAKE(state_carry_96, g.state_carry_words = 3)
MISTAKE(all_carry_none, g.carry_words = g.state_carry_words = 1)
MISTAKE(all_carry_64, g.carry_words = g.state_carry_words = 2)
MISTAKE(all_carry_96, g.carry_words = g.state_carry_words = 3)
MISTAKE(key_lost, g.key_lost = true)

static const ts_mistake mistakes[] = {
    { "Philox had 7 rounds", rounds_7 },
    { "Philox had 8 rounds", rounds_8 },
    { "Philox had 9 rounds", rounds_9 },
    { "Philox had 11 rounds", rounds_11 },
    { "the two words of the key were swapped", keys_swapped },
    { "the key came before the counter in the state", key_first },
    { "the most significant word of the counter came first", counter_reversed },
    { "the two multipliers of Philox were swapped", multipliers_swapped },
    { "the key were not raised before the last round", key_late },
    { "the key were raised before the first round", key_early },
    { "the counter did not advance between blocks", counter_stands },
    { "the counter advanced before the first block", counter_early },
    { "the counter between blocks did not carry out of word 0", carry_none },
    { "the counter between blocks did not carry out of word 1", carry_64 },
    { "the counter between blocks did not carry out of word 2", carry_96 },
    { "the words of each block were in reverse order", words_reversed },
    { "word 0 of all blocks came first, then word 1", word_major },
    { "the outputs of the last, partial block were 0", tail_zero },
    { "the outputs were packed, whatever the strides", packed },
    { "the new counter did not count the last, partial block", state_whole },
    { "the new counter counted outputs, not blocks of four", state_elements },
    { "the new counter counted one per call", state_calls },
    { "the counter were not advanced in the new state", state_stands },
    { "the new counter did not carry out of word 0", state_carry_none },
    { "the new counter did not carry out of word 1", state_carry_64 },
    { "the new counter did not carry out of word 2", state_carry_96 },
    { "the counter never carried out of word 0", all_carry_none },
    { "the counter never carried out of word 1", all_carry_64 },
    { "the counter never carried out of word 2", all_carry_96 },
    { "the key of the new state were 0", key_lost },
};

/* ---- the description ---- */

static const generator right = { .rounds = 10 };

static uint64_t number_of(const ts_tensor *t, const uint64_t *coord)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < t->rank; ++i)
        n = n * t->sizes[i] + coord[i];
    return n;
}

static void describe_output(const ts_descriptor *d, uint64_t n, uint32_t came, char *buf, size_t size)
{
    const state s = read_state(&d->tensors[STATE]);
    const uint64_t number = n / 4, from = number > NEAR_BLOCKS / 2 ? number - NEAR_BLOCKS / 2 : 0;
    uint32_t c[4], block[4];
    memcpy(c, s.w, sizeof c);
    advance(c, number, 0, false);
    int used =
        snprintf(buf, size,
                 "It is word %u of block %" PRIu64 ", philox4x32_10 of the counter (0x%08" PRIx32 ", 0x%08" PRIx32
                 ", 0x%08" PRIx32 ", 0x%08" PRIx32 ") and the key (0x%08" PRIx32 ", 0x%08" PRIx32 ")",
                 (unsigned)(n % 4), number, c[0], c[1], c[2], c[3], s.w[4], s.w[5]);
    for (uint64_t b = from; b < from + NEAR_BLOCKS && used > 0 && (size_t)used < size; ++b) {
        make_block(&right, &s, b, block);
        for (unsigned w = 0; w < 4; ++w)
            if (block[w] == came) {
                snprintf(buf + used, size - (size_t)used, "; the bits that came are word %u of block %" PRIu64, w, b);
                return;
            }
    }
}

static void describe_counter(const ts_descriptor *expected, const ts_descriptor *actual, uint32_t w, char *buf,
                             size_t size)
{
    const state s = read_state(&expected->tensors[STATE]), came = read_state(&actual->tensors[OUT_STATE]);
    uint64_t count = 0, borrow = 0, by[2] = { 0, 0 };
    tensor_element_count(&expected->tensors[OUT], &count);
    for (unsigned i = 0; i < 4; ++i) {
        const uint64_t difference = (uint64_t)came.w[i] - s.w[i] - borrow;
        by[i / 2] |= (difference & UINT32_MAX) << (32 * (i % 2));
        borrow = difference >> 63;
    }
    int used = snprintf(buf, size,
                        "It is word %" PRIu32 " of the new counter, which advances by one per block of four outputs: "
                        "by %" PRIu64 " for %" PRIu64 " output%s",
                        w, (count + 3) / 4, count, count == 1 ? "" : "s");
    if (used < 0 || (size_t)used >= size || by[1] != 0)
        return;
    if (by[0] == 0)
        snprintf(buf + used, size - (size_t)used, "; the counter that came was not advanced");
    else if (by[0] != (count + 3) / 4)
        snprintf(buf + used, size - (size_t)used, "; the counter that came was advanced by %" PRIu64, by[0]);
}

static void describe_key(const ts_descriptor *expected, const ts_descriptor *actual, uint32_t w, char *buf, size_t size)
{
    const state s = read_state(&expected->tensors[STATE]), came = read_state(&actual->tensors[OUT_STATE]);
    int used = snprintf(buf, size, "It is word %" PRIu32 " of the key, which a call does not change", w - 4);
    for (unsigned i = 0; i < STATE_WORDS && used > 0 && (size_t)used < size; ++i)
        if (came.w[w] == s.w[i]) {
            snprintf(buf + used, size - (size_t)used, "; the bits that came are those of word %u of the %s",
                     i < 4 ? i : i - 4, i < 4 ? "old counter" : "key");
            return;
        }
}

static void describe(const ts_descriptor *expected, const ts_descriptor *actual, unsigned tensor, const uint64_t *coord,
                     char *buf, size_t size)
{
    const ts_tensor *t = &actual->tensors[tensor];
    const uint64_t n = number_of(t, coord);
    uint32_t came;
    memcpy(&came, tensor_at(t, coord), sizeof came);
    if (tensor == OUT)
        describe_output(expected, n, came, buf, size);
    else if (n < 4)
        describe_counter(expected, actual, (uint32_t)n, buf, size);
    else
        describe_key(expected, actual, (uint32_t)n, buf, size);
}

const ts_derivation derivation_dml_random_generator = {
    .describe = describe,
    .mistake_count = sizeof mistakes / sizeof *mistakes,
    .mistakes = mistakes,
};
