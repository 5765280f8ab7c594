/* SPDX-License-Identifier: Apache-2.0 */
/* Writing and reading the rows of a run. */
#include "harness/store/database.h"
#include "harness/store/store_blob.h"
#include "harness/store/store_private.h"

#include <stdlib.h>
#include <string.h>

static const char *const statement_sql[STATEMENT_COUNT] = {
    "INSERT INTO meta VALUES(?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
    "SELECT value FROM meta WHERE key = ?",
    "INSERT INTO test(operator, test, tier, title, points, first, indices, planned) VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
    "UPDATE test SET ran = ?2, sum = ?3, sum2 = ?4 WHERE id = ?1",
    "UPDATE test SET planned = ?2 WHERE id = ?1",
    "INSERT INTO plane VALUES(?, ?, ?, ?, ?)",
    /* The plane that ends right before this one, if all of both have the same verdict. */
    "UPDATE plane SET last = ?3, cases = cases + ?4 WHERE test = ?1 AND last = ?2 - 1 AND verdicts = ?5"
    " AND cases > 0 AND cases + ?4 <= ?6"
    " AND first = (SELECT max(first) FROM plane WHERE test = ?1 AND first < ?2)",
    "INSERT INTO dtype VALUES(?, (SELECT count(*) FROM dtype)) ON CONFLICT DO NOTHING",
    "SELECT id FROM dtype WHERE name = ?",
    "SELECT cases FROM tally_group WHERE test = ? AND level = ? AND verdict = ? AND dtypes & ?",
    "UPDATE tally_group SET dtypes = dtypes & ~?4 WHERE test = ?1 AND level = ?2 AND verdict = ?3 AND cases = ?5",
    "DELETE FROM tally_group WHERE test = ? AND level = ? AND verdict = ? AND dtypes = 0",
    "INSERT INTO tally_group(test, level, verdict, dtypes, cases) VALUES(?, ?, ?, ?, ?)"
    " ON CONFLICT DO UPDATE SET dtypes = dtypes | excluded.dtypes",
    /* The right-hand sides are the row's former values: the detail stays that of the first example. */
    "INSERT INTO observation VALUES(?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET cases = cases + excluded.cases,"
    " example = ifnull(example, excluded.example), detail = iif(example IS NULL, excluded.detail, detail)",
    "INSERT INTO finding(test, case_index, case_id, verdict, clause, dtype, level, tensor, element, expected, actual,"
    " source, differing, detail, descriptor, tensors, reproducer, rate, depends, matters, printed, shrunk,"
    " shrunk_facts, class, stands_for, other_data)"
    " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "DELETE FROM finding WHERE test = ? AND case_index = ?",
    /* There are few clauses, so that they need no index. */
    "INSERT INTO clause SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10"
    " WHERE NOT EXISTS (SELECT 1 FROM clause WHERE operator = ?1 AND id = ?2)",
    "UPDATE clause SET broken = broken + ?, refused = refused + ? WHERE operator = ? AND id = ?",
    "INSERT INTO ledger VALUES(?, ?, ?) ON CONFLICT DO NOTHING",
    "INSERT INTO operator VALUES(?, ?)",
};

static sqlite3_stmt *statement(store *s, int which, error *e)
{
    if (!s->statements[which] && sqlite3_prepare_v3(s->db, statement_sql[which], -1, SQLITE_PREPARE_PERSISTENT,
                                                    &s->statements[which], NULL) != SQLITE_OK)
        store_fail(s, "writing", e);
    return s->statements[which];
}

sqlite3_stmt *store_writing(store *s, int which, error *e)
{
    return store_log(s, e) ? statement(s, which, e) : NULL;
}

void store_bind_text(sqlite3_stmt *row, int column, const char *text)
{
    sqlite3_bind_text(row, column, text, -1, SQLITE_STATIC);
}

void store_bind_number(sqlite3_stmt *row, int column, uint64_t number)
{
    sqlite3_bind_int64(row, column, (sqlite3_int64)number);
}

bool store_finish(store *s, sqlite3_stmt *row, error *e)
{
    bool ok = sqlite3_step(row) == SQLITE_DONE || store_fail(s, "writing", e);
    sqlite3_reset(row);
    sqlite3_clear_bindings(row);
    return ok;
}

