/* SPDX-License-Identifier: Apache-2.0 */
/* For tests: changes of a run that its checksums do not show, as a faulty Touchstone could have written it. */
#ifndef TOUCHSTONE_RUN_FORGING_H
#define TOUCHSTONE_RUN_FORGING_H

#include "harness/store/store_private.h"

/* Make the checksums of a run those of its contents. Returns whether that succeeded; a file that is no run has none. */
static inline bool forge_checksums(const char *path)
{
    error e;
    char name[512];
    store s = { .path = name };
    snprintf(name, sizeof name, "%s", path);
    bool fine = sqlite3_open(path, &s.db) == SQLITE_OK && store_seal_functions(s.db) && store_seal_renew(&s, &e);
    sqlite3_close(s.db);
    return fine;
}

/* Change a run by SQL, and its checksums with it. Returns whether that succeeded. */
static inline bool forge(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    bool fine = sqlite3_open(path, &db) == SQLITE_OK && sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK;
    sqlite3_close(db);
    return fine && forge_checksums(path);
}

#endif
