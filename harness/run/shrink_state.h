/* SPDX-License-Identifier: Apache-2.0 */
/* The candidates of shrinking: the simpler cases of a point, as lines of a replay. Private to shrink.c and
   shrink_candidates.c. */
#ifndef TOUCHSTONE_SHRINK_STATE_H
#define TOUCHSTONE_SHRINK_STATE_H

#include "harness/run/reduce.h"
#include "harness/run/shrink.h"

/* A case of some test of the operator. */
typedef struct shrink_point {
    const case_test *test;
    expr_value values[EXPR_MAX_SLOTS];
} shrink_point;

/* Hashes of cases. */
typedef struct shrink_seen {
    uint64_t *slots; /* 0: free */
    size_t count, capacity;
} shrink_seen;

/* The candidates of one request. */
typedef struct shrink_candidates {
    reduce_points lines; /* "drawn:size=3.1", without the operator */
    struct shrink_line {
        unsigned group; /* of moves */
        uint64_t hash;
    } * of; /* each line */
    size_t capacity;
    shrink_seen seen; /* the hashes of all lines */
    size_t most;      /* lines */
} shrink_candidates;

/* How much a case takes. */
typedef struct shrink_extent {
    uint64_t bytes;   /* of its largest tensor */
    uint64_t written; /* elements of all outputs: a sparse case may write few, in tensors of any size */
} shrink_extent;

/* What the candidates of a case have in common. */
typedef struct shrink_frame {
    uint32_t profile;
    ts_level level;
    shrink_extent most; /* of a candidate */
    shrink_seen seen;   /* what need not be tried again: was executed, or is no case */
} shrink_frame;

void shrink_seen_clear(shrink_seen *seen);
void shrink_candidates_clear(shrink_candidates *c);

/* Read the point of an id without its operator ("drawn:size=3.1"). */
bool shrink_point_read(const case_file *f, const char *line, shrink_point *p, error *e);

/* Write a point as such an id; not NULL: its numbers, and how much it takes. False: it is no case, or takes more than
   the frame allows. */
bool shrink_point_write(const shrink_frame *f, const shrink_point *p, char *line, size_t size, case_size *numbers,
                        shrink_extent *extent);

/* Line i was executed: it is not a candidate again. */
bool shrink_candidates_executed(shrink_frame *f, const shrink_candidates *c, size_t i);

/* Add the point as a line. */
bool shrink_candidates_add(shrink_frame *f, const shrink_point *p, shrink_candidates *to, error *e);

/* Add the call of the point as cases of the operator's drawn tests. */
bool shrink_candidates_convert(shrink_frame *f, const shrink_point *from, shrink_candidates *to, error *e);

/* Add the simpler cases that were not tried before, beginning with a group of moves. */
bool shrink_candidates_simpler(shrink_frame *f, const shrink_point *from, unsigned group, shrink_candidates *to,
                               error *e);

#endif
