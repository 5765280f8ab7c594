/* SPDX-License-Identifier: Apache-2.0 */
/* The part of ONNX Runtime's C interface that the adapter uses, declared here so that the build does not need ONNX
   Runtime. The library exports one function, which leads to a table of functions. Their order never changes; new
   versions only append. All functions used here exist since version 8 (ONNX Runtime 1.8). */
#ifndef TOUCHSTONE_ORT_API_H
#define TOUCHSTONE_ORT_API_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define ORT_CALL __stdcall
#else
#define ORT_CALL
#endif

#define ORT_VERSION 8

typedef struct OrtStatus OrtStatus; /* NULL: success */
typedef struct OrtEnv OrtEnv;
typedef struct OrtMemoryInfo OrtMemoryInfo;
typedef struct OrtRunOptions OrtRunOptions;
typedef struct OrtSession OrtSession;
typedef struct OrtSessionOptions OrtSessionOptions;
typedef struct OrtTensorTypeAndShapeInfo OrtTensorTypeAndShapeInfo;
typedef struct OrtValue OrtValue;

typedef void(ORT_CALL *ort_function)(void);

typedef struct OrtApiBase {
    const ort_function *(ORT_CALL *GetApi)(
        uint32_t version); /* the table; NULL if the library does not have this version */
    const char *(ORT_CALL *GetVersionString)(void);
} OrtApiBase;

/* Indices in the table. */
enum {
    ORT_GET_ERROR_CODE = 1,
    ORT_GET_ERROR_MESSAGE = 2,
    ORT_CREATE_ENV = 3,
    ORT_CREATE_SESSION_FROM_ARRAY = 8,
    ORT_RUN = 9,
    ORT_CREATE_SESSION_OPTIONS = 10,
    ORT_DISABLE_MEM_PATTERN = 17,
    ORT_SET_INTRA_OP_NUM_THREADS = 24,
    ORT_SET_INTER_OP_NUM_THREADS = 25,
    ORT_CREATE_TENSOR_WITH_DATA = 49,
    ORT_GET_DIMENSIONS_COUNT = 61,
    ORT_GET_DIMENSIONS = 62,
    ORT_GET_TENSOR_TYPE_AND_SHAPE = 65,
    ORT_CREATE_CPU_MEMORY_INFO = 69,
    ORT_RELEASE_ENV = 92,
    ORT_RELEASE_STATUS = 93,
    ORT_RELEASE_MEMORY_INFO = 94,
    ORT_RELEASE_SESSION = 95,
    ORT_RELEASE_VALUE = 96,
    ORT_RELEASE_TENSOR_TYPE_AND_SHAPE = 99,
    ORT_RELEASE_SESSION_OPTIONS = 100
};

enum { ORT_LOG_FATAL = 4 };
enum { ORT_DEVICE_ALLOCATOR = 0 };
enum { ORT_MEMORY_DEFAULT = 0 };

/* The functions used here. */
typedef struct ort_api {
    const char *(ORT_CALL *version)(void);
    int(ORT_CALL *error_code)(const OrtStatus *);
    const char *(ORT_CALL *error_message)(const OrtStatus *);
    OrtStatus *(ORT_CALL *create_env)(int severity, const char *id, OrtEnv **);
    OrtStatus *(ORT_CALL *create_session)(const OrtEnv *, const void *model, size_t size, const OrtSessionOptions *,
                                          OrtSession **);
    OrtStatus *(ORT_CALL *run)(OrtSession *, const OrtRunOptions *, const char *const *input_names,
                               const OrtValue *const *inputs, size_t input_count, const char *const *output_names,
                               size_t output_count, OrtValue **outputs);
    OrtStatus *(ORT_CALL *create_session_options)(OrtSessionOptions **);
    OrtStatus *(ORT_CALL *disable_mem_pattern)(OrtSessionOptions *);
    OrtStatus *(ORT_CALL *set_intra_op_threads)(OrtSessionOptions *, int);
    OrtStatus *(ORT_CALL *set_inter_op_threads)(OrtSessionOptions *, int);
    OrtStatus *(ORT_CALL *create_tensor)(const OrtMemoryInfo *, void *data, size_t size, const int64_t *sizes,
                                         size_t rank, int type, OrtValue **);
    OrtStatus *(ORT_CALL *dimensions_count)(const OrtTensorTypeAndShapeInfo *, size_t *);
    OrtStatus *(ORT_CALL *dimensions)(const OrtTensorTypeAndShapeInfo *, int64_t *, size_t);
    OrtStatus *(ORT_CALL *type_and_shape)(const OrtValue *, OrtTensorTypeAndShapeInfo **);
    OrtStatus *(ORT_CALL *create_memory_info)(int allocator, int memory, OrtMemoryInfo **);
    void(ORT_CALL *release_env)(OrtEnv *);
    void(ORT_CALL *release_status)(OrtStatus *);
    void(ORT_CALL *release_memory_info)(OrtMemoryInfo *);
    void(ORT_CALL *release_session)(OrtSession *);
    void(ORT_CALL *release_value)(OrtValue *);
    void(ORT_CALL *release_type_and_shape)(OrtTensorTypeAndShapeInfo *);
    void(ORT_CALL *release_session_options)(OrtSessionOptions *);
} ort_api;

#endif
