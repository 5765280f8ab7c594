/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checksums over the contents of a run. Each row has a hash over its table and its values; the checksum of a part is
 * the sum of the hashes of its rows, so that a change of a row changes the sum without a look at the other rows. A part
 * is all that belongs to a test, or a table with what belongs to none.
 *
 * Temporary triggers, which exist only in the connection that writes, keep the sums: no writer has to think of it, and
 * a transaction has both the change and its sum.
 */
#include "harness/store/store_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { KEY_MOST = 4, SEALED_COLUMNS = 28 };

/* A table. Its first `keys` columns are its order. The rows of a table of tests belong to the part of their test. */
typedef struct sealed {
    const char *name;
    bool of_tests;
    int keys;
    const char *columns[SEALED_COLUMNS];
} sealed;

static const sealed tables[] = {
    { "meta", false, 1, { "key", "value" } },
    { "verdict", false, 1, { "id", "name", "fails" } },
    { "test",
      false,
      1,
      { "id", "operator", "test", "tier", "title", "points", "first", "indices", "planned", "ran", "sum", "sum2" } },
    { "dtype", false, 1, { "name", "id" } },
    { "clause",
      false,
      1,
      { "rowid", "operator", "id", "text", "page", "section", "basis", "ground", "breakable", "broken", "refused" } },
    { "ledger", false, 1, { "operator", "bytes", "entries" } },
    { "plane", true, 2, { "test", "first", "last", "cases", "verdicts" } },
    { "tally_group", true, 4, { "test", "level", "verdict", "cases", "dtypes" } },
    { "finding", true, 2, { "test",   "case_index", "id",      "case_id",    "verdict",  "clause",
                            "dtype",  "level",      "tensor",  "element",    "expected", "actual",
                            "source", "differing",  "detail",  "descriptor", "tensors",  "reproducer",
                            "rate",   "depends",    "matters", "printed",    "shrunk",   "shrunk_facts",
                            "class",  "stands_for", "other_data" } },
    { "shuffled", true, 2, { "test", "block" } },
    { "candidate",
      true,
      2,
      { "test", "case_index", "first", "second", "block_first", "block_end", "block_cases", "block_ordinal", "start",
        "place", "bisected" } },
    { "operator", false, 1, { "name", "digest" } },
    { "printed", true, 2, { "test", "process", "processes", "bytes", "lines", "head", "tail" } },
    { "observation", true, 2, { "test", "kind", "cases", "example", "detail" } },
};
enum { TABLES = sizeof tables / sizeof tables[0] };

/* ---- the functions of SQL ---- */

static uint64_t hash_bytes(uint64_t hash, int kind, const void *bytes, size_t n)
{
    hash = XXH3_64bits_withSeed(bytes, n, hash ^ (uint64_t)kind);
    return hash + n;
}

/* The hash of a value, after those before it: its type counts, too. */
static uint64_t hash_value(uint64_t hash, sqlite3_value *value)
{
    const int kind = sqlite3_value_type(value);
    unsigned char number[8];
    const void *bytes = number;
    size_t n = sizeof number;
    uint64_t bits = 0;
    double real;
    switch (kind) {
    case SQLITE_INTEGER: bits = (uint64_t)sqlite3_value_int64(value); break;
    case SQLITE_FLOAT:
        real = sqlite3_value_double(value);
        memcpy(&bits, &real, sizeof bits);
        break;
    case SQLITE_NULL: break;
    default: /* text or a blob; the bytes are asked for before their number */
        bytes = kind == SQLITE_TEXT ? (const void *)sqlite3_value_text(value) : sqlite3_value_blob(value);
        n = (size_t)sqlite3_value_bytes(value);
    }
    for (int i = 0; i < 8; ++i)
        number[i] = (unsigned char)(bits >> 8 * i);
    return hash_bytes(hash, kind, bytes ? bytes : number, bytes ? n : 0);
}

static int64_t hash_row(const char *table, sqlite3_value **values, int count)
{
    uint64_t hash = hash_bytes(0, 0, table, strlen(table));
    for (int i = 0; i < count; ++i)
        hash = hash_value(hash, values[i]);
    return (int64_t)hash;
}

