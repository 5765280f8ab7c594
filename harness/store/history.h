/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A history: what came of night after night, in one small SQLite file. Runs of one backend with the same options,
 * level, tier and query make a series. Of each night its totals are kept; counts per test and verdict only where they
 * differ from the night before; and failures as regions with the nights from which and to which they failed.
 *
 * A region that is known stays what it is: the next night asks it first, and only failures that no known region holds
 * make new ones. So the first bad night of a region does not move when failures beside it come and go.
 *
 * Tables (format 1):
 *   series(id, backend, device, options, level, tier, query)
 *   night(id, series, started, version, driver, suite, digest, seconds, planned, ran, failed, waived, unsupported)
 *   test(id, series, name)
 *   count(test, verdict, night, cases)          from this night on, until the next row
 *   region(id, test, verdict, query, example, exact)    exact: holds the failures of its first night and no others
 *   span(region, first, last, cases)            failed from night to night; cases: in the last of them
 *   coverage(night, text)                       of nights with a budget: coverage.h. Older files lack it
 */
#ifndef TOUCHSTONE_HISTORY_H
#define TOUCHSTONE_HISTORY_H

#include "harness/store/coverage.h"
#include "harness/store/store.h"

#define HISTORY_FORMAT         1
#define HISTORY_APPLICATION_ID 0x54534849 /* "TSHI" */

typedef struct history history;

/* Open a history; with `make`, one that is not there is made. Files that are none are told apart (EXIT_BAD_USAGE). */
history *history_open(const char *path, bool make, error *e);
void history_close(history *h);

typedef struct history_series {
    int64_t id;
    const char *backend, *device, *options, *level, *tier, *query;
} history_series;

typedef struct history_night {
    int64_t id, series;
    const char *started, *version, *driver, *suite, *digest;
    double seconds;
    uint64_t planned, ran, failed, waived, unsupported;
} history_night;

typedef struct history_region {
    int64_t id, series, test;
    const char *name; /* of the test */
    verdict verdict;  /* of its first night */
    const char *query, *example;
    bool exact;
    int64_t first, last;                  /* nights of one span */
    const char *first_night, *last_night; /* when they started */
    uint64_t cases;                       /* that failed in the last of them */
    uint64_t nights;                      /* of the series from first to last */
    bool open;                            /* the last is the last night of the series */
} history_region;

/* ---- writing. Everything of a night in one transaction, begun by history_begin. ---- */
bool history_begin(history *h, error *e);
bool history_commit(history *h, error *e);
void history_rollback(history *h);

/* The series of a run, made where there is none; and the night. A night that the series has already, or that is older
   than its last, is EXIT_BAD_USAGE. Ids are filled in. */
bool history_add_series(history *h, history_series *s, error *e);
bool history_add_night(history *h, history_night *n, error *e);

/* The id of a test. */
bool history_add_test(history *h, int64_t series, const char *name, int64_t *id, error *e);

/* Counts of a night, where they differ from those known. */
bool history_set_count(history *h, int64_t test, verdict v, int64_t night, uint64_t cases, error *e);

/* A region that fails this night: one that failed in the last night before it goes on, else a new span begins. */
bool history_add_region(history *h, int64_t test, verdict v, const char *query, const char *example, bool exact,
                        int64_t *id, error *e);
bool history_fails(history *h, int64_t region, int64_t night, uint64_t cases, error *e);

/* A night had a budget. A region of which it ran no case stays what it was the night before. */
bool history_add_coverage(history *h, int64_t night, const coverage *c, error *e);
bool history_carry(history *h, int64_t region, int64_t night, error *e);

/* ---- reading ---- */
/* Of the nights of a series (0: of all), oldest first. */
bool history_each_coverage(history *h, int64_t series, bool (*each)(void *context, const coverage *c), void *context,
                           error *e);
/* Of one night; *found: has it one? */
bool history_coverage(history *h, int64_t night, coverage *c, bool *found, error *e);
bool history_each_series(history *h, bool (*each)(void *context, const history_series *s), void *context, error *e);
/* Oldest first; the last `most` (0: all). */
bool history_each_night(history *h, int64_t series, uint64_t most, bool (*each)(void *context, const history_night *n),
                        void *context, error *e);
/* The spans, those that are open first, then by their first night; of one test, or of all (0). */
bool history_each_region(history *h, int64_t series, int64_t test, bool (*each)(void *context, const history_region *r),
                         void *context, error *e);

/* The regions of a test that failed in the night before `night`; only `id`, `query` and `test` are filled in. */
bool history_each_open(history *h, int64_t test, int64_t night, bool (*each)(void *context, const history_region *r),
                       void *context, error *e);

#endif
