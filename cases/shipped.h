/* SPDX-License-Identifier: Apache-2.0 */
/* The case files that ship, for the tests in this folder. */
#ifndef TOUCHSTONE_CASES_SHIPPED_H
#define TOUCHSTONE_CASES_SHIPPED_H

#include "harness/casefile/casefile.h"

#include <stdio.h>
#include <string.h>

/* Load the file of an operator ("dml.slice1": cases/dml/slice1.lua) from the source tree. Where it cannot be, say why
   and return NULL. The caller frees it. */
static inline case_file *load_shipped(const char *op)
{
    char path[512];
    error e;
    int n = snprintf(path, sizeof path, "%s/cases/%s.lua", TOUCHSTONE_SOURCE_DIR, op);
    *strchr(path + n - (int)strlen(op) - 4, '.') = '/';
    case_file *file = casefile_load(path, &e);
    if (!file)
        fprintf(stderr, "%s\n", e.text);
    return file;
}

#endif
