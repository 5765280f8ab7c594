/* SPDX-License-Identifier: Apache-2.0 */
/* OpenVINO NonZero-3: the attributes. Tensors: 0 data, 1 output, whose shape depends on the values of data. */
#ifndef TOUCHSTONE_OPENVINO_NON_ZERO_3_H
#define TOUCHSTONE_OPENVINO_NON_ZERO_3_H

#include <stdint.h>

/* The type of the output. */
enum { TS_NON_ZERO_3_I64 = 0, TS_NON_ZERO_3_I32 = 1 };

typedef struct ts_openvino_non_zero_3 {
    uint32_t output_type; /* one of the above; absent: i64 */
} ts_openvino_non_zero_3;

/* The bits of ts_call::attrs_given. */
enum { TS_NON_ZERO_3_GIVEN_OUTPUT_TYPE = 1u << 0 };

#endif
