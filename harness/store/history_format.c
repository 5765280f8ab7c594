/* SPDX-License-Identifier: Apache-2.0 */
/* Opening a history: its schema, and the conversion of files of older formats. */
#include "harness/store/history_private.h"

#include "harness/base/input.h"
#include "harness/store/database.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUN_TABLE                                                                                                      \
    "CREATE TABLE run(id INTEGER PRIMARY KEY, series INTEGER NOT NULL, started TEXT NOT NULL, version TEXT,"           \
    " driver TEXT, suite TEXT, digest TEXT, seconds REAL, planned INTEGER NOT NULL, ran INTEGER NOT NULL,"             \
    " failed INTEGER NOT NULL, waived INTEGER NOT NULL, unsupported INTEGER NOT NULL, UNIQUE(series, started));"

#define SERIES_TABLE(version, profile)                                                                                 \
    "CREATE TABLE series(id INTEGER PRIMARY KEY, backend TEXT NOT NULL, " version                                      \
    "device TEXT NOT NULL, options TEXT NOT NULL, level TEXT NOT NULL, " profile                                       \
    "tier TEXT NOT NULL, query TEXT NOT NULL,"

#define TEST_TABLE                                                                                                     \
    "CREATE TABLE test(id INTEGER PRIMARY KEY, series INTEGER NOT NULL, name TEXT NOT NULL, UNIQUE(series, name));"

#define REGION_TABLE(key)                                                                                              \
    "CREATE TABLE region(id INTEGER PRIMARY KEY, test INTEGER NOT NULL, verdict INTEGER NOT NULL, query TEXT NOT"      \
    " NULL, example TEXT, exact INTEGER NOT NULL, UNIQUE(" key "));"

#define COUNT_TABLE(run)                                                                                               \
    "CREATE TABLE count(test INTEGER NOT NULL, verdict INTEGER NOT NULL, " run " INTEGER NOT NULL,"                    \
    " cases INTEGER NOT NULL, PRIMARY KEY(test, verdict, " run ")) WITHOUT ROWID;"

#define COVERAGE_TABLE(run) "CREATE TABLE coverage(" run " INTEGER PRIMARY KEY, text TEXT NOT NULL);"

#define NEW_SERIES_TABLE                                                                                               \
    SERIES_TABLE("version TEXT NOT NULL, ", "profile TEXT NOT NULL, ")                                                 \
    " UNIQUE(backend, version, device, options, level, profile, tier, query));"

#define NEW_SPAN_TABLE                                                                                                 \
    "CREATE TABLE span(region INTEGER NOT NULL, first INTEGER NOT NULL, since INTEGER NOT NULL, last INTEGER NOT"      \
    " NULL, cases INTEGER NOT NULL, before INTEGER NOT NULL, changed INTEGER NOT NULL,"                                \
    " PRIMARY KEY(region, first, since)) WITHOUT ROWID;"

#define FAILING_TABLE                                                                                                  \
    "CREATE TABLE failing(region INTEGER NOT NULL, first INTEGER NOT NULL, since INTEGER NOT NULL, suite TEXT NOT"     \
    " NULL, bytes INTEGER NOT NULL, cases BLOB NOT NULL, PRIMARY KEY(region, first, since));"

#define NEW_REGION_TABLE REGION_TABLE("test, verdict, query")

static const char schema[] =
    NEW_SERIES_TABLE TEST_TABLE NEW_REGION_TABLE NEW_SPAN_TABLE FAILING_TABLE RUN_TABLE COUNT_TABLE("run")
        COVERAGE_TABLE("run");

/* The tables of the formats 1 and 2 that have other declarations since then. */
#define OLD_SERIES_TABLE SERIES_TABLE("", "") " UNIQUE(backend, device, options, level, tier, query));"
#define OLD_REGION_TABLE REGION_TABLE("test, query")
#define OLD_SPAN_TABLE                                                                                                 \
    "CREATE TABLE span(region INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, cases INTEGER NOT"      \
    " NULL, PRIMARY KEY(region, first)) WITHOUT ROWID;"
#define OLD_TABLES OLD_SERIES_TABLE TEST_TABLE OLD_REGION_TABLE OLD_SPAN_TABLE

static const char second_schema[] = OLD_TABLES RUN_TABLE COUNT_TABLE("run") COVERAGE_TABLE("run");

/* Format 1, whose first files lack the table of coverage, and named a column of the table night otherwise. */
#define NIGHT_TABLE(planned)                                                                                           \
    "CREATE TABLE night(id INTEGER PRIMARY KEY, series INTEGER NOT NULL, started TEXT NOT NULL, version TEXT, driver"  \
    " TEXT, suite TEXT, digest TEXT, seconds REAL, " planned " INTEGER NOT NULL, ran INTEGER NOT NULL, failed INTEGER" \
    " NOT NULL, waived INTEGER NOT NULL, unsupported INTEGER NOT NULL, UNIQUE(series, started));"

