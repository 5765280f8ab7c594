/* SPDX-License-Identifier: Apache-2.0 */
/* DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC (DML_OPERATOR_ELEMENT_WISE_IDENTITY, 1): no attributes here, because
   ScaleBias is arithmetic and left null. Tensors: 0 InputTensor, 1 OutputTensor. */
#ifndef TOUCHSTONE_DML_ELEMENT_WISE_IDENTITY_H
#define TOUCHSTONE_DML_ELEMENT_WISE_IDENTITY_H

#include <stdint.h>

typedef struct ts_dml_element_wise_identity {
    uint32_t reserved; /* 0 */
} ts_dml_element_wise_identity;

#endif
