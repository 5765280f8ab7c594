/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which share of a tier has ever been run by sessions: runs with a budget of time, each of which continues where the
 * session before ended. A run stores this as text (STORE_COVERAGE), and a history stores a row for each session.
 */
#ifndef TOUCHSTONE_COVERAGE_H
#define TOUCHSTONE_COVERAGE_H

#include "harness/base/error.h"
#include "harness/store/store.h"

/* The schedule (harness/run/schedule.h) cuts the tier into slices; first and end are places in its order. Endless
   tests, which draw cases for as long as there is time, have an order of their own and are counted apart: there is no
   share of them. */
typedef struct coverage {
    char key[33];        /* identifies the cases and their order: a hash over suite, queries, tier, backend and planned
                            cases. A session continues another one only if both have the same key */
    uint64_t session;    /* number of this session */
    uint64_t since;      /* number of the first session with this key */
    uint64_t round;      /* how often all slices had been run before */
    uint64_t slices;     /* in all */
    uint64_t first, end; /* this session ran the slices [first, end). end equals first until the session is over */
    uint64_t total, ran; /* cases of all slices; cases that this session ran */
    uint64_t round_ran;  /* cases run in this round so far */
    uint64_t ever;       /* cases run in the round that ran most */
    uint64_t drawn_first, drawn_end; /* this session ran these slices of the endless tests */
    uint64_t drawn;                  /* cases of endless tests that this session ran, */
    uint64_t drawn_ever;             /* and the sessions before it as well. No case is drawn twice */
    bool endless;                    /* there are endless tests */
    bool chained; /* the session continues another one, or starts a chain. Otherwise it has a fixed range of
                     slices and does not know of other sessions: round_ran and ever count this session only */
    bool over;    /* all slices that the session started are done */
} coverage;

/* Write as JSON. The caller frees the text; NULL if out of memory. */
char *coverage_write(const coverage *c);
/* Read what coverage_write wrote. False if the text is not valid. */
bool coverage_read(coverage *c, const char *written);
/* Read the coverage of a run. False if it was run without a budget. */
bool coverage_of_run(coverage *c, store *s);

/* Have all cases of the round been run? Slices after the last case may be left; they have none. */
bool coverage_complete(const coverage *c);

/* Has the session endless tests, and is it not over yet? Then the number of cases that it plans has no meaning. */
bool coverage_is_endless(const coverage *c);

/* Print a share as "5.0 %". Only a share of nothing prints as 0, and only the whole as 100. Returns what snprintf
   would. */
int coverage_share(uint64_t part, uint64_t whole, char *buf, size_t size);

/* Print "ran 12,345,678 of 1,234,567,890 cases of the tier (1.0 %); ever run: 5.0 % since session 12". Returns what
   snprintf would. */
int coverage_describe(const coverage *c, char *buf, size_t size);

/* Find the session before, in its run or in a history. In a history that is the last session with this key, or the last
   session of all if none has the key. *found: is there one? The file is neither a run nor a history: EXIT_BAD_USAGE. */
bool coverage_find(const char *path, const char *key, coverage *c, bool *found, error *e);

#endif
