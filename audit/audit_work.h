/* SPDX-License-Identifier: Apache-2.0 */
/* The work of the audit: units of cases, and a slot in shared memory per worker. Private to audit*.c. */
#ifndef TOUCHSTONE_AUDIT_WORK_H
#define TOUCHSTONE_AUDIT_WORK_H

#include "audit/audit.h"
#include "harness/execute/execute_item.h"

#include <stdatomic.h>

/* A case with more bytes is large, or huge. */
#define AUDIT_LARGE (UINT64_C(1) << 16)
#define AUDIT_HUGE  (UINT64_C(1) << 24)

/* In the first stage, a mutant that the first cases of a range do not kill runs only on a sample of the others, and on
   no costly ones: most mutants are killed soon, and the survivors are expensive. In the others, only survivors run that
   are not listed as equivalent: in the second on the first costly cases of a range that infect them, in the third on
   every case, or on a larger sample where only scores are asked for. */
typedef enum audit_stage { AUDIT_SOME_CASES, AUDIT_COSTLY_CASES, AUDIT_EVERY_CASE, AUDIT_STAGES } audit_stage;

/* A unit: a range of cases of one test, at one level, with one profile. */
typedef struct audit_unit {
    mutant_subject subject;
    size_t op, test; /* indices in the result */
    uint32_t order;
    uint32_t profile;
    ts_level level;
    bool first_of_class; /* only one case of each combination of data types and dimension counts */
    bool preceded;       /* the test makes calls before each case */
    uint64_t bytes;      /* of the tensors of a drawn case, on average over a few */
    uint64_t first, end;
    uint64_t cells; /* number of the test's first cell, counted over all operators */
} audit_unit;

/* The state of a worker, in shared memory: it survives the worker. */
typedef struct audit_slot {
    bool active;         /* processing case `index` of `unit` */
    bool running_mutant; /* running the mutant at `position` of the list of this case */
    bool spoiled;        /* a mutant has changed the worker's memory: a new worker must begin with this case */
    bool done;           /* the worker has finished */
    bool failed;         /* with `problem` */
    uint32_t unit, position, m;
    audit_kill now; /* the current case, as a kill */
    uint64_t index;
    uint64_t cases, tried;
    error problem;
} audit_slot;

typedef struct audit_shared {
    atomic_uint_fast32_t next; /* unit */
    atomic_uint_fast64_t done; /* units, for the progress line */
} audit_shared;

/* The input of all workers. */
typedef struct audit_work {
    audit_result *result;
    uint32_t only;                       /* mutant number, or MUTANT_NONE */
    bool prove, sample, score, progress; /* as in audit_options */
    audit_stage stage;
    audit_unit *units;
    size_t unit_count, unit_capacity;
    _Atomic unsigned char
        *dead;      /* per mutant of the library, in shared memory: a case killed it; NULL without `score` */
    bool *settled;  /* per mutant of the library: it does not run in the later stages */
    bool *infected; /* the same: a case infected it in the stages that have run */
    uint64_t cell_count;
    uint32_t most_mutants; /* of an operator */
    audit_shared *shared;
} audit_work;

typedef struct audit_worker {
    const audit_work *work;
    audit_slot *slot;
    audit_cell *cells; /* of all operators, shared */
    audit_cell *range; /* of the current range, per mutant of the operator, shared */
    executor *executor;
    struct audit_classes *classes;
    uint32_t *list; /* mutants to run on a case */
    bool ran;       /* a mutant ran in this process */
} audit_worker;

/* The bytes of all tensors of a case. */
uint64_t audit_case_bytes(const ts_descriptor *d);

/* Run one unit. `resumed`: continue after the mutant at which the slot says the last worker died. */
bool audit_case_unit(audit_worker *w, const audit_unit *u, bool resumed, error *e);

/* Are only the scores of kernels asked for, and not in tier quick? Then what is costly runs later and less often, and
   the score is a lower bound. */
bool audit_is_bounded(const audit_work *w, mutant_subject subject);

/* Record that the current case killed the mutant that ended the worker. */
void audit_case_died(const audit_worker *w);

#endif
