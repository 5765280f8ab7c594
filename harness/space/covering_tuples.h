/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tuples of a group for covering.c: sets of them, and which values of a column they leave. A set is an array of
 * `words` words of 64 bits, one bit for each tuple.
 */
#ifndef TOUCHSTONE_COVERING_TUPLES_H
#define TOUCHSTONE_COVERING_TUPLES_H

#include "harness/space/space_internal.h"

typedef struct covering_tuples {
    uint32_t count;
    unsigned width; /* columns: the axes of the group */
    size_t words;
    uint32_t *columns;                /* the tuples, as numbers of values instead of values */
    uint64_t *having[SPACE_MAX_AXES]; /* per column: for each value, the set of tuples that have it */
    uint8_t *present[SPACE_MAX_AXES]; /* per column: for each value, 1 if any tuple has it */
    uint32_t present_count[SPACE_MAX_AXES];
} covering_tuples;

/* Index the tuples of a group. False if memory is out; covering_tuples_free in any case. */
bool covering_tuples_make(covering_tuples *t, const space *s, const space_group *group, const space_tuples *tuples);
void covering_tuples_free(covering_tuples *t);

/* Make *set the set of all tuples. */
void covering_tuples_all(const covering_tuples *t, uint64_t *set);

/* Leave in *set the tuples that have this value in this column. */
void covering_tuples_narrow(const covering_tuples *t, uint64_t *set, unsigned column, uint32_t value);

/* The first tuple of the set from number `from` on; -1 if there is none. */
int64_t covering_tuples_next(const covering_tuples *t, const uint64_t *set, uint32_t from);

/* Mark in `allowed` the values (of `values`) that the tuples of the set have in a column. Returns their number. */
uint32_t covering_tuples_values(const covering_tuples *t, const uint64_t *set, unsigned column, uint32_t values,
                                uint8_t *allowed);

#endif
