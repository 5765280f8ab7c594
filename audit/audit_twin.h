/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mutants that the compiler makes the same code of as of the original: no case can kill these. The build leaves a twin
 * of each mutated file beside the library of mutants: the file as it is with the mutant SCHEMATA_MUTANT, preprocessed.
 * Its assembly is compared with that of the twin without a mutant. Only survivors are compiled: all mutants would take
 * many minutes.
 */
#ifndef TOUCHSTONE_AUDIT_TWIN_H
#define TOUCHSTONE_AUDIT_TWIN_H

#include "audit/audit.h"

/* Give survivors of the original's code the state AUDIT_SAME_CODE. Mutants of tables are not compiled. If nothing can
   be compiled, r->twins says why. Error: no memory or no processes. */
bool audit_twins(audit_result *r, size_t workers, error *e);

#endif
