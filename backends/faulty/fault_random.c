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
        advance(counter, number / 4, w->g->carry_words, w->g->counter_reversed);
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
DEFINE_FAULT(packed_output, strides_are_order, true)

static const fault rows[] = {
    { "rounds-9", ON_RANDOM, "Philox has nine rounds instead of ten", rounds_9, 0, 0 },
    { "rounds-7", ON_RANDOM, "Philox has seven rounds", rounds_7, 0, 0 },
    { "keys-swapped", ON_RANDOM, "the words of the key are swapped", keys_swapped, 0, 0 },
    { "counter-reversed", ON_RANDOM, "the words of the counter are used in reverse order", counter_reversed, 0, 0 },
    { "carry-none", ON_RANDOM, "word 0 of the counter does not carry", carry_none, 0, 0 },
    { "carry-64", ON_RANDOM, "the counter carries into word 1 only", carry_64, 0, 0 },
    { "carry-96", ON_RANDOM, "the counter carries into words 1 and 2 only", carry_96, 0, 0 },
    { "state-elements", ON_RANDOM, "the new state counts elements instead of blocks", state_elements, 0, 0 },
    { "state-rounds-down", ON_RANDOM, "the new state does not count a partial block", state_rounds_down, 0, 0 },
    { "state-carry", ON_RANDOM, "the new state loses the carry out of word 0", state_carry, 0, 0 },
    { "state-key", ON_RANDOM, "the key of the new state is 0", state_key, 0, 0 },
    { "tail-zero", ON_RANDOM, "the words of a partial block are 0", tail_zero, 0, 0 },
    { "words-reversed", ON_RANDOM, "the words of a block are stored in reverse order", words_reversed, 0, 0 },
    { "key-late", ON_RANDOM, "the key is not updated before the last round", key_late, 0, 0 },
    { "packed-random", ON_RANDOM, "the words are written packed, whatever the strides", packed_output, 0, 0 },
};

const fault_table fault_random = { rows, sizeof rows / sizeof *rows };
