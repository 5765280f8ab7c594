/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Descriptors as people write them: JSON (and, through it, Lua tables) in the specification's own field names.
 *
 * DirectML: { "InputTensor": { "DataType": "FLOAT32", "Sizes": [1,1,4,4], "Strides": [...],
 *             "TotalTensorSizeInBytes": n, "GuaranteedBaseOffsetAlignment": n, "Flags": "..." }, ...,
 *             "InputWindowOffsets": [0,0,0,1], ... }
 * OpenVINO: { "data": { "type": "i32", "shape": [2,3,4] }, "begin": [..], "end": [..], "stride": [..],
 *             "begin_mask": [0,1,1], ..., "profile": "numpy" }
 * Both spellings of a tensor's fields are accepted for every operator, including those of its layout (strides,
 * total_bytes, alignment, flags), also inside of DML_TENSOR_DESC's { "Type": "BUFFER", "Desc": {...} }. null is a null
 * pointer. The fields "profile" and "feature_level" are optional.
 * Omitted strides are packed, an omitted TotalTensorSizeInBytes is the smallest legal one, omitted counts follow the
 * arrays. An omitted output, or one without sizes or type, has the sizes that `shape` gives and the type of
 * the case (operator_typed), as long as there is an input; an optional output is absent unless the descriptor has it, if only as {}.
 */
#ifndef TOUCHSTONE_DESCRIPTOR_H
#define TOUCHSTONE_DESCRIPTOR_H

#include "harness/base/error.h"
#include "harness/model/mention.h"
#include "harness/model/operator.h"

#include <jansson.h>

/* Read a descriptor. `json` is borrowed. Values that the specification forbids are stored unchanged, for `check` to
   report. An unknown field, a value that is no number, or too many values is an error that names the field and what was
   expected. A number that does not fit its field's type is added to *found as a violation (operator_range_clause), and
   the nearest value that fits is stored. Lists whose lengths contradict each other are added as well
   (operator_count_clause); the caller must not check such a descriptor further. If `found` is NULL, both are errors. */
bool descriptor_from_json(const ts_operator *op, json_t *json, ts_descriptor *d, ts_report *found, error *e);

#define DESCRIPTOR_MOST_MISTAKES 12
#define DESCRIPTOR_MOST_UNREAD   32

/* A field that cannot be read. */
typedef struct descriptor_mistake {
    ts_mention at;  /* the field; tensor and attr are -1 for a field of the descriptor itself */
    char key[64];   /* a field that does not exist, as the descriptor spells it; else "" */
    ts_mention as;  /* with a key: the field that it is read as; its tensor and attr are -1 where there is none, */
    char taken[64]; /* and its name as the specification spells it, "" where there is none */
    char text[640];
    bool exceeds; /* it is no mistake of the descriptor, but longer than what Touchstone stores */
} descriptor_mistake;

/* What a descriptor does not say, or not in a way that can be read. Stand-ins take its place in ts_descriptor. */
typedef struct descriptor_gaps {
    unsigned mistake_count, mistakes_dropped;
    descriptor_mistake mistakes[DESCRIPTOR_MOST_MISTAKES];
    unsigned unread_count; /* fields whose values are stand-ins; the fields of tensors are named as DirectML does */
    ts_mention unread[DESCRIPTOR_MOST_UNREAD];
    char stated[DESCRIPTOR_MOST_UNREAD][24]; /* the number that is there, which the field's type does not hold; or "" */
    uint32_t absent;                         /* bit k: the descriptor leaves out output k, which is inferred */
    uint32_t inferred_type, inferred_sizes;  /* bit k: only this field of output k is left out, and inferred */
    uint32_t no_shape; /* bit k: the sizes of output k could not be inferred; all of them are 1, or if rules determine
                          some (ts_operator.solve), the others are 0 */
} descriptor_gaps;

/* Read a descriptor as far as possible: as descriptor_from_json does, but a field that cannot be read is a mistake in
   *gaps instead of an error, and after lists whose lengths contradict each other the rest can be checked, too. Whoever
   checks the descriptor ignores the violations that depend on a stand-in: descriptor_depends. */
bool descriptor_read(const ts_operator *op, json_t *json, ts_descriptor *d, ts_report *found, descriptor_gaps *gaps,
                     error *e);

/* Reset: nothing is left out. */
void descriptor_no_gaps(descriptor_gaps *gaps);

/* Does a violation depend on a stand-in? */
bool descriptor_depends(const ts_descriptor *d, const descriptor_gaps *gaps, const ts_violation *v);

/* Write a descriptor as JSON without default values; outputs always have their type and sizes. Reading the result gives
   the same descriptor. The caller owns it; NULL if memory is out. */
json_t *descriptor_to_json(const ts_descriptor *d);

/* Fill the tensor's `data` (total_bytes at it) from JSON: an array of numbers in logical row-major order (nested
   arrays are flattened; strings such as "nan(0x7e01)", "0x7fc1", "inf" give exact bits), or { "raw": "hex bytes" },
   the raw buffer. `what` names the tensor in messages. */
bool descriptor_data_from_json(const ts_tensor *t, const char *what, json_t *json, error *e);

/* The tensor's elements in logical row-major order as a JSON array; numbers if JSON can hold them exactly, else
   strings of value_format. */
json_t *descriptor_data_to_json(const ts_tensor *t);

/* Is this, which may be NULL, the title of the DirectML operator of a type: of DML_OPERATOR_SLICE1, or SLICE1,
   DML_SLICE1_OPERATOR_DESC? */
bool descriptor_is_of_type(const char *title, const char *type);

/* Is this the name that an operator would have by another title of its specification: "dml.scatter", of
   DML_SCATTER_OPERATOR_DESC? */
bool descriptor_is_alias(const ts_operator *op, const char *name);

/* The length of the stem of a DirectML operator's title, behind "DML_": of DML_SLICE1_OPERATOR_DESC, that of SLICE1. 0
   for an operator of another specification. */
size_t descriptor_stem_length(const ts_operator *op);

/* Value i of attribute k as text: a number, the name of an enumeration's value, or the name of a nested operator with
   its own values in parentheses. Returns buf. 64 bytes are enough for all but nested operators. */
char *descriptor_attr_text(const ts_descriptor *d, unsigned k, unsigned i, char *buf, size_t size);

/* Set the value of tensor k in a record by tensors, such as its data: that of a list's member at the end of the list,
   which the call for its first member begins. Takes the value; false if memory is out or the value is NULL. */
bool descriptor_put_tensor(json_t *record, const ts_operator *op, unsigned k, json_t *value);

/* The value of tensor k in such a record, which keeps it; NULL if there is none. */
json_t *descriptor_get_tensor(const json_t *record, const ts_operator *op, unsigned k);

/* Store a number of JSON, or a string such as "nan(0x7e01)", as an element. False if the type cannot hold it. */
bool descriptor_element_from_json(uint32_t dtype, const json_t *json, void *p);

/* One element of such an array. */
json_t *descriptor_element_to_json(uint32_t dtype, const void *p);

/* Bytes as the string of hex digits that { "raw": ... } holds. */
json_t *descriptor_raw_to_json(const void *bytes, size_t size);

/* Set the feature level ("4_1") or the profile ("numpy") by name. A name that the operator's specification does not
   have is an error that lists the valid names. */
bool descriptor_set_level(ts_descriptor *d, const char *name, error *e);
bool descriptor_set_profile(ts_descriptor *d, const char *name, error *e);

#endif
