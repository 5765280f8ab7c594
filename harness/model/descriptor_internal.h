/* SPDX-License-Identifier: Apache-2.0 */
/* What the files that read descriptors share: descriptor.c, descriptor_attr.c, descriptor_tensor.c and
   descriptor_field.c. */
#ifndef TOUCHSTONE_DESCRIPTOR_INTERNAL_H
#define TOUCHSTONE_DESCRIPTOR_INTERNAL_H

#include "harness/model/descriptor.h"
#include "harness/base/bigint.h"

#include <string.h>

/* A descriptor that is being read, and what is still to be derived. */
typedef struct descriptor_reader {
    ts_descriptor *d;
    ts_report *found;      /* receives the values that their fields cannot hold; NULL: such values are errors */
    descriptor_gaps *gaps; /* receives the fields that cannot be read; NULL: these are errors */
    error *e;
    bool derive_type[TS_MAX_TENSORS], derive_sizes[TS_MAX_TENSORS];
    bool total_stated[TS_MAX_TENSORS];
    uint32_t stride_count[TS_MAX_TENSORS];
    uint32_t listed;                      /* bit i: list i of the operator is given */
    uint32_t list_length[TS_MAX_TENSORS]; /* its members, null pointers included */
    bool exceeds;                         /* the error that is being reported is about a limit: descriptor_exceeds */
} descriptor_reader;

/* ---- fields (descriptor_field.c) --------------------------------------------------------------------------- */

/* The place that is being read, for messages: "InputTensor.Sizes" or "InputWindowOffsets[2]". */
typedef struct descriptor_place {
    descriptor_reader *r;
    const char *owner, *field; /* the field may be NULL */
    int tensor;                /* declared index, or -1 */
    int index;                 /* of an element, or -1 */
} descriptor_place;

/* A number by name. */
typedef struct named_value {
    const char *name;
    uint32_t value;
} named_value;

/* "InputTensor.Sizes: expected WHAT, found a record". Returns false. */
bool descriptor_expected(const descriptor_place *p, const json_t *json, const char *what);

/* "InputTensor.Sizes[1] = -1 is out of range: RANGE; judged as VALUE" as a violation of operator_range_clause, or as
   an error if r->found is NULL. VALUE may be NULL: the value is judged unchanged. */
bool descriptor_out_of_range(const descriptor_place *p, const bigint *n, const char *range, const char *judged);

/* Lists whose lengths contradict each other: a violation of operator_count_clause, after which nothing else is judged;
   an error, and false, if r->found is NULL. */
bool descriptor_miscounted(descriptor_reader *r, int tensor, const char *format, ...) ERROR_PRINTF(3, 4);

/* Read an integer of 32 bits, between limits, or of 64 bits; one that is out of range becomes the nearest value. An
   integer that JSON's numbers cannot hold is a string of its digits (check_tree.h); no other string is a number. */
bool descriptor_read_u32(const descriptor_place *p, const json_t *json, uint32_t *value);
bool descriptor_read_signed(const descriptor_place *p, const json_t *json, int64_t min, int64_t max, int64_t *value);
bool descriptor_read_u64(const descriptor_place *p, const json_t *json, uint64_t *value);

/* Read the count of a list that is given. A count that is out of range counts as left out: *stated is false. */
bool descriptor_read_count(const descriptor_place *p, const json_t *json, uint32_t *value, bool *stated);

/* Read a list of at most TS_MAX_DIMS 64-bit integers. With r->found, an integer above `limit` is a violation and is
   stored unchanged. */
bool descriptor_read_list(descriptor_place p, const json_t *json, uint64_t limit, uint64_t *values, uint32_t *count);

/* Read an integer of 32 bits, or one of the names, whose list ends with a NULL. */
bool descriptor_read_named(const descriptor_place *p, const json_t *json, const named_value *names, uint32_t *value);

bool descriptor_read_dtype(const descriptor_place *p, const json_t *json, uint32_t *dtype);

/* Is `name`, which may be NULL, equal to `word`? */
static inline bool descriptor_is_word(const char *word, const char *name)
{
    return name && strcmp(word, name) == 0;
}

/* "InputTensor.Sizes[1]" in buf. */
const char *descriptor_place_name(const descriptor_place *p, char *buf, size_t size);

/* ---- gaps (descriptor_gaps.c) ------------------------------------------------------------------------------ */

/* Turn the error about a place into a mistake, and the place into one that was not read. `key` is the name of a field
   that does not exist, or NULL. False, with the error, if r->gaps is NULL or Touchstone itself failed. */
bool descriptor_forgive(const descriptor_place *p, const char *key);

/* An error about a list that is longer than Touchstone stores, which is no fault of the descriptor. Returns false. */
bool descriptor_exceeds(descriptor_reader *r, const char *format, ...) ERROR_PRINTF(2, 3);

/* Note that the unknown field of the latest mistake is read as this one, of this name. */
void descriptor_read_as(descriptor_reader *r, int tensor, int attr, const char *field, const char *name);

/* Note that the value at a place is a stand-in. */
void descriptor_unread(const descriptor_place *p);

/* The same of a number that is out of range: `stated` is its text. */
void descriptor_unread_number(const descriptor_place *p, const char *stated);

/* Was this field of a tensor, in whole or in part, or this attribute as a whole, not read? */
bool descriptor_is_unread(const descriptor_reader *r, int tensor, int attr, const char *field);

/* Store stand-ins for the attributes that were not read, and for those whose lists have another length than their
   count says. */
void descriptor_fill_attrs(descriptor_reader *r, json_t *const *attrs);

/* Store stand-ins for the fields of tensors that were not read. */
void descriptor_fill_tensors(descriptor_reader *r);

/* DirectML's name of a tensor's field. */
const char *descriptor_field_name(const char *field);

/* ---- attributes (descriptor_attr.c) ------------------------------------------------------------------------ */

/* Read the attributes: attrs[k] is the value of attribute k, or NULL. */
bool descriptor_read_attrs(descriptor_reader *r, json_t *const *attrs);

/* The length of most of the lists that share the count of list k, as the descriptor gives them. False if there is no
   such length, because each one has another, or there is one list. */
bool descriptor_common_count(const ts_operator *op, json_t *const *attrs, unsigned k, uint32_t *count);

/* ---- tensors (descriptor_tensor.c) ------------------------------------------------------------------------- */

bool descriptor_read_tensor(descriptor_reader *r, unsigned k, json_t *json);

/* Derive what the tensors leave out (types, sizes, strides, bytes), after everything else is read. */
bool descriptor_complete(descriptor_reader *r);

#endif
