/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of this room: space.c declares axes and predicates, space_close.c computes blocks, tuples and
   digits, space_watch.c decides predicates as early as possible, space_inner.c enumerates the inner axes, space_walk.c
   walks, space_id.c converts ids, covering.c makes covering rows, space_rows.c reads and writes them, space_drawn.c
   draws points, space_kept.c reads and writes drawn ones. */
#ifndef TOUCHSTONE_SPACE_INTERNAL_H
#define TOUCHSTONE_SPACE_INTERNAL_H

#include "harness/space/space.h"

#define SPACE_MAX_PREDICATES 64 /* of a space, and of an alternative of a query */
#define SPACE_MAX_CHECKS                                                                                               \
    1024 /* of a block: one per predicate, or one per element for a predicate that is decided element by element */
#define MAX_FILTERS 32
#define MAX_POINTS  (UINT64_C(1) << 62)
#define ROW         (1 + SPACE_MAX_DIGITS)

/* ---- blocks ---- */

typedef struct space_digit {
    int axis;         /* scalar axis, or -1 */
    int group;        /* else group */
    uint32_t element; /* and element */
    uint32_t radix;
    uint64_t weight;
} space_digit;

typedef struct space_group {
    int per; /* as of its axes */
    uint32_t fixed;
    unsigned axis_count;
    unsigned axes[SPACE_MAX_AXES];
    uint64_t slots; /* the same as a set */
} space_group;

/* The combinations of values that the vectors of a group may have in one dimension. */
typedef struct space_tuples {
    uint32_t count;
    bool shared;     /* the values belong to another block */
    int64_t *values; /* count rows of the group's axis_count values */
} space_tuples;

typedef struct space_check {
    const expr *predicate;
    int element;    /* decide element k alone; -1: as a whole */
    unsigned level; /* from which everything that it reads is known */
} space_check;

/* Most spaces have several blocks, and a run has thousands of spaces: a block has no more room than it needs. */
typedef struct space_block {
    uint64_t first, points;
    unsigned length_count;
    int64_t *lengths; /* of the length axes, in slot order */
    space_tuples tuples[SPACE_MAX_GROUPS];
    unsigned digit_count, scalar_count; /* scalars come first, */
    unsigned inner_first, inner_count;  /* inner ones last: from this digit on, so many combinations (1: none) */
    int64_t *inner_values;              /* of each combination: as many values as there are inner digits */
    space_digit *digits;
    unsigned *check_first; /* checks of level l: [check_first[l], check_first[l+1]); level 0 is before any digit, level
                              l+1 after digit l */
    unsigned check_count;
    space_check *checks;
    uint8_t (*known)[EXPR_MAX_LENGTH]; /* of each axis the level from which each value is known; of inner axes 0 */
    void *parts;                       /* the memory of lengths, digits, check_first and known */
} space_block;

/* C11 adds no const to what an array of arrays holds. */
static inline const uint8_t (*space_known(const space_block *b))[EXPR_MAX_LENGTH]
{
    return (const uint8_t(*)[EXPR_MAX_LENGTH])b->known;
}

/* One alternative of a query: a conjunction. */
typedef struct filter {
    expr *conjuncts[SPACE_MAX_PREDICATES];
    int count;
} filter;

struct space {
    char *op, *test;
    const space *texts; /* whose texts are borrowed where they are the same; only while axes and aliases are added */
    uint64_t borrowed;  /* the axes whose texts are borrowed, */
    uint32_t borrowed_aliases;
    size_t axis_count;
    space_axis axes[SPACE_MAX_AXES];
    bool is_length[SPACE_MAX_AXES];
    bool allow_inner;
    uint64_t inner_slots;         /* the inner axes */
    int group_of[SPACE_MAX_AXES]; /* -1 for a scalar */
    expr_name names[SPACE_MAX_AXES];
    expr_scope scope;
    expr_alias aliases[SPACE_MAX_ALIASES];
    size_t group_count;
    space_group groups[SPACE_MAX_GROUPS];
    int predicate_count;
    expr *predicates[SPACE_MAX_PREDICATES];
    int filter_count;
    filter *filters[MAX_FILTERS];
    bool unfiltered; /* one of the filters always holds */
    size_t block_count, block_capacity;
    space_block *blocks;
    uint64_t points;
    uint64_t *chosen; /* indices, ascending; NULL: all points */
    size_t chosen_count;
    uint32_t *rows; /* a covering space: ROW numbers each */
    size_t row_count;
    struct space_draws *draws; /* a drawn space; else NULL */
};

/* ---- for space_id.c and covering.c ---- */

