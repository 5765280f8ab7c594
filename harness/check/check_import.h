/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of others as records: files of WebNN's tests, in JSON or in the JavaScript of web-platform-tests. Each test
 * whose operation the suite knows becomes a record, and the outputs that it expects are compared with the reference.
 */
#ifndef TOUCHSTONE_CHECK_IMPORT_H
#define TOUCHSTONE_CHECK_IMPORT_H

#include "harness/check/source_text.h"

#include <jansson.h>

/* What came of a test. */
typedef enum check_import_result {
    CHECK_IMPORT_AGREES,   /* the reference gives the outputs that the test expects, bit for bit */
    CHECK_IMPORT_DIFFERS,  /* it gives others */
    CHECK_IMPORT_ILLEGAL,  /* the specification forbids the descriptor */
    CHECK_IMPORT_OPEN,     /* the specification leaves elements undefined and the others agree, does not determine the
                              results of the data type to the bit, or does not say whether the descriptor is legal */
    CHECK_IMPORT_LEFT_OUT, /* the suite has no such operation: no record */
    CHECK_IMPORT_UNREADABLE, /* it is malformed, or has an expression of JavaScript that is no literal: no record */
    CHECK_IMPORT_RESULTS
} check_import_result;

typedef struct check_imported {
    const char *file;
    check_place place;
    const char *name; /* of the test; "" without one */
    check_import_result result;
    json_t *record;  /* borrowed; NULL for CHECK_IMPORT_LEFT_OUT and CHECK_IMPORT_UNREADABLE */
    char text[1100]; /* the first difference, the clauses, or why it is left out, in the same words for all tests with
                       this reason, or the place and the reason why it cannot be read; else "" */
} check_imported;

/* Called for each test in turn; false stops, with an error. */
typedef bool check_import_visit(void *context, const check_imported *test, error *e);

/* Is this the name of such a file: *.json, *.js, or "-" for JSON on standard input? */
bool check_import_named(const char *path);

/* Visit the tests of a file: an object { "tests": [...] }, a test, or a list of these. A file that is no such thing is
   an EXIT_BAD_USAGE error with the place. */
bool check_import_file(const char *path, check_import_visit *visit, void *context, error *e);

/* Is this the folder of a corpus, as `touchstone export` writes it? */
bool check_import_is_corpus(const char *path);

/* Called for each file of a corpus in turn; false stops, with an error. */
typedef bool check_import_each(void *context, const char *path, error *e);

/* Visit the files that the manifest of a corpus lists. A folder without a manifest, or with that of another format than
   webnn, is an EXIT_BAD_USAGE error. */
bool check_import_corpus(const char *folder, check_import_each *each, void *context, error *e);

/* The same of a text, JSON or JavaScript, which this function changes. */
bool check_import_text(source_text *t, bool javascript, check_import_visit *visit, void *context, error *e);

#endif
