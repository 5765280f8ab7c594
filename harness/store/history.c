/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/store/history.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char schema[] =
    "CREATE TABLE series(id INTEGER PRIMARY KEY, backend TEXT NOT NULL, device TEXT NOT NULL, options TEXT NOT NULL,"
    " level TEXT NOT NULL, tier TEXT NOT NULL, query TEXT NOT NULL,"
    " UNIQUE(backend, device, options, level, tier, query));"
    "CREATE TABLE night(id INTEGER PRIMARY KEY, series INTEGER NOT NULL, started TEXT NOT NULL, version TEXT, driver "
    "TEXT,"
    " suite TEXT, digest TEXT, seconds REAL, planned INTEGER NOT NULL, ran INTEGER NOT NULL, failed INTEGER NOT NULL,"
    " waived INTEGER NOT NULL, unsupported INTEGER NOT NULL, UNIQUE(series, started));"
    "CREATE TABLE test(id INTEGER PRIMARY KEY, series INTEGER NOT NULL, name TEXT NOT NULL, UNIQUE(series, name));"
    "CREATE TABLE count(test INTEGER NOT NULL, verdict INTEGER NOT NULL, night INTEGER NOT NULL,"
    " cases INTEGER NOT NULL, PRIMARY KEY(test, verdict, night)) WITHOUT ROWID;"
    "CREATE TABLE region(id INTEGER PRIMARY KEY, test INTEGER NOT NULL, verdict INTEGER NOT NULL, query TEXT NOT NULL,"
    " example TEXT, exact INTEGER NOT NULL, UNIQUE(test, query));"
    "CREATE TABLE span(region INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, cases INTEGER NOT NULL,"
    " PRIMARY KEY(region, first)) WITHOUT ROWID;";

struct history {
    sqlite3 *db;
    char *path;
};

static bool fail(const history *h, const char *doing, error *e)
{
    int code = sqlite3_errcode(h->db) & 0xff;
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
        return error_usage(e, "%s: %s: another process is writing this history; wait for it", h->path, doing);
    if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
        return error_usage(e, "%s: the history is damaged, or none (%s)", h->path, sqlite3_errmsg(h->db));
    if (code == SQLITE_READONLY || code == SQLITE_CANTOPEN)
        return error_usage(e, "%s: %s: the file cannot be opened or written", h->path, doing);
    return error_set(e, "%s: %s: %s", h->path, doing, sqlite3_errmsg(h->db));
}

static bool execute(const history *h, const char *sql, const char *doing, error *e)
{
    return sqlite3_exec(h->db, sql, NULL, NULL, NULL) == SQLITE_OK || fail(h, doing, e);
}

/* A statement with its values: i integer (int64_t), t text (NULL is ""), d double. NULL on error. */
static sqlite3_stmt *ask(const history *h, error *e, const char *sql, const char *types, ...)
{
    sqlite3_stmt *row = NULL;
    if (sqlite3_prepare_v2(h->db, sql, -1, &row, NULL) != SQLITE_OK) {
        fail(h, "reading", e);
        return NULL;
    }
    va_list args;
    va_start(args, types);
    for (int i = 1; types[i - 1]; ++i) {
        if (types[i - 1] == 'i') {
            sqlite3_bind_int64(row, i, va_arg(args, int64_t));
        } else if (types[i - 1] == 'd') {
            sqlite3_bind_double(row, i, va_arg(args, double));
        } else {
            const char *text = va_arg(args, const char *);
            sqlite3_bind_text(row, i, text ? text : "", -1, SQLITE_TRANSIENT);
        }
    }
    va_end(args);
    return row;
}

/* Step a statement without rows. */
static bool done(const history *h, sqlite3_stmt *row, error *e)
{
    bool fine = row && sqlite3_step(row) == SQLITE_DONE;
    if (row && !fine)
        fail(h, "writing", e);
    sqlite3_finalize(row);
    return fine;
}

/* The one integer of a statement; *found: is there a row? */
static bool number(const history *h, sqlite3_stmt *row, int64_t *value, bool *found, error *e)
{
    int code = row ? sqlite3_step(row) : SQLITE_ERROR;
    *found = code == SQLITE_ROW;
    if (*found)
        *value = sqlite3_column_int64(row, 0);
    bool fine = *found || code == SQLITE_DONE;
    if (row && !fine)
        fail(h, "reading", e);
    sqlite3_finalize(row);
    return fine;
}

/* ---- opening ---- */

/* The table of coverage came later than the format, which others than this one read as before. */
static const char late_schema[] = "CREATE TABLE IF NOT EXISTS coverage(night INTEGER PRIMARY KEY, text TEXT NOT NULL)";

