/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by store.c (the file: opening, closing, transactions), store_rows.c (its rows), store_tally.c (counts),
   store_rerun.c, store_seal.c (checksums) and store_recount.c. */
#ifndef TOUCHSTONE_STORE_PRIVATE_H
#define TOUCHSTONE_STORE_PRIVATE_H

#include "harness/store/store.h"

#include <sqlite3.h>

/* Statements that are used often are prepared once. */
enum {
    STATEMENT_SET,
    STATEMENT_GET,
    STATEMENT_TEST,
    STATEMENT_DONE,
    STATEMENT_PLANNED,
    STATEMENT_PLANE,
    STATEMENT_PLANE_GROW,
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
    STATEMENT_OPERATOR,
    STATEMENT_COUNT
};

struct store {
    sqlite3 *db;
    char *path;
    char *value; /* the last result of store_get */
    sqlite3_stmt *statements[STATEMENT_COUNT];
    bool hidden;  /* no one knows the file yet, so that nothing of it need survive a power failure */
    bool created; /* store_create has not returned yet: there is nothing to resume */
    bool fresh;   /* store_publish made it, and no results are in it yet: the run that fails removes it */
    bool logging; /* the write-ahead log is switched on */
    bool foreign; /* the file declares more than a run does */
};

/* Describe SQLite's last error in terms of what the user can do. Returns false. */
bool store_fail(const store *s, const char *doing, error *e);

/* Report that the contents contradict each other. Returns false. */
bool store_damaged(const store *s, const char *how, error *e);

/* Have the columns of the current row the types that the schema gives them (letters of database_row_has)? SQLite
   itself accepts any type, and converts a text that is read as a number. */
bool store_row_fits(const store *s, sqlite3_stmt *row, const char *types, error *e);

/* The same of a test, whose name is looked up: "FILE: the run is damaged (NAME: HOW)". */
bool store_damaged_test(const store *s, int64_t test, const char *how, error *e);

/* store_open without store_recount, for tests of the store: contents that contradict each other can be read. */
store *store_open_uncounted(const char *path, error *e);

/* ---- checksums (store_seal.c) ---- */

/* Make the functions of SQL that the checksums need known to a connection. */
bool store_seal_functions(sqlite3 *db);

/* From now on keep the checksums: every change of a row that this connection makes changes them with it. Requires that
   they are right. */
bool store_seal_keep(store *s, error *e);

/* Compute the checksums from the contents, and store them. */
bool store_seal_renew(store *s, error *e);

/* Hold the trees of the file against SQLite's own rules. */
bool store_seal_shape(store *s, error *e);

/* Hold the contents against the checksums. What differs is damage. */
bool store_seal_check(store *s, error *e);

/* The statements that create the tables, each ended by a semicolon. */
extern const char store_schema[];

/* Switch to the write-ahead log, once, before anything is written. */
bool store_log(store *s, error *e);

/* A prepared statement for writing, ready to be bound. NULL on error. */
sqlite3_stmt *store_writing(store *s, int which, error *e);

/* Bind text, which must live until the statement was stepped: SQLite does not copy it. NULL binds NULL. */
void store_bind_text(sqlite3_stmt *row, int column, const char *text);
void store_bind_number(sqlite3_stmt *row, int column, uint64_t number);

/* Step a statement that returns no rows, and reset it. */
bool store_finish(store *s, sqlite3_stmt *row, error *e);

/* Does the number fit into an SQLite integer (up to 2^63-1)? */
bool store_fits(const store *s, uint64_t number, const char *what, error *e);

#endif
