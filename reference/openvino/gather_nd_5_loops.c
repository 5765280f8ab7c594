/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/loops.h"

ts_find_sources loops_openvino_gather_nd_8, loops_openvino_gather_nd_5;

/* Only where output keeps the batches, which it does where there is one at most. */
void loops_openvino_gather_nd_5(const ts_descriptor *d, uint32_t rank, ts_loop *dims)
{
    if (operator_attr_value(d, 0, 0) <= 1)
        loops_openvino_gather_nd_8(d, rank, dims);
}
