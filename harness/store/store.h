/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The store: one SQLite file per run. One process writes it; others may read it meanwhile. It holds everything that a
 * report needs, so that readers need neither the case files nor the operators.
 *
 * Tables (format 10):
 *   meta(key, value)        facts about the run: see STORE_* below
 *   test(id, name, operator, test, tier, title, points, first, indices, planned, ran, sum, sum2)
 *                           one row per test of the plan, in its order. name is made of operator and test; the sums
 *                           are part of the digest
 *   plane(test, first, last, cases, verdicts)
 *                           the verdicts of a range of case indices: `cases` legal cases in order of index, one nibble
 *                           each (low nibble first), zlib-compressed; one byte if all verdicts are the same
 *   tally(test, dtype, level, verdict, cases)
 *                           the same verdicts, counted. A view of the next two tables:
 *   tally_group(test, level, verdict, cases, dtypes)
 *                           data types with the same count share a row, as most of them do; `dtypes` has bit `id` of
 *                           each
 *   dtype(name, id)
 *   finding(...)            descriptions of failing cases: store_finding.h
 *   shuffled(test, block)   blocks of the shuffled pass that are done
 *   candidate(...)          cases whose failure may depend on the cases before them: store_rerun.h
 *   observation(test, kind, cases, example, detail)
 *                           behaviour that no clause forbids and that is worth knowing
 *   printed(test, process, processes, bytes, lines, head, tail)
 *                           what the backend printed: store_printed.h
 *   clause(operator, id, text, page, section, basis, ground, breakable, broken, refused)
 *                           the clauses of the operators that ran
 *   ledger(operator, bytes, entries)
 *                           the ledger's entries about each operator that ran: a JSON list, zlib-compressed from
 *                           `bytes` bytes, in the form that sqlite3's sqlar_uncompress reads
 *   operator(name, digest)  the operators that the run's queries name, and the digest of what decided their verdicts
 *                           (suite_digest.h)
 *   verdict(id, name, fails)
 *                           the names of verdicts, which are numbers in the other tables
 *   seal(part, sum)         checksums: of all rows of a test (part is its id), and of each table with other rows (part
 * is its name). store_open holds the contents against them, and against each other
 */
#ifndef TOUCHSTONE_STORE_H
#define TOUCHSTONE_STORE_H

#include "harness/base/error.h"
#include "harness/base/verdict.h"
#include "harness/store/store_finding.h"

#include <stddef.h>
#include <stdint.h>

#define STORE_FORMAT         10
#define STORE_APPLICATION_ID 0x54534F4E /* "TSON", in the SQLite header: marks the file as a run */

typedef struct store store;

/* Create a run file. NULL on error, also where the path exists already, whatever the file holds. A file that could not
   be set up is removed. */
store *store_create(const char *path, error *e);

/* The same for a file that gets its name by store_publish, and is worth nothing before: it is written to the disk
   there, once, instead of at every step. */
store *store_create_hidden(const char *path, error *e);

/* Could a run be created under this name, which no file has? A file of the other name, beside it, is created and removed:
   the name itself never belongs to an empty file, even if the process is killed here. Errors: those of store_create. */
bool store_can_create(const char *path, const char *hidden, error *e);

/* Rename a run that was created under another name, and open it. A process that finds the file under the new name finds
   everything that was committed before. In either case the old name is removed, and `s` is closed. NULL on error, such
   as a name that exists already. */
store *store_publish(store *s, const char *path, error *e);

/* The run that was published gets results now, and is kept from here on: an error message may tell to resume it. */
void store_has_results(store *s);

/* Was the file removed from its name since it was opened, or replaced by another one? What is written then is lost.
   Always false on Windows, where a file that is open keeps its name. */
bool store_is_displaced(store *s);

/* Open an existing run, for reading or to resume it, and check it: its tables, its checksums, and what it stores twice
   (store_recount.h). NULL on error; the message says whether the file is missing, unreadable, not SQLite, not a run, or
   of another format (EXIT_BAD_USAGE), or damaged, and where (EXIT_HARNESS). What the file declares besides the tables
   of a run is neither read nor executed. */
store *store_open(const char *path, error *e);

/* Close a run. An open transaction is rolled back. s may be NULL. */
void store_close(store *s);

/* Close a run that was created and remove its file. */
void store_discard(store *s);

/* Begin and commit a transaction: after a crash the file holds all of its changes, or none. */
bool store_begin(store *s, error *e);
bool store_commit(store *s, error *e);

/* Begin a read snapshot: until store_commit, changes that another process makes to the run are not seen. */
bool store_snapshot(store *s, error *e);

