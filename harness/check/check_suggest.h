/* SPDX-License-Identifier: Apache-2.0 */
/* What would be legal where a descriptor breaks a clause, as data: check_suggest (check.h) makes a text of it. */
#ifndef TOUCHSTONE_CHECK_SUGGEST_H
#define TOUCHSTONE_CHECK_SUGGEST_H

#include "harness/model/suggest.h"

/* What the clause, or the operator's `shape`, suggests, without a trial. */
void check_suggest_declared(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out);

/* What is printed: each choice of each option was applied to the descriptor; the clause is less broken then, and no
   other one is that was not. No option where none was found. */
void check_suggest_find(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out);

#endif
