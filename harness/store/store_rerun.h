/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a run keeps of its second look at cases: which blocks of a second, shuffled pass are done, which cases came out
 * otherwise there or fail and may depend on others, and what is set right in the rows of the first pass.
 */
#ifndef TOUCHSTONE_STORE_RERUN_H
#define TOUCHSTONE_STORE_RERUN_H

#include "harness/store/store.h"

/* The verdicts of the plane that begins at index `first`, which has n: room for n + 2. */
bool store_read_plane(store *s, int64_t test, uint64_t first, uint8_t *verdicts, size_t n, error *e);

/* Write them anew. */
bool store_replace_plane(store *s, int64_t test, uint64_t first, const uint8_t *verdicts, size_t n, error *e);

/* So many cases of a tally have another verdict. In a transaction that is open. */
bool store_move_tally(store *s, int64_t test, const char *dtype, const char *level, verdict from, verdict to,
                      uint64_t cases, error *e);

/* A block of the second pass is done; blocks are counted from 0 on. */
bool store_set_shuffled(store *s, int64_t test, uint64_t block, error *e);
bool store_each_shuffled(store *s, int64_t test, bool (*each)(void *context, uint64_t block), void *context, error *e);

/* A case whose failure may depend on the cases before it. */
typedef struct store_candidate {
    int64_t test;
    uint64_t index;
    verdict first, second; /* what it came to in either pass; second: VERDICT_NONE where it has not been in one */
    /* of the second pass: its block, and the ordinal of that one's first case in the test; the place from which its
     * process had executed cases, and its own place */
    uint64_t block_first, block_end, block_cases, block_ordinal, from, place;
    bool examined;
} store_candidate;

/* Keep it, unless it is there already; of each test no more than the `most` with the lowest indices of its kind (with
   or without a second verdict). */
bool store_add_candidate(store *s, const store_candidate *candidate, uint64_t most, error *e);
/* In order of test and index. */
bool store_each_candidate(store *s, bool (*each)(void *context, const store_candidate *candidate), void *context,
                          error *e);
bool store_set_examined(store *s, int64_t test, uint64_t index, error *e);

/* Say more in the finding of a case, if it is kept: v (VERDICT_NONE: as it was), and what is not NULL; `more` is put
   behind its detail. Of a case that is waived the verdict stays. */
bool store_amend_finding(store *s, int64_t test, uint64_t index, verdict v, const char *more, const char *rate,
                         const char *depends, const char *reproducer, error *e);

#endif
