/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Output elements that do not have one answer: those that a specification leaves undefined, and those that may have one
 * of several values, such as an element of a scatter on which two updates fall. The reference gives them the value of
 * our decision and marks them.
 */
#ifndef TOUCHSTONE_ANSWERS_H
#define TOUCHSTONE_ANSWERS_H

#include "harness/model/tensor.h"

/* What a specification allows for an output element. */
typedef enum ts_open {
    TS_ONE_ANSWER,
    TS_SEVERAL,  /* one of several values, which the operator's `answers` names */
    TS_UNDEFINED /* any value */
} ts_open;

/* A ts_open for each element of an output, by its number in row-major order (tensor_number). */
typedef struct ts_marks {
    uint8_t *map;      /* NULL: all elements have one answer */
    uint64_t capacity; /* bytes of map: elements */
} ts_marks;

/* The open output elements of one execution. */
typedef struct ts_unspecified {
    uint64_t count;   /* undefined elements of all outputs (GA-12) */
    uint64_t several; /* elements with several answers (SE-10) */
    bool may_fail;    /* the specification lets the call fail, because of its data (SE3-11) */
    bool open_shape;  /* it also leaves the shapes of outputs open: none is wrong (SS-19) */
    ts_marks *marks;  /* of each tensor by its declared index, zeroed, to be filled in; NULL: only count */
} ts_unspecified;

/* Mark an element of output `tensor`, by its number there. */
static inline void operator_mark(ts_unspecified *u, unsigned tensor, uint64_t number, ts_open open)
{
    if (u->marks && u->marks[tensor].map && number < u->marks[tensor].capacity)
        u->marks[tensor].map[number] = (uint8_t)open;
}

/* Mark an element as undefined. */
static inline void operator_unspecified(ts_unspecified *u, unsigned tensor, uint64_t number)
{
    if (!u)
        return;
    u->count++;
    operator_mark(u, tensor, number, TS_UNDEFINED);
}

/* Mark an element as one with several answers. */
static inline void operator_several(ts_unspecified *u, unsigned tensor, uint64_t number)
{
    if (!u)
        return;
    u->several++;
    operator_mark(u, tensor, number, TS_SEVERAL);
}

static inline ts_open operator_open(const ts_marks *marks, unsigned tensor, uint64_t number)
{
    return marks && marks[tensor].map && number < marks[tensor].capacity ? (ts_open)marks[tensor].map[number]
                                                                         : TS_ONE_ANSWER;
}

#define TS_LISTED_ANSWERS 16

/* The values that a specification allows for one element. */
typedef struct ts_answers {
    uint64_t asked;                   /* bits of a value, */
    bool allowed;                     /* and whether it is one of them */
    unsigned count;                   /* different values in `bits`, in the order in which they were named */
    bool more;                        /* there are more than these */
    uint64_t bits[TS_LISTED_ANSWERS]; /* zero-extended */
} ts_answers;

/* Allow a value by its bits, zero-extended. */
static inline void operator_allow_bits(ts_answers *a, uint64_t bits)
{
    a->allowed = a->allowed || bits == a->asked;
    for (unsigned i = 0; i < a->count; ++i)
        if (a->bits[i] == bits)
            return;
    if (a->count < TS_LISTED_ANSWERS)
        a->bits[a->count++] = bits;
    else
        a->more = true;
}

/* Allow the value of an element of a tensor with data. */
void operator_allow(ts_answers *a, const ts_tensor *t, const uint64_t *coord);

#endif
