/* SPDX-License-Identifier: Apache-2.0 */
/* Which findings of a test a run keeps: those with the lowest indices, whatever the order in which they come. */
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

/* How many of the cases from `first` on can still be among them? */
uint64_t retained_room(const retained *k, uint64_t first);

/* Findings of cases that fail, and of those that are waived, which take no room from the others. */
typedef enum retained_kind { RETAINED_FAILING, RETAINED_WAIVED, RETAINED_KINDS } retained_kind;

typedef enum retained_answer { KEPT, RETAINED_INSTEAD, RETAINED_NOT, RETAINED_NO_MEMORY } retained_answer;

/* Keep the finding of a case; RETAINED_INSTEAD: of *dropped no longer. */
retained_answer retained_add(retained *k, uint64_t index, uint64_t *dropped);

#endif
