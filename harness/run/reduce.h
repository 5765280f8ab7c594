/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which parameters matter: a failing point of a covering test has many parameters that differ from their defaults, of
 * which few cause the failure. Parameters are set back to their defaults while the point still fails with the same
 * verdict. This is the arithmetic of points, as texts like those in ids; reduce_run.c executes them.
 */
#ifndef TOUCHSTONE_REDUCE_H
#define TOUCHSTONE_REDUCE_H

#include "harness/base/verdict.h"
#include "harness/space/space.h"

#include <stdbool.h>

enum { REDUCE_TEXT = CASE_ID_SIZE };

/* A list of points, one a line. */
typedef struct reduce_points {
    char *text;
    size_t length, capacity, count;
    bool failed; /* memory is out */
} reduce_points;

void reduce_points_clear(reduce_points *p);
void reduce_points_add(reduce_points *p, const char *parameters);

/* Copy line i. False if there is none, or it is too long. */
bool reduce_points_at(const reduce_points *p, size_t i, char *parameters, size_t size);

/* Add every point that has one parameter of `parameters`, or one element of one of its vectors, set to its default. */
void reduce_simpler(const space *s, const char *parameters, reduce_points *to);

/* The point that has all those parameters and elements at their defaults that are so in one of the chosen points of
   `simpler`, which reduce_simpler made of `parameters`. */
void reduce_together(const space *s, const char *parameters, const reduce_points *simpler, const bool *chosen,
                     char *out, size_t size);

/* Add the points that have another value of one scalar parameter that `parameters` leaves at its default: at most two
   values of each. slots[i]: the axis of point i of *to; room for 2 * SPACE_MAX_AXES. */
void reduce_otherwise(const space *s, const char *parameters, reduce_points *to, size_t *slots);

/* Write the values of `parameters` as conditions: "dtype=f16 and size[1]=4"; elements at their defaults are left out.
   `also`: axes whose defaults matter, too, as a set of slots. */
void reduce_conditions(const space *s, const char *parameters, uint64_t also, char *out, size_t size);

/* Does the cursor's point meet these conditions? */
bool reduce_meets(const space_cursor *at, const char *parameters, uint64_t also);

#endif
