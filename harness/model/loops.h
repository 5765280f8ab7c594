/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loops of a copy: what is left of the dimensions of the output after those of one element are dropped, and those
 * that are one in memory on both sides are merged. Libraries choose the path of a kernel by them. For queries and
 * causes; never changes a verdict. A file reference/SPECIFICATION/OPERATOR_loops.c says where the elements of an
 * operator's output come from.
 */
#ifndef TOUCHSTONE_LOOPS_H
#define TOUCHSTONE_LOOPS_H

#include "harness/model/operator.h"

/* A dimension of the output, or a loop over several; distances in elements. */
typedef struct ts_loop {
    int64_t size;
    int64_t from; /* distance of two elements in the source: the input, or the words of a generator in their order */
    int64_t to;   /* in the output */
    bool picks;   /* the element is chosen by indices, and `from` is a distance in the tensor of indices */
} ts_loop;

/* Set `from` and `picks` of every dimension of the first output. Sizes and `to` are set, no size is 0, and `from` is 0
   and `picks` false before. The descriptor may be illegal. */
typedef void ts_find_sources(const ts_descriptor *d, uint32_t rank, ts_loop *dims);

static inline int64_t ts_loop_times(int64_t step, uint64_t stride)
{
    return (int64_t)((uint64_t)step * stride);
}

#endif
