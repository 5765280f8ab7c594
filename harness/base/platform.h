/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that differs between operating systems, implemented in platform_*_posix.c and platform_*_win32.c. No other
   file asks which operating system it runs on. */
#ifndef TOUCHSTONE_PLATFORM_H
#define TOUCHSTONE_PLATFORM_H

#include "harness/base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

/* Initialise the process: switch its standard streams and files to binary mode; keep the numbers of standard streams
   that are closed from being given to other files (writing to such a stream fails); let writing fail, instead of ending
   the process, where a file may not become larger. To be called first in main. */
void platform_begin(void);

/* Run f(argc, argv) with a stack of at least 1 MiB, also if the process has a smaller one (ulimit -s), and return its
   result. */
int platform_run(int (*f)(int argc, char **argv), int argc, char **argv);

/* Open a FIFO, device or similar for writing. Fails with ENXIO, instead of waiting, if no process reads a FIFO. NULL on
   failure, with errno set. */
FILE *platform_open_stream(const char *path);

/* ---- memory with guard pages ---- */

size_t platform_page_size(void);

/* Map `capacity` bytes (a multiple of the page size) of zeroed memory with an inaccessible page before and after.
   NULL if memory is out. */
unsigned char *platform_map_guarded(size_t capacity);
void platform_unmap_guarded(unsigned char *p, size_t capacity);

/* ---- memory that is mapped twice ---- */

/* Map `size` zeroed bytes, and a second time at other addresses where they can only be read: *distance is what to add
   to the address of a byte to get its second address. 0 where the operating system cannot do that. The memory must not
   be in use when the process forks. NULL if memory is out. */
void *platform_map_twice(size_t size, ptrdiff_t *distance);
void platform_unmap_twice(void *p, size_t size, ptrdiff_t distance);

/* ---- faults ---- */

#define PLATFORM_FRAMES 24

typedef struct platform_fault {
    int signal;                    /* C's number for it; 0: the call was interrupted (platform_process_interrupt) */
    const char *name;              /* "SIGSEGV" */
    bool touched;                  /* the fault is an access to unmapped or protected memory, */
    void *address;                 /* at this address */
    bool write;                    /* the access was a write; false if the operating system does not report it */
    void *frames[PLATFORM_FRAMES]; /* the stack trace, innermost first; empty if it is not available */
    int frame_count;
} platform_fault;

/* Run f(context). A memory fault, illegal instruction, arithmetic fault or abort inside f ends the call: *fault is
   filled in, false is returned, and the process continues. Not reentrant. Locks and memory that f held are not
   released. */
bool platform_guarded_call(void (*f)(void *context), void *context, platform_fault *fault);

/* Load what stack traces need, so that processes started later have it. */
void platform_prepare_faults(void);

/* Install the fault handlers again, after a library that was loaded may have replaced them. The first guarded call
   installs them in any case. */
void platform_install_fault_handlers(void);

/* Describe a frame as "function+0x1c in libvendor.so"; "" if it is unknown or belongs to this program. */
void platform_describe_frame(void *frame, char *buf, size_t size);

/* ---- trials (platform_trial_posix.c and _win32.c) ---- */

typedef enum platform_trial {
    PLATFORM_TRIAL_ENDED,      /* f returned in time */
    PLATFORM_TRIAL_ENDLESS,    /* it used up its processor time, or was killed */
    PLATFORM_TRIAL_DIED,       /* a signal ended it, such as a memory fault */
    PLATFORM_TRIAL_FAILED,     /* the system did not start it */
    PLATFORM_TRIAL_UNSUPPORTED /* the operating system cannot copy a process (Windows): f did not run */
} platform_trial;

/* Find out whether f(context) returns within so many seconds of processor time. It runs in a copy of this process, so
   that it has no effect here: f must do the same when it is called again, write nothing and start no process. */
platform_trial platform_try(void (*f)(void *context), void *context, unsigned seconds);

/* ---- shared libraries ---- */

void *platform_library_open(const char *path, char *message, size_t size);
void (*platform_library_symbol(void *library, const char *name))(void);
void platform_library_close(void *library);
/* What follows the name of a backend in that of its file: ".so", "-backend.dll". */
const char *platform_library_suffix(void);

/* ---- locks ---- */

#define PLATFORM_LOCKED  (-1) /* another process holds the lock */
#define PLATFORM_NO_LOCK (-2) /* the file system has no locks, or the file does not exist */

/* Give a file a name that is not in use; it may keep its old name as well. False on failure, with errno set. */
bool platform_name_file(const char *file, const char *name);

/* Lock a file for this process and its children, without waiting. Returns a number for platform_unlock_file, or one of
   the values above. The lock ends with the process at the latest. */
int platform_lock_file(const char *path);
void platform_unlock_file(int lock);

/* ---- identities of processes, to be stored in files (platform_presence_*.c) ---- */

/* Describe this process in one line of text: process id, start time, machine and boot. */
void platform_presence_self(char *buf, size_t size);

typedef enum platform_presence {
    PLATFORM_PRESENCE_UNKNOWN, /* the text identifies no process */
    PLATFORM_ELSEWHERE,        /* on another machine */
    PLATFORM_ALIVE,
    PLATFORM_GONE
} platform_presence;