#define FIRST_TABLES OLD_TABLES NIGHT_TABLE("owed") NIGHT_TABLE("planned") COUNT_TABLE("night")

static const char first_schema[] = FIRST_TABLES;
static const char first_schema_covered[] = FIRST_TABLES COVERAGE_TABLE("night");

/* The texts of coverage name their counts otherwise since then. */
#define COVERAGE_TEXT "replace(replace(text, '\"night\":', '\"session\":'), '\"portions\":', '\"slices\":')"

/* From format 1 to 2. The columns of the table night have the order of the table run. */
static const char convert_first[] =
    "CREATE TABLE IF NOT EXISTS coverage(night INTEGER PRIMARY KEY, text TEXT NOT NULL);"
    "ALTER TABLE coverage RENAME COLUMN night TO run;"
    "ALTER TABLE count RENAME COLUMN night TO run;" RUN_TABLE "INSERT INTO run SELECT * FROM night;"
    "DROP TABLE night;"
    "UPDATE coverage SET text = " COVERAGE_TEXT ";"
    "UPDATE series SET tier = replace(tier, ' by nights', ' by sessions');";

/* A series of format 2 as one of format 3: its version is that of its runs. */
#define NEW_SERIES(tier)                                                                                               \
    "SELECT id, backend, (SELECT ifnull(replace(group_concat(DISTINCT version), ',', ', '), '') FROM run WHERE"        \
    " run.series = old.id), device, options, level, '', " tier ", query FROM "

/* From format 2 to 3. */
#define CONVERT_SERIES  "INSERT INTO series " NEW_SERIES("tier") "old_series AS old; DROP TABLE old_series;"
#define CONVERT_REGIONS "INSERT INTO region SELECT * FROM old_region; DROP TABLE old_region;"
#define CONVERT_SPANS                                                                                                  \
    "INSERT INTO span SELECT region, first, first, last, cases, 0, 0 FROM old_span; DROP TABLE old_span;"
#define RENAME_TABLES                                                                                                  \
    "ALTER TABLE series RENAME TO old_series; ALTER TABLE region RENAME TO old_region;"                                \
    "ALTER TABLE span RENAME TO old_span;"

static const char convert_second[] = RENAME_TABLES NEW_SERIES_TABLE CONVERT_SERIES NEW_REGION_TABLE CONVERT_REGIONS
    NEW_SPAN_TABLE CONVERT_SPANS FAILING_TABLE;

/* The same for a reader, which must not change the file: views with the names of format 3 hide its tables. */
static const char views_of_first[] =
    "PRAGMA temp_store = MEMORY;"
    "CREATE TEMP VIEW run(id, series, started, version, driver, suite, digest, seconds, planned, ran, failed, waived,"
    " unsupported) AS SELECT * FROM main.night;"
    "CREATE TEMP VIEW count(test, verdict, run, cases) AS SELECT test, verdict, night, cases FROM main.count;";
static const char coverage_view[] =
    "CREATE TEMP VIEW coverage(run, text) AS SELECT night, " COVERAGE_TEXT " FROM main.coverage";
static const char no_coverage_view[] = "CREATE TEMP VIEW coverage(run, text) AS SELECT 0, '' WHERE 0";
#define SERIES_VIEW                                                                                                    \
    "CREATE TEMP VIEW series(id, backend, version, device, options, level, profile, tier, query) AS " NEW_SERIES(      \
        "replace(tier, ' by nights', ' by sessions')") "main.series AS old;"
#define SPAN_VIEW                                                                                                      \
    "CREATE TEMP VIEW span(region, first, since, last, cases, before, changed) AS"                                     \
    " SELECT region, first, first, last, cases, 0, 0 FROM main.span;"
#define FAILING_VIEW                                                                                                   \
    "CREATE TEMP VIEW failing(region, first, since, suite, bytes, cases) AS"                                           \
    " SELECT 0, 0, 0, '', 0, x'' WHERE 0"

static const char views_of_second[] = "PRAGMA temp_store = MEMORY;" SERIES_VIEW SPAN_VIEW FAILING_VIEW;

static bool query_number(const history *h, const char *sql, int64_t *value, error *e)
{
    bool found;
    return history_number(h, history_prepare(h, e, sql, ""), value, &found, e);
}

static bool set_format(const history *h, const char *doing, error *e)
{
    char sql[128];
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d", HISTORY_APPLICATION_ID,
             HISTORY_FORMAT);
    return history_execute(h, sql, doing, e);
}