/* touchstone_hash(TABLE, VALUE...) */
static void sql_hash(sqlite3_context *context, int count, sqlite3_value **values)
{
    const char *table = count > 0 ? (const char *)sqlite3_value_text(values[0]) : NULL;
    if (table)
        sqlite3_result_int64(context, hash_row(table, values + 1, count - 1));
}

/* touchstone_add(A, B) and touchstone_subtract(A, B), modulo 2^64: SQLite's own would become inexact. */
static void sql_sum(sqlite3_context *context, int count, sqlite3_value **values)
{
    const uint64_t a = (uint64_t)sqlite3_value_int64(values[0]), b = (uint64_t)sqlite3_value_int64(values[1]);
    (void)count;
    sqlite3_result_int64(context, (int64_t)(sqlite3_user_data(context) ? a - b : a + b));
}

bool store_seal_functions(sqlite3 *db)
{
    static const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    static int subtract;
    return sqlite3_create_function(db, "touchstone_hash", -1, flags, NULL, sql_hash, NULL, NULL) == SQLITE_OK &&
           sqlite3_create_function(db, "touchstone_add", 2, flags, NULL, sql_sum, NULL, NULL) == SQLITE_OK &&
           sqlite3_create_function(db, "touchstone_subtract", 2, flags, &subtract, sql_sum, NULL, NULL) == SQLITE_OK;
}

/* ---- keeping the checksums ---- */

/* The statement of a trigger that adds the row NEW to its part, or takes the row OLD away. */
static void change_of(sqlite3_str *sql, const sealed *t, const char *row, const char *operation)
{
    if (t->of_tests)
        sqlite3_str_appendf(sql, "INSERT INTO seal VALUES(%s.test", row);
    else
        sqlite3_str_appendf(sql, "INSERT INTO seal VALUES('%s'", t->name);
    sqlite3_str_appendf(sql, ", touchstone_%s(0, touchstone_hash('%s'", operation, t->name);
    for (int i = 0; i < SEALED_COLUMNS && t->columns[i]; ++i)
        sqlite3_str_appendf(sql, ", %s.%s", row, t->columns[i]);
    sqlite3_str_appendall(sql, "))) ON CONFLICT(part) DO UPDATE SET sum = touchstone_add(seal.sum, excluded.sum); ");
}

static bool execute_built(store *s, sqlite3_str *sql, const char *doing, error *e)
{
    char *text = sqlite3_str_finish(sql);
    if (!text)
        return error_set(e, "%s: out of memory", s->path);
    bool fine = sqlite3_exec(s->db, text, NULL, NULL, NULL) == SQLITE_OK || store_fail(s, doing, e);
    sqlite3_free(text);
    return fine;
}

bool store_seal_keep(store *s, error *e)
{
    static const struct {
        const char *event;
        bool added, removed;
    } events[] = { { "INSERT", true, false }, { "UPDATE", true, true }, { "DELETE", false, true } };
    sqlite3_str *sql = sqlite3_str_new(s->db);
    /* Otherwise a row that INSERT OR REPLACE removes would fire no trigger. */
    sqlite3_str_appendall(sql, "PRAGMA recursive_triggers = ON; ");
    for (size_t i = 0; i < TABLES; ++i)
        for (size_t k = 0; k < sizeof events / sizeof events[0]; ++k) {
            sqlite3_str_appendf(sql, "CREATE TEMP TRIGGER seal_%s_%s AFTER %s ON main.%s BEGIN ", tables[i].name,
                                events[k].event, events[k].event, tables[i].name);
            if (events[k].removed)
                change_of(sql, &tables[i], "OLD", "subtract");
            if (events[k].added)
                change_of(sql, &tables[i], "NEW", "add");
            sqlite3_str_appendall(sql, "END; ");
        }
    return execute_built(s, sql, "preparing to write", e);
}

