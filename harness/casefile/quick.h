/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tier quick: cases/quick.txt, a list of ids, one per line. `touchstone audit --choose` chooses it as the smallest set
 * that kills every mutant of the reference that tier full kills. A test without listed cases is not in the tier, unless
 * its case file declares `tier = "quick"`.
 */
#ifndef TOUCHSTONE_QUICK_H
#define TOUCHSTONE_QUICK_H

#include "harness/casefile/casefile.h"

#include <limits.h>

typedef struct quick_line {
    const char *test;       /* "dml.slice1:exhaustive" */
    const char *parameters; /* "dtype=f16,size=4.1" or "" */
    unsigned line;
} quick_line;

typedef struct quick_cases {
    char path[PATH_MAX];
    char *text;
    quick_line *lines; /* those of a test together, in the order of the file */
    size_t count;
} quick_cases;

/* Read the list beside the case files. A missing file is an empty list. Free the list in any case. A line that is no id
   is an error. */
bool quick_read(quick_cases *q, error *e);
void quick_free(quick_cases *q);

/* The first line of an operator; *end: behind its last one. */
size_t quick_of_operator(const quick_cases *q, const ts_operator *op, size_t *end);

/* Does the list have cases of the test? */
bool quick_has(const quick_cases *q, const case_test *t);

/* Prepare the test and leave only its listed cases. An error if one of them is no longer a case of the test. */
bool quick_choose(const quick_cases *q, case_test *t, error *e);

#endif