/* Look up the process that such a line (or NULL) describes. *pid becomes its process id; unchanged if unknown. */
platform_presence platform_presence_of(const char *text, long *pid);

/* A living child process. */
typedef struct platform_child {
    long pid;
    uint64_t memory; /* resident bytes */
    double seconds;  /* of processor time used */
} platform_child;

/* List the first `most` children of a process. Returns the number of all of them, or -1 if it is not available. */
long platform_presence_children(long pid, platform_child *list, size_t most);

/* ---- what a process holds (platform_footprint_*.c) ---- */

typedef struct platform_footprint {
    long files, threads; /* that are open, and that run */
    uint64_t heap;       /* bytes that are allocated; 0 if the C library does not tell */
} platform_footprint;

/* What this process holds now. False if the operating system does not tell. */
bool platform_footprint_self(platform_footprint *now);

/* ---- commands ---- */

/* Run a command of the shell, and read what it prints to standard output. NULL if it cannot be started. */
FILE *platform_command(const char *command);
/* Wait for its end, and close the file. Did it exit with status 0? */
bool platform_command_end(FILE *output);

/* ---- folders (platform_folder_posix.c and _win32.c) ---- */

/* Make a new empty folder for temporary files and store its path in buf. */
bool platform_temporary_folder(char *buf, size_t size, error *e);
/* Make a folder, unless it exists. */
bool platform_make_folder(const char *path, error *e);
/* Make a folder that does not exist yet. False on failure; *exists says whether that is because the path is taken. */
bool platform_new_folder(const char *path, bool *exists, error *e);
/* Remove a folder, if it is empty. */
void platform_remove_folder(const char *path);
/* Remove a folder with all that it holds, links but not what they lead to. What cannot be removed stays. */
void platform_remove_tree(const char *path);

typedef enum platform_folder {
    PLATFORM_FOLDER_ABSENT, /* there is nothing under this name */
    PLATFORM_FOLDER_EMPTY,
    PLATFORM_FOLDER_FULL,
    PLATFORM_FOLDER_OTHER /* no folder, or one that cannot be read */
} platform_folder;
platform_folder platform_folder_kind(const char *path);

/* Store the folder for files that Touchstone may make again at any time: $XDG_CACHE_HOME/touchstone or
   ~/.cache/touchstone; on Windows %LOCALAPPDATA%\touchstone. It need not exist. False if there is none. */
bool platform_cache_folder(char *buf, size_t size);
/* Make the folder above, and the one that it lies in. */
bool platform_make_cache_folder(const char *path, error *e);
/* Let nobody but this user change a file of this user. */
bool platform_protect_file(const char *path);
/* Open for reading a regular file that nobody but this user and the administrator can change. NULL for everything
   else, links and pipes among them, without waiting. On Windows, the permissions of its folder decide that. */
FILE *platform_open_protected(const char *path);

/* ---- the rest ---- */

/* Redirect standard output to standard error, and restore it with the returned value. For calls into foreign libraries
   in a process whose standard output is a summary. */
int platform_divert_output(void);
void platform_restore_output(int kept);
/* Store the folder of the running program, without a trailing slash. */
bool platform_program_folder(char *buf, size_t size);
/* Do both paths name the same existing file or folder? */
bool platform_same_file(const char *a, const char *b);
/* Create a file for writing that does not exist yet. NULL on failure, with errno set: EEXIST if it exists. */
FILE *platform_new_file(const char *path);
/* Open a regular file for reading, in binary, without waiting for anything. NULL on failure, with errno set; for
   another kind of file, *kind then becomes a description such as "a FIFO". */
FILE *platform_open_regular(const char *path, const char **kind);

/* Write what the operating system holds of a file to the disk. False on failure, with errno set. */
bool platform_sync_file(const char *path);
/* Rename a file, replacing the file that had the new name. False on failure, with errno set. */
bool platform_replace_file(const char *from, const char *to);
/* The part of a path behind its last separator: the whole path if it has none. */
const char *platform_file_name(const char *path);
/* Open a new empty file for writing and reading, which is deleted when it is closed. NULL if it cannot be created. */
FILE *platform_temporary_file(void);
/* Describe the machine ("x86_64, 2 cores, <model>") and the operating system ("Linux 6.1.0, glibc 2.36"). */
void platform_describe_machine(char *buf, size_t size);
void platform_describe_system(char *buf, size_t size);
/* The number of processor cores that this process may use. */
unsigned platform_cores(void);
/* Call f(context, i) for each i below `count`, several at once in threads of this process where there are several
   cores; in order, but for what runs at once. Returns when all calls have. They may not depend on each other, and not
   start processes. */
void platform_each(size_t count, void (*f)(void *context, size_t i), void *context);
/* Seconds from a monotonic clock. */
double platform_seconds(void);
/* Format a time as "2026-11-21T09:15:00Z". */
void platform_utc(time_t t, char *buf, size_t size);
/* The present time in microseconds: "2026-11-21T09:15:00.012345Z", 28 bytes. */
void platform_utc_now(char *buf, size_t size);
/* Is standard error a terminal? */
bool platform_stderr_is_terminal(void);

/* Is the stream a terminal that shows colours? Tells a Windows console to interpret escape sequences. */
bool platform_shows_colors(FILE *f);

#endif
