/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the loops of a call: loops.h. */
#ifndef TOUCHSTONE_COPY_LOOPS_H
#define TOUCHSTONE_COPY_LOOPS_H

#include "harness/model/loops.h"

typedef struct copy_loops {
    uint32_t count;
    ts_loop loops[TS_MAX_DIMS]; /* outermost first; their sizes are at least 2 */
    bool empty;                 /* nothing is copied, or it is not known how */
} copy_loops;

/* `find` is the operator's own; NULL: it has none. */
void copy_loops_of(copy_loops *c, const ts_descriptor *d, ts_find_sources *find);

/* The size of the outer loop whose elements are adjacent on the side where those of the innermost one are not: the copy
   transposes. 0: there is none. */
int64_t copy_loops_across(const copy_loops *c);

#endif
