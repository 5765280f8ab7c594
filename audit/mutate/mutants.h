/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library of mutants: every mutant of the reference in one shared library, which is also a backend plugin
 * (`touchstone run -b mutants --backend-opt mutant=ID`). This is what `audit` sees beside the plugin interface.
 */
#ifndef TOUCHSTONE_MUTANTS_H
#define TOUCHSTONE_MUTANTS_H

#include "backends/backend.h"

#include <stdbool.h>

#define MUTANT_NONE UINT32_MAX

/* One mutant. Its id is FILE:LINE:COLUMN:KIND:REPLACEMENT, the file counted from reference/. */
typedef struct mutant {
    const char *id;
    const char *file;     /* "dml/slice1.c" */
    const char *function; /* it stands in; of a table its name */
    const char *original; /* the source text that is replaced, shortened */
    uint32_t line;
    bool table; /* it changes a table that the harness reads: nothing can record whether it matters */
} mutant;

/* Parts of a call in which a mutant can matter. */
enum { MUTANT_CHECK = 1, MUTANT_SHAPE = 2, MUTANT_RUN = 4 };

typedef struct mutants_library {
    uint32_t struct_size;
    uint32_t count;
    const mutant *mutants; /* by file and place */

    /* While on, the reference runs and every call's infected mutants are collected: those that gave some expression
       another value, or that were reached where that is all that can be told. Each `record(self, true)` forgets those
       before. What the reference answered to the last call recorded is what `select` compares with, so that each
       mutant is to be given that same call. Mutants of tables are never among the infected. */
    void (*record)(void *self, bool on);

    /* What was recorded: the mutants, in the order they were found. */
    const uint32_t *(*infected)(void *self, uint32_t *count);

    /* In which parts of the call a mutant was infected: MUTANT_* bits. Mutants of tables: only check and shape. */
    uint32_t (*parts)(void *self, uint32_t m);

    /* Behave as this mutant from now on, in the parts in which it was infected; MUTANT_NONE is the reference. */
    void (*select)(void *self, uint32_t m);
} mutants_library;

typedef const mutants_library *(*touchstone_mutants_function)(void);
TS_BACKEND_EXPORT const mutants_library *touchstone_mutants(void);

#endif
