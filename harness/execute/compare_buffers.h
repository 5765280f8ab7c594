/* SPDX-License-Identifier: Apache-2.0 */
/* Bit-exact comparison of the buffers of a case: the golden ones, which the reference filled, and the subject's, which
   the backend filled. */
#ifndef TOUCHSTONE_COMPARE_BUFFERS_H
#define TOUCHSTONE_COMPARE_BUFFERS_H

#include "harness/model/arena.h"
#include "harness/model/operator.h"
#include "harness/base/verdict.h"

typedef struct judgement {
    verdict verdict;             /* PASS if only open elements or gaps differ */
    int tensor;                  /* that has the first difference, or -1 */
    uint64_t coord[TS_MAX_DIMS]; /* of the first element that differs */
    uint64_t offset;             /* of that element in the buffer, in elements */
    uint64_t expected, actual;   /* its bits */
    uint64_t differing;          /* elements of that tensor that differ */
    uint64_t values;             /* a hash over all elements that differ, with their places: of all outputs */
    ts_shape shape;              /* that the backend reports where it is another one; else rank 0 */
    int64_t outside;             /* wrote-outside: first byte, counted from the tensor's first (negative: before) */
    uint64_t outside_bytes;
    bool several;      /* that element may have one of several values, and has none of them */
    bool gap_write;    /* bytes of an output were written that belong to no element */
    bool open_differs; /* an undefined element, or one with several answers, differs from the reference's, as it may */
} judgement;

/* Are all buffers equal, including the canary bytes around them? Fast: called for every case. */
bool compare_buffers_equal(const ts_operator *op, const ts_descriptor *d, const arena_place *places);

/* d's outputs are as their elements lie after the call (item_results). Find the first difference, for buffers that are
   not all equal. `marks` are those of `run`, by tensor; NULL: all elements have one answer. Where some have several,
   d's inputs have data. The gravest verdict is reported, in this order: wrote-outside, modified-input, mismatch. */
void compare_buffers_explain(const ts_operator *op, const ts_descriptor *d, const arena_place *places,
                             const ts_marks *marks, judgement *j);

#endif
