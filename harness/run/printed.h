/* SPDX-License-Identifier: Apache-2.0 */
/* What a worker process prints. Its beginning and its end are kept, for the run file; the rest is counted. */
#ifndef TOUCHSTONE_PRINTED_H
#define TOUCHSTONE_PRINTED_H

#include "harness/store/store_printed.h"

#define PRINTED_HEAD 2048 /* bytes that are kept of the beginning, for each test */
#define PRINTED_TAIL 2048 /* and of the end */

/* The output of one process. Zero it before use. */
typedef struct printed {
    uint64_t position; /* bytes that the process has printed */
    int64_t test;      /* what it works on; 0: nothing yet. These are about what it printed meanwhile: */
    uint64_t begun;    /* the position when that began */
    uint64_t lines;    /* the last one may have no end yet */
    uint64_t stored_bytes, stored_lines;
    bool stored, counted; /* `counted`: in the row of several processes */
    size_t head_size;
    char head[PRINTED_HEAD];
    char ring[PRINTED_TAIL]; /* the last bytes of the process: the byte at position i is ring[i % PRINTED_TAIL] */
    char last;               /* byte */
} printed;

/* Take what was read. context: a printed. */
void printed_take(void *context, const char *bytes, size_t size);

/* The process works on another test from now on. */
void printed_switch(printed *p, int64_t test);

/* Was anything printed since the test began that printed_store has not stored? */
bool printed_has_news(const printed *p);

/* Store what was printed since the test began, unless that was done already. process: the number of the process. */
bool printed_store(printed *p, store *s, uint64_t process, error *e);

/* The last lines that were printed from a position on, as visible text without an end of line; NULL if there are none.
   The caller frees it. */
char *printed_last_lines(const printed *p, uint64_t from);

#endif
