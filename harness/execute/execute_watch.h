/* SPDX-License-Identifier: Apache-2.0 */
/* What executors in other processes and the run share: memory in which each sees what the other is at. */
#ifndef TOUCHSTONE_EXECUTE_WATCH_H
#define TOUCHSTONE_EXECUTE_WATCH_H

#include "harness/base/verdict.h"

#include <stdatomic.h>
#include <stdint.h>

/* What a run sees of an executor in another process, in memory that both share. */
typedef struct execute_watch {
    _Atomic uint64_t step;        /* grows with each call of the backend and each return: odd while it is inside */
    _Atomic uint64_t cut;         /* the step that is to be cut short (platform_process_interrupt) */
    _Atomic uint64_t first, last; /* the indices of the cases that it was given */
    _Atomic uint64_t class_key;   /* not 0: it is asked whether it supports this class of cases */
    _Atomic uint64_t patient;     /* not 0: it is opened or closed, which may take longer */
    _Atomic uint64_t stop;        /* set by the run: end the chunk with the submission at hand */
} execute_watch;

/* Classes of cases that end the backend as soon as it is asked for them: shared by all executors of a run, so that each
   is found out once. */
#define EXECUTE_BANS 256
typedef struct execute_ban {
    _Atomic uint64_t key; /* 0 until the rest is written */
    verdict verdict;      /* of the cases */
    char text[160];       /* what happened */
} execute_ban;

typedef struct execute_bans {
    _Atomic uint64_t count;
    execute_ban list[EXECUTE_BANS]; /* those beyond the last are forgotten */
} execute_bans;

/* Add to them. */
void execute_add_ban(execute_bans *bans, uint64_t key, verdict v, const char *text);

#endif
