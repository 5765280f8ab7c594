/* SPDX-License-Identifier: Apache-2.0 */
/* A program that is a backend: start it, exchange frames with it, and end it whatever it does. */
#ifndef TOUCHSTONE_EXEC_PROGRAM_H
#define TOUCHSTONE_EXEC_PROGRAM_H

#include "backends/exec/protocol.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define PROGRAM_PRINTED 1024 /* bytes of the end of its standard error that are kept */

/* How an exchange with the program ended. */
typedef enum program_end {
    PROGRAM_FINE,
    PROGRAM_ENDED,  /* its process ended: by a signal, or by itself */
    PROGRAM_BROKEN, /* it broke the protocol, and was killed */
    PROGRAM_ABSENT, /* it could not be started */
    PROGRAM_DOUBTED /* it goes on, and what it did is not clear */
} program_end;

typedef struct program {
    pid_t pid;  /* 0: there is none */
    int line;   /* the connection */
    int errors; /* what it prints to its standard error; -1 where that is closed */
    uint32_t number;
    char printed[PROGRAM_PRINTED];
    size_t printed_size;
    unsigned char frame[TS_EXEC_FRAME_MOST]; /* the last reply */
    char why[700];                           /* why an exchange failed, in one line */
} program;

/* Start the program of these words, which has `memory` as its descriptor TS_EXEC_MEMORY. False with p->why where that
   fails. */
bool program_start(program *p, char *const *words, int memory);

/* Send a request and receive its reply: the head is in *head, and the body, of head->size - sizeof *head bytes, is
   returned in *body, where it stays until the next exchange. Unless the result is PROGRAM_FINE, the program is gone
   with all of its process group, and p->why says how. The wait has no limit of its own but `seconds`, which 0 leaves
   out. */
program_end program_exchange(program *p, uint32_t kind, uint32_t value, const void *body, size_t size, double seconds,
                             ts_exec_head *head, const unsigned char **reply);

/* Does it send more than the reply that was received? Waits so long for it. */
bool program_says_more(const program *p, int milliseconds);

/* The program broke the protocol: kill it, and put the reason into p->why. */
program_end program_break(program *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Ask the program to end, and kill it where it does not. */
void program_close(program *p);

/* Kill it, with its process group. */
void program_kill(program *p);

/* Forget a program that another process started, of which this one is a copy. */
void program_forget(program *p);

#endif