static bool create(history *h, error *e)
{
    static const char doing[] = "creating the history";
    return history_begin(h, e) && history_execute(h, schema, doing, e) && set_format(h, doing, e) &&
           history_commit(h, e);
}

static bool check_schema(history *h, const char *expected, error *e)
{
    char wrong[160];
    return database_check_schema(h->db, expected, NULL, wrong, sizeof wrong) ||
           (*wrong ? history_damaged(h, wrong, e) : history_fail(h, "opening the history", e));
}

/* Has a file of format 1 its tables? *covered: the one of coverage is among them. */
static bool check_first_schema(history *h, bool *covered, error *e)
{
    int64_t tables = 0;
    if (!query_number(h, "SELECT count(*) FROM sqlite_schema WHERE name = 'coverage'", &tables, e))
        return false;
    *covered = tables != 0;
    return check_schema(h, *covered ? first_schema_covered : first_schema, e);
}

/* All in one transaction: a conversion that is interrupted leaves the file as it was. */
static bool convert(history *h, error *e)
{
    static const char doing[] = "converting the history";
    int64_t format = 0;
    bool covered;
    if (!history_begin(h, e))
        return false;
    bool fine = query_number(h, "PRAGMA user_version", &format, e);
    if (fine && format < HISTORY_FORMAT) { /* else another process has just converted it */
        if (format == 1)
            fine = check_first_schema(h, &covered, e) && history_execute(h, convert_first, doing, e);
        else
            fine = check_schema(h, second_schema, e);
        fine = fine && history_execute(h, convert_second, doing, e) && set_format(h, doing, e);
    }
    fine = fine && history_commit(h, e);
    if (!fine)
        history_rollback(h);
    return fine;
}

static bool show_converted(history *h, int64_t format, error *e)
{
    static const char doing[] = "reading the history";
    bool covered;
    if (format != 1)
        return check_schema(h, second_schema, e) && history_execute(h, views_of_second, doing, e);
    return check_first_schema(h, &covered, e) && history_execute(h, views_of_first, doing, e) &&
           history_execute(h, covered ? coverage_view : no_coverage_view, doing, e) &&
           history_execute(h, views_of_second, doing, e);
}

/* Is the file a history? An empty file becomes one where `make` is set. */
static bool check_format(history *h, bool make, error *e)
{
    int64_t application = 0, format = 0, tables = 0;
    if (!query_number(h, "PRAGMA application_id", &application, e) ||
        !query_number(h, "PRAGMA user_version", &format, e) ||
        !query_number(h, "SELECT count(*) FROM sqlite_schema", &tables, e))
        return false;
    if (application == HISTORY_APPLICATION_ID && format == HISTORY_FORMAT)
        return check_schema(h, schema, e);
    if (application == HISTORY_APPLICATION_ID && format >= 1 && format < HISTORY_FORMAT)
        return make ? convert(h, e) : show_converted(h, format, e);
    if (application == HISTORY_APPLICATION_ID)
        return error_usage(e, "%s: is a history of another format (%lld; this Touchstone reads up to %d)", h->path,
                           (long long)format, HISTORY_FORMAT);
    if (application == STORE_APPLICATION_ID)
        return error_usage(e, "%s: is a run, not a history; 'touchstone history DB --add RUN' adds a run to a history",
                           h->path);
    if (application != 0 || tables != 0 || !make)
        return error_usage(e, "%s: is not a history of Touchstone", h->path);
    return create(h, e);
}

history *history_open(const char *path, bool make, error *e)
{
    history *h = calloc(1, sizeof *h);
    const bool special = path[0] == ':' || strncmp(path, "file:", 5) == 0; /* to SQLite; here they are plain names */
    if (!h || !(h->path = malloc(strlen(path) + 3))) {
        free(h);
        error_set(e, "out of memory");
        return NULL;
    }
    sprintf(h->path, "%s%s", special ? "./" : "", path);
    int flags = make ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    /* SQLite would wait for a FIFO, and has no clear message for a folder or a device. */
    bool fine = input_check(h->path, e);
    if (!fine && errno == ENOENT)
        fine = make ? true : error_usage(e, "%s: there is no such history; --add creates one", path);
    fine = fine &&
           (sqlite3_open_v2(h->path, &h->db, flags, NULL) == SQLITE_OK || history_fail(h, "opening the history", e));
    if (fine)
        sqlite3_busy_timeout(h->db, 30000);
    fine = fine && (database_restrict(h->db) || history_fail(h, "opening the history", e));
    if (fine && check_format(h, make, e))
        return h;
    history_close(h);
    return NULL;
}

void history_close(history *h)
{
    if (!h)
        return;
    sqlite3_close(h->db);
    free(h->path);
    free(h);
}
