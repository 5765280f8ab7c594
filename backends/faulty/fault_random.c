/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of RANDOM_GENERATOR: a separate generator with a switch for each typical mistake. */
#include "backends/faulty/fault.h"

typedef struct generator {
    int rounds;
    bool keys_swapped;
    bool counter_reversed;  /* word 3 is the least significant */
    uint32_t carry_words;   /* words of the counter that take part in the carry */
    bool state_in_elements; /* the state moves by elements instead of blocks */
    bool state_rounds_down; /* a partial block does not count */
    bool state_carry_lost;  /* the state's own carry stays in word 0 */
    bool tail_zero;         /* the words of a partial block are 0 */
    bool words_reversed;    /* the four words of a block in reverse */
    bool key_bumped_late;   /* the last round uses the key of the one before */
    bool strides_are_order; /* words in the order of addresses instead of coordinates */
    bool key_not_kept;      /* the new state's key is 0 */
    bool lane_carry_lost;   /* eight blocks at once are numbered without a carry */
    bool zero_key_replaced; /* a key of 0 is taken for none */
    bool equal_key_merged;  /* a key of two equal words is taken for one word */
} generator;

static const generator right = { .rounds = 10, .carry_words = 4 };

static void advance(uint32_t counter[4], uint64_t by, uint32_t words, bool reversed)
{
    uint64_t carry = by;
    for (uint32_t i = 0; i < words && carry > 0; ++i) {
        uint32_t *word = &counter[reversed ? 3 - i : i];
        const uint64_t sum = *word + (carry & 0xFFFFFFFFu);
        *word = (uint32_t)sum;
        carry = (carry >> 32) + (sum >> 32);
    }
}

static void block(const generator *g, const uint32_t counter[4], const uint32_t state[6], uint32_t words[4])
{
    uint32_t c[4];
    memcpy(c, counter, sizeof c);
    uint32_t k0 = state[g->keys_swapped ? 5 : 4];
    uint32_t k1 = state[g->keys_swapped ? 4 : 5];
    if (g->zero_key_replaced && k0 == 0 && k1 == 0)
        k0 = 1;
    if (g->equal_key_merged && k0 == k1)
        k1 = 0;
    for (int round = 0; round < g->rounds; ++round) {
        if (round > 0 && !(g->key_bumped_late && round == g->rounds - 1)) {
            k0 += 0x9E3779B9u;
            k1 += 0xBB67AE85u;
        }
        const uint64_t p0 = UINT64_C(0xD2511F53) * c[0];
        const uint64_t p1 = UINT64_C(0xCD9E8D57) * c[2];
        const uint32_t next[4] = { (uint32_t)(p1 >> 32) ^ c[1] ^ k0, (uint32_t)p1, (uint32_t)(p0 >> 32) ^ c[3] ^ k1,
                                   (uint32_t)p0 };
        memcpy(c, next, sizeof c);
    }
    memcpy(words, c, sizeof c);
}

typedef struct writing {
    const generator *g;
    uint32_t state[6];
    uint32_t words[4];
    uint64_t count;
} writing;

static void write_word(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    writing *w = context;
    if (number % 4 == 0) {
        uint32_t counter[4];
        memcpy(counter, w->state, sizeof counter);
        const uint64_t lane = w->g->lane_carry_lost ? number / 4 % 8 : 0;
        advance(counter, number / 4 - lane, w->g->carry_words, w->g->counter_reversed);
        counter[0] += (uint32_t)lane;
        block(w->g, counter, w->state, w->words);
    }
    uint32_t word = w->words[w->g->words_reversed ? 3 - number % 4 : number % 4];
    if (w->g->tail_zero && number >= w->count - w->count % 4)
        word = 0;
    memcpy(element, &word, bytes);
}

static void read_word(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    uint32_t *state = context;
    memcpy(&state[number], element, bytes);
}

static void write_state(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    const uint32_t *state = context;
    memcpy(element, &state[number], bytes);
}

