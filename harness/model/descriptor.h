/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Descriptors as people write them: JSON (and, through it, Lua tables) in the specification's own field names.
 *
 * DirectML: { "InputTensor": { "DataType": "FLOAT32", "Sizes": [1,1,4,4], "Strides": [...],
 *             "TotalTensorSizeInBytes": n, "GuaranteedBaseOffsetAlignment": n, "Flags": "..." }, ...,
 *             "InputWindowOffsets": [0,0,0,1], ... }
 * OpenVINO: { "data": { "type": "i32", "shape": [2,3,4] }, "begin": [..], "end": [..], "stride": [..],
 *             "begin_mask": [0,1,1], ..., "profile": "numpy" }
 * Both spellings of a tensor's fields are accepted for every operator, those of its layout (strides, total_bytes,
 * alignment, flags) included, and DML_TENSOR_DESC's { "Type": "BUFFER", "Desc": {...} } around them. null is a null
 * pointer. "profile" and "feature_level" may stand beside the fields.
 * Omitted strides are packed, an omitted TotalTensorSizeInBytes is the smallest legal one, omitted counts follow the
 * arrays. An omitted output, or one without sizes or type, has the sizes that `shape` gives and the first input's
 * type; an optional output is absent unless it is mentioned, if only as {}.
 */
#ifndef TOUCHSTONE_DESCRIPTOR_H
#define TOUCHSTONE_DESCRIPTOR_H

#include "harness/base/error.h"
#include "harness/model/operator.h"

#include <jansson.h>

/* Read a descriptor. `json` is borrowed. What is merely illegal by the specification is stored as it is, for check
   to judge; what cannot be stored (an unknown field, a value that is no number, more values than there is room for) is
   an error with the field's name and what was expected. A number that its field's type cannot hold is added to *found
   as a violation (operator_range_clause), and the nearest one that it can hold is stored; so are lists that do not have
   as many values as belong to each other (operator_count_clause), and then the descriptor is not to be judged. Where
   `found` is NULL both are errors, too. */
bool descriptor_from_json(const ts_operator *op, json_t *json, ts_descriptor *d, ts_report *found, error *e);

/* The same as JSON, with only what is not a default; outputs always have their type and sizes. Reading it back gives
   the same descriptor. The caller owns the result; NULL where memory is out. */
json_t *descriptor_to_json(const ts_descriptor *d);

/* Fill the tensor's `data` (total_bytes at it) from JSON: an array of numbers in logical row-major order (nested
   arrays are flattened; strings such as "nan(0x7e01)", "0x7fc1", "inf" give exact bits), or { "raw": "hex bytes" },
   the buffer as it lies. `what` names it in messages. */
bool descriptor_data_from_json(const ts_tensor *t, const char *what, json_t *json, error *e);

/* The tensor's elements in logical row-major order as a JSON array; numbers where they are exact in JSON, else
   strings of value_format. */
json_t *descriptor_data_to_json(const ts_tensor *t);

/* One element of it. */
json_t *descriptor_element_to_json(uint32_t dtype, const void *p);

/* Bytes as the string of hex digits that { "raw": ... } holds. */
json_t *descriptor_raw_to_json(const void *bytes, size_t size);

/* Does the operator's specification know feature levels? */
bool descriptor_has_levels(const ts_operator *op);

/* Set the level to judge at ("4_1") or the profile ("numpy") by name. An unknown one, or one that the operator's
   specification does not know, is an error that names those there are. */
bool descriptor_set_level(ts_descriptor *d, const char *name, error *e);
bool descriptor_set_profile(ts_descriptor *d, const char *name, error *e);

#endif
