/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The moves of shrinking: from one point of a space to simpler ones. A value is the simpler the nearer it is to the
 * first value of its axis; numbers of vectors whose first value is positive, such as sizes, are the simpler the nearer
 * they are to 1; and fewer dimensions are simpler than anything else. Many values have to change together for a point
 * to remain legal, so there are moves of one value, of the values that several vectors have in a dimension, of all
 * vectors at once, and moves that remove a dimension. Whether a new point is a case of the test is the caller's to ask.
 */
#ifndef TOUCHSTONE_SHRINK_MOVE_H
#define TOUCHSTONE_SHRINK_MOVE_H

#include "harness/casefile/casefile.h"

/* Gets a simpler point, whose values live during the call. False: no more are wanted. */
typedef bool (*shrink_take)(void *context, const expr_value *values);

/* The groups of moves, in the order in which they are best tried. Those of a dimension come last. */
typedef enum shrink_group {
    SHRINK_ALL,     /* several axes at once */
    SHRINK_SCALARS, /* each scalar axis */
    SHRINK_REMOVE,  /* a dimension is removed */
    SHRINK_VECTORS, /* a vector as a whole */
    SHRINK_STRIDES, /* strides that follow from the sizes */
    SHRINK_DIMENSIONS
} shrink_group;

/* The number of groups that a point has. */
unsigned shrink_groups(const space *s, const expr_value *values);

/* Offer the points of one group of moves, coarse ones first. Each is simpler than `values`. False if *take* ended it.
 */
bool shrink_moves(const case_test *t, const expr_value *values, unsigned group, shrink_take take, void *context);

/* Is `a` simpler than `b`: has it fewer dimensions, or is no value of it less simple, and one simpler? */
bool shrink_is_simpler(const space *s, const expr_value *a, const expr_value *b);

/* The number of axes that are not at their default: what the id has. */
unsigned shrink_named_axes(const space *s, const expr_value *values);

#endif