bool store_fits(const store *s, uint64_t number, const char *what, error *e)
{
    return number <= INT64_MAX ||
           error_set(e, "%s: %s: %llu is more than a run can hold (2^63-1)", s->path, what, (unsigned long long)number);
}

bool store_set(store *s, const char *key, const char *value, error *e)
{
    sqlite3_stmt *row = store_writing(s, STATEMENT_SET, e);
    if (!row)
        return false;
    store_bind_text(row, 1, key);
    store_bind_text(row, 2, value ? value : "");
    return store_finish(s, row, e);
}

const char *store_get(store *s, const char *key)
{
    error ignored;
    sqlite3_stmt *row = statement(s, STATEMENT_GET, &ignored);
    const char *value = NULL;
    if (!row)
        return NULL;
    store_bind_text(row, 1, key);
    free(s->value);
    s->value = NULL;
    /* Copied, because an open statement would keep the log from being moved into the file. */
    if (sqlite3_step(row) == SQLITE_ROW && (value = (const char *)sqlite3_column_text(row, 0)))
        s->value = strdup(value);
    sqlite3_reset(row);
    sqlite3_clear_bindings(row);
    return s->value;
}

bool store_add_test(store *s, store_test *t, error *e)
{
    if (!store_fits(s, t->points, t->test, e) || !store_fits(s, t->planned, t->test, e))
        return false;
    sqlite3_stmt *row = store_writing(s, STATEMENT_TEST, e);
    if (!row)
        return false;
    const char *texts[] = { t->op, t->test, t->tier, t->title };
    for (int i = 0; i < 4; ++i)
        store_bind_text(row, i + 1, texts[i] ? texts[i] : "");
    store_bind_number(row, 5, t->points);
    store_bind_number(row, 6, t->first);
    store_bind_number(row, 7, t->indices);
    store_bind_number(row, 8, t->planned);
    if (!store_finish(s, row, e))
        return false;
    t->id = sqlite3_last_insert_rowid(s->db);
    return true;
}

bool store_set_done(store *s, int64_t test, uint64_t ran, const uint64_t sums[2], error *e)
{
    sqlite3_stmt *row = store_fits(s, ran, "cases", e) ? store_writing(s, STATEMENT_DONE, e) : NULL;
    if (!row)
        return false;
    sqlite3_bind_int64(row, 1, test);
    store_bind_number(row, 2, ran);
    store_bind_number(row, 3, sums[0]); /* all 64 bits: half of the sums are negative in SQLite */
    store_bind_number(row, 4, sums[1]);
    return store_finish(s, row, e);
}

bool store_set_planned(store *s, int64_t test, uint64_t planned, error *e)
{
    sqlite3_stmt *row = store_fits(s, planned, "cases", e) ? store_writing(s, STATEMENT_PLANNED, e) : NULL;
    if (!row)
        return false;
    sqlite3_bind_int64(row, 1, test);
    store_bind_number(row, 2, planned);
    return store_finish(s, row, e);
}

#define MOST_GROWN 262144 /* cases of a plane that grew: whoever reads a plane has a byte for each of them */

/* Add a plane, or let the one before it grow. *written: a row was added or changed. */
static bool write_plane(store *s, int which, int64_t test, uint64_t first, uint64_t last, size_t n, const void *blob,
                        size_t size, bool *written, error *e)
{
    sqlite3_stmt *row = store_writing(s, which, e);
    if (!row)
        return false;
    sqlite3_bind_int64(row, 1, test);
    store_bind_number(row, 2, first);
    store_bind_number(row, 3, last);
    store_bind_number(row, 4, n);
    sqlite3_bind_blob64(row, 5, blob, size, SQLITE_STATIC);
    if (which == STATEMENT_PLANE_GROW)
        store_bind_number(row, 6, MOST_GROWN);
    const bool ok = store_finish(s, row, e);
    *written = ok && sqlite3_changes64(s->db) > 0;
    return ok;
}

bool store_add_plane(store *s, int64_t test, uint64_t first, uint64_t last, const uint8_t *verdicts, size_t n, error *e)
{
    size_t size;
    if (first > last || (last - first != UINT64_MAX && n > last - first + 1))
        return error_set(e, "%s: %zu verdicts for the cases %llu to %llu", s->path, n, (unsigned long long)first,
                         (unsigned long long)last);
    if (!store_fits(s, last, "case index", e))
        return false;
    for (size_t i = 0; i < n; ++i)
        if (verdicts[i] >= VERDICT_COUNT)
            return error_set(e, "%s: %u is no verdict", s->path, verdicts[i]);
    void *blob = blob_pack_verdicts(verdicts, n, &size);
    bool ok = blob || error_set(e, "%s: out of memory", s->path), grown = false;
    if (ok && size == 1 && n > 0)
        ok = write_plane(s, STATEMENT_PLANE_GROW, test, first, last, n, blob, size, &grown, e);
    ok = ok && (grown || write_plane(s, STATEMENT_PLANE, test, first, last, n, blob, size, &grown, e));
    free(blob);
    return ok;
}

