/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calls before a case of a drawn test (`preceded` in a case file): points that differ from the case in the one
 * thing that its axis `before` names, in the way that its axis `how` names. They are functions of the case's own
 * values, so that a case that is named by its id has the same calls before it.
 */
#ifndef TOUCHSTONE_VARIANT_H
#define TOUCHSTONE_VARIANT_H

#include "harness/space/space.h"

/* What a call before a case differs in. */
typedef enum variant_kind {
    VARIANT_AXIS,    /* the value of one axis */
    VARIANT_DATA,    /* the data alone */
    VARIANT_REFUSED, /* one tensor, which then has no bytes or no dimensions */
    VARIANT_SWAPPED, /* two dimensions, in every vector that has an element per dimension */
    VARIANT_OTHERS   /* several axes, different ones in each call */
} variant_kind;

typedef struct variant {
    variant_kind kind;
    int64_t times;   /* calls */
    uint64_t which;  /* chooses an element of a vector, two dimensions, or how a tensor is spoilt */
    int slot;        /* VARIANT_AXIS: the axis */
    const char *how; /* a word of variant_hows */
} variant;

/* The words of the axis `how`, and of `before` that are no axes: each list ends in NULL. */
extern const char *const variant_hows[], *const variant_words[];

/* Read the axes before, times, how and which of a point. */
variant variant_read(const space *s, const expr_value *values);

/* The values of call k (from 0) before the case with these values. */
void variant_values(const space *s, const variant *v, uint64_t k, const expr_value *values, expr_value *out);

#endif
