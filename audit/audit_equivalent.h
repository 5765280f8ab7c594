/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The list of mutants that no case can tell from the reference, each with its reason (cases/equivalent.txt):
 *
 *   # a comment
 *   dml/slice1.c check `window == 0` relation:le: window is unsigned
 *       a reason goes on in indented lines
 *   dml.c check_type `0` #2 constant:+1 constant:-1: of the second `0` in that function
 *
 * A file, a function, the text that is replaced as `audit` shows it, kinds with their replacements, a reason. Lines of
 * the source do not occur, so that a change elsewhere in a file leaves the list as it is.
 */
#ifndef TOUCHSTONE_AUDIT_EQUIVALENT_H
#define TOUCHSTONE_AUDIT_EQUIVALENT_H

#include "audit/mutate/mutants.h"
#include "harness/base/error.h"

#include <stddef.h>

typedef struct audit_equivalents {
    char *text;           /* of the file */
    const char **reasons; /* per mutant of the library: why it is equivalent; NULL: it is not listed */
    unsigned *lines;      /* and where that is said */
} audit_equivalents;

/* Read the list. It is to be freed whatever is returned. Errors: a file that cannot be read, a line that is not as
   above, one that matches no mutant of the library or one that is listed before. */
bool audit_equivalents_read(audit_equivalents *a, const char *path, const mutants_library *library, error *e);
void audit_equivalents_free(audit_equivalents *a);

#endif
