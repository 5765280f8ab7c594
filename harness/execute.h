/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cases against a backend: built, filled, computed by the reference, submitted in batches, judged. One executor per
 * process; it owns the buffers and knows nothing of runs and files.
 */
#ifndef TOUCHSTONE_EXECUTE_H
#define TOUCHSTONE_EXECUTE_H

#include "harness/casebuild.h"
#include "harness/plugin.h"
#include "harness/store.h"

typedef struct execute_options {
    uint32_t profile;       /* ts_profile */
    ts_level level;         /* judged at: min(backend's highest, --feature-level) */
    uint64_t max_findings;  /* kept per test */
    const char *reproduce;  /* what a reproducer adds behind "touchstone run ID": "-b cpu" */
} execute_options;

/* Counts of one data type at one feature level. */
typedef struct chunk_tally {
    uint32_t dtype;
    ts_level level; /* lowest level whose row accepts the cases; 0: none */
    uint64_t cases[VERDICT_COUNT];
} chunk_tally;

typedef struct chunk_observation {
    char kind[96];
    uint64_t cases;
    char example[640]; /* a case id */
    char detail[256];  /* what was seen in it, or "" */
} chunk_observation;

typedef struct chunk_broken {
    const char *clause;       /* lives as long as the case file */
    uint64_t cases, refused;
} chunk_broken;

/* What came of a range of indices of one test. */
typedef struct chunk {
    uint64_t first, last;   /* [first, last): all legal cases in it are done */
    bool ended;             /* last is the end that was asked for */
    uint8_t *verdicts;      /* one byte per legal case, in order of index */
    size_t cases, capacity;
    uint64_t hash[2];       /* sums over cases of a mix of (index, verdict): the same for any division into chunks */
    chunk_tally tallies[TS_DTYPE_COUNT * 4];
    size_t tally_count;
    chunk_observation observations[48];
    size_t observation_count;
    chunk_broken broken[64]; /* clauses that cases broke on purpose */
    size_t broken_count;
    store_finding *findings; /* strings owned */
    size_t finding_count, finding_capacity;
} chunk;

void chunk_init(chunk *c);
void chunk_clear(chunk *c); /* frees what it holds */

typedef struct executor executor;

/* The plugin is borrowed and stays open. */
executor *execute_open(plugin *p, const execute_options *options, error *e);
void execute_close(executor *x);

/* Legal cases of [first, end) that the backend owes: what its query supports, at its level. Cases without execution;
   used for the plan. */
bool execute_count(executor *x, const case_test *t, uint64_t first, uint64_t end, uint64_t *owed, error *e);

/* Run legal cases from `first` on, up to `end` or `max_cases` of them. c->last says how far it came. False only where
   the suite itself failed. */
bool execute_run(executor *x, const case_test *t, uint64_t first, uint64_t end, uint64_t max_cases, chunk *c,
                 error *e);

#endif