bool store_add_observation(store *s, const store_observation *o, error *e)
{
    sqlite3_stmt *row = store_fits(s, o->cases, o->kind, e) ? store_writing(s, STATEMENT_OBSERVATION, e) : NULL;
    if (!row)
        return false;
    sqlite3_bind_int64(row, 1, o->test);
    store_bind_text(row, 2, o->kind);
    store_bind_number(row, 3, o->cases);
    store_bind_text(row, 4, o->example);
    store_bind_text(row, 5, o->detail);
    return store_finish(s, row, e);
}

bool store_add_finding(store *s, store_finding *f, error *e)
{
    const bool fits = store_fits(s, f->index, "case index", e) &&
                      store_fits(s, f->differing, "differing elements", e) && store_fits(s, f->stands_for, "cases", e);
    sqlite3_stmt *row = fits ? store_writing(s, STATEMENT_FINDING, e) : NULL;
    if (!row)
        return false;
    sqlite3_bind_int64(row, 1, f->test);
    store_bind_number(row, 2, f->index);
    store_bind_text(row, 3, f->case_id);
    sqlite3_bind_int(row, 4, (int)f->verdict);
    const char *texts[] = { f->clause, f->dtype, f->level, f->tensor, f->element, f->expected, f->actual, f->source };
    for (int i = 0; i < 8; ++i)
        store_bind_text(row, 5 + i, texts[i]);
    store_bind_number(row, 13, f->differing);
    store_bind_text(row, 14, f->detail);
    store_bind_text(row, 15, f->descriptor);
    store_bind_text(row, 16, f->tensors);
    store_bind_text(row, 17, f->reproducer);
    store_bind_text(row, 18, f->rate);
    store_bind_text(row, 19, f->depends);
    store_bind_text(row, 20, f->matters);
    store_bind_text(row, 21, f->printed);
    store_bind_text(row, 22, f->shrunk);
    store_bind_text(row, 23, f->shrunk_facts);
    store_bind_text(row, 24, f->class);
    store_bind_number(row, 25, f->stands_for);
    sqlite3_bind_int(row, 26, f->other_data);
    if (!store_finish(s, row, e))
        return false;
    f->id = sqlite3_last_insert_rowid(s->db);
    return true;
}

bool store_remove_finding(store *s, int64_t test, uint64_t index, error *e)
{
    sqlite3_stmt *row = store_writing(s, STATEMENT_UNFIND, e);
    if (!row)
        return false;
    sqlite3_bind_int64(row, 1, test);
    store_bind_number(row, 2, index);
    return store_finish(s, row, e);
}

bool store_add_clause(store *s, const store_clause *c, error *e)
{
    sqlite3_stmt *row = store_writing(s, STATEMENT_CLAUSE, e);
    if (!row)
        return false;
    const char *texts[] = {
        c->op ? c->op : "", c->id ? c->id : "", c->text, c->page, c->section, c->basis, c->ground
    };
    for (int i = 0; i < 7; ++i)
        store_bind_text(row, i + 1, texts[i]);
    sqlite3_bind_int(row, 8, c->breakable);
    sqlite3_bind_int64(row, 9, (sqlite3_int64)c->broken);
    sqlite3_bind_int64(row, 10, (sqlite3_int64)c->refused);
    return store_finish(s, row, e);
}

bool store_add_broken(store *s, const char *op, const char *id, uint64_t broken, uint64_t refused, error *e)
{
    sqlite3_stmt *row = store_writing(s, STATEMENT_BROKEN, e);
    if (!row)
        return false;
    sqlite3_bind_int64(row, 1, (sqlite3_int64)broken);
    sqlite3_bind_int64(row, 2, (sqlite3_int64)refused);
    store_bind_text(row, 3, op);
    store_bind_text(row, 4, id);
    return store_finish(s, row, e);
}

