/* SPDX-License-Identifier: Apache-2.0 */
/* Check tensor descriptors (BUF-01 to BUF-14), and extract what the kernels need. */
#ifndef TOUCHSTONE_CPU_BUFFER_H
#define TOUCHSTONE_CPU_BUFFER_H

#include "backends/backend.h"

#include <stdbool.h>

/* Sets of element types. */
#define BUFFER_BIT(dtype)  (1u << (dtype))
#define BUFFER_TYPES_FLOAT (BUFFER_BIT(TS_FLOAT32) | BUFFER_BIT(TS_FLOAT16))
#define BUFFER_TYPES_NARROW                                                                                            \
    (BUFFER_TYPES_FLOAT | BUFFER_BIT(TS_INT32) | BUFFER_BIT(TS_INT16) | BUFFER_BIT(TS_INT8) | BUFFER_BIT(TS_UINT32) |  \
     BUFFER_BIT(TS_UINT16) | BUFFER_BIT(TS_UINT8))
#define BUFFER_TYPES_ALL (BUFFER_TYPES_NARROW | BUFFER_BIT(TS_FLOAT64) | BUFFER_BIT(TS_INT64) | BUFFER_BIT(TS_UINT64))
#define BUFFER_TYPES_INTEGER                                                                                           \
    (BUFFER_BIT(TS_INT8) | BUFFER_BIT(TS_INT16) | BUFFER_BIT(TS_INT32) | BUFFER_BIT(TS_INT64) | BUFFER_BIT(TS_UINT8) | \
     BUFFER_BIT(TS_UINT16) | BUFFER_BIT(TS_UINT32) | BUFFER_BIT(TS_UINT64))
#define BUFFER_TYPES_INDEX (BUFFER_BIT(TS_INT64) | BUFFER_BIT(TS_INT32) | BUFFER_BIT(TS_UINT64) | BUFFER_BIT(TS_UINT32))

/* One row of a support table; it holds from feature level `level` on. */
typedef struct buffer_row {
    ts_level level;
    uint32_t min_rank, max_rank;
    uint32_t types;
    uint32_t indices; /* GATHER: types of the index tensor */
} buffer_row;

/* Return the row that holds at a level; NULL below the first. Rows are ordered from the highest level down. */
static inline const buffer_row *buffer_row_at(const buffer_row *rows, unsigned count, ts_level level)
{
    for (unsigned i = 0; i < count; ++i)
        if (level >= rows[i].level)
            return &rows[i];
    return NULL;
}

/* A legal tensor. Strides count elements; kernels scale them to bytes. The stride of a dimension of one element is 0,
   whatever the descriptor states (BUF-08). */
typedef struct buffer {
    unsigned char *data;
    uint32_t rank;
    uint32_t bytes;    /* of one element */
    bool packed;       /* the elements are contiguous in row-major order */
    uint64_t elements; /* product of the sizes */
    const uint64_t *sizes;
    uint64_t strides[TS_MAX_DIMS];
} buffer;

typedef enum buffer_role { BUFFER_INPUT, BUFFER_OUTPUT } buffer_role;

/* Is this a legal DirectML tensor of one of these types and ranks? If so, fill in *b. */
bool buffer_check(buffer *b, const ts_tensor *t, buffer_role role, uint32_t types, uint32_t min_rank,
                  uint32_t max_rank);

/* The same for OpenVINO: any type of whole bytes, rank 0 to TS_MAX_DIMS, and sizes of 0 are legal, if the elements are
   within the bytes. `elements` is only zero or non-zero. */
bool buffer_check_openvino(buffer *b, const ts_tensor *t);

/* Does the call need data that is missing? */
static inline bool buffer_lacks_data(const buffer *b)
{
    return !b->data && b->elements > 0;
}

#endif
