/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/random_generator.h"
#include "reference/dml_explain.h"

#include <inttypes.h>
#include <stdio.h>

enum { STATE, OUT, OUT_STATE };

#define STATE_WORDS 6
#define ROUNDS      10

/* The values that the explanation uses. */
typedef struct generator {
    const ts_descriptor *d;
    uint32_t state[STATE_WORDS];
    bool has_values; /* the state has data */
} generator;

/* ---- the generator ----------------------------------------------------------------------------------------- */

typedef struct philox_round {
    uint32_t c[4], k[2];
} philox_round;

static void philox_step(philox_round *r)
{
    uint64_t p0 = (uint64_t)0xD2511F53 * r->c[0], p1 = (uint64_t)0xCD9E8D57 * r->c[2];
    uint32_t c[4] = { (uint32_t)(p1 >> 32) ^ r->c[1] ^ r->k[0], (uint32_t)p1, (uint32_t)(p0 >> 32) ^ r->c[3] ^ r->k[1],
                      (uint32_t)p0 };
    memcpy(r->c, c, sizeof c);
    r->k[0] += 0x9E3779B9;
    r->k[1] += 0xBB67AE85;
}

/* Key of the state, and its counter plus n, mod 2^128. */
static philox_round start_of_block(const uint32_t *state, uint64_t n)
{
    philox_round r = { .k = { state[4], state[5] } };
    uint64_t carry = 0;
    for (unsigned i = 0; i < 4; ++i) {
        uint64_t sum = (uint64_t)state[i] + (i < 2 ? (uint32_t)(n >> (32 * i)) : 0) + carry;
        r.c[i] = (uint32_t)sum;
        carry = sum >> 32;
    }
    return r;
}

/* ---- the explanation --------------------------------------------------------------------------------------- */

static void read_state(generator *g)
{
    const ts_tensor *t = &g->d->tensors[STATE];
    uint64_t coord[TS_MAX_DIMS] = { 0 };
    g->has_values = t->data && t->dtype == TS_UINT32 && t->rank >= 1 && t->rank <= TS_MAX_DIMS &&
                    t->sizes[t->rank - 1] >= STATE_WORDS;
    for (uint32_t w = 0; w < STATE_WORDS && g->has_values; ++w) {
        coord[t->rank - 1] = w;
        memcpy(&g->state[w], tensor_at(t, coord), sizeof g->state[w]);
    }
}

static void describe_state(ts_explanation *x, const generator *g)
{
    const uint32_t *s = g->state;
    explain_step(x, "RG-07 RG-04", "The state: a counter of four words and a key of two");
    explain_say(x,
                "Words 0 to 3 of InputStateTensor are one 128-bit number, the counter, word 0 the least "
                "significant; words 4 and 5 are the key.%s",
                g->has_values ? ""
                              : " The descriptor has no values of the state: the numbers below are those of a state of "
                                "zeros, as an example.");
    explain_show(x, "word          0         1         2         3         4         5");
    explain_show(x, "       %08" PRIx32 "  %08" PRIx32 "  %08" PRIx32 "  %08" PRIx32 "  %08" PRIx32 "  %08" PRIx32,
                 s[0], s[1], s[2], s[3], s[4], s[5]);
    explain_show(x,
                 "counter = 0x%08" PRIx32 "'%08" PRIx32 "'%08" PRIx32 "'%08" PRIx32 ", key = { 0x%08" PRIx32
                 ", 0x%08" PRIx32 " }",
                 s[3], s[2], s[1], s[0], s[4], s[5]);
}

static void describe_blocks(ts_explanation *x, const generator *g, uint64_t count, uint64_t blocks)
{
    explain_step(x, "RG-08 RG-06", "%" PRIu64 " output%s from %" PRIu64 " block%s of four words", count,
                 count == 1 ? "" : "s", blocks, blocks == 1 ? "" : "s");
    explain_say(x, "The generator turns a counter and the key into a block of four words. Block b belongs to the "
                   "counter plus b. Output n, counted in row-major order whatever the strides are, is word n %% 4 of "
                   "block n / 4.");
    for (uint64_t b = 0; b < blocks && b < 3; ++b) {
        philox_round r = start_of_block(g->state, b);
        uint64_t last = 4 * b + 3 < count ? 4 * b + 3 : count - 1;
        char outputs[64];
        snprintf(outputs, sizeof outputs, last == 4 * b ? "output %" PRIu64 : "outputs %" PRIu64 " to %" PRIu64, 4 * b,
                 last);
        explain_show(x, "block %" PRIu64 "  counter %08" PRIx32 "'%08" PRIx32 "'%08" PRIx32 "'%08" PRIx32 "  %s", b,
                     r.c[3], r.c[2], r.c[1], r.c[0], outputs);
    }
    if (blocks > 3)
        explain_show(x, "and so on, up to block %" PRIu64, blocks - 1);
    if (count % 4)
        explain_say(x,
                    "The last block gives %" PRIu64 " of its words; the others are discarded and never appear "
                    "later.",
                    count % 4);
}

