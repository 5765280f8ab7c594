/* SPDX-License-Identifier: Apache-2.0 */
/* What store.c (the file: opening, closing, transactions), store_rows.c (what is in it) and store_tally.c (counts)
 * share. */
#ifndef TOUCHSTONE_STORE_PRIVATE_H
#define TOUCHSTONE_STORE_PRIVATE_H

#include "harness/store/store.h"

#include <sqlite3.h>

/* What is asked again and again is prepared once. */
enum {
    STATEMENT_SET,
    STATEMENT_GET,
    STATEMENT_TEST,
    STATEMENT_DONE,
    STATEMENT_PLANNED,
    STATEMENT_PLANE,
    STATEMENT_DTYPE_ADD,
    STATEMENT_DTYPE,
    STATEMENT_TALLY_FIND,
    STATEMENT_TALLY_LEAVE,
    STATEMENT_TALLY_EMPTY,
    STATEMENT_TALLY_JOIN,
    STATEMENT_OBSERVATION,
    STATEMENT_FINDING,
    STATEMENT_UNFIND,
    STATEMENT_CLAUSE,
    STATEMENT_BROKEN,
    STATEMENT_LEDGER,
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

/* A prepared statement to write with, ready to be bound; NULL where that fails. */
sqlite3_stmt *store_writing(store *s, int which, error *e);

/* Bind text that lives longer than the step, so that SQLite need not copy it. NULL is NULL. */
void store_bind_text(sqlite3_stmt *row, int column, const char *text);
void store_bind_number(sqlite3_stmt *row, int column, uint64_t number);

/* Step a statement that gives no rows, and make it ready for the next. */
bool store_finish(store *s, sqlite3_stmt *row, error *e);

/* SQLite counts to 2^63-1: does the number fit? */
bool store_fits(const store *s, uint64_t number, const char *what, error *e);

#endif
