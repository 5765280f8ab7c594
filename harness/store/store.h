/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The store: one SQLite file per run. It is written by one process and may be read by others meanwhile. Everything a
 * report needs is in it, so that readers need neither the case files nor the operators.
 *
 * Tables (format 4):
 *   meta(key, value)        what ran, where, with what: see STORE_* below
 *   test(id, name, operator, test, tier, title, points, first, indices, planned, ran, sum, sum2)   one row per test of
 * the plan, in its order; name is made of operator and test, the sums go into the digest plane(test, first, last,
 * cases, verdicts)   a range of case indices: `cases` legal ones, one nibble each (low nibble first) in order of index,
 * zlib-compressed; where all came to the same, one byte: that verdict tally(test, dtype, level, verdict, cases)   the
 * same verdicts counted: what matrices are drawn from; a view of tally_group(test, level, verdict, cases, dtypes) data
 * types that count the same share a row (`dtypes` dtype(name, id)                                             has bit
 * `id` of each): most of them do finding(...)            one row per kept case that did not pass shuffled(test, block)
 * blocks of a second, shuffled pass that are done; and suspect(...)            cases whose failure may depend on
 * others: see store_second.h observation(test, kind, cases, example, detail)     worth knowing, forbidden by no clause
 *   clause(operator, id, text, page, section, breakable, broken, refused)   the clauses of the operators that ran
 *   ledger(operator, bytes, entries)            the ledger's entries about an operator that ran: a JSON list,
 *                                               zlib-compressed from `bytes` bytes, as sqlite3's sqlar_uncompress reads
 *   verdict(id, name, fails)                    the names of verdicts, which are numbers elsewhere
 */
#ifndef TOUCHSTONE_STORE_H
#define TOUCHSTONE_STORE_H

#include "harness/base/error.h"
#include "harness/base/verdict.h"
#include "harness/store/store_finding.h"

#include <stddef.h>
#include <stdint.h>

#define STORE_FORMAT         5
#define STORE_APPLICATION_ID 0x54534F4E /* "TSON", in the SQLite header: tells a run from any other database */

typedef struct store store;

/* Make a new run file. Fails where the path exists already, whatever it holds. A file that could not be set up is
   removed again. */
store *store_create(const char *path, error *e);

/* Could a run be made under this name? Errors as of store_create. */
bool store_can_create(const char *path, error *e);

/* Give a run that was made under another name this one, and open it: who finds it finds all that was committed before.
   The other name is gone, and `s` closed, in either case. NULL on an error, such as a name that is taken. */
store *store_publish(store *s, const char *path, error *e);

/* Open an existing run, to read or to go on with it. A missing, unreadable, foreign (not SQLite, not a run) or too new or old file is told
   apart in the message, and is EXIT_BAD_USAGE. */
store *store_open(const char *path, error *e);

/* Close; open transactions are rolled back. NULL is allowed. */
void store_close(store *s);

/* Everything between begin and commit reaches the file whole or not at all. */
bool store_begin(store *s, error *e);
bool store_commit(store *s, error *e);

/* For readers of a run that another process is still writing: everything read from here to store_commit is of one
   moment. */
bool store_snapshot(store *s, error *e);

/* meta: one value per key. store_get returns NULL where there is none; the text lives until the next store_get. */
bool store_set(store *s, const char *key, const char *value, error *e);
const char *store_get(store *s, const char *key);
bool store_each_meta(store *s, bool (*each)(void *context, const char *key, const char *value), void *context,
                     error *e);
#define STORE_STATE "state"                 /* "running", "complete", "incomplete" */
#define STORE_TOUCHSTONE "touchstone"       /* version of the suite */
#define STORE_SUITE_DIGEST "suite_digest"   /* of operators, references and case files */
#define STORE_DIGEST "digest"               /* of the run: what came of every case */
#define STORE_COMMAND "command"             /* as typed */
#define STORE_REPRODUCE "reproduce"         /* what "touchstone run ID" needs behind it to run a case again */
#define STORE_RECIPE          "recipe"            /* JSON: what resume needs to go on (run_config_of.h) */
#define STORE_QUERY "query"
#define STORE_TIER "tier"
#define STORE_LEVEL "feature_level"         /* judged at: "6_4" or "none" */
#define STORE_PROFILE "profile"
#define STORE_BACKEND "backend"             /* name */
#define STORE_BACKEND_VENDOR "backend_vendor"
#define STORE_BACKEND_VERSION "backend_version"
#define STORE_BACKEND_DRIVER "backend_driver"
#define STORE_BACKEND_DEVICE "backend_device"
#define STORE_BACKEND_OPTIONS "backend_options" /* "fault=vector-tail": separated by blanks */
#define STORE_MACHINE "machine"             /* "x86_64, 2 cores, <cpu model>" */
#define STORE_SYSTEM "system"               /* "Linux 6.1.0, glibc 2.36" */
#define STORE_COMPILER "compiler"           /* the suite's own */
#define STORE_STARTED "started"             /* ISO 8601, UTC */
#define STORE_FINISHED "finished"
#define STORE_SECONDS         "seconds" /* of running, as "12.34"; kept up while it runs */
#define STORE_WORKERS "workers"
#define STORE_PROCESS         "process"        /* that writes the run: platform_presence_self */
#define STORE_REFUSED         "refused"        /* classes of cases that the backend does not support: support.h */
#define STORE_WAIVERS         "waivers"        /* the path of the file of waivers, or "" */
#define STORE_WAIVERS_DIGEST  "waivers_digest" /* of what it says, or "" */
#define STORE_SHUFFLE         "shuffle"        /* the seed of the second pass, or "" */
#define STORE_REPEAT          "repeat"         /* executions of every case */
#define STORE_SHARD "shard"                 /* "3/16", or "" */
#define STORE_COVERAGE "coverage"           /* of a run with a budget: coverage.h */

