/* SPDX-License-Identifier: Apache-2.0 */
/* Words that people mistype: what they will have meant, and what there is. */
#ifndef TOUCHSTONE_NEAREST_H
#define TOUCHSTONE_NEAREST_H

#include "harness/base/error.h"

#include <stddef.h>

/* Names that may stand at one place. Those beyond the room are not remembered. */
typedef struct nearest_names {
    const char *names[64];
    size_t count;
} nearest_names;

void nearest_add(nearest_names *known, const char *name);

/* The known name that resembles the word most, or NULL where none does. */
const char *nearest_name(const nearest_names *known, const char *word);

/* Say: where: no `kind` "word" (did you mean "best"?); known are: a, b, c. Returns false. */
bool nearest_unknown(error *e, const char *where, const char *kind, const char *word, const nearest_names *known);

#endif
