/* SPDX-License-Identifier: Apache-2.0 */
/* What region.c (points and passes), region_learn.c (boxes and conditions) and region_text.c (conditions as text)
   share. Nothing else includes this. */
#ifndef TOUCHSTONE_REGION_INTERNAL_H
#define TOUCHSTONE_REGION_INTERNAL_H

#include "harness/analysis/region.h"

enum {
    REGION_COLUMNS = SPACE_MAX_AXES * 5,
    REGION_ATOMS = 512,
    REGION_SET = 64,       /* values of an axis that can be told one by one; of more, only a range */
    REGION_IN_PASS = 160,  /* points kept of those inside, in each pass: so that no pass makes another forgotten */
    REGION_OUT_PASS = 800, /* and of the others */
    REGION_IN = REGION_IN_PASS * (REGION_ROUNDS + 1),
    REGION_OUT = REGION_OUT_PASS * (REGION_ROUNDS + 1),
    REGION_CONJUNCTS = 16,
    REGION_SEEDS = 4,       /* points that a box is grown from, of which the best is taken */
    REGION_CONDITIONS = 12, /* of all predicates of a list together */
    REGION_GIVEN_UP = 3     /* rounds that find no short list before it is believed that there is none */
};

/* What is looked at of a point: one number each. */
typedef enum column_kind {
    COLUMN_SCALAR,
    COLUMN_FIRST, /* the first element of a vector */
    COLUMN_LAST,
    COLUMN_ALL, /* a bit for each value that some element has */
    COLUMN_MIN, /* INT64_MAX where there are no elements */
    COLUMN_MAX  /* INT64_MIN */
} column_kind;

typedef struct column {
    column_kind kind;
    size_t slot;
    bool listed;         /* the axis has at most REGION_SET values: numbers are their positions */
    bool ordered;        /* integers, not names */
    uint64_t full;       /* of listed ones: a bit for each value */
    int64_t least, most; /* of ordered ones */
} column;

/* The least set of points, as one range or set per column, that holds those it was grown for. */
typedef struct box_side {
    uint64_t any, all; /* listed: values that some point has; COLUMN_ALL: and that all have */
    int64_t low, high; /* ordered: of the value itself */
} box_side;

/* One condition. */
typedef enum atom_kind { ATOM_IN, ATOM_LEAST, ATOM_MOST, ATOM_WITHIN, ATOM_HAS } atom_kind;

typedef struct atom {
    atom_kind kind;
    uint16_t column;
    uint64_t set;  /* ATOM_IN, ATOM_WITHIN: of positions; ATOM_HAS: one bit */
    int64_t bound; /* ATOM_LEAST, ATOM_MOST */
    double cost;   /* of reading it */
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
    box_side whole[REGION_COLUMNS]; /* of all points inside */
    int64_t *in, *out;              /* kept points, column_count numbers each */
    size_t in_count, out_count;
    size_t in_first, out_first; /* of these, the first of the pass at hand */
    uint64_t in_seen, out_seen; /* candidates for being kept in this pass, for a fair choice */
    uint64_t inside;
    uint64_t random;
    part parts[REGION_MOST];
    size_t part_count;
    uint64_t missed, others;  /* in the pass at hand */
    unsigned round, given_up; /* how many there were, and in how many of them no short list was found */
};

/* Forget what was learnt. */
void region_clear_parts(region *r);

/* The number that a condition on a column compares: the value, not its position. */
int64_t region_value(const region *r, const column *c, int64_t number);

bool region_atom_holds(const region *r, const atom *a, const int64_t *point);

/* The condition as text of a query. Returns what snprintf would. */
int region_atom_text(const region *r, const atom *a, char *buf, size_t size);

#endif
