/* SPDX-License-Identifier: Apache-2.0 */
/* DML_RANDOM_GENERATOR_OPERATOR_DESC (DML_OPERATOR_RANDOM_GENERATOR, 132): the attributes.
   Tensors: 0 InputStateTensor, 1 OutputTensor, 2 OutputStateTensor (optional). */
#ifndef TOUCHSTONE_DML_RANDOM_GENERATOR_H
#define TOUCHSTONE_DML_RANDOM_GENERATOR_H

#include <stdint.h>

typedef struct ts_dml_random_generator {
    uint32_t Type; /* DML_RANDOM_GENERATOR_TYPE: 0 is PHILOX_4X32_10, the only one */
} ts_dml_random_generator;

/* The bits of ts_call::attrs_given: which attributes are present. */
enum { TS_RANDOM_GENERATOR_GIVEN_TYPE = 1u << 0 };

#endif
