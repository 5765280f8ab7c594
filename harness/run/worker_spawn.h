/* SPDX-License-Identifier: Apache-2.0 */
/* A worker on a system without copies of processes: the program started anew, which makes plan and waivers again. */
#ifndef TOUCHSTONE_WORKER_SPAWN_H
#define TOUCHSTONE_WORKER_SPAWN_H

#include "harness/run/worker.h"

/* Write down what such a worker starts from. */
void worker_encode_setup(wire *w, const worker_setup *setup);

/* And what it is told where it begins: those bytes, and the memory that it shares with the run. Lives as long as the
   former. */
platform_spawn_data worker_anew(const wire *w, const worker_context *c);

/* A setup that was read, and what it points at. */
typedef struct worker_again {
    worker_setup setup;
    struct worker_again_parts *parts;
} worker_again;

/* Make it again from such bytes; to be freed in either case. Errors: what waivers_load and plan_make say; another suite
   than that of the run, whose files must have been changed meanwhile. */
bool worker_decode_setup(worker_again *again, const void *bytes, size_t size, error *e);
void worker_free_setup(worker_again *again);

/* Where this process was started as a worker, be one to the end of it; else come back at once. To be called first of
   all in the main of every program that starts workers. */
void worker_be_one(void);

#endif
