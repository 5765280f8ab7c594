/* SPDX-License-Identifier: Apache-2.0 */
/* What the backend printed: the beginning and the end of the standard output and error of its worker processes. */
#ifndef TOUCHSTONE_STORE_PRINTED_H
#define TOUCHSTONE_STORE_PRINTED_H

#include "harness/store/store.h"

/* Of each test, the run holds the texts of so many processes. What others printed is counted, in a row without a
   number. */
#define STORE_PRINTED_PROCESSES 4

/* What one process printed while it worked on one test. */
typedef struct store_printed {
    int64_t test;     /* 0: before its first test */
    uint64_t process; /* its number in the run: 1, 2, ...; 0: several processes, of which only the last one's text is
                         held */
    uint64_t processes;
    uint64_t bytes, lines; /* that were printed */
    const char *head;      /* the beginning and the end, as visible text of several lines. NULL: nothing. What is in */
    const char *tail;      /* neither of them is not held */
} store_printed;

/* *room: can the text of this process be held, or is it already? False on an error. */
bool store_has_room_for_printed(store *s, int64_t test, uint64_t process, bool *room, error *e);

/* Set the row of p->process; with process 0, add the numbers to that row, and replace its text. */
bool store_add_printed(store *s, const store_printed *p, error *e);

/* The largest number of a process; 0 if none has printed anything. */
bool store_last_printed(store *s, uint64_t *process, error *e);

/* Call back in order of tests and processes. */
bool store_each_printed(store *s, bool (*each)(void *context, const store_printed *p), void *context, error *e);

#endif
