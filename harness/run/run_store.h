/* SPDX-License-Identifier: Apache-2.0 */
/* What a run writes into its file, and reads from it when it is resumed. */
#ifndef TOUCHSTONE_RUN_STORE_H
#define TOUCHSTONE_RUN_STORE_H

#include "harness/execute/chunk.h"
#include "harness/run/retained.h"
#include "harness/store/run_digest.h"
#include "harness/store/store.h"
#include "harness/casefile/plan.h"
#include "harness/run/run.h"

/* What a run knows of one test of its plan: its range, the planned cases, and the results so far. */
typedef struct run_item {
    uint64_t first, end; /* indices of this shard */
    uint64_t planned, ran;
    uint64_t sums[2];
    uint64_t slice; /* cases of a slice of the schedule (schedule.h); 0: not known yet */
    bool endless;   /* a drawn test that has PLAN_ENDLESS cases */
    retained retained[RETAINED_KINDS];
    bool class_findings; /* the run file has findings of it that stand for a class, which are not retained apart */
} run_item;

/* Has the run file findings of the test? To ask here is far cheaper than to ask the file, test by test. */
static inline bool run_item_has_findings(const run_item *item)
{
    return item->class_findings || item->retained[RETAINED_FAILING].count > 0 ||
           item->retained[RETAINED_WAIVED].count > 0;
}

/* The facts that describe a run. */
typedef struct run_facts {
    const run_options *options;
    const plan *plan;
    const run_item *items;
    const ts_info *info;
    ts_level level; /* that the backend is judged at */
    const char *reproduce;
    const char *waivers_digest;      /* "" without waivers */
    const struct coverage *coverage; /* NULL without a budget */
    const char *refused;             /* classes of cases that the backend does not support (support.h); NULL: none */
    const char *scope;               /* of the verdict (scope_facts.h) */
} run_facts;

/* Make an empty run file under a hidden name beside `output`, where store_publish moves it. NULL on an error, such as
   that there is a file `output`. */
store *run_store_create_hidden(const char *output, error *e);

/* Make the run file, with everything that is known before the first case. On an error NULL, and no file is left. */
store *run_store_create(const run_facts *facts, error *e);

/* Record that this process writes the run, with so many workers. */
bool run_store_set_process(store *s, unsigned workers, error *e);

/* Record the coverage of a session. */
bool run_store_coverage(store *s, const struct coverage *c, error *e);

/* Record how many seconds the run has taken so far. */
bool run_store_seconds(store *s, double seconds, error *e);

/* Store the results of a chunk of test `i`. The caller has opened a transaction. */
bool run_store_chunk(store *s, const plan *p, run_item *items, size_t i, chunk *c, error *e);

/* Store a finding, if it is among those that are retained. */
bool run_store_finding(store *s, int64_t test, retained k[RETAINED_KINDS], store_finding *f, error *e);

/* Read the results of an unfinished run into the items and *result, and call `unfinished` for each range of indices
   that is not done yet. It is an error if the tests of the file are not those of the plan. */
bool run_store_resume(store *s, const plan *p, run_item *items, run_result *result,
                      bool (*unfinished)(void *context, size_t item, uint64_t first, uint64_t end, error *e),
                      void *context, error *e);

/* Recount the verdicts that are stored. It is an error if they contradict what else is stored, or *result. */
bool run_store_recount(store *s, const run_result *result, error *e);

/* Compute the digest, and record the end of the run, in a separate transaction. Nothing is recorded of a run whose
   verdicts, recounted, are not its result. */
bool run_store_finish(store *s, const plan *p, const run_item *items, run_result *result, error *e);

#endif
