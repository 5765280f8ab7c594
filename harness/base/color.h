/* SPDX-License-Identifier: Apache-2.0 */
/* Colours on a terminal. Only what is written to standard output or standard error is ever coloured: files that a verb
   writes are other streams. */
#ifndef TOUCHSTONE_COLOR_H
#define TOUCHSTONE_COLOR_H

#include "harness/base/format.h"
#include "harness/base/verdict.h"

#include <stdbool.h>
#include <stdio.h>

typedef enum color { COLOR_PLAIN, COLOR_HEADING, COLOR_GOOD, COLOR_BAD, COLOR_OPEN } color;

/* Choose when to colour: "auto" (on a terminal that can show colours, unless the environment variable NO_COLOR is set
   and not empty), "always" or "never". This holds for the process; without a call it is "auto". False: another word. */
bool color_choose(const char *when);

/* Is output to this stream coloured? */
bool color_is_on(FILE *to);

/* What follows on the stream has this colour, up to color_end(). Both write nothing where the output is not coloured.
   Widths and precisions of what is printed in between are as always. */
void color_begin(FILE *to, color c);
void color_end(FILE *to);

/* visible_print() in a colour, which begins behind blanks and line ends that the format begins with. */
void color_print(FILE *to, color c, const char *format, ...) TS_PRINTF(3, 4);

/* Green for a pass, red for a failure, yellow for what is neither. */
color color_of_verdict(verdict v);

#endif
