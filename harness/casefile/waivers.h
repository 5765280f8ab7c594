/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waivers: known failures that are accepted for a time. A file, in Lua or JSON, of records
 *
 *     { query = "dml.slice1:* where dtype == f16 and rank == 8", reason = "driver bug, fixed in 24.2",
 *       owner = "kim", link = "https://bugs.example/123", expires = "2027-03-31" }
 *
 * All five fields are required. A failing case that a waiver matches gets the verdict `waived`. An expired waiver
 * matches nothing.
 */
#ifndef TOUCHSTONE_WAIVERS_H
#define TOUCHSTONE_WAIVERS_H

#include "harness/casefile/casefile.h"
#include "harness/casefile/query.h"

#include <stdio.h>
#include <time.h>

typedef struct waiver {
    query query;
    char *reason, *owner, *link;
    char expires[11]; /* the last day on which it applies, UTC: "2027-03-31" */
    bool expired;
} waiver;

typedef struct waivers {
    char *path;
    waiver *list;
    size_t count;
} waivers;

/* Read a file; its name ends in .lua or .json. Errors are EXIT_BAD_USAGE and name the file
   and the record or line; then there is nothing to free. */
bool waivers_load(waivers *w, const char *path, time_t now, error *e);
void waivers_free(waivers *w);

/* A digest of the waivers, independent of the form of the file: 32 hexadecimal digits. */
void waivers_digest(const waivers *w, char digest[33]);

/* Write records as a file in Lua or JSON. False if writing failed. */
bool waivers_write(const waiver *list, size_t count, bool lua, FILE *out);
bool waivers_is_lua(const char *path);

/* The waivers that apply to a test, compiled. A waiver whose predicate needs an axis that the test does not have does
   not apply. NULL on error. */
typedef struct waivers_at waivers_at;
waivers_at *waivers_open(const waivers *w, const case_test *t, error *e);
void waivers_close(waivers_at *a);

/* The number of waivers that apply to the test, expired ones included. */
size_t waivers_count(const waivers_at *a);

/* Does waiver i of the file, expired or not, match the case? */
bool waivers_hold(const waivers_at *a, size_t i, uint64_t index, const expr_value *values);

/* The first waiver that matches the case and has not expired, or NULL. */
const waiver *waivers_find(const waivers_at *a, uint64_t index, const expr_value *values);

#endif
