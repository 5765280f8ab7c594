/* SPDX-License-Identifier: Apache-2.0 */
/* Execute many calls in one submission: one upload, one initializer, one command list, one fence, one readback. */
#ifndef TOUCHSTONE_DIRECTML_BATCH_H
#define TOUCHSTONE_DIRECTML_BATCH_H

#include "backends/directml/describe.h"
#include "backends/directml/pool.h"

#define BATCH_CALLS DEVICE_BINDING_TABLES /* at most */

/* One call of a batch. */
typedef struct batch_slot {
    const ts_call *call;
    const describe_operator *op; /* NULL: a declared operator */
    uint32_t tensor_count, input_count;
    IDMLDispatchable *compiled; /* NULL: DirectML refused the call */
    bool executes;
    bool owned; /* has an input that is OWNED_BY_DML: it is bound to the initializer, not to the execution */
    DML_BINDING_PROPERTIES properties;
    uint64_t at[DESCRIBE_TENSORS]; /* places of its tensors in pool.tensors */
    uint64_t temporary_at;         /* places in pool.scratch */
    DML_BUFFER_BINDING persistent;
    DML_BUFFER_BINDING owned_inputs[DESCRIBE_TENSORS];
    DML_BUFFER_ARRAY_BINDING owned_array;
} batch_slot;

typedef struct batch {
    device *device;
    pool pool;
    batch_slot slots[BATCH_CALLS];
    size_t count;
    /* The slots that execute, in order. */
    IDMLDispatchable *compiled[BATCH_CALLS];
    DML_BINDING_DESC init_inputs[BATCH_CALLS], init_outputs[BATCH_CALLS];
    size_t executing;
    uint64_t bytes, scratch_bytes; /* bytes of the pool that they use */
    uint64_t init_temporary_at;
    DML_BINDING_PROPERTIES init_properties;
    /* In a batch of one call: a changed byte beyond a tensor, to be shown to the suite. */
    unsigned char *stray_at; /* its address in host memory, or NULL */
    unsigned char stray;
} batch;

typedef enum batch_result {
    BATCH_DONE,
    BATCH_STRAYED, /* done, but bytes between tensors were written; with more than one call, no results are returned */
    BATCH_FAILED   /* no results are returned; device->message is the reason */
} batch_result;

/* Execute n <= BATCH_CALLS calls, the first at `calls`. Sets status[i] if the result is BATCH_DONE, or BATCH_STRAYED
   with one call. After BATCH_FAILED the caller must recover the device. */
batch_result batch_run(batch *b, const ts_call *calls, size_t n, ts_status *status);

#endif
