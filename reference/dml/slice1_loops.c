/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/slice1.h"
#include "harness/model/loops.h"

ts_find_sources loops_dml_slice1;

void loops_dml_slice1(const ts_descriptor *d, uint32_t rank, ts_loop *dims)
{
    const ts_dml_slice1 *a = TS_ATTRS(ts_dml_slice1, d);
    for (uint32_t i = 0; i < rank && i < TS_SLICE1_DIMS; ++i)
        dims[i].from = ts_loop_times(a->InputWindowStrides[i], d->tensors[0].strides[i]);
}