/* Set or get the value of a key in meta. store_get returns NULL where there is none; the text lives until the next
   store_get. */
bool store_set(store *s, const char *key, const char *value, error *e);
const char *store_get(store *s, const char *key);
bool store_each_meta(store *s, bool (*each)(void *context, const char *key, const char *value), void *context,
                     error *e);
#define STORE_STATE           "state"        /* "running", "complete", "incomplete" */
#define STORE_TOUCHSTONE      "touchstone"   /* version of the suite */
#define STORE_SUITE_DIGEST    "suite_digest" /* of operators, references and case files */
#define STORE_DIGEST          "digest"       /* of the run: of every case's verdict */
#define STORE_COMMAND         "command"      /* as typed */
#define STORE_REPRODUCE       "reproduce"    /* options that "touchstone run ID" needs to reproduce a case */
#define STORE_RUN_CONFIG      "recipe"       /* JSON: what resume needs (harness/run/run_config.h) */
#define STORE_QUERY           "query"
#define STORE_TIER            "tier"
#define STORE_LEVEL           "feature_level" /* of the run: "6_4" or "none" */
#define STORE_PROFILE         "profile"
#define STORE_DECISIONS       "decisions"
#define STORE_BACKEND         "backend" /* name */
#define STORE_BACKEND_VENDOR  "backend_vendor"
#define STORE_BACKEND_VERSION "backend_version"
#define STORE_BACKEND_DRIVER  "backend_driver"
#define STORE_BACKEND_DEVICE  "backend_device"
#define STORE_BACKEND_OPTIONS "backend_options" /* "fault=vector-tail": separated by blanks */
#define STORE_MACHINE         "machine"         /* "x86_64, 2 cores, <cpu model>" */
#define STORE_SYSTEM          "system"          /* "Linux 6.1.0, glibc 2.36" */
#define STORE_COMPILER        "compiler"        /* that compiled the suite */
#define STORE_STARTED         "started"         /* ISO 8601, UTC, with microseconds (older runs: in seconds) */
#define STORE_FINISHED        "finished"
#define STORE_SECONDS         "seconds" /* duration of the run: "12.34"; updated during the run */
#define STORE_WORKERS         "workers"
#define STORE_PROCESS         "process"        /* the process that writes the run: platform_presence_self */
#define STORE_REFUSED         "refused"        /* classes of cases that the backend does not support: support.h */
#define STORE_SCOPE           "scope"          /* JSON: what the suite has, was refused and required: scope_facts.h */
#define STORE_WAIVERS         "waivers"        /* the path of the file of waivers, or "" */
#define STORE_WAIVERS_DIGEST  "waivers_digest" /* of its contents, or "" */
#define STORE_SHUFFLE         "shuffle"        /* the seed of the shuffled pass, or "" */
#define STORE_SEED            "seed"           /* of the drawn cases */
#define STORE_REPEAT          "repeat"         /* executions of every case */
#define STORE_SHARD           "shard"          /* "3/16", or "" */
#define STORE_AXES            "axes"           /* JSON: {operator: {axis: what it is}} */
#define STORE_SHRINK          "shrink"         /* what the automatic shrinking left out, or "" */
#define STORE_LOOKS           "looks"          /* errors of bisection, reducing and shrinking, or "" */
#define STORE_COVERAGE        "coverage"       /* of a run with a budget: coverage.h */

/* One test of the plan. */
typedef struct store_test {
    int64_t id;              /* set by store_add_test: 1, 2, ... in order */
    const char *name;        /* op and test: "dml.slice1:exhaustive". Not read by store_add_test */
    const char *op;          /* "dml.slice1" */
    const char *test;        /* "exhaustive" */
    const char *tier;        /* "full" */
    const char *title;       /* one line: what it tests */
    uint64_t points;         /* case indices run from 0 to points-1; not every one is a legal case */
    uint64_t first, indices; /* the part of them that this run covers: [first, first + indices) */
    uint64_t planned;        /* legal cases of that part that the run plans */
    uint64_t ran;            /* planned cases that are done */
    uint64_t sums[2];        /* over the cases that are done: see chunk_count_case */
} store_test;
bool store_add_test(store *s, store_test *t, error *e);

/* Set the number of cases of a test that are done, with their sums. */
bool store_set_done(store *s, int64_t test, uint64_t ran, const uint64_t sums[2], error *e);

/* Set the number of planned cases of a test, for a run that knows it only at the end. */
bool store_set_planned(store *s, int64_t test, uint64_t planned, error *e);

