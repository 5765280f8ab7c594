/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A history: the results of many runs in one small SQLite file. Runs of one backend with the same device, options,
 * level, tier and query form a series. The file has the totals of each run, the counts per test and verdict where they
 * differ from the run before, and the failures as regions: queries, each with the runs from which and to which it
 * failed.
 *
 * A known region stays what it is: a new run is checked against the known regions first, and only failures outside them
 * make new regions. So the first failing run of a region does not change when failures beside it appear and disappear.
 *
 * Tables (format 2):
 *   series(id, backend, device, options, level, tier, query)
 *   run(id, series, started, version, driver, suite, digest, seconds, planned, ran, failed, waived, unsupported)
 *   test(id, series, name)
 *   count(test, verdict, run, cases)            from this run on, until the next row
 *   region(id, test, verdict, query, example, exact)    exact: holds the failures of its first run and no others
 *   span(region, first, last, cases)            failed from run `first` to run `last`; cases: in the last of them
 *   coverage(run, text)                         of runs with a budget: coverage.h
 *
 * In format 1 the table run was called night, and so were the columns that refer to it. history_open converts such a
 * file when it opens it for writing.
 */
#ifndef TOUCHSTONE_HISTORY_H
#define TOUCHSTONE_HISTORY_H

#include "harness/store/coverage.h"
#include "harness/store/store.h"

#define HISTORY_FORMAT         2
#define HISTORY_APPLICATION_ID 0x54534849 /* "TSHI" */

typedef struct history history;

/* Open a history. make: open it for writing, create a missing file, and convert a file of format 1, in one
   transaction; else open it for reading, which leaves the file unchanged whatever its format. NULL on error: the file
   is missing or no history (EXIT_BAD_USAGE), or damaged (EXIT_HARNESS). */
history *history_open(const char *path, bool make, error *e);
void history_close(history *h);

typedef struct history_series {
    int64_t id;
    const char *backend, *device, *options, *level, *tier, *query;
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
    int64_t first, last;                      /* runs of the span */
    const char *first_started, *last_started; /* when they started */
    uint64_t cases;                           /* that failed in the last of them */
    uint64_t runs;                            /* of the series, from first to last */
    bool failing;                             /* the last is the last run of the series */
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

/* Find a region of a test by its query, or insert it. */
bool history_add_region(history *h, int64_t test, verdict v, const char *query, const char *example, bool exact,
                        int64_t *id, error *e);

/* Record that a region failed in a run: its span is extended if it failed in the run before, else a new one begins. */
bool history_add_failure(history *h, int64_t region, int64_t run, uint64_t cases, error *e);

/* Record the coverage of a run with a budget. */
bool history_add_coverage(history *h, int64_t run, const coverage *c, error *e);

/* A run with a budget executed no case of a region: extend the span of the region, if it failed in the run before. */
bool history_carry_region(history *h, int64_t region, int64_t run, error *e);

/* ---- reading. Each calls back in order; a callback that returns false ends it without an error. Strings live during
   the callback. ---- */

/* The coverage of the runs of a series (0: of all), oldest first. */
bool history_each_coverage(history *h, int64_t series, bool (*each)(void *context, const coverage *c), void *context,
                           error *e);

/* The coverage of one run. *found: it has one. */
bool history_coverage(history *h, int64_t run, coverage *c, bool *found, error *e);

bool history_each_series(history *h, bool (*each)(void *context, const history_series *s), void *context, error *e);

/* The last `most` runs of a series (0: all), oldest first. */
bool history_each_run(history *h, int64_t series, uint64_t most, bool (*each)(void *context, const history_run *r),
                      void *context, error *e);

/* The spans of the regions of one test (0: of all), those that fail now first, then by their first run. */
bool history_each_region(history *h, int64_t series, int64_t test, bool (*each)(void *context, const history_region *r),
                         void *context, error *e);

/* The regions of a test that failed in the run before `run`. Only `id`, `query` and `test` are set. */
bool history_each_failing(history *h, int64_t test, int64_t run, bool (*each)(void *context, const history_region *r),
                          void *context, error *e);

#endif
