/* SPDX-License-Identifier: Apache-2.0 */
/* Worker processes: start, message, watch and end them. Implemented in platform_process_posix.c and
   platform_process_win32.c. */
#ifndef TOUCHSTONE_PLATFORM_PROCESS_H
#define TOUCHSTONE_PLATFORM_PROCESS_H

#include "harness/base/error.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- memory that processes share ---- */

/* Allocate `size` zeroed bytes that are shared with the processes started later. NULL if memory is out. */
void *platform_shared_new(size_t size);
void platform_shared_free(void *p, size_t size);

/* ---- what a process prints ---- */

/* How much a process has printed, counted by its parent in shared memory. */
typedef struct platform_printed {
    _Atomic uint64_t turn;  /* odd while the parent reads */
    _Atomic uint64_t bytes; /* that the parent has read */
} platform_printed;

/* In the process: the bytes that it and its children have printed, read by the parent or not. False if unknown. */
bool platform_process_printed(const platform_printed *printed, uint64_t *bytes);

/* Where the parent puts what a process prints. */
typedef struct platform_output {
    void (*take)(void *context, const char *bytes, size_t size); /* gets each piece that was read */
    void *context;
    platform_printed *printed; /* in memory from platform_shared_new if the process calls platform_process_printed */
} platform_output;

/* ---- one end of the connection between two processes ---- */

typedef struct platform_line platform_line;

/* Send or receive exactly `size` bytes. False if the other end is closed, or if a worker process takes more than two
   seconds to send them. */
bool platform_line_send(platform_line *line, const void *bytes, size_t size);
bool platform_line_receive(platform_line *line, void *bytes, size_t size);

/* ---- processes ---- */

typedef struct platform_process platform_process;

/* Can the operating system fork a process? */
bool platform_process_can_fork(void);

#define PLATFORM_SHARED 4

/* What a spawned process receives instead of a copy of its parent's memory. */
typedef struct platform_spawn_data {
    const void *bytes; /* `size` of them */
    size_t size;
    const void *shared[PLATFORM_SHARED]; /* from platform_shared_new; mapped in the new process as well */
    size_t shared_count;
    size_t writable;        /* the process can write the first so many of them, and only read the others */
    platform_output output; /* for its standard output and error. take NULL: they go to this one's standard error */
} platform_spawn_data;

/* Start a process that runs f(context, line) on a copy of this process's memory, and exits without flushing the files
   that this process has open. If the operating system cannot fork (Windows), spawn the program again instead: it
   receives `spawn` from platform_process_spawned; NULL is an error there. The new process does not outlive this one, an
   interrupt from the terminal does not reach it, and its standard input is empty. What it prints is read by
   platform_process_wait and platform_process_end, however much that is. Where processes are
   forked, the new one has no descriptor of this process but the standard streams and its connection, and is in a
   process group of its own; if `spawn` is not NULL, it has no writable memory in common with this process but what
   `spawn` names. NULL on an error. */
platform_process *platform_process_start(void (*f)(void *context, platform_line *line), void *context,
                                         const platform_spawn_data *spawn, error *e);

/* What a spawned process received; lives as long as the process. */
typedef struct platform_spawned {
    platform_line *line;
    void *bytes;
    size_t size;
    const void *shared[PLATFORM_SHARED];    /* NULL behind the last one */
    void *shared_writable[PLATFORM_SHARED]; /* the same, those that it can write; NULL behind them */
} platform_spawned;

/* What this process received if it was spawned by platform_process_start, else NULL. To be called once, at the start of
   main. */
const platform_spawned *platform_process_spawned(void);

/* Exit a spawned process without flushing its open files. Does not return. */
void platform_process_leave(void);

platform_line *platform_process_line(platform_process *p);

/* Wait until one of n processes has sent something or has ended, or until the time is over. Marks these processes in
   ready[]; NULL entries are skipped. False if there is none. */
bool platform_process_wait(platform_process *const *p, size_t n, double seconds, bool *ready);

/* Has the process ended? It is not reaped by this. */
bool platform_process_has_ended(const platform_process *p);

/* Interrupt the guarded call that the process is in, if its *step still equals *interrupt: see
   platform_process_allow_interrupt. Without effect if the operating system cannot interrupt a call (Windows): then the
   caller has to end the process. */
void platform_process_interrupt(platform_process *p);

/* Allow interrupts in this process: *step is the step that it is at, *interrupt the one that is to be interrupted, or
   PLATFORM_ANY_STEP. */
#define PLATFORM_ANY_STEP UINT64_MAX
void platform_process_allow_interrupt(const _Atomic uint64_t *step, const _Atomic uint64_t *interrupt);

/* Called in a worker process: note the limits of the process, and let its stack grow before a limit forbids it. Later,
   check that the process can still do its work: that no limit was lowered since, and that memory can be mapped. False,
   with the reason, if not. */
void platform_process_note_limits(void);
bool platform_process_check(error *e);

/* The resident memory of a process with those that it started, and what memory files that it has open hold beyond; and
   the memory of the machine. In bytes; 0 if unknown. */
uint64_t platform_process_memory(const platform_process *p);
uint64_t platform_machine_memory(void);

/* The processor time that the process and those that it started have used, in seconds, and whether one of them is
   runnable (or running) at this moment, or the process waits until what it prints is read. False if unknown. */
bool platform_process_used(const platform_process *p, double *seconds, bool *runs);

/* Reap the process: wait for its end, kill it after the given seconds, kill the processes that it started (where
   processes are forked), and free `p`. buf receives how it ended, such as
   "was killed by SIGKILL" or "ended with exit status 3"; it may be NULL. */
void platform_process_end(platform_process *p, double seconds, char *buf, size_t size);

#endif
