/* SPDX-License-Identifier: Apache-2.0 */
/* What the files that read descriptors share: descriptor.c, descriptor_tensor.c and descriptor_field.c. */
#ifndef TOUCHSTONE_DESCRIPTOR_INTERNAL_H
#define TOUCHSTONE_DESCRIPTOR_INTERNAL_H

#include "harness/model/descriptor.h"
#include "harness/base/bigint.h"

#include <string.h>

/* A descriptor while it is read: what is still to be derived. */
typedef struct descriptor_reader {
    ts_descriptor *d;
    ts_report *found; /* takes the values that their fields cannot hold; NULL: they are errors */
    error *e;
    bool derive_type[TS_MAX_TENSORS], derive_sizes[TS_MAX_TENSORS];
    bool total_stated[TS_MAX_TENSORS];
    uint32_t stride_count[TS_MAX_TENSORS];
} descriptor_reader;

/* ---- fields (descriptor_field.c) --------------------------------------------------------------------------- */

/* What is being read, for messages: "InputTensor.Sizes" or "InputWindowOffsets[2]". */
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

/* "InputTensor.Sizes[1] = -1 is out of range: RANGE; judged as VALUE" as a violation of the clause about ranges, or an
   error where violations are not taken. VALUE may be NULL: as it stands. */
bool descriptor_out_of_range(const descriptor_place *p, const bigint *n, const char *range, const char *judged);

/* Lists that do not have as many values as belong to each other: a violation of the clause about counts, which keeps
   all else from being judged; an error, and false, where violations are not taken. */
bool descriptor_miscounted(descriptor_reader *r, int tensor, const char *format, ...) ERROR_PRINTF(3, 4);

/* An integer of 32 bits, between limits, or of 64 bits; the nearest there is where it is out of range. Those of 64 bits
   may be strings, hexadecimal too, since JSON's own numbers end before. */
bool descriptor_read_u32(const descriptor_place *p, const json_t *json, uint32_t *value);
bool descriptor_read_signed(const descriptor_place *p, const json_t *json, int64_t min, int64_t max, int64_t *value);
bool descriptor_read_u64(const descriptor_place *p, const json_t *json, uint64_t *value);

/* A count whose own list is there: out of range, it is as if it had been left out, and *stated is false. */
bool descriptor_read_count(const descriptor_place *p, const json_t *json, uint32_t *value, bool *stated);

/* A list of at most TS_MAX_DIMS integers. There is room for 64 bits; where violations are taken, one that is beyond
   `limit` is, and is stored as it is. */
bool descriptor_read_list(descriptor_place p, const json_t *json, uint64_t limit, uint64_t *values, uint32_t *count);

/* An integer of 32 bits, or one of the names; their list ends with a NULL. */
bool descriptor_read_named(const descriptor_place *p, const json_t *json, const named_value *names, uint32_t *value);

bool descriptor_read_dtype(const descriptor_place *p, const json_t *json, uint32_t *dtype);

/* Is `name`, which may be NULL, this word? */
static inline bool descriptor_is_word(const char *word, const char *name)
{
    return name && strcmp(word, name) == 0;
}

/* "InputTensor.Sizes[1]" in buf. */
const char *descriptor_place_name(const descriptor_place *p, char *buf, size_t size);

/* ---- tensors (descriptor_tensor.c) ------------------------------------------------------------------------- */

bool descriptor_read_tensor(descriptor_reader *r, unsigned k, json_t *json);

/* What was left out of the tensors, once all else is read: types, sizes, strides, bytes. */
bool descriptor_complete(descriptor_reader *r);

#endif
