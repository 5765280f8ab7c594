/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a run, in and out. */
#include "harness/store_private.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const char *const statement_sql[STATEMENT_COUNT] = {
    "INSERT INTO meta VALUES(?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
    "SELECT value FROM meta WHERE key = ?",
    "INSERT INTO test(name, operator, test, tier, title, points, owed) VALUES(?, ?, ?, ?, ?, ?, ?)",
    "INSERT INTO plane VALUES(?, ?, ?, ?, ?)",
    "INSERT INTO tally VALUES(?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET cases = cases + excluded.cases",
    "INSERT INTO observation VALUES(?, ?, ?, ?) ON CONFLICT DO UPDATE SET cases = cases + excluded.cases,"
    " example = ifnull(example, excluded.example)",
    "INSERT INTO finding(test, case_index, case_id, verdict, clause, dtype, level, tensor, element, expected, actual,"
    " source, differing, detail, descriptor, tensors, reproducer)"
    " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "INSERT INTO clause VALUES(?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
    "UPDATE clause SET broken = broken + ?, refused = refused + ? WHERE operator = ? AND id = ?",
};

static sqlite3_stmt *statement(store *s, int which, error *e)
{
    if (!s->statements[which] && sqlite3_prepare_v3(s->db, statement_sql[which], -1, SQLITE_PREPARE_PERSISTENT,
                                                    &s->statements[which], NULL) != SQLITE_OK)
        store_fail(s, "writing", e);
    return s->statements[which];
}

/* A statement to write with. */
static sqlite3_stmt *writing(store *s, int which, error *e)
{
    return store_log(s, e) ? statement(s, which, e) : NULL;
}

/* The texts live longer than the step, so that SQLite need not copy them. */
static void bind_text(sqlite3_stmt *row, int column, const char *text)
{
    sqlite3_bind_text(row, column, text, -1, SQLITE_STATIC);
}

static void bind_number(sqlite3_stmt *row, int column, uint64_t number)
{
    sqlite3_bind_int64(row, column, (sqlite3_int64)number);
}

static bool finish(store *s, sqlite3_stmt *row, error *e)
{
    bool ok = sqlite3_step(row) == SQLITE_DONE || store_fail(s, "writing", e);
    sqlite3_reset(row);
    sqlite3_clear_bindings(row);
    return ok;
}

/* SQLite counts to 2^63-1. */
static bool fits(const store *s, uint64_t number, const char *what, error *e)
{
    return number <= INT64_MAX ||
           error_set(e, "%s: %s: %llu is more than a run can hold (2^63-1)", s->path, what, (unsigned long long)number);
}

bool store_set(store *s, const char *key, const char *value, error *e)
{
    sqlite3_stmt *row = writing(s, STATEMENT_SET, e);
    if (!row)
        return false;
    bind_text(row, 1, key);
    bind_text(row, 2, value ? value : "");
    return finish(s, row, e);
}

const char *store_get(store *s, const char *key)
{
    error ignored;
    sqlite3_stmt *row = statement(s, STATEMENT_GET, &ignored);
    const char *value = NULL;
    if (!row)
        return NULL;
    bind_text(row, 1, key);
    free(s->value);
    s->value = NULL;
    /* Copied, because a statement that is left open would hold the log back. */
    if (sqlite3_step(row) == SQLITE_ROW && (value = (const char *)sqlite3_column_text(row, 0)))
        s->value = strdup(value);
    sqlite3_reset(row);
    sqlite3_clear_bindings(row);
    return s->value;
}

bool store_add_test(store *s, store_test *t, error *e)
{
    if (!fits(s, t->points, t->name, e) || !fits(s, t->owed, t->name, e))
        return false;
    sqlite3_stmt *row = writing(s, STATEMENT_TEST, e);
    if (!row)
        return false;
    const char *texts[] = { t->name, t->op, t->test, t->tier, t->title };
    for (int i = 0; i < 5; ++i)
        bind_text(row, i + 1, texts[i] ? texts[i] : "");
    bind_number(row, 6, t->points);
    bind_number(row, 7, t->owed);
    if (!finish(s, row, e))
        return false;
    t->id = sqlite3_last_insert_rowid(s->db);
    return true;
}

