/* SPDX-License-Identifier: Apache-2.0 */
/* The smallest cases of a run: those to which its findings were shrunk. Findings with the same smallest case are one.
 */
#ifndef TOUCHSTONE_SMALLEST_H
#define TOUCHSTONE_SMALLEST_H

#include "harness/store/shrunk_facts.h"
#include "harness/store/store.h"

/* A finding that was shrunk to a case. */
typedef struct smallest_of {
    int64_t id;
    char *case_id;
} smallest_of;

typedef struct smallest_case {
    char *id, *facts;
    verdict verdict;
    smallest_of *of; /* in order of test and case */
    size_t count, capacity;
} smallest_case;

typedef struct smallest {
    smallest_case *list; /* in order of their first findings */
    size_t count, capacity;
} smallest;

/* Read them. The caller frees *m whether this succeeds or not. */
bool smallest_read(smallest *m, store *s, error *e);
void smallest_free(smallest *m);

/* The smallest case with this id, or NULL. */
const smallest_case *smallest_find(const smallest *m, const char *id);

#endif
