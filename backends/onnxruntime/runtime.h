/* SPDX-License-Identifier: Apache-2.0 */
/* ONNX Runtime, loaded: its functions, one environment, and a session for each model. */
#ifndef TOUCHSTONE_ONNX_RUNTIME_H
#define TOUCHSTONE_ONNX_RUNTIME_H

#include "backends/onnxruntime/ort_api.h"
#include "harness/formats/onnx/translate.h"

#define RUNTIME_AXES TS_MAX_DIMS

/* The lists of Slice, as values over memory of our own that is written before each run. */
typedef struct runtime_list {
    int64_t values[ONNX_MAX_STEPS];
    OrtValue *tensors[ONNX_MAX_STEPS + 1]; /* by the number of values; made when first needed */
} runtime_list;

typedef struct runtime {
    void *library;
    ort_api api;
    OrtEnv *env;
    OrtSessionOptions *options;
    OrtMemoryInfo *memory;
    /* A graph that does not say its shapes serves all of them, so that a session depends on this alone: */
    OrtSession *slices[TS_DTYPE_COUNT];
    OrtSession *identities[TS_DTYPE_COUNT];
    OrtSession *gathers[TS_DTYPE_COUNT][2][RUNTIME_AXES]; /* by data type, of indices of 4 and 8 bytes, by axis */
    runtime_list starts, ends, steps;
    char message[384]; /* the last that went wrong */
} runtime;

/* Where scripts/setup-vendors.sh puts the library; "" where the system does not say where a user's cache is. */
void runtime_fetched(char *path, size_t size);

/* Load the library and make ready. ONNX Runtime would report its use over the network, with threads and a file of its
   own: the environment is told that it does not. False with a message; then *r is closed. */
bool runtime_open(runtime *r, const char *path);
void runtime_close(runtime *r);

typedef enum runtime_result {
    RUNTIME_OK,
    RUNTIME_REFUSED, /* an error of ONNX Runtime's: the model, its inputs or its output */
    RUNTIME_FAILED   /* of the machine: memory is out */
} runtime_result;

/* The session for a model: kept, and not to be released, unless *own is set. */
runtime_result runtime_session(runtime *r, const onnx_call *call, uint32_t dtype, uint32_t index_dtype,
                               OrtSession **session, bool *own);

/* A tensor over `size` bytes of somebody's memory. The caller releases it. */
runtime_result runtime_tensor(runtime *r, uint32_t dtype, const onnx_shape *shape, const void *data, size_t size,
                              OrtValue **value);

/* Run a session. *output: where it writes to, or NULL; then it is ONNX Runtime's own, and the caller's to release. */
runtime_result runtime_run(runtime *r, OrtSession *session, const onnx_call *call, const OrtValue *data,
                           const OrtValue *indices, OrtValue **output);

/* The shape of a tensor; false where its rank exceeds TS_MAX_DIMS. */
bool runtime_shape(runtime *r, const OrtValue *value, onnx_shape *shape);

#endif
