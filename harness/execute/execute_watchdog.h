/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a run and an executor in another process share: a page that the executor writes, so that the run knows which
 * cases the backend is working on and whether its call has returned, and orders, which only the run can write. A
 * backend may overwrite the page. So the page has a check word, and the executor writes all of it after each call.
 */
#ifndef TOUCHSTONE_EXECUTE_WATCHDOG_H
#define TOUCHSTONE_EXECUTE_WATCHDOG_H

#include "backends/backend.h"
#include "harness/base/platform.h"
#include "harness/base/platform_process.h"

#include <stdatomic.h>
#include <stdint.h>

/* Where an executor is. */
typedef struct execute_progress {
    uint64_t step;        /* incremented with each call of the backend and each return: odd during a call */
    uint64_t first, last; /* the indices (in a replay: the places) of the cases submitted last */
    uint64_t class_key;   /* not 0: the backend is being asked whether it supports this class of cases */
    uint64_t printed;     /* the bytes that the process had printed when those cases were submitted, or fewer */
    bool sending;         /* the worker has a reply that it has not sent yet */
    bool submitted;       /* cases were submitted since the process was started */
} execute_progress;

#define EXECUTE_PAGE_WORDS 6

/* The page of one executor. */
typedef struct execute_page {
    _Atomic uint64_t words[EXECUTE_PAGE_WORDS];
    _Atomic uint64_t check;
} execute_page;

/* What the run asks of one executor. */
typedef struct execute_orders {
    _Atomic uint64_t interrupt; /* the step to interrupt (platform_process_interrupt) */
    _Atomic uint64_t stop;      /* not 0: end the chunk after the current submission */
    _Atomic uint64_t closed;    /* not 0: do not open the backend, which opens no more; only record what is known */
    ts_info info;               /* then: what the backend said of itself */
    platform_printed printed;   /* how much of the worker's output the run has read */
} execute_orders;

/* The executor's side, in its own memory. */
typedef struct execute_watchdog {
    _Atomic uint64_t step;
    uint64_t words[EXECUTE_PAGE_WORDS], check; /* the page as it should be */
    execute_page *page;
    const execute_orders *orders;
    unsigned marks; /* submissions before which it is still asked how much was printed */
} execute_watchdog;

/* Begin a page: the executor has not done anything. */
void watchdog_reset(execute_page *page);

/* Read a page. False where it is not what an executor wrote; also if the executor writes to it at the same time. */
bool watchdog_read(const execute_page *page, execute_progress *out);

/* Begin to keep a page up to date. */
void watchdog_begin(execute_watchdog *w, execute_page *page, const execute_orders *orders);

/* Call f(context) under guard, as platform_guarded_call does, and count the call. w may be NULL, here and below. */
bool watchdog_guarded_call(execute_watchdog *w, void (*f)(void *context), void *context, platform_fault *fault);

/* Publish which cases are submitted next. alone: one case, whose output is to be told from that of others. */
void watchdog_set_cases(execute_watchdog *w, uint64_t first, uint64_t last, bool alone);

/* Publish which class the backend is asked about; 0: none. */
void watchdog_set_class(execute_watchdog *w, uint64_t key);

/* Publish whether the worker has a reply that it has not sent yet. */
void watchdog_set_sending(execute_watchdog *w, bool sending);

/* Did the run request an early end of the chunk? */
bool watchdog_stop_requested(const execute_watchdog *w);

#endif