static void describe_rounds(ts_explanation *x, const generator *g)
{
    philox_round r = start_of_block(g->state, 0);
    uint64_t p0 = (uint64_t)0xD2511F53 * r.c[0], p1 = (uint64_t)0xCD9E8D57 * r.c[2];
    explain_step(x, "RG-08 RG-02", "Block 0, round by round: Philox 4x32 with 10 rounds");
    explain_say(x, "The four words c0 to c3 start as the counter, k0 and k1 as the key. Each round multiplies two of "
                   "the words to 64 bits and mixes the halves with the other two and the key (^ is exclusive or):");
    explain_show(x, "p0 = 0xD2511F53 * c0       p1 = 0xCD9E8D57 * c2");
    explain_show(x, "c0' = high(p1) ^ c1 ^ k0   c1' = low(p1)   c2' = high(p0) ^ c3 ^ k1   c3' = low(p0)");
    explain_show(x, "k0' = k0 + 0x9E3779B9      k1' = k1 + 0xBB67AE85      (mod 2^32)");
    explain_say(x, "Round 1 has p0 = 0x%016" PRIx64 " and p1 = 0x%016" PRIx64 ".", p0, p1);
    explain_show(x, "round        k0        k1        c0        c1        c2        c3");
    explain_show(x, "start                      %08" PRIx32 "  %08" PRIx32 "  %08" PRIx32 "  %08" PRIx32, r.c[0],
                 r.c[1], r.c[2], r.c[3]);
    for (unsigned round = 1; round <= ROUNDS; ++round) {
        uint32_t k0 = r.k[0], k1 = r.k[1];
        philox_step(&r);
        explain_show(x, "%5u  %08" PRIx32 "  %08" PRIx32 "  %08" PRIx32 "  %08" PRIx32 "  %08" PRIx32 "  %08" PRIx32,
                     round, k0, k1, r.c[0], r.c[1], r.c[2], r.c[3]);
    }
    explain_say(x, "The last line is the block.");
}

static void describe_next_state(ts_explanation *x, const generator *g, uint64_t blocks, uint64_t count)
{
    philox_round r = start_of_block(g->state, blocks);
    uint64_t carry = 0;
    bool wanted = g->d->tensors[OUT_STATE].given & TS_GIVEN_TENSOR;
    explain_step(x, "RG-09 RG-05 RG-10", "The next state: the counter plus %" PRIu64, blocks);
    explain_say(x,
                "ceil(%" PRIu64 " / 4) = %" PRIu64 " block%s were used, so the counter increases by as many and the "
                "key does not change. %s",
                count, blocks, blocks == 1 ? "" : "s",
                wanted ? "The call writes the new state to OutputStateTensor; InputStateTensor does not change."
                       : "OutputStateTensor is absent, so the new state is not written; the outputs are the same.");
    for (unsigned i = 0; i < 4; ++i) {
        uint32_t addend = i < 2 ? (uint32_t)(blocks >> (32 * i)) : 0;
        uint64_t sum = (uint64_t)g->state[i] + addend + carry;
        explain_show(x, "word %u  %08" PRIx32 " + %08" PRIx32 " + carry %" PRIu64 " = %08" PRIx32 ", carry %" PRIu64, i,
                     g->state[i], addend, carry, (uint32_t)sum, sum >> 32);
        carry = sum >> 32;
    }
    if (carry)
        explain_say(x, "The carry out of word 3 is discarded: the counter is a number mod 2^128.");
    explain_show(x, "next   %08" PRIx32 "  %08" PRIx32 "  %08" PRIx32 "  %08" PRIx32 "  %08" PRIx32 "  %08" PRIx32,
                 r.c[0], r.c[1], r.c[2], r.c[3], r.k[0], r.k[1]);
}

static bool source(const void *context, explain_element *e)
{
    const generator *g = context;
    const ts_tensor *out = &g->d->tensors[OUT];
    uint64_t n = 0;
    for (uint32_t i = 0; i < out->rank; ++i)
        n = n * out->sizes[i] + e->to_coord[i];
    philox_round r = start_of_block(g->state, n / 4);
    for (unsigned round = 0; round < ROUNDS; ++round)
        philox_step(&r);
    e->has_bits = true;
    e->bits = r.c[n % 4];
    e->addresses = dml_explain_addresses(g->d);
    snprintf(e->source, sizeof e->source, "word %u of block %" PRIu64, (unsigned)(n % 4), n / 4);
    return true;
}

ts_explain dml_random_generator_explain;
void dml_random_generator_explain(const ts_descriptor *d, ts_explanation *x)
{
    const ts_dml_random_generator *a = TS_ATTRS(ts_dml_random_generator, d);
    const ts_tensor *out = &d->tensors[OUT];
    generator g = { .d = d };
    uint64_t count = 0;
    explain_step(x, "RG-02 RG-03", "Generator type %u", a->Type);
    explain_say(x, a->Type == 0
                       ? "Type 0 is DML_RANDOM_GENERATOR_TYPE_PHILOX_4X32_10, the only type. The generator has "
                         "no hidden state: it computes 32-bit words from a counter and a key, and the same "
                         "state always gives the same words."
                       : "The only type is 0, DML_RANDOM_GENERATOR_TYPE_PHILOX_4X32_10. The "
                         "explanation ends here.");
    if (a->Type != 0)
        return;
    read_state(&g);
    describe_state(x, &g);
    if (!(out->given & TS_GIVEN_SIZES) || out->rank < 1 || out->rank > TS_MAX_DIMS ||
        !tensor_element_count(out, &count) || count == 0) {
        explain_say(x, "OutputTensor has no valid sizes. The explanation ends here.");
        return;
    }
    uint64_t blocks = count / 4 + (count % 4 != 0);
    describe_blocks(x, &g, count, blocks);
    describe_rounds(x, &g);
    dml_explain_strided(x, d);
    explain_step(x, "RG-08", "Each element");
    explain_elements(x, d, OUT, source, &g);
    describe_next_state(x, &g, blocks, count);
}
