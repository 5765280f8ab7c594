/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One row of a covering array (covering.c): a seed, the values that fit together, and the choice of a value for each
 * parameter.
 *
 * A parameter is a scalar axis, or one element of one vector axis. A parameter with a single value is left out, so that
 * adding such an axis changes no row.
 */
#ifndef TOUCHSTONE_COVERING_ROW_H
#define TOUCHSTONE_COVERING_ROW_H

#include "harness/space/covering_missing.h"
#include "harness/space/covering_tuples.h"

#define COVERING_MAX_PARAMETERS 160

typedef struct covering_parameter {
    unsigned digit; /* of the block */
    unsigned first; /* parameter of the digit's first column */
    int axis;
    int column; /* in the group's tuples; -1 for a scalar */
    uint32_t values;
    size_t base; /* number of its first value among those of all parameters that vary */
} covering_parameter;

/* A vector's element in the row being made: the tuples of its group that agree with the values chosen for it. */
typedef struct covering_choice {
    covering_tuples *tuples; /* NULL: a scalar */
    uint64_t *fitting;
    bool narrowed; /* a value was chosen: `fitting` is not all tuples */
    bool changed;  /* since the cursor got its tuple */
} covering_choice;

/* What rows are made from, and the row being made. */
typedef struct covering_row {
    space *s;
    const space_block *b;
    unsigned count;
    covering_parameter parameters[COVERING_MAX_PARAMETERS];
    unsigned varying[COVERING_MAX_PARAMETERS], varying_count; /* parameters of more than one value, in order */
    missing_set missing;
    uint64_t random;
    int32_t chosen[COVERING_MAX_PARAMETERS]; /* value of each parameter in the row being made; -1 none yet */
    bool seeded[COVERING_MAX_PARAMETERS];    /* part of the seed of the row */
    size_t row[COVERING_MAX_PARAMETERS];     /* the chosen values, as numbers in missing_set, */
    size_t row_count;
    uint64_t *mask;   /* and as a set */
    uint8_t *allowed; /* for one parameter: its values that fit the chosen values */
    covering_tuples tuples[SPACE_MAX_GROUPS];
    covering_choice choices[SPACE_MAX_DIGITS];
    uint64_t *fitting;  /* the sets of all choices */
    uint64_t *possible; /* values x values: pairs that some row was seen to show */
    space_cursor cursor;
    unsigned held;                   /* so many levels of predicates hold at the cursor, */
    bool broken;                     /* and the next one does not */
    unsigned contradiction;          /* the level of a predicate that the seeds rule out by themselves, or
                                        COVERING_NONE */
    uint32_t made[SPACE_MAX_DIGITS]; /* the row that was made */
} covering_row;

#define COVERING_NONE UINT32_MAX

static inline bool covering_varies(const covering_parameter *p)
{
    return p->values > 1;
}

/* Begin a row that has these values (numbers in missing_set). False if they contradict each other in a tuple. */
bool covering_row_seed(covering_row *c, const size_t *members, unsigned count);

/* Find a predicate that the seeds make false, whatever the other values are: into c->contradiction. After a seed. */
void covering_row_contradiction(covering_row *c);

/* Complete the seeded row greedily: into c->chosen and the cursor. False if the result is not legal. */
bool covering_row_complete(covering_row *c);

/* After a seed: search the block for any legal point that has it. If the greedy choice fails, this finds a point, or
   finds that there is none (or none within a number of steps). Into c->chosen and c->made. */
bool covering_row_find(covering_row *c);

/* Collect the chosen values in c->row and c->mask. */
void covering_row_collect(covering_row *c);

/* Set the cursor to the chosen values, all of which are known. Is the point legal? */
bool covering_row_legal(covering_row *c);

/* Empty c->row and c->mask. */
void covering_row_clear(covering_row *c);

#endif
