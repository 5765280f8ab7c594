/* SPDX-License-Identifier: Apache-2.0 */
/* Suggestions applied to a descriptor, as its author would. */
#ifndef TOUCHSTONE_SUGGEST_APPLY_H
#define TOUCHSTONE_SUGGEST_APPLY_H

#include "harness/model/suggest.h"

/* How many choices an option has: the values of the list, or both ends of the range, of the edit that has most. */
unsigned suggest_apply_choices(const suggest_option *option);

/* Make the edits of an option, each with its value of this choice, or its last one. Tensors whose sizes or types change
   stay packed where they were, and of the bytes that they need where they had no more. False if a field does not hold
   what it should become; *d is partly changed then. */
bool suggest_apply(ts_descriptor *d, const suggest_option *option, unsigned choice);

/* Make one edit with this value of it. */
bool suggest_apply_edit(ts_descriptor *d, const suggest_edit *edit, int64_t value);

#endif
