/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/loops.h"

ts_find_sources loops_openvino_gather_elements;

/* Every element of the output has an index of its own, at the same coordinates. */
void loops_openvino_gather_elements(const ts_descriptor *d, uint32_t rank, ts_loop *dims)
{
    const ts_tensor *indices = &d->tensors[1];
    for (uint32_t i = 0; i < rank; ++i) {
        dims[i].picks = true;
        dims[i].from = i < indices->rank ? (int64_t)indices->strides[i] : 0;
    }
}
