/* SPDX-License-Identifier: Apache-2.0 */
/* Words that people mistype: what they will have meant, and what there is. */
#ifndef TOUCHSTONE_DID_YOU_MEAN_H
#define TOUCHSTONE_DID_YOU_MEAN_H

#include "harness/base/error.h"

#include <stddef.h>

/* Names that may stand at one place. Those beyond the room are not remembered. */
typedef struct did_you_mean_names {
    const char *names[64];
    size_t count;
} did_you_mean_names;

void did_you_mean_add(did_you_mean_names *known, const char *name);

/* The known name that resembles the word most, or NULL where none does. */
const char *did_you_mean_name(const did_you_mean_names *known, const char *word);

/* Say: where: no `kind` "word" (did you mean "best"?); known are: a, b, c. Returns false. */
bool did_you_mean_unknown(error *e, const char *where, const char *kind, const char *word,
                          const did_you_mean_names *known);

#endif
