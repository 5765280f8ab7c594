/* SPDX-License-Identifier: Apache-2.0 */
/* DML_GATHER_OPERATOR_DESC (DML_OPERATOR_GATHER, 67): the attributes.
   Tensors: 0 InputTensor, 1 IndicesTensor, 2 OutputTensor. */
#ifndef TOUCHSTONE_DML_GATHER_H
#define TOUCHSTONE_DML_GATHER_H

#include <stdint.h>

typedef struct ts_dml_gather {
    uint32_t Axis;            /* the dimension of InputTensor that is gathered along */
    uint32_t IndexDimensions; /* how many trailing dimensions of IndicesTensor are meant */
} ts_dml_gather;

/* The bits of ts_call::attrs_given: which attributes are present. */
enum { TS_GATHER_GIVEN_AXIS = 1u << 0, TS_GATHER_GIVEN_INDEX_DIMENSIONS = 1u << 1 };

#endif
