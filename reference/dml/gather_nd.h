/* SPDX-License-Identifier: Apache-2.0 */
/* DML_GATHER_ND_OPERATOR_DESC (DML_OPERATOR_GATHER_ND, 108): the attributes.
   Tensors: 0 InputTensor, 1 IndicesTensor, 2 OutputTensor. */
#ifndef TOUCHSTONE_DML_GATHER_ND_H
#define TOUCHSTONE_DML_GATHER_ND_H

#include <stdint.h>

typedef struct ts_dml_gather_nd {
    uint32_t InputDimensionCount;   /* how many trailing dimensions of InputTensor are meant */
    uint32_t IndicesDimensionCount; /* how many trailing dimensions of IndicesTensor are meant */
} ts_dml_gather_nd;

/* The bits of ts_call::attrs_given: which attributes are present. */
enum { TS_GATHER_ND_GIVEN_INPUT_DIMENSION_COUNT = 1u << 0, TS_GATHER_ND_GIVEN_INDICES_DIMENSION_COUNT = 1u << 1 };

#endif
