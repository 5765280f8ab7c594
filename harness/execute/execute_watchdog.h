/* SPDX-License-Identifier: Apache-2.0 */
/* What a run sees of an executor in another process: shared memory that the executor keeps up to date, so that the run
   knows which cases the backend is working on and whether its call has returned. */
#ifndef TOUCHSTONE_EXECUTE_WATCHDOG_H
#define TOUCHSTONE_EXECUTE_WATCHDOG_H

#include "harness/base/platform.h"

#include <stdatomic.h>
#include <stdint.h>

typedef struct execute_watchdog {
    _Atomic uint64_t step;        /* incremented with each call of the backend and each return: odd during a call */
    _Atomic uint64_t interrupt;   /* set by the run: the step to interrupt (platform_process_interrupt) */
    _Atomic uint64_t first, last; /* the indices (in a replay: the places) of the cases submitted last */
    _Atomic uint64_t class_key;   /* not 0: the backend is being asked whether it supports this class of cases */
    _Atomic uint64_t starting;    /* not 0: the backend is being opened or closed, which may take longer than a case */
    _Atomic uint64_t stop;        /* set by the run: end the chunk after the current submission */
    _Atomic uint64_t submissions; /* of cases, since the process was started */
    _Atomic uint64_t sending;     /* not 0: the worker has a reply that it has not sent yet */
} execute_watchdog;

/* Call f(context) under guard, as platform_guarded_call does, and count the call in w->step. w may be NULL. */
bool watchdog_guarded_call(execute_watchdog *w, void (*f)(void *context), void *context, platform_fault *fault);

/* Publish which cases are submitted next. w may be NULL. */
void watchdog_set_cases(execute_watchdog *w, uint64_t first, uint64_t last);

/* Publish which class the backend is asked about; 0: none. w may be NULL. */
void watchdog_set_class(execute_watchdog *w, uint64_t key);

/* Did the run request an early end of the chunk? w may be NULL. */
bool watchdog_stop_requested(const execute_watchdog *w);

#endif
