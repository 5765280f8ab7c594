/* SPDX-License-Identifier: Apache-2.0 */
/* The case files that ship, one for each operator that there is, for the tests in this folder. */
#ifndef TOUCHSTONE_CASES_SHIPPED_H
#define TOUCHSTONE_CASES_SHIPPED_H

#include "harness/casefile/casefile.h"
#include "reference/operators.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Load the file of an operator ("dml.slice1": cases/dml/slice1.lua) from the source tree. Where it cannot be, say why
   and return NULL. The caller frees it. */
static inline case_file *load_shipped(const char *name)
{
    char path[PATH_MAX];
    error e;
    const ts_operator *op = operators_find(name);
    case_file *file = casefile_path(op, path, sizeof path, &e) ? casefile_load_of(path, op, &e) : NULL;
    if (!file)
        fprintf(stderr, "%s\n", e.text);
    return file;
}

/* The case files of all operators, in the order of operators_all. */
static case_file **files;
static size_t file_count;

/* Group setup and teardown of a test: load all of them, and free them. An operator without a case file fails. */
static inline int load_all_shipped(void **state)
{
    const ts_operator *const *all = operators_all(&file_count);
    (void)state;
    files = calloc(file_count, sizeof(case_file *));
    for (size_t i = 0; files && i < file_count; ++i) {
        if (!(files[i] = load_shipped(all[i]->name)))
            return -1;
    }
    return files ? 0 : -1;
}

static inline int free_all_shipped(void **state)
{
    (void)state;
    for (size_t i = 0; i < file_count; ++i)
        casefile_free(files[i]);
    free(files);
    return 0;
}

#endif
