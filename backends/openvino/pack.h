/* SPDX-License-Identifier: Apache-2.0 */
/* Pack strided tensors for OpenVINO, and unpack them. */
#ifndef TOUCHSTONE_OPENVINO_PACK_H
#define TOUCHSTONE_OPENVINO_PACK_H

#include "backends/backend.h"

#include <stdbool.h>

/* Bytes of one element; 0 for types that the adapter does not support. */
uint32_t pack_element(uint32_t dtype);

/* Is the tensor within its bytes, and can its shape be passed on? *bytes is the size of its elements, packed. OpenVINO
   only receives an address and a shape. False, with *bytes UINT64_MAX, on overflow. */
bool pack_measure(const ts_tensor *t, uint64_t *bytes);

/* Copy the elements to or from packed memory. */
void pack_from(const ts_tensor *t, void *packed);
void pack_to(const ts_tensor *t, const void *packed);

/* For DirectML's operators: can calls of these types and ranks be expressed, that is, are all tensors present and of a
   type that OpenVINO has? */
bool pack_query(const ts_call *shape, uint32_t tensors);

/* Is it one of DirectML's types of indices? */
bool pack_is_index(uint32_t dtype);

/* Is it a DirectML tensor that OpenVINO can express? */
bool pack_legal(const ts_tensor *t, bool input);

/* The tensors of a call, of which the last is the output. False if OpenVINO cannot express one of them. */
bool pack_tensors(const ts_call *call, unsigned count, const ts_tensor **tensors);

/* Have tensors of one rank the same sizes, but along the axis? An axis of TS_MAX_DIMS is none. */
bool pack_same_sizes(const ts_tensor *t, const ts_tensor *other, uint32_t axis);

#endif