bool store_seal_renew(store *s, error *e)
{
    /* Rows are added one by one by the triggers' statement: an aggregate of SQLite would lose bits. */
    sqlite3_str *sql = sqlite3_str_new(s->db);
    sqlite3_str_appendall(sql, "DELETE FROM seal; ");
    for (size_t i = 0; i < TABLES; ++i) {
        const sealed *t = &tables[i];
        sqlite3_str_appendall(sql, "INSERT INTO seal SELECT ");
        if (t->of_tests)
            sqlite3_str_appendall(sql, "test");
        else
            sqlite3_str_appendf(sql, "'%s'", t->name);
        sqlite3_str_appendf(sql, ", touchstone_hash('%s'", t->name);
        for (int k = 0; k < SEALED_COLUMNS && t->columns[k]; ++k)
            sqlite3_str_appendf(sql, ", %s", t->columns[k]);
        sqlite3_str_appendf(sql,
                            ") FROM %s WHERE 1 ON CONFLICT(part) DO UPDATE"
                            " SET sum = touchstone_add(seal.sum, excluded.sum); ",
                            t->name);
    }
    return execute_built(s, sql, "creating the checksums", e);
}

/* ---- checking ---- */

static bool tree_is_sound(store *s, const char *table, error *e)
{
    char sql[64], how[200] = "";
    sqlite3_stmt *row = NULL;
    snprintf(sql, sizeof sql, "PRAGMA main.integrity_check('%s')", table);
    if (sqlite3_prepare_v2(s->db, sql, -1, &row, NULL) != SQLITE_OK)
        return store_fail(s, "opening the run", e);
    int code = sqlite3_step(row);
    const char *found = code == SQLITE_ROW ? (const char *)sqlite3_column_text(row, 0) : NULL;
    if (found && strcmp(found, "ok") != 0) {
        const char *heading = strrchr(found, '\n'); /* SQLite names the database in a line of its own */
        snprintf(how, sizeof how, "table %s: %.120s", table, heading ? heading + 1 : found);
    }
    bool fine = code == SQLITE_ROW || code == SQLITE_DONE || store_fail(s, "opening the run", e);
    sqlite3_finalize(row);
    return fine && (!*how || store_damaged(s, how, e));
}

bool store_seal_shape(store *s, error *e)
{
    bool fine = tree_is_sound(s, "seal", e);
    for (size_t i = 0; fine && i < TABLES; ++i)
        fine = tree_is_sound(s, tables[i].name, e);
    return fine;
}

/* What is left of the checksum of a part when the hashes of its rows are taken away. */
typedef struct part {
    int64_t test;      /* or 0 */
    const char *table; /* or NULL */
    uint64_t left;
} part;

typedef struct parts {
    part *list;
    size_t count, capacity, last;
} parts;

/* The part, which is added if it is not there yet. NULL: memory is out. */
static part *find_part(parts *p, const char *table, int64_t test)
{
    for (size_t k = 0; k < p->count; ++k) { /* most rows belong to the part of the row before, or to the next */
        const size_t i = (p->last + k) % p->count;
        if (p->list[i].table == table && p->list[i].test == test)
            return &p->list[p->last = i];
    }
    if (p->count == p->capacity) {
        part *more = realloc(p->list, (2 * p->capacity + 64) * sizeof *more);
        if (!more)
            return NULL;
        p->list = more;
        p->capacity = 2 * p->capacity + 64;
    }
    p->list[p->last = p->count++] = (part){ test, table, 0 };
    return &p->list[p->last];
}

/* Is a value behind the one that came before it in the order of keys? Values of different types are not compared. */
static int key_order(sqlite3_value *before, sqlite3_value *now)
{
    const int kind = sqlite3_value_type(now);
    if (kind != sqlite3_value_type(before))
        return 1;
    if (kind == SQLITE_INTEGER) {
        const sqlite3_int64 a = sqlite3_value_int64(before), b = sqlite3_value_int64(now);
        return (b > a) - (b < a);
    }
    return kind == SQLITE_TEXT ? strcmp((const char *)sqlite3_value_text(now), (const char *)sqlite3_value_text(before))
                               : 1;
}

/* Keep the keys of the current row in `keys`. False: they do not come after those of the row before. */
static bool keys_ascend(sqlite3_stmt *row, int count, sqlite3_value **keys)
{
    int order = keys[0] ? 0 : 1;
    for (int i = 0; i < count; ++i) {
        sqlite3_value *now = sqlite3_column_value(row, i);
        if (order == 0 && keys[i])
            order = key_order(keys[i], now);
        sqlite3_value_free(keys[i]);
        keys[i] = sqlite3_value_dup(now);
    }
    return order > 0;
}

