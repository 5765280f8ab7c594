/* SPDX-License-Identifier: Apache-2.0 */
/* What the text, the JSON and the page of a history share: all of a history in memory, and the names of its series. */
#ifndef TOUCHSTONE_REPORTS_HISTORY_PARTS_H
#define TOUCHSTONE_REPORTS_HISTORY_PARTS_H

#include "harness/base/text.h"
#include "harness/store/history.h"

/* What distinguishes series of one backend, in the order in which it is named. */
typedef enum history_fact {
    HISTORY_VERSION,
    HISTORY_OPTIONS,
    HISTORY_PROFILE,
    HISTORY_LEVEL,
    HISTORY_TIER,
    HISTORY_QUERY,
    HISTORY_DEVICE,
    HISTORY_FACTS
} history_fact;
extern const char *const history_fact_names[HISTORY_FACTS]; /* "version", ... */

typedef struct history_run_row {
    int64_t id;
    double when; /* seconds since 1970 */
    char *started, *version, *driver, *suite, *digest;
    double seconds;
    uint64_t planned, ran, failed, waived, unsupported;
    bool has_coverage;
    coverage coverage;
} history_run_row;

typedef struct history_region_row {
    char *test, *query, *example, *since, *since_version, *first, *last; /* since to last: when the runs started */
    verdict verdict;
    bool exact, failing;
    bool begins; /* its cases began to fail in the last run of the series, which is not its first */
    uint64_t cases, before, changed, runs; /* of history_region */
} history_region_row;

typedef struct history_series_row {
    int64_t id;
    char *backend, *facts[HISTORY_FACTS];
    history_run_row *runs; /* oldest first */
    size_t run_count, run_capacity;
    history_region_row *regions; /* those that fail now first, then by the run since which they fail */
    size_t region_count, region_capacity;
    uint64_t failing, begins; /* cases of the regions that fail now, and of those that began in the last run */
} history_series_row;

typedef struct history_rows {
    history_series_row *list;
    size_t count, capacity;
} history_rows;

/* Read a history. The caller frees *r with history_rows_free, also
   after a failure. */
bool history_rows_read(history_rows *r, history *h, error *e);
void history_rows_free(history_rows *r);

/* Append the name of a series: the backend, and the facts in which it differs from other series of this backend. */
void history_name(const history_rows *r, size_t series, text *t);

/* Append all facts of a series that are not empty: "version 1, profile openvino, level 6_4, tier full". */
void history_describe(const history_series_row *s, text *t);

/* Append the result of the last runs in a sentence without its period. */
void history_headline(const history_rows *r, text *t);

#endif
