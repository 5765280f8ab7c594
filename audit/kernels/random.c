/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RANDOM_GENERATOR. A dense output is written in place, by two threads; rows of whole blocks as well, row by row; a
 * large output of another layout by a grid of threads that make a block each, a small one through a buffer. The
 * expanded keys of the latest states are kept.
 */
#include "audit/kernels/grid.h"
#include "audit/kernels/kernels.h"
#include "audit/kernels/nest.h"
#include "audit/kernels/philox.h"
#include "audit/kernels/rows.h"
#include "audit/kernels/tensors.h"
#include "audit/kernels/walk.h"

#include <string.h>

enum { STATE, OUT, OUT_STATE };
enum { WORD = 4, BUFFER_WORDS = 64, SEAM_WORDS = 256, GRID_WORDS = 512 };

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

/* What the threads of a grid read. */
typedef struct arguments {
    const philox_stream *stream;
    const nest *nest;
    divisor divisors[NEST_RANK];
    uint32_t words;
    unsigned char *to;
} arguments;

/* Thread `number` makes that block of the stream, and finds the place of each word by itself. */
static void one_thread(const arguments *a, uint32_t number)
{
    unsigned char block[PHILOX_BLOCK_WORDS * WORD];
    philox_stream own = *a->stream;
    philox_skip(&own, number);
    philox_words(&own, block, PHILOX_BLOCK_WORDS);
    for (uint32_t i = 0; i < PHILOX_BLOCK_WORDS; ++i) {
        uint32_t rest = number * PHILOX_BLOCK_WORDS + i;
        int32_t to = 0;
        if (rest >= a->words)
            return;
        for (uint32_t k = a->nest->rank; k-- > 0;) {
            uint32_t at;
            rest = divisor_split(&a->divisors[k], rest, &at);
            to += (int32_t)at * (int32_t)a->nest->loops[k].to;
        }
        memcpy(a->to + to, block + i * WORD, WORD);
    }
}

static void shader(const dispatch *d, void *context)
{
    for (uint32_t x = 0; x < d->groups[0]; ++x)
        for (uint32_t thread = 0; thread < GRID_THREADS; ++thread)
            one_thread(context, (uint32_t)(d->first[0] + x) * GRID_THREADS + thread);
}

static void fill_grid(philox_stream *s, const nest *n, unsigned char *to)
{
    arguments a = { .stream = s, .nest = n, .words = (uint32_t)nest_count(n, n->rank), .to = to };
    const uint64_t blocks = (a.words + PHILOX_BLOCK_WORDS - 1) / PHILOX_BLOCK_WORDS;
    for (uint32_t k = 0; k < n->rank; ++k)
        a.divisors[k] = divisor_of((uint32_t)n->loops[k].size);
    grid_dispatch((const uint64_t[3]){ (blocks + GRID_THREADS - 1) / GRID_THREADS, 1, 1 }, shader, &a);
    philox_skip(s, blocks);
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
    else if (nest_fits_32(&n) && nest_count(&n, n.rank) >= GRID_WORDS)
        fill_grid(s, &n, out->data);
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
