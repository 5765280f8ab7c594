/* SPDX-License-Identifier: Apache-2.0 */
/* A part of a JSON text as a tree. The scanner has checked the text, so only values that a tree cannot hold are errors;
   this is twice as fast as parsing again. */
#ifndef TOUCHSTONE_CHECK_TREE_H
#define TOUCHSTONE_CHECK_TREE_H

#include "harness/check/source_text.h"

#include <jansson.h>

/* Make a tree of the value at a span of a text that json_scanner_check accepted. The caller owns it. An integer beyond
   64 bits becomes a string of its digits (bigint.h reads it). Duplicate members and fractions out of range are errors
   with their place. */
json_t *check_tree(const source_text *t, check_span value, error *e);

#endif