bool store_add_plane(store *s, int64_t test, uint64_t first, uint64_t last, const uint8_t *verdicts, size_t n, error *e)
{
    if (first > last || (last - first != UINT64_MAX && n > last - first + 1))
        return error_set(e, "%s: %zu verdicts for the cases %llu to %llu", s->path, n, (unsigned long long)first,
                         (unsigned long long)last);
    if (!fits(s, last, "case index", e))
        return false;
    size_t bytes = (n + 1) / 2;
    uLongf packed_bytes = compressBound((uLong)bytes);
    unsigned char *nibbles = calloc(bytes + 1, 1), *packed = malloc(packed_bytes);
    bool ok = nibbles && packed;
    if (!ok)
        error_set(e, "%s: out of memory", s->path);
    for (size_t i = 0; ok && i < n; ++i) {
        nibbles[i / 2] |= (unsigned char)(verdicts[i] << (i % 2 ? 4 : 0));
        if (verdicts[i] >= VERDICT_COUNT)
            ok = error_set(e, "%s: %u is no verdict", s->path, verdicts[i]);
    }
    if (ok && compress2(packed, &packed_bytes, nibbles, (uLong)bytes, 6) != Z_OK)
        ok = error_set(e, "%s: zlib failed", s->path);
    sqlite3_stmt *row = ok ? writing(s, STATEMENT_PLANE, e) : NULL;
    if (row) {
        sqlite3_bind_int64(row, 1, test);
        bind_number(row, 2, first);
        bind_number(row, 3, last);
        bind_number(row, 4, n);
        sqlite3_bind_blob64(row, 5, packed, packed_bytes, SQLITE_STATIC);
        ok = finish(s, row, e);
    }
    free(nibbles);
    free(packed);
    return ok && row;
}

bool store_add_tally(store *s, int64_t test, const char *dtype, const char *level, verdict v, uint64_t cases, error *e)
{
    sqlite3_stmt *row = fits(s, cases, "tally", e) ? writing(s, STATEMENT_TALLY, e) : NULL;
    if (!row)
        return false;
    sqlite3_bind_int64(row, 1, test);
    bind_text(row, 2, dtype ? dtype : "");
    bind_text(row, 3, level ? level : "");
    sqlite3_bind_int(row, 4, (int)v);
    bind_number(row, 5, cases);
    return finish(s, row, e);
}

bool store_add_observation(store *s, int64_t test, const char *kind, uint64_t cases, const char *example, error *e)
{
    sqlite3_stmt *row = fits(s, cases, kind, e) ? writing(s, STATEMENT_OBSERVATION, e) : NULL;
    if (!row)
        return false;
    sqlite3_bind_int64(row, 1, test);
    bind_text(row, 2, kind);
    bind_number(row, 3, cases);
    bind_text(row, 4, example);
    return finish(s, row, e);
}

bool store_add_finding(store *s, store_finding *f, error *e)
{
    sqlite3_stmt *row = fits(s, f->index, "case index", e) && fits(s, f->differing, "differing elements", e)
                            ? writing(s, STATEMENT_FINDING, e)
                            : NULL;
    if (!row)
        return false;
    sqlite3_bind_int64(row, 1, f->test);
    bind_number(row, 2, f->index);
    bind_text(row, 3, f->case_id);
    sqlite3_bind_int(row, 4, (int)f->verdict);
    const char *texts[] = { f->clause, f->dtype, f->level, f->tensor, f->element, f->expected, f->actual, f->source };
    for (int i = 0; i < 8; ++i)
        bind_text(row, 5 + i, texts[i]);
    bind_number(row, 13, f->differing);
    bind_text(row, 14, f->detail);
    bind_text(row, 15, f->descriptor);
    bind_text(row, 16, f->tensors);
    bind_text(row, 17, f->reproducer);
    if (!finish(s, row, e))
        return false;
    f->id = sqlite3_last_insert_rowid(s->db);
    return true;
}

bool store_add_clause(store *s, const store_clause *c, error *e)
{
    sqlite3_stmt *row = writing(s, STATEMENT_CLAUSE, e);
    if (!row)
        return false;
    const char *texts[] = { c->op ? c->op : "", c->id ? c->id : "", c->text, c->page, c->section };
    for (int i = 0; i < 5; ++i)
        bind_text(row, i + 1, texts[i]);
    sqlite3_bind_int(row, 6, c->breakable);
    sqlite3_bind_int64(row, 7, (sqlite3_int64)c->broken);
    sqlite3_bind_int64(row, 8, (sqlite3_int64)c->refused);
    return finish(s, row, e);
}

