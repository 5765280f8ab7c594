/* SPDX-License-Identifier: Apache-2.0 */
/* The findings that a run retains of a test: those with the lowest indices, in whatever order they arrive. */
#ifndef TOUCHSTONE_RETAINED_H
#define TOUCHSTONE_RETAINED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct retained {
    uint64_t *indices; /* sorted */
    size_t count, capacity;
    size_t most;
} retained;

void retained_init(retained *k, size_t most);
void retained_free(retained *k);

/* How many findings with an index >= first may still be retained? */
uint64_t retained_room(const retained *k, uint64_t first);

/* Findings of failed and of waived cases are counted apart, so that neither displaces the other. */
typedef enum retained_kind { RETAINED_FAILING, RETAINED_WAIVED, RETAINED_KINDS } retained_kind;

typedef enum retained_outcome {
    RETAINED_ADDED,
    RETAINED_REPLACED, /* added; the finding of *dropped must be removed */
    RETAINED_REJECTED,
    RETAINED_NO_MEMORY
} retained_outcome;

/* Add the finding of a case. */
retained_outcome retained_add(retained *k, uint64_t index, uint64_t *dropped);

#endif
