/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library of mutants: a shared library with every mutant of the reference. It is also a backend
 * (`touchstone run -b mutants --backend-opt mutant=ID`). This header is its second interface, for the audit.
 */
#ifndef TOUCHSTONE_MUTANTS_H
#define TOUCHSTONE_MUTANTS_H

#include "backends/backend.h"

#include <stdbool.h>

#define MUTANT_NONE UINT32_MAX

/* One mutant. Its id is FILE:LINE:COLUMN:KIND:REPLACEMENT, with FILE relative to reference/. */
typedef struct mutant {
    const char *id;
    const char *file;     /* "dml/slice1.c" */
    const char *function; /* the function, or the table, that it is in */
    const char *original; /* the replaced source text, shortened */
    uint32_t line;
    bool table; /* it changes a table, so that infection cannot be recorded */
} mutant;

/* Parts of a call. */
enum { MUTANT_CHECK = 1, MUTANT_SHAPE = 2, MUTANT_RUN = 4 };

typedef struct mutants_library {
    uint32_t struct_size;
    uint32_t count;
    const mutant *mutants; /* ordered by file and place */

    /* Switch recording on or off. While it is on, calls run the reference and collect the infected mutants: those that
       would have given some expression another value, or whose place was reached if only that can be recorded.
       `record(self, true)` discards earlier ones. The mutants that `select` chooses afterwards are compared with the
       reference's result of the last recorded call, so run each of them on that same call. Mutants of tables are never
       recorded as infected. */
    void (*record)(void *self, bool on);

    /* Return the infected mutants in the order of their infection. The array is valid until the next recording. */
    const uint32_t *(*infected)(void *self, uint32_t *count);

    /* Return the parts of the call (MUTANT_* bits) in which a mutant was infected; of a table: check and shape. */
    uint32_t (*parts)(void *self, uint32_t m);

    /* From now on, behave as this mutant in the parts in which it was infected; MUTANT_NONE is the reference. */
    void (*select)(void *self, uint32_t m);
} mutants_library;

typedef const mutants_library *(*touchstone_mutants_function)(void);
TS_BACKEND_EXPORT const mutants_library *touchstone_mutants(void);

#endif
