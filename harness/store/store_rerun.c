/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/store/store_rerun.h"

#include "harness/store/database.h"
#include "harness/store/store_blob.h"
#include "harness/store/store_private.h"

#include <stdlib.h>
#include <string.h>

/* Prepare a statement that is used rarely. NULL on error. */
static sqlite3_stmt *prepared(store *s, const char *sql, bool writes, error *e)
{
    sqlite3_stmt *row = NULL;
    if (writes && !store_log(s, e))
        return NULL;
    if (sqlite3_prepare_v2(s->db, sql, -1, &row, NULL) != SQLITE_OK)
        store_fail(s, writes ? "writing" : "reading", e);
    return row;
}

static bool done(store *s, sqlite3_stmt *row, error *e)
{
    bool ok = sqlite3_step(row) == SQLITE_DONE || store_fail(s, "writing", e);
    sqlite3_finalize(row);
    return ok;
}

/* ---- planes ---- */

bool store_read_plane(store *s, int64_t test, uint64_t first, uint8_t *verdicts, size_t n, error *e)
{
    sqlite3_stmt *row = prepared(s, "SELECT cases, verdicts FROM plane WHERE test = ? AND first = ?", false, e);
    if (!row)
        return false;
    sqlite3_bind_int64(row, 1, test);
    store_bind_number(row, 2, first);
    const char *wrong = "a plane is missing";
    if (sqlite3_step(row) == SQLITE_ROW && database_row_has(row, "ib") && (uint64_t)sqlite3_column_int64(row, 0) == n)
        wrong = blob_unpack_verdicts(sqlite3_column_blob(row, 1), (size_t)sqlite3_column_bytes(row, 1), n, verdicts);
    sqlite3_finalize(row);
    return !wrong || store_damaged(s, wrong, e);
}

bool store_replace_plane(store *s, int64_t test, uint64_t first, const uint8_t *verdicts, size_t n, error *e)
{
    size_t size;
    void *blob = blob_pack_verdicts(verdicts, n, &size);
    sqlite3_stmt *row =
        blob ? prepared(s, "UPDATE plane SET verdicts = ?3 WHERE test = ?1 AND first = ?2", true, e) : NULL;
    if (!blob)
        error_set(e, "%s: out of memory", s->path);
    bool ok = row != NULL;
    if (ok) {
        sqlite3_bind_int64(row, 1, test);
        store_bind_number(row, 2, first);
        sqlite3_bind_blob64(row, 3, blob, size, SQLITE_STATIC);
        ok = done(s, row, e);
    }
    free(blob);
    return ok;
}

/* ---- the shuffled pass ---- */

bool store_set_shuffled(store *s, int64_t test, uint64_t block, error *e)
{
    sqlite3_stmt *row = prepared(s, "INSERT INTO shuffled VALUES(?, ?) ON CONFLICT DO NOTHING", true, e);
    if (!row)
        return false;
    sqlite3_bind_int64(row, 1, test);
    store_bind_number(row, 2, block);
    return done(s, row, e);
}

bool store_each_shuffled(store *s, int64_t test, bool (*each)(void *context, uint64_t block), void *context, error *e)
{
    sqlite3_stmt *row = prepared(s, "SELECT block FROM shuffled WHERE test = ? ORDER BY block", false, e);
    if (!row)
        return false;
    int code;
    bool fits = true;
    sqlite3_bind_int64(row, 1, test);
    while ((code = sqlite3_step(row)) == SQLITE_ROW && (fits = store_row_fits(s, row, "i", e)) &&
           each(context, (uint64_t)sqlite3_column_int64(row, 0)))
        continue;
    bool ok = fits && (code == SQLITE_ROW || code == SQLITE_DONE || store_fail(s, "reading", e));
    sqlite3_finalize(row);
    return ok;
}

/* ---- candidates ---- */

bool store_add_candidate(store *s, const store_candidate *candidate, uint64_t most, error *e)
{
    sqlite3_stmt *row = prepared(s,
                                 "INSERT INTO candidate VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)"
                                 " ON CONFLICT DO NOTHING",
                                 true, e);
    if (!row)
        return false;
    const uint64_t numbers[] = { candidate->index,         candidate->first,     candidate->second,
                                 candidate->block_first,   candidate->block_end, candidate->block_cases,
                                 candidate->block_ordinal, candidate->from,      candidate->place };
    sqlite3_bind_int64(row, 1, candidate->test);
    for (int i = 0; i < 9; ++i)
        store_bind_number(row, i + 2, numbers[i]);
    if (!done(s, row, e))
        return false;
    row =
        prepared(s,
                 "DELETE FROM candidate WHERE test = ?1 AND (second = 0) = ?2 AND case_index NOT IN (SELECT case_index"
                 " FROM candidate WHERE test = ?1 AND (second = 0) = ?2 ORDER BY case_index LIMIT ?3)",
                 true, e);
    if (!row)
        return false;
    sqlite3_bind_int64(row, 1, candidate->test);
    sqlite3_bind_int(row, 2, candidate->second == VERDICT_NONE);
    store_bind_number(row, 3, most);
    return done(s, row, e);
}

