/* SPDX-License-Identifier: Apache-2.0 */
/* GATHER: indices become offsets, some thousands at a time, and each batch is used for all positions before the axis.
 */
#include "audit/kernels/gather_plan.h"
#include "audit/kernels/grid.h"
#include "audit/kernels/kernels.h"
#include "audit/kernels/lanes.h"
#include "audit/kernels/rows.h"
#include "audit/kernels/scratch.h"
#include "audit/kernels/walk.h"
#include "audit/kernels/widened.h"
#include "reference/dml/gather.h"

#include <string.h>

enum { IN, INDICES, OUT };
enum { BATCH = 1024, VECTOR = 16 };

static plan_cache cache;
static gather_plan plans[PLAN_SLOTS];

/* ---- a batch of blocks ----------------------------------------------------------------------------------------- */

/* Elements to a contiguous row: collected to 16 bytes, then stored. */
static void pick_lanes(uint32_t bytes, const int64_t *offsets, uint64_t n, unsigned char *to, const unsigned char *from)
{
    unsigned char vector[VECTOR];
    const uint64_t lanes = VECTOR / bytes;
    uint64_t i = 0;
    for (; i + lanes <= n; i += lanes) {
        for (uint64_t lane = 0; lane < lanes; ++lane)
            lane_copy(vector + lane * bytes, from + offsets[i + lane], bytes);
        memcpy(to + i * bytes, vector, VECTOR);
    }
    for (; i < n; ++i)
        lane_copy(to + i * bytes, from + offsets[i], bytes);
}

/* Elements to places that are `step` apart. */
static void pick_elements(uint32_t bytes, const int64_t *offsets, uint64_t n, unsigned char *to, int64_t step,
                          const unsigned char *from)
{
    if (step == bytes && index_constant(offsets, n)) {
        row_fill(to, from + offsets[0], bytes, n);
    } else if (step == bytes) {
        pick_lanes(bytes, offsets, n, to, from);
    } else {
        for (uint64_t i = 0; i < n; ++i)
            lane_copy(to + (int64_t)i * step, from + offsets[i], bytes);
    }
}

/* The same block n times, one after the other: what was copied is the source of the next copy, twice as long. */
static void repeat_block(uint64_t bytes, uint64_t n, unsigned char *to, const unsigned char *from)
{
    const uint64_t total = n * bytes;
    uint64_t done = bytes;
    row_copy(to, from, (size_t)bytes);
    for (; done < total - done; done *= 2)
        row_copy(to + done, to, (size_t)done);
    row_copy(to + done, to, (size_t)(total - done));
}

/* Contiguous blocks: adjacent ones that land beside each other are one copy. */
static void pick_blocks(uint64_t bytes, const int64_t *offsets, uint64_t n, unsigned char *to, int64_t step,
                        const unsigned char *from)
{
    const bool adjacent = step == (int64_t)bytes;
    if (adjacent && index_constant(offsets, n)) {
        repeat_block(bytes, n, to, from + offsets[0]);
        return;
    }
    for (uint64_t i = 0; i < n;) {
        const uint64_t together = adjacent ? index_run(offsets + i, n - i, step) : 1;
        copy_block(to + (int64_t)i * step, from + offsets[i], together * bytes);
        i += together;
    }
}

static void pick(const gather_plan *p, const int64_t *offsets, uint64_t n, unsigned char *to, int64_t step,
                 const unsigned char *from)
{
    switch (p->path) {
    case GATHER_ELEMENTS: pick_elements((uint32_t)p->bytes, offsets, n, to, step, from); return;
    case GATHER_BLOCKS: pick_blocks(p->bytes, offsets, n, to, step, from); return;
    default: break;
    }
    for (uint64_t i = 0; i < n; ++i)
        copy_plan_run(&p->block, to + (int64_t)i * step, from + offsets[i]);
}

