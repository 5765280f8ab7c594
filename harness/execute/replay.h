/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replays: cases executed in another order than a run's, to find failures that depend on the cases before them. A
 * replay records nothing: the caller compares its result with the verdicts of the run. Each replay that executes cases
 * gets a new process, so that the cases executed before a case are known.
 */
#ifndef TOUCHSTONE_REPLAY_H
#define TOUCHSTONE_REPLAY_H

#include "harness/execute/chunk.h"
#include "harness/execute/rerun_stats.h"
#include "harness/base/wire.h"

/* Legal cases of a block: those that are shuffled together, and executed in one process. */
#define REPLAY_BLOCK_CASES UINT64_C(32768)

typedef enum replay_kind {
    REPLAY_CUT,    /* find the first index of each block, so that [first, end) has `cases` legal cases per block */
    REPLAY_BEFORE, /* list the last `cases` legal cases of [first, end) */
    REPLAY_ORDER,  /* list the cases at places [from, until) of the shuffled block [first, end) */
    REPLAY_BLOCK,  /* execute the block [first, end) in its shuffled order, places [from, until) */
    REPLAY_LIST,   /* execute the cases of `list`, and the last one `times` times */
    REPLAY_POINTS, /* execute the points of `points`, which need not be cases of the test, once each */
    REPLAY_CASES,  /* execute the cases of `points`, once each, up to the first with the verdict `stop` */
    REPLAY_FINDING /* execute the one case of `points` and describe its failure */
} replay_kind;

/* A case of a list: the test, as an item of the plan, and the index. */
typedef struct replay_case {
    uint64_t item, index;
} replay_case;

/* A request. `place` means the position in the shuffled order of a block, `ordinal` that in order of index. */
typedef struct replay {
    replay_kind kind;
    size_t item;         /* of the plan: the test */
    uint64_t first, end; /* indices */
    uint64_t cases;
    uint64_t seed;        /* ORDER and BLOCK */
    uint64_t from, until; /* places */
    /* BLOCK */
    bool singly; /* submit every case alone, as LIST always does */
    /* BLOCK and FINDING */
    verdict death;                      /* not VERDICT_NONE: the case at place `from` ended its last process; it gets */
    char how[120];                      /* this verdict and text ("ended in SIGSEGV"), and is not executed */
    uint64_t findings, waived_findings; /* to report at most */
    const uint8_t *verdicts;            /* also ORDER: the cases' verdicts in the run, by ordinal */
    size_t verdict_count;
    /* LIST */
    const replay_case *list; /* of any tests of the plan; the last one is of `item` */
    size_t count;
    uint64_t times;
    /* POINTS: `cases` lines, parameters as in ids. All are executed with the poison and the data of case `first`.
       CASES and FINDING: `cases` lines, ids without the operator. They may belong to any test of the operator, and have
       the poison and the data that they have in a run. */
    const char *points;
    /* CASES */
    verdict stop;
    bool reuses; /* in any process: what was executed there before may matter, and the caller finds out */
} replay;

/* A case whose verdict differs from its verdict in the run. */
typedef struct replay_difference {
    uint64_t index, ordinal, place;
    uint32_t dtype;
    ts_level level;
    verdict before, now;
    bool waived; /* a waiver applies to it */
} replay_difference;

typedef struct replay_result {
    bool fine; /* else e says why the suite failed */
    error e;
    /* CUT: the first index of every block. BEFORE and ORDER: indices. POINTS: the verdict of each point that was
       executed or skipped, in their order; VERDICT_NONE: it is no legal point, or the backend does not support it.
       CASES and FINDING: the same. Owned, as is the next. */
    uint64_t *numbers;
    size_t number_count, number_capacity;
    replay_difference *differences; /* BLOCK */
    size_t difference_count, difference_capacity;
    uint64_t
        at; /* BLOCK: the place at which to continue. LIST and POINTS: the place of the last case that was executed */
    bool together;           /* BLOCK: the backend faulted in a submission of several cases that begins at `at` */
    bool tainted;            /* the process can execute no more cases */
    rerun_stats rerun_stats; /* LIST: the results of the last case */
    chunk chunk;             /* BLOCK and FINDING: findings */
    /* Set by the run where the process ended: with which verdict and text, in the case at place `at`. */
    bool died;
    verdict death;
    char how[120]; /* CASES and FINDING also: the fault in the last case, "ended in SIGSEGV", or "" */
} replay_result;

void replay_result_free(replay_result *r);

/* Append to the numbers or the differences. */
bool replay_add_number(replay_result *r, uint64_t number, error *e);
bool replay_add_difference(replay_result *r, const replay_difference *d, error *e);

/* Shuffle the `cases` cases of the block that begins at index `first` of the test with this name_hash: order[place] is
   the ordinal of a case. The order depends on these arguments alone. */
void replay_shuffle(uint32_t *order, uint64_t cases, uint64_t seed, uint64_t name_hash, uint64_t first);

/* Does the replay execute cases, and so need a new process? */
bool replay_executes(const replay *t);

/* Write and read messages. A decoded replay points into the message, except for its list, which is copied to *list and
   freed by the caller. */
void replay_encode(const replay *t, wire *w);
bool replay_decode(replay *t, replay_case **list, wire *w);
void replay_result_encode(const replay_result *r, const replay *t, wire *w);
/* False where the result does not fit the request. The caller frees *r in either case. */
bool replay_result_decode(replay_result *r, const replay *t, wire *w);

#endif