static uint64_t number(sqlite3_stmt *row, int column)
{
    return (uint64_t)sqlite3_column_int64(row, column);
}

bool store_each_candidate(store *s, bool (*each)(void *context, const store_candidate *candidate), void *context,
                          error *e)
{
    sqlite3_stmt *row = prepared(s, "SELECT * FROM candidate ORDER BY test, case_index", false, e);
    if (!row)
        return false;
    int code;
    bool more = true, fits = true;
    while (more && (code = sqlite3_step(row)) == SQLITE_ROW && (fits = store_row_fits(s, row, "iiiiiiiiiii", e))) {
        const store_candidate candidate = { .test = sqlite3_column_int64(row, 0),
                                            .index = number(row, 1),
                                            .first = (verdict)(number(row, 2) % VERDICT_COUNT),
                                            .second = (verdict)(number(row, 3) % VERDICT_COUNT),
                                            .block_first = number(row, 4),
                                            .block_end = number(row, 5),
                                            .block_cases = number(row, 6),
                                            .block_ordinal = number(row, 7),
                                            .from = number(row, 8),
                                            .place = number(row, 9),
                                            .bisected = number(row, 10) != 0 };
        more = each(context, &candidate);
    }
    bool ok = fits && (!more || code == SQLITE_DONE || store_fail(s, "reading", e));
    sqlite3_finalize(row);
    return ok;
}

bool store_set_bisected(store *s, int64_t test, uint64_t index, error *e)
{
    sqlite3_stmt *row = prepared(s, "UPDATE candidate SET bisected = 1 WHERE test = ? AND case_index = ?", true, e);
    if (!row)
        return false;
    sqlite3_bind_int64(row, 1, test);
    store_bind_number(row, 2, index);
    return done(s, row, e);
}

/* ---- findings ---- */

bool store_amend_finding(store *s, int64_t test, uint64_t index, verdict v, const char *more, const char *rate,
                         const char *depends, const char *reproducer, error *e)
{
    sqlite3_stmt *row = prepared(s,
                                 "UPDATE finding SET verdict = iif(?3 = 0 OR verdict = ?8, verdict, ?3),"
                                 " detail = iif(?4 IS NULL, detail, ifnull(detail || ' ', '') || ?4),"
                                 " rate = ifnull(?5, rate), depends = ifnull(?6, depends),"
                                 " reproducer = ifnull(?7, reproducer) WHERE test = ?1 AND case_index = ?2",
                                 true, e);
    if (!row)
        return false;
    sqlite3_bind_int64(row, 1, test);
    store_bind_number(row, 2, index);
    sqlite3_bind_int(row, 3, (int)v);
    store_bind_text(row, 4, more);
    store_bind_text(row, 5, rate);
    store_bind_text(row, 6, depends);
    store_bind_text(row, 7, reproducer);
    sqlite3_bind_int(row, 8, VERDICT_WAIVED);
    return done(s, row, e);
}

bool store_amend_unseen(store *s, int64_t test, const char *more, const char *reproducer, error *e)
{
    sqlite3_stmt *row =
        prepared(s,
                 "UPDATE finding SET detail = ifnull(detail || ' ', '') || ?2, reproducer = ifnull(?3, reproducer)"
                 " WHERE test = ?1 AND depends IS NULL AND rate IS NULL AND verdict <> ?4"
                 " AND case_index NOT IN (SELECT case_index FROM candidate WHERE test = ?1)"
                 " AND EXISTS (SELECT 1 FROM finding WHERE test = ?1 AND depends IS NOT NULL)"
                 " AND NOT EXISTS (SELECT 1 FROM candidate c JOIN finding f USING (test, case_index)"
                 " WHERE test = ?1 AND c.bisected AND f.depends IS NULL)",
                 true, e);
    if (!row)
        return false;
    sqlite3_bind_int64(row, 1, test);
    store_bind_text(row, 2, more);
    store_bind_text(row, 3, reproducer);
    sqlite3_bind_int(row, 4, VERDICT_WAIVED);
    return done(s, row, e);
}

bool store_set_matters(store *s, int64_t test, uint64_t index, const char *matters, const char *more, error *e)
{
    sqlite3_stmt *row = prepared(s,
                                 "UPDATE finding SET matters = ?3, detail = ifnull(detail || ' ', '') || ?4"
                                 " WHERE test = ?1 AND case_index = ?2 AND matters IS NULL",
                                 true, e);
    if (!row)
        return false;
    sqlite3_bind_int64(row, 1, test);
    store_bind_number(row, 2, index);
    store_bind_text(row, 3, matters);
    store_bind_text(row, 4, more);
    return done(s, row, e);
}

bool store_set_shrunk(store *s, int64_t test, uint64_t index, const char *shrunk, const char *facts, error *e)
{
    sqlite3_stmt *row =
        prepared(s, "UPDATE finding SET shrunk = ?3, shrunk_facts = ?4 WHERE test = ?1 AND case_index = ?2", true, e);
    if (!row)
        return false;
    sqlite3_bind_int64(row, 1, test);
    store_bind_number(row, 2, index);
    store_bind_text(row, 3, shrunk);
    store_bind_text(row, 4, facts);
    return done(s, row, e);
}
