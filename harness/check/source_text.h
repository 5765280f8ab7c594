/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a file that a user brings, and the lines and columns of its bytes. */
#ifndef TOUCHSTONE_SOURCE_TEXT_H
#define TOUCHSTONE_SOURCE_TEXT_H

#include "harness/base/error.h"

#include <stdarg.h>
#include <stddef.h>

#define SOURCE_TEXT_MOST ((size_t)64 << 20) /* bytes of a file */

typedef struct source_text {
    const char *name; /* for messages: "model.json", "standard input" */
    char *bytes;      /* a 0 follows them */
    size_t size;
    size_t mark, mark_line, mark_column; /* a byte whose line and column are known: places are counted from it */
} source_text;

/* A line and a column in characters, both from 1; 0 where they are not known. */
typedef struct check_place {
    size_t line, column;
} check_place;

/* Bytes [begin, end) of a text. */
typedef struct check_span {
    size_t begin, end;
} check_span;

/* Read a file, or standard input where path is "-". A file of more than SOURCE_TEXT_MOST bytes is refused without
   reading the rest of it. The caller frees the text; on error there is nothing to free. */
bool source_text_read(source_text *t, const char *path, error *e);

/* The same with another limit. */
bool source_text_read_within(source_text *t, const char *path, size_t most, error *e);

/* Copy a text from memory. `name` has to outlive the text. */
bool source_text_copy(source_text *t, const char *name, const void *bytes, size_t size, error *e);

void source_text_free(source_text *t);

/* The place of a byte. Fast behind the mark: source_text_advance moves it forward, source_text_rewind to the start. */
check_place source_text_place(const source_text *t, size_t offset);
void source_text_advance(source_text *t, size_t offset);
void source_text_rewind(source_text *t);

/* Set "name:line:column: message" as an EXIT_BAD_USAGE error. Returns false. */
bool source_text_error(error *e, const source_text *t, size_t offset, const char *format, ...) ERROR_PRINTF(4, 5);

/* The same of a place that is known, and with the arguments of the format as a list. */
bool source_text_verror(error *e, const char *name, check_place place, const char *format, va_list args)
    ERROR_PRINTF(4, 0);

#endif
