/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GatherTree-1, batch by batch. If all beams fit scratch memory, a step is a row: its parents of any type are converted
 * to numbers of beams, and then all sequences go one step back together. Wider beams follow their parents one by one.
 * Of dense tensors with 32-bit integers, a thread makes each sequence.
 */
#include "audit/kernels/grid.h"
#include "audit/kernels/kernels.h"
#include "audit/kernels/lanes.h"
#include "audit/kernels/numbers.h"
#include "audit/kernels/rows.h"
#include "audit/kernels/scratch.h"
#include "audit/kernels/tensors.h"

#include <string.h>

enum { STEPS, PARENTS, LENGTHS, END, OUT };
enum { LEAST_THREADS = 64 }; /* sequences */

/* Scratch memory holds, for each beam of a row, whose id comes next, the parents of the row, and whether it has ended.
 */
enum { MOST_BEAMS = SCRATCH_BYTES / (2 * sizeof(uint32_t) + 1) };

typedef struct tree {
    uint32_t dtype, bytes;
    uint64_t times, batches, beams;
    int64_t step[3], parent[3], out[3]; /* bytes from one time, batch and beam to the next */
    int64_t length;                     /* from one length to the next */
    const unsigned char *steps, *parents, *lengths, *end;
    unsigned char *to;
    divisor by_beam; /* threads */
} tree;

/* The steps of a batch that its sequences have. Those of a length that is none may have any values. */
static uint64_t steps_of(const tree *t, uint64_t batch)
{
    const int64_t stated = number_read(t->dtype, t->lengths + (int64_t)batch * t->length);
    return stated >= 0 && (uint64_t)stated < t->times ? (uint64_t)stated : t->times;
}

/* A parent that is no beam leads anywhere. */
static uint32_t beam_of(const tree *t, const unsigned char *parent)
{
    const int64_t stated = number_read(t->dtype, parent);
    return stated >= 0 && (uint64_t)stated < t->beams ? (uint32_t)stated : 0;
}

/* The rows of a batch behind its last step. */
static void fill_rest(const tree *t, unsigned char *to, uint64_t count)
{
    for (uint64_t time = count; time < t->times; ++time)
        row_any(to + (int64_t)time * t->out[0], t->out[2], t->end, 0, t->bytes, t->beams);
}

/* ---- row by row ------------------------------------------------------------------------------------------------ */

static void back_one_row(const tree *t, uint32_t *at, uint32_t *parents, const unsigned char *steps,
                         const unsigned char *from, unsigned char *to)
{
    for (uint64_t beam = 0; beam < t->beams; ++beam)
        parents[beam] = beam_of(t, from + (int64_t)beam * t->parent[2]);
    for (uint64_t beam = 0; beam < t->beams; ++beam) {
        lane_copy(to + (int64_t)beam * t->out[2], steps + (int64_t)at[beam] * t->step[2], t->bytes);
        at[beam] = parents[at[beam]];
    }
}

static void end_row(const tree *t, unsigned char *ended, unsigned char *to)
{
    for (uint64_t beam = 0; beam < t->beams; ++beam, to += t->out[2]) {
        if (ended[beam])
            lane_copy(to, t->end, t->bytes);
        else
            ended[beam] = number_equal(t->dtype, to, t->end);
    }
}

static void run_rows(const tree *t, uint64_t batch)
{
    const uint64_t count = steps_of(t, batch);
    uint32_t *at = (uint32_t *)scratch_words(), *parents = at + t->beams;
    unsigned char *ended = (unsigned char *)(parents + t->beams), *to = t->to + (int64_t)batch * t->out[1];
    const unsigned char *steps = t->steps + (int64_t)batch * t->step[1];
    const unsigned char *from = t->parents + (int64_t)batch * t->parent[1];
    for (uint32_t beam = 0; beam < t->beams; ++beam)
        at[beam] = beam;
    memset(ended, 0, t->beams);
    for (uint64_t time = count; time-- > 0;)
        back_one_row(t, at, parents, steps + (int64_t)time * t->step[0], from + (int64_t)time * t->parent[0],
                     to + (int64_t)time * t->out[0]);
    for (uint64_t time = 0; time < count; ++time)
        end_row(t, ended, to + (int64_t)time * t->out[0]);
    fill_rest(t, to, count);
}

/* ---- beam by beam ---------------------------------------------------------------------------------------------- */

static void one_sequence(const tree *t, uint64_t batch, uint64_t beam, uint64_t count)
{
    const unsigned char *steps = t->steps + (int64_t)batch * t->step[1];
    const unsigned char *parents = t->parents + (int64_t)batch * t->parent[1];
    unsigned char *to = t->to + (int64_t)batch * t->out[1] + (int64_t)beam * t->out[2];
    bool ended = false;
    for (uint64_t time = count; time-- > 0;) {
        const int64_t at = (int64_t)time;
        lane_copy(to + at * t->out[0], steps + at * t->step[0] + (int64_t)beam * t->step[2], t->bytes);
        beam = beam_of(t, parents + at * t->parent[0] + (int64_t)beam * t->parent[2]);
    }
    for (uint64_t time = 0; time < count; ++time, to += t->out[0]) {
        if (ended)
            lane_copy(to, t->end, t->bytes);
        else
            ended = number_equal(t->dtype, to, t->end);
    }
}

