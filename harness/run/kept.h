/* SPDX-License-Identifier: Apache-2.0 */
/* Which findings of a test a run keeps: those with the lowest indices, whatever the order in which they come. */
#ifndef TOUCHSTONE_KEPT_H
#define TOUCHSTONE_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct kept {
    uint64_t *indices; /* sorted */
    size_t count, capacity;
    size_t most;
} kept;

void kept_init(kept *k, size_t most);
void kept_free(kept *k);

/* How many of the cases from `first` on can still be among them? */
uint64_t kept_room(const kept *k, uint64_t first);

/* Findings of cases that fail, and of those that are waived, which take no room from the others. */
typedef enum kept_kind { KEPT_FAILING, KEPT_WAIVED, KEPT_KINDS } kept_kind;

typedef enum kept_answer { KEPT, KEPT_INSTEAD, KEPT_NOT, KEPT_NO_MEMORY } kept_answer;

/* Keep the finding of a case; KEPT_INSTEAD: of *dropped no longer. */
kept_answer kept_add(kept *k, uint64_t index, uint64_t *dropped);

#endif
