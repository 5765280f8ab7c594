/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/loops.h"

ts_find_sources loops_dml_random_generator;

void loops_dml_random_generator(const ts_descriptor *d, uint32_t rank, ts_loop *dims)
{
    uint64_t words = 1;
    (void)d;
    for (uint32_t i = rank; i-- > 0; words *= (uint64_t)dims[i].size)
        dims[i].from = (int64_t)words;
}
