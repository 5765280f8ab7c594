/* SPDX-License-Identifier: Apache-2.0 */
/* Split a command into words. */
#ifndef TOUCHSTONE_EXEC_WORDS_H
#define TOUCHSTONE_EXEC_WORDS_H

#include <stdbool.h>

#define WORDS_MOST 64

/* The words of a command, which blanks separate. Quotes, single or double, hold a word with blanks together; behind a
   backslash, a character outside of single quotes is taken as it is. `words` is to be freed by words_free; it ends with
   NULL. False, with the reason in *why: a quote that is not closed, no word, or more than WORDS_MOST words. */
typedef struct words {
    char *text;
    char *list[WORDS_MOST + 1];
} words;

bool words_split(words *w, const char *command, const char **why);
void words_free(words *w);

#endif
