/* SPDX-License-Identifier: Apache-2.0 */
/* A part of a JSON text as a tree. The text was scanned before, so nothing is left to find wrong but what trees have
   no room for; that makes it twice as fast as parsing again. */
#ifndef TOUCHSTONE_CHECK_TREE_H
#define TOUCHSTONE_CHECK_TREE_H

#include "harness/check_text.h"

#include <jansson.h>

#define CHECK_TREE_MOST ((size_t)1 << 20) /* bytes of the part */

/* The value at the span of a text that check_text_json accepted. A member that is given twice, a number that is out
   of all ranges and a part of more than CHECK_TREE_MOST bytes are errors at their place. */
json_t *check_tree(const check_text *t, check_span value, error *e);

#endif
