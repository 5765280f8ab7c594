/* SPDX-License-Identifier: Apache-2.0 */
/* For tests: random changes of a run file, in its bytes, pages, rows and schema, and of the files beside it. */
#ifndef TOUCHSTONE_RUN_CHANGES_H
#define TOUCHSTONE_RUN_CHANGES_H

#include "harness/base/text.h"

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct change {
    uint64_t random; /* state */
    const char *path;
    char what[400]; /* what was done */
    bool triggers;  /* a trigger of the file acts when the run goes on */
} change;

/* Uniform in 0 to n-1. */
static inline uint64_t change_random(change *c, uint64_t n)
{
    uint64_t z = c->random += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return (z ^ z >> 31) % (n ? n : 1);
}

/* ---- bytes and pages ---- */

static inline void change_read(const char *path, text *t)
{
    char buffer[4096];
    size_t n;
    FILE *file = fopen(path, "rb");
    while (file && (n = fread(buffer, 1, sizeof buffer, file)) > 0)
        text_bytes(t, buffer, n);
    if (file)
        fclose(file);
}

static inline void change_write(const char *path, const void *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, n, file) != n || fclose(file) != 0)
        abort();
}

static inline void change_bytes(change *c, text *t)
{
    const uint64_t count = 1 + change_random(c, 6), head = change_random(c, 4) == 0;
    size_t used = (size_t)snprintf(c->what, sizeof c->what, "bytes");
    for (uint64_t i = 0; i < count && t->length; ++i) {
        const size_t at = (size_t)change_random(c, head && t->length > 100 ? 100 : t->length);
        t->data[at] = (char)(change_random(c, 2) ? change_random(c, 256)
                                                 : (unsigned char)t->data[at] ^ 1u << change_random(c, 8));
        used += (size_t)snprintf(c->what + used, sizeof c->what - used, " %zu", at);
    }
}

static inline void change_pages(change *c, text *t)
{
    enum { PAGE = 1024 };
    static const char *const names[] = { "zero", "copy", "swap", "noise", "cut", "cut within", "append", "drop" };
    const size_t pages = t->length / PAGE, a = (size_t)change_random(c, pages), b = (size_t)change_random(c, pages);
    const uint64_t kind = change_random(c, 8);
    char kept[PAGE], noise[PAGE];
    if (pages == 0)
        return;
    for (size_t i = 0; i < PAGE; ++i)
        noise[i] = (char)change_random(c, 256);
    memcpy(kept, t->data + a * PAGE, PAGE);
    snprintf(c->what, sizeof c->what, "pages: %s %zu %zu", names[kind], a, b);
    switch (kind) {
    case 0: memset(t->data + a * PAGE, 0, PAGE); break;
    case 1: memcpy(t->data + b * PAGE, kept, PAGE); break;
    case 2:
        memmove(t->data + a * PAGE, t->data + b * PAGE, PAGE);
        memcpy(t->data + b * PAGE, kept, PAGE);
        break;
    case 3: memcpy(t->data + a * PAGE, noise, PAGE); break;
    case 4: t->length = a * PAGE; break;
    case 5: t->length = (size_t)change_random(c, t->length); break;
    case 6: text_bytes(t, noise, 1 + (size_t)change_random(c, PAGE - 1)); break;
    default: memmove(t->data + a * PAGE, t->data + (a + 1) * PAGE, t->length - (a + 1) * PAGE); t->length -= PAGE;
    }
}

static inline void change_file(change *c, const char *path)
{
    text t = { 0 };
    change_read(path, &t);
    if (change_random(c, 2))
        change_bytes(c, &t);
    else
        change_pages(c, &t);
    if (t.data)
        change_write(path, t.data, t.length);
    text_free(&t);
}

