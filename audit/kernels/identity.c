/* SPDX-License-Identifier: Apache-2.0 */
/* ELEMENT_WISE_IDENTITY: a copy into another layout. Plans are kept by sizes, steps and width of the elements. */
#include "audit/kernels/copy.h"
#include "audit/kernels/kernels.h"
#include "audit/kernels/scratch.h"
#include "audit/kernels/tensors.h"
#include "audit/kernels/lanes.h"

#include <string.h>

enum { IN, OUT };

static plan_cache cache;
static copy_plan plans[PLAN_SLOTS];

static uint64_t count_of(const ts_tensor *t)
{
    uint64_t count = 1;
    for (uint32_t k = 0; k < t->rank; ++k)
        count *= t->sizes[k];
    return count;
}

static ts_status run(const ts_call *call)
{
    const ts_tensor *in = ts_call_tensor(call, IN);
    const ts_tensor *out = ts_call_tensor(call, OUT);
    if (tensor_is_dense(in) && tensor_is_dense(out)) { /* no plan is needed */
        copy_block(out->data, in->data, count_of(in) * lane_bytes(in->dtype));
        return TS_OK;
    }
    plan_key key = { .count = 0 };
    tensor_key(&key, in);
    tensor_key(&key, out);
    bool found;
    copy_plan *plan = &plans[plan_cache_slot(&cache, &key, &found)];
    if (!found) {
        const nest loops = tensor_nest(out, in, lane_bytes(in->dtype));
        copy_plan_make(plan, &loops);
    }
    copy_plan_run(plan, out->data, in->data);
    return TS_OK;
}

static void reset(void)
{
    memset(&cache, 0, sizeof cache);
    scratch_forget();
}

const kernel_operator kernel_element_wise_identity = { "dml.element_wise_identity", run, reset };