bool store_add_broken(store *s, const char *op, const char *id, uint64_t broken, uint64_t refused, error *e)
{
    sqlite3_stmt *row = writing(s, STATEMENT_BROKEN, e);
    if (!row)
        return false;
    sqlite3_bind_int64(row, 1, (sqlite3_int64)broken);
    sqlite3_bind_int64(row, 2, (sqlite3_int64)refused);
    bind_text(row, 3, op);
    bind_text(row, 4, id);
    return finish(s, row, e);
}

/* ---- reading ------------------------------------------------------------------------------------------------------
 */

/* One sweep over the rows of a statement. Prepared each time, so that a callback may start another one. */
typedef struct sweep {
    store *s;
    sqlite3_stmt *row;
    error *e;
    bool ok;
} sweep;

static sweep sweep_start(store *s, const char *sql, error *e)
{
    sweep w = { s, NULL, e, true };
    if (sqlite3_prepare_v2(s->db, sql, -1, &w.row, NULL) != SQLITE_OK)
        w.ok = store_fail(s, "reading", e);
    return w;
}

static bool sweep_next(sweep *w)
{
    if (!w->ok)
        return false;
    int code = sqlite3_step(w->row);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        w->ok = store_fail(w->s, "reading", w->e);
    return code == SQLITE_ROW;
}

static bool sweep_end(sweep *w)
{
    sqlite3_finalize(w->row);
    return w->ok;
}

static const char *text_at(sweep *w, int column)
{
    return (const char *)sqlite3_column_text(w->row, column);
}

static uint64_t number_at(sweep *w, int column)
{
    sqlite3_int64 number = sqlite3_column_int64(w->row, column);
    if (number < 0 && w->ok)
        w->ok = store_damaged(w->s, "a count is negative", w->e);
    return (uint64_t)number;
}

static verdict verdict_at(sweep *w, int column)
{
    sqlite3_int64 number = sqlite3_column_int64(w->row, column);
    if ((number < 0 || number >= VERDICT_COUNT) && w->ok)
        w->ok = store_damaged(w->s, "a verdict is none", w->e);
    return (verdict)number;
}

bool store_each_test(store *s, bool (*each)(void *context, const store_test *t), void *context, error *e)
{
    sweep w = sweep_start(s, "SELECT id, name, operator, test, tier, title, points, owed FROM test ORDER BY id", e);
    while (sweep_next(&w)) {
        store_test t = { sqlite3_column_int64(w.row, 0),
                         text_at(&w, 1),
                         text_at(&w, 2),
                         text_at(&w, 3),
                         text_at(&w, 4),
                         text_at(&w, 5),
                         number_at(&w, 6),
                         number_at(&w, 7) };
        if (!w.ok || !each(context, &t))
            break;
    }
    return sweep_end(&w);
}

bool store_each_tally(store *s, bool (*each)(void *context, const store_tally *t), void *context, error *e)
{
    sweep w =
        sweep_start(s, "SELECT test, dtype, level, verdict, cases FROM tally ORDER BY test, dtype, level, verdict", e);
    while (sweep_next(&w)) {
        store_tally t = { sqlite3_column_int64(w.row, 0), text_at(&w, 1), text_at(&w, 2), verdict_at(&w, 3),
                          number_at(&w, 4) };
        if (!w.ok || !each(context, &t))
            break;
    }
    return sweep_end(&w);
}

bool store_each_finding(store *s, int64_t test, uint64_t limit, bool (*each)(void *context, const store_finding *f),
                        void *context, error *e)
{
    sweep w = sweep_start(s,
                          "SELECT id, test, case_index, case_id, verdict, clause, dtype, level, tensor, element,"
                          " expected, actual, source, differing, detail, descriptor, tensors, reproducer"
                          " FROM finding WHERE ?1 = 0 OR test = ?1 ORDER BY id LIMIT ?2",
                          e);
    if (w.ok) {
        sqlite3_bind_int64(w.row, 1, test);
        sqlite3_bind_int64(w.row, 2, limit == 0 || limit > INT64_MAX ? -1 : (sqlite3_int64)limit);
    }
    while (sweep_next(&w)) {
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
                            .reproducer = text_at(&w, 17) };
        if (!w.ok || !each(context, &f))
            break;
    }
    return sweep_end(&w);
}

