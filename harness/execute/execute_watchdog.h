/* SPDX-License-Identifier: Apache-2.0 */
/* The memory that an executor in a worker process shares with the run, which watches it. */
#ifndef TOUCHSTONE_EXECUTE_WATCHDOG_H
#define TOUCHSTONE_EXECUTE_WATCHDOG_H

#include "harness/base/verdict.h"

#include <stdatomic.h>
#include <stdint.h>

/* Written by the executor and read by the watchdog of the run, except where noted. */
typedef struct execute_watchdog {
    _Atomic uint64_t step;        /* grows with each call of the backend and each return; odd during a call */
    _Atomic uint64_t interrupt;   /* set by the run: the step that it interrupts (platform_process_interrupt) */
    _Atomic uint64_t first, last; /* the indices of the first and last case that were submitted */
    _Atomic uint64_t class_key;   /* not 0: the backend is asked whether it supports this class of cases */
    _Atomic uint64_t starting;    /* not 0: the backend is being opened, so the startup grace holds */
    _Atomic uint64_t stop;        /* set by the run: end the chunk after the current submission */
} execute_watchdog;

/* The crash blocklist: classes of cases that crash or hang the backend when it is asked whether it supports them. All
   executors of a run share it, so that each class costs one process. */
#define EXECUTE_BLOCKLIST_SIZE 256
typedef struct execute_blocked {
    _Atomic uint64_t key; /* 0 until the rest is written */
    verdict verdict;      /* of the cases */
    char text[160];       /* how the process was lost */
} execute_blocked;

typedef struct execute_blocklist {
    _Atomic uint64_t count;
    execute_blocked list[EXECUTE_BLOCKLIST_SIZE]; /* classes beyond the last entry are dropped */
} execute_blocklist;

/* Add a class. */
void execute_blocklist_add(execute_blocklist *blocklist, uint64_t key, verdict v, const char *text);

#endif
