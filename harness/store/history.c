/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/store/history_private.h"

#include "harness/store/database.h"

#include <stdlib.h>
#include <string.h>

bool history_damaged(const history *h, const char *how, error *e)
{
    return error_set(e, "%s: the history is damaged (%s). Restore the file from a copy, or begin a new one.", h->path,
                     how);
}

bool history_fail(const history *h, const char *doing, error *e)
{
    int code = sqlite3_errcode(h->db) & 0xff;
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
        return error_usage(e, "%s: %s: another process is writing this history; wait for it", h->path, doing);
    if (code == SQLITE_NOTADB)
        return error_usage(e, "%s: is not a history of Touchstone (and not even an SQLite file)", h->path);
    if (code == SQLITE_INTERRUPT)
        return history_damaged(h, "reading it takes more steps than any history needs", e);
    if (code == SQLITE_CORRUPT || code == SQLITE_TOOBIG)
        return history_damaged(h, sqlite3_errmsg(h->db), e);
    if (code == SQLITE_CANTOPEN && sqlite3_system_errno(h->db))
        return error_file(e, h->path, doing, sqlite3_system_errno(h->db));
    if (code == SQLITE_READONLY || code == SQLITE_CANTOPEN)
        return error_usage(e, "%s: %s: the file cannot be opened or written", h->path, doing);
    const int number = sqlite3_system_errno(h->db);
    if (code == SQLITE_FULL)
        return error_set(e, "%s: %s: the disk is full", h->path, doing);
    if (code == SQLITE_IOERR && number == 0) /* SQLite forgets the number of a write that stopped short */
        return error_set(e,
                         "%s: %s: the operating system refuses to read or write more (a full disk, a quota, 'ulimit "
                         "-f' or a failing disk)",
                         h->path, doing);
    if (code == SQLITE_IOERR)
        return error_file(e, h->path, doing, number);
    return error_set(e, "%s: %s: %s", h->path, doing, sqlite3_errmsg(h->db));
}

bool history_execute(const history *h, const char *sql, const char *doing, error *e)
{
    return sqlite3_exec(h->db, sql, NULL, NULL, NULL) == SQLITE_OK || history_fail(h, doing, e);
}