static bool check_format(const history *h, bool make, error *e)
{
    int64_t application = 0, format = 0, tables = 0;
    bool found;
    if (!number(h, ask(h, e, "PRAGMA application_id", ""), &application, &found, e) ||
        !number(h, ask(h, e, "PRAGMA user_version", ""), &format, &found, e) ||
        !number(h, ask(h, e, "SELECT count(*) FROM sqlite_schema", ""), &tables, &found, e))
        return false;
    if (application == HISTORY_APPLICATION_ID && format == HISTORY_FORMAT)
        return !make || execute(h, late_schema, "opening the history", e);
    if (application == HISTORY_APPLICATION_ID)
        return error_usage(e, "%s: is a history of another format (%lld; this Touchstone reads %d)", h->path,
                           (long long)format, HISTORY_FORMAT);
    if (application == STORE_APPLICATION_ID)
        return error_usage(e, "%s: is a run, not a history; 'touchstone history DB --add RUN' adds a run to one",
                           h->path);
    if (application != 0 || tables != 0 || !make)
        return error_usage(e, "%s: is no history of Touchstone", h->path);
    char sql[128];
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d", HISTORY_APPLICATION_ID,
             HISTORY_FORMAT);
    return execute(h, "BEGIN IMMEDIATE", "creating the history", e) && execute(h, schema, "creating the history", e) &&
           execute(h, late_schema, "creating the history", e) && execute(h, sql, "creating the history", e) &&
           execute(h, "COMMIT", "creating the history", e);
}

