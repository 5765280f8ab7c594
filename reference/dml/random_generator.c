/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/random_generator.h"
#include "reference/dml.h"

#include <inttypes.h>

#define PAGE           "DML_RANDOM_GENERATOR_OPERATOR_DESC"
#define PHILOX_4X32_10 0u
#define STATE_WORDS    6

/* random_generator_suggest.c */
ts_suggest dml_random_generator_suggest_type, dml_random_generator_suggest_state;

/* clang-format off */
enum { STATE, OUT, OUT_STATE };
static const ts_tensor_decl tensors[] = {
    { "InputStateTensor",  "state",     TS_INPUT,  false },
    { "OutputTensor",      "out",       TS_OUTPUT, false },
    { "OutputStateTensor", "out_state", TS_OUTPUT, true },
};

static const char *const types[] = { "DML_RANDOM_GENERATOR_TYPE_PHILOX_4X32_10", NULL };
static const ts_attr_decl attrs[] = {
    { "Type", "type", TS_ATTR_U32, TS_SCALAR, .offset = offsetof(ts_dml_random_generator, Type), .capacity = 1,
      .names = types },
};

#define UNSIGNED_32 TS_DTYPE_BIT(TS_UINT32)
static const ts_support_row support[] = {
    { TS_LEVEL_3_0, { { 4, 4, UNSIGNED_32 }, { 4, 4, UNSIGNED_32 }, { 4, 4, UNSIGNED_32 } } },
    { TS_LEVEL_4_0, { { 1, 8, UNSIGNED_32 }, { 1, 8, UNSIGNED_32 }, { 1, 8, UNSIGNED_32 } } },
};

static const ts_clause clauses[] = {
    { "RG-01", "the operator exists from feature level 3_0 on; InputStateTensor and OutputTensor are not null",
      PAGE, "Availability", TS_IMPLIED, .result = TS_RESULT_INVALID,
      .ground = "the level is stated; the page marks OutputStateTensor with _Maybenull_, and these two not" },
    { "RG-02", "Type is DML_RANDOM_GENERATOR_TYPE_PHILOX_4X32_10",
      PAGE, "Type", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = dml_random_generator_suggest_type },
    { "RG-03", "every tensor is UINT32",
      PAGE, "Tensor support", TS_STATED, .result = TS_RESULT_INVALID },
    { "RG-04", "InputStateTensor.Sizes are {1, ..., 1, 6}; 4 dimensions, from feature level 4_0 on 1 to 8",
      PAGE, "InputStateTensor", TS_IMPLIED, .result = TS_RESULT_INVALID,
      .suggest = dml_random_generator_suggest_state,
      .ground = "the table of 4_0, newer than the sentence \"{1,1,1,6}\", has 1 to 8 dimensions that end in 6" },
    { "RG-05", "OutputStateTensor, if present, has InputStateTensor's DimensionCount and Sizes",
      PAGE, "Tensor constraints", TS_STATED, .result = TS_RESULT_INVALID },
    { "RG-06", "OutputTensor has any sizes; 4 dimensions, from feature level 4_0 on 1 to 8",
      PAGE, "OutputTensor", TS_STATED, .result = TS_RESULT_INVALID },
    { "RG-07", "state words 0 to 3 are the 128-bit counter, least significant word first; 4 and 5 are the key",
      PAGE, "InputStateTensor", TS_IMPLIED, .result = TS_RESULT_NONE,
      .ground = "the figure lays one 128-bit number over four elements, and Direct3D's memory is little-endian" },
    { "RG-08", "output n, in row-major order, is word n % 4 of philox4x32_10(counter + n / 4 mod 2^128, key)",
      PAGE, "Type", TS_IMPLIED, .result = TS_RESULT_NONE,
      .ground = "the page names Philox 4x32-10 and links its paper; its count rounds the last block up" },
    { "RG-09", "OutputState = { counter + ceil(N / 4) mod 2^128, key }",
      PAGE, "Remarks", TS_IMPLIED, .result = TS_RESULT_NONE,
      .ground = "\"incremented by ceil(outputSize / 4)\", as the example says, too; 128 bits count modulo 2^128" },
    { "RG-10", "the outputs are a pure function of InputStateTensor, which does not change",
      PAGE, "Description", TS_STATED, .result = TS_RESULT_NONE },
    { "RG-11", "the state is not updated in place (BUF-18)",
      PAGE, "OutputStateTensor", TS_IMPLIED, .result = TS_RESULT_BIND_ERROR,
      .ground = "BindInputs permits it if the operator supports it, which this page does not say, and others do" },
};
/* clang-format on */