/* Change or make a file beside the run. */
static inline void change_companion(change *c)
{
    static const char *const endings[] = { "-wal", "-journal", "-shm" };
    char name[256];
    text t = { 0 };
    snprintf(name, sizeof name, "%s%s", c->path, endings[change_random(c, 3)]);
    change_read(name, &t);
    if (t.length && change_random(c, 8)) {
        change_file(c, name);
    } else if (change_random(c, 2)) { /* the file itself, which has a plausible size */
        change_read(c->path, &t);
        if (t.data)
            change_write(name, t.data, t.length / (1 + (size_t)change_random(c, 4)));
    } else {
        char noise[3000];
        for (size_t i = 0; i < sizeof noise; ++i)
            noise[i] = (char)change_random(c, 256);
        if (change_random(c, 2)) /* the beginning of a journal */
            memcpy(noise, "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7\xff\xff\xff\xff", 12);
        change_write(name, noise, (size_t)change_random(c, sizeof noise));
    }
    const size_t used = strlen(c->what);
    snprintf(c->what + used, sizeof c->what - used, " in %s", strrchr(name, '/'));
    text_free(&t);
}

/* ---- rows ---- */

static const struct {
    const char *table, *columns;
} change_tables[] = {
    { "meta", "key value" },
    { "verdict", "id name fails" },
    { "test", "id operator test tier title points first indices planned ran sum sum2" },
    { "plane", "test first last cases verdicts" },
    { "tally_group", "test level verdict cases dtypes" },
    { "dtype", "name id" },
    { "finding", "id test case_index case_id verdict clause dtype level tensor element expected actual source"
                 " differing detail descriptor tensors reproducer rate depends" },
    { "shuffled", "test block" },
    { "candidate",
      "test case_index first second block_first block_end block_cases block_ordinal start place bisected" },
    { "observation", "test kind cases example detail" },
    { "clause", "operator id text page section breakable broken refused" },
    { "ledger", "operator bytes entries" },
    { "seal", "part sum" },
};
enum { CHANGE_TABLES = sizeof change_tables / sizeof change_tables[0] };

/* The name of the n-th word, by its number modulo their count. */
static inline void change_column(const char *columns, uint64_t n, char *name, size_t size)
{
    uint64_t count = 1;
    for (const char *p = columns; *p; ++p)
        count += *p == ' ';
    const char *at = columns;
    for (uint64_t i = n % count; i > 0; --i)
        at = strchr(at, ' ') + 1;
    snprintf(name, size, "%.*s", (int)strcspn(at, " "), at);
}

/* An expression of SQL for a new value of a column. */
static inline void change_value(change *c, const char *column, const char *table, char *value, size_t size)
{
    const unsigned n = (unsigned)change_random(c, 1000);
    switch (change_random(c, 14)) {
    case 0: snprintf(value, size, "NULL"); break;
    case 1: snprintf(value, size, "%s + 1", column); break;
    case 2: snprintf(value, size, "%s - 1", column); break;
    case 3: snprintf(value, size, "%u", n); break;
    case 4: snprintf(value, size, "-%u", n); break;
    case 5: snprintf(value, size, "9223372036854775807 - %u", n % 3); break;
    case 6: snprintf(value, size, "%u.5", n); break;
    case 7: snprintf(value, size, "'text %u'", n); break;
    case 8: snprintf(value, size, "CAST(%s AS BLOB)", column); break;
    case 9: snprintf(value, size, "x'%02x'", n % 15); break;
    case 10: snprintf(value, size, "substr(%s, 1, length(%s) - 1)", column, column); break;
    case 11: snprintf(value, size, "CAST(%s || x'%02x' AS BLOB)", column, n % 256); break;
    case 12: snprintf(value, size, "(SELECT %s FROM %s ORDER BY random() LIMIT 1)", column, table); break;
    default: snprintf(value, size, "zeroblob(%u)", n); break;
    }
}

static inline void change_row(change *c, char *sql, size_t size)
{
    const char *table =
        change_tables[change_random(c, 2) ? 2 + change_random(c, 5) : change_random(c, CHANGE_TABLES)].table;
    const char *columns = "";
    char column[32], first[32], value[200], where[200];
    for (size_t i = 0; i < CHANGE_TABLES; ++i)
        if (strcmp(change_tables[i].table, table) == 0)
            columns = change_tables[i].columns;
    change_column(columns, change_random(c, 64), column, sizeof column);
    change_column(columns, change_random(c, 2), first, sizeof first);
    change_value(c, column, table, value, sizeof value);
    snprintf(where, sizeof where, "%s = (SELECT %s FROM %s LIMIT 1 OFFSET %u %% max(1, (SELECT count(*) FROM %s)))",
             first, first, table, (unsigned)change_random(c, 100000), table);
    switch (change_random(c, 8)) {
    case 0: snprintf(sql, size, "DELETE FROM %s WHERE %s", table, where); break;
    case 1: snprintf(sql, size, "DELETE FROM %s", table); break;
    case 2: snprintf(sql, size, "UPDATE OR REPLACE %s SET %s = %s", table, column, value); break;
    default: snprintf(sql, size, "UPDATE OR REPLACE %s SET %s = %s WHERE %s", table, column, value, where);
    }
}

