/* SPDX-License-Identifier: Apache-2.0 */
/* DML_SCATTER_ELEMENTS_OPERATOR_DESC (DML_OPERATOR_SCATTER_ELEMENTS, 94; also called DML_OPERATOR_SCATTER): the
   attributes. Tensors: 0 InputTensor, 1 IndicesTensor, 2 UpdatesTensor, 3 OutputTensor. */
#ifndef TOUCHSTONE_DML_SCATTER_ELEMENTS_H
#define TOUCHSTONE_DML_SCATTER_ELEMENTS_H

#include <stdint.h>

typedef struct ts_dml_scatter_elements {
    uint32_t Axis; /* the dimension of OutputTensor that the indices select along */
} ts_dml_scatter_elements;

/* The bit of ts_call::attrs_given. */
enum { TS_SCATTER_ELEMENTS_GIVEN_AXIS = 1u << 0 };

#endif
