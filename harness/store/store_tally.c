/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Verdicts counted by test, data type and feature level. In most tests most data types have the same counts, so a row
 * holds a count and the set of data types that have it. That takes a fifth of the room.
 */
#include "harness/store/store_private.h"
#include "harness/store/store_rerun.h"

enum { MOST_DTYPES = 62 }; /* the bits of a positive SQLite integer */

/* The bit of a data type, which is assigned if the data type has none yet. 0 on error. */
static uint64_t dtype_bit(store *s, const char *dtype, error *e)
{
    sqlite3_stmt *row = store_writing(s, STATEMENT_DTYPE_ADD, e);
    if (!row)
        return 0;
    store_bind_text(row, 1, dtype);
    if (!store_finish(s, row, e) || !(row = store_writing(s, STATEMENT_DTYPE, e)))
        return 0;
    store_bind_text(row, 1, dtype);
    sqlite3_int64 id = sqlite3_step(row) == SQLITE_ROW ? sqlite3_column_int64(row, 0) : -1;
    if (id < 0)
        store_fail(s, "counting", e);
    else if (id >= MOST_DTYPES)
        error_set(e, "%s: more data types than a run can hold (%d)", s->path, MOST_DTYPES);
    sqlite3_reset(row);
    sqlite3_clear_bindings(row);
    return id >= 0 && id < MOST_DTYPES ? UINT64_C(1) << id : 0;
}

/* The groups that a data type may be in. */
typedef struct place {
    int64_t test;
    const char *level;
    verdict verdict;
    uint64_t bit;
} place;

static sqlite3_stmt *prepare(store *s, int which, const place *p, error *e)
{
    sqlite3_stmt *row = store_writing(s, which, e);
    if (!row)
        return NULL;
    sqlite3_bind_int64(row, 1, p->test);
    store_bind_text(row, 2, p->level);
    sqlite3_bind_int(row, 3, (int)p->verdict);
    if (which != STATEMENT_TALLY_EMPTY)
        store_bind_number(row, 4, p->bit);
    return row;
}

/* Remove the data type from its group. *cases: its count there, or 0 if it is in none. */
static bool leave(store *s, const place *p, uint64_t *cases, error *e)
{
    sqlite3_stmt *row = prepare(s, STATEMENT_TALLY_FIND, p, e);
    *cases = 0;
    if (!row)
        return false;
    int code = sqlite3_step(row);
    if (code == SQLITE_ROW)
        *cases = (uint64_t)sqlite3_column_int64(row, 0);
    bool ok = code == SQLITE_ROW || code == SQLITE_DONE || store_fail(s, "counting", e);
    sqlite3_reset(row);
    sqlite3_clear_bindings(row);
    if (!ok || code == SQLITE_DONE)
        return ok;
    if (!(row = prepare(s, STATEMENT_TALLY_LEAVE, p, e)))
        return false;
    store_bind_number(row, 5, *cases);
    return store_finish(s, row, e) && (row = prepare(s, STATEMENT_TALLY_EMPTY, p, e)) && store_finish(s, row, e);
}

static bool join(store *s, const place *p, uint64_t cases, error *e)
{
    sqlite3_stmt *row = store_fits(s, cases, "tally", e) ? prepare(s, STATEMENT_TALLY_JOIN, p, e) : NULL;
    if (!row)
        return false;
    store_bind_number(row, 5, cases);
    return store_finish(s, row, e);
}

bool store_add_tally(store *s, int64_t test, const char *dtype, const char *level, verdict v, uint64_t cases, error *e)
{
    uint64_t before;
    place p = { test, level ? level : "", v, 0 };
    /* Outside of a transaction, begin one: the change consists of several statements. */
    bool alone = store_log(s, e) && sqlite3_get_autocommit(s->db);
    if (!store_fits(s, cases, "tally", e) || (alone && !store_begin(s, e)))
        return false;
    p.bit = dtype_bit(s, dtype ? dtype : "", e);
    bool ok = p.bit && leave(s, &p, &before, e) && join(s, &p, before + cases, e);
    if (alone && ok)
        return store_commit(s, e);
    if (alone)
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return ok;
}

bool store_move_tally(store *s, int64_t test, const char *dtype, const char *level, verdict from, verdict to,
                      uint64_t cases, error *e)
{
    uint64_t before, there;
    place old = { test, level, from, dtype_bit(s, dtype, e) }, new = { test, level, to, old.bit };
    if (!old.bit || !leave(s, &old, &before, e) || !leave(s, &new, &there, e))
        return false;
    if (before < cases)
        return store_damaged(s, "a tally counts fewer cases than there are", e);
    return (before == cases || join(s, &old, before - cases, e)) && join(s, &new, there + cases, e);
}
