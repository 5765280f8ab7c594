/* SPDX-License-Identifier: Apache-2.0 */
/* The regions of a test that failed in an earlier run, and which of their cases fail in the run that is added. */
#ifndef TOUCHSTONE_HISTORY_KNOWN_H
#define TOUCHSTONE_HISTORY_KNOWN_H

#include "harness/casefile/waivers_match.h"
#include "harness/store/history.h"

/* A span of a region that reaches up to the earlier run. */
typedef struct known_region {
    history_span span;
    verdict verdict;
    char *query, *example;
    bool exact;
    bool listed;      /* its cases are known; else its query decides which failures it has */
    case_set cases;   /* that failed in the earlier run */
    case_set now;     /* of these, the ones that fail in the run that is added, or that it did not execute */
    uint64_t ran;     /* cases that the run executed */
    uint64_t changed; /* of `now`, the ones that this run found to fail with another verdict than the region */
    case_set_place at;
} known_region;

typedef struct known {
    known_region *list;
    size_t count, capacity;
    waivers queries; /* of regions without known cases; used for their queries alone */
    size_t *owners;  /* of each query, its region */
    size_t query_capacity, owner_capacity;
    waivers_at *match; /* of the current pass */
    bool failed;       /* memory is out */
} known;

/* Read the regions of a test that failed in the run `earlier`. The cases of a region are known if the operator that
   numbers them had the digest `suite` then. The caller frees *k with known_free, also after a failure. */
bool known_read(known *k, history *h, int64_t earlier, const char *test, const char *suite, error *e);
void known_free(known *k);

/* Begin a pass over the cases of the test, in ascending order. */
bool known_start(known *k, const case_test *t, error *e);

/* The region that a failing case belonged to in the earlier run, or NULL. Each case must be greater than the one
   before. */
known_region *known_find(known *k, uint64_t index, const expr_value *values);

/* The region without known cases whose query holds the case, or NULL. */
known_region *known_find_by_query(known *k, uint64_t index, const expr_value *values);

#endif
