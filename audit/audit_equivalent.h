/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The list of mutants that are equivalent to the original, each with the reason (cases/equivalent.txt):
 *
 *   # a comment
 *   dml/slice1.c check `window == 0` relation:le: window is unsigned
 *       a reason continues in indented lines
 *   dml.c check_type `0` #2 constant:+1 constant:-1: the second place of `0` with such a mutant in that function
 *   kernels/t*.c tensor_* `rank` extend:*: a class of mutants, without those that an earlier entry lists
 *
 * An entry has a file, a function, the replaced text as `touchstone audit` prints it, kinds with their replacements,
 * and a reason. It has no line numbers, so changes elsewhere in a file do not affect it. `*` stands for any characters
 * of a file, a function or a kind with its replacement, and instead of the replaced text for any text.
 */
#ifndef TOUCHSTONE_AUDIT_EQUIVALENT_H
#define TOUCHSTONE_AUDIT_EQUIVALENT_H

#include "audit/mutate/mutants.h"
#include "harness/base/error.h"

#include <stddef.h>

typedef struct audit_equivalents {
    char *text;           /* content of the file */
    const char **reasons; /* per mutant of the library: why it is equivalent; NULL if it is not listed */
    unsigned *lines;      /* per mutant: line of its entry */
} audit_equivalents;

/* Read the list. The caller frees it with audit_equivalents_free(), also after an error. Errors: a file that cannot be
   read, a malformed entry, an entry that matches no mutant of the library or one that is listed already. */
bool audit_equivalents_read(audit_equivalents *a, const char *path, const mutants_library *library, error *e);
void audit_equivalents_free(audit_equivalents *a);

#endif
