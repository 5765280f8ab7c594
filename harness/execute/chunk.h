/* SPDX-License-Identifier: Apache-2.0 */
/* What came of a range of cases of one test: collected where they are executed, sent to the run, stored. */
#ifndef TOUCHSTONE_CHUNK_H
#define TOUCHSTONE_CHUNK_H

#include "backends/backend.h"
#include "harness/space/space.h"
#include "harness/base/error.h"
#include "harness/store/store.h"
#include "harness/base/verdict.h"
#include "harness/base/wire.h"

/* Counts of one data type at one feature level. */
typedef struct chunk_tally {
    uint32_t dtype;
    ts_level level; /* lowest level whose row accepts the cases; 0: none */
    uint64_t cases[VERDICT_COUNT];
} chunk_tally;

typedef struct chunk_observation {
    char kind[96];
    uint64_t cases;
    char example[CASE_ID_SIZE]; /* a case id */
    char detail[256];  /* what was seen in it, or "" */
} chunk_observation;

typedef struct chunk_broken {
    char clause[32];
    uint64_t cases, refused;
} chunk_broken;

/* What came of a range of indices of one test. */
typedef struct chunk {
    uint64_t first, last;   /* [first, last): all legal cases in it are done */
    bool ended;             /* last is the end that was asked for */
    bool tainted;           /* the backend faulted: this process must not be used any more */
    bool suspected;         /* the legal cases of [last, suspect] were given to the backend together, or one for too
                               long, and what came of each is still to be found out */
    uint64_t candidate;
    char suspicion[160];    /* why */
    bool stalled;           /* and that it took too long is the reason */
    uint8_t *verdicts;      /* one byte per legal case, in order of index */
    size_t cases, capacity;
    uint64_t hash[2];       /* sums over cases of a mix of (index, verdict): the same for any division into chunks */
    chunk_tally tallies[TS_DTYPE_COUNT * 4];
    size_t tally_count;
    uint8_t last_tally[TS_DTYPE_COUNT]; /* private: where cases of a type were last counted */
    chunk_observation observations[48];
    size_t observation_count;
    chunk_broken broken[64]; /* clauses that cases broke on purpose */
    size_t broken_count;
    store_finding *findings; /* strings owned */
    size_t finding_count, finding_capacity;
} chunk;

void chunk_init(chunk *c);
void chunk_clear(chunk *c); /* frees what it holds */

/* Add what a case came to to such sums, or take it from them again. */
void chunk_count_case(uint64_t sums[2], uint64_t index, verdict v, bool add);

/* One more case. */
bool chunk_add(chunk *c, uint64_t index, uint32_t dtype, ts_level level, verdict v, error *e);
/* A case broke a clause on purpose. */
void chunk_break(chunk *c, const char *clause, bool refused);
/* The observation of a kind; with no cases yet where it is new. NULL where there is no room for another. */
chunk_observation *chunk_observe(chunk *c, const char *kind);
/* Room for one more finding, zeroed; NULL where memory is out. */
store_finding *chunk_find(chunk *c);

/* To and from a message. What is read is checked: false where it is no chunk of cases in [first, end). *c is
   initialised, and to be cleared, in either case. */
void chunk_encode(const chunk *c, wire *w);
bool chunk_decode(chunk *c, wire *w, uint64_t first, uint64_t end);

#endif