bool store_add_ledger(store *s, const char *op, const char *entries, error *e)
{
    size_t size, bytes = strlen(entries);
    void *blob = blob_pack(entries, bytes, &size);
    bool ok = blob || error_set(e, "%s: out of memory", s->path);
    sqlite3_stmt *row = ok ? store_writing(s, STATEMENT_LEDGER, e) : NULL;
    if (row) {
        store_bind_text(row, 1, op);
        store_bind_number(row, 2, bytes);
        sqlite3_bind_blob64(row, 3, blob, size, SQLITE_STATIC);
        ok = store_finish(s, row, e);
    }
    free(blob);
    return ok && row;
}

bool store_add_operator(store *s, const char *op, const char *digest, error *e)
{
    sqlite3_stmt *row = store_writing(s, STATEMENT_OPERATOR, e);
    if (!row)
        return false;
    store_bind_text(row, 1, op);
    store_bind_text(row, 2, digest);
    return store_finish(s, row, e);
}

/* ---- reading ------------------------------------------------------------------------------------------------------
 */

/* A loop over the rows of a statement, which is prepared each time: a callback may start another loop. */
typedef struct rows {
    store *s;
    sqlite3_stmt *row;
    const char *types; /* of the columns: database_row_has */
    error *e;
    bool ok;
} rows;

bool store_row_fits(const store *s, sqlite3_stmt *row, const char *types, error *e)
{
    return database_row_has(row, types) || store_damaged(s, "a value is of another type than its column", e);
}

static rows rows_start(store *s, const char *sql, const char *types, error *e)
{
    rows w = { s, NULL, types, e, true };
    if (sqlite3_prepare_v2(s->db, sql, -1, &w.row, NULL) != SQLITE_OK)
        w.ok = store_fail(s, "reading", e);
    return w;
}

static bool rows_next(rows *w)
{
    if (!w->ok)
        return false;
    int code = sqlite3_step(w->row);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        w->ok = store_fail(w->s, "reading", w->e);
    if (code == SQLITE_ROW)
        w->ok = store_row_fits(w->s, w->row, w->types, w->e);
    return code == SQLITE_ROW && w->ok;
}

static bool rows_end(rows *w)
{
    sqlite3_finalize(w->row);
    return w->ok;
}

static const char *text_at(rows *w, int column)
{
    return (const char *)sqlite3_column_text(w->row, column);
}

static uint64_t number_at(rows *w, int column)
{
    sqlite3_int64 number = sqlite3_column_int64(w->row, column);
    if (number < 0 && w->ok)
        w->ok = store_damaged(w->s, "a count is negative", w->e);
    return (uint64_t)number;
}

static verdict verdict_at(rows *w, int column)
{
    sqlite3_int64 number = sqlite3_column_int64(w->row, column);
    if ((number < 0 || number >= VERDICT_COUNT) && w->ok)
        w->ok = store_damaged(w->s, "a verdict is unknown", w->e);
    return (verdict)number;
}

bool store_each_meta(store *s, bool (*each)(void *context, const char *key, const char *value), void *context, error *e)
{
    rows w = rows_start(s, "SELECT key, value FROM meta ORDER BY key", "tt", e);
    while (rows_next(&w))
        if (!each(context, text_at(&w, 0), text_at(&w, 1)))
            break;
    return rows_end(&w);
}

bool store_each_test(store *s, bool (*each)(void *context, const store_test *t), void *context, error *e)
{
    rows w = rows_start(
        s,
        "SELECT id, name, operator, test, tier, title, points, first, indices, planned, ran, sum, sum2 FROM test"
        " ORDER BY id",
        "itttttiiiiiii", e);
    while (rows_next(&w)) {
        store_test t = { sqlite3_column_int64(w.row, 0),
                         text_at(&w, 1),
                         text_at(&w, 2),
                         text_at(&w, 3),
                         text_at(&w, 4),
                         text_at(&w, 5),
                         number_at(&w, 6),
                         number_at(&w, 7),
                         number_at(&w, 8),
                         number_at(&w, 9),
                         number_at(&w, 10),
                         { (uint64_t)sqlite3_column_int64(w.row, 11), (uint64_t)sqlite3_column_int64(w.row, 12) } };
        if (!w.ok || !each(context, &t))
            break;
    }
    return rows_end(&w);
}

