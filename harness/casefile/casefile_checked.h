/* SPDX-License-Identifier: Apache-2.0 */
/* The tests `legal` and `invalid` of an operator that reference/checked/ declares. */
#ifndef TOUCHSTONE_CASEFILE_CHECKED_H
#define TOUCHSTONE_CASEFILE_CHECKED_H

#include "harness/casefile/casefile.h"

#define CASEFILE_CHECKED_TESTS 2

/* Add the tests behind those of a case file, which has room for them and for one more family. */
bool casefile_add_checked(case_file *f, error *e);

/* Make the tests, in place of those of a case file. NULL on error. */
case_file *casefile_of_checked(const ts_operator *op, error *e);

/* How many cases of such a test tier quick has: the first ones, which are of all clauses. */
uint64_t casefile_checked_quick(const case_test *t);

#endif
