/* SPDX-License-Identifier: Apache-2.0 */
/* The part of ONNX Runtime's C interface that the adapter uses, declared here so that the build does not need ONNX
   Runtime. The library exports one function, which leads to a table of functions. Their order never changes; new
   versions only append. All functions of ort_api exist since version 8 (ONNX Runtime 1.8); the others state the version
   that they are from. */
#ifndef TOUCHSTONE_ORT_API_H
#define TOUCHSTONE_ORT_API_H

#include "backends/fetched/library.h"

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define ORT_CALL __stdcall
#else
#define ORT_CALL
#endif

#define ORT_VERSION 8

/* Versions that have more, and of which functions. */
#define ORT_VERSION_PROVIDERS 12 /* ORT_APPEND_PROVIDER */
#define ORT_VERSION_LIBRARIES 22 /* ORT_REGISTER_LIBRARY to ORT_EP_DEVICE */

typedef struct OrtStatus OrtStatus; /* NULL: success */
typedef struct OrtAllocator OrtAllocator;
typedef struct OrtEnv OrtEnv;
typedef struct OrtEpDevice OrtEpDevice; /* an execution provider and what it would run on */
typedef struct OrtHardwareDevice OrtHardwareDevice;
typedef struct OrtKeyValuePairs OrtKeyValuePairs;
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
    ORT_GET_TENSOR_DATA = 51,
    ORT_GET_ELEMENT_TYPE = 60,
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
    ORT_RELEASE_SESSION_OPTIONS = 100,
    /* For execution providers. */
    ORT_ENABLE_PROFILING = 14,
    ORT_SET_OPTIMIZATION_LEVEL = 23,
    ORT_ALLOCATOR_FREE = 76,
    ORT_DEFAULT_ALLOCATOR = 78,
    ORT_END_PROFILING = 110,
    ORT_AVAILABLE_PROVIDERS = 125,
    ORT_RELEASE_AVAILABLE_PROVIDERS = 126,
    ORT_ADD_CONFIG_ENTRY = 130,
    ORT_APPEND_PROVIDER = 216,
    ORT_KEY_VALUE = 297,
    ORT_REGISTER_LIBRARY = 301,
    ORT_EP_DEVICES = 303,
    ORT_APPEND_DEVICES = 304,
    ORT_HARDWARE_VENDOR = 309,
    ORT_HARDWARE_TYPE = 307,
    ORT_EP_NAME = 312,
    ORT_EP_METADATA = 314,
    ORT_EP_DEVICE = 316
};

enum { ORT_LOG_FATAL = 4 };
enum { ORT_DEVICE_ALLOCATOR = 0 };
enum { ORT_NO_OPTIMIZATION = 0 };
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
    OrtStatus *(ORT_CALL *tensor_data)(OrtValue *, void **);
    OrtStatus *(ORT_CALL *element_type)(const OrtTensorTypeAndShapeInfo *, int *);
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

/* The functions used for execution providers. Those of later versions are NULL if the library is older. */
typedef struct ort_provider_api {
    OrtStatus *(ORT_CALL *enable_profiling)(OrtSessionOptions *, const library_char *prefix);
    OrtStatus *(ORT_CALL *end_profiling)(OrtSession *, OrtAllocator *, char **file);
    OrtStatus *(ORT_CALL *default_allocator)(OrtAllocator **); /* not to be released */
    OrtStatus *(ORT_CALL *allocator_free)(OrtAllocator *, void *);
    OrtStatus *(ORT_CALL *set_optimization_level)(OrtSessionOptions *, int);
    OrtStatus *(ORT_CALL *add_config_entry)(OrtSessionOptions *, const char *key, const char *value);
    OrtStatus *(ORT_CALL *available_providers)(char ***names, int *count);
    OrtStatus *(ORT_CALL *release_available_providers)(char **names, int count);
    OrtStatus *(ORT_CALL *append_provider)(OrtSessionOptions *, const char *name, const char *const *keys,
                                           const char *const *values, size_t count);
    OrtStatus *(ORT_CALL *register_library)(OrtEnv *, const char *registration, const library_char *path);
    OrtStatus *(ORT_CALL *ep_devices)(const OrtEnv *, const OrtEpDevice *const **devices, size_t *count);
    OrtStatus *(ORT_CALL *append_devices)(OrtSessionOptions *, OrtEnv *, const OrtEpDevice *const *devices,
                                          size_t device_count, const char *const *keys, const char *const *values,
                                          size_t count);
    const char *(ORT_CALL *ep_name)(const OrtEpDevice *);
    const OrtKeyValuePairs *(ORT_CALL *ep_metadata)(const OrtEpDevice *);
    const OrtHardwareDevice *(ORT_CALL *ep_device)(const OrtEpDevice *);
    int(ORT_CALL *hardware_type)(const OrtHardwareDevice *); /* 0 CPU, 1 GPU, 2 NPU */
    const char *(ORT_CALL *hardware_vendor)(const OrtHardwareDevice *);
    const char *(ORT_CALL *key_value)(const OrtKeyValuePairs *, const char *key); /* NULL: not there */
} ort_provider_api;

#endif
