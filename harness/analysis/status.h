/* SPDX-License-Identifier: Apache-2.0 */
/* How far a run is, while another process writes it or after that was ended. */
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
    STATUS_INTERRUPTED, /* ended before it was done: by a signal, a crash, a reboot */
    STATUS_ELSEWHERE    /* another machine writes it, or did: from here it cannot be told which */
} status_state;
const char *status_state_name(status_state s);

typedef struct status {
    summary counts;
    status_state state;
    char process[512]; /* as the run has it, or "" */
    long pid;
    uint64_t done;
    double seconds;   /* of running so far, without those between a kill and a resume; -1: not known */
    double rate;      /* cases per second; 0: not known */
    double left;      /* seconds; -1: not known */
    uint64_t workers; /* that it is run with */
    long alive;       /* of these, those that are there at this moment; -1: not known */
    platform_child list[64];
} status;

/* Read it. `path` is the run's, whose age tells when an interrupted run was ended. Freed by status_free. */
bool status_read(status *st, store *s, const char *path, time_t now, error *e);
void status_free(status *st);

/* For people: two lines, then the tests that are not done or failed (all with `all`). */
void status_print(const status *st, const char *path, bool all, FILE *out);
bool status_print_json(const status *st, const char *path, FILE *out, error *e);

#endif
