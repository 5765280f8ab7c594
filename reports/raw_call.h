/* SPDX-License-Identifier: Apache-2.0 */
/* The call of a finding as the backend got it: every member of ts_call and its tensors, for an author who asks why a
   legal descriptor was refused. */
#ifndef TOUCHSTONE_RAW_CALL_H
#define TOUCHSTONE_RAW_CALL_H

#include "harness/base/text.h"
#include "harness/store/store_finding.h"

#include <jansson.h>

/* The call of a finding with the verdict rejected-valid, as a new JSON object; NULL for every other finding, and where
   the descriptor cannot be read. { "op", "profile", "feature_level", "attrs_given", "attrs_size", "tensor_count",
   "tensors": [ { "name", "dtype", "rank", "given", "flags", "alignment", "total_bytes", "sizes", "strides" } ],
   "attrs": [ { "name", "given", "value" } ] }. Numbers are those of the structures; sets of bits are strings. */
json_t *raw_call(const store_finding *f);

/* Append the same as lines of text, the first without an indent; nothing where raw_call gives NULL. */
void raw_call_text(text *t, const store_finding *f);

#endif
