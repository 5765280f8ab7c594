/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mutants that the compiler makes the same code of as of the original: no case can kill these. The build leaves a twin
 * of each mutated file beside the library of mutants: the file as it is with the mutant SCHEMATA_MUTANT, preprocessed.
 * Its assembly is compared with that of the twin without a mutant. Only survivors of the first stage are compiled: all
 * mutants would take many minutes. Of those that are open because other operators share their file, only the ones that
 * a case infects are compiled: whether the others are the same code changes no score and saves no run.
 */
#ifndef TOUCHSTONE_AUDIT_TWIN_H
#define TOUCHSTONE_AUDIT_TWIN_H

#include "audit/audit.h"

/* Mark in r->same the audited mutants that are the original's code, and settle them: they need no further run. Mutants
   that are settled already and those of tables are not compiled. settled and infected say for each mutant of the
   library whether it is settled, and whether a case infected it. If nothing can be compiled, r->twins says why. Error:
   no memory or no processes. */
bool audit_twins(audit_result *r, bool *settled, const bool *infected, size_t workers, error *e);

#endif
