/* SPDX-License-Identifier: Apache-2.0 */
/* The cases of tier quick: chosen from what an audit found, greedily, the case first that kills most of what is left.
 */
#ifndef TOUCHSTONE_AUDIT_CHOOSE_H
#define TOUCHSTONE_AUDIT_CHOOSE_H

#include "audit/audit.h"

/* Each mutant is to be killed by so many cases, or by all that are known where there are fewer: one would fit the
   mutants at hand and miss other faults. */
#define AUDIT_CHOOSE_TIMES 8

/* Write the chosen cases to a file as cases/quick.txt has them, by operator, test and index. `all`: by all mutants;
   else without those that are held out. *cases: how many. */
bool audit_choose(const audit_result *r, bool all, const char *path, size_t *cases, error *e);

#endif
