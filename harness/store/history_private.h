/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by history.c (rows), history_failing.c (failing regions and their cases) and history_format.c (opening,
 * schema, conversion). */
#ifndef TOUCHSTONE_HISTORY_PRIVATE_H
#define TOUCHSTONE_HISTORY_PRIVATE_H

#include "harness/store/history.h"

#include <sqlite3.h>

struct history {
    sqlite3 *db;
    char *path;
};

/* Describe SQLite's last error. Returns false. */
bool history_fail(const history *h, const char *doing, error *e);

/* Report that the file is not what a history should be (EXIT_HARNESS). Returns false. */
bool history_damaged(const history *h, const char *how, error *e);

/* Execute statements without parameters. */
bool history_execute(const history *h, const char *sql, const char *doing, error *e);

/* Prepare a statement and bind its values: i integer (int64_t), t text (NULL is ""), d double. NULL on error. */
sqlite3_stmt *history_prepare(const history *h, error *e, const char *sql, const char *types, ...);

/* Step a prepared statement that returns at most one integer. *found: it returned one. A NULL row is an error that
   history_prepare has reported. */
bool history_number(const history *h, sqlite3_stmt *row, int64_t *value, bool *found, error *e);

/* Step a statement without rows, and finalize it. A NULL row is an error that history_prepare has reported. */
bool history_done(const history *h, sqlite3_stmt *row, error *e);

/* Step a statement whose columns have these types (letters of database_row_has). SQLITE_MISMATCH: a row has others, or
   the statement could not be prepared. */
int history_next(sqlite3_stmt *row, const char *types);

/* Finalize a statement; `code` is the result of its last step. */
bool history_ended(const history *h, sqlite3_stmt *row, int code, error *e);

/* A column as text that is never NULL, and as a number that is never negative. */
const char *history_text_at(sqlite3_stmt *row, int column);
uint64_t history_count_at(sqlite3_stmt *row, int column);

#endif
