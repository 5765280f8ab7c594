/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups of cases of one test, each told as a region: what failed in a run, what changed between two. A group has a
 * number, its key; whoever knows the cases says which key each has.
 */
#ifndef TOUCHSTONE_REGION_GROUPS_H
#define TOUCHSTONE_REGION_GROUPS_H

#include "harness/analysis/region.h"
#include "harness/analysis/run_cases.h"

enum {
    REGION_GROUPS_KEYS = 1024,
    REGION_GROUPS_TOLD =
        12, /* regions per test that are worked out; of more groups only the count and an example are known */
    REGION_GROUPS_NONE = -1 /* the key of a case that is in no group */
};

/* A predicate of a group, as a query that can be pasted into run. */
typedef struct group_part {
    char *query;
    uint64_t cases, others; /* of the group that it holds; and not of the group */
} group_part;

typedef struct group {
    int key;
    uint64_t cases;
    uint64_t first, last; /* indices */
    char *example;        /* the first of them: an id */
    group_part *parts;
    size_t part_count; /* 0: not worked out */
    uint64_t missed;   /* cases that no part holds */
    bool exact;        /* the parts hold the cases of the group and no others */
} group;

typedef struct region_groups {
    group *list; /* in order of their first cases */
    size_t count;
} region_groups;

/* Takes a case: where it is, and its key. False ends the pass. */
typedef bool (*region_groups_each)(void *to, const space_cursor *at, int key);

/* Shows all cases of the test, in order of index. With `all` false, cases in no group may be left out. *adrift: what it
   shows cannot be relied on. */
typedef bool (*region_groups_source)(void *context, bool all, region_groups_each each, void *to, bool *adrift,
                                     error *e);

/* Find the groups and their regions. `within` is what the run's own query adds to every predicate ("" for none).
   `space` is the test's. Freed by region_groups_free, also after an error. *adrift as the source said; no groups then.
 */
bool region_groups_find(region_groups *g, const space *s, const char *within, region_groups_source source,
                        void *context, bool *adrift, error *e);
void region_groups_free(region_groups *g);
void group_free(group *g); /* what it holds */

/* The groups of failing cases of one test of a run; the key is the verdict. */
bool region_groups_of_failures(region_groups *g, run_cases *r, int64_t test, bool *adrift, error *e);

#endif
