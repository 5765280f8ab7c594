/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON in a text, by its place: where each value begins and ends, so that a message can name line and column. No tree
 * is built: a file of hostile depth or length costs no more memory than its bytes.
 */
#ifndef TOUCHSTONE_JSON_SCANNER_H
#define TOUCHSTONE_JSON_SCANNER_H

#include "harness/check/source_text.h"

#define JSON_SCANNER_DEPTH 64 /* nested brackets */

/* Check that the text is one JSON value in UTF-8. Comments and a comma after the last element are allowed, as in
   DxDispatch; they are replaced by blanks, so that strict JSON remains at the same places. *root is set to the value.
 */
bool json_scanner_check(source_text *t, check_span *root, error *e);

/* ---- after json_scanner_check --------------------------------------------------------------------------------- */

/* Get the next member of an object, or element of an array; *at is 0 at first. False after the last one, and where the
   value is no object or array. The key is without its quotes, with its escapes as written. */
bool json_scanner_member(const source_text *t, check_span object, size_t *at, check_span *key, check_span *value);
bool json_scanner_element(const source_text *t, check_span array, size_t *at, check_span *value);

/* Is the span this word? */
bool json_scanner_is(const source_text *t, check_span span, const char *word);

/* Find the member of that name. */
bool json_scanner_find(const source_text *t, check_span object, const char *name, check_span *value);

#endif
