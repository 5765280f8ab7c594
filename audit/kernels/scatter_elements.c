/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SCATTER_ELEMENTS: the input is copied, and then the updates are applied, in rows of the index tensor: indices become
 * offsets, some hundreds at a time, and updates that land side by side become one block. Of dense tensors a thread
 * applies a line along the axis, so that no two threads write the same element.
 */
#include "audit/kernels/copy.h"
#include "audit/kernels/gather_index.h"
#include "audit/kernels/grid.h"
#include "audit/kernels/kernels.h"
#include "audit/kernels/lanes.h"
#include "audit/kernels/scatter_elements.h"
#include "audit/kernels/scratch.h"
#include "audit/kernels/tensors.h"
#include "audit/kernels/walk.h"
#include "audit/kernels/widened.h"
#include "reference/dml/scatter_elements.h"

#include <string.h>

enum { IN, INDICES, UPDATES, OUT };
enum { BATCH = 256 };
enum { LEAST_RUN = 4 };     /* updates that are copied as a block */
enum { LEAST_LINES = 128 }; /* along the axis, that threads apply */

/* A row of updates: how many, and by how many bytes each tensor advances. The output stays where the row is the axis.
 */
typedef struct update_row {
    uint64_t size;
    int64_t to, index, from;
} update_row;

typedef struct scatter_plan {
    copy_plan copy;
    bool threads; /* a grid with a thread per line; else row by row */
    index_source source;
    uint32_t bytes;
    nest moves;      /* rows: the steps of the output, which stays along the axis, and of the updates; */
    nest reads;      /* the same loops with the steps of the indices */
    update_row line; /* threads: a line along the axis, */
    uint32_t lines;  /* how many there are, */
    int64_t slab_to, slab_index, slab_from; /* bytes of each tensor for a position before the axis, */
    divisor inside;                         /* and the division by the positions behind the axis */
} scatter_plan;

static plan_cache cache;
static scatter_plan plans[PLAN_SLOTS];

/* ---- rows of updates ------------------------------------------------------------------------------------------- */

/* Apply n updates that are `step` bytes apart, in their order. */
static void spread(uint32_t bytes, const int64_t *offsets, uint64_t n, unsigned char *to, const unsigned char *from,
                   int64_t step)
{
    uint64_t i = 0;
    while (i < n) {
        uint64_t run = step == (int64_t)bytes ? index_run(offsets + i, n - i, bytes) : 1;
        if (run >= LEAST_RUN) {
            copy_block(to + offsets[i], from, run * bytes);
        } else {
            run = 1;
            lane_copy(to + offsets[i], from, bytes);
        }
        i += run;
        from += (int64_t)run * step;
    }
}

static void run_row(const scatter_plan *p, const update_row *row, unsigned char *to, const unsigned char *indices,
                    const unsigned char *from)
{
    int64_t offsets[BATCH];
    uint64_t left = row->size;
    while (left > 0) {
        const uint64_t n = left < BATCH ? left : BATCH;
        widened_resolve(&p->source, indices, row->index, n, offsets);
        for (uint64_t i = 0; row->to != 0 && i < n; ++i) /* the row is not the axis */
            offsets[i] += (int64_t)i * row->to;
        spread(p->bytes, offsets, n, to, from, row->from);
        to += (int64_t)n * row->to;
        indices += (int64_t)n * row->index;
        from += (int64_t)n * row->from;
        left -= n;
    }
}

static void run_rows(const scatter_plan *p, unsigned char *to, const unsigned char *indices, const unsigned char *from)
{
    const uint32_t outer = p->moves.rank - 1;
    const loop *move = &p->moves.loops[outer];
    const update_row row = { move->size, move->to, p->reads.loops[outer].to, move->from };
    uint64_t rows = nest_count(&p->moves, outer);
    walk moved, read;
    walk_begin(&moved, &p->moves, outer, 0);
    walk_begin(&read, &p->reads, outer, 0);
    for (; rows > 0; --rows) {
        run_row(p, &row, to + moved.to, indices + read.to, from + moved.from);
        walk_next(&moved);
        walk_next(&read);
    }
}

/* ---- a thread per line ----------------------------------------------------------------------------------------- */

typedef struct arguments {
    const scatter_plan *plan;
    unsigned char *to;
    const unsigned char *indices, *from;
} arguments;

static void one_line(const arguments *a, uint32_t number)
{
    const scatter_plan *p = a->plan;
    uint32_t inside;
    const int64_t before = divisor_split(&p->inside, number, &inside);
    const uint32_t index_bytes = lane_bytes(p->source.dtype);
    run_row(p, &p->line, a->to + before * p->slab_to + (int64_t)inside * p->bytes,
            a->indices + before * p->slab_index + (int64_t)inside * index_bytes,
            a->from + before * p->slab_from + (int64_t)inside * p->bytes);
}

