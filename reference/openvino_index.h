/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by operators of OpenVINO with a tensor of indices. */
#ifndef TOUCHSTONE_OPENVINO_INDEX_H
#define TOUCHSTONE_OPENVINO_INDEX_H

#include "reference/openvino.h"

/* clang-format off */
/* What pages call "int32 or int64", and "any supported integer types": those of whole bytes. */
#define OPENVINO_INDEX_TYPES   (TS_DTYPE_BIT(TS_INT32) | TS_DTYPE_BIT(TS_INT64))
#define OPENVINO_INTEGER_TYPES (OPENVINO_INDEX_TYPES | TS_DTYPE_BIT(TS_INT8) | TS_DTYPE_BIT(TS_INT16) | \
                                TS_DTYPE_BIT(TS_UINT8) | TS_DTYPE_BIT(TS_UINT16) | TS_DTYPE_BIT(TS_UINT32) | \
                                TS_DTYPE_BIT(TS_UINT64))
/* clang-format on */

/* The index at a coordinate of a tensor of integers: its bits, extended to 64 by its sign, and whether it is
   negative. */
uint64_t openvino_index(const ts_tensor *indices, const uint64_t *coord, bool *negative);

/* Has a dimension of n elements the one that a stated index selects, and which is it? n is below 2^63. */
typedef bool openvino_selection(uint64_t stated, bool negative, uint64_t n, uint64_t *at);

/* Indices count from the first element, and a negative one selects none. */
openvino_selection openvino_from_start;

/* A negative index counts from the end. */
openvino_selection openvino_from_either_end;

/* Every index selects an element if there is one: that at the nearest end of the dimension. An interpretation. */
openvino_selection openvino_clamped;

/* Element `number` of output `tensor` is what an index beyond its dimension selects, which a page forbids or does not
   mention: the call may fail, and if it does not, the element is undefined. */
void openvino_stray(ts_unspecified *unspecified, unsigned tensor, uint64_t number);

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
