/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GATHER_ND1, and GATHER_ND, which has no batches: the tuples of a row become offsets, some hundreds at a time and
 * coordinate by coordinate, and each offset picks a block. If the tensors are dense and the blocks short, the offsets
 * of all tuples are computed first, and then a thread copies each element.
 */
#include "audit/kernels/gather_nd1.h"
#include "audit/kernels/grid.h"
#include "audit/kernels/kernels.h"
#include "audit/kernels/lanes.h"
#include "audit/kernels/scratch.h"
#include "audit/kernels/tensors.h"
#include "audit/kernels/tuples.h"
#include "audit/kernels/walk.h"
#include "reference/dml/gather_nd.h"

#include <string.h>

enum { IN, INDICES, OUT };
enum { LEAST_THREADS = 512, MOST_INSIDE = 16 }; /* elements of the output, and of a block, that threads copy */

typedef struct nd_plan {
    bool threads;   /* a grid with a thread per element; else row by row */
    uint32_t bytes; /* of an element */
    tuple_source source;
    nest moves;                /* the array of tuples: the steps of the output, and of the input in batches; */
    nest reads;                /* the same loops with the steps of the indices */
    tuple_block block;         /* what a tuple picks */
    uint32_t tuples, elements; /* threads: how many, */
    divisor by_block;          /* divisions by the elements of a block */
    divisor by_batch;          /* and by the tuples of a batch, */
    int64_t batch_pitch;       /* and bytes of the input for a batch */
} nd_plan;

static plan_cache cache;
static nd_plan plans[PLAN_SLOTS];

/* ---- row by row ------------------------------------------------------------------------------------------------ */

static void run_row(const nd_plan *p, const loop *row, int64_t step, unsigned char *to, const unsigned char *tuples,
                    const unsigned char *from)
{
    int64_t offsets[TUPLE_BATCH];
    for (uint64_t left = row->size; left > 0;) {
        const uint64_t n = left < TUPLE_BATCH ? left : TUPLE_BATCH;
        tuple_resolve(&p->source, tuples, step, n, offsets);
        for (uint64_t i = 0; row->from != 0 && i < n; ++i) /* each tuple has its batch */
            offsets[i] += (int64_t)i * row->from;
        for (uint64_t i = 0; i < n; ++i)
            tuple_block_copy(&p->block, to + (int64_t)i * row->to, from + offsets[i]);
        to += (int64_t)n * row->to;
        tuples += (int64_t)n * step;
        from += (int64_t)n * row->from;
        left -= n;
    }
}

static void run_rows(const nd_plan *p, unsigned char *to, const unsigned char *tuples, const unsigned char *from)
{
    const uint32_t outer = p->moves.rank - 1;
    walk moved, read;
    walk_begin(&moved, &p->moves, outer, 0);
    walk_begin(&read, &p->reads, outer, 0);
    for (uint64_t rows = nest_count(&p->moves, outer); rows > 0; --rows) {
        run_row(p, &p->moves.loops[outer], p->reads.loops[outer].to, to + moved.to, tuples + read.to,
                from + moved.from);
        walk_next(&moved);
        walk_next(&read);
    }
}

/* ---- a thread per element -------------------------------------------------------------------------------------- */

typedef struct arguments {
    const nd_plan *plan;
    const int64_t *offsets; /* of all tuples */
    unsigned char *to;
    const unsigned char *from;
} arguments;

static void one_thread(const arguments *a, uint32_t element)
{
    const nd_plan *p = a->plan;
    const uint32_t bytes = p->bytes;
    uint32_t inside, place;
    const uint32_t tuple = divisor_split(&p->by_block, element, &inside);
    const int64_t batch = divisor_split(&p->by_batch, tuple, &place);
    lane_copy(a->to + (uint64_t)element * bytes,
              a->from + batch * p->batch_pitch + a->offsets[tuple] + (uint64_t)inside * bytes, bytes);
}

static void shader(const dispatch *d, void *context)
{
    const arguments *a = context;
    const uint64_t first = d->first[0] * GRID_THREADS, threads = (uint64_t)d->groups[0] * GRID_THREADS;
    for (uint64_t element = first; element < first + threads; ++element)
        if (element < a->plan->elements)
            one_thread(a, (uint32_t)element);
}

static void run_threads(const nd_plan *p, unsigned char *to, const unsigned char *tuples, const unsigned char *from)
{
    arguments a = { p, scratch_words(), to, from };
    tuple_resolve_all(&p->source, tuples, p->tuples, scratch_words());
    const uint64_t groups = ((uint64_t)p->elements + GRID_THREADS - 1) / GRID_THREADS;
    grid_dispatch((const uint64_t[3]){ groups, 1, 1 }, shader, &a);
}

/* ---- plans ----------------------------------------------------------------------------------------------------- */

static uint64_t product(const ts_tensor *t, uint32_t first, uint32_t end)
{
    uint64_t count = 1;
    for (uint32_t k = first; k < end; ++k)
        count *= t->sizes[k];
    return count;
}