/* ---- schema ---- */

static inline void change_schema(change *c, char *sql, size_t size)
{
    const size_t i = (size_t)change_random(c, CHANGE_TABLES);
    const char *table = change_tables[i].table;
    char column[32];
    change_column(change_tables[i].columns, change_random(c, 64), column, sizeof column);
    switch (change_random(c, 14)) {
    case 0: snprintf(sql, size, "DROP TABLE %s", table); break;
    case 1: snprintf(sql, size, "DROP VIEW tally"); break;
    case 2: snprintf(sql, size, "DROP INDEX finding_case"); break;
    case 3: snprintf(sql, size, "ALTER TABLE %s RENAME TO other", table); break;
    case 4: snprintf(sql, size, "ALTER TABLE %s RENAME COLUMN %s TO other", table, column); break;
    case 5: snprintf(sql, size, "ALTER TABLE %s ADD COLUMN other DEFAULT 'x'", table); break;
    case 6: snprintf(sql, size, "ALTER TABLE %s DROP COLUMN %s", table, column); break;
    case 7:
        c->triggers = true;
        snprintf(sql, size, "CREATE TRIGGER other AFTER %s ON %s BEGIN DELETE FROM %s; END",
                 change_random(c, 2) ? "INSERT" : "UPDATE", table,
                 change_tables[change_random(c, CHANGE_TABLES)].table);
        break;
    case 8:
        snprintf(sql, size,
                 "DROP VIEW tally; CREATE VIEW tally AS SELECT 1 AS test, 'f32' AS dtype, '1_0' AS level,"
                 " 1 AS verdict, 9 AS cases");
        break;
    case 9:
        snprintf(sql, size, "CREATE TABLE other(a); INSERT INTO other VALUES(zeroblob(%u))",
                 (unsigned)change_random(c, 9000));
        break;
    case 10: snprintf(sql, size, "PRAGMA user_version = %u", (unsigned)change_random(c, 9)); break;
    case 11: snprintf(sql, size, "PRAGMA application_id = %u", (unsigned)change_random(c, 9)); break;
    case 12:
        snprintf(sql, size,
                 "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace(sql, 'NOT NULL', '')"
                 " WHERE name = '%s'",
                 table);
        break;
    default:
        snprintf(sql, size, "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET rootpage = %u WHERE name = '%s'",
                 (unsigned)change_random(c, 40), table);
    }
}

static inline void change_by_sql(change *c, void (*make)(change *c, char *sql, size_t size))
{
    char sql[1000];
    sqlite3 *db = NULL;
    make(c, sql, sizeof sql);
    char *refusal = NULL;
    const bool done =
        sqlite3_open(c->path, &db) == SQLITE_OK && sqlite3_exec(db, sql, NULL, NULL, &refusal) == SQLITE_OK;
    snprintf(c->what, sizeof c->what, "%.300s%s%.60s", sql, done ? "" : ", which failed: ",
             done      ? ""
             : refusal ? refusal
                       : sqlite3_errmsg(db));
    sqlite3_free(refusal);
    sqlite3_close(db);
}

/* Change the run at c->path. */
static inline void change_run(change *c)
{
    c->what[0] = '\0';
    c->triggers = false;
    switch (change_random(c, 10)) {
    case 0:
    case 1:
    case 2: change_file(c, c->path); break;
    case 3: change_companion(c); break;
    case 4:
    case 5: change_by_sql(c, change_schema); break;
    default: change_by_sql(c, change_row);
    }
}

#endif
