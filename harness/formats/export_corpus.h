/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A corpus: many cases in one format, with a manifest, for whoever has no Touchstone.
 *
 *   DIR/manifest.json
 *   DIR/OPERATOR/TEST/00000/test_OPERATOR_TEST_INDEX/...   at most 1,000 cases in a folder; or, of formats with one
 *                                                          file, .../test_OPERATOR_TEST_INDEX.json
 *
 * The bytes are a function of the queries, the tier, the seed and the version of the suite.
 */
#ifndef TOUCHSTONE_EXPORT_CORPUS_H
#define TOUCHSTONE_EXPORT_CORPUS_H

#include "harness/base/sha256.h"
#include "harness/formats/export.h"

/* Cases that the corpus does not have, for the same reason. */
typedef struct corpus_left_out {
    char *reason;
    uint64_t cases;
    char *example; /* an id */
    char *test;    /* "dml.slice1:drawn" */
} corpus_left_out;

typedef struct export_corpus {
    const export_format *format;
    const char *const *queries;
    size_t query_count;
    plan_options planned;
    const char *version; /* of Touchstone */

    /* What came of it. */
    uint64_t cases, demands[4], files, bytes, left_out; /* demands: cases by export_demand */
    corpus_left_out *reasons;
    size_t reason_count, reason_capacity;
    char manifest[SHA256_HEX]; /* SHA-256 of manifest.json */
} export_corpus;

/* Write the cases of the queries to `folder`, which must be absent or empty. All is written to a folder beside it,
   which then gets its name; after an error, nothing is left. Errors: a query or folder that is wrong, no case (status
   EXIT_NOT_RUN), no case that the format can express, and files that cannot be written. Free it in either case. */
bool export_corpus_write(export_corpus *x, const char *folder, error *e);
void export_corpus_free(export_corpus *x);

#endif
