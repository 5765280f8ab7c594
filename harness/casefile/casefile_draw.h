/* SPDX-License-Identifier: Apache-2.0 */
/* Drawn tests: the Lua function of a case file that draws the values of a point. */
#ifndef TOUCHSTONE_CASEFILE_DRAW_H
#define TOUCHSTONE_CASEFILE_DRAW_H

#include "harness/casefile/casefile.h"
#include "harness/casefile/sandbox.h"

/* Take the function on top of the stack, which draws the points of this space. Free it before the sandbox. NULL if
   memory is out. */
case_draw *case_draw_new(sandbox *box, const char *path, const space *s);
void case_draw_free(case_draw *d);

/* Draw the points of this seed from now on. Before, it is 0. */
void case_draw_set_seed(case_draw *d, uint64_t seed);

/* A space_drawer; the context is a case_draw. */
bool case_draw_point(void *context, uint64_t index, unsigned attempt, expr_value *values, bool *again, error *e);

#endif