static void generate(const fault_call *call, generator g)
{
    const ts_tensor *next = &call->d->tensors[2];
    writing w;
    memset(&w, 0, sizeof w);
    w.g = &g;
    w.count = fault_count(call->out);
    fault_each(call->in, read_word, w.state);
    ts_tensor out = *call->out;
    if (g.strides_are_order)
        tensor_pack(&out);
    fault_each(&out, write_word, &w);
    if (!(next->given & TS_GIVEN_TENSOR))
        return;
    const uint64_t blocks = g.state_in_elements ? w.count : g.state_rounds_down ? w.count / 4 : (w.count + 3) / 4;
    advance(w.state, blocks, g.state_carry_lost ? 1 : 4, g.counter_reversed);
    if (g.key_not_kept)
        w.state[4] = w.state[5] = 0;
    fault_each(next, write_state, w.state);
}

#define DEFINE_FAULT(name, field, value)                                                                               \
    static void name(const fault_call *call)                                                                           \
    {                                                                                                                  \
        generator g = right;                                                                                           \
        g.field = value;                                                                                               \
        generate(call, g);                                                                                             \
    }
DEFINE_FAULT(rounds_9, rounds, 9)
DEFINE_FAULT(rounds_7, rounds, 7)
DEFINE_FAULT(keys_swapped, keys_swapped, true)
DEFINE_FAULT(counter_reversed, counter_reversed, true)
DEFINE_FAULT(carry_none, carry_words, 1)
DEFINE_FAULT(carry_64, carry_words, 2)
DEFINE_FAULT(carry_96, carry_words, 3)
DEFINE_FAULT(state_elements, state_in_elements, true)
DEFINE_FAULT(state_rounds_down, state_rounds_down, true)
DEFINE_FAULT(state_carry, state_carry_lost, true)
DEFINE_FAULT(state_key, key_not_kept, true)
DEFINE_FAULT(tail_zero, tail_zero, true)
DEFINE_FAULT(words_reversed, words_reversed, true)
DEFINE_FAULT(key_late, key_bumped_late, true)
DEFINE_FAULT(lane_carry, lane_carry_lost, true)
DEFINE_FAULT(zero_key, zero_key_replaced, true)
DEFINE_FAULT(equal_key, equal_key_merged, true)
DEFINE_FAULT(packed_output, strides_are_order, true)

static const fault rows[] = {
    { "rounds-9", ON_RANDOM, MEANING, "Philox has nine rounds instead of ten", .execute = rounds_9 },
    { "rounds-7", ON_RANDOM, MEANING, "Philox has seven rounds", .execute = rounds_7 },
    { "keys-swapped", ON_RANDOM, MEANING, "the words of the key are swapped", .execute = keys_swapped },
    { "counter-reversed", ON_RANDOM, MEANING, "the words of the counter are used in reverse order",
      .execute = counter_reversed },
    { "carry-none", ON_RANDOM, MAGNITUDES, "word 0 of the counter does not carry", .execute = carry_none },
    { "carry-64", ON_RANDOM, MAGNITUDES, "the counter carries into word 1 only", .execute = carry_64 },
    { "carry-96", ON_RANDOM, MAGNITUDES, "the counter carries into words 1 and 2 only", .execute = carry_96 },
    { "state-elements", ON_RANDOM, MEANING, "the new state counts elements instead of blocks",
      .execute = state_elements },
    { "state-rounds-down", ON_RANDOM, MEANING, "the new state does not count a partial block",
      .execute = state_rounds_down },
    { "state-carry", ON_RANDOM, MAGNITUDES, "the new state loses the carry out of word 0", .execute = state_carry },
    { "state-key", ON_RANDOM, MEANING, "the key of the new state is 0", .execute = state_key },
    { "tail-zero", ON_RANDOM, TAILS, "the words of a partial block are 0", .execute = tail_zero },
    { "words-reversed", ON_RANDOM, MEANING, "the words of a block are stored in reverse order",
      .execute = words_reversed },
    { "key-late", ON_RANDOM, MEANING, "the key is not updated before the last round", .execute = key_late },
    { "packed-random", ON_RANDOM, LAYOUTS, "the words are written packed, whatever the strides",
      .execute = packed_output },
    { "magnitude-lane", ON_RANDOM, MAGNITUDES, "eight blocks at once are numbered without a carry out of word 0",
      .execute = lane_carry },
    { "pattern-zero-key", ON_RANDOM, PATTERNS, "a key of 0 is taken for a generator without a seed, and replaced",
      .execute = zero_key },
    { "pattern-equal-key", ON_RANDOM, PATTERNS, "a key of two equal words is taken for a 32-bit seed",
      .execute = equal_key },
};

const fault_table fault_random = { rows, sizeof rows / sizeof *rows };
