/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/loops.h"

ts_find_sources loops_dml_gather_nd, loops_dml_gather_nd1;

void loops_dml_gather_nd1(const ts_descriptor *d, uint32_t rank, ts_loop *dims)
{
    loops_dml_gather_nd(d, rank, dims); /* a batch dimension of the output is one of the tuples as well */
}
