/* SPDX-License-Identifier: Apache-2.0 */
/* A part of a JSON text as a tree. The text was scanned before, so nothing is left to find wrong but what trees have
   no room for; that makes it twice as fast as parsing again. */
#ifndef TOUCHSTONE_CHECK_TREE_H
#define TOUCHSTONE_CHECK_TREE_H

#include "harness/check/source_text.h"

#include <jansson.h>

/* The value at the span of a text that json_scanner_check accepted. An integer beyond 64 bits becomes a string of its
   digits (whole.h reads it). A member that is given twice and a fraction beyond all range are errors at their place. */
json_t *check_tree(const source_text *t, check_span value, error *e);

#endif
