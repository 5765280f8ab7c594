/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of case indices. A set is written once, in ascending order, and read in that order; cases that follow each other
   without a gap cost one entry. */
#ifndef TOUCHSTONE_CASE_SET_H
#define TOUCHSTONE_CASE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct case_set {
    uint8_t
        *bytes; /* the ranges before the last one: the gap before each and its length, as numbers of 7 bits a byte */
    size_t size, capacity;
    uint64_t written;    /* the end of the ranges in `bytes` */
    uint64_t first, end; /* the last range; empty where first == end */
    uint64_t count;      /* cases */
    bool failed;         /* memory is out: the set is incomplete */
} case_set;

/* Add the cases from `first` up to, not including, `end`. All of them must be greater than those that the set has. */
void case_set_add(case_set *s, uint64_t first, uint64_t end);
void case_set_free(case_set *s);

/* Pack a set for a file: *size bytes, which the caller frees, and *raw, which unpacking needs. NULL: out of memory. */
void *case_set_pack(case_set *s, size_t *size, size_t *raw);

/* Unpack a set. False: the bytes are not a set of `raw` bytes, or memory is out. */
bool case_set_unpack(case_set *s, const void *packed, size_t size, uint64_t raw);

/* A place in a set, which moves upwards. */
typedef struct case_set_place {
    const case_set *set;
    size_t at;           /* the next range in set->bytes */
    uint64_t first, end; /* what is left of the current range; end == 0: there is none yet */
} case_set_place;

/* Go to the beginning of a set, to which nothing may be added from now on. */
void case_set_start(case_set_place *p, case_set *s);

/* Does the set hold this case? Moves the place behind the case, so that each call must ask for a greater one. */
bool case_set_holds(case_set_place *p, uint64_t index);

/* Append to `to` the cases below `index` that lie at or behind the place, and move the place to `index`. */
void case_set_copy(case_set_place *p, uint64_t index, case_set *to);

#endif
