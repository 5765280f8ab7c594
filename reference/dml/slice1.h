/* SPDX-License-Identifier: Apache-2.0 */
/* DML_SLICE1_OPERATOR_DESC (DML_OPERATOR_SLICE1, 111): the attributes. Tensors: 0 InputTensor, 1 OutputTensor. */
#ifndef TOUCHSTONE_DML_SLICE1_H
#define TOUCHSTONE_DML_SLICE1_H

#include <stdint.h>

#define TS_SLICE1_DIMS 16 /* room; legal are 1 to 8 */

typedef struct ts_dml_slice1 {
    uint32_t DimensionCount;                     /* values in each array; a negative case may state more than fit */
    uint32_t InputWindowOffsets[TS_SLICE1_DIMS]; /* first element of the window, per dimension */
    uint32_t InputWindowSizes[TS_SLICE1_DIMS];   /* its extent in elements */
    int32_t InputWindowStrides[TS_SLICE1_DIMS];  /* elements to advance; negative: from the window's end (E-SL-3) */
} ts_dml_slice1;

/* The bits of ts_call::attrs_given: which attributes are present. DimensionCount has its value in any case. */
enum {
    TS_SLICE1_GIVEN_DIMENSION_COUNT = 1u << 0,
    TS_SLICE1_GIVEN_INPUT_WINDOW_OFFSETS = 1u << 1,
    TS_SLICE1_GIVEN_INPUT_WINDOW_SIZES = 1u << 2,
    TS_SLICE1_GIVEN_INPUT_WINDOW_STRIDES = 1u << 3
};

#endif
