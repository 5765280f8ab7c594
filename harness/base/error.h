/* SPDX-License-Identifier: Apache-2.0 */
/* Error messages: what went wrong, where, and what was expected. Functions that can fail take an `error *` and return
   false, NULL or a negative number. The function that detects the error sets the message; callers may prefix it. */
#ifndef TOUCHSTONE_ERROR_H
#define TOUCHSTONE_ERROR_H

#include "harness/base/format.h"

#include <stdarg.h>
#include <stdbool.h>

#define ERROR_PRINTF(a, b) TS_PRINTF(a, b)

/* The exit statuses of the program (design: a run). */
typedef enum exit_status {
    EXIT_CONFORMANT = 0,
    EXIT_FAILURES = 1,  /* at least one unwaived failure */
    EXIT_NOT_RUN = 2,   /* the run did not execute all that it planned, or planned nothing */
    EXIT_HARNESS = 3,   /* the harness failed */
    EXIT_REFUSED = 4,   /* a named implementation refuses a descriptor, though no page says so */
    EXIT_BEYOND = 5,    /* a descriptor is beyond what Touchstone judges */
    EXIT_BAD_USAGE = 64 /* the user's options, queries or files are wrong */
} exit_status;

typedef struct error {
    exit_status status; /* the program's exit status for this error; EXIT_HARNESS by default */
    char text[1024];
} error;

/* Set the message with EXIT_HARNESS. Returns false, so that `return error_set(...)` reads well. */
bool error_set(error *e, const char *format, ...) ERROR_PRINTF(2, 3);

/* Set the message with EXIT_BAD_USAGE: the user's input is wrong. Returns false. */
bool error_usage(error *e, const char *format, ...) ERROR_PRINTF(2, 3);

/* Set the message for a file that cannot be used: "PATH: DOING: REASON", or "PATH: REASON" if `doing` is NULL. The
   reason is that of `number`, an errno. The status is EXIT_HARNESS where the machine is at fault (a full disk, a limit
   of the process, an I/O error), else EXIT_BAD_USAGE. Returns false. */
bool error_file(error *e, const char *path, const char *doing, int number);

/* Put "prefix: " before the message. Returns false. */
bool error_prefix(error *e, const char *format, ...) ERROR_PRINTF(2, 3);

/* Set the message of standard output that could not be written, with the reason in errno, if there is one. */
bool error_output(error *e);

#endif