/* A row of indices, in batches; each batch at all positions before the axis. */
static void run_row(const gather_plan *p, const loop *row, const unsigned char *indices, unsigned char *to,
                    const unsigned char *from)
{
    int64_t offsets[BATCH];
    const uint64_t positions = nest_count(&p->around, p->around.rank);
    for (uint64_t first = 0; first < row->size; first += BATCH) {
        const uint64_t n = row->size - first < BATCH ? row->size - first : BATCH;
        unsigned char *start = to + (int64_t)first * row->to;
        walk w;
        widened_resolve(&p->source, indices + (int64_t)first * row->from, row->from, n, offsets);
        walk_begin(&w, &p->around, p->around.rank, 0);
        for (uint64_t i = 0; i < positions; ++i) {
            pick(p, offsets, n, start + w.to, row->to, from + w.from);
            walk_next(&w);
        }
    }
}

static void run_picks(const gather_plan *p, const unsigned char *indices, unsigned char *to, const unsigned char *from)
{
    const loop *row = &p->along.loops[p->along.rank - 1];
    const uint64_t rows = nest_count(&p->along, p->along.rank - 1);
    walk w;
    walk_begin(&w, &p->along, p->along.rank - 1, 0);
    for (uint64_t i = 0; i < rows; ++i) {
        run_row(p, row, indices + w.from, to + w.to, from);
        walk_next(&w);
    }
}

/* ---- a thread per element -------------------------------------------------------------------------------------- */

typedef struct arguments {
    const gather_plan *plan;
    const int64_t *offsets; /* of all indices */
    unsigned char *to;
    const unsigned char *from;
    uint32_t bytes;
} arguments;

static void one_thread(const arguments *a, uint32_t element)
{
    const gather_plan *p = a->plan;
    uint32_t inside, index;
    const uint32_t block = divisor_split(&p->by_inside, element, &inside);
    const uint32_t around = divisor_split(&p->by_indices, block, &index);
    const int64_t from = around * p->around_pitch + a->offsets[index] + inside * a->bytes;
    lane_copy(a->to + (uint64_t)element * a->bytes, a->from + from, a->bytes);
}

static void shader(const dispatch *d, void *context)
{
    const arguments *a = context;
    for (uint32_t x = 0; x < d->groups[0]; ++x) {
        const uint64_t first = (d->first[0] + x) * GRID_THREADS;
        for (uint32_t thread = 0; thread < GRID_THREADS && first + thread < a->plan->elements; ++thread)
            one_thread(a, (uint32_t)first + thread);
    }
}

static void run_threads(const gather_plan *p, const unsigned char *indices, unsigned char *to,
                        const unsigned char *from)
{
    int64_t *offsets = scratch_words();
    widened_resolve(&p->source, indices, p->along.loops[0].from, p->indices, offsets);
    arguments a = { p, offsets, to, from, p->around.bytes };
    const uint64_t groups = ((uint64_t)p->elements + GRID_THREADS - 1) / GRID_THREADS;
    grid_dispatch((const uint64_t[3]){ groups, 1, 1 }, shader, &a);
}

void gather_plan_run(const gather_plan *p, unsigned char *to, const unsigned char *indices, const unsigned char *from)
{
    if (p->path == GATHER_SLICE) {
        int64_t offset;
        widened_resolve(&p->source, indices, 0, 1, &offset);
        copy_plan_run(&p->block, to, from + offset);
    } else if (p->path == GATHER_THREADS) {
        run_threads(p, indices, to, from);
    } else {
        run_picks(p, indices, to, from);
    }
}

/* ---- calls ----------------------------------------------------------------------------------------------------- */

static ts_status run(const ts_call *call)
{
    const ts_dml_gather *attrs = call->attrs;
    const ts_tensor *in = ts_call_tensor(call, IN);
    const ts_tensor *indices = ts_call_tensor(call, INDICES);
    const ts_tensor *out = ts_call_tensor(call, OUT);
    plan_key key = { .count = 0 };
    tensor_key(&key, in);
    tensor_key(&key, indices);
    tensor_key(&key, out);
    plan_key_add(&key, indices->dtype);
    plan_key_add(&key, attrs->Axis);
    plan_key_add(&key, attrs->IndexDimensions);
    bool found;
    gather_plan *p = &plans[plan_cache_slot(&cache, &key, &found)];
    if (!found)
        gather_plan_make(p, call);
    gather_plan_run(p, out->data, indices->data, in->data);
    return TS_OK;
}

static void reset(void)
{
    memset(&cache, 0, sizeof cache);
    scratch_forget();
}

const kernel_operator kernel_gather = { "dml.gather", run, reset };
