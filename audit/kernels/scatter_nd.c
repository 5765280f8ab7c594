/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SCATTER_ND: the input is copied, and then the updates are applied. The tuples of a row become offsets, some hundreds
 * at a time, and each offset takes a block of updates. If updates, indices and output are dense and the blocks short,
 * the offsets of all tuples are computed first, and then a thread writes each element; threads of one group come one
 * after the other, so that the last of several updates remains.
 */
#include "audit/kernels/copy.h"
#include "audit/kernels/grid.h"
#include "audit/kernels/kernels.h"
#include "audit/kernels/lanes.h"
#include "audit/kernels/scatter_nd.h"
#include "audit/kernels/scratch.h"
#include "audit/kernels/tensors.h"
#include "audit/kernels/tuples.h"
#include "audit/kernels/walk.h"

#include <string.h>

enum { IN, INDICES, UPDATES, OUT };
enum { LEAST_THREADS = 256, MOST_INSIDE = 32 }; /* updates, and elements of a block, that threads write */

typedef struct put_plan {
    copy_plan copy;
    bool threads;   /* a grid with a thread per element; else row by row */
    uint32_t bytes; /* of an element */
    tuple_source source;
    nest array;               /* the array of tuples: the steps of the indices, as the target, and of the updates */
    tuple_block block;        /* what a tuple replaces */
    uint32_t tuples, updates; /* threads: how many tuples, and elements of updates, */
    divisor by_block;         /* and the division by the elements of a block */
} put_plan;

static plan_cache cache;
static put_plan plans[PLAN_SLOTS];

/* ---- row by row ------------------------------------------------------------------------------------------------ */

static void put_row(const put_plan *p, const loop *row, unsigned char *to, const unsigned char *tuples,
                    const unsigned char *from)
{
    int64_t offsets[TUPLE_BATCH];
    for (uint64_t left = row->size; left > 0;) {
        const uint64_t n = left < TUPLE_BATCH ? left : TUPLE_BATCH;
        tuple_resolve(&p->source, tuples, row->to, n, offsets);
        for (uint64_t i = 0; i < n; ++i)
            tuple_block_copy(&p->block, to + offsets[i], from + (int64_t)i * row->from);
        tuples += (int64_t)n * row->to;
        from += (int64_t)n * row->from;
        left -= n;
    }
}

static void put_rows(const put_plan *p, unsigned char *to, const unsigned char *tuples, const unsigned char *from)
{
    const uint32_t outer = p->array.rank - 1;
    walk w;
    walk_begin(&w, &p->array, outer, 0);
    for (uint64_t rows = nest_count(&p->array, outer); rows > 0; --rows) {
        put_row(p, &p->array.loops[outer], to, tuples + w.to, from + w.from);
        walk_next(&w);
    }
}

/* ---- a thread per element -------------------------------------------------------------------------------------- */

typedef struct arguments {
    const put_plan *plan;
    const int64_t *offsets; /* of all tuples */
    unsigned char *to;
    const unsigned char *from;
} arguments;

static void one_thread(const arguments *a, uint32_t update)
{
    const uint32_t bytes = a->plan->bytes;
    uint32_t inside;
    const uint32_t tuple = divisor_split(&a->plan->by_block, update, &inside);
    lane_copy(a->to + a->offsets[tuple] + (uint64_t)inside * bytes, a->from + (uint64_t)update * bytes, bytes);
}

static void shader(const dispatch *d, void *context)
{
    const arguments *a = context;
    const uint64_t first = d->first[0] * GRID_THREADS, threads = (uint64_t)d->groups[0] * GRID_THREADS;
    for (uint64_t update = first; update < first + threads; ++update)
        if (update < a->plan->updates)
            one_thread(a, (uint32_t)update);
}

static void run_threads(const put_plan *p, unsigned char *to, const unsigned char *tuples, const unsigned char *from)
{
    arguments a = { p, scratch_words(), to, from };
    tuple_resolve_all(&p->source, tuples, p->tuples, scratch_words());
    const uint64_t groups = ((uint64_t)p->updates + GRID_THREADS - 1) / GRID_THREADS;
    grid_dispatch((const uint64_t[3]){ groups, 1, 1 }, shader, &a);
}

