/* SPDX-License-Identifier: Apache-2.0 */
/* Findings of cases whose class the backend could not be asked about: one stands for all of its cases in a test. */
#include "harness/store/store_private.h"

#include "harness/base/text.h"
#include "harness/store/database.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The finding of a class that a run has already. */
typedef struct class_row {
    bool found;
    uint64_t index, stands_for;
    char *detail;
} class_row;

/* Look for the finding of the same test, class and verdict. The caller frees known->detail. */
static bool find_row(store *s, const store_finding *f, class_row *known, error *e)
{
    static const char sql[] = "SELECT case_index, stands_for, detail FROM finding"
                              " WHERE test = ? AND class = ? AND verdict = ?";
    sqlite3_stmt *row = NULL;
    *known = (class_row){ .found = false };
    if (sqlite3_prepare_v2(s->db, sql, -1, &row, NULL) != SQLITE_OK)
        return store_fail(s, "reading", e);
    sqlite3_bind_int64(row, 1, f->test);
    store_bind_text(row, 2, f->class);
    sqlite3_bind_int(row, 3, (int)f->verdict);
    const int code = sqlite3_step(row);
    bool fine = code == SQLITE_ROW || code == SQLITE_DONE || store_fail(s, "reading", e);
    if (code == SQLITE_ROW && (fine = store_row_fits(s, row, "iiT", e))) {
        const char *detail = (const char *)sqlite3_column_text(row, 2);
        *known = (class_row){ true, (uint64_t)sqlite3_column_int64(row, 0), (uint64_t)sqlite3_column_int64(row, 1),
                              strdup(detail ? detail : "") };
    }
    sqlite3_finalize(row);
    return fine;
}

static void add_sentence(text *t, const char *class, uint64_t cases)
{
    text_format(t, " It stands for all cases of its class (%s) in this test, none of which was executed: %" PRIu64 ".",
                class, cases);
}

/* The detail of a finding that stood for `before` cases, and stands for `now`. The caller frees it; NULL where memory
   is out. */
static char *restate(const char *detail, const char *class, uint64_t before, uint64_t now)
{
    text old = { .data = NULL }, all = { .data = NULL };
    detail = detail ? detail : "";
    add_sentence(&old, class, before);
    const char *at = old.data ? strstr(detail, old.data) : NULL;
    text_bytes(&all, detail, at ? (size_t)(at - detail) : strlen(detail));
    add_sentence(&all, class, now);
    text_add(&all, at ? at + old.length : "");
    if (old.failed || all.failed)
        text_free(&all);
    text_free(&old);
    return all.data;
}

/* Let the finding that the run has stand for more cases. */
static bool update(store *s, const store_finding *f, const class_row *known, const char *detail, uint64_t cases,
                   error *e)
{
    static const char sql[] = "UPDATE finding SET stands_for = ?3, detail = ?4 WHERE test = ?1 AND case_index = ?2";
    sqlite3_stmt *row = NULL;
    if (!store_fits(s, cases, "cases", e) || !store_log(s, e))
        return false;
    if (sqlite3_prepare_v2(s->db, sql, -1, &row, NULL) != SQLITE_OK)
        return store_fail(s, "writing", e);
    sqlite3_bind_int64(row, 1, f->test);
    store_bind_number(row, 2, known->index);
    store_bind_number(row, 3, cases);
    store_bind_text(row, 4, detail);
    const bool fine = store_finish(s, row, e);
    sqlite3_finalize(row);
    return fine;
}

bool store_add_class_finding(store *s, store_finding *f, error *e)
{
    class_row known;
    bool fine = find_row(s, f, &known, e);
    const uint64_t cases = known.stands_for + f->stands_for;
    const bool first = !known.found || f->index < known.index;
    char *detail = !fine   ? NULL
                   : first ? restate(f->detail, f->class, f->stands_for, cases)
                           : restate(known.detail, f->class, known.stands_for, cases);
    if (fine && !detail)
        fine = error_set(e, "%s: out of memory", s->path);
    if (fine && first) {
        store_finding row = *f;
        row.detail = detail;
        row.stands_for = cases;
        fine = (!known.found || store_remove_finding(s, f->test, known.index, e)) && store_add_finding(s, &row, e);
        f->id = row.id;
    } else if (fine) {
        fine = update(s, f, &known, detail, cases, e);
    }
    free(detail);
    free(known.detail);
    return fine;
}
