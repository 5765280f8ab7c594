/* SPDX-License-Identifier: Apache-2.0 */
/*
 * StridedSlice: the steps in canonical form, then contiguous blocks, four nested loops, or a strided copy. The
 * canonical form of the latest calls is kept with its plan.
 */
#include "audit/kernels/blocks.h"
#include "audit/kernels/copy.h"
#include "audit/kernels/kernels.h"
#include "audit/kernels/lanes.h"
#include "audit/kernels/scratch.h"
#include "audit/kernels/slice_steps.h"
#include "audit/kernels/tensors.h"

#include <string.h>

enum { IN, OUT, QUAD = 4 };

typedef enum strided_path { STRIDED_BLOCKS, STRIDED_QUAD, STRIDED_COPY } strided_path;

typedef struct strided_plan {
    strided_path path;
    slice_canonical slice;
    blocks blocks;
    loop quad[QUAD]; /* from the outermost; one iteration where there are fewer */
    copy_plan copy;
} strided_plan;

static plan_cache cache;
static strided_plan plans[PLAN_SLOTS];

/* Short rows of up to four loops, padded to four at the outside. */
static bool quad_make(strided_plan *p, const nest *n)
{
    if (n->rank > QUAD || n->rank == 0 || n->loops[n->rank - 1].size > QUAD)
        return false;
    const uint32_t padding = QUAD - n->rank;
    for (uint32_t k = 0; k < padding; ++k)
        p->quad[k] = (loop){ 1, 0, 0 };
    for (uint32_t k = 0; k < n->rank; ++k)
        p->quad[padding + k] = n->loops[k];
    return true;
}

static void quad_run(const loop *quad, uint32_t bytes, unsigned char *to, const unsigned char *from)
{
    for (uint64_t i = 0; i < quad[0].size; ++i) {
        unsigned char *to_1 = to + (int64_t)i * quad[0].to;
        const unsigned char *from_1 = from + (int64_t)i * quad[0].from;
        for (uint64_t j = 0; j < quad[1].size; ++j) {
            unsigned char *to_2 = to_1 + (int64_t)j * quad[1].to;
            const unsigned char *from_2 = from_1 + (int64_t)j * quad[1].from;
            for (uint64_t k = 0; k < quad[2].size; ++k) {
                unsigned char *to_3 = to_2 + (int64_t)k * quad[2].to;
                const unsigned char *from_3 = from_2 + (int64_t)k * quad[2].from;
                for (uint64_t l = 0; l < quad[3].size; ++l)
                    lane_copy(to_3 + (int64_t)l * quad[3].to, from_3 + (int64_t)l * quad[3].from, bytes);
            }
        }
    }
}

static void make(strided_plan *p, const ts_call *call)
{
    slice_resolve(&p->slice, call);
    if (blocks_make(&p->blocks, &p->slice.nest)) {
        p->path = STRIDED_BLOCKS;
    } else if (quad_make(p, &p->slice.nest)) {
        p->path = STRIDED_QUAD;
    } else {
        p->path = STRIDED_COPY;
        copy_plan_make(&p->copy, &p->slice.nest);
    }
}

static ts_status run(const ts_call *call)
{
    const ts_tensor *in = ts_call_tensor(call, IN);
    const ts_tensor *out = ts_call_tensor(call, OUT);
    if (tensor_is_empty(out))
        return TS_OK;
    plan_key key = { .count = 0 };
    tensor_key(&key, in);
    tensor_key(&key, out);
    slice_key(&key, call);
    bool found;
    strided_plan *plan = &plans[plan_cache_slot(&cache, &key, &found)];
    if (!found)
        make(plan, call);
    const unsigned char *from = (const unsigned char *)in->data + plan->slice.start;
    switch (plan->path) {
    case STRIDED_BLOCKS: blocks_run(&plan->blocks, out->data, from); break;
    case STRIDED_QUAD: quad_run(plan->quad, plan->slice.nest.bytes, out->data, from); break;
    default: copy_plan_run(&plan->copy, out->data, from); break;
    }
    return TS_OK;
}

static void reset(void)
{
    memset(&cache, 0, sizeof cache);
    scratch_forget();
}

const kernel_operator kernel_strided_slice = { "openvino.strided_slice", run, reset };