/* ---- plans ----------------------------------------------------------------------------------------------------- */

/* Decide whether threads write the updates. behind: the first dimension of the output behind the tuple. */
static bool make_threads(put_plan *p, const ts_call *call, uint32_t behind)
{
    const ts_tensor *indices = ts_call_tensor(call, INDICES), *updates = ts_call_tensor(call, UPDATES);
    const ts_tensor *out = ts_call_tensor(call, OUT);
    uint64_t inside = 1, count = 1;
    for (uint32_t k = behind; k < out->rank; ++k)
        inside *= out->sizes[k];
    for (uint32_t k = 0; k < updates->rank; ++k)
        count *= updates->sizes[k];
    if (!tensor_is_dense(indices) || !tensor_is_dense(updates) || !tensor_is_dense(out) || inside > MOST_INSIDE ||
        count < LEAST_THREADS || count > INT32_MAX || count / inside > SCRATCH_WORDS)
        return false;
    p->tuples = (uint32_t)(count / inside);
    p->updates = (uint32_t)count;
    p->source.next = lane_bytes(indices->dtype);
    p->by_block = divisor_of((uint32_t)inside);
    return true;
}

static void plan_make(put_plan *p, const ts_call *call, const ts_dml_scatter_nd *counts)
{
    const ts_tensor *indices = ts_call_tensor(call, INDICES), *updates = ts_call_tensor(call, UPDATES);
    const ts_tensor *out = ts_call_tensor(call, OUT);
    const uint32_t rank = out->rank, bytes = lane_bytes(out->dtype);
    const uint32_t first = rank - counts->InputDimensionCount, last = indices->rank - 1;
    const uint32_t array = indices->rank - counts->IndicesDimensionCount;
    const nest copied = tensor_nest(out, ts_call_tensor(call, IN), bytes);
    copy_plan_make(&p->copy, &copied);
    p->source = tuple_source_of(indices, out, first);
    p->bytes = bytes;
    const uint32_t behind = first + p->source.coordinates;
    uint32_t from = updates->rank - (last - array + rank - behind); /* the next dimension of the updates */
    nest inside;
    nest_begin(&p->array, bytes);
    nest_begin(&inside, bytes);
    for (uint32_t k = array; k < last; ++k, ++from)
        nest_add(&p->array, indices->sizes[k], tensor_step(indices, k), tensor_step(updates, from));
    if (p->array.rank == 0) /* one tuple */
        p->array.loops[p->array.rank++] = (loop){ 1, 0, 0 };
    for (uint32_t k = behind; k < rank; ++k, ++from)
        nest_add(&inside, out->sizes[k], tensor_step(out, k), tensor_step(updates, from));
    p->threads = make_threads(p, call, behind);
    if (!p->threads)
        p->block = tuple_block_of(&inside);
}

/* ---- calls ----------------------------------------------------------------------------------------------------- */

void scatter_nd_counted(const ts_call *call, const ts_dml_scatter_nd *counts)
{
    const ts_tensor *indices = ts_call_tensor(call, INDICES), *out = ts_call_tensor(call, OUT);
    plan_key key = { .count = 0 };
    for (uint32_t t = IN; t <= OUT; ++t)
        tensor_key(&key, ts_call_tensor(call, t));
    plan_key_add(&key, indices->dtype);
    plan_key_add(&key, counts->InputDimensionCount);
    plan_key_add(&key, counts->IndicesDimensionCount);
    bool found;
    put_plan *p = &plans[plan_cache_slot(&cache, &key, &found)];
    if (!found)
        plan_make(p, call, counts);
    copy_plan_run(&p->copy, out->data, ts_call_tensor(call, IN)->data);
    if (p->threads)
        run_threads(p, out->data, indices->data, ts_call_tensor(call, UPDATES)->data);
    else
        put_rows(p, out->data, indices->data, ts_call_tensor(call, UPDATES)->data);
}

static ts_status run(const ts_call *call)
{
    scatter_nd_counted(call, call->attrs);
    return TS_OK;
}

void scatter_nd_forget(void)
{
    memset(&cache, 0, sizeof cache);
    scratch_forget();
}

const kernel_operator kernel_scatter_nd = { "dml.scatter_nd", run, scatter_nd_forget };
