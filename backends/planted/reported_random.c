/* SPDX-License-Identifier: Apache-2.0 */
/* Reported faults of generators. */
#include "backends/planted/reported.h"

#include <stdlib.h>

enum { WORDS = 6 };

static void philox(const uint32_t *state, uint32_t *block)
{
    uint32_t key[2] = { state[4], state[5] };
    memcpy(block, state, 4 * sizeof *block);
    for (unsigned round = 0; round < 10; ++round) {
        const uint64_t even = (uint64_t)0xD2511F53 * block[0], odd = (uint64_t)0xCD9E8D57 * block[2];
        block[0] = (uint32_t)(odd >> 32) ^ block[1] ^ key[0];
        block[1] = (uint32_t)odd;
        block[2] = (uint32_t)(even >> 32) ^ block[3] ^ key[1];
        block[3] = (uint32_t)even;
        key[0] += 0x9E3779B9;
        key[1] += 0xBB67AE85;
    }
}

static void add(uint32_t *counter, uint64_t n)
{
    uint64_t carry = 0;
    for (unsigned i = 0; i < 4; ++i) {
        carry += counter[i] + (i < 2 ? n >> 32 * i & UINT32_MAX : 0);
        counter[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

static void *word_of(const ts_tensor *t, uint32_t word)
{
    return (unsigned char *)t->data + word * t->strides[t->rank - 1] * sizeof(uint32_t);
}

static void read_state(const fault_call *call, uint32_t *state)
{
    for (uint32_t i = 0; i < WORDS; ++i)
        memcpy(&state[i], word_of(&call->d->tensors[0], i), sizeof *state);
}

static void write_state(const fault_call *call, const uint32_t *state)
{
    const ts_tensor *t = &call->d->tensors[2];
    for (uint32_t i = 0; i < WORDS && (t->given & TS_GIVEN_TENSOR); ++i)
        memcpy(word_of(t, i), &state[i], sizeof *state);
}

/* Makes the counter of a block from the state of the call. */
typedef void (*block_counter)(uint32_t *state, uint64_t block);

typedef struct filling {
    const uint32_t *state;
    block_counter counter;
    uint64_t apart; /* 0: the words of a block are adjacent; else so far apart in the output */
} filling;

static void fill_word(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    const filling *f = context;
    uint32_t state[WORDS], block[4];
    memcpy(state, f->state, sizeof state);
    f->counter(state, f->apart ? number % f->apart : number / 4);
    philox(state, block);
    memcpy(element, &block[f->apart ? number / f->apart : number % 4], bytes);
}

/* Fill the output with words that begin `start` blocks after the state. */
static void fill(const fault_call *call, block_counter counter, uint64_t apart, uint64_t start)
{
    uint32_t state[WORDS];
    filling f = { state, counter, apart };
    read_state(call, state);
    add(state, start);
    fault_run_right(call);
    fault_each(call->out, fill_word, &f);
}

static void low_word(uint32_t *state, uint64_t block)
{
    add(state, block);
    state[1] = 0;
}

static void truncated_counter(const fault_call *call)
{
    fill(call, low_word, 0, 0);
}

static void first_word(uint32_t *state, uint64_t block)
{
    state[0] += (uint32_t)block;
}

static void no_carry(const fault_call *call)
{
    fill(call, first_word, 0, 0);
}

static void words_apart(const fault_call *call)
{
    fill(call, add, (fault_count(call->out) + 3) / 4, 0);
}

#define LAUNCHED 40960u

static void second_sequence(uint32_t *state, uint64_t block)
{
    add(state, block < LAUNCHED / 4 ? block : block - LAUNCHED / 4);
    state[2] += block < LAUNCHED / 4 ? 0 : 1;
}

static void by_threads(const fault_call *call)
{
    fill(call, second_sequence, 0, 0);
}

static void block_16(uint32_t *state, uint64_t block)
{
    add(state, block & UINT16_MAX);
}

static void repeated(const fault_call *call)
{
    fill(call, block_16, 0, 0);
}

static void half_way(const fault_call *call)
{
    const uint64_t count = fault_count(call->out);
    uint32_t state[WORDS];
    read_state(call, state);
    fault_run_right(call);
    if (count <= 1024)
        return;
    add(state, ((count + 3) / 4 + 1) / 2);
    write_state(call, state);
}

static void not_for_few(const fault_call *call)
{
    uint32_t state[WORDS];
    read_state(call, state);
    fault_run_right(call);
    if (fault_count(call->out) < 4)
        write_state(call, state);
}

static void not_reseeded(const fault_call *call)
{
    uint32_t state[WORDS];
    read_state(call, state);
    if (!*call->kept)
        *call->kept = calloc(WORDS, sizeof *state);
    if (!*call->kept || memcmp(*call->kept, state, sizeof state) != 0)
        *call->carried = 0;
    if (*call->kept)
        memcpy(*call->kept, state, sizeof state);
    fill(call, add, 0, *call->carried);
    *call->carried += (fault_count(call->out) + 3) / 4;
}

#define THREADS 4096u

static bool second_pass(const fault_path *p)
{
    return p->count > 4 * THREADS;
}

static void group_early(const fault_path *p, fault_place *e)
{
    e->from += (int64_t)(e->number / (4 * THREADS) * 4);
    e->unwritten = (uint64_t)e->from >= p->count;
}

static const fault rows[] = {
    { "tensorflow-philox-stride", ON_RANDOM, GRIDS,
      "from the second pass of all threads on, words are written a group too early (tensorflow pull request 10298)",
      .takes = second_pass, .wrong = group_early },
    { "arrayfire-low-word", ON_RANDOM, MAGNITUDES,
      "the counter is cut to 32 bits, its second word is taken for 0 (arrayfire issue 2007)",
      .execute = truncated_counter },
    { "random123-carry", ON_RANDOM, MAGNITUDES,
      "no carry from the first word of the counter to the second (Random123.jl issue 5)", .execute = no_carry },
    { "pytorch-unroll", ON_RANDOM, COUNTS,
      "the new state of many words is half of the way further, so words come again (pytorch pull request 126066)",
      .execute = half_way },
    { "nvfuser-words-apart", ON_RANDOM, MEANING,
      "the four words of a block are a quarter of the output apart (NVIDIA/Fuser issue 557)", .execute = words_apart },
    { "pytorch-launched-threads", ON_RANDOM, GRIDS,
      "words beyond the threads of a launch, 40,960, are of another sequence (pytorch issue 194676)",
      .execute = by_threads },
    { "simphony-short", ON_RANDOM, TAILS,
      "less than a block of words does not advance the state (BNLNPPS/simphony pull request 65)",
      .execute = not_for_few },
    { "ck-repeated", ON_RANDOM, MAGNITUDES, "the blocks come again after 65,536 (composable_kernel pull request 574)",
      .execute = repeated },
    { "pytorch-reseeded", ON_RANDOM, HISTORY,
      "the same state again continues the words of the call before (pytorch pull request 12677)",
      .execute = not_reseeded },
};

const fault_table planted_reported_random = { rows, sizeof rows / sizeof *rows };
