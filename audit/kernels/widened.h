/* SPDX-License-Identifier: Apache-2.0 */
/* Indices of 8 and 16 bits, which are converted to 64 bits, some hundreds at a time, before they become offsets. */
#ifndef TOUCHSTONE_KERNELS_WIDENED_H
#define TOUCHSTONE_KERNELS_WIDENED_H

#include "audit/kernels/gather_index.h"

/* index_resolve() for indices of any type of integers. */
void widened_resolve(const index_source *s, const unsigned char *from, int64_t step, uint64_t n, int64_t *offsets);

#endif
