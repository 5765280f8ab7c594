/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waivers: failures that are known and for now accepted. A file, in Lua or JSON, of records
 *
 *     { query = "dml.slice1:* where dtype == f16 and rank == 8", reason = "driver bug, fixed in 24.2",
 *       owner = "kim", link = "https://bugs.example/123", expires = "2027-03-31" }
 *
 * All five are demanded. A failing case that a waiver holds comes to `waived`. An expired waiver holds nothing.
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
    char expires[11]; /* the last day that it holds, UTC: "2027-03-31" */
    bool expired;
} waiver;

typedef struct waivers {
    char *path;
    waiver *list;
    size_t count;
} waivers;

/* Read a file; its name ends in .lua or .json. What is wrong with it is EXIT_BAD_USAGE with file and record, or line.
   False: there is nothing to free. */
bool waivers_load(waivers *w, const char *path, time_t now, error *e);
void waivers_free(waivers *w);

/* Tells whether two files say the same, whatever their form: 32 digits. */
void waivers_digest(const waivers *w, char digest[33]);

/* Write records as a file of the same kind as `path` reads. Returns false where `out` cannot be written. */
bool waivers_write(const waiver *list, size_t count, bool lua, FILE *out);
bool waivers_is_lua(const char *path);

/* The waivers that speak of a test, compiled. One whose predicate needs an axis that the test does not have does not
   speak of it. NULL on error. */
typedef struct waivers_at waivers_at;
waivers_at *waivers_open(const waivers *w, const case_test *t, error *e);
void waivers_close(waivers_at *a);

/* How many speak of the test at all, expired ones included. */
size_t waivers_count(const waivers_at *a);

/* Does waiver i of the file, expired or not, hold the case? */
bool waivers_hold(const waivers_at *a, size_t i, uint64_t index, const expr_value *values);

/* The first one that holds the case and has not expired, or NULL. */
const waiver *waivers_find(const waivers_at *a, uint64_t index, const expr_value *values);

#endif
