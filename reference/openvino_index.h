/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by operators of OpenVINO with a tensor of indices. */
#ifndef TOUCHSTONE_OPENVINO_INDEX_H
#define TOUCHSTONE_OPENVINO_INDEX_H

#include "reference/openvino.h"

#define OPENVINO_INDEX_TYPES (TS_DTYPE_BIT(TS_INT32) | TS_DTYPE_BIT(TS_INT64))

/* The index at a coordinate of a tensor of type i32 or i64. */
int64_t openvino_index(const ts_tensor *indices, const uint64_t *coord);

/* Report a tensor without a shape, under the clause `given`, or one that exceeds its bytes, under `bytes`; of all
   tensors, which are present. False if one has no shape. */
bool openvino_check_tensors(const ts_descriptor *d, const char *given, const char *bytes, ts_report *report);

/* Does a tensor have dimensions that are judged: `least` to `most`, each of less than 2^63 elements? Otherwise one
   violation of the clause is added to report unless it is NULL. */
bool openvino_check_dims(const ts_descriptor *d, unsigned tensor, uint32_t least, uint32_t most, const char *clause,
                         ts_report *report);

/* Report an output whose type is not that of tensor 0. */
void openvino_check_same_type(const ts_descriptor *d, unsigned out, const char *clause, ts_report *report);

#endif
