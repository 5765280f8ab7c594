/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which combinations of values a covering array still has to show: a set of pairs or triples (or single values) of
 * different parameters. A value is known by one number among all parameters' values; a row is a list of such numbers,
 * one of each parameter chosen so far. Kept as bits, symmetric in its members, so that what a value would show beside
 * a row is a few population counts.
 */
#ifndef TOUCHSTONE_COVERING_MISSING_H
#define TOUCHSTONE_COVERING_MISSING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MISSING_MOST_STRENGTH 3

typedef struct missing_set {
    unsigned strength; /* members of a combination: 1 to MISSING_MOST_STRENGTH */
    size_t values;     /* of all parameters together */
    size_t words;      /* of 64 bits, to a set of values */
    uint64_t *bits;    /* strength 1: a set of values; 2: one for each value; 3: one for each pair */
} missing_set;

/* All combinations of values of `strength` different ones of `count` parameters; parameter p has the values
   first[p] to first[p + 1] - 1. False where memory is out. */
bool missing_open(missing_set *m, unsigned strength, const size_t *first, size_t count);
void missing_close(missing_set *m);

/* Bytes that such a set takes; SIZE_MAX where it is more than can be counted. */
size_t missing_bytes(unsigned strength, size_t values);

/* How much a value would show beside the row, times a factor that is the same for all values: to be compared. `mask`
   is the row as a set of m->words words. */
unsigned missing_gain(const missing_set *m, size_t value, const size_t *row, size_t count, const uint64_t *mask);

/* The same of a whole row: times a factor that is the same for all rows. */
unsigned missing_shown(const missing_set *m, const size_t *row, size_t count, const uint64_t *mask);

/* The row shows all its combinations: they are missing no more. */
void missing_strike(missing_set *m, const size_t *row, size_t count, const uint64_t *mask);

/* No row can show these two values together. */
void missing_strike_pair(missing_set *m, size_t a, size_t b);

/* The next missing combination from *at on (start with 0), its members ascending; false if there is none. What is
   struck stays struck, so a walk never has to begin again. */
bool missing_next(const missing_set *m, uint64_t *at, size_t *members);

#endif
