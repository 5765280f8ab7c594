/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regions: which points of a space are these? Given points that are inside (that fail, say) and the others, find a
 * short list of predicates that hold for these and no others, written so that they can stand behind `where` in a query.
 *
 * Points come in passes, in any order and any number; what is kept of them is bounded (a few MB). The first pass
 * shows them (region_add); each further one holds what was learnt against all of them (region_check), and what it got
 * wrong is learnt from:
 *
 *     region *r = region_new(space, &e);
 *     for each point: region_add(r, values, inside)
 *     do {
 *         region_learn(r, &e)
 *         for each point: region_check(r, values, inside)
 *     } while (region_again(r));
 *     region_count(r), region_at(r, i), region_exact(r)
 *
 * A predicate is a conjunction of conditions on one axis each: `dtype in {f16, bf16} and min(stride) < 0`. Of all
 * conditions that hold inside, only those are kept that it takes to keep the others out. Where no such list of at most
 * REGION_MOST predicates exists, or none was found, the result is approximate, and says by how much.
 */
#ifndef TOUCHSTONE_REGION_H
#define TOUCHSTONE_REGION_H

#include "harness/space/space.h"

enum {
    REGION_MOST = 8,   /* predicates */
    REGION_ROUNDS = 8, /* of learning and checking */
    REGION_TEXT = 600  /* bytes of a predicate; a query takes 640 */
};

typedef struct region region;

/* The space is borrowed. NULL where memory is out. */
region *region_new(const space *s, error *e);
void region_free(region *r);

/* A point: values slot by slot, as a cursor has them. Others are cheap to show again and need not all be shown. */
void region_add(region *r, const expr_value *values, bool inside);

/* Work out predicates from what is known. False only where memory is out. */
bool region_learn(region *r, error *e);

/* Hold them against a point. Every point must be checked once per round. */
void region_check(region *r, const expr_value *values, bool inside);

/* Was something wrong, and is it worth another round? */
bool region_again(region *r);

/* What came of it: the predicates, by how much they hold. "" is the whole test. */
typedef struct region_part {
    const char *predicate;
    uint64_t inside; /* points inside that it holds and no part before it does */
    uint64_t others; /* points that it should not hold */
} region_part;
size_t region_count(const region *r);
region_part region_at(const region *r, size_t i);
uint64_t region_inside(const region *r); /* points */
uint64_t region_missed(const region *r); /* points inside that no part holds */
uint64_t region_others(const region *r); /* points outside that some part holds */
bool region_exact(const region *r);

#endif