static void shader(const dispatch *d, void *context)
{
    const arguments *a = context;
    const uint64_t first = d->first[0] * GRID_THREADS, threads = (uint64_t)d->groups[0] * GRID_THREADS;
    for (uint64_t line = first; line < first + threads; ++line)
        if (line < a->plan->lines)
            one_line(a, (uint32_t)line);
}

/* ---- plans ----------------------------------------------------------------------------------------------------- */

static void make_rows(scatter_plan *p, const ts_tensor *indices, const ts_tensor *updates, const ts_tensor *out,
                      uint32_t axis)
{
    nest_begin(&p->moves, p->bytes);
    nest_begin(&p->reads, p->bytes);
    for (uint32_t k = 0; k < out->rank; ++k) {
        nest_add(&p->moves, indices->sizes[k], k == axis ? 0 : tensor_step(out, k), tensor_step(updates, k));
        nest_add(&p->reads, indices->sizes[k], tensor_step(indices, k), 0);
    }
    if (p->moves.rank > 0)
        return;
    p->moves.loops[p->moves.rank++] = (loop){ 1, 0, 0 };
    p->reads.loops[p->reads.rank++] = (loop){ 1, 0, 0 };
}

static void make_lines(scatter_plan *p, const ts_tensor *indices, const ts_tensor *out, uint32_t axis)
{
    const int64_t index_bytes = lane_bytes(indices->dtype), count = (int64_t)indices->sizes[axis];
    uint64_t before = 1, inside = 1;
    for (uint32_t k = 0; k < axis; ++k)
        before *= out->sizes[k];
    for (uint32_t k = axis + 1; k < out->rank; ++k)
        inside *= out->sizes[k];
    const int64_t index = (int64_t)inside * index_bytes, from = (int64_t)inside * p->bytes;
    p->threads = before * inside >= LEAST_LINES && before * inside <= INT32_MAX;
    p->lines = (uint32_t)(before * inside);
    p->inside = divisor_of((uint32_t)inside);
    p->line = (update_row){ indices->sizes[axis], 0, index, from };
    p->slab_to = (int64_t)out->sizes[axis] * from;
    p->slab_index = count * index;
    p->slab_from = count * from;
}

static void plan_make(scatter_plan *p, const ts_call *call, uint32_t axis, bool lines)
{
    const ts_tensor *in = ts_call_tensor(call, IN), *indices = ts_call_tensor(call, INDICES);
    const ts_tensor *updates = ts_call_tensor(call, UPDATES), *out = ts_call_tensor(call, OUT);
    p->bytes = lane_bytes(in->dtype);
    p->source = (index_source){ indices->dtype, out->sizes[axis], tensor_step(out, axis) };
    p->threads = false;
    const nest loops = tensor_nest(out, in, p->bytes);
    copy_plan_make(&p->copy, &loops);
    if (lines && tensor_is_dense(indices) && tensor_is_dense(updates) && tensor_is_dense(out))
        make_lines(p, indices, out, axis);
    if (!p->threads)
        make_rows(p, indices, updates, out, axis);
}

void scatter_elements_along(const ts_call *call, uint32_t axis, bool lines)
{
    const ts_tensor *indices = ts_call_tensor(call, INDICES), *updates = ts_call_tensor(call, UPDATES);
    const ts_tensor *out = ts_call_tensor(call, OUT);
    plan_key key = { .count = 0 };
    for (uint32_t t = IN; t <= OUT; ++t)
        tensor_key(&key, ts_call_tensor(call, t));
    plan_key_add(&key, indices->dtype);
    plan_key_add(&key, axis);
    bool found;
    scatter_plan *p = &plans[plan_cache_slot(&cache, &key, &found)];
    if (!found)
        plan_make(p, call, axis, lines);
    copy_plan_run(&p->copy, out->data, ts_call_tensor(call, IN)->data);
    if (p->threads) {
        arguments a = { p, out->data, indices->data, updates->data };
        const uint64_t groups = ((uint64_t)p->lines + GRID_THREADS - 1) / GRID_THREADS;
        grid_dispatch((const uint64_t[3]){ groups, 1, 1 }, shader, &a);
    } else {
        run_rows(p, out->data, indices->data, updates->data);
    }
}

static ts_status run(const ts_call *call)
{
    const ts_dml_scatter_elements *attrs = call->attrs;
    scatter_elements_along(call, attrs->Axis, true);
    return TS_OK;
}

void scatter_elements_forget(void)
{
    memset(&cache, 0, sizeof cache);
    scratch_forget();
}

const kernel_operator kernel_scatter_elements = { "dml.scatter_elements", run, scatter_elements_forget };