/* Decide whether threads copy the elements. behind: the first dimension of the input behind the tuple. */
static bool make_threads(nd_plan *p, const nd_tensors *t, const ts_dml_gather_nd1 *counts, uint32_t behind)
{
    const ts_tensor *in = t->in, *indices = t->indices, *out = t->out;
    const uint32_t batches = counts->BatchDimensionCount, last = indices->rank - 1;
    const uint64_t inside = product(in, behind, in->rank), elements = product(out, 0, out->rank);
    if (!tensor_is_dense(in) || !tensor_is_dense(indices) || !tensor_is_dense(out) || inside > MOST_INSIDE ||
        elements < LEAST_THREADS || elements > INT32_MAX || elements / inside > SCRATCH_WORDS)
        return false;
    p->tuples = (uint32_t)(elements / inside);
    p->elements = (uint32_t)elements;
    p->source.next = lane_bytes(indices->dtype);
    p->by_block = divisor_of((uint32_t)inside);
    p->by_batch = divisor_of((uint32_t)product(indices, indices->rank - counts->IndicesDimensionCount + batches, last));
    p->batch_pitch =
        (int64_t)(product(in, in->rank - counts->InputDimensionCount + batches, in->rank) * lane_bytes(in->dtype));
    return true;
}

static void plan_make(nd_plan *p, const nd_tensors *t, const ts_dml_gather_nd1 *counts)
{
    const ts_tensor *in = t->in, *indices = t->indices, *out = t->out;
    const uint32_t rank = in->rank, batches = counts->BatchDimensionCount, bytes = lane_bytes(in->dtype);
    const uint32_t tuples = counts->IndicesDimensionCount - 1; /* dimensions of the array of tuples */
    const uint32_t array = indices->rank - counts->IndicesDimensionCount, first = rank - counts->InputDimensionCount;
    p->source = tuple_source_of(indices, in, first + batches);
    p->bytes = bytes;
    const uint32_t behind = first + batches + p->source.coordinates;
    uint32_t to = out->rank - (tuples + rank - behind); /* the output's next dimension */
    nest inside;
    nest_begin(&p->moves, bytes);
    nest_begin(&p->reads, bytes);
    nest_begin(&inside, bytes);
    for (uint32_t k = 0; k < tuples; ++k, ++to) {
        const uint64_t size = indices->sizes[array + k];
        nest_add(&p->moves, size, tensor_step(out, to), k < batches ? tensor_step(in, first + k) : 0);
        nest_add(&p->reads, size, tensor_step(indices, array + k), 0);
    }
    if (p->moves.rank == 0) { /* one tuple */
        p->moves.loops[p->moves.rank++] = (loop){ 1, 0, 0 };
        p->reads.loops[p->reads.rank++] = (loop){ 1, 0, 0 };
    }
    for (uint32_t k = behind; k < rank; ++k, ++to)
        nest_add(&inside, in->sizes[k], tensor_step(out, to), tensor_step(in, k));
    p->threads = make_threads(p, t, counts, behind);
    if (!p->threads)
        p->block = tuple_block_of(&inside);
}

/* ---- calls ----------------------------------------------------------------------------------------------------- */

void gather_nd_batched(const nd_tensors *t, const ts_dml_gather_nd1 *counts)
{
    const ts_tensor *in = t->in, *indices = t->indices, *out = t->out;
    plan_key key = { .count = 0 };
    tensor_key(&key, in);
    tensor_key(&key, indices);
    tensor_key(&key, out);
    plan_key_add(&key, indices->dtype);
    plan_key_add(&key, counts->InputDimensionCount);
    plan_key_add(&key, counts->IndicesDimensionCount);
    plan_key_add(&key, counts->BatchDimensionCount);
    bool found;
    nd_plan *p = &plans[plan_cache_slot(&cache, &key, &found)];
    if (!found)
        plan_make(p, t, counts);
    if (p->threads)
        run_threads(p, out->data, indices->data, in->data);
    else
        run_rows(p, out->data, indices->data, in->data);
}

static nd_tensors tensors_of(const ts_call *call)
{
    return (nd_tensors){ ts_call_tensor(call, IN), ts_call_tensor(call, INDICES), ts_call_tensor(call, OUT) };
}

static ts_status run(const ts_call *call)
{
    const ts_dml_gather_nd *attrs = call->attrs;
    const nd_tensors t = tensors_of(call);
    gather_nd_batched(&t, &(ts_dml_gather_nd1){ attrs->InputDimensionCount, attrs->IndicesDimensionCount, 0 });
    return TS_OK;
}

static ts_status run_batched(const ts_call *call)
{
    const nd_tensors t = tensors_of(call);
    gather_nd_batched(&t, call->attrs);
    return TS_OK;
}

void gather_nd_forget(void)
{
    memset(&cache, 0, sizeof cache);
    scratch_forget();
}

const kernel_operator kernel_gather_nd = { "dml.gather_nd", run, gather_nd_forget };
const kernel_operator kernel_gather_nd1 = { "dml.gather_nd1", run_batched, gather_nd_forget };
