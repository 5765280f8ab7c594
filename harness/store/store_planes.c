/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/store/store_planes.h"

#include "harness/store/store_blob.h"
#include "harness/store/store_private.h"

#include <stdlib.h>

struct store_planes {
    store *store;
    sqlite3_stmt *row;
    store_planes_at at;
    uint8_t *verdicts;
    size_t capacity;
    bool unpacked;
    uint64_t next; /* the first index that the next plane may begin at */
};

store_planes *store_planes_open(store *s, int64_t test, error *e)
{
    store_planes *p = calloc(1, sizeof *p);
    if (!p) {
        error_set(e, "out of memory");
        return NULL;
    }
    p->store = s;
    if (sqlite3_prepare_v2(s->db, "SELECT first, last, cases, verdicts FROM plane WHERE test = ? ORDER BY first", -1,
                           &p->row, NULL) != SQLITE_OK) {
        store_fail(s, "reading", e);
        store_planes_close(p);
        return NULL;
    }
    sqlite3_bind_int64(p->row, 1, test);
    return p;
}

void store_planes_close(store_planes *p)
{
    if (!p)
        return;
    sqlite3_finalize(p->row);
    free(p->verdicts);
    free(p);
}

bool store_planes_next(store_planes *p, store_planes_at *at, bool *more, error *e)
{
    int code = sqlite3_step(p->row);
    *more = code == SQLITE_ROW;
    if (code == SQLITE_DONE)
        return true;
    if (code != SQLITE_ROW)
        return store_fail(p->store, "reading", e);
    if (!store_row_fits(p->store, p->row, "iiib", e))
        return false;
    p->unpacked = false;
    p->at = (store_planes_at){ (uint64_t)sqlite3_column_int64(p->row, 0), (uint64_t)sqlite3_column_int64(p->row, 1),
                               (uint64_t)sqlite3_column_int64(p->row, 2), sqlite3_column_blob(p->row, 3),
                               (size_t)sqlite3_column_bytes(p->row, 3) };
    if (p->at.first > p->at.last || p->at.last > INT64_MAX || p->at.cases > p->at.last - p->at.first + 1 ||
        !blob_may_hold(p->at.size, p->at.cases))
        return store_damaged(p->store, "a plane counts more cases than it holds", e);
    if (p->at.first < p->next)
        return store_damaged(p->store, "two planes hold the same cases", e);
    p->next = p->at.last + 1;
    *at = p->at;
    return true;
}

const uint8_t *store_planes_verdicts(store_planes *p, error *e)
{
    size_t cases = (size_t)p->at.cases;
    if (p->unpacked)
        return p->verdicts;
    if (p->capacity < cases + 2) {
        free(p->verdicts);
        p->capacity = cases + 2;
        p->verdicts = malloc(p->capacity);
        if (!p->verdicts) {
            p->capacity = 0;
            error_set(e, "out of memory");
            return NULL;
        }
    }
    const char *wrong = blob_unpack_verdicts(p->at.blob, p->at.size, cases, p->verdicts);
    if (wrong) {
        store_damaged(p->store, wrong, e);
        return NULL;
    }
    p->unpacked = true;
    return p->verdicts;
}