/* One test of the plan. */
typedef struct store_test {
    int64_t id;        /* set by store_add_test: 1, 2, ... in order */
    const char *name;  /* "dml.slice1:exhaustive": op and test, which store_add_test makes it of */
    const char *op;    /* "dml.slice1" */
    const char *test;  /* "exhaustive" */
    const char *tier;  /* "full" */
    const char *title; /* one line: what it tries */
    uint64_t points;   /* case indices run from 0 to points-1; not every one is a legal case */
    uint64_t first, indices; /* of these, those that this run goes through: [first, first + indices) */
    uint64_t planned;        /* legal cases that this run owes */
    uint64_t ran;      /* of these, those that are done */
    uint64_t sums[2];  /* over these, of a mix of index and verdict: see chunk.h */
} store_test;
bool store_add_test(store *s, store_test *t, error *e);

/* The cases of a test that are done by now, with their sums. */
bool store_set_done(store *s, int64_t test, uint64_t ran, const uint64_t sums[2], error *e);

/* The cases that are planned of a test, where that turns out only at the end. */
bool store_set_planned(store *s, int64_t test, uint64_t planned, error *e);

/* Verdicts of a range of indices: n legal cases, a verdict each, in order of index. */
bool store_add_plane(store *s, int64_t test, uint64_t first, uint64_t last, const uint8_t *verdicts, size_t n,
                     error *e);

/* Add to a tally. dtype is the id ("f16"), level its name ("4_1", or "none"). A run holds up to 62 data types. */
bool store_add_tally(store *s, int64_t test, const char *dtype, const char *level, verdict v, uint64_t cases,
                     error *e);

/* Something worth knowing that no clause forbids: how often, the first case that showed it (its id), and what was seen
   there. Of cases that the text leaves open the kind is an entry of the ledger and the answer: "E-GA-10: refused". */
typedef struct store_observation {
    int64_t test;
    const char *kind;
    uint64_t cases;
    const char *example, *detail; /* may be NULL */
} store_observation;

/* Add to an observation of this test and kind, keeping the first example with its detail. */
bool store_add_observation(store *s, const store_observation *o, error *e);

bool store_add_finding(store *s, store_finding *f, error *e);

/* Forget the finding of a case, if there is one. */
bool store_remove_finding(store *s, int64_t test, uint64_t index, error *e);

/* A clause of an operator that ran. */
typedef struct store_clause {
    const char *op, *id, *text, *page, *section;
    bool breakable;    /* a descriptor can break it: else it defines a meaning, or is about binding */
    uint64_t broken;   /* cases that broke it on purpose */
    uint64_t refused;  /* and of these, those that were refused as they should */
} store_clause;
bool store_add_clause(store *s, const store_clause *c, error *e);

/* Count cases that broke a clause on purpose. */
bool store_add_broken(store *s, const char *op, const char *id, uint64_t broken, uint64_t refused, error *e);

/* The ledger's entries about an operator: a JSON list, one object per entry (ledger_json.h). Set once. */
bool store_add_ledger(store *s, const char *op, const char *entries, error *e);

/* ---- reading. Each calls back in order; a callback that returns false ends it (that is no error). Pointers live
   during the callback. ---- */
bool store_each_test(store *s, bool (*each)(void *context, const store_test *t), void *context, error *e);

typedef struct store_tally {
    int64_t test;
    const char *dtype, *level;
    verdict verdict;
    uint64_t cases;
} store_tally;
bool store_each_tally(store *s, bool (*each)(void *context, const store_tally *t), void *context, error *e);
/* In order of test and case; test 0 means all; at most `limit` rows (0: all). */
bool store_each_finding(store *s, int64_t test, uint64_t limit, bool (*each)(void *context, const store_finding *f),
                        void *context, error *e);
bool store_each_observation(store *s, bool (*each)(void *context, const store_observation *o), void *context,
                            error *e);
bool store_each_clause(store *s, bool (*each)(void *context, const store_clause *c), void *context, error *e);
/* `entries` as store_add_ledger got them; in order of the operators' names. */
bool store_each_ledger(store *s, bool (*each)(void *context, const char *op, const char *entries), void *context,
                       error *e);
typedef struct store_plane {
    int64_t test;
    uint64_t first, last;
    const uint8_t *verdicts; /* one byte per case, decoded */
    size_t cases;
} store_plane;
/* The ranges of the planes alone: `verdicts` is NULL. In order. */
bool store_each_range(store *s, int64_t test, bool (*each)(void *context, const store_plane *p), void *context,
                      error *e);
bool store_each_plane(store *s, int64_t test, bool (*each)(void *context, const store_plane *p), void *context,
                      error *e);

#endif