bool store_each_tally(store *s, bool (*each)(void *context, const store_tally *t), void *context, error *e)
{
    /* The view tally in full: views of a file are never used. */
    rows w = rows_start(s,
                        "SELECT test, name, level, verdict, cases FROM tally_group JOIN dtype ON dtypes >> id & 1"
                        " ORDER BY test, name, level, verdict",
                        "ittii", e);
    while (rows_next(&w)) {
        store_tally t = { sqlite3_column_int64(w.row, 0), text_at(&w, 1), text_at(&w, 2), verdict_at(&w, 3),
                          number_at(&w, 4) };
        if (!w.ok || !each(context, &t))
            break;
    }
    return rows_end(&w);
}

bool store_each_finding(store *s, int64_t test, uint64_t limit, bool (*each)(void *context, const store_finding *f),
                        void *context, error *e)
{
    rows w = rows_start(s,
                        "SELECT id, test, case_index, case_id, verdict, clause, dtype, level, tensor, element,"
                        " expected, actual, source, differing, detail, descriptor, tensors, reproducer,"
                        " rate, depends, matters, printed, shrunk, shrunk_facts, class, stands_for,"
                        " other_data"
                        " FROM finding WHERE ?1 = 0 OR test = ?1 OR (?1 = -1 AND shrunk IS NOT NULL)"
                        " OR (?1 = -2 AND (depends IS NOT NULL OR EXISTS (SELECT 1 FROM candidate c WHERE c.bisected"
                        " AND c.test = finding.test AND c.case_index = finding.case_index)))"
                        " ORDER BY test, case_index LIMIT ?2",
                        "iiiTiTTTTTTTTiTTTTTTTTTTTii", e);
    if (w.ok) {
        sqlite3_bind_int64(w.row, 1, test);
        sqlite3_bind_int64(w.row, 2, limit == 0 || limit > INT64_MAX ? -1 : (sqlite3_int64)limit);
    }
    while (rows_next(&w)) {
        store_finding f = { .id = sqlite3_column_int64(w.row, 0),
                            .test = sqlite3_column_int64(w.row, 1),
                            .index = number_at(&w, 2),
                            .case_id = text_at(&w, 3),
                            .verdict = verdict_at(&w, 4),
                            .clause = text_at(&w, 5),
                            .dtype = text_at(&w, 6),
                            .level = text_at(&w, 7),
                            .tensor = text_at(&w, 8),
                            .element = text_at(&w, 9),
                            .expected = text_at(&w, 10),
                            .actual = text_at(&w, 11),
                            .source = text_at(&w, 12),
                            .differing = number_at(&w, 13),
                            .detail = text_at(&w, 14),
                            .descriptor = text_at(&w, 15),
                            .tensors = text_at(&w, 16),
                            .reproducer = text_at(&w, 17),
                            .rate = text_at(&w, 18),
                            .depends = text_at(&w, 19),
                            .matters = text_at(&w, 20),
                            .printed = text_at(&w, 21),
                            .shrunk = text_at(&w, 22),
                            .shrunk_facts = text_at(&w, 23),
                            .class = text_at(&w, 24),
                            .stands_for = number_at(&w, 25),
                            .other_data = sqlite3_column_int(w.row, 26) != 0 };
        if (!w.ok || !each(context, &f))
            break;
    }
    return rows_end(&w);
}

bool store_each_observation(store *s, bool (*each)(void *context, const store_observation *o), void *context, error *e)
{
    rows w =
        rows_start(s, "SELECT test, kind, cases, example, detail FROM observation ORDER BY test, kind", "itiTT", e);
    while (rows_next(&w)) {
        store_observation o = { sqlite3_column_int64(w.row, 0), text_at(&w, 1), number_at(&w, 2), text_at(&w, 3),
                                text_at(&w, 4) };
        if (!w.ok || !each(context, &o))
            break;
    }
    return rows_end(&w);
}

bool store_each_clause(store *s, bool (*each)(void *context, const store_clause *c), void *context, error *e)
{
    rows w = rows_start(s,
                        "SELECT operator, id, text, page, section, basis, ground, breakable, broken, refused"
                        " FROM clause ORDER BY rowid",
                        "ttTTTTTiii", e);
    while (rows_next(&w)) {
        store_clause c = { text_at(&w, 0), text_at(&w, 1), text_at(&w, 2),        text_at(&w, 3),   text_at(&w, 4),
                           text_at(&w, 5), text_at(&w, 6), number_at(&w, 7) != 0, number_at(&w, 8), number_at(&w, 9) };
        if (!each(context, &c))
            break;
    }
    return rows_end(&w);
}

