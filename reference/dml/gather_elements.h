/* SPDX-License-Identifier: Apache-2.0 */
/* DML_GATHER_ELEMENTS_OPERATOR_DESC (DML_OPERATOR_GATHER_ELEMENTS, 107): the attributes.
   Tensors: 0 InputTensor, 1 IndicesTensor, 2 OutputTensor. */
#ifndef TOUCHSTONE_DML_GATHER_ELEMENTS_H
#define TOUCHSTONE_DML_GATHER_ELEMENTS_H

#include <stdint.h>

typedef struct ts_dml_gather_elements {
    uint32_t Axis; /* the dimension of InputTensor that is gathered along */
} ts_dml_gather_elements;

/* The bit of ts_call::attrs_given. */
enum { TS_GATHER_ELEMENTS_GIVEN_AXIS = 1u << 0 };

#endif
