/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/store/store_printed.h"

#include "harness/store/store_private.h"

/* Prepare a statement; these are used rarely. NULL on error. */
static sqlite3_stmt *prepared(store *s, const char *sql, error *e)
{
    sqlite3_stmt *row = NULL;
    if (sqlite3_prepare_v2(s->db, sql, -1, &row, NULL) != SQLITE_OK)
        store_fail(s, "reading what the backend printed", e);
    return row;
}

/* Read a single number. */
static bool read_number(store *s, sqlite3_stmt *row, int64_t *out, error *e)
{
    const bool fine = sqlite3_step(row) == SQLITE_ROW || store_fail(s, "reading what the backend printed", e);
    *out = fine ? sqlite3_column_int64(row, 0) : 0;
    sqlite3_finalize(row);
    return fine;
}

bool store_has_room_for_printed(store *s, int64_t test, uint64_t process, bool *room, error *e)
{
    int64_t others;
    sqlite3_stmt *row = prepared(s, "SELECT count(*) FROM printed WHERE test = ? AND process > 0 AND process <> ?", e);
    if (!row)
        return false;
    sqlite3_bind_int64(row, 1, test);
    store_bind_number(row, 2, process);
    if (!read_number(s, row, &others, e))
        return false;
    *room = others < STORE_PRINTED_PROCESSES;
    return true;
}

bool store_add_printed(store *s, const store_printed *p, error *e)
{
    const bool own = p->process != 0;
    if (!store_log(s, e))
        return false;
    sqlite3_stmt *row = prepared(s,
                                 own ? "INSERT OR REPLACE INTO printed VALUES(?, ?, ?, ?, ?, ?, ?)"
                                     : "INSERT INTO printed VALUES(?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
                                       " processes = processes + excluded.processes, bytes = bytes + excluded.bytes,"
                                       " lines = lines + excluded.lines, head = excluded.head, tail = excluded.tail",
                                 e);
    if (!row)
        return false;
    sqlite3_bind_int64(row, 1, p->test);
    store_bind_number(row, 2, p->process);
    store_bind_number(row, 3, p->processes);
    store_bind_number(row, 4, p->bytes);
    store_bind_number(row, 5, p->lines);
    store_bind_text(row, 6, p->head);
    store_bind_text(row, 7, p->tail);
    const bool fine = sqlite3_step(row) == SQLITE_DONE || store_fail(s, "writing what the backend printed", e);
    sqlite3_finalize(row);
    return fine;
}

bool store_last_printed(store *s, uint64_t *process, error *e)
{
    int64_t last;
    sqlite3_stmt *row = prepared(s, "SELECT ifnull(max(process), 0) FROM printed", e);
    if (!row || !read_number(s, row, &last, e))
        return false;
    *process = last > 0 ? (uint64_t)last : 0;
    return true;
}

/* A number that is never negative in a run that the program wrote. */
static uint64_t count_at(sqlite3_stmt *row, int column, bool *fine)
{
    const int64_t n = sqlite3_column_int64(row, column);
    *fine &= n >= 0;
    return n < 0 ? 0 : (uint64_t)n;
}

bool store_each_printed(store *s, bool (*each)(void *context, const store_printed *p), void *context, error *e)
{
    int code = SQLITE_DONE;
    bool fine = true;
    sqlite3_stmt *row =
        prepared(s, "SELECT test, process, processes, bytes, lines, head, tail FROM printed ORDER BY test, process", e);
    if (!row)
        return false;
    while (fine && (code = sqlite3_step(row)) == SQLITE_ROW) {
        const store_printed p = { .test = sqlite3_column_int64(row, 0),
                                  .process = count_at(row, 1, &fine),
                                  .processes = count_at(row, 2, &fine),
                                  .bytes = count_at(row, 3, &fine),
                                  .lines = count_at(row, 4, &fine),
                                  .head = (const char *)sqlite3_column_text(row, 5),
                                  .tail = (const char *)sqlite3_column_text(row, 6) };
        if (!fine || !each(context, &p))
            break;
    }
    if (!fine)
        store_damaged(s, "a count of what the backend printed is negative", e);
    else if (code != SQLITE_ROW && code != SQLITE_DONE)
        fine = store_fail(s, "reading what the backend printed", e);
    sqlite3_finalize(row);
    return fine;
}