static void check(const ts_descriptor *d, ts_report *report)
{
    const ts_dml_random_generator *a = TS_ATTRS(ts_dml_random_generator, d);
    const ts_tensor *state = &d->tensors[STATE], *out_state = &d->tensors[OUT_STATE];
    /* RG-05 compares OutputStateTensor's dimension count with the one that RG-04 judges. */
    bool comparable = dml_check_tensors(d, report, "RG-01", (const char *[]){ "RG-04", "RG-06", NULL },
                                        (const char *[]){ "RG-03", "RG-03", "RG-03" });
    if (a->Type != PHILOX_4X32_10)
        operator_violate(report, "RG-02", TS_RESULT_INVALID, -1, -1,
                         "Type = %u is not DML_RANDOM_GENERATOR_TYPE_PHILOX_4X32_10 = 0", a->Type);
    if (!operator_check_given(d, report, "RG-01") || !comparable)
        return;
    for (uint32_t i = 0; i < state->rank && i < TS_MAX_DIMS; ++i) {
        uint64_t expected = i + 1 == state->rank ? STATE_WORDS : 1;
        if (state->sizes[i] != expected && state->sizes[i] != 0) /* zeros are BUF-06 */
            operator_violate(report, "RG-04", TS_RESULT_INVALID, STATE, (int)i,
                             "InputStateTensor.Sizes[%u] = %" PRIu64 ", expected %" PRIu64, i, state->sizes[i],
                             expected);
    }
    if (!(out_state->given & TS_GIVEN_TENSOR))
        return;
    if (out_state->rank != state->rank) {
        operator_violate(report, "RG-05", TS_RESULT_INVALID, OUT_STATE, -1,
                         "OutputStateTensor.DimensionCount = %u differs from InputStateTensor.DimensionCount = %u",
                         out_state->rank, state->rank);
        return;
    }
    for (uint32_t i = 0; i < state->rank && i < TS_MAX_DIMS; ++i) {
        if (out_state->sizes[i] != state->sizes[i] && out_state->sizes[i] != 0 && state->sizes[i] != 0)
            operator_violate(report, "RG-05", TS_RESULT_INVALID, OUT_STATE, (int)i,
                             "OutputStateTensor.Sizes[%u] = %" PRIu64 " differs from InputStateTensor.Sizes[%u] = "
                             "%" PRIu64,
                             i, out_state->sizes[i], i, state->sizes[i]);
    }
}

static bool shape(ts_descriptor *d)
{
    const ts_tensor *state = &d->tensors[STATE];
    ts_tensor *out_state = &d->tensors[OUT_STATE];
    if (state->rank < 1 || state->rank > TS_MAX_DIMS)
        return false;
    if (out_state->given & TS_GIVEN_TENSOR) {
        out_state->rank = state->rank;
        memcpy(out_state->sizes, state->sizes, state->rank * sizeof state->sizes[0]);
    }
    return true; /* the caller chooses the sizes of OutputTensor */
}

/* Address of word w of a state. All sizes of a state but the last are 1. */
static void *state_word(const ts_tensor *t, uint32_t w)
{
    uint64_t coord[TS_MAX_DIMS] = { 0 };
    coord[t->rank - 1] = w;
    return tensor_at(t, coord);
}

static void philox4x32_10(const uint32_t counter[4], const uint32_t key[2], uint32_t block[4])
{
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3], k0 = key[0], k1 = key[1];
    for (unsigned round = 0; round < 10; ++round) {
        uint64_t p0 = (uint64_t)0xD2511F53 * c0, p1 = (uint64_t)0xCD9E8D57 * c2;
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)p1;
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)p0;
        k0 += 0x9E3779B9;
        k1 += 0xBB67AE85;
    }
    block[0] = c0;
    block[1] = c1;
    block[2] = c2;
    block[3] = c3;
}

/* The 128-bit counter plus one, mod 2^128. */
static void increment(uint32_t counter[4])
{
    for (unsigned i = 0; i < 4 && ++counter[i] == 0; ++i)
        ;
}

static void run(const ts_descriptor *d, ts_unspecified *unspecified)
{
    const ts_tensor *out = &d->tensors[OUT], *out_state = &d->tensors[OUT_STATE];
    uint64_t o[TS_MAX_DIMS] = { 0 }, n = 0;
    uint32_t state[STATE_WORDS], block[4]; /* counter and key: RG-07 */
    (void)unspecified;                     /* every element is defined */
    for (uint32_t w = 0; w < STATE_WORDS; ++w)
        memcpy(&state[w], state_word(&d->tensors[STATE], w), sizeof state[w]);
    do {
        if (n % 4 == 0) {
            philox4x32_10(state, state + 4, block);
            increment(state); /* once for every four outputs begun: RG-09 */
        }
        memcpy(tensor_at(out, o), &block[n++ % 4], sizeof block[0]);
    } while (tensor_next(out, o));
    for (uint32_t w = 0; w < STATE_WORDS && (out_state->given & TS_GIVEN_TENSOR); ++w)
        memcpy(state_word(out_state, w), &state[w], sizeof state[w]);
}

ts_explain dml_random_generator_explain; /* random_generator_explain.c */

const ts_operator operator_dml_random_generator = {
    .name = "dml.random_generator",
    .title = PAGE,
    .page = "https://learn.microsoft.com/windows/win32/api/directml/ns-directml-dml_random_generator_operator_desc",
    .tensor_count = sizeof tensors / sizeof tensors[0],
    .tensors = tensors,
    .attr_count = sizeof attrs / sizeof attrs[0],
    .attrs = attrs,
    .attrs_size = sizeof(ts_dml_random_generator),
    .support_count = sizeof support / sizeof support[0],
    .support = support,
    .clause_count = sizeof clauses / sizeof clauses[0],
    .clauses = clauses,
    .shared_count = DML_CLAUSE_COUNT,
    .shared = dml_clauses,
    .run_clause = "RG-08",
    .shape_clause = "RG-06",
    .write_clause = "BUF-19",
    .read_clause = "BUF-16",
    .check = check,
    .shape = shape,
    .run = run,
    .explain = dml_random_generator_explain,
};
