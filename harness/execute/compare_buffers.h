/* SPDX-License-Identifier: Apache-2.0 */
/* Telling what is wrong with a case whose regions are not the same: where, what, how much. Bit-exact. */
#ifndef TOUCHSTONE_COMPARE_BUFFERS_H
#define TOUCHSTONE_COMPARE_BUFFERS_H

#include "harness/model/arena.h"
#include "harness/model/operator.h"
#include "harness/base/verdict.h"

typedef struct judgement {
    verdict verdict;            /* PASS where only undefined elements or gaps differ */
    int tensor;                 /* where the first difference is, or -1 */
    uint64_t coord[TS_MAX_DIMS];
    uint64_t offset;            /* of that element, in elements */
    uint64_t expected, actual;  /* its bits */
    uint64_t differing;         /* elements of that tensor that differ */
    int64_t outside;            /* wrote-outside: first byte, counted from the tensor's first (negative: before) */
    uint64_t outside_bytes;
    bool gap_write;             /* bytes of an output that the tensor does not address were written (BUF-19) */
    bool undefined_differs;     /* an element that the text leaves undefined differs from our decision's value */
} judgement;

/* Do all regions agree? The quick question, asked of every case. */
bool compare_buffers_equal(const ts_operator *op, const ts_descriptor *d, const arena_place *places);

/* The long answer. `map` has a byte per element of output 0's span, non-zero where the text defines nothing; NULL
   where all is defined. Verdicts in order of gravity: wrote-outside, modified-input, mismatch. */
void compare_buffers_explain(const ts_operator *op, const ts_descriptor *d, const arena_place *places,
                             const uint8_t *map, judgement *j);

#endif
