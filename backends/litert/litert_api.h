/* SPDX-License-Identifier: Apache-2.0 */
/* The part of LiteRT's C interface, version 2, that the adapter uses, declared here so that the build does not need
   LiteRT. */
#ifndef TOUCHSTONE_LITERT_API_H
#define TOUCHSTONE_LITERT_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LRT_DIMS            8  /* of a tensor at most */
#define LRT_ALIGNMENT       64 /* of the memory of a tensor, in bytes */
#define LRT_HOST_PROCESSOR  1  /* an accelerator */
#define LRT_MOST_SEVERE     25 /* the option of an environment: what it logs */
#define LRT_LOG_NOTHING     4
#define LRT_WHOLE_NUMBER    2 /* the type of a value */
#define LRT_ERRORS_BUFFERED 2 /* error_reporter_mode */

typedef int lrt_status; /* 0: done */

typedef struct lrt_environment lrt_environment;
typedef struct lrt_options lrt_options;
typedef struct lrt_opaque_options lrt_opaque_options;
typedef struct lrt_model lrt_model;
typedef struct lrt_compiled lrt_compiled;
typedef struct lrt_buffer lrt_buffer;

typedef struct lrt_environment_option {
    int tag;
    struct {
        int type;
        int64_t number;
    } value;
} lrt_environment_option;

typedef struct lrt_layout {
    unsigned rank : 7;
    unsigned has_strides : 1;
    int32_t sizes[LRT_DIMS];
    uint32_t strides[LRT_DIMS];
} lrt_layout;

/* Types of elements: see node_types in node.c. */
typedef struct lrt_tensor_type {
    int element;
    lrt_layout layout;
} lrt_tensor_type;

typedef struct lrt_api {
    lrt_status (*create_environment)(int count, const lrt_environment_option *, lrt_environment **);
    void (*destroy_environment)(lrt_environment *);
    lrt_status (*create_options)(lrt_options **);
    void (*destroy_options)(lrt_options *);
    lrt_status (*set_accelerators)(lrt_options *, int set);
    /* The text is TOML, and LiteRT gives it to `destroy` in the end. */
    lrt_status (*create_opaque_options)(const char *name, void *text, void (*destroy)(void *), lrt_opaque_options **);
    /* Takes the second argument over. */
    lrt_status (*add_opaque_options)(lrt_options *, lrt_opaque_options *);
    /* The bytes have to stay as long as the model. */
    lrt_status (*create_model)(lrt_environment *, const void *bytes, size_t size, lrt_model **);
    void (*destroy_model)(lrt_model *);
    lrt_status (*create_compiled)(lrt_environment *, lrt_model *, lrt_options *, lrt_compiled **);
    void (*destroy_compiled)(lrt_compiled *);
    lrt_status (*get_output_layouts)(lrt_compiled *, size_t signature, size_t count, lrt_layout *, bool update);
    /* Allocates the text by malloc. */
    lrt_status (*get_errors)(lrt_compiled *, char **);
    lrt_status (*clear_errors)(lrt_compiled *);
    lrt_status (*create_buffer)(const lrt_tensor_type *, void *memory, size_t size, void (*destroy)(void *),
                                lrt_buffer **);
    void (*destroy_buffer)(lrt_buffer *);
    lrt_status (*run)(lrt_compiled *, size_t signature, size_t inputs, lrt_buffer **, size_t outputs, lrt_buffer **);
} lrt_api;

#endif
