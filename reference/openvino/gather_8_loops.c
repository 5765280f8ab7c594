/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/loops.h"

ts_find_sources loops_openvino_gather_7, loops_openvino_gather_8;

void loops_openvino_gather_8(const ts_descriptor *d, uint32_t rank, ts_loop *dims)
{
    loops_openvino_gather_7(d, rank, dims);
}