bool store_each_ledger(store *s, bool (*each)(void *context, const char *op, const char *entries), void *context,
                       error *e)
{
    bool more = true;
    rows w = rows_start(s, "SELECT operator, bytes, entries FROM ledger ORDER BY operator", "tib", e);
    while (more && rows_next(&w)) {
        uint64_t bytes = number_at(&w, 1);
        const void *blob = sqlite3_column_blob(w.row, 2);
        char *entries = w.ok ? blob_unpack(blob, (size_t)sqlite3_column_bytes(w.row, 2), bytes) : NULL;
        if (!entries && w.ok)
            w.ok = store_damaged(s, "the ledger cannot be decompressed", e);
        more = entries && each(context, text_at(&w, 0), entries);
        free(entries);
    }
    return rows_end(&w);
}

bool store_each_operator(store *s, bool (*each)(void *context, const char *op, const char *digest), void *context,
                         error *e)
{
    rows w = rows_start(s,
                        "SELECT name, digest FROM operator"
                        " UNION SELECT operator, NULL FROM test WHERE operator NOT IN (SELECT name FROM operator)"
                        " ORDER BY 1",
                        "tT", e);
    while (rows_next(&w)) {
        const char *op = text_at(&w, 0), *digest = text_at(&w, 1);
        if (!op || !digest)
            w.ok = store_damaged(s, "an operator of its tests has no digest", e);
        if (!w.ok || !each(context, op, digest))
            break;
    }
    return rows_end(&w);
}

/* Decompress the verdicts of the current row into *verdicts, a buffer that grows. */
static bool unpack_plane(rows *w, store_plane *p, uint8_t **verdicts, size_t *capacity)
{
    uint64_t cases = number_at(w, 3);
    const void *blob = sqlite3_column_blob(w->row, 4);
    size_t size = (size_t)sqlite3_column_bytes(w->row, 4);
    if (!w->ok)
        return false;
    if (p->first > p->last || cases > p->last - p->first + 1 || !blob_may_hold(size, cases))
        return w->ok = store_damaged(w->s, "a plane counts more cases than it holds", w->e);
    if (*capacity < cases + 2) {
        free(*verdicts);
        *capacity = (size_t)cases + 2;
        *verdicts = malloc(*capacity);
        if (!*verdicts) {
            *capacity = 0;
            return w->ok = error_set(w->e, "%s: out of memory", w->s->path);
        }
    }
    const char *wrong = blob_unpack_verdicts(blob, size, (size_t)cases, *verdicts);
    if (wrong)
        return w->ok = store_damaged(w->s, wrong, w->e);
    p->verdicts = *verdicts;
    p->cases = (size_t)cases;
    return true;
}

bool store_each_range(store *s, int64_t test, bool (*each)(void *context, const store_plane *p), void *context,
                      error *e)
{
    rows w = rows_start(s, "SELECT test, first, last, cases FROM plane WHERE ?1 = 0 OR test = ?1 ORDER BY test, first",
                        "iiii", e);
    if (w.ok)
        sqlite3_bind_int64(w.row, 1, test);
    while (rows_next(&w)) {
        store_plane p = { sqlite3_column_int64(w.row, 0), number_at(&w, 1), number_at(&w, 2), NULL,
                          (size_t)number_at(&w, 3) };
        if (!w.ok || !each(context, &p))
            break;
    }
    return rows_end(&w);
}

bool store_each_plane(store *s, int64_t test, bool (*each)(void *context, const store_plane *p), void *context,
                      error *e)
{
    uint8_t *verdicts = NULL;
    size_t capacity = 0;
    rows w = rows_start(s,
                        "SELECT test, first, last, cases, verdicts FROM plane WHERE ?1 = 0 OR test = ?1"
                        " ORDER BY test, first",
                        "iiiib", e);
    if (w.ok)
        sqlite3_bind_int64(w.row, 1, test);
    while (rows_next(&w)) {
        store_plane p = { sqlite3_column_int64(w.row, 0), number_at(&w, 1), number_at(&w, 2), NULL, 0 };
        if (!w.ok || !unpack_plane(&w, &p, &verdicts, &capacity) || !each(context, &p))
            break;
    }
    free(verdicts);
    return rows_end(&w);
}
