/* SPDX-License-Identifier: Apache-2.0 */
/* DML_DEPTH_TO_SPACE_OPERATOR_DESC (DML_OPERATOR_DEPTH_TO_SPACE, 69), DML_DEPTH_TO_SPACE1_OPERATOR_DESC (113),
   DML_SPACE_TO_DEPTH_OPERATOR_DESC (68) and DML_SPACE_TO_DEPTH1_OPERATOR_DESC (114): the attributes.
   Tensors: 0 InputTensor, 1 OutputTensor. */
#ifndef TOUCHSTONE_DML_BLOCKS_H
#define TOUCHSTONE_DML_BLOCKS_H

#include <stdint.h>

/* DML_DEPTH_SPACE_ORDER: which part of a channel of the tensor with more channels counts slowest. */
enum { TS_DEPTH_COLUMN_ROW = 0, TS_COLUMN_ROW_DEPTH = 1 };

/* In blocks of BlockSize x BlockSize elements. */
typedef struct ts_dml_depth_to_space {
    uint32_t BlockSize;
} ts_dml_depth_to_space, ts_dml_space_to_depth;

typedef struct ts_dml_depth_to_space1 {
    uint32_t BlockSize;
    uint32_t Order; /* DML_DEPTH_SPACE_ORDER */
} ts_dml_depth_to_space1, ts_dml_space_to_depth1;

/* The bits of ts_call::attrs_given. */
enum { TS_DEPTH_TO_SPACE_GIVEN_BLOCK_SIZE = 1u << 0 };
enum { TS_DEPTH_TO_SPACE1_GIVEN_BLOCK_SIZE = 1u << 0, TS_DEPTH_TO_SPACE1_GIVEN_ORDER = 1u << 1 };
enum { TS_SPACE_TO_DEPTH_GIVEN_BLOCK_SIZE = 1u << 0 };
enum { TS_SPACE_TO_DEPTH1_GIVEN_BLOCK_SIZE = 1u << 0, TS_SPACE_TO_DEPTH1_GIVEN_ORDER = 1u << 1 };
/* The same for what treats the four alike. */
enum { TS_BLOCKS_GIVEN_BLOCK_SIZE = 1u << 0, TS_BLOCKS_GIVEN_ORDER = 1u << 1 };

#endif
