/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by platform_process_posix.c (processes) and platform_shared_posix.c (what they share). */
#ifndef TOUCHSTONE_PLATFORM_PROCESS_POSIX_H
#define TOUCHSTONE_PLATFORM_PROCESS_POSIX_H

#include "harness/base/platform_process.h"

/* In a new process: take away the right to write what it shares with others, but for what `spawn` names. */
void posix_restrict_shared(const platform_spawn_data *spawn);

/* The pipe of what a process prints. */
typedef struct posix_output {
    int fd;           /* -1: there is none, or nobody can print any more */
    size_t last_read; /* bytes that the pipe had when it was last read */
    platform_output to;
} posix_output;

/* Make the pipe, if `spawn` says where the output goes. *write_end: for the new process, or -1. */
bool posix_output_open(posix_output *o, const platform_spawn_data *spawn, int *write_end);
void posix_output_close(posix_output *o);

/* Read what the process has printed, as much as its pipe holds at a time. */
void posix_output_read(posix_output *o);

/* Is the output to be read as soon as there is some? That of a process that prints line by line is read from time to
   time: a parent woken up for each line would slow its workers. */
bool posix_output_is_awaited(const posix_output *o);

/* Was the pipe so full when it was last read that the process may have waited for that? */
bool posix_output_floods(const posix_output *o);

#endif
