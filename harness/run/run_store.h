/* SPDX-License-Identifier: Apache-2.0 */
/* What a run writes into its file, and reads back from it when it goes on. */
#ifndef TOUCHSTONE_RUN_STORE_H
#define TOUCHSTONE_RUN_STORE_H

#include "harness/execute/chunk.h"
#include "harness/run/retained.h"
#include "harness/store/store.h"
#include "harness/casefile/plan.h"
#include "harness/run/run.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* One item of the plan as the run has it: its range, what is planned of it, what is done. */
typedef struct run_item {
    uint64_t first, end; /* of this shard */
    uint64_t planned, ran;
    uint64_t sums[2];
    retained retained[RETAINED_KINDS];
} run_item;

/* What describes the run. */
typedef struct run_facts {
    const run_options *options;
    const plan *plan;
    const run_item *items;
    const ts_info *info;
    ts_level level;        /* judged at */
    const char *reproduce;
    const char *waivers_digest; /* or "" */
    const struct coverage *coverage; /* of a run with a budget, else NULL */
    const char *refused;        /* classes of cases that the backend does not support (support.h); NULL: none */
} run_facts;

/* Make the file with all that is known before the first case. NULL on an error; then no file is left. */
store *run_store_create(const run_facts *facts, error *e);

/* Who runs it from here on: this process, with so many workers. */
bool run_store_mine(store *s, unsigned workers, error *e);

/* Tonight's share of all that is planned. */
bool run_store_coverage(store *s, const struct coverage *c, error *e);

/* Seconds of running so far. */
bool run_store_seconds(store *s, double seconds, error *e);

/* Add what came of a chunk of item `i`, in a transaction that is open. */
bool run_store_chunk(store *s, const plan *p, run_item *items, size_t i, chunk *c, error *e);

/* Add a finding, if it is among those that are kept. */
bool run_store_finding(store *s, int64_t test, retained k[RETAINED_KINDS], store_finding *f, error *e);

/* Read what is done: items' sums and kept findings, and the verdicts into the result. Each range of indices that is not
   done yet is given to `left`. An error where the file has other tests, or more of them planned, than the plan. */
bool run_store_resume(store *s, const plan *p, run_item *items, run_result *result,
                      bool (*left)(void *context, size_t item, uint64_t first, uint64_t end, error *e), void *context,
                      error *e);

/* The digest of a run: of its suite, and of each test in the order of the plan. */
typedef struct run_digest {
    XXH3_state_t state;
} run_digest;
void run_digest_start(run_digest *d, const char *suite_digest);
void run_digest_add(run_digest *d, const char *test, uint64_t ran, const uint64_t sums[2]);
void run_digest_end(run_digest *d, char digest[33]);

/* The digest of all that is done, and the end of the run: in one transaction of its own. */
bool run_store_finish(store *s, const plan *p, const run_item *items, run_result *result, error *e);

#endif
