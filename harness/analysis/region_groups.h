/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups of cases of one test, each described as a region: the cases that failed in a run, or changed between two runs.
 * A group has a number, its key; the caller gives the key of each case.
 */
#ifndef TOUCHSTONE_REGION_GROUPS_H
#define TOUCHSTONE_REGION_GROUPS_H

#include "harness/analysis/region.h"
#include "harness/analysis/run_cases.h"

enum {
    REGION_GROUPS_KEYS = 1024,
    REGION_GROUPS_LEARNED = 12, /* groups per test whose regions are learned; further groups have a count and example */
    REGION_GROUPS_NONE = -1     /* the key of a case that is in no group */
};

/* A part of a region, as a query for `touchstone run`. */
typedef struct group_part {
    char *query;
    uint64_t cases, others; /* cases that the query selects: of the group, and not of the group */
} group_part;

typedef struct group {
    int key;
    uint64_t cases;
    uint64_t first, last; /* case indices */
    char *example;        /* the id of the first case */
    group_part *parts;
    size_t part_count; /* 0: the region was not learned */
    uint64_t missed;   /* cases that no part selects */
    bool exact;        /* the parts select the cases of the group and no others */
} group;

typedef struct region_groups {
    group *list; /* in order of their first cases */
    size_t count;
} region_groups;

/* Receives a case and its key. Returns false to end the pass. */
typedef bool (*region_groups_each)(void *to, const space_cursor *at, int key);

/* Calls `each` for all cases of the test, in order of index. With `all` false, it may leave out cases in no group.
 *adrift: verdicts and cases do not match, so that the groups cannot be used. */
typedef bool (*region_groups_source)(void *context, bool all, region_groups_each each, void *to, bool *adrift,
                                     error *e);

/* Find the groups and learn their regions. `space` is the test's; `within` is the predicate of the run's own query,
   which is added to every part ("": none). *adrift is set by the source; there are no groups then. The caller frees *g
   with region_groups_free, also after a failure. */
bool region_groups_find(region_groups *g, const space *s, const char *within, region_groups_source source,
                        void *context, bool *adrift, error *e);
void region_groups_free(region_groups *g);
void group_free(group *g); /* its strings and parts, not *g itself */

#endif
