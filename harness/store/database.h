/* SPDX-License-Identifier: Apache-2.0 */
/* SQLite files that come from elsewhere: what SQLite may do with them, and whether they hold the tables that they
   should. Nothing that such a file declares (triggers, views, expressions) is ever executed. */
#ifndef TOUCHSTONE_DATABASE_H
#define TOUCHSTONE_DATABASE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    DATABASE_VALUE_BYTES = 64 << 20, /* the longest value and row */
    DATABASE_HEAP_MIB = 512,         /* what SQLite may allocate in this process */
    DATABASE_STEPS = 1 << 29         /* instructions of one statement: some ten seconds, or 10^7 rows */
};

/* Switch off what a file could make SQLite execute: triggers, views (other than temporary ones), functions in its
   schema, extensions, writes to its schema. Set the limits above, and switch memory mapping off. To be called once,
   directly after opening. False on failure; sqlite3_errmsg says why. A statement that exceeds DATABASE_STEPS ends with
   SQLITE_INTERRUPT. */
bool database_restrict(sqlite3 *db);

/* Does the file hold the tables, indexes and views of `schema`, with exactly these declarations? `schema` is a sequence
   of CREATE statements, each followed by a semicolon; of two with the same name either may be in the file. Further
   tables, views and triggers are permitted, since nothing reads or executes them; a further index of one of the tables
   is not, since SQLite would use it. *foreign (may be NULL): there are further objects. On false, `wrong` says what
   differs: "the table 'plane' is missing". `wrong` is empty if SQLite failed, whose error then is the reason. */
bool database_check_schema(sqlite3 *db, const char *schema, bool *foreign, char *wrong, size_t size);

/* Do the columns of the current row have these types? One letter each: i integer, d number or NULL, t text, T text or
   NULL, b blob. */
bool database_row_has(sqlite3_stmt *row, const char *types);

#endif
