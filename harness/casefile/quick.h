/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tier quick: cases/quick.txt, a list of ids, one a line, chosen by `touchstone audit --choose` as the fewest that tell
 * every mutant of the reference from it that tier full can tell. A test of which no case is listed is not in the tier,
 * unless its case file says so.
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
    quick_line *lines;
    size_t count;
} quick_cases;

/* Read the list beside the case files. One that is not there is empty. To be freed whatever is returned. Errors: a line
   that is no id. */
bool quick_read(quick_cases *q, error *e);
void quick_free(quick_cases *q);

/* Are cases of the test listed? */
bool quick_has(const quick_cases *q, const case_test *t);

/* Prepare the test, and leave only the cases that are listed of it. An error where one is no case of it any more. */
bool quick_choose(const quick_cases *q, case_test *t, error *e);

#endif
