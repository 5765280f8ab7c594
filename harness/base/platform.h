/* SPDX-License-Identifier: Apache-2.0 */
/* What differs by system: platform_*_posix.c and platform_*_win32.c. Nothing else asks which system it runs on. */
#ifndef TOUCHSTONE_PLATFORM_H
#define TOUCHSTONE_PLATFORM_H

#include "harness/base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

/* What a program does first: its standard streams and files carry bytes as they are. */
void platform_begin(void);

/* ---- memory with guard pages ---- */

size_t platform_page_size(void);

/* Map `capacity` bytes (a multiple of the page size) of zeroed memory with an inaccessible page before and after.
   NULL where memory is out. */
unsigned char *platform_map_guarded(size_t capacity);
void platform_unmap_guarded(unsigned char *p, size_t capacity);

/* ---- faults ---- */

#define PLATFORM_FRAMES 24

typedef struct platform_fault {
    int signal;          /* C's number for it; 0: it was interrupted (platform_process_interrupt) */
    const char *name;    /* "SIGSEGV" */
    bool touched;        /* memory that is not there was touched: */
    void *address;       /* where */
    bool write;          /* it was written, where the system tells; else false */
    void *frames[PLATFORM_FRAMES]; /* the calls that led there, innermost first; none where the system can't tell */
    int frame_count;
} platform_fault;

/* Run f(context). A memory fault, illegal instruction, arithmetic fault or abort inside it ends it, fills *fault in
   and returns false; the rest of the process goes on. Not reentrant. What f held (locks, memory) stays held. */
bool platform_guarded_call(void (*f)(void *context), void *context, platform_fault *fault);

/* Load what the telling of a fault needs, so that processes which are started from here on have it. */
void platform_prepare_faults(void);

/* Install the handlers of faults, for example again after a library has installed others. The first guarded call does
   it anyway. */
void platform_install_fault_handlers(void);

/* A frame as "function+0x1c in libvendor.so"; "" where nothing is known of it, or where it is this program's own. */
void platform_describe_frame(void *frame, char *buf, size_t size);

/* ---- shared libraries ---- */

void *platform_library_open(const char *path, char *message, size_t size);
void (*platform_library_symbol(void *library, const char *name))(void);
void platform_library_close(void *library);
/* ".so", ".dll" */
const char *platform_library_suffix(void);

/* ---- locks ---- */

#define PLATFORM_LOCKED  (-1) /* another process has it */
#define PLATFORM_NO_LOCK (-2) /* the file system has no locks, or the file is not there */

/* Give a file a name that nothing has; it may keep the one it has as well. False where that cannot be, as errno
   tells. */
bool platform_name_file(const char *file, const char *name);

/* Lock a file for this process and those that it starts, without waiting; a number for platform_unlock_file, or one of
   the above. The lock ends with the process at the latest. */
int platform_lock_file(const char *path);
void platform_unlock_file(int lock);

/* ---- processes, as files remember them (platform_presence_*.c) ---- */

/* This process in one line of text: number, start, machine and boot. */
void platform_presence_self(char *buf, size_t size);

typedef enum platform_presence {
    PLATFORM_PRESENCE_UNKNOWN, /* the text says nothing */
    PLATFORM_ELSEWHERE,        /* on another machine */
    PLATFORM_ALIVE,
    PLATFORM_GONE
} platform_presence;

/* What became of the process of such a line, which may be NULL. *pid: its number; unchanged where unknown. */
platform_presence platform_presence_of(const char *text, long *pid);

/* One of the processes that a process has started and that are alive. */
typedef struct platform_child {
    long pid;
    uint64_t memory; /* bytes that it holds */
    double seconds;  /* of a processor that it has taken */
} platform_child;

/* The first `most` of them; how many there are in all, or -1 where the system does not tell. */
long platform_presence_children(long pid, platform_child *list, size_t most);

/* ---- folders (platform_folder_posix.c and _win32.c) ---- */

/* Make a new empty folder for temporary files; its path. */
bool platform_temporary_folder(char *buf, size_t size, error *e);
/* Make a folder where there is none by that name. */
bool platform_make_folder(const char *path, error *e);
/* Remove an empty folder; what is in it keeps it. */
void platform_remove_folder(const char *path);

/* ---- the rest ---- */

/* From here on what is printed to standard output goes to standard error; and back again, with what the first returned.
   Around calls into somebody's library in a process whose output is a summary. */
int platform_divert_output(void);
void platform_restore_output(int kept);
/* Folder of the running program, without a trailing slash. */
bool platform_program_folder(char *buf, size_t size);
/* Are these two names of one file or folder that is there? */
bool platform_same_file(const char *a, const char *b);
/* Make a file that is not there yet, to be written; NULL, and errno, where it cannot be made: EEXIST where it is. */
FILE *platform_new_file(const char *path);
/* Give a file another name, in place of what had it. False, and errno, where that fails. */
bool platform_replace_file(const char *from, const char *to);
/* The part of a path behind its last separator: all of it where there is none. */
const char *platform_file_name(const char *path);
/* An empty file to be written and read, gone when it is closed; NULL where none can be made. */
FILE *platform_temporary_file(void);
/* "x86_64, 2 cores, <model>" and "Linux 6.1.0, glibc 2.36". */
void platform_describe_machine(char *buf, size_t size);
void platform_describe_system(char *buf, size_t size);
/* That this process may use. */
unsigned platform_cores(void);
/* Seconds from a monotonic clock. */
double platform_seconds(void);
/* "2026-11-21T09:15:00Z" */
void platform_utc(time_t t, char *buf, size_t size);
/* Is standard error a terminal? */
bool platform_stderr_is_terminal(void);

#endif
