/* SPDX-License-Identifier: Apache-2.0 */
/* Work of the audit: ranges of cases, and the desk of a worker in shared memory. Private to audit*.c. */
#ifndef TOUCHSTONE_AUDIT_WORK_H
#define TOUCHSTONE_AUDIT_WORK_H

#include "audit/audit.h"
#include "harness/execute/execute_item.h"

#include <stdatomic.h>

/* Cases of more bytes are left to the second stage. */
#define AUDIT_LARGE (UINT64_C(1) << 16)

/* In the first, a mutant that the first cases of a range do not kill is tried on few of the others there: most die
   soon, and the others cost most. In the second, those that are alive and not listed as equivalent are tried on every
   case. */
typedef enum audit_stage { AUDIT_SOME_CASES, AUDIT_EVERY_CASE } audit_stage;

/* A range of cases of one test, at one level, under one profile. */
typedef struct audit_unit {
    size_t op, test; /* of the result */
    uint32_t order;
    uint32_t profile;
    ts_level level;
    bool first_of_class; /* only one case of each combination of data types and dimension counts */
    uint64_t first, end;
    uint64_t cells; /* the test's first cell, counted over all operators */
} audit_unit;

/* A desk is shared memory: what a worker has found outlives it. */
typedef struct audit_desk {
    bool at_work; /* on `unit`, and at case `index` of it */
    bool trying;  /* a mutant, `position` in the order of those of this case */
    bool done;    /* the worker ended by itself */
    bool failed;  /* with `problem` */
    uint32_t unit, position, m;
    audit_kill now; /* the case at hand, as a kill */
    uint64_t index;
    uint64_t cases, tried;
    error problem;
} audit_desk;

typedef struct audit_shared {
    atomic_uint_fast32_t next; /* unit */
    atomic_uint_fast64_t done; /* units, for the progress line */
} audit_shared;

/* What all workers are given. */
typedef struct audit_work {
    audit_result *result;
    uint32_t only;                /* mutant number, or MUTANT_NONE */
    bool prove, sample, progress; /* as in audit_options */
    audit_stage stage;
    audit_unit *units;
    size_t unit_count, unit_capacity;
    bool *settled; /* per mutant of the library: not tried in the second stage. Read there */
    uint64_t cell_count;
    uint32_t most_mutants; /* of an operator */
    audit_shared *shared;
} audit_work;

typedef struct audit_worker {
    const audit_work *work;
    audit_desk *desk;
    audit_cell *cells; /* of all operators, shared */
    audit_cell *range; /* of the range at hand, per mutant of the operator, shared */
    executor *executor;
    struct audit_classes *classes;
    uint32_t *list; /* mutants to try on a case */
    bool counts;    /* the case at hand has not been counted yet, by the first stage */
} audit_worker;

/* Work through one unit, from the desk's place on where it was left. */
bool audit_case_unit(audit_worker *w, const audit_unit *u, bool resumed, error *e);

/* Mark the mutant that a worker died of as killed by the case at hand. */
void audit_case_died(audit_desk *desk, audit_cell *range);

#endif
