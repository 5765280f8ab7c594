/* SPDX-License-Identifier: Apache-2.0 */
/* Text that grows, and the ways to put hostile strings into it: every writer of reports builds on these. Whatever a
   backend or a file name holds, what comes out is valid UTF-8: bytes that are none become U+FFFD. */
#ifndef TOUCHSTONE_REPORTS_TEXT_H
#define TOUCHSTONE_REPORTS_TEXT_H

#include "harness/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct text {
    char *data; /* with a NUL behind; NULL while empty */
    size_t length, capacity;
    bool failed; /* out of memory: what follows is dropped, and whoever writes it out says so */
} text;

void text_free(text *t);
void text_add(text *t, const char *s);
void text_bytes(text *t, const void *bytes, size_t n);
void text_format(text *t, const char *format, ...) ERROR_PRINTF(2, 3);

/* "1,234,567" */
void text_count(text *t, uint64_t number);

/* "3.1 M": for people in a hurry. Cut, not rounded. */
void text_short_count(text *t, uint64_t number);

/* Only valid UTF-8. */
void text_utf8(text *t, const char *s);

/* For XML and HTML, content and attribute values alike. NULL is nothing. */
void text_xml(text *t, const char *s);

/* Append a JSON string, with its quotes: valid JSON whatever the bytes are, and safe inside <script>. NULL becomes
   null. */
void text_json(text *t, const char *s);

/* The same, to a file. Out of memory, it prints null. */
void text_print_json(FILE *file, const char *s);

/* One field of RFC 4180, quoted where it must be. NULL is nothing. */
void text_csv(text *t, const char *s);

void text_base64(text *t, const void *bytes, size_t n);

/* Append the rest of a file; afterwards t->data is not NULL, even of an empty file. False if the file cannot be read or
   memory is out (t->failed). */
bool text_read(text *t, FILE *file);

#endif
