/* SPDX-License-Identifier: Apache-2.0 */
/* DML_SCATTER_ND_OPERATOR_DESC (DML_OPERATOR_SCATTER_ND, 109): the attributes. Tensors: 0 InputTensor, 1 IndicesTensor,
   2 UpdatesTensor, 3 OutputTensor. */
#ifndef TOUCHSTONE_DML_SCATTER_ND_H
#define TOUCHSTONE_DML_SCATTER_ND_H

#include <stdint.h>

typedef struct ts_dml_scatter_nd {
    uint32_t InputDimensionCount;   /* how many trailing dimensions of InputTensor count */
    uint32_t IndicesDimensionCount; /* how many trailing dimensions of IndicesTensor count, with that of the tuples */
} ts_dml_scatter_nd;

/* The bits of ts_call::attrs_given: which attributes are present. */
enum { TS_SCATTER_ND_GIVEN_INPUT_DIMENSION_COUNT = 1u << 0, TS_SCATTER_ND_GIVEN_INDICES_DIMENSION_COUNT = 1u << 1 };

#endif
