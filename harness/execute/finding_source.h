/* SPDX-License-Identifier: Apache-2.0 */
/* Where a wrong element came from, for operators that copy elements of inputs. */
#ifndef TOUCHSTONE_FINDING_SOURCE_H
#define TOUCHSTONE_FINDING_SOURCE_H

#include "harness/execute/execute_item.h"

typedef enum source_kind {
    SOURCE_UNKNOWN,   /* the reference's bits are no copy of an element of an input, or the executions failed */
    SOURCE_OTHER,     /* a copy of another place of an input */
    SOURCE_SAME,      /* from the right element, with other bits */
    SOURCE_RIGHT,     /* the right bits in every other execution */
    SOURCE_UNWRITTEN, /* still the poison, in every execution */
    SOURCE_ZERO,      /* 0 in every execution, whatever the inputs hold */
    SOURCE_COMPUTED   /* none of these */
} source_kind;

typedef struct source {
    source_kind kind;
    bool negative_index; /* a negative index selects the element that it should come from */
    char expected[256];  /* the element that it should come from: "InputTensor[1,1]"; "" if it may come from several */
    char actual[640];    /* what came instead: "InputTensor[0,1]"; "" of SOURCE_UNKNOWN and SOURCE_RIGHT */
    char sentence[1760]; /* ". It should come from InputTensor[1,1], selected by IndicesTensor[1] = -1; it came from
                            InputTensor[0,1]"; "" if unknown */
} source;

/* Find out by executing the case several times with other contents of the inputs; the buffers keep those of the
   last execution. Only what all executions agree on is reported. */
void source_trace(executor *x, execute_item *item, const judgement *j, source *s);

/* Name the element at `position` of a tensor's buffer, in elements from its first: "InputTensor[0,1]"; "a gap of
   InputTensor (element 5 of its buffer)"; where several elements are there, one of them. */
void source_name(const char *tensor, const ts_tensor *t, uint64_t position, char *buf, size_t size);

#endif
