/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text of files that people bring, read within bounds, and JSON in it by place: what is where, so that a message can
 * name line and column. No tree is built: a file of hostile depth or length costs its own bytes and nothing more.
 */
#ifndef TOUCHSTONE_JSON_SCANNER_H
#define TOUCHSTONE_JSON_SCANNER_H

#include "harness/base/error.h"

#include <stddef.h>

#define JSON_SCANNER_MOST  ((size_t)64 << 20) /* bytes of a file */
#define JSON_SCANNER_DEPTH 64                 /* brackets within brackets */

typedef struct json_scanner {
    const char *name; /* for messages: "model.json", "standard input" */
    char *bytes;      /* a 0 follows them */
    size_t size;
    size_t mark, mark_line, mark_column; /* where counting lines goes on from */
} json_scanner;

/* A line and a column in characters, both from 1; 0 where they are not known. */
typedef struct check_place {
    size_t line, column;
} check_place;

/* Bytes [begin, end) of a text. */
typedef struct check_span {
    size_t begin, end;
} check_span;

/* Read a file, or standard input where path is "-". One of more than JSON_SCANNER_MOST bytes is refused without reading
   the rest of it. */
bool json_scanner_read(json_scanner *t, const char *path, error *e);

/* The same from memory, which is copied. */
bool json_scanner_copy(json_scanner *t, const char *name, const void *bytes, size_t size, error *e);

void json_scanner_free(json_scanner *t);

/* Check that the text is one JSON value in UTF-8, with what DxDispatch allows beyond: comments and a comma after the
   last element. Both are blanked, so that what remains is strict JSON at the same places. *root is the value. */
bool json_scanner_json(json_scanner *t, check_span *root, error *e);

/* The place of a byte. Cheap behind the mark, which moves forward by json_scanner_advance, and back to the start. */
check_place json_scanner_place(const json_scanner *t, size_t offset);
void json_scanner_advance(json_scanner *t, size_t offset);
void json_scanner_rewind(json_scanner *t);

/* "name:line:column: message" as EXIT_BAD_USAGE. Returns false. */
bool json_scanner_error(error *e, const json_scanner *t, size_t offset, const char *format, ...) ERROR_PRINTF(4, 5);

/* ---- after json_scanner_json --------------------------------------------------------------------------------- */

/* The next member of an object, or element of an array; *at is 0 at first. False after the last, or where the value
   is none. The key is without its quotes, escapes as they are written. */
bool json_scanner_member(const json_scanner *t, check_span object, size_t *at, check_span *key, check_span *value);
bool json_scanner_element(const json_scanner *t, check_span array, size_t *at, check_span *value);

/* Is the span this word? */
bool json_scanner_is(const json_scanner *t, check_span span, const char *word);

/* The member of that name. */
bool json_scanner_find(const json_scanner *t, check_span object, const char *name, check_span *value);

#endif