history *history_open(const char *path, bool make, error *e)
{
    history *h = calloc(1, sizeof *h);
    if (!h || !(h->path = malloc(strlen(path) + 3))) {
        free(h);
        error_set(e, "out of memory");
        return NULL;
    }
    sprintf(h->path, "%s%s", path[0] == ':' || strncmp(path, "file:", 5) == 0 ? "./" : "", path);
    int flags = make ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    FILE *there = make ? NULL : fopen(h->path, "rb");
    bool fine = make || there ? true : error_usage(e, "%s: there is no such history; --add makes one", path);
    if (there)
        fclose(there);
    fine = fine && (sqlite3_open_v2(h->path, &h->db, flags, NULL) == SQLITE_OK || fail(h, "opening", e));
    if (fine)
        sqlite3_busy_timeout(h->db, 30000);
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

bool history_begin(history *h, error *e)
{
    return execute(h, "BEGIN IMMEDIATE", "adding a night", e);
}

bool history_commit(history *h, error *e)
{
    return execute(h, "COMMIT", "adding a night", e);
}

void history_rollback(history *h)
{
    sqlite3_exec(h->db, "ROLLBACK", NULL, NULL, NULL);
}

/* ---- writing ---- */

bool history_add_series(history *h, history_series *s, error *e)
{
    bool found;
    static const char find[] = "SELECT id FROM series WHERE backend = ? AND device = ? AND options = ? AND level = ?"
                               " AND tier = ? AND query = ?";
    for (int attempt = 0; attempt < 2; ++attempt) {
        if (!number(h, ask(h, e, find, "tttttt", s->backend, s->device, s->options, s->level, s->tier, s->query),
                    &s->id, &found, e))
            return false;
        if (found)
            return true;
        if (!done(h,
                  ask(h, e, "INSERT INTO series VALUES(NULL, ?, ?, ?, ?, ?, ?)", "tttttt", s->backend, s->device,
                      s->options, s->level, s->tier, s->query),
                  e))
            return false;
    }
    return error_set(e, "%s: the series cannot be found again", h->path);
}

bool history_add_night(history *h, history_night *n, error *e)
{
    bool found;
    int64_t later = 0;
    if (!number(h,
                ask(h, e, "SELECT count(*) FROM night WHERE series = ? AND started >= ?", "it", n->series, n->started),
                &later, &found, e))
        return false;
    if (later)
        return error_usage(e,
                           "%s: the night of %s is there already, or a later one of its series is: nights are added "
                           "once, and in order",
                           h->path, n->started);
    if (!done(h,
              ask(h, e, "INSERT INTO night VALUES(NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", "itttttdiiiii", n->series,
                  n->started, n->version, n->driver, n->suite, n->digest, n->seconds, (int64_t)n->planned,
                  (int64_t)n->ran, (int64_t)n->failed, (int64_t)n->waived, (int64_t)n->unsupported),
              e))
        return false;
    n->id = sqlite3_last_insert_rowid(h->db);
    return true;
}

bool history_add_test(history *h, int64_t series, const char *name, int64_t *id, error *e)
{
    bool found;
    if (!number(h, ask(h, e, "SELECT id FROM test WHERE series = ? AND name = ?", "it", series, name), id, &found, e))
        return false;
    if (found)
        return true;
    if (!done(h, ask(h, e, "INSERT INTO test VALUES(NULL, ?, ?)", "it", series, name), e))
        return false;
    *id = sqlite3_last_insert_rowid(h->db);
    return true;
}

bool history_set_count(history *h, int64_t test, verdict v, int64_t night, uint64_t cases, error *e)
{
    int64_t before = 0;
    bool found;
    if (!number(h,
                ask(h, e, "SELECT cases FROM count WHERE test = ? AND verdict = ? ORDER BY night DESC LIMIT 1", "ii",
                    test, (int64_t)v),
                &before, &found, e))
        return false;
    if ((uint64_t)before == cases)
        return true;
    return done(h, ask(h, e, "INSERT INTO count VALUES(?, ?, ?, ?)", "iiii", test, (int64_t)v, night, (int64_t)cases),
                e);
}

bool history_add_region(history *h, int64_t test, verdict v, const char *query, const char *example, bool exact,
                        int64_t *id, error *e)
{
    bool found;
    if (!number(h, ask(h, e, "SELECT id FROM region WHERE test = ? AND query = ?", "it", test, query), id, &found, e))
        return false;
    if (found)
        return true;
    if (!done(h,
              ask(h, e, "INSERT INTO region VALUES(NULL, ?, ?, ?, ?, ?)", "iitti", test, (int64_t)v, query, example,
                  (int64_t)exact),
              e))
        return false;
    *id = sqlite3_last_insert_rowid(h->db);
    return true;
}

/* A span that ends in the last night before this one of the same series goes on. Negative cases: as many as then. */
static const char extend[] =
    "UPDATE span SET last = ?2, cases = iif(?3 < 0, cases, ?3) WHERE region = ?1 AND last ="
    " (SELECT max(id) FROM night WHERE id < ?2 AND series = (SELECT series FROM night WHERE id = ?2))";

bool history_fails(history *h, int64_t region, int64_t night, uint64_t cases, error *e)
{
    if (!done(h, ask(h, e, extend, "iii", region, night, (int64_t)cases), e))
        return false;
    return sqlite3_changes(h->db) > 0 ||
           done(h, ask(h, e, "INSERT INTO span VALUES(?, ?, ?, ?)", "iiii", region, night, night, (int64_t)cases), e);
}

bool history_add_coverage(history *h, int64_t night, const coverage *c, error *e)
{
    char *text = coverage_write(c);
    bool fine = text ? done(h, ask(h, e, "INSERT INTO coverage VALUES(?, ?)", "it", night, text), e)
                     : error_set(e, "out of memory");
    free(text);
    return fine;
}

bool history_carry(history *h, int64_t region, int64_t night, error *e)
{
    return done(h, ask(h, e, extend, "iii", region, night, (int64_t)-1), e);
}

/* ---- reading ---- */

static const char *text_at(sqlite3_stmt *row, int column)
{
    const unsigned char *text = sqlite3_column_text(row, column);
    return text ? (const char *)text : "";
}

static uint64_t count_at(sqlite3_stmt *row, int column)
{
    int64_t value = sqlite3_column_int64(row, column);
    return value > 0 ? (uint64_t)value : 0;
}

/* Close a statement that was stepped until `code`. */
static bool ended(const history *h, sqlite3_stmt *row, int code, error *e)
{
    bool fine = code == SQLITE_DONE || code == SQLITE_ROW;
    if (!fine && row)
        fail(h, "reading", e);
    sqlite3_finalize(row);
    return fine;
}

bool history_each_series(history *h, bool (*each)(void *context, const history_series *s), void *context, error *e)
{
    sqlite3_stmt *row =
        ask(h, e, "SELECT id, backend, device, options, level, tier, query FROM series ORDER BY id", "");
    int code = row ? sqlite3_step(row) : SQLITE_ERROR;
    for (; code == SQLITE_ROW; code = sqlite3_step(row)) {
        history_series s = { sqlite3_column_int64(row, 0),
                             text_at(row, 1),
                             text_at(row, 2),
                             text_at(row, 3),
                             text_at(row, 4),
                             text_at(row, 5),
                             text_at(row, 6) };
        if (!each(context, &s))
            break;
    }
    return ended(h, row, code, e);
}

bool history_each_night(history *h, int64_t series, uint64_t most, bool (*each)(void *context, const history_night *n),
                        void *context, error *e)
{
    sqlite3_stmt *row = ask(h, e,
                            "SELECT * FROM (SELECT * FROM night WHERE series = ? ORDER BY id DESC LIMIT ?)"
                            " ORDER BY id",
                            "ii", series, most ? (int64_t)most : (int64_t)-1);
    int code = row ? sqlite3_step(row) : SQLITE_ERROR;
    for (; code == SQLITE_ROW; code = sqlite3_step(row)) {
        history_night n = { sqlite3_column_int64(row, 0),
                            sqlite3_column_int64(row, 1),
                            text_at(row, 2),
                            text_at(row, 3),
                            text_at(row, 4),
                            text_at(row, 5),
                            text_at(row, 6),
                            sqlite3_column_double(row, 7),
                            count_at(row, 8),
                            count_at(row, 9),
                            count_at(row, 10),
                            count_at(row, 11),
                            count_at(row, 12) };
        if (!each(context, &n))
            break;
    }
    return ended(h, row, code, e);
}

bool history_each_region(history *h, int64_t series, int64_t test, bool (*each)(void *context, const history_region *r),
                         void *context, error *e)
{
    static const char sql[] =
        "SELECT region.id, region.test, test.name, region.verdict, region.query, region.example, region.exact,"
        " span.first, span.last, a.started, b.started, span.cases,"
        " (SELECT count(*) FROM night WHERE series = ?1 AND id BETWEEN span.first AND span.last),"
        " span.last = (SELECT max(id) FROM night WHERE series = ?1) AS open"
        " FROM span JOIN region ON region.id = span.region JOIN test ON test.id = region.test"
        " JOIN night AS a ON a.id = span.first JOIN night AS b ON b.id = span.last"
        " WHERE test.series = ?1 AND (?2 = 0 OR test.id = ?2) ORDER BY open DESC, span.first, region.id";
    sqlite3_stmt *row = ask(h, e, sql, "ii", series, test);
    int code = row ? sqlite3_step(row) : SQLITE_ERROR;
    for (; code == SQLITE_ROW; code = sqlite3_step(row)) {
        int64_t v = sqlite3_column_int64(row, 3);
        history_region r = { .id = sqlite3_column_int64(row, 0),
                             .series = series,
                             .test = sqlite3_column_int64(row, 1),
                             .name = text_at(row, 2),
                             .verdict = v >= 0 && v < VERDICT_COUNT ? (verdict)v : VERDICT_NONE,
                             .query = text_at(row, 4),
                             .example = text_at(row, 5),
                             .exact = sqlite3_column_int(row, 6) != 0,
                             .first = sqlite3_column_int64(row, 7),
                             .last = sqlite3_column_int64(row, 8),
                             .first_night = text_at(row, 9),
                             .last_night = text_at(row, 10),
                             .cases = count_at(row, 11),
                             .nights = count_at(row, 12),
                             .open = sqlite3_column_int(row, 13) != 0 };
        if (!each(context, &r))
            break;
    }
    return ended(h, row, code, e);
}

bool history_each_open(history *h, int64_t test, int64_t night, bool (*each)(void *context, const history_region *r),
                       void *context, error *e)
{
    static const char sql[] =
        "SELECT region.id, region.query FROM region JOIN span ON span.region = region.id WHERE region.test = ?1"
        " AND span.last = (SELECT max(id) FROM night WHERE id < ?2 AND series ="
        " (SELECT series FROM night WHERE id = ?2)) ORDER BY region.id";
    sqlite3_stmt *row = ask(h, e, sql, "ii", test, night);
    int code = row ? sqlite3_step(row) : SQLITE_ERROR;
    for (; code == SQLITE_ROW; code = sqlite3_step(row)) {
        history_region r = { .id = sqlite3_column_int64(row, 0), .test = test, .query = text_at(row, 1) };
        if (!each(context, &r))
            break;
    }
    return ended(h, row, code, e);
}

/* Is the table there? */
static bool has_coverage(history *h, bool *has, error *e)
{
    int64_t ignored;
    return number(h, ask(h, e, "SELECT 1 FROM sqlite_schema WHERE name = 'coverage'", ""), &ignored, has, e);
}

bool history_each_coverage(history *h, int64_t series, bool (*each)(void *context, const coverage *c), void *context,
                           error *e)
{
    bool has;
    if (!has_coverage(h, &has, e))
        return false;
    if (!has)
        return true;
    sqlite3_stmt *row = ask(h, e,
                            "SELECT text FROM coverage JOIN night ON night.id = coverage.night"
                            " WHERE ?1 = 0 OR series = ?1 ORDER BY night.id",
                            "i", series);
    int code = row ? sqlite3_step(row) : SQLITE_ERROR;
    for (; code == SQLITE_ROW; code = sqlite3_step(row)) {
        coverage c;
        if (coverage_read(&c, text_at(row, 0)) && !each(context, &c))
            break;
    }
    return ended(h, row, code, e);
}

bool history_coverage(history *h, int64_t night, coverage *c, bool *found, error *e)
{
    if (!has_coverage(h, found, e))
        return false;
    if (!*found)
        return true;
    sqlite3_stmt *row = ask(h, e, "SELECT text FROM coverage WHERE night = ?", "i", night);
    int code = row ? sqlite3_step(row) : SQLITE_ERROR;
    *found = code == SQLITE_ROW && coverage_read(c, text_at(row, 0));
    return ended(h, row, code, e);
}
