/* SPDX-License-Identifier: Apache-2.0 */
/* The loaded library: its functions, one environment, and a session per model. */
#ifndef TOUCHSTONE_ONNX_RUNTIME_H
#define TOUCHSTONE_ONNX_RUNTIME_H

#include "backends/onnxruntime/ort_api.h"
#include "harness/formats/onnx/translate.h"

#define RUNTIME_AXES TS_MAX_DIMS

/* The lists of Slice, as values over memory of the adapter that is written before each run. */
typedef struct runtime_list {
    int64_t values[ONNX_MAX_STEPS];
    OrtValue *tensors[ONNX_MAX_STEPS + 1]; /* by the number of values; created at first use */
} runtime_list;

struct provider;

typedef struct runtime {
    void *library;
    const OrtApiBase *base;
    uint32_t api_version; /* the newest that the library has, as far as its version tells */
    ort_api api;
    OrtEnv *env;
    OrtSessionOptions *options;
    struct provider *provider; /* what all sessions run on; NULL: the CPU provider, and `options` */
    OrtMemoryInfo *memory;
    /* A graph without shapes serves all shapes, so a session depends only on: operator, data type, size of indices (4
       or 8 bytes) or kind and direction of a sum, and axis. Where an operator has none of these, 0. Unused if the
       provider wants fixed shapes. */
    OrtSession *sessions[ONNX_OPS][TS_DTYPE_COUNT][4][RUNTIME_AXES];
    runtime_list starts, ends, steps;
    char message[384]; /* the last error */
} runtime;

/* The path where scripts/setup-vendors.sh puts the library; "" if the folder of the user's cache is unknown. */
void runtime_fetched(char *path, size_t size);

/* Load the library and create the environment. Switches off ONNX Runtime's reports of usage over the network. False
   with a message; then *r is closed. */
bool runtime_open(runtime *r, const char *path);
void runtime_close(runtime *r);

/* Is the status, which is released, success? Else its message is stored. */
bool runtime_fine(runtime *r, OrtStatus *status);

/* The table of functions of a version up to api_version; NULL if the library does not have it. */
const ort_function *runtime_table(runtime *r, uint32_t version);

/* Create session options: one thread, and memory that is not reused by pattern. */
bool runtime_new_options(runtime *r, OrtSessionOptions **options);

/* Is there a session for the operator and the types of a call, or would there be one? Decided by a small call. */
bool runtime_takes(runtime *r, const onnx_call *call, uint32_t dtype, uint32_t index_dtype);

/* Does the provider run at least one operator, of FLOAT32? False with its last message. */
bool runtime_tries(runtime *r);

typedef enum runtime_result {
    RUNTIME_OK,
    RUNTIME_REFUSED,   /* ONNX Runtime refuses the model, its inputs or its output */
    RUNTIME_ELSEWHERE, /* the model is not one for the provider, or nothing proves that it runs there */
    RUNTIME_FAILED     /* out of memory */
} runtime_result;

/* Return the session for a model. It stays cached; the caller releases it only if *own is set. */
runtime_result runtime_session(runtime *r, const onnx_call *call, uint32_t dtype, uint32_t index_dtype,
                               OrtSession **session, bool *own);

/* Create a tensor over `size` bytes of existing memory. The caller releases it. */
runtime_result runtime_tensor(runtime *r, uint32_t dtype, const onnx_shape *shape, const void *data, size_t size,
                              OrtValue **value);

/* Run a session over as many tensors as the operator takes. *output is the tensor to write, or NULL: then ONNX Runtime
   creates one and the caller releases it. */
runtime_result runtime_run(runtime *r, OrtSession *session, const onnx_call *call, const OrtValue *const *tensors,
                           OrtValue **output);

/* Get the shape and the type (of ONNX) of a tensor; false if its rank exceeds TS_MAX_DIMS. */
bool runtime_shape(runtime *r, const OrtValue *value, onnx_shape *shape, int *type);

#endif