static bool take_rows(store *s, const sealed *t, parts *p, error *e)
{
    sqlite3_value *keys[KEY_MOST] = { NULL }, *values[SEALED_COLUMNS];
    sqlite3_str *sql = sqlite3_str_new(s->db);
    sqlite3_stmt *row = NULL;
    int columns = 0, code = SQLITE_ERROR;
    for (; columns < SEALED_COLUMNS && t->columns[columns]; ++columns)
        sqlite3_str_appendf(sql, "%s %s", columns ? "," : "SELECT", t->columns[columns]);
    sqlite3_str_appendf(sql, " FROM main.%s ORDER BY", t->name);
    for (int i = 0; i < t->keys; ++i)
        sqlite3_str_appendf(sql, "%s %s", i ? "," : "", t->columns[i]);
    char *text = sqlite3_str_finish(sql);
    bool fine = text && sqlite3_prepare_v2(s->db, text, -1, &row, NULL) == SQLITE_OK;
    sqlite3_free(text);
    fine = fine || store_fail(s, "opening the run", e);
    while (fine && (code = sqlite3_step(row)) == SQLITE_ROW) {
        for (int i = 0; i < columns; ++i)
            values[i] = sqlite3_column_value(row, i);
        part *own = t->of_tests ? find_part(p, NULL, sqlite3_value_int64(values[0])) : find_part(p, t->name, 0);
        char how[100];
        snprintf(how, sizeof how, "the rows of table %s are out of order", t->name);
        if (own)
            own->left -= (uint64_t)hash_row(t->name, values, columns);
        fine = own ? keys_ascend(row, t->keys, keys) || store_damaged(s, how, e) : error_set(e, "out of memory");
    }
    fine = fine && (code == SQLITE_DONE || store_fail(s, "opening the run", e));
    sqlite3_finalize(row);
    for (int i = 0; i < KEY_MOST; ++i)
        sqlite3_value_free(keys[i]);
    return fine;
}

static bool read_seals(store *s, parts *p, error *e)
{
    sqlite3_stmt *row = NULL;
    int code = SQLITE_ERROR;
    bool fine = true;
    if (sqlite3_prepare_v2(s->db, "SELECT part, sum FROM main.seal", -1, &row, NULL) != SQLITE_OK)
        return store_fail(s, "opening the run", e);
    while (fine && (code = sqlite3_step(row)) == SQLITE_ROW) {
        const char *table = NULL, *name = (const char *)sqlite3_column_text(row, 0);
        const bool of_test = sqlite3_column_type(row, 0) == SQLITE_INTEGER;
        for (size_t i = 0; !of_test && i < TABLES; ++i)
            if (name && strcmp(name, tables[i].name) == 0)
                table = tables[i].name;
        if (!of_test && !table)
            fine = store_damaged(s, "a checksum belongs to nothing", e);
        part *own = fine ? find_part(p, table, of_test ? sqlite3_column_int64(row, 0) : 0) : NULL;
        if (own)
            own->left += (uint64_t)sqlite3_column_int64(row, 1);
        else if (fine)
            fine = error_set(e, "out of memory");
    }
    fine = fine && (code == SQLITE_DONE || store_fail(s, "opening the run", e));
    sqlite3_finalize(row);
    return fine;
}

bool store_seal_check(store *s, error *e)
{
    parts p = { .list = NULL };
    bool fine = read_seals(s, &p, e);
    for (size_t i = 0; fine && i < TABLES; ++i)
        fine = take_rows(s, &tables[i], &p, e);
    for (size_t i = 0; fine && i < p.count; ++i) {
        char how[100];
        if (p.list[i].left == 0)
            continue;
        if (p.list[i].table) {
            snprintf(how, sizeof how, "table %s is not as it was written: its checksum differs", p.list[i].table);
            fine = store_damaged(s, how, e);
        } else {
            fine = store_damaged_test(s, p.list[i].test,
                                      "its verdicts, counts or findings are not as they were written: their checksum "
                                      "differs",
                                      e);
        }
    }
    free(p.list);
    return fine;
}
