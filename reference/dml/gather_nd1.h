/* SPDX-License-Identifier: Apache-2.0 */
/* DML_GATHER_ND1_OPERATOR_DESC (DML_OPERATOR_GATHER_ND1, 140): the attributes. They begin with those of GATHER_ND.
   Tensors: 0 InputTensor, 1 IndicesTensor, 2 OutputTensor. */
#ifndef TOUCHSTONE_DML_GATHER_ND1_H
#define TOUCHSTONE_DML_GATHER_ND1_H

#include <stdint.h>

typedef struct ts_dml_gather_nd1 {
    uint32_t InputDimensionCount;   /* how many trailing dimensions of InputTensor are meant */
    uint32_t IndicesDimensionCount; /* how many trailing dimensions of IndicesTensor are meant */
    uint32_t BatchDimensionCount;   /* how many of the first of these are the same in all tensors */
} ts_dml_gather_nd1;

/* The bits of ts_call::attrs_given: which attributes are present. */
enum {
    TS_GATHER_ND1_GIVEN_INPUT_DIMENSION_COUNT = 1u << 0,
    TS_GATHER_ND1_GIVEN_INDICES_DIMENSION_COUNT = 1u << 1,
    TS_GATHER_ND1_GIVEN_BATCH_DIMENSION_COUNT = 1u << 2
};

#endif
