/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library of mutants: a shared library with every mutant of the reference and of the kernels (audit/kernels/). It
 * is also a backend (`touchstone run -b mutants --backend-opt mutant=ID`). This header is its second interface, for the
 * audit.
 */
#ifndef TOUCHSTONE_MUTANTS_H
#define TOUCHSTONE_MUTANTS_H

#include "backends/backend.h"

#include <stdbool.h>

#define MUTANT_NONE UINT32_MAX

/* What is changed. A mutant of a kernel concerns nothing but `run`: the reference judges the descriptor. */
typedef enum mutant_subject { MUTANT_OF_REFERENCE, MUTANT_OF_KERNELS, MUTANT_SUBJECTS } mutant_subject;

/* One mutant. Its id is FILE:LINE:COLUMN:KIND:REPLACEMENT, with FILE relative to reference/, or to audit/ for a kernel.
 */
typedef struct mutant {
    const char *id;
    const char *file;     /* "dml/slice1.c", "kernels/slice1.c" */
    const char *function; /* the function, or the table, that it is in */
    const char *original; /* the replaced source text, shortened */
    uint32_t line;
    bool table; /* it changes a table, so that infection cannot be recorded */
    mutant_subject subject;
} mutant;

/* Parts of a call. */
enum { MUTANT_CHECK = 1, MUTANT_SHAPE = 2, MUTANT_RUN = 4 };

typedef struct mutants_library {
    uint32_t struct_size;
    uint32_t count;
    const mutant *mutants; /* ordered by file and place */

    /* From now on, run and record this subject. At first it is the reference. */
    void (*choose_subject)(void *self, mutant_subject subject);

    /* Switch recording on or off. While it is on, calls run the subject without a mutant and collect the infected
       mutants: those that would have given some expression another value, or whose place was reached if only that can
       be recorded. `record(self, true)` discards earlier ones. The mutants of the reference that `select` chooses
       afterwards are compared with the reference's result of the last recorded call, so run each of them on that same
       call. Mutants of tables are never recorded as infected. */
    void (*record)(void *self, bool on);

    /* Return the infected mutants in the order of their infection. The array is valid until the next recording. */
    const uint32_t *(*infected)(void *self, uint32_t *count);

    /* Return the parts of the call (MUTANT_* bits) in which a mutant was infected; of a table: check and shape. */
    uint32_t (*parts)(void *self, uint32_t m);

    /* From now on, behave as this mutant in the parts in which it was infected; MUTANT_NONE is the original. `select`
       and `record(self, true)` let the kernels forget all earlier calls. */
    void (*select)(void *self, uint32_t m);

    /* Did a call leave the kernel since `record(self, true)` or `select`, because it would have crashed or never have
       ended? */
    bool (*has_left)(void *self);
} mutants_library;

typedef const mutants_library *(*touchstone_mutants_function)(void);
TS_BACKEND_EXPORT const mutants_library *touchstone_mutants(void);

#endif
