/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults: what a row of the saboteur's tables is, and the little that their functions share.
 *
 * To add one: write the function, add the row to the table at the end of its file. Nothing else names it; the unit
 * test tries every row on every operator that it claims.
 */
#ifndef TOUCHSTONE_FAULT_H
#define TOUCHSTONE_FAULT_H

#include "harness/model/operator.h"

enum {
    ON_SLICE1 = 1,
    ON_GATHER = 2,
    ON_RANDOM = 4,
    ON_IDENTITY = 8,
    ON_STRIDED = 16,
    ON_SLICES = ON_SLICE1 | ON_STRIDED,
    ON_AFFINE = ON_SLICES | ON_IDENTITY,
    ON_COPIES = ON_AFFINE | ON_GATHER,
    ON_DML = ON_SLICE1 | ON_GATHER | ON_RANDOM | ON_IDENTITY,
    ON_ALL = ON_COPIES | ON_RANDOM
};

struct fault;

/* One call on its way through the saboteur. */
typedef struct fault_call {
    const ts_descriptor *d; /* found legal by the reference, unless a judge let it through */
    const ts_tensor *in;    /* the first tensor */
    const ts_tensor *out;   /* the output that holds the result */
    uint32_t on;            /* which operator: one of ON_* */
    uint64_t number;        /* calls of this instance before this one */
    uint64_t *carried;      /* a word that survives from call to call */
    void **kept;            /* and what fault_cache.c keeps; NULL at first */
} fault_call;

/* A row: any of the three functions may be NULL, then that part is done right. */
typedef struct fault {
    const char *name;
    uint32_t operators; /* ON_* */
    const char *line;   /* the class of real defects that it stands for */
    /* Do the work, with every tensor's data at hand. */
    void (*execute)(const fault_call *call);
    /* Is this descriptor accepted? The report is the reference's. */
    bool (*judge)(const fault_call *call, const ts_report *report);
    /* Spoil a shape that was inferred. */
    void (*reshape)(const fault_call *call, ts_shape *shape);
} fault;

typedef struct fault_table {
    const fault *rows;
    size_t count;
} fault_table;

extern const fault_table fault_values;   /* what happens to the bits of an element */
extern const fault_table fault_memory;   /* what is written or read elsewhere, or not at all */
extern const fault_table fault_layout;   /* strides, steps and dimensions of the copying operators */
extern const fault_table fault_gather;   /* indices */
extern const fault_table fault_random;   /* the generator */
extern const fault_table fault_offset;   /* offsets that 32 bits cannot hold */
extern const fault_table fault_cache;    /* what is kept from call to call */
extern const fault_table fault_order;    /* what comes and goes with the calls before */
extern const fault_table fault_process;  /* what ends or stalls the process */
extern const fault_table fault_judgment; /* what is accepted, refused and inferred */

/* Release what fault_cache.c kept; NULL is nothing. */
void fault_release(void *kept);

/* As a driver that waits for its device with all signals blocked: for ever. */
void fault_hang_deaf(void);

/* The right answer. */
static inline void fault_run_right(const fault_call *call)
{
    call->d->op->run(call->d, NULL);
}

/* Is a result of the reference a reason to refuse? */
static inline bool fault_refuses(const ts_report *report)
{
    return report->worst == TS_RESULT_INVALID || report->worst == TS_RESULT_UNSUPPORTED_FL;
}

/* Call `visit` for each element of a tensor in row-major order of the coordinates: its number and its address. */
typedef void (*fault_visit)(void *context, uint64_t number, unsigned char *element, size_t bytes);
void fault_each(const ts_tensor *t, fault_visit visit, void *context);

/* Elements of a tensor; 0 on overflow, which no legal one has. */
static inline uint64_t fault_count(const ts_tensor *t)
{
    uint64_t count = 0;
    return tensor_element_count(t, &count) ? count : 0;
}

#endif
