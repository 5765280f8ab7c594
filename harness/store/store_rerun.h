/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the rerun phase stores: which blocks of the shuffled pass are done, which cases are candidates for flake
 * bisection, and corrections of the rows that the first pass stored.
 */
#ifndef TOUCHSTONE_STORE_RERUN_H
#define TOUCHSTONE_STORE_RERUN_H

#include "harness/store/store.h"

/* Read the n verdicts of the plane that begins at index `first`; `verdicts` must have room for n + 2. */
bool store_read_plane(store *s, int64_t test, uint64_t first, uint8_t *verdicts, size_t n, error *e);

/* Replace the verdicts of the plane that begins at index `first`. */
bool store_replace_plane(store *s, int64_t test, uint64_t first, const uint8_t *verdicts, size_t n, error *e);

/* Move cases of a tally to another verdict. Requires an open transaction. */
bool store_move_tally(store *s, int64_t test, const char *dtype, const char *level, verdict from, verdict to,
                      uint64_t cases, error *e);

/* Record that a block of the shuffled pass is done; blocks are counted from 0. */
bool store_set_shuffled(store *s, int64_t test, uint64_t block, error *e);
bool store_each_shuffled(store *s, int64_t test, bool (*each)(void *context, uint64_t block), void *context, error *e);

/* A candidate: a case whose failure may depend on the cases before it. */
typedef struct store_candidate {
    int64_t test;
    uint64_t index;
    verdict first, second; /* verdict in the first and in the shuffled pass; VERDICT_NONE: not executed there */
    /* In the shuffled pass: the block, and the ordinal of its first case in the test; the place at which the process
       began, and the place of the case. */
    uint64_t block_first, block_end, block_cases, block_ordinal, from, place;
    bool bisected;
} store_candidate;

/* Store a candidate, unless it is stored already. Of each test only the `most` candidates with the lowest indices stay,
   counted apart for those with and without a second verdict. */
bool store_add_candidate(store *s, const store_candidate *candidate, uint64_t most, error *e);
/* Candidates in order of test and index. */
bool store_each_candidate(store *s, bool (*each)(void *context, const store_candidate *candidate), void *context,
                          error *e);
bool store_set_bisected(store *s, int64_t test, uint64_t index, error *e);

/* Amend the finding of a case, if there is one: set the verdict v (VERDICT_NONE: leave it), append `more` to the
   detail, and set the other strings that are not NULL. The verdict of a waived case stays. */
bool store_amend_finding(store *s, int64_t test, uint64_t index, verdict v, const char *more, const char *rate,
                         const char *depends, const char *reproducer, error *e);

/* Where every case of a test that bisection executed alone passed there, amend the findings about failures of the test
   that it did not look at: append `more` to the detail, and set the reproducer unless it is NULL. */
bool store_amend_unseen(store *s, int64_t test, const char *more, const char *reproducer, error *e);

/* Store which parameters matter for the finding of a case, and append `more` to its detail. Nothing changes if that is
   stored already. */
bool store_set_matters(store *s, int64_t test, uint64_t index, const char *matters, const char *more, error *e);

/* Store to which case the finding of a case was shrunk, with its facts. */
bool store_set_shrunk(store *s, int64_t test, uint64_t index, const char *shrunk, const char *facts, error *e);

#endif
