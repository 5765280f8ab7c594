/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mutants that the compiler makes the same code of as of the original: no case can kill these. The build leaves a twin
 * of each mutated file beside the library of mutants: the file as it is with the mutant SCHEMATA_MUTANT, preprocessed.
 * Its assembly is compared with that of the twin without a mutant. Only survivors of the first stage are compiled: all
 * mutants would take many minutes.
 */
#ifndef TOUCHSTONE_AUDIT_TWIN_H
#define TOUCHSTONE_AUDIT_TWIN_H

#include "audit/audit.h"

/* Mark in r->same the audited mutants that are the original's code, and settle them: they need no further run. Mutants
   that are settled already and those of tables are not compiled. If nothing can be compiled, r->twins says why. Error:
   no memory or no processes. */
bool audit_twins(audit_result *r, bool *settled, size_t workers, error *e);

#endif
