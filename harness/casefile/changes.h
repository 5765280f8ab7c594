/* SPDX-License-Identifier: Apache-2.0 */
/* A legal call, and every call that differs from it in one field, or in the same field of all tensors: what shows
   whether a rule is checked, and what the cases of an operator that is only checked are made of. */
#ifndef TOUCHSTONE_CHANGES_H
#define TOUCHSTONE_CHANGES_H

#include "harness/model/operator.h"

typedef enum change_kind {
    CHANGE_NOTHING,
    CHANGE_EVERY_TYPE, /* every tensor has data type `value` */
    CHANGE_EVERY_RANK, /* every tensor that is given has `value` dimensions: leading ones, or fewer of those in front */
    CHANGE_GIVEN,      /* tensor `at` is given, like the last one that is */
    CHANGE_MISSING,    /* tensor `at` is a null pointer */
    CHANGE_TYPE,       /* tensor `at` has data type `value` */
    CHANGE_FLAGS,      /* tensor `at` has the flags `value` */
    CHANGE_SIZE,       /* dimension `element` of tensor `at` has size `value` */
    CHANGE_RANK,       /* tensor `at` has `value` dimensions */
    CHANGE_ABSENT,     /* attribute `at` is missing */
    CHANGE_NESTED,     /* attribute `at` is changed as operator `value` of three: an unknown one, one with a tensor, one
                          without its attributes */
    CHANGE_VALUE       /* value `element` of attribute `at` is `value`; of a float, or of a union, its bits */
} change_kind;

typedef struct field_change {
    change_kind kind;
    unsigned at, element;
    int64_t value;
} field_change;

/* Called with each changed descriptor, which is only valid during the call, and its change. */
typedef void changes_visit(void *context, const ts_descriptor *d, const field_change *c);

/* Visit the legal descriptor itself and its changes, always in the same order. Sizes and types keep the tensors packed,
   and of the bytes that they need. */
void changes_each(const ts_descriptor *legal, changes_visit *visit, void *context);

/* Make a change of any descriptor. False, with *d unchanged, if it has no such tensor, dimension or value. */
bool changes_make(ts_descriptor *d, const field_change *c);

/* Give a tensor that many dimensions: leading ones, or fewer of those in front. */
void changes_set_rank(ts_tensor *t, uint32_t rank);

/* Make a tensor packed again, without strides, and of the bytes that it needs. */
void changes_settle(ts_tensor *t);

/* What is changed: "InputTensor.Sizes[1] = 3". */
void changes_describe(const ts_operator *op, const field_change *c, char *buf, size_t size);

#endif