/* Add the verdicts of a range of indices: n legal cases, in order of index. A range that continues the one before it,
   with the same verdict for all cases of both, shares its row, so that a test that is run in many small ranges takes
   little space. */
bool store_add_plane(store *s, int64_t test, uint64_t first, uint64_t last, const uint8_t *verdicts, size_t n,
                     error *e);

/* Add cases to a tally. dtype is an id ("f16"), level a name ("4_1" or "none"). A run holds up to 62 data types. */
bool store_add_tally(store *s, int64_t test, const char *dtype, const char *level, verdict v, uint64_t cases, error *e);

/* Behaviour that no clause forbids and that is worth knowing: in how many cases, the id of the first one, and a detail
   of that case. Where the specification leaves the behaviour unspecified, the kind is the entry of the ledger and the
   observed behaviour: "E-GA-10: refused". */
typedef struct store_observation {
    int64_t test;
    const char *kind;
    uint64_t cases;
    const char *example, *detail; /* may be NULL */
} store_observation;

/* Add to the observation of this test and kind. The first example stays, with its detail. */
bool store_add_observation(store *s, const store_observation *o, error *e);

bool store_add_finding(store *s, store_finding *f, error *e);

/* Add the finding of a case whose class the backend could not be asked about. A test has one for each class and
   verdict: that of the first case, which stands for all of them. Its detail says for how many. */
bool store_add_class_finding(store *s, store_finding *f, error *e);

/* Remove the finding of a case, if there is one. */
bool store_remove_finding(store *s, int64_t test, uint64_t index, error *e);

/* A clause of an operator that ran. */
typedef struct store_clause {
    const char *op, *id, *text, *page, *section;
    const char *basis;  /* "stated" (operator_basis_name) */
    const char *ground; /* what the clause follows from; NULL where its page states it */
    bool breakable;   /* a descriptor can break it. Else it defines a meaning, or is about binding */
    uint64_t broken;  /* cases that broke it on purpose */
    uint64_t refused; /* how many of them the backend refused, as it should */
} store_clause;
bool store_add_clause(store *s, const store_clause *c, error *e);

/* Count cases that broke a clause on purpose. */
bool store_add_broken(store *s, const char *op, const char *id, uint64_t broken, uint64_t refused, error *e);

/* Set the ledger's entries about an operator: a JSON list, one object per entry (ledger_json.h). A second call for the
   same operator has no effect. */
bool store_add_ledger(store *s, const char *op, const char *entries, error *e);

/* Set the digest of an operator of the run. */
bool store_add_operator(store *s, const char *op, const char *digest, error *e);

/* ---- reading. Each calls back in order; a callback that returns false ends it without an error. Pointers live during
   the callback. ---- */
bool store_each_test(store *s, bool (*each)(void *context, const store_test *t), void *context, error *e);

typedef struct store_tally {
    int64_t test;
    const char *dtype, *level;
    verdict verdict;
    uint64_t cases;
} store_tally;
bool store_each_tally(store *s, bool (*each)(void *context, const store_tally *t), void *context, error *e);
#define STORE_SHRUNK_FINDINGS INT64_C(-1)
/* or those whose case was executed alone in a new process, by flake bisection, or depends on others. */
#define STORE_BISECTED_FINDINGS INT64_C(-2)
/* Findings in order of test and case, of one test, all (0) or those that were shrunk (STORE_SHRUNK_FINDINGS); at most
 * `limit` of them (0: all). */
bool store_each_finding(store *s, int64_t test, uint64_t limit, bool (*each)(void *context, const store_finding *f),
                        void *context, error *e);
bool store_each_observation(store *s, bool (*each)(void *context, const store_observation *o), void *context, error *e);
bool store_each_clause(store *s, bool (*each)(void *context, const store_clause *c), void *context, error *e);
/* Entries of the ledger, as passed to store_add_ledger, in order of the operators' names. */
bool store_each_ledger(store *s, bool (*each)(void *context, const char *op, const char *entries), void *context,
                       error *e);
/* The operators of the run, in order of their names. */
bool store_each_operator(store *s, bool (*each)(void *context, const char *op, const char *digest), void *context,
                         error *e);
typedef struct store_plane {
    int64_t test;
    uint64_t first, last;
    const uint8_t *verdicts; /* one byte per case */
    size_t cases;
} store_plane;
/* Planes without their verdicts, which are NULL. */
bool store_each_range(store *s, int64_t test, bool (*each)(void *context, const store_plane *p), void *context,
                      error *e);
bool store_each_plane(store *s, int64_t test, bool (*each)(void *context, const store_plane *p), void *context,
                      error *e);

#endif
