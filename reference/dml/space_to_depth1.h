/* SPDX-License-Identifier: Apache-2.0 */
/* DML_SPACE_TO_DEPTH1_OPERATOR_DESC (DML_OPERATOR_SPACE_TO_DEPTH1, 114): the attributes.
   Tensors: 0 InputTensor, 1 OutputTensor. */
#ifndef TOUCHSTONE_DML_SPACE_TO_DEPTH1_H
#define TOUCHSTONE_DML_SPACE_TO_DEPTH1_H

#include <stdint.h>

/* DML_DEPTH_SPACE_ORDER: which part of a channel of the output counts slowest. */
enum { TS_DEPTH_COLUMN_ROW = 0, TS_COLUMN_ROW_DEPTH = 1 };

typedef struct ts_dml_space_to_depth1 {
    uint32_t BlockSize; /* height and width of the blocks whose elements become channels */
    uint32_t Order;     /* DML_DEPTH_SPACE_ORDER */
} ts_dml_space_to_depth1;

/* The bits of ts_call::attrs_given. */
enum { TS_SPACE_TO_DEPTH1_GIVEN_BLOCK_SIZE = 1u << 0, TS_SPACE_TO_DEPTH1_GIVEN_ORDER = 1u << 1 };

#endif
