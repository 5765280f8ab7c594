/* SPDX-License-Identifier: Apache-2.0 */
/* Classes of cases on which the backend crashes or hangs when it is asked whether it supports them. All executors of a
   run share the list, so that each class costs one process and not one per executor. */
#ifndef TOUCHSTONE_CRASH_BLOCKLIST_H
#define TOUCHSTONE_CRASH_BLOCKLIST_H

#include "harness/base/verdict.h"

#include <stdatomic.h>
#include <stdint.h>

#define CRASH_BLOCKS 256

typedef struct crash_block {
    _Atomic uint64_t key; /* of the class; written last, 0 until then */
    verdict verdict;      /* of each case of the class */
    char text[160];       /* how the backend failed: "ended in SIGSEGV" */
} crash_block;

typedef struct crash_blocklist {
    _Atomic uint64_t count;
    crash_block list[CRASH_BLOCKS]; /* classes beyond the last are not recorded */
} crash_blocklist;

/* Add a class. */
void crash_blocklist_add(crash_blocklist *blocklist, uint64_t key, verdict v, const char *text);

/* Find a class; NULL where the list does not have it. blocklist may be NULL. */
const crash_block *crash_blocklist_find(const crash_blocklist *blocklist, uint64_t key);

#endif
