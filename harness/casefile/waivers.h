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

#define WAIVERS_MOST  100000             /* waivers of a file */
#define WAIVERS_BYTES ((size_t)64 << 20) /* of a JSON file; SANDBOX_SOURCE is the limit of a Lua file */

typedef struct waiver {
    query query;
    char *reason, *owner, *link;
    char expires[11]; /* the last day on which it applies, UTC: "2027-03-31" */
    bool expired;
    bool repeats;    /* the query of an earlier waiver, which is as much expired, */
    size_t original; /* and its number in the list */
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

#endif
