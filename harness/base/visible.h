/* SPDX-License-Identifier: Apache-2.0 */
/* Printing for people: the text of others (names, notes, file names, error messages) cannot move the cursor of a
   terminal, change its colours, or forge lines. */
#ifndef TOUCHSTONE_VISIBLE_H
#define TOUCHSTONE_VISIBLE_H

#include "harness/base/format.h"

#include <stdarg.h>
#include <stdio.h>

/* Like fprintf, but the strings that %s inserts are printed as text_visible makes them: one line of printable UTF-8.
   The format is printed as it is. NULL is printed as "". A precision counts bytes of the string, a width characters of
   the result. Conversions: d i u x X o c f e g s %, with hh, h, l, ll, z, j and t, and * for width and precision. */
void visible_print(FILE *to, const char *format, ...) TS_PRINTF(2, 3);

void visible_print_list(FILE *to, const char *format, va_list list);

/* Print several lines of foreign text, with this indent before each. */
void visible_print_lines(FILE *to, const char *indent, const char *lines);

#endif
