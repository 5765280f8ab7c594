/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of space.h share: space.c declares axes and predicates, space_close.c works out blocks, tuples and
   digits, space_watch.c when predicates are decided, space_walk.c walks. Nothing else includes this. */
#ifndef TOUCHSTONE_SPACE_INTERNAL_H
#define TOUCHSTONE_SPACE_INTERNAL_H

#include "harness/space.h"

#define SPACE_MAX_PREDICATES 64   /* of a space, and of an alternative of a query */
#define SPACE_MAX_CHECKS     1024 /* of a block: predicates, one that is decided element by element once for each */
#define MAX_FILTERS          32
#define MAX_POINTS           (UINT64_C(1) << 62)
#define ROW                  (1 + SPACE_MAX_DIGITS)

/* One alternative of a query: a conjunction. */
typedef struct filter {
    expr *conjuncts[SPACE_MAX_PREDICATES];
    int count;
} filter;

struct space {
    char *op, *test;
    size_t axis_count;
    space_axis axes[SPACE_MAX_AXES];
    bool is_length[SPACE_MAX_AXES];
    int group_of[SPACE_MAX_AXES]; /* -1 for a scalar */
    expr_name names[SPACE_MAX_AXES];
    expr_scope scope;
    size_t group_count;
    space_group groups[SPACE_MAX_GROUPS];
    int predicate_count;
    expr *predicates[SPACE_MAX_PREDICATES];
    int filter_count;
    filter *filters[MAX_FILTERS];
    bool unfiltered; /* one of them holds always */
    size_t block_count;
    space_block *blocks;
    uint64_t points;
    uint64_t *chosen; /* indices, ascending; NULL: all points */
    size_t chosen_count;
    uint32_t *rows; /* a covering space: ROW numbers each */
    size_t row_count;
};

/* Elements of the group's vectors in this block. */
uint32_t space_group_length(const space *s, const space_block *b, const space_group *g);

/* ---- space_watch.c ---- */

/* The lengths of the cursor's block are set: do the predicates allow it any points, as far as can be told? False also
   where one failed (c->failed). */
bool space_watch_begin(space_cursor *c);
/* Digit level - 1 is set, and those before it have not changed since they were asked about: the same of the points
   with these digits. */
bool space_watch_level(space_cursor *c, unsigned level);
/* After that: is every point with these digits legal? */
bool space_watch_settled(const space_cursor *c, unsigned level);

/* Release what a block owns. */
void space_block_free(space_block *b);

#endif
