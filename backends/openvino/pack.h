/* SPDX-License-Identifier: Apache-2.0 */
/* Strided tensors as OpenVINO wants them, packed, and back. */
#ifndef TOUCHSTONE_OPENVINO_PACK_H
#define TOUCHSTONE_OPENVINO_PACK_H

#include "backends/backend.h"

#include <stdbool.h>

/* Bytes of one element; 0 for types that OpenVINO is not asked about. */
uint32_t pack_element(uint32_t dtype);

/* Does the tensor lie within its bytes, and does it have a shape? *bytes: of its elements, packed. Nothing else can be
   said to OpenVINO, which takes an address and a shape. False with UINT64_MAX where that overflows. */
bool pack_measure(const ts_tensor *t, uint64_t *bytes);

/* Are the elements packed already? */
bool pack_is_packed(const ts_tensor *t);

/* Copy the elements to and from memory where they are packed. */
void pack_from(const ts_tensor *t, void *packed);
void pack_to(const ts_tensor *t, const void *packed);

/* For DirectML's operators: can calls of these types and ranks be expressed? All tensors are there and of a type that
   there is in OpenVINO. */
bool pack_query(const ts_call *shape, uint32_t tensors);

/* Is it a DirectML tensor without anything that OpenVINO has no words for? */
bool pack_legal(const ts_tensor *t, bool input);

#endif
