/* SPDX-License-Identifier: Apache-2.0 */
/* Suggestions for mistyped names. */
#ifndef TOUCHSTONE_DID_YOU_MEAN_H
#define TOUCHSTONE_DID_YOU_MEAN_H

#include "harness/base/error.h"

#include <stddef.h>

/* The search for the name that is most similar to a word, among any number of names. */
typedef struct did_you_mean {
    const char *word, *best; /* best: NULL if no name was similar so far */
    size_t distance;
} did_you_mean;

#define DID_YOU_MEAN_SIZE 96

/* `word` is borrowed, and so are the names. */
void did_you_mean_start(did_you_mean *d, const char *word);
void did_you_mean_try(did_you_mean *d, const char *name);

/* " (did you mean 'best'?)", or "" if no name was similar. Returns buf. */
const char *did_you_mean_hint(const did_you_mean *d, char buf[DID_YOU_MEAN_SIZE]);

/* The best name, if it is at most two letters apart from the word: where names that are no mistake are likely, as in a
   file with layers of any type, Greater does not mean Gather. NULL: none is. */
const char *did_you_mean_close(const did_you_mean *d);

/* A list of names "a, b, c" in the caller's buffer. One that does not fit ends with "and N more", at a whole name. */
typedef struct did_you_mean_list {
    char *text;
    size_t size, used, left; /* left: names that did not fit */
} did_you_mean_list;

/* Append a name. `more` is the number of names that will be added after it. The buffer has at least 32 bytes. */
void did_you_mean_list_add(did_you_mean_list *list, const char *name, size_t more);

/* The names that are valid at one place. At most 64; further ones are ignored. */
typedef struct did_you_mean_names {
    const char *names[64];
    size_t count;
} did_you_mean_names;

void did_you_mean_add(did_you_mean_names *known, const char *name);

/* The known name that is most similar to the word, or NULL if none is similar. */
const char *did_you_mean_name(const did_you_mean_names *known, const char *word);

/* Set the message "where: no `kind` "word" (did you mean "best"?); known are: a, b, c". Returns false. */
bool did_you_mean_unknown(error *e, const char *where, const char *kind, const char *word,
                          const did_you_mean_names *known);
/* The same with the name that is meant; NULL: none. */
bool did_you_mean_told(error *e, const char *where, const char *kind, const char *word, const char *best,
                       const did_you_mean_names *known);

#endif
