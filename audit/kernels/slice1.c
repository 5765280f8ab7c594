/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SLICE1. Dense tensors are cropped block by block, or sampled by an iterator that knows how far it must skip at the
 * end of each dimension; other layouts take a strided copy. A plan does not depend on where the window is, so a window
 * that moves reuses it.
 */
#include "audit/kernels/blocks.h"
#include "audit/kernels/copy.h"
#include "audit/kernels/kernels.h"
#include "audit/kernels/lanes.h"
#include "audit/kernels/rows.h"
#include "audit/kernels/scratch.h"
#include "audit/kernels/tensors.h"
#include "reference/dml/slice1.h"

#include <string.h>

enum { IN, OUT };

/* Walks the samples of a dense input in the order of a dense output. */
typedef struct iterator {
    uint32_t rank;
    uint32_t bytes;
    uint64_t extents[NEST_RANK];
    int64_t skips[NEST_RANK]; /* from behind the last sample of dimension k + 1 to the next one of dimension k */
    int64_t step;             /* between samples of the innermost dimension */
} iterator;

typedef enum slice_path { SLICE_BLOCKS, SLICE_ITERATE, SLICE_STRIDED } slice_path;

typedef struct slice_plan {
    slice_path path;
    blocks blocks;
    iterator iterator;
    copy_plan copy;
} slice_plan;

static plan_cache cache;
static slice_plan plans[PLAN_SLOTS];

/* ---- the iterator ---------------------------------------------------------------------------------------------- */

static void iterator_make(iterator *it, const nest *n)
{
    it->rank = n->rank;
    it->bytes = n->bytes;
    for (uint32_t k = 0; k < n->rank; ++k) {
        const loop *l = &n->loops[k];
        it->extents[k] = l->size;
        it->step = l->from;
        it->skips[k] = l->from;
        if (k + 1 < n->rank)
            it->skips[k] -= (int64_t)l[1].size * l[1].from;
    }
}

static void iterator_run(const iterator *it, unsigned char *to, const unsigned char *from)
{
    uint64_t at[NEST_RANK] = { 0 };
    const uint32_t inner = it->rank - 1;
    const uint64_t length = it->extents[inner];
    for (;;) {
        row_any(to, it->bytes, from, it->step, it->bytes, length);
        to += length * it->bytes;
        from += (int64_t)length * it->step;
        uint32_t k = inner;
        do {
            if (k == 0)
                return;
            --k;
            from += it->skips[k];
            at[k] = at[k] + 1 < it->extents[k] ? at[k] + 1 : 0;
        } while (at[k] == 0);
    }
}

/* ---- plans ----------------------------------------------------------------------------------------------------- */

/* The step of the source from sample to sample: one that is not taken may be far beyond the tensor. */
static int64_t sample_step(const ts_dml_slice1 *attrs, const ts_tensor *in, const ts_tensor *out, uint32_t k)
{
    return out->sizes[k] > 1 ? attrs->InputWindowStrides[k] * tensor_step(in, k) : 0;
}

static void make(slice_plan *p, const ts_dml_slice1 *attrs, const ts_tensor *in, const ts_tensor *out)
{
    nest n;
    nest_begin(&n, lane_bytes(in->dtype));
    for (uint32_t k = 0; k < in->rank; ++k)
        nest_add(&n, out->sizes[k], tensor_step(out, k), sample_step(attrs, in, out, k));
    if (blocks_make(&p->blocks, &n)) {
        p->path = SLICE_BLOCKS;
    } else if (n.rank > 0 && tensor_is_dense(in) && tensor_is_dense(out)) {
        p->path = SLICE_ITERATE;
        iterator_make(&p->iterator, &n);
    } else {
        p->path = SLICE_STRIDED;
        copy_plan_make(&p->copy, &n);
    }
}

/* The offset of the first sample: the last element of the window where the stride is negative. */
static int64_t start_of(const ts_dml_slice1 *attrs, const ts_tensor *in)
{
    int64_t start = 0;
    for (uint32_t k = 0; k < in->rank; ++k) {
        int64_t first = attrs->InputWindowOffsets[k];
        if (attrs->InputWindowStrides[k] < 0)
            first += (int64_t)attrs->InputWindowSizes[k] - 1;
        start += first * tensor_step(in, k);
    }
    return start;
}

static ts_status run(const ts_call *call)
{
    const ts_dml_slice1 *attrs = call->attrs;
    const ts_tensor *in = ts_call_tensor(call, IN);
    const ts_tensor *out = ts_call_tensor(call, OUT);
    plan_key key = { .count = 0 };
    tensor_key(&key, in);
    tensor_key(&key, out);
    for (uint32_t k = 0; k < in->rank; ++k)
        plan_key_add(&key, (uint64_t)attrs->InputWindowStrides[k]);
    bool found;
    slice_plan *plan = &plans[plan_cache_slot(&cache, &key, &found)];
    if (!found)
        make(plan, attrs, in, out);
    const unsigned char *from = (const unsigned char *)in->data + start_of(attrs, in);
    switch (plan->path) {
    case SLICE_BLOCKS: blocks_run(&plan->blocks, out->data, from); break;
    case SLICE_ITERATE: iterator_run(&plan->iterator, out->data, from); break;
    default: copy_plan_run(&plan->copy, out->data, from); break;
    }
    return TS_OK;
}

static void reset(void)
{
    memset(&cache, 0, sizeof cache);
    scratch_forget();
}

const kernel_operator kernel_slice1 = { "dml.slice1", run, reset };
