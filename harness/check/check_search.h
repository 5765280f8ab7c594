/* SPDX-License-Identifier: Apache-2.0 */
/* Suggestions for operators whose clauses declare none: changes of one field or two, tried until the checker itself
   accepts the call. */
#ifndef TOUCHSTONE_CHECK_SEARCH_H
#define TOUCHSTONE_CHECK_SEARCH_H

#include "harness/model/suggest.h"

/* Write the nearest change of one field that makes the call legal; else the nearest that mends this violation and
   breaks nothing else; else two changes that make the call legal. "" if none was found within a thousand trials. */
void check_search(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out);

#endif
