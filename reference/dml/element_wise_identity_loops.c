/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/loops.h"

ts_find_sources loops_dml_element_wise_identity;

void loops_dml_element_wise_identity(const ts_descriptor *d, uint32_t rank, ts_loop *dims)
{
    for (uint32_t i = 0; i < rank; ++i)
        dims[i].from = (int64_t)d->tensors[0].strides[i];
}