sqlite3_stmt *history_prepare(const history *h, error *e, const char *sql, const char *types, ...)
{
    sqlite3_stmt *row = NULL;
    if (sqlite3_prepare_v2(h->db, sql, -1, &row, NULL) != SQLITE_OK) {
        history_fail(h, "reading", e);
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

bool history_done(const history *h, sqlite3_stmt *row, error *e)
{
    bool fine = row && sqlite3_step(row) == SQLITE_DONE;
    if (row && !fine)
        history_fail(h, "writing", e);
    sqlite3_finalize(row);
    return fine;
}

bool history_number(const history *h, sqlite3_stmt *row, int64_t *value, bool *found, error *e)
{
    int code = row ? sqlite3_step(row) : SQLITE_ERROR;
    *found = code == SQLITE_ROW;
    if (*found)
        *value = sqlite3_column_int64(row, 0);
    bool fine = *found || code == SQLITE_DONE;
    if (row && !fine)
        history_fail(h, "reading", e);
    sqlite3_finalize(row);
    return fine;
}

bool history_begin(history *h, error *e)
{
    return history_execute(h, "BEGIN IMMEDIATE", "adding a run", e);
}

bool history_commit(history *h, error *e)
{
    return history_execute(h, "COMMIT", "adding a run", e);
}

void history_rollback(history *h)
{
    sqlite3_exec(h->db, "ROLLBACK", NULL, NULL, NULL);
}

/* ---- writing ---- */

bool history_add_series(history *h, history_series *s, error *e)
{
    bool found;
    static const char find[] = "SELECT id FROM series WHERE backend = ? AND version = ? AND device = ? AND options = ?"
                               " AND level = ? AND profile = ? AND tier = ? AND query = ?";
    /* A series of an older format has no profile: it takes that of the first run that is added to it. */
    static const char adopt[] =
        "UPDATE OR IGNORE series SET profile = ?6 WHERE backend = ?1 AND version = ?2 AND device = ?3"
        " AND options = ?4 AND level = ?5 AND profile = '' AND tier = ?7 AND query = ?8";
    static const char insert[] = "INSERT INTO series(backend, version, device, options, level, profile, tier, query)"
                                 " VALUES(?, ?, ?, ?, ?, ?, ?, ?)";
    static const char *const tries[] = { find, adopt, find, insert, find };
    for (size_t i = 0; i < sizeof tries / sizeof *tries; ++i) {
        sqlite3_stmt *row = history_prepare(h, e, tries[i], "tttttttt", s->backend, s->version, s->device, s->options,
                                            s->level, s->profile, s->tier, s->query);
        if (tries[i] != find) {
            if (!history_done(h, row, e))
                return false;
        } else if (!history_number(h, row, &s->id, &found, e)) {
            return false;
        } else if (found) {
            return true;
        }
    }
    return error_set(e, "%s: the series cannot be found again", h->path);
}

bool history_insert_run(history *h, history_run *r, error *e)
{
    bool found;
    int64_t later = 0;
    if (!history_number(h,
                        history_prepare(h, e, "SELECT count(*) FROM run WHERE series = ? AND started >= ?", "it",
                                        r->series, r->started),
                        &later, &found, e))
        return false;
    if (later)
        return error_usage(e,
                           "%s: the run of %s is there already, or a later run of its series is: runs are added once, "
                           "and in order",
                           h->path, r->started);
    if (!history_done(h,
                      history_prepare(h, e, "INSERT INTO run VALUES(NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                                      "itttttdiiiii", r->series, r->started, r->version, r->driver, r->suite, r->digest,
                                      r->seconds, (int64_t)r->planned, (int64_t)r->ran, (int64_t)r->failed,
                                      (int64_t)r->waived, (int64_t)r->unsupported),
                      e))
        return false;
    r->id = sqlite3_last_insert_rowid(h->db);
    return true;
}

bool history_add_test(history *h, int64_t series, const char *name, int64_t *id, error *e)
{
    bool found;
    if (!history_number(h,
                        history_prepare(h, e, "SELECT id FROM test WHERE series = ? AND name = ?", "it", series, name),
                        id, &found, e))
        return false;
    if (found)
        return true;
    if (!history_done(h, history_prepare(h, e, "INSERT INTO test VALUES(NULL, ?, ?)", "it", series, name), e))
        return false;
    *id = sqlite3_last_insert_rowid(h->db);
    return true;
}

bool history_set_count(history *h, int64_t test, verdict v, int64_t run, uint64_t cases, error *e)
{
    int64_t before = 0;
    bool found;
    if (!history_number(
            h,
            history_prepare(h, e, "SELECT cases FROM count WHERE test = ? AND verdict = ? ORDER BY run DESC LIMIT 1",
                            "ii", test, (int64_t)v),
            &before, &found, e))
        return false;
    if ((uint64_t)before == cases)
        return true;
    return history_done(
        h, history_prepare(h, e, "INSERT INTO count VALUES(?, ?, ?, ?)", "iiii", test, (int64_t)v, run, (int64_t)cases),
        e);
}

bool history_add_region(history *h, int64_t test, verdict v, const char *query, const char *example, bool exact,
                        int64_t *id, error *e)
{
    bool found;
    if (!history_number(h,
                        history_prepare(h, e, "SELECT id FROM region WHERE test = ? AND verdict = ? AND query = ?",
                                        "iit", test, (int64_t)v, query),
                        id, &found, e))
        return false;
    if (found)
        return true;
    if (!history_done(h,
                      history_prepare(h, e, "INSERT INTO region VALUES(NULL, ?, ?, ?, ?, ?)", "iitti", test, (int64_t)v,
                                      query, example, (int64_t)exact),
                      e))
        return false;
    *id = sqlite3_last_insert_rowid(h->db);
    return true;
}

bool history_add_coverage(history *h, int64_t run, const coverage *c, error *e)
{
    char *text = coverage_write(c);
    bool fine = text ? history_done(h, history_prepare(h, e, "INSERT INTO coverage VALUES(?, ?)", "it", run, text), e)
                     : error_set(e, "out of memory");
    free(text);
    return fine;
}

/* ---- reading ---- */

const char *history_text_at(sqlite3_stmt *row, int column)
{
    const unsigned char *text = sqlite3_column_text(row, column);
    return text ? (const char *)text : "";
}

uint64_t history_count_at(sqlite3_stmt *row, int column)
{
    int64_t value = sqlite3_column_int64(row, column);
    return value > 0 ? (uint64_t)value : 0;
}

int history_next(sqlite3_stmt *row, const char *types)
{
    const int code = row ? sqlite3_step(row) : SQLITE_MISMATCH;
    return code == SQLITE_ROW && !database_row_has(row, types) ? SQLITE_MISMATCH : code;
}

bool history_ended(const history *h, sqlite3_stmt *row, int code, error *e)
{
    bool fine = code == SQLITE_DONE || code == SQLITE_ROW;
    if (row && code == SQLITE_MISMATCH)
        history_damaged(h, "a value is of another type than its column", e);
    else if (!fine && row)
        history_fail(h, "reading", e);
    sqlite3_finalize(row);
    return fine;
}

bool history_each_series(history *h, bool (*each)(void *context, const history_series *s), void *context, error *e)
{
    sqlite3_stmt *row = history_prepare(
        h, e, "SELECT id, backend, version, device, options, level, profile, tier, query FROM series ORDER BY id", "");
    int code = history_next(row, "itttttttt");
    for (; code == SQLITE_ROW; code = history_next(row, "itttttttt")) {
        history_series s = { sqlite3_column_int64(row, 0), history_text_at(row, 1), history_text_at(row, 2),
                             history_text_at(row, 3),      history_text_at(row, 4), history_text_at(row, 5),
                             history_text_at(row, 6),      history_text_at(row, 7), history_text_at(row, 8) };
        if (!each(context, &s))
            break;
    }
    return history_ended(h, row, code, e);
}

bool history_each_run(history *h, int64_t series, uint64_t most, bool (*each)(void *context, const history_run *r),
                      void *context, error *e)
{
    sqlite3_stmt *row = history_prepare(h, e,
                                        "SELECT * FROM (SELECT * FROM run WHERE series = ? ORDER BY id DESC LIMIT ?)"
                                        " ORDER BY id",
                                        "ii", series, most ? (int64_t)most : (int64_t)-1);
    int code = history_next(row, "iitTTTTdiiiii");
    for (; code == SQLITE_ROW; code = history_next(row, "iitTTTTdiiiii")) {
        history_run r = { sqlite3_column_int64(row, 0), sqlite3_column_int64(row, 1),  history_text_at(row, 2),
                          history_text_at(row, 3),      history_text_at(row, 4),       history_text_at(row, 5),
                          history_text_at(row, 6),      sqlite3_column_double(row, 7), history_count_at(row, 8),
                          history_count_at(row, 9),     history_count_at(row, 10),     history_count_at(row, 11),
                          history_count_at(row, 12) };
        if (!each(context, &r))
            break;
    }
    return history_ended(h, row, code, e);
}

bool history_each_region(history *h, int64_t series, int64_t test, bool (*each)(void *context, const history_region *r),
                         void *context, error *e)
{
    static const char sql[] =
        "SELECT region.id, region.test, test.name, region.verdict, region.query, region.example, region.exact,"
        " span.first, span.last, a.started, b.started, span.cases,"
        " (SELECT count(*) FROM run WHERE series = ?1 AND id BETWEEN span.first AND span.last),"
        " span.last = (SELECT max(id) FROM run WHERE series = ?1) AS failing, span.since, c.started, c.version,"
        " span.before, span.changed FROM span JOIN region ON region.id = span.region JOIN test ON test.id = region.test"
        " JOIN run AS a ON a.id = span.first JOIN run AS b ON b.id = span.last JOIN run AS c ON c.id = span.since"
        " WHERE test.series = ?1 AND (?2 = 0 OR test.id = ?2) ORDER BY failing DESC, c.started, span.first, region.id";
    sqlite3_stmt *row = history_prepare(h, e, sql, "ii", series, test);
    int code = history_next(row, "iititTiiittiiiitTii");
    for (; code == SQLITE_ROW; code = history_next(row, "iititTiiittiiiitTii")) {
        int64_t v = sqlite3_column_int64(row, 3);
        history_region r = { .id = sqlite3_column_int64(row, 0),
                             .series = series,
                             .test = sqlite3_column_int64(row, 1),
                             .name = history_text_at(row, 2),
                             .verdict = v >= 0 && v < VERDICT_COUNT ? (verdict)v : VERDICT_NONE,
                             .query = history_text_at(row, 4),
                             .example = history_text_at(row, 5),
                             .exact = sqlite3_column_int(row, 6) != 0,
                             .first = sqlite3_column_int64(row, 7),
                             .last = sqlite3_column_int64(row, 8),
                             .first_started = history_text_at(row, 9),
                             .last_started = history_text_at(row, 10),
                             .cases = history_count_at(row, 11),
                             .runs = history_count_at(row, 12),
                             .failing = sqlite3_column_int(row, 13) != 0,
                             .since = sqlite3_column_int64(row, 14),
                             .since_started = history_text_at(row, 15),
                             .since_version = history_text_at(row, 16),
                             .before = history_count_at(row, 17),
                             .changed = history_count_at(row, 18) };
        if (!each(context, &r))
            break;
    }
    return history_ended(h, row, code, e);
}

bool history_each_coverage(history *h, int64_t series, bool (*each)(void *context, const coverage *c), void *context,
                           error *e)
{
    sqlite3_stmt *row = history_prepare(h, e,
                                        "SELECT text FROM coverage JOIN run ON run.id = coverage.run"
                                        " WHERE ?1 = 0 OR series = ?1 ORDER BY run.id",
                                        "i", series);
    int code = history_next(row, "t");
    for (; code == SQLITE_ROW; code = history_next(row, "t")) {
        coverage c;
        if (coverage_read(&c, history_text_at(row, 0)) && !each(context, &c))
            break;
    }
    return history_ended(h, row, code, e);
}

bool history_coverage(history *h, int64_t run, coverage *c, bool *found, error *e)
{
    sqlite3_stmt *row = history_prepare(h, e, "SELECT text FROM coverage WHERE run = ?", "i", run);
    int code = history_next(row, "t");
    *found = code == SQLITE_ROW && coverage_read(c, history_text_at(row, 0));
    return history_ended(h, row, code, e);
}
