/* SPDX-License-Identifier: Apache-2.0 */
/* The part of OpenVINO's C API (openvino/c/ of its package, 2026.4) that the adapter uses, declared here so that the
   build does not need the library. The functions are looked up when the library is opened. */
#ifndef TOUCHSTONE_OPENVINO_C_H
#define TOUCHSTONE_OPENVINO_C_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int ov_status; /* ov_status_e: 0 is success */

/* ov_element_type_e. The numbers differ between releases: these are of 2024.4 to 2026.4; older libraries are not
   opened. */
enum {
    OV_BOOLEAN = 1,
    OV_BF16 = 2,
    OV_F16 = 3,
    OV_F32 = 4,
    OV_F64 = 5,
    OV_I8 = 7,
    OV_I16 = 8,
    OV_I32 = 9,
    OV_I64 = 10,
    OV_U8 = 16,
    OV_U16 = 17,
    OV_U32 = 18,
    OV_U64 = 19
};

typedef struct ov_core ov_core;
typedef struct ov_model ov_model;
typedef struct ov_compiled ov_compiled; /* ov_compiled_model_t */
typedef struct ov_request ov_request;   /* ov_infer_request_t */
typedef struct ov_tensor ov_tensor;

typedef struct ov_shape {
    int64_t rank;
    int64_t *dims;
} ov_shape;

typedef struct ov_version {
    const char *build_number;
    const char *description;
} ov_version;

/* The functions: name without "ov_", result, parameters. */
#define OV_FUNCTIONS(F)                                                                                                \
    F(get_openvino_version, ov_status, (ov_version *))                                                                 \
    F(version_free, void, (ov_version *))                                                                              \
    F(get_last_err_msg, const char *, (void))                                                                          \
    F(free, void, (const char *))                                                                                      \
    F(core_create, ov_status, (ov_core **))                                                                            \
    F(core_free, void, (ov_core *))                                                                                    \
    F(core_get_property, ov_status, (const ov_core *, const char *, const char *, char **))                            \
    F(core_read_model_from_memory_buffer, ov_status,                                                                   \
      (const ov_core *, const char *, size_t, const ov_tensor *, ov_model **))                                         \
    F(model_free, void, (ov_model *))                                                                                  \
    F(core_compile_model, ov_status, (const ov_core *, const ov_model *, const char *, size_t, ov_compiled **, ...))   \
    F(compiled_model_create_infer_request, ov_status, (const ov_compiled *, ov_request **))                            \
    F(compiled_model_free, void, (ov_compiled *))                                                                      \
    F(infer_request_set_input_tensor_by_index, ov_status, (ov_request *, size_t, const ov_tensor *))                   \
    F(infer_request_set_output_tensor_by_index, ov_status, (ov_request *, size_t, const ov_tensor *))                  \
    F(infer_request_get_output_tensor_by_index, ov_status, (const ov_request *, size_t, ov_tensor **))                 \
    F(infer_request_infer, ov_status, (ov_request *))                                                                  \
    F(infer_request_free, void, (ov_request *))                                                                        \
    F(tensor_create, ov_status, (int, ov_shape, ov_tensor **))                                                         \
    F(tensor_create_from_host_ptr, ov_status, (int, ov_shape, void *, ov_tensor **))                                   \
    F(tensor_get_shape, ov_status, (const ov_tensor *, ov_shape *))                                                    \
    F(tensor_get_element_type, ov_status, (const ov_tensor *, int *))                                                  \
    F(tensor_get_size, ov_status, (const ov_tensor *, size_t *))                                                       \
    F(tensor_data, ov_status, (const ov_tensor *, void **))                                                            \
    F(tensor_free, void, (ov_tensor *))                                                                                \
    F(shape_free, ov_status, (ov_shape *))

typedef struct ov_api {
    void *library;
#define OV_MEMBER(name, result, parameters) result(*name) parameters;
    OV_FUNCTIONS(OV_MEMBER)
#undef OV_MEMBER
} ov_api;

/* Open the library and look up the functions. `path` is the file; NULL: the one that scripts/setup-vendors.sh installs.
   False with a reason in one line. */
bool ov_api_open(ov_api *api, const char *path, char *reason, size_t size);

#endif
