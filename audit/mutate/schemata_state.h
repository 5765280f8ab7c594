/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the generated files and the library of mutants (mutants.c): the state of the current call, and the tables
   of mutants. */
#ifndef TOUCHSTONE_SCHEMATA_STATE_H
#define TOUCHSTONE_SCHEMATA_STATE_H

#include "audit/mutate/mutants.h"

#include <setjmp.h>
#include <stddef.h>

/* Why a call was left early. */
typedef enum schemata_reason {
    SCHEMATA_NONE,
    SCHEMATA_OUTSIDE,  /* an access outside of a tensor or an array */
    SCHEMATA_DIVISION, /* a division by zero, or of the smallest integer by -1 */
    SCHEMATA_ENDLESS   /* more loop iterations than such a call can need */
} schemata_reason;

/* The state of the current call. It is global because mutated code has no argument for it; the library runs one call at
   a time (backend.h). */
typedef struct schemata_state {
    uint32_t selected; /* mutant; UINT32_MAX: none */
    bool recording;
    uint8_t part; /* part of the call that is being recorded: MUTANT_CHECK and so on */
    uint64_t steps, limit;
    uint8_t *infected; /* per mutant: the parts in which it was infected */
    uint32_t *list;    /* the infected ones, in the order they were found */
    uint32_t listed;
    schemata_reason reason;
    ts_status status; /* that a kernel returned */
    jmp_buf leave;
} schemata_state;

extern schemata_state schemata;

_Noreturn void schemata_leave(schemata_reason reason);

/* How a mutant of a table changes the table: `by` is added to the value, or xored with it. */
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
