/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by all operators of OpenVINO: the element types, and the bytes of tensors. */
#ifndef TOUCHSTONE_OPENVINO_H
#define TOUCHSTONE_OPENVINO_H

#include "harness/model/operator.h"

/* clang-format off */
/* Every element type of whole bytes. */
#define OPENVINO_TYPES (TS_DTYPE_BIT(TS_FLOAT16) | TS_DTYPE_BIT(TS_BFLOAT16) | TS_DTYPE_BIT(TS_FLOAT32) | \
                        TS_DTYPE_BIT(TS_FLOAT64) | TS_DTYPE_BIT(TS_INT8) | TS_DTYPE_BIT(TS_INT16) | \
                        TS_DTYPE_BIT(TS_INT32) | TS_DTYPE_BIT(TS_INT64) | TS_DTYPE_BIT(TS_UINT8) | \
                        TS_DTYPE_BIT(TS_UINT16) | TS_DTYPE_BIT(TS_UINT32) | TS_DTYPE_BIT(TS_UINT64) | \
                        TS_DTYPE_BIT(TS_BOOLEAN))
/* clang-format on */

/* Report a tensor that does not fit into its bytes, under this clause. Unlike BUF-09, sizes are not rounded up. Accepts
   any garbage. */
void openvino_check_bytes(const ts_descriptor *d, unsigned tensor, const char *clause, ts_report *report);

#endif
