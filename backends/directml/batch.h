/* SPDX-License-Identifier: Apache-2.0 */
/* Many calls in one submission: one upload, one initializer, one command list, one fence, one readback. */
#ifndef TOUCHSTONE_DIRECTML_BATCH_H
#define TOUCHSTONE_DIRECTML_BATCH_H

#include "backends/directml/describe.h"
#include "backends/directml/pool.h"

#define BATCH_CALLS DEVICE_BINDING_TABLES /* at most */

/* One call of a batch. */
typedef struct batch_slot {
    const ts_call *call;
    const describe_operator *op;
    IDMLDispatchable *compiled; /* NULL: it was refused */
    bool executes;
    bool owned; /* has an input that is OWNED_BY_DML: bound when it is initialized, not when it is executed */
    DML_BINDING_PROPERTIES properties;
    uint64_t at[DESCRIBE_TENSORS]; /* of its tensors, in pool.tensors */
    uint64_t temporary_at;         /* in pool.scratch */
    DML_BUFFER_BINDING persistent;
    DML_BUFFER_BINDING owned_inputs[DESCRIBE_TENSORS];
    DML_BUFFER_ARRAY_BINDING owned_array;
} batch_slot;

typedef struct batch {
    device *device;
    pool pool;
    batch_slot slots[BATCH_CALLS];
    size_t count;
    /* Of the slots that execute, in order. */
    IDMLDispatchable *compiled[BATCH_CALLS];
    DML_BINDING_DESC init_inputs[BATCH_CALLS], init_outputs[BATCH_CALLS];
    size_t executing;
    uint64_t bytes, scratch_bytes; /* that they take of the pool */
    uint64_t init_temporary_at;
    DML_BINDING_PROPERTIES init_properties;
    /* A byte beyond one tensor of a batch of one call that did not stay as it was: to be shown to the suite. */
    unsigned char *stray_at; /* where it lies in the host's memory, or NULL */
    unsigned char stray;
} batch;

typedef enum batch_result {
    BATCH_DONE,
    BATCH_STRAYED, /* done, but something was written between tensors; with more than one call nothing is handed back */
    BATCH_FAILED   /* nothing is handed back; device->message says why */
} batch_result;

/* Run n <= BATCH_CALLS calls, the first at `calls`. status[i] is set where the result is BATCH_DONE, or BATCH_STRAYED
   of one call. After BATCH_FAILED the device is to be recovered. */
batch_result batch_run(batch *b, const ts_call *calls, size_t n, ts_status *status);

#endif
