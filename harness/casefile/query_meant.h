/* SPDX-License-Identifier: Apache-2.0 */
/* What the user of a query may have meant by the name of its operator. */
#ifndef TOUCHSTONE_QUERY_MEANT_H
#define TOUCHSTONE_QUERY_MEANT_H

#include "harness/model/operator.h"

#include <stddef.h>

/* The computed operator of the same family as one that is only checked: dml.slice1 for dml.slice. NULL: there is none,
   or the operator is computed itself. */
const ts_operator *query_computed(const ts_operator *op);

/* The operator that a name may mean that is no operator's: a computed one where there is one. "slice", "SLICE1" and
   "dml.slcie1" mean dml.slice1. NULL: none is similar. */
const ts_operator *query_meant(const char *name);

/* The operator that a query names in full, if it is only checked; else NULL. */
const ts_operator *query_checked(const char *written);

#define QUERY_NOTE_SIZE 256

/* Where one of the queries names an operator that is checked, but not computed: "; dml.slice is checked, not computed
   (did you mean 'dml.slice1'?)". Else "". Returns buf. */
const char *query_note(const char *const *queries, size_t count, char buf[static QUERY_NOTE_SIZE]);

#endif
