/* SPDX-License-Identifier: Apache-2.0 */
/* Classes of cases on which the backend crashes or hangs when it is asked whether it supports them. The run writes the
   list, and all its executors read it, so that each class costs one process and not one per executor. */
#ifndef TOUCHSTONE_EXECUTE_BLOCKLIST_H
#define TOUCHSTONE_EXECUTE_BLOCKLIST_H

#include "harness/base/verdict.h"

#include <stdatomic.h>
#include <stdint.h>

#define EXECUTE_BLOCKLIST_SIZE 16384 /* all operators together have some thousand classes */

typedef struct execute_blocked {
    _Atomic uint64_t key; /* of the class; written last, 0 until then */
    verdict verdict;      /* of each case of the class */
    char text[160];       /* how the backend failed: "ended in SIGSEGV" */
} execute_blocked;

typedef struct execute_blocklist {
    _Atomic uint64_t count;
    execute_blocked list[EXECUTE_BLOCKLIST_SIZE];
} execute_blocklist;

/* Add a class, unless the list has it. False where the list is full. */
bool execute_blocklist_add(execute_blocklist *blocklist, uint64_t key, verdict v, const char *text);

/* Find a class; NULL where the list does not have it. blocklist may be NULL. */
const execute_blocked *execute_blocklist_find(const execute_blocklist *blocklist, uint64_t key);

#endif
