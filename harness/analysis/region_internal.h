/* SPDX-License-Identifier: Apache-2.0 */
/* What region.c (points and passes), region_learn.c (boxes and conditions) and region_text.c (conditions as text)
   share. Nothing else includes this. */
#ifndef TOUCHSTONE_REGION_INTERNAL_H
#define TOUCHSTONE_REGION_INTERNAL_H

#include "harness/analysis/region.h"

enum {
    REGION_COLUMNS = SPACE_MAX_AXES * 5,
    REGION_ATOMS = 512,
    REGION_SET = 64,       /* values of an axis that a condition can list; a longer axis has ranges only */
    REGION_IN_PASS = 160,  /* points inside that each pass stores, so that no pass displaces an earlier one */
    REGION_OUT_PASS = 800, /* points outside that each pass stores */
    REGION_IN = REGION_IN_PASS * (REGION_ROUNDS + 1),
    REGION_OUT = REGION_OUT_PASS * (REGION_ROUNDS + 1),
    REGION_CONJUNCTS = 16,
    REGION_SEEDS = 4,       /* points to grow a box from; the best box is used */
    REGION_CONDITIONS = 12, /* conditions of all predicates of a list together */
    REGION_GIVEN_UP = 3     /* rounds without a short list before learning stops */
};

/* The features of a point: one number each. */
typedef enum column_kind {
    COLUMN_SCALAR,
    COLUMN_FIRST, /* the first element of a vector */
    COLUMN_LAST,
    COLUMN_ALL, /* the set of the elements' values: a bit each */
    COLUMN_MIN, /* INT64_MAX where there are no elements */
    COLUMN_MAX  /* INT64_MIN */
} column_kind;

typedef struct column {
    column_kind kind;
    size_t slot;
    bool listed;         /* the axis has at most REGION_SET values: numbers are their positions */
    bool ordered;        /* integers, not names */
    uint64_t full;       /* listed: a bit for each value */
    int64_t least, most; /* ordered: the bounds of the axis */
} column;

/* One side of a box: the range or set of one column. A box is the smallest product of sides that contains some points.
 */
typedef struct box_side {
    uint64_t any, all; /* listed: values of any point; COLUMN_ALL: values that all points have */
    int64_t low, high; /* ordered: bounds of the value itself */
} box_side;

/* One condition. */
typedef enum atom_kind { ATOM_IN, ATOM_LEAST, ATOM_MOST, ATOM_WITHIN, ATOM_HAS } atom_kind;

typedef struct atom {
    atom_kind kind;
    uint16_t column;
    uint64_t set;  /* ATOM_IN, ATOM_WITHIN: of positions; ATOM_HAS: one bit */
    int64_t bound; /* ATOM_LEAST, ATOM_MOST */
    double cost;   /* how hard it is to read */
} atom;

typedef struct part {
    char text[REGION_TEXT];
    expr *predicate; /* NULL: the whole test */
    uint64_t inside, others;
} part;

struct region {
    const space *space;
    column columns[REGION_COLUMNS];
    size_t column_count;
    box_side whole[REGION_COLUMNS]; /* the box of all points inside */
    int64_t *in, *out;              /* stored points, column_count numbers each */
    size_t in_count, out_count;
    size_t in_first, out_first; /* index of the first point of the current pass */
    uint64_t in_seen, out_seen; /* points offered in this pass, for a fair choice */
    uint64_t inside;
    uint64_t random;
    part parts[REGION_MOST];
    size_t part_count;
    uint64_t missed, others;  /* in the current pass */
    unsigned round, given_up; /* rounds so far, and those without a short list */
};

/* Remove the learned parts. */
void region_clear_parts(region *r);

/* The number that a condition on a column compares: the value, not its position. */
int64_t region_value(const region *r, const column *c, int64_t number);

/* Write the condition as text of a query. Returns what snprintf returns. */
int region_atom_text(const region *r, const atom *a, char *buf, size_t size);

#endif
