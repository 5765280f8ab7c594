/* SPDX-License-Identifier: Apache-2.0 */
/* The regions that fail, and the sets of their failing cases. */
#include "harness/store/history_private.h"

#include <limits.h>
#include <stdlib.h>

bool history_set_span(history *h, const history_span *s, int64_t last, error *e)
{
    return history_done(
        h,
        history_prepare(h, e,
                        "INSERT INTO span(region, first, since, last, cases, before, changed)"
                        " VALUES(?, ?, ?, ?, ?, ?, ?) ON CONFLICT(region, first, since)"
                        " DO UPDATE SET last = excluded.last, cases = excluded.cases, changed = excluded.changed",
                        "iiiiiii", s->region, s->first, s->since, last, (int64_t)s->cases, (int64_t)s->before,
                        (int64_t)s->changed),
        e);
}

bool history_set_cases(history *h, const history_span *s, const char *suite, case_set *cases, error *e)
{
    size_t size, raw;
    void *packed = case_set_pack(cases, &size, &raw);
    sqlite3_stmt *row = packed ? history_prepare(h, e, "REPLACE INTO failing VALUES(?, ?, ?, ?, ?, ?)", "iiiti",
                                                 s->region, s->first, s->since, suite, (int64_t)raw)
                               : NULL;
    if (row && size <= INT_MAX)
        sqlite3_bind_blob(row, 6, packed, (int)size, SQLITE_STATIC);
    const bool fine = packed ? history_done(h, row, e) : error_set(e, "out of memory");
    free(packed);
    return fine;
}

bool history_drop_cases(history *h, int64_t series, error *e)
{
    static const char sql[] =
        "DELETE FROM failing WHERE region IN (SELECT region.id FROM region JOIN test ON test.id = region.test"
        " WHERE test.series = ?1) AND NOT EXISTS (SELECT 1 FROM span WHERE span.region = failing.region"
        " AND span.first = failing.first AND span.since = failing.since"
        " AND span.last = (SELECT max(id) FROM run WHERE series = ?1))";
    return history_done(h, history_prepare(h, e, sql, "i", series), e);
}

static bool run_of(history *h, sqlite3_stmt *row, int64_t *run, error *e)
{
    bool found;
    *run = 0;
    return history_number(h, row, run, &found, e);
}

bool history_last_run(history *h, int64_t series, int64_t before, int64_t *run, error *e)
{
    return run_of(h,
                  history_prepare(h, e, "SELECT ifnull(max(id), 0) FROM run WHERE series = ?1 AND (?2 = 0 OR id < ?2)",
                                  "ii", series, before),
                  run, e);
}

bool history_earlier_version(history *h, const history_series *s, const char *started, int64_t *run, error *e)
{
    static const char sql[] =
        "SELECT run.id FROM run JOIN series ON series.id = run.series WHERE backend = ? AND device = ? AND options = ?"
        " AND level = ? AND profile IN (?, '') AND tier = ? AND query = ? AND series.id <> ? AND started < ?"
        " ORDER BY started DESC, run.id DESC LIMIT 1";
    return run_of(h,
                  history_prepare(h, e, sql, "tttttttit", s->backend, s->device, s->options, s->level, s->profile,
                                  s->tier, s->query, s->id, started),
                  run, e);
}

bool history_each_failing(history *h, int64_t run, const char *test, bool (*each)(void *context, history_failing *f),
                          void *context, error *e)
{
    static const char sql[] =
        "SELECT span.region, span.first, span.since, span.cases, span.before, region.verdict, region.query,"
        " region.example, region.exact, ifnull(failing.suite, ''),"
        " ifnull(failing.bytes, 0), ifnull(failing.cases, x''), span.changed FROM test"
        " JOIN region ON region.test = test.id JOIN span ON span.region = region.id LEFT JOIN failing"
        " ON failing.region = span.region AND failing.first = span.first AND failing.since = span.since"
        " WHERE test.series = (SELECT series FROM run WHERE id = ?1) AND test.name = ?2 AND span.last = ?1"
        " ORDER BY region.exact DESC, span.since, region.id";
    static const char types[] = "iiiiiitTitibi";
    sqlite3_stmt *row = history_prepare(h, e, sql, "it", run, test);
    int code = history_next(row, types);
    bool more = true, fine = true;
    for (; fine && more && code == SQLITE_ROW; code = more ? history_next(row, types) : code) {
        const int64_t v = sqlite3_column_int64(row, 5);
        case_set cases = { .count = 0 };
        history_failing f = { .span = { sqlite3_column_int64(row, 0), sqlite3_column_int64(row, 1),
                                        sqlite3_column_int64(row, 2), history_count_at(row, 3),
                                        history_count_at(row, 4), history_count_at(row, 12) },
                              .verdict = v >= 0 && v < VERDICT_COUNT ? (verdict)v : VERDICT_NONE,
                              .query = history_text_at(row, 6),
                              .example = history_text_at(row, 7),
                              .exact = sqlite3_column_int(row, 8) != 0,
                              .suite = history_text_at(row, 9),
                              .cases = &cases };
        if (*f.suite)
            fine = case_set_unpack(&cases, sqlite3_column_blob(row, 11), (size_t)sqlite3_column_bytes(row, 11),
                                   history_count_at(row, 10)) ||
                   history_damaged(h, "the failing cases of a region cannot be read", e);
        more = fine && each(context, &f);
        case_set_free(&cases);
    }
    if (!fine) {
        sqlite3_finalize(row);
        return false;
    }
    return history_ended(h, row, code, e);
}
