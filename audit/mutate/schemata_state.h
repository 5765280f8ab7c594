/* SPDX-License-Identifier: Apache-2.0 */
/* What the generated files and the library of mutants (mutants.c) share: the state of the call in flight, and the
   tables of mutants. */
#ifndef TOUCHSTONE_SCHEMATA_STATE_H
#define TOUCHSTONE_SCHEMATA_STATE_H

#include "audit/mutate/mutants.h"

#include <setjmp.h>
#include <stddef.h>

/* Why a call was left. */
typedef enum schemata_reason {
    SCHEMATA_NONE,
    SCHEMATA_OUTSIDE,  /* of a tensor or an array */
    SCHEMATA_DIVISION, /* by zero, or of the least integer by -1 */
    SCHEMATA_ENDLESS   /* more steps than such a call can need */
} schemata_reason;

/* The state of the one call in flight. Global, because mutated code has no argument that could carry it; the library
   runs one call at a time (backend.h). */
typedef struct schemata_state {
    uint32_t selected; /* mutant; UINT32_MAX: none */
    bool recording;
    uint8_t part; /* of the call that is recorded: MUTANT_CHECK and so on */
    uint64_t steps, limit;
    uint8_t *infected; /* a byte per mutant: the parts in which it was */
    uint32_t *list;    /* the infected ones, in the order they were found */
    uint32_t listed;
    schemata_reason reason;
    jmp_buf leave;
} schemata_state;

extern schemata_state schemata;

_Noreturn void schemata_leave(schemata_reason reason);

/* How a mutant of a table changes it: `by` is added to the value, or xored. */
typedef struct schemata_patch {
    uint32_t mutant;
    void *at; /* NULL ends a list */
    size_t bytes;
    bool add;
    uint64_t by;
} schemata_patch;

typedef struct schemata_table {
    const mutant *mutants;
    uint32_t count;
    const schemata_patch *const *patches; /* a list for each file, then NULL */
} schemata_table;

extern const schemata_table schemata_all;

#endif
