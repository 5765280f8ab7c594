/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RANDOM_GENERATOR. A dense output is written in place, by two threads; rows of whole blocks as well, row by row; any
 * other layout through a buffer. The expanded keys of the latest states are kept.
 */
#include "audit/kernels/kernels.h"
#include "audit/kernels/nest.h"
#include "audit/kernels/philox.h"
#include "audit/kernels/rows.h"
#include "audit/kernels/tensors.h"
#include "audit/kernels/walk.h"

#include <string.h>

enum { STATE, OUT, OUT_STATE };
enum { WORD = 4, BUFFER_WORDS = 64, SEAM_WORDS = 256 };

static plan_cache cache;
static philox_keys keys[PLAN_SLOTS];

/* ---- the state --------------------------------------------------------------------------------------------------- */

static void read_state(const ts_tensor *t, uint32_t state[PHILOX_STATE_WORDS])
{
    const unsigned char *from = t->data;
    for (uint32_t i = 0; i < PHILOX_STATE_WORDS; ++i) {
        memcpy(&state[i], from, WORD);
        from += tensor_step(t, t->rank - 1);
    }
}

static void write_state(const ts_tensor *t, const philox_stream *s, const uint32_t state[PHILOX_STATE_WORDS])
{
    const uint32_t next[PHILOX_STATE_WORDS] = { (uint32_t)s->low,  (uint32_t)(s->low >> 32),
                                                (uint32_t)s->high, (uint32_t)(s->high >> 32),
                                                state[4],          state[5] };
    unsigned char *to = t->data;
    for (uint32_t i = 0; i < PHILOX_STATE_WORDS; ++i) {
        memcpy(to, &next[i], WORD);
        to += tensor_step(t, t->rank - 1);
    }
}

/* ---- the output -------------------------------------------------------------------------------------------------- */

/* A contiguous output: the second thread starts where the first one will be, at a whole number of blocks. */
static void fill_dense(philox_stream *s, unsigned char *to, uint64_t words)
{
    const uint64_t blocks = words < SEAM_WORDS ? 0 : words / 2 / PHILOX_BLOCK_WORDS;
    philox_stream first = *s;
    philox_words(&first, to, blocks * PHILOX_BLOCK_WORDS);
    philox_skip(s, blocks);
    philox_words(s, to + blocks * PHILOX_BLOCK_WORDS * WORD, words - blocks * PHILOX_BLOCK_WORDS);
}

/* Contiguous rows of whole blocks. */
static void fill_rows(philox_stream *s, const nest *n, unsigned char *to)
{
    const uint64_t rows = nest_count(n, n->rank - 1);
    walk w;
    walk_begin(&w, n, n->rank - 1, 0);
    for (uint64_t row = 0; row < rows; ++row) {
        philox_words(s, to + w.to, n->loops[n->rank - 1].size);
        walk_next(&w);
    }
}

/* Any rows, from a buffer that is filled as soon as it is used up. A row can take from several fillings. */
static void fill_buffered(philox_stream *s, const nest *n, unsigned char *to)
{
    unsigned char buffer[BUFFER_WORDS * WORD];
    const loop *inner = &n->loops[n->rank - 1];
    const uint64_t rows = nest_count(n, n->rank - 1);
    uint64_t left = rows * inner->size; /* words to generate */
    uint64_t ready = 0;                 /* words in the buffer, */
    uint64_t used = 0;                  /* and how many of them were taken */
    walk w;
    walk_begin(&w, n, n->rank - 1, 0);
    for (uint64_t row = 0; row < rows; ++row) {
        for (uint64_t at = 0; at < inner->size;) {
            if (used == ready) {
                ready = left < BUFFER_WORDS ? left : BUFFER_WORDS;
                philox_words(s, buffer, ready);
                left -= ready;
                used = 0;
            }
            const uint64_t wanted = inner->size - at;
            const uint64_t taken = wanted < ready - used ? wanted : ready - used;
            row_any(to + w.to + (int64_t)at * inner->to, inner->to, buffer + used * WORD, WORD, WORD, taken);
            at += taken;
            used += taken;
        }
        walk_next(&w);
    }
}

/* The words are numbered in row-major order of the coordinates, so the loops stay in their order. */
static void fill(philox_stream *s, const ts_tensor *out)
{
    nest n;
    nest_begin(&n, WORD);
    for (uint32_t k = 0; k < out->rank; ++k)
        nest_add(&n, out->sizes[k], tensor_step(out, k), 0);
    nest_merge(&n);
    if (n.rank == 0) {
        philox_words(s, out->data, 1);
        return;
    }
    const loop *inner = &n.loops[n.rank - 1];
    if (n.rank == 1 && inner->to == WORD)
        fill_dense(s, out->data, inner->size);
    else if (inner->to == WORD && inner->size % PHILOX_BLOCK_WORDS == 0)
        fill_rows(s, &n, out->data);
    else
        fill_buffered(s, &n, out->data);
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

static ts_status run(const ts_call *call)
{
    const ts_tensor *out_state = ts_call_tensor(call, OUT_STATE);
    uint32_t state[PHILOX_STATE_WORDS];
    read_state(ts_call_tensor(call, STATE), state);
    plan_key key = { .count = 0 };
    plan_key_add(&key, state[4]);
    plan_key_add(&key, state[5]);
    bool found;
    const uint32_t slot = plan_cache_slot(&cache, &key, &found);
    if (!found)
        philox_expand(&keys[slot], state[4], state[5]);
    philox_stream s = { state[0] | (uint64_t)state[1] << 32, state[2] | (uint64_t)state[3] << 32, &keys[slot] };
    fill(&s, ts_call_tensor(call, OUT));
    if (out_state->given & TS_GIVEN_TENSOR)
        write_state(out_state, &s, state);
    return TS_OK;
}

static void reset(void)
{
    memset(&cache, 0, sizeof cache);
}

const kernel_operator kernel_random_generator = { "dml.random_generator", run, reset };
