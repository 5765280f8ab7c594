/* SPDX-License-Identifier: Apache-2.0 */
/* DML_CUMULATIVE_SUMMATION_OPERATOR_DESC (DML_OPERATOR_CUMULATIVE_SUMMATION, 105): the attributes.
   Tensors: 0 InputTensor, 1 OutputTensor. */
#ifndef TOUCHSTONE_DML_CUMULATIVE_SUMMATION_H
#define TOUCHSTONE_DML_CUMULATIVE_SUMMATION_H

#include <stdint.h>

/* DML_AXIS_DIRECTION: the order in which the elements along the axis are added up. */
enum { TS_AXIS_INCREASING = 0, TS_AXIS_DECREASING = 1 };

typedef struct ts_dml_cumulative_summation {
    uint32_t Axis;            /* the dimension along which elements are added up */
    uint32_t AxisDirection;   /* DML_AXIS_DIRECTION */
    uint32_t HasExclusiveSum; /* BOOL: an element is not part of its own sum */
} ts_dml_cumulative_summation;

/* The bits of ts_call::attrs_given. */
enum {
    TS_CUMULATIVE_SUMMATION_GIVEN_AXIS = 1u << 0,
    TS_CUMULATIVE_SUMMATION_GIVEN_AXIS_DIRECTION = 1u << 1,
    TS_CUMULATIVE_SUMMATION_GIVEN_HAS_EXCLUSIVE_SUM = 1u << 2
};

#endif
