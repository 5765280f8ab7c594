/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What share of a tier has ever been run, by runs that each have a budget of time: one night after another goes on
 * where the one before ended. A run keeps this as text (STORE_COVERAGE), and a history a row for each night.
 */
#ifndef TOUCHSTONE_COVERAGE_H
#define TOUCHSTONE_COVERAGE_H

#include "harness/base/error.h"
#include "harness/store/store.h"

/* Counts of portions are places in the order of rolling.h; the others are cases. */
typedef struct coverage {
    char key[33];        /* of the cases and their order: of suite, queries, tier, backend, what it owes. Nights of one
                            key go on one with another; under another key all begins anew */
    uint64_t night;      /* number of this one */
    uint64_t since;      /* and of the first with this key */
    uint64_t round;      /* how often all portions had been run before */
    uint64_t portions;   /* that there are */
    uint64_t first, end; /* places of tonight's: [first, end). end is first until the night is over */
    uint64_t total, ran; /* cases of all portions; of tonight's, that ran */
    uint64_t round_ran;  /* cases that ran in this round, tonight's among them */
    uint64_t ever;       /* the same of the round in which most ran */
    bool chained;        /* it goes on where another ended, or is the first. Else it has a fixed slice, and what other
                            nights ran of theirs is not known: round_ran and ever are those of tonight */
    bool over;           /* all that was begun tonight is done */
} coverage;

/* As JSON, to be freed; NULL where memory is out. */
char *coverage_write(const coverage *c);
/* False where it is none. */
bool coverage_read(coverage *c, const char *written);
/* Of a run. False where it has none: it was run without a budget. */
bool coverage_of_run(coverage *c, store *s);

/* Has all been run in its round? Behind the last case there may be portions without one. */
bool coverage_complete(const coverage *c);

/* "5.0 %", and never 0 or 100 where it is not. Returns what snprintf would. */
int coverage_share(uint64_t part, uint64_t whole, char *buf, size_t size);

/* "ran 12,345,678 of 1,234,567,890 of the tier (1.0 %); ever run: 5.0 % since night 12". Returns what snprintf would.
 */
int coverage_describe(const coverage *c, char *buf, size_t size);

/* Where the night before ended, as its run or a history tells: of a history, the last night with this key, or any if
   there is none. *found: is there one? Errors: the file is neither (EXIT_BAD_USAGE). */
bool coverage_find(const char *path, const char *key, coverage *c, bool *found, error *e);

#endif
