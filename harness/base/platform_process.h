/* SPDX-License-Identifier: Apache-2.0 */
/* Worker processes: started, talked to, watched, ended. What differs by system is in platform_process_posix.c and
   platform_process_win32.c. */
#ifndef TOUCHSTONE_PLATFORM_PROCESS_H
#define TOUCHSTONE_PLATFORM_PROCESS_H

#include "harness/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- memory that processes share ---- */

/* `size` zeroed bytes that processes which are started from here on share with this one; NULL where memory is out. */
void *platform_shared_new(size_t size);
void platform_shared_free(void *p, size_t size);

/* ---- one end of the line between two processes ---- */

typedef struct platform_line platform_line;

/* All of `size` bytes. False where the other end is gone. */
bool platform_line_send(platform_line *line, const void *bytes, size_t size);
bool platform_line_receive(platform_line *line, void *bytes, size_t size);

/* ---- processes ---- */

typedef struct platform_process platform_process;

/* Has the system copies of running processes? */
bool platform_process_copies(void);

#define PLATFORM_SHARED 4

/* What a process is told where it begins anew, without a copy of this one's memory. */
typedef struct platform_anew {
    const void *bytes; /* `size` of them */
    size_t size;
    void *shared[PLATFORM_SHARED]; /* of platform_shared_new: it has them too */
    size_t shared_count;
} platform_anew;

/* Start a process that runs f(context, line) on a copy of this one's memory, and ends without a word to what this one
   has open. Where the system has no such copies (Windows), the program is started anew instead, and finds out what it
   is for by platform_process_begun; without `anew` that is an error. It does not outlive this one, an interrupt from
   the terminal does not reach it, and what is printed in it goes to standard error. NULL on an error. */
platform_process *platform_process_start(void (*f)(void *context, platform_line *line), void *context,
                                         const platform_anew *anew, error *e);

/* What a process that began anew was told; lives as long as it does. */
typedef struct platform_begun {
    platform_line *line;
    void *bytes;
    size_t size;
    void *shared[PLATFORM_SHARED]; /* NULL beyond those that there are */
} platform_begun;

/* NULL where this process is no such one. To be asked once, first of all in main. */
const platform_begun *platform_process_begun(void);

/* End a process that began anew, without a word to what it has open. Does not return. */
void platform_process_leave(void);

platform_line *platform_process_line(platform_process *p);

/* Wait until one of n processes has something to say or has ended, or the seconds are over. Those that have are marked
   in ready[]. NULL entries are left out. False where none has. */
bool platform_process_wait(platform_process *const *p, size_t n, double seconds, bool *ready);

/* Interrupt the guarded call that a process is in, if *step still equals *interrupt in it
   (platform_process_allow_interrupt). Has no effect on Windows, which cannot interrupt a call: the caller has to end
   the process instead. */
void platform_process_interrupt(platform_process *p);

/* Called in the process: where it counts its steps, and where others write which step to interrupt. */
void platform_process_allow_interrupt(const _Atomic uint64_t *step, const _Atomic uint64_t *interrupt);

/* Memory that it holds, in bytes; 0 where the system does not tell. */
uint64_t platform_process_memory(const platform_process *p);
uint64_t platform_machine_memory(void);

/* Seconds for which it has had a processor so far, and whether it would go on at this moment if it had one. False where
   the system does not tell. */
bool platform_process_used(const platform_process *p, double *seconds, bool *runs);

/* End it, if it does not end by itself within the seconds, and free what is known of it. buf: how it ended, as "was
   killed by SIGKILL" or "ended with exit status 3"; may be NULL. */
void platform_process_end(platform_process *p, double seconds, char *buf, size_t size);

#endif
