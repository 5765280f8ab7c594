/* SPDX-License-Identifier: Apache-2.0 */
/* What store.c (the file: opening, closing, transactions) and store_rows.c (what is in it) share. */
#ifndef TOUCHSTONE_STORE_PRIVATE_H
#define TOUCHSTONE_STORE_PRIVATE_H

#include "harness/store.h"

#include <sqlite3.h>

/* What is asked again and again is prepared once. */
enum {
    STATEMENT_SET,
    STATEMENT_GET,
    STATEMENT_TEST,
    STATEMENT_PLANE,
    STATEMENT_TALLY,
    STATEMENT_OBSERVATION,
    STATEMENT_FINDING,
    STATEMENT_CLAUSE,
    STATEMENT_BROKEN,
    STATEMENT_COUNT
};

struct store {
    sqlite3 *db;
    char *path;
    char *value; /* what store_get returned last */
    sqlite3_stmt *statements[STATEMENT_COUNT];
    bool created; /* by this process, just now: there is nothing to resume yet */
    bool logging; /* the write-ahead log is switched on */
};

/* Say what SQLite's last error means. Returns false. */
bool store_fail(const store *s, const char *doing, error *e);

/* Say that the contents contradict themselves. Returns false. */
bool store_damaged(const store *s, const char *how, error *e);

/* Switch to the write-ahead log, once, before anything is written. */
bool store_log(store *s, error *e);

#endif
