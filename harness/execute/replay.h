/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trials: cases executed for what they do to each other, in another order than a run's own. Nothing is booked here: who
 * asks for a trial compares what came of it with what a run has. A trial that executes cases has a process that no case
 * was executed in before, so that what came before a case in it is known.
 */
#ifndef TOUCHSTONE_REPLAY_H
#define TOUCHSTONE_REPLAY_H

#include "harness/execute/chunk.h"
#include "harness/execute/rerun_stats.h"
#include "harness/base/wire.h"

/* Legal cases that are shuffled together, and executed in one process. */
#define REPLAY_BLOCK_CASES UINT64_C(32768)

typedef enum replay_kind {
    REPLAY_CUT,    /* where are [first, end) to be cut, so that each part has `cases` legal cases? */
    REPLAY_BEFORE, /* the last `cases` legal cases of [first, end) */
    REPLAY_ORDER,  /* the cases at places [from, until) of the order of the block [first, end) */
    REPLAY_BLOCK,  /* execute the block [first, end) in its order, from place `from` on */
    REPLAY_LIST    /* execute the cases of `list`, and the last one `times` times */
} replay_kind;

typedef struct replay {
    replay_kind kind;
    size_t item;         /* of the plan: whose cases */
    uint64_t first, end; /* indices */
    uint64_t cases;
    uint64_t seed;        /* ORDER and BLOCK */
    uint64_t from, until; /* places in the order */
    /* BLOCK */
    bool singly;                        /* one case per submission, as LIST does anyway */
    verdict death;                      /* not VERDICT_NONE: the case at place `from` ended its process, */
    char how[120];                      /* in this way; it is reported, and not executed */
    uint64_t findings, waived_findings; /* that are kept at most */
    const uint8_t *verdicts;            /* also ORDER: of its cases so far, in order of index */
    size_t verdict_count;
    /* LIST */
    const uint64_t *list; /* indices */
    size_t count;
    uint64_t times;
} replay;

/* A case that came out otherwise than before. */
typedef struct replay_difference {
    uint64_t index, ordinal; /* among the block's cases */
    uint64_t place;          /* in its order */
    uint32_t dtype;
    ts_level level;
    verdict before, now;
    bool waived; /* a waiver holds it */
} replay_difference;

typedef struct replay_result {
    bool fine; /* else e says why the suite failed */
    error e;
    /* CUT: the first index of every part. BEFORE and ORDER: indices. Owned, as is the next. */
    uint64_t *numbers;
    size_t number_count;
    replay_difference *differences; /* BLOCK */
    size_t difference_count;
    uint64_t at;   /* BLOCK: the place behind the last that is done. LIST: the place of the last that was executed */
    bool together; /* BLOCK: something befell several cases that were submitted together, from `at` on */
    bool tainted;  /* the process must not be used any more */
    rerun_stats rerun_stats; /* LIST: what came of the last case */
    chunk chunk;   /* BLOCK: findings */
    /* Set where the process ended: in which way, in the case at place `at`. */
    bool died;
    verdict death;
    char how[120];
} replay_result;

void replay_result_free(replay_result *r);

/* Add to the numbers. */
bool replay_add_number(replay_result *r, uint64_t number, error *e);
bool replay_add_difference(replay_result *r, const replay_difference *d, error *e);

/* The places of `cases` cases in the order that a seed makes of a block of test `name_hash` from index `first` on:
   order[place] is the ordinal of a case. */
void replay_shuffle(uint32_t *order, uint64_t cases, uint64_t seed, uint64_t name_hash, uint64_t first);

/* Does it execute cases, and so needs a process of its own? */
bool replay_executes(const replay *t);

/* As messages. A trial that was taken points into the message, but for its list, which is copied into *list. */
void replay_encode(const replay *t, wire *w);
bool replay_decode(replay *t, uint64_t **list, wire *w);
void replay_result_encode(const replay_result *r, const replay *t, wire *w);
/* *r is to be freed in either case; false where it makes no sense. */
bool replay_result_decode(replay_result *r, const replay *t, wire *w);

#endif
