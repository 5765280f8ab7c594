/* SPDX-License-Identifier: Apache-2.0 */
/* DML_OPERATOR_RANDOM_GENERATOR: Philox 4x32-10 (rules RG-01 to RG-11). */
#include "backends/cpu/buffer.h"
#include "backends/cpu/copy.h"
#include "backends/cpu/cpu.h"
#include "backends/cpu/philox.h"
#include "reference/dml/random_generator.h"

static const buffer_row support[] = {
    { TS_LEVEL_4_0, 1, 8, BUFFER_BIT(TS_UINT32), 0 },
    { TS_LEVEL_3_0, 4, 4, BUFFER_BIT(TS_UINT32), 0 },
};

#define STATE_WORDS 6
#define BATCH       1024 /* words between generator and strided output; a multiple of 4 */

static bool is_state(const ts_tensor *t)
{
    for (uint32_t i = 0; i + 1 < t->rank; ++i)
        if (t->sizes[i] != 1)
            return false;
    return t->sizes[t->rank - 1] == STATE_WORDS;
}

/* The words in row-major order of the coordinates, wherever the strides put them (RG-08): only the innermost runs may
   merge, the order of the dimensions may not change. */
static void scatter(const buffer *b, philox_state *state)
{
    uint32_t batch[BATCH];
    uint64_t at[8] = { 0 };
    uint32_t used = BATCH;
    uint64_t left = b->elements;
    const uint32_t inner = b->rank - 1;
    uint32_t *row = (uint32_t *)(void *)b->data;
    for (;;) {
        uint32_t *to = row;
        for (uint64_t i = b->sizes[inner]; i > 0; --i, to += b->strides[inner]) {
            if (used == BATCH) {
                philox_words(state, batch, left < BATCH ? left : BATCH);
                left -= left < BATCH ? left : BATCH;
                used = 0;
            }
            *to = batch[used++];
        }
        uint32_t i = inner;
        for (;;) {
            if (i-- == 0)
                return;
            row += b->strides[i];
            if (++at[i] < b->sizes[i])
                break;
            row -= b->sizes[i] * b->strides[i];
            at[i] = 0;
        }
    }
}

static ts_status run(const ts_call *call)
{
    const ts_dml_random_generator *attrs = call->attrs;
    const ts_tensor *in = ts_call_tensor(call, 0);
    const ts_tensor *out = ts_call_tensor(call, 1);
    const ts_tensor *next = ts_call_tensor(call, 2);
    const bool wants_next = (next->given & TS_GIVEN_TENSOR) != 0;
    const buffer_row *row = buffer_row_at(support, sizeof support / sizeof *support, cpu_level(call));
    if (!row || !(call->attrs_given & TS_RANDOM_GENERATOR_GIVEN_TYPE) || attrs->Type != 0)
        return TS_REJECTED;
    buffer input, output, output_state;
    if (!buffer_check(&input, in, BUFFER_INPUT, row->types, row->min_rank, row->max_rank) || !is_state(in) ||
        !buffer_check(&output, out, BUFFER_OUTPUT, row->types, row->min_rank, row->max_rank))
        return TS_REJECTED;
    if (wants_next &&
        (!buffer_check(&output_state, next, BUFFER_OUTPUT, row->types, in->rank, in->rank) || !is_state(next)))
        return TS_REJECTED;
    if (cpu_only_asks(call))
        return TS_OK;
    if (buffer_lacks_data(&input) || buffer_lacks_data(&output) || (wants_next && buffer_lacks_data(&output_state)))
        return TS_ERROR;

    uint32_t words[STATE_WORDS];
    const uint32_t *word = (const uint32_t *)(const void *)input.data;
    for (unsigned i = 0; i < STATE_WORDS; ++i, word += input.strides[input.rank - 1])
        words[i] = *word;
    philox_state state = { { words[0], words[1], words[2], words[3] }, { words[4], words[5] } };
    if (output.packed)
        philox_words(&state, (uint32_t *)(void *)output.data, output.elements);
    else
        scatter(&output, &state);
    if (wants_next) {
        memcpy(words, state.counter, sizeof state.counter);
        uint32_t *to = (uint32_t *)(void *)output_state.data;
        for (unsigned i = 0; i < STATE_WORDS; ++i, to += output_state.strides[output_state.rank - 1])
            *to = words[i];
    }
    return TS_OK;
}

const cpu_operator cpu_random_generator = { "dml.random_generator", 3, sizeof(ts_dml_random_generator), run };