static void run_beams(const tree *t, uint64_t batch)
{
    const uint64_t count = steps_of(t, batch);
    for (uint64_t beam = 0; beam < t->beams; ++beam)
        one_sequence(t, batch, beam, count);
    fill_rest(t, t->to + (int64_t)batch * t->out[1], count);
}

/* ---- a thread per sequence ------------------------------------------------------------------------------------- */

static int32_t load(const unsigned char *from, uint64_t number)
{
    int32_t value;
    memcpy(&value, from + number * sizeof value, sizeof value);
    return value;
}

static void store(unsigned char *to, uint64_t number, int32_t value)
{
    memcpy(to + number * sizeof value, &value, sizeof value);
}

static void one_thread(const tree *t, uint32_t number)
{
    uint32_t beam;
    const uint64_t batch = divisor_split(&t->by_beam, number, &beam), slab = t->batches * t->beams;
    const int32_t length = load(t->lengths, batch), end = load(t->end, 0);
    const uint64_t count = length >= 0 && (uint64_t)length < t->times ? (uint64_t)length : t->times;
    int32_t from = (int32_t)beam;
    for (uint64_t time = t->times; time-- > count;)
        store(t->to, time * slab + number, end);
    for (uint64_t time = count; time-- > 0;) {
        const uint64_t row = time * slab + batch * t->beams;
        const uint64_t source = row + (from >= 0 && (uint64_t)from < t->beams ? (uint64_t)from : 0);
        store(t->to, row + beam, load(t->steps, source));
        from = load(t->parents, source);
    }
    bool ended = false;
    for (uint64_t time = 0; time < count; ++time) {
        if (ended)
            store(t->to, time * slab + number, end);
        ended = ended || load(t->to, time * slab + number) == end;
    }
}

static void shader(const dispatch *d, void *context)
{
    const tree *t = context;
    const uint64_t first = d->first[0] * GRID_THREADS, threads = (uint64_t)d->groups[0] * GRID_THREADS;
    for (uint64_t sequence = first; sequence < first + threads; ++sequence)
        if (sequence < t->batches * t->beams)
            one_thread(t, (uint32_t)sequence);
}

static bool fits_threads(const ts_call *call, const tree *t)
{
    for (uint32_t k = STEPS; k <= OUT; ++k)
        if (!tensor_is_dense(ts_call_tensor(call, k)))
            return false;
    const uint64_t sequences = t->batches * t->beams;
    return t->dtype == TS_INT32 && sequences >= LEAST_THREADS && sequences <= INT32_MAX;
}

static void run_threads(tree *t)
{
    const uint64_t groups = (t->batches * t->beams + GRID_THREADS - 1) / GRID_THREADS;
    t->by_beam = divisor_of((uint32_t)t->beams);
    grid_dispatch((const uint64_t[3]){ groups, 1, 1 }, shader, t);
}

/* ---- calls ----------------------------------------------------------------------------------------------------- */

static ts_status run(const ts_call *call)
{
    const ts_tensor *steps = ts_call_tensor(call, STEPS), *parents = ts_call_tensor(call, PARENTS);
    const ts_tensor *lengths = ts_call_tensor(call, LENGTHS), *out = ts_call_tensor(call, OUT);
    if (tensor_is_empty(out))
        return TS_OK;
    tree t = { .dtype = steps->dtype, .bytes = lane_bytes(steps->dtype), .length = tensor_step(lengths, 0) };
    t.times = steps->sizes[0];
    t.batches = steps->sizes[1];
    t.beams = steps->sizes[2];
    for (uint32_t k = 0; k < 3; ++k) {
        t.step[k] = tensor_step(steps, k);
        t.parent[k] = tensor_step(parents, k);
        t.out[k] = tensor_step(out, k);
    }
    t.steps = steps->data;
    t.parents = parents->data;
    t.lengths = lengths->data;
    t.end = ts_call_tensor(call, END)->data;
    t.to = out->data;
    if (fits_threads(call, &t)) {
        run_threads(&t);
        return TS_OK;
    }
    for (uint64_t batch = 0; batch < t.batches; ++batch) {
        if (t.beams <= MOST_BEAMS)
            run_rows(&t, batch);
        else
            run_beams(&t, batch);
    }
    return TS_OK;
}

const kernel_operator kernel_openvino_gather_tree = { "openvino.gather_tree", run, scratch_forget };
