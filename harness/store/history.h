/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A history: the results of many runs in one small SQLite file. Runs of one backend with the same version, device,
 * options, level, profile, tier and query form a series. The file has the totals of each run, the counts per test and
 * verdict where they differ from the run before, and the failures as regions: queries, each with the runs from which
 * and to which it failed.
 *
 * Which failures are new is decided case by case. For each region that fails now, the file has the set of its failing
 * cases. A case that fails in a run belongs to the region that it belonged to in the run before; if it did not fail in
 * that run, it is new, whatever regions its neighbours belong to, and becomes a part of a region that begins in this
 * run. So every failing case belongs to one region, and a region has the cases that have failed in every run since it
 * began.
 *
 * Tables (format 3):
 *   series(id, backend, version, device, options, level, profile, tier, query)
 *   run(id, series, started, version, driver, suite, digest, seconds, planned, ran, failed, waived, unsupported)
 *   test(id, series, name)
 *   count(test, verdict, run, cases)            from this run on, until the next row
 *   region(id, test, verdict, query, example, exact)    exact: in the run in which it began, the query held no case
 *                                                       that passed
 *   span(region, first, since, last, cases, before, changed)
 *                                                 failed from run `first` to run `last`; cases: in the last of
 *                                                       them; before: cases that the query held, too, in run `first`
 *                                                       and that had failed before; changed: cases in the last run
 *                                                       that fail with another verdict than the region; since: `first`,
 * or the run of an earlier version of the backend in which these cases began to fail failing(region, first, since,
 * suite, bytes, cases)  of each span that ends in the last run of its series: its cases (case_set.h), and the digest of
 * the operator that numbers them coverage(run, text)                         of runs with a budget: coverage.h
 *
 * history_open converts files of the formats 1 and 2 when it opens them for writing. In both, a series has no version
 * and no profile: the version becomes that of its runs ("1, 2" if they differ), the profile "", until a run is added
 * that has the other facts. The regions have no sets of cases, until a run is added: for this run, their queries decide
 * which cases they have. In format 1 the table run was called night, and so were the columns that refer to it.
 */
#ifndef TOUCHSTONE_HISTORY_H
#define TOUCHSTONE_HISTORY_H

#include "harness/store/case_set.h"
#include "harness/store/coverage.h"
#include "harness/store/store.h"

#define HISTORY_FORMAT         3
#define HISTORY_APPLICATION_ID 0x54534849 /* "TSHI" */

typedef struct history history;

/* Open a history. make: open it for writing, create a missing file, and convert a file of an older format, in one
   transaction; else open it for reading, which leaves the file unchanged whatever its format. NULL on error: the file
   is missing or no history (EXIT_BAD_USAGE), or damaged (EXIT_HARNESS). */
history *history_open(const char *path, bool make, error *e);
void history_close(history *h);

typedef struct history_series {
    int64_t id;
    const char *backend, *version, *device, *options, *level, *profile, *tier, *query;
} history_series;

typedef struct history_run {
    int64_t id, series;
    const char *started, *version, *driver, *suite, *digest;
    double seconds;
    uint64_t planned, ran, failed, waived, unsupported;
} history_run;

/* A region, with one span of runs in which it failed. */
typedef struct history_region {
    int64_t id, series, test;
    const char *name; /* of the test */
    verdict verdict;  /* in its first run */
    const char *query, *example;
    bool exact;
    int64_t first, last;                       /* runs of the span */
    const char *first_started, *last_started;  /* when they started */
    int64_t since;                             /* the run in which the cases began to fail: `first`, */
    const char *since_started, *since_version; /* or a run of an earlier version of the backend */
    uint64_t cases;                            /* that failed in the last of them */
    uint64_t changed;                          /* of these, the ones that fail with another verdict in the last run */
    uint64_t before;                           /* further cases of the query that failed before the first of them */
    uint64_t runs;                             /* of the series, from first to last */
    bool failing;                              /* the last is the last run of the series */
} history_region;

/* ---- writing. A run is added in one transaction, from history_begin to history_commit. ---- */
bool history_begin(history *h, error *e);
bool history_commit(history *h, error *e);
void history_rollback(history *h);

/* Find a series, or insert it. Sets s->id. */
bool history_add_series(history *h, history_series *s, error *e);

/* Insert a run. Sets r->id. A run that the series has already, or that is older than its last, is EXIT_BAD_USAGE. */
bool history_insert_run(history *h, history_run *r, error *e);

/* Find a test of a series, or insert it. */
bool history_add_test(history *h, int64_t series, const char *name, int64_t *id, error *e);

/* Set the cases of a test with a verdict in a run. Stored only if the number differs from that of the run before. */
bool history_set_count(history *h, int64_t test, verdict v, int64_t run, uint64_t cases, error *e);

/* Find a region of a test by its query and verdict, or insert it. */
bool history_add_region(history *h, int64_t test, verdict v, const char *query, const char *example, bool exact,
                        int64_t *id, error *e);

/* The span of a region that began to fail in run `first`. */
typedef struct history_span {
    int64_t region, first, since;
    uint64_t cases, before, changed;
} history_span;

/* Insert a span that ends in run `last`, or extend it to this run. `before` of a span that is there remains. */
bool history_set_span(history *h, const history_span *s, int64_t last, error *e);

/* Set the failing cases of a span, by the numbers that the operator with the digest `suite` gives them. */
bool history_set_cases(history *h, const history_span *s, const char *suite, case_set *cases, error *e);

/* Remove the sets of cases of spans that do not end in the last run of the series. */
bool history_drop_cases(history *h, int64_t series, error *e);

/* Record the coverage of a run with a budget. */
bool history_add_coverage(history *h, int64_t run, const coverage *c, error *e);

/* ---- reading. Each calls back in order; a callback that returns false ends it without an error. Strings live during
   the callback. ---- */

/* The last run of a series before the run `before` (0: the last of all), or 0 if there is none. */
bool history_last_run(history *h, int64_t series, int64_t before, int64_t *run, error *e);

/* The last run, before a time, of the series that differ from this one by the version alone; 0 if there is none. */
bool history_earlier_version(history *h, const history_series *s, const char *started, int64_t *run, error *e);

/* The coverage of the runs of a series (0: of all), oldest first. */
bool history_each_coverage(history *h, int64_t series, bool (*each)(void *context, const coverage *c), void *context,
                           error *e);

/* The coverage of one run. *found: it has one. */
bool history_coverage(history *h, int64_t run, coverage *c, bool *found, error *e);

bool history_each_series(history *h, bool (*each)(void *context, const history_series *s), void *context, error *e);

/* The last `most` runs of a series (0: all), oldest first. */
bool history_each_run(history *h, int64_t series, uint64_t most, bool (*each)(void *context, const history_run *r),
                      void *context, error *e);

/* The spans of the regions of one test (0: of all), those that fail now first, then by the run since which they fail.
 */
bool history_each_region(history *h, int64_t series, int64_t test, bool (*each)(void *context, const history_region *r),
                         void *context, error *e);

/* What failed in a run, the last of its series, with its cases. */
typedef struct history_failing {
    history_span span;
    verdict verdict;
    const char *query, *example;
    bool exact;
    const char *suite; /* the digest of the operator that numbers the cases; "": they are not known */
    case_set *cases;   /* may be taken over: what is left in it is freed after the callback */
} history_failing;

/* The spans of the regions of the test with this name that end in `run`; exact regions first. */
bool history_each_failing(history *h, int64_t run, const char *test, bool (*each)(void *context, history_failing *f),
                          void *context, error *e);

#endif
