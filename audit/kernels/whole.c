/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/kernels/whole.h"
#include "audit/kernels/copy.h"
#include "audit/kernels/lanes.h"
#include "audit/kernels/tensors.h"

void whole_copy(const ts_tensor *to, const ts_tensor *from)
{
    if (tensor_is_empty(to))
        return;
    copy_plan plan;
    const nest loops = tensor_nest(to, from, lane_bytes(to->dtype));
    copy_plan_make(&plan, &loops);
    copy_plan_run(&plan, to->data, from->data);
}

void whole_zero(const ts_tensor *to)
{
    static const unsigned char zero[LANE_MOST];
    if (tensor_is_empty(to))
        return;
    copy_plan plan;
    nest loops;
    nest_begin(&loops, lane_bytes(to->dtype));
    for (uint32_t k = 0; k < to->rank; ++k)
        nest_add(&loops, to->sizes[k], tensor_step(to, k), 0);
    copy_plan_make(&plan, &loops);
    copy_plan_run(&plan, to->data, zero);
}