bool store_each_observation(store *s, bool (*each)(void *context, const store_observation *o), void *context, error *e)
{
    sweep w = sweep_start(s, "SELECT test, kind, cases, example FROM observation ORDER BY test, kind", e);
    while (sweep_next(&w)) {
        store_observation o = { sqlite3_column_int64(w.row, 0), text_at(&w, 1), number_at(&w, 2), text_at(&w, 3) };
        if (!w.ok || !each(context, &o))
            break;
    }
    return sweep_end(&w);
}

bool store_each_clause(store *s, bool (*each)(void *context, const store_clause *c), void *context, error *e)
{
    sweep w = sweep_start(s, "SELECT operator, id, text, page, section, breakable, broken, refused FROM clause ORDER BY rowid", e);
    while (sweep_next(&w)) {
        store_clause c = { text_at(&w, 0),        text_at(&w, 1),   text_at(&w, 2),  text_at(&w, 3), text_at(&w, 4),
                           number_at(&w, 5) != 0, number_at(&w, 6), number_at(&w, 7) };
        if (!each(context, &c))
            break;
    }
    return sweep_end(&w);
}

/* Unfold the plane that the sweep stands on into *verdicts, a buffer that grows. */
static bool unpack_plane(sweep *w, store_plane *p, uint8_t **verdicts, size_t *capacity)
{
    uint64_t cases = number_at(w, 3);
    const void *packed = sqlite3_column_blob(w->row, 4);
    uint64_t packed_bytes = (uint64_t)sqlite3_column_bytes(w->row, 4);
    if (!w->ok)
        return false;
    /* Deflate never shrinks more than 1,032 times: a damaged count must not reserve the whole memory. */
    if (p->first > p->last || cases > p->last - p->first + 1 || cases / 2 > packed_bytes * 1032)
        return w->ok = store_damaged(w->s, "a plane counts more cases than it holds", w->e);
    uLongf bytes = (uLongf)((cases + 1) / 2);
    if (*capacity < cases + 2) {
        free(*verdicts);
        *capacity = (size_t)cases + 2;
        *verdicts = malloc(*capacity);
        if (!*verdicts) {
            *capacity = 0;
            return w->ok = error_set(w->e, "%s: out of memory", w->s->path);
        }
    }
    /* Unfolded into the upper half and spread from there: each nibble is read before its place is written. */
    unsigned char *nibbles = *verdicts + *capacity - bytes;
    uLongf got = bytes;
    if (bytes > 0 && (uncompress(nibbles, &got, packed, (uLong)packed_bytes) != Z_OK || got != bytes))
        return w->ok = store_damaged(w->s, "a plane cannot be unpacked", w->e);
    for (size_t i = 0; i < cases; ++i) {
        (*verdicts)[i] = i % 2 ? nibbles[i / 2] >> 4 : nibbles[i / 2] & 15;
        if ((*verdicts)[i] >= VERDICT_COUNT)
            return w->ok = store_damaged(w->s, "a plane holds a verdict that is none", w->e);
    }
    p->verdicts = *verdicts;
    p->cases = (size_t)cases;
    return true;
}

bool store_each_plane(store *s, int64_t test, bool (*each)(void *context, const store_plane *p), void *context,
                      error *e)
{
    uint8_t *verdicts = NULL;
    size_t capacity = 0;
    sweep w = sweep_start(s,
                          "SELECT test, first, last, cases, verdicts FROM plane WHERE ?1 = 0 OR test = ?1"
                          " ORDER BY test, first",
                          e);
    if (w.ok)
        sqlite3_bind_int64(w.row, 1, test);
    while (sweep_next(&w)) {
        store_plane p = { sqlite3_column_int64(w.row, 0), number_at(&w, 1), number_at(&w, 2), NULL, 0 };
        if (!w.ok || !unpack_plane(&w, &p, &verdicts, &capacity) || !each(context, &p))
            break;
    }
    free(verdicts);
    return sweep_end(&w);
}
