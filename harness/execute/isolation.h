/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of a backend, after which its process is as before: what the backend changes of it must reach neither the
 * reference nor what is written about a run. It is noted, and a run has an observation of each kind of change.
 */
#ifndef TOUCHSTONE_ISOLATION_H
#define TOUCHSTONE_ISOLATION_H

#include "harness/base/platform_controls.h"
#include "harness/execute/chunk.h"
#include "harness/execute/execute_watchdog.h"

typedef struct isolation {
    platform_environment *environment; /* NULL: nothing but the control words is watched */
    platform_controls controls;
    bool noted;
    unsigned changed, reported; /* platform_changes */
} isolation;

/* Begin and end a stretch of work that contains calls of the backend: what the process is at the beginning is restored
   at the end. Stretches do not nest. */
void isolation_begin(isolation *s);
void isolation_end(isolation *s);

/* Free the memory of *s; what was changed stays known. */
void isolation_close(isolation *s);

/* Make one guarded call of the backend (watchdog_guarded_call), and restore at once the control words and the locale,
   on which the reference or a text may depend. The rest waits for isolation_end: a system call takes as long as a case.
 */
bool isolation_call(isolation *s, execute_watchdog *w, void (*f)(void *context), void *context, platform_fault *fault);

#define ISOLATION_KIND "environment: " /* how these observations begin */

/* Add an observation to the chunk of each kind of change that was not reported before. */
void isolation_report(isolation *s, chunk *c);

#endif
