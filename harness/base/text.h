/* SPDX-License-Identifier: Apache-2.0 */
/* Growing text, and functions that escape strings for JSON, XML, CSV, terminals and the shell. The result is valid
   UTF-8 whatever bytes a backend or a file name contains: for JSON, XML and CSV, invalid bytes become U+FFFD. */
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

/* Does s end in `ending`, with something in front of it? */
bool text_ends_in(const char *s, const char *ending);

/* The same in any case of ASCII: "MODEL.JSON" ends in ".json". */
bool text_ends_like(const char *s, const char *ending);

/* Is `name` the name of a family or of one of its versions: its first `length` characters, then nothing else than a
   number, which an underscore may precede? Of gather_nd, these are gather_nd, gather_nd1 and gather_nd_8, and not
   gather_nd_update. */
bool text_is_version(const char *name, const char *family, size_t length);

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

/* Append s escaped for XML and HTML, in content and in attribute values. Characters that change the direction of
   writing or have no width become \u202e and so on. NULL appends nothing. */
void text_xml(text *t, const char *s);

/* Append a JSON string, with its quotes: valid JSON whatever the bytes are, and safe inside <script>. NULL becomes
   null. */
void text_json(text *t, const char *s);

/* The same for a string that a script shows to people: characters that change the direction of writing or have no width
   are in it as text_visible writes them. */
void text_json_visible(text *t, const char *s);

/* text_json to a file. Out of memory, it prints null. */
void text_print_json(FILE *file, const char *s);

/* Append one CSV field (RFC 4180), quoted if necessary; \u202e and so on as text_xml. NULL appends nothing. */
void text_csv(text *t, const char *s);

/* Append s as one line of printable UTF-8, for a terminal: control characters, line ends, characters that change the
   direction of writing or have no width, and invalid bytes become \n, \r, \t, \x1b, \u202e and so on. Other characters,
   also backslashes, stay. NULL appends nothing. */
void text_visible(text *t, const char *s);

/* The same for n bytes that may include NUL. */
void text_visible_bytes(text *t, const void *bytes, size_t n);

/* The same for several lines: line ends and tabs stay. */
void text_visible_lines(text *t, const void *bytes, size_t n);

/* Append s as one argument of a command line for a POSIX shell: the shell passes exactly the bytes of s to the command,
   unless s itself contains NUL. The result is one line of printable UTF-8, for which text_visible changes nothing. */
void text_shell(text *t, const char *s);

/* Write the same into a buffer. Returns buf, or s if the result does not fit. */
const char *text_shell_in(char *buf, size_t size, const char *s);

void text_base64(text *t, const void *bytes, size_t n);

/* Append the rest of a file; afterwards t->data is not NULL, even of an empty file. False if the file cannot be read or
   memory is out (t->failed). */
bool text_read(text *t, FILE *file);

#endif
