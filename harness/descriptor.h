/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Descriptors as people write them: JSON (and, through it, Lua tables) in the specification's own field names.
 *
 * DirectML: { "InputTensor": { "DataType": "FLOAT32", "Sizes": [1,1,4,4], "Strides": [...],
 *             "TotalTensorSizeInBytes": n, "GuaranteedBaseOffsetAlignment": n, "Flags": "..." }, ...,
 *             "InputWindowOffsets": [0,0,0,1], ... }
 * OpenVINO: { "data": { "type": "i32", "shape": [2,3,4] }, "begin": [..], "end": [..], "stride": [..],
 *             "begin_mask": [0,1,1], ..., "profile": "numpy" }
 * Both spellings of a tensor's fields are accepted for every operator, `strides` and `layout` facts included.
 * Omitted strides are packed, an omitted TotalTensorSizeInBytes is the smallest legal one, omitted counts follow the
 * arrays, an omitted output tensor is what `shape` gives, with the first input's type.
 */
#ifndef TOUCHSTONE_DESCRIPTOR_H
#define TOUCHSTONE_DESCRIPTOR_H

#include "harness/error.h"
#include "harness/operator.h"

#include <jansson.h>

/* Read a descriptor. `json` is borrowed. What is merely illegal by the specification is stored as it is, for check
   to judge; what cannot be stored (an unknown field, a value out of the field's type, more values than there is room
   for) is an error with the field's name and what was expected. */
bool descriptor_from_json(const ts_operator *op, json_t *json, ts_descriptor *d, error *e);

/* The same as JSON, with only what is not a default. The caller owns the result. */
json_t *descriptor_to_json(const ts_descriptor *d);

/* Fill the tensor's `data` (total_bytes at it) from JSON: an array of numbers in logical row-major order (nested
   arrays are flattened; strings such as "nan(0x7e01)", "0x7fc1", "inf" give exact bits), or { "raw": "hex bytes" },
   the buffer as it lies. `what` names it in messages. */
bool descriptor_data_from_json(const ts_tensor *t, const char *what, json_t *json, error *e);

/* The tensor's elements in logical row-major order as a JSON array; numbers where they are exact in JSON, else
   strings of value_format. */
json_t *descriptor_data_to_json(const ts_tensor *t);

#endif
