/* SPDX-License-Identifier: Apache-2.0 */
/* A chunk: the results of a range of cases of one test. The executor fills it, the worker sends it to the run, and the
   run stores it. */
#ifndef TOUCHSTONE_CHUNK_H
#define TOUCHSTONE_CHUNK_H

#include "backends/backend.h"
#include "harness/space/space.h"
#include "harness/base/error.h"
#include "harness/store/store_finding.h"
#include "harness/base/verdict.h"
#include "harness/base/wire.h"

/* Counts of one data type at one feature level. */
typedef struct chunk_tally {
    uint32_t dtype;
    ts_level level; /* the lowest level whose row accepts the cases; 0: none */
    uint64_t cases[VERDICT_COUNT];
} chunk_tally;

typedef struct chunk_observation {
    char kind[96];
    uint64_t cases;
    char example[CASE_ID_SIZE]; /* a case id */
    char detail[256];           /* what the backend did in that case, or "" */
} chunk_observation;

/* Cases that broke a clause on purpose. */
typedef struct chunk_broken {
    char clause[32];
    uint64_t cases, refused;
} chunk_broken;

typedef struct chunk {
    uint64_t first, last; /* [first, last): the results of all its legal cases are here */
    bool ended;           /* last is the end of the range that was requested */
    bool tainted;         /* the backend faulted: this process must execute no more cases */
    bool retired;         /* this process must execute no more cases of the test: each needs a new one */
    bool suspected;       /* the backend faulted in a submission of the legal cases of [last, candidate], or one case
                             took too long. None of them has a verdict yet. */
    uint64_t candidate;
    char suspicion[160]; /* how the backend failed there */
    bool stalled;        /* by taking too long */
    uint8_t *verdicts;   /* one byte per legal case, in order of index */
    size_t cases, capacity;
    uint64_t hash[2]; /* sums over cases of a mix of (index, verdict): the same for any division into chunks */
    chunk_tally tallies[TS_DTYPE_COUNT * 4];
    size_t tally_count;
    uint8_t last_tally[TS_DTYPE_COUNT]; /* private: where the last case of each type was counted */
    chunk_observation observations[48];
    size_t observation_count;
    chunk_broken broken[64];
    size_t broken_count;
    store_finding *findings; /* own their strings */
    size_t finding_count, finding_capacity;
} chunk;

void chunk_init(chunk *c);
void chunk_clear(chunk *c); /* frees the contents */

/* Add a case to such sums, or subtract it. */
void chunk_count_case(uint64_t sums[2], uint64_t index, verdict v, bool add);

/* Add the verdict of one more case. */
bool chunk_add(chunk *c, uint64_t index, uint32_t dtype, ts_level level, verdict v, error *e);
/* Change the verdict of a case that was added: c->verdicts[place]. */
void chunk_change(chunk *c, size_t place, uint64_t index, uint32_t dtype, ts_level level, verdict v);
/* Count a case that broke a clause on purpose. */
void chunk_break(chunk *c, const char *clause, bool refused);
/* The observation of a kind, with 0 cases if it is new. NULL where there is no room for another. */
chunk_observation *chunk_observe(chunk *c, const char *kind);
/* Append a finding, zeroed, and return it; NULL where memory is out. */
store_finding *chunk_add_finding(chunk *c);
/* The finding with this verdict that stands for a class of cases (support_class), or NULL. */
store_finding *chunk_find_class(chunk *c, const char *class, verdict v);

/* Write a chunk to a message, and read it. Everything read is checked: false where the message is no chunk of cases in
   [first, end). The caller clears *c in either case. */
void chunk_encode(const chunk *c, wire *w);
bool chunk_decode(chunk *c, wire *w, uint64_t first, uint64_t end);

#endif
