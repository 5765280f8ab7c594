/* SPDX-License-Identifier: Apache-2.0 */
/* Growing text, and functions that escape strings for JSON, XML and CSV. The result is valid UTF-8 whatever bytes a
   backend or a file name contains: invalid bytes become U+FFFD. */
#ifndef TOUCHSTONE_REPORTS_TEXT_H
#define TOUCHSTONE_REPORTS_TEXT_H

#include "harness/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct text {
    char *data; /* NUL-terminated; NULL at first */
    size_t length, capacity;
    bool failed; /* out of memory: later text is dropped; the caller reports it */
} text;

void text_free(text *t);
void text_add(text *t, const char *s);
void text_bytes(text *t, const void *bytes, size_t n);
void text_format(text *t, const char *format, ...) ERROR_PRINTF(2, 3);

/* Append "1,234,567". */
void text_count(text *t, uint64_t number);

/* Append "3.1 M": truncated, not rounded. */
void text_short_count(text *t, uint64_t number);

/* Append s, with invalid UTF-8 replaced. */
void text_utf8(text *t, const char *s);

/* Append s escaped for XML and HTML, in content and in attribute values. NULL appends nothing. */
void text_xml(text *t, const char *s);

/* Append a JSON string, with its quotes: valid JSON whatever the bytes are, and safe inside <script>. NULL becomes
   null. */
void text_json(text *t, const char *s);

/* The same, to a file. Out of memory, it prints null. */
void text_print_json(FILE *file, const char *s);

/* Append one CSV field (RFC 4180), quoted if necessary. NULL appends nothing. */
void text_csv(text *t, const char *s);

void text_base64(text *t, const void *bytes, size_t n);

/* Append the rest of a file; afterwards t->data is not NULL, even of an empty file. False if the file cannot be read or
   memory is out (t->failed). */
bool text_read(text *t, FILE *file);

#endif
