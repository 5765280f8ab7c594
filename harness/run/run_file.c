/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/run_file.h"

#include "harness/base/platform.h"
#include "harness/run/run_store.h"

#include <unistd.h>

/* A killed run loses at most what it did since its last commit. */
#define COMMIT_SECONDS 0.25

/* A worker that was forked when the run was killed has a copy of its lock until it gets a processor and closes it. */
#define ORPHAN_SECONDS 10.0

void run_file_init(run_file *f)
{
    *f = (run_file){ .lock = PLATFORM_NO_LOCK };
}

/* Has the process ended that wrote the run last? */
static bool is_orphaned(run_file *f)
{
    long pid;
    return f->store && platform_presence_of(store_get(f->store, STORE_PROCESS), &pid) == PLATFORM_GONE;
}

bool run_file_lock(run_file *f, const char *path, error *e)
{
    const double until = platform_seconds() + ORPHAN_SECONDS;
    f->lock = platform_lock_file(path);
    while (f->lock == PLATFORM_LOCKED && platform_seconds() < until && is_orphaned(f)) {
        usleep(10000);
        f->lock = platform_lock_file(path);
    }
    return f->lock != PLATFORM_LOCKED || error_usage(e, "%s: another process is running it at this moment", path);
}

void run_file_close(run_file *f)
{
    store_close(f->store);
    platform_unlock_file(f->lock); /* after the store is closed, because closing a file drops SQLite's locks on it */
    run_file_init(f);
}

double run_file_seconds(const run_file *f)
{
    return f->seconds_before + platform_seconds() - f->started;
}

bool run_file_begin(run_file *f, error *e)
{
    if (!f->writing && store_begin(f->store, e))
        f->writing = true;
    return f->writing;
}

bool run_file_commit(run_file *f, error *e)
{
    if (!f->writing)
        return true;
    f->writing = false;
    f->committed = platform_seconds();
    return run_store_seconds(f->store, run_file_seconds(f), e) && store_commit(f->store, e);
}

bool run_file_commit_if_due(run_file *f, error *e)
{
    return platform_seconds() - f->committed < COMMIT_SECONDS || run_file_commit(f, e);
}
