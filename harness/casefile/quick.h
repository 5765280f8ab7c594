/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tier quick: two lists of ids, one per line, beside the case files. `touchstone audit --choose` chooses quick.txt as
 * the smallest set that kills every mutant of the reference that tier full kills. known.txt has the smallest case of
 * each known defect of a vendor; people write it. `#` begins a comment. All examples and what case files declare for
 * tier quick belong to the tier, too. A listed case of a drawn test belongs to the test in every tier.
 */
#ifndef TOUCHSTONE_QUICK_H
#define TOUCHSTONE_QUICK_H

#include "harness/casefile/casefile.h"

#include <limits.h>

#define QUICK_LISTS 2

typedef struct quick_list {
    char path[PATH_MAX];
    char *text;
    const char *remedy; /* what to do if a case does not exist; has the path as its argument */
} quick_list;

typedef struct quick_line {
    const quick_list *list;
    const char *test;       /* "dml.slice1:exhaustive" */
    const char *parameters; /* "dtype=f16,size=4.1" or "" */
    unsigned line;
} quick_line;

typedef struct quick_cases {
    quick_list lists[QUICK_LISTS];
    quick_line *lines; /* those of a test together, in the order of the lists and their lines; no case twice */
    size_t count;
} quick_cases;

/* Read the lists beside the case files. A missing file is an empty list. Free the result in any case; it must not move
   before. A line that is no id is an error. */
bool quick_read(quick_cases *q, error *e);
void quick_free(quick_cases *q);

/* The first line of an operator; *end: behind its last one. */
size_t quick_of_operator(const quick_cases *q, const ts_operator *op, size_t *end);

/* Does the list have cases of the test? */
bool quick_has(const quick_cases *q, const case_test *t);

/* Prepare the test and leave only its listed cases. Of a drawn test, all cases stay, and the listed ones are added. An
   error if one of them is no longer a case of the test. */
bool quick_choose(const quick_cases *q, case_test *t, error *e);

#endif