size_t space_block_count(const space *s);
const space_block *space_block_at(const space *s, size_t block);
const space_group *space_group_at(const space *s, size_t group);
void space_set_block(const space *s, space_cursor *c, unsigned block);
void space_set_digit(const space *s, space_cursor *c, unsigned level);
/* Do the predicates hold that digit level - 1 decides (level 0: that the lengths decide)? */
bool space_level_holds(const space *s, space_cursor *c, unsigned level);
/* Do all predicates hold that the first `digits` digits of the cursor's block decide? */
bool space_legal(const space *s, space_cursor *c, unsigned digits);
/* Make s a covering space of `count` rows of ROW numbers (block, then digits); s owns the rows. */
void space_take_rows(space *s, uint32_t *rows, size_t count);
/* Find the row of a covering space with the cursor's block and digits. */
bool space_row_find(const space *s, const space_cursor *c, uint64_t *row);

/* Does an expression that reads these slots read an inner axis? */
static inline bool space_reads_inner(const space *s, uint64_t uses)
{
    return (uses & s->inner_slots) != 0;
}

/* Predicate i of a block: its checks, then the conjuncts of a query of one alternative. */
const expr *space_predicate(const space_cursor *c, const space_block *b, unsigned i);

/* The number of conjuncts that are decided like predicates: those of a query with one alternative. */
unsigned space_conjunct_count(const space_cursor *c);

/* Does some alternative of the query hold at the current point? */
bool space_filters_hold(space_cursor *c);

/* Must a query with several alternatives be evaluated at every point? */
static inline bool space_has_alternatives(const space *s)
{
    return s->filter_count > 1 && !s->unfiltered;
}

/* Elements of the group's vectors in this block. */
uint32_t space_group_length(const space *s, const space_block *b, const space_group *g);

/* ---- space_watch.c ---- */

/* Evaluate the predicates after the lengths of the cursor's block are set. False if they rule out the whole block, or
   if one failed (c->failed). */
bool space_watch_begin(space_cursor *c);
/* The same after digit level - 1 is set, for the points with these digits. The digits before it are unchanged since
   their own call. */
bool space_watch_level(space_cursor *c, unsigned level);
/* After that call: is every point with these digits legal? */
bool space_watch_settled(const space_cursor *c, unsigned level);

/* ---- space_inner.c ---- */

/* Choose the inner axes, before there are blocks. */
void space_inner_choose(space *s);
/* List the combinations of a block whose digits are set. */
bool space_inner_list(const space *s, space_block *b, error *e);
/* Find the combinations that are not ruled out after lengths and scalars are set. False if none is left. */
bool space_inner_begin(space_cursor *c);
/* The same after digit level - 1 of a vector is set. */
bool space_inner_level(space_cursor *c, unsigned level);
/* Move to the first legal combination from `from` on, after all digits before the inner ones are set. False if there is
   none, or if a predicate failed (c->failed). */
bool space_inner_find(space_cursor *c, unsigned from);
/* The inner axes whose values differ between combination `before` and the current one. */
uint64_t space_inner_changed(const space_cursor *c, const space_block *b, unsigned before);
/* Is every combination that is left legal at all points with the digits up to this level? */
bool space_inner_settled(const space_cursor *c, unsigned level);

/* ---- space_drawn.c ---- */

/* Go to the first legal point from c->index on. False after the last one, or if drawing failed (c->problem). */
bool space_draws_search(space_cursor *c);
/* The drawn points and those that were added. */
uint64_t space_draws_points(const space *s);
/* Count the points in [first, end) that pass the gate, without drawing them. For spaces without filters. */
uint64_t space_draws_count(const space *s, uint64_t first, uint64_t end, space_gate gate, void *context);
/* Add a point with these values, one for each axis, unless it is there. *index: its index. */
bool space_draws_add(space *s, const expr_value *values, uint64_t *index, error *e);
/* Complete the values of a point and say whether the predicates allow it. */
bool space_draws_allow(const space *s, expr_value *values, error *e);
void space_draws_free(struct space_draws *d);
/* Draw point `index`, whatever is kept of it. */
bool space_draws_point(const space *s, expr_value *values, uint64_t index, error *e);

/* ---- space_kept.c ---- */

/* The first points of a drawn space: point i is at[i] to at[i + 1] of `bytes`. */
typedef struct space_kept {
    unsigned char *bytes;
    size_t *at, count;
} space_kept;
/* Give a drawn space these points, which it owns then, instead of those that it has. (space_drawn.c) */
void space_set_kept(space *s, const space_kept *kept);
/* Set the drawn axes that do not have their default at point `index`, which is below kept->count. False if its bytes
   are none of a point of this space. */
bool space_kept_point(const space *s, const space_kept *kept, uint64_t index, expr_value *values);

/* Release what a block owns. */
void space_block_free(space_block *b);

#endif
