/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regions describe a set of points of a space. Given the points inside the set (those that fail, for instance) and the
 * points outside, learn a short list of predicates that are true for all points inside and for no others. Each
 * predicate can follow `where` in a query.
 *
 * The caller passes the points in several passes, in any order and any number; the memory used is bounded (a few MB).
 * The first pass adds them (region_add). Each further pass checks the learned predicates against all points
 * (region_check), and the next round learns from the points for which they were wrong:
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
 * conditions that hold inside, the result has only those that are needed to exclude the points outside. Where no exact
 * list of at most REGION_MOST predicates was found, the result is approximate and counts its errors.
 */
#ifndef TOUCHSTONE_REGION_H
#define TOUCHSTONE_REGION_H

#include "harness/space/space.h"

enum {
    REGION_MOST = 8,   /* predicates */
    REGION_ROUNDS = 8, /* rounds of learning and checking */
    REGION_TEXT = 600  /* bytes of a predicate; a query has at most 640 */
};

typedef struct region region;

/* Create a region of points of `s`, which is borrowed. NULL: out of memory. */
region *region_new(const space *s, error *e);
void region_free(region *r);

/* Add a point, given by its values in the order of slots, as a cursor has them. Points outside may be left out:
   checking finds those that matter. */
void region_add(region *r, const expr_value *values, bool inside);

/* Learn predicates from the points added so far. Fails only when out of memory. */
bool region_learn(region *r, error *e);

/* Check the predicates against a point. Check every point once per round. */
void region_check(region *r, const expr_value *values, bool inside);

/* Were the predicates wrong for some point, and is another round worthwhile? */
bool region_again(region *r);

/* The result: a predicate, and how many points satisfy it. "" is true for all points. */
typedef struct region_part {
    const char *predicate;
    uint64_t inside; /* points inside that satisfy it and no earlier part */
    uint64_t others; /* points outside that satisfy it */
} region_part;
size_t region_count(const region *r);
region_part region_at(const region *r, size_t i);
uint64_t region_inside(const region *r); /* points inside */
uint64_t region_missed(const region *r); /* points inside that satisfy no part */
uint64_t region_others(const region *r); /* points outside that satisfy a part */
bool region_exact(const region *r);

#endif
