/* SPDX-License-Identifier: Apache-2.0 */
/* The run file while a run writes it: its lock, its transactions, and the seconds that the run has taken. */
#ifndef TOUCHSTONE_RUN_FILE_H
#define TOUCHSTONE_RUN_FILE_H

#include "harness/store/store.h"

typedef struct run_file {
    store *store;          /* NULL until the file exists */
    int lock;              /* of platform_lock_file: no other process resumes this run meanwhile */
    bool writing;          /* a transaction is open */
    bool torn;             /* the open transaction holds only a part of a chunk, and must not be committed */
    double started;        /* when this process began to execute cases, as platform_seconds */
    double seconds_before; /* that the run took in processes before this one */
    double committed;      /* when the last transaction was committed */
} run_file;

void run_file_init(run_file *f);

/* Lock the file at `path` until run_file_close. It is a usage error if another process has the lock; a worker of a run
   that was killed is waited for. */
bool run_file_lock(run_file *f, const char *path, error *e);
void run_file_close(run_file *f);

/* Seconds that the run has taken in all its processes; a budget counts these. */
double run_file_seconds(const run_file *f);

/* Open a transaction if none is open. */
bool run_file_begin(run_file *f, error *e);

/* Commit the open transaction, if there is one, and the seconds with it. */
bool run_file_commit(run_file *f, error *e);

/* Commit if the last commit is a while ago. */
bool run_file_commit_if_due(run_file *f, error *e);

#endif
