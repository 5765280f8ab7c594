/* SPDX-License-Identifier: Apache-2.0 */
/* Workers on a platform that cannot fork: Touchstone spawns its own program, and the new process makes plan and waivers
   again. */
#ifndef TOUCHSTONE_WORKER_SPAWN_H
#define TOUCHSTONE_WORKER_SPAWN_H

#include "harness/run/worker.h"

/* Encode what a spawned worker needs to start. */
void worker_encode_setup(wire *w, const worker_setup *setup);

/* The data for platform_process_start: the encoded setup, and the memory shared with the run. Valid as long as w is. */
platform_spawn_data worker_spawn_data(const wire *w, const worker_context *c);

/* A decoded setup, and the memory that it points into. */
typedef struct worker_spawned {
    worker_setup setup;
    struct worker_spawned_parts *parts;
} worker_spawned;

/* Decode a setup, and make its plan and waivers. The caller frees *s whether this succeeds or not. Errors: those of
   waivers_load and plan_make; the suite digest differs from the run's, because a case file was changed meanwhile. */
bool worker_decode_setup(worker_spawned *s, const void *bytes, size_t size, error *e);
void worker_free_setup(worker_spawned *s);

/* If this process was spawned as a worker, run it and never return. Every program that starts workers calls this first
   in main. */
void worker_run_if_spawned(void);

#endif
