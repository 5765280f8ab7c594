/* SPDX-License-Identifier: Apache-2.0 */
/* The part of oneDNN's C interface, version 3, that the adapter uses, declared here so that the build does not need
   oneDNN. */
#ifndef TOUCHSTONE_DNNL_API_H
#define TOUCHSTONE_DNNL_API_H

#include <stdint.h>

#define DNNL_DIMS 12 /* of a tensor at most */

typedef enum dnnl_status {
    DNNL_SUCCESS = 0,
    DNNL_OUT_OF_MEMORY = 1,
    DNNL_INVALID_ARGUMENTS = 2,
    DNNL_UNIMPLEMENTED = 3
} dnnl_status; /* and others */

enum { DNNL_CPU = 1 };             /* the kind of an engine */
enum { DNNL_STREAM_IN_ORDER = 1 }; /* flags of a stream */
enum { DNNL_ARG_FROM = 1, DNNL_ARG_TO = 17 };
enum { DNNL_F16 = 1, DNNL_BF16, DNNL_F32, DNNL_S32, DNNL_S8, DNNL_U8, DNNL_F64 };

typedef struct dnnl_engine dnnl_engine;
typedef struct dnnl_stream dnnl_stream;
typedef struct dnnl_memory dnnl_memory;
typedef struct dnnl_memory_desc dnnl_memory_desc;
typedef struct dnnl_primitive dnnl_primitive;
typedef struct dnnl_primitive_desc dnnl_primitive_desc;

typedef struct dnnl_exec_arg {
    int arg;
    dnnl_memory *memory;
} dnnl_exec_arg;

typedef struct dnnl_version {
    int major, minor, patch; /* and more */
} dnnl_version;

typedef struct dnnl_api {
    const dnnl_version *(*version)(void);
    dnnl_status (*engine_create)(dnnl_engine **, int kind, size_t index);
    dnnl_status (*engine_destroy)(dnnl_engine *);
    dnnl_status (*stream_create)(dnnl_stream **, dnnl_engine *, unsigned flags);
    dnnl_status (*stream_wait)(dnnl_stream *);
    dnnl_status (*stream_destroy)(dnnl_stream *);
    /* Strides count elements. */
    dnnl_status (*memory_desc_create)(dnnl_memory_desc **, int rank, const int64_t *sizes, int type,
                                      const int64_t *strides);
    dnnl_status (*memory_desc_destroy)(dnnl_memory_desc *);
    dnnl_status (*memory_create)(dnnl_memory **, const dnnl_memory_desc *, dnnl_engine *, void *data);
    dnnl_status (*memory_destroy)(dnnl_memory *);
    dnnl_status (*reorder_create)(dnnl_primitive_desc **, const dnnl_memory_desc *from, dnnl_engine *,
                                  const dnnl_memory_desc *to, dnnl_engine *, const void *attributes);
    dnnl_status (*primitive_desc_destroy)(dnnl_primitive_desc *);
    dnnl_status (*primitive_create)(dnnl_primitive **, const dnnl_primitive_desc *);
    dnnl_status (*primitive_destroy)(dnnl_primitive *);
    dnnl_status (*primitive_execute)(const dnnl_primitive *, dnnl_stream *, int count, const dnnl_exec_arg *);
} dnnl_api;

#endif
