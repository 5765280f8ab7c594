/* SPDX-License-Identifier: Apache-2.0 */
/* Choose the cases of tier quick from the result of an audit, greedily: first the case that kills most mutants that
   still need a kill. */
#ifndef TOUCHSTONE_AUDIT_CHOOSE_H
#define TOUCHSTONE_AUDIT_CHOOSE_H

#include "audit/audit.h"

/* The choice kills each mutant with so many cases, or with all known ones if there are fewer. A single kill would fit
   these mutants only and miss other faults. */
#define AUDIT_CHOOSE_TIMES         8
#define AUDIT_CHOOSE_TIMES_KERNELS 4

/* Write the chosen cases to a file in the format of cases/quick.txt, ordered by operator, test and index. `all`: choose
   by all mutants; otherwise ignore a third (audit_is_held_out). The file keeps its cases of operators that were not
   audited. *cases is the number of chosen ones. */
bool audit_choose(const audit_result *r, bool all, const char *path, size_t *cases, error *e);

#endif
