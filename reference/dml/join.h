/* SPDX-License-Identifier: Apache-2.0 */
/* DML_JOIN_OPERATOR_DESC (DML_OPERATOR_JOIN, 63): the attributes.
   Tensors: 0 to 15 the members of InputTensors, of which InputCount are present, 16 OutputTensor. */
#ifndef TOUCHSTONE_DML_JOIN_H
#define TOUCHSTONE_DML_JOIN_H

#include <stdint.h>

#define TS_JOIN_MAX_INPUTS 16
#define TS_JOIN_OUTPUT     TS_JOIN_MAX_INPUTS

typedef struct ts_dml_join {
    uint32_t InputCount;
    uint32_t Axis; /* the dimension along which the inputs are joined */
} ts_dml_join;

/* The bits of ts_call::attrs_given. */
enum { TS_JOIN_GIVEN_INPUT_COUNT = 1u << 0, TS_JOIN_GIVEN_AXIS = 1u << 1 };

#endif
