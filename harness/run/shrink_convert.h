/* SPDX-License-Identifier: Apache-2.0 */
/* The same call as a case of another test: every value of a drawn test may be anything that its predicates allow, so
   that it has nearly all calls of the other tests, and there they can be shrunk. */
#ifndef TOUCHSTONE_SHRINK_CONVERT_H
#define TOUCHSTONE_SHRINK_CONVERT_H

#include "harness/casefile/casebuild.h"

/* Can cases of `from` become cases of `to`: is that a drawn test of plain, legal calls without calls before? */
bool shrink_converts(const case_test *from, const case_test *to);

/* The values with which test `to` makes the call of `from`, as far as its bindings are axes: what is not stays at its
   default. */
void shrink_convert(const case_instance *from, const case_test *to, expr_value *values);

#endif
