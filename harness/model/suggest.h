/* SPDX-License-Identifier: Apache-2.0 */
/* Suggestions: what would be legal where a descriptor breaks a clause. A clause declares the function that writes its
   suggestion; those that many clauses share are here. */
#ifndef TOUCHSTONE_SUGGEST_H
#define TOUCHSTONE_SUGGEST_H

#include "harness/model/operator.h"

/* A text in the caller's buffer; what does not fit is cut off. */
struct ts_suggestion {
    char *text;
    size_t size, used;
};

/* Append to the text. */
void suggest_add(ts_suggestion *out, const char *format, ...) TS_PRINTF(2, 3);

/* Append "NAME = LOW to HIGH", or "NAME = LOW" where both are equal. The name is a format. */
void suggest_add_range(ts_suggestion *out, int64_t low, uint64_t high, const char *format, ...) TS_PRINTF(4, 5);

/* The value of an attribute by its name; the declared `absent` one where it is absent, 0 without such an attribute. */
int64_t suggest_attr(const ts_descriptor *d, const char *name, unsigned i);

/* The data types, and the dimension counts, that the support table allows the violation's tensor. */
ts_suggest suggest_supported_types, suggest_supported_dims;

/* All required tensors and attributes. */
ts_suggest suggest_required;

/* Two tensors of one type: that of tensor 0. */
ts_suggest suggest_same_type;

/* The sizes that the operator's `shape` gives the violation's output tensor, where they differ from the stated ones. */
ts_suggest suggest_shape;

#endif
