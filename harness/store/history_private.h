/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by history.c (rows) and history_format.c (opening, schema, conversion). */
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

#endif
