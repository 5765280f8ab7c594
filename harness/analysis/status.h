/* SPDX-License-Identifier: Apache-2.0 */
/* The progress of a run that another process writes, or whose process has ended. */
#ifndef TOUCHSTONE_STATUS_H
#define TOUCHSTONE_STATUS_H

#include "harness/base/platform.h"
#include "harness/store/store.h"
#include "harness/store/summary.h"

#include <stdio.h>
#include <time.h>

typedef enum status_state {
    STATUS_COMPLETE,
    STATUS_RUNNING,
    STATUS_INTERRUPTED, /* its process ended before the run was complete: by a signal, a crash, a reboot */
    STATUS_ELSEWHERE    /* a process of another machine writes it or wrote it; this machine cannot see which */
} status_state;
const char *status_state_name(status_state s);

typedef struct status {
    summary counts;
    text headline; /* the verdict and its scope in one line (summary_headline) */
    status_state state;
    char process[512]; /* from the run file, or "" */
    long pid;
    uint64_t done;
    double seconds;   /* of running so far, without the time between a kill and a resume; -1: unknown */
    double rate;      /* cases per second; 0: unknown */
    double left;      /* estimated seconds until the run is complete; -1: unknown */
    bool endless;     /* a session that draws until its time is over: it plans no number of cases */
    uint64_t workers; /* worker processes that the run uses */
    long alive;       /* of these, those that exist now; -1: unknown */
    platform_child list[64];
} status;

/* Read the status of a run. `path` is its file; the time of its last change is when an interrupted run ended. The
   caller frees *st with status_free. */
bool status_read(status *st, store *s, const char *path, time_t now, error *e);
void status_free(status *st);

/* Print three lines of text, then the tests that have started and are incomplete, or have failures (`all`: every test).
 */
void status_print(const status *st, const char *path, bool all, FILE *out);
/* Print one JSON object (docs/formats.md). */
bool status_print_json(const status *st, const char *path, FILE *out, error *e);

#endif
