/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/store/store_recount.h"

#include "harness/base/array.h"
#include "harness/store/run_digest.h"
#include "harness/store/scope_facts.h"
#include "harness/store/store_blob.h"
#include "harness/store/store_private.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One test, and what its rows in the other tables add up to. */
typedef struct counted {
    int64_t id;
    uint64_t first, indices, planned, ran;
    uint64_t next;                   /* the first index that the next plane may begin at */
    uint64_t verdicts;               /* cases in its planes */
    uint64_t planes[VERDICT_COUNT];  /* by verdict */
    uint64_t tallies[VERDICT_COUNT]; /* the same, as its tally has them */
    uint64_t findings[VERDICT_COUNT];
    uint64_t classes, stood_for; /* of these, findings that stand for a class, and for how many cases in all */
} counted;

typedef struct recount {
    store *s;
    error *e;
    counted *tests; /* in order of their ids */
    size_t count, capacity;
    run_digest digest;
    bool complete; /* the run says that it is */
    bool fine;
    uint8_t *nibbles;
    size_t room; /* in nibbles */
} recount;

static bool damaged(recount *r, const counted *t, const char *format, ...) ERROR_PRINTF(3, 4);
static bool damaged(recount *r, const counted *t, const char *format, ...)
{
    char how[200];
    va_list args;
    va_start(args, format);
    vsnprintf(how, sizeof how, format, args);
    va_end(args);
    return r->fine = store_damaged_test(r->s, t->id, how, r->e);
}

/* ---- the list of tests ---- */

static bool add_test(void *context, const store_test *t)
{
    recount *r = context;
    if (!array_reserve(&r->tests, &r->capacity, r->count + 1, sizeof *r->tests))
        return r->fine = error_set(r->e, "out of memory");
    counted *own = &r->tests[r->count++];
    *own = (counted){
        .id = t->id, .first = t->first, .indices = t->indices, .planned = t->planned, .ran = t->ran, .next = t->first
    };
    if (t->name)
        run_digest_add(&r->digest, t->name, t->ran, t->sums);
    if (!t->name)
        return damaged(r, own, "it has no name");
    if (t->first > t->points || t->indices > t->points - t->first)
        return damaged(r, own, "it covers more case indices than it has (%" PRIu64 ")", t->points);
    if (t->planned > t->indices)
        return damaged(r, own, "it plans %" PRIu64 " cases of %" PRIu64 " indices", t->planned, t->indices);
    if (t->ran > t->planned)
        return damaged(r, own, "it planned %" PRIu64 " cases and ran %" PRIu64, t->planned, t->ran);
    if (r->complete && t->ran != t->planned)
        return damaged(r, own, "the run says that it is complete, but %" PRIu64 " of %" PRIu64 " planned cases ran",
                       t->ran, t->planned);
    return true;
}

/* The test with this id; rows come in the order of tests, so *at only grows. An id without a test is damage. */
static counted *find_test(recount *r, size_t *at, int64_t id, const char *what)
{
    while (*at < r->count && r->tests[*at].id < id)
        ++*at;
    if (*at < r->count && r->tests[*at].id == id)
        return &r->tests[*at];
    char how[80];
    snprintf(how, sizeof how, "it has %s", what);
    r->fine = store_damaged_test(r->s, id, how, r->e);
    return NULL;
}

/* ---- rows ---- */

static bool prepare(recount *r, sqlite3_stmt **row, const char *sql)
{
    *row = NULL;
    return sqlite3_prepare_v2(r->s->db, sql, -1, row, NULL) == SQLITE_OK ||
           (r->fine = store_fail(r->s, "opening the run", r->e));
}

static bool step(recount *r, sqlite3_stmt *row)
{
    int code = r->fine ? sqlite3_step(row) : SQLITE_DONE;
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        r->fine = store_fail(r->s, "opening the run", r->e);
    return code == SQLITE_ROW;
}

static uint64_t number(sqlite3_stmt *row, int column)
{
    return (uint64_t)sqlite3_column_int64(row, column);
}

/* ---- counts ---- */

static bool add_tallies(recount *r)
{
    sqlite3_stmt *row;
    uint64_t known = 0;
    size_t at = 0;
    if (!prepare(r, &row, "SELECT id FROM dtype"))
        return false;
    while (step(r, row)) {
        const uint64_t id = number(row, 0), bit = id < 63 ? UINT64_C(1) << id : 0;
        if (!bit || known & bit)
            r->fine = store_damaged(r->s, "two data types have the same number", r->e);
        known |= bit;
    }
    sqlite3_finalize(row);
    if (!r->fine || !prepare(r, &row, "SELECT test, verdict, cases, dtypes FROM tally_group ORDER BY test"))
        return false;
    while (step(r, row)) {
        counted *t = find_test(r, &at, sqlite3_column_int64(row, 0), "counts");
        const uint64_t v = number(row, 1), cases = number(row, 2), dtypes = number(row, 3);
        if (!t)
            break;
        if (v >= VERDICT_COUNT)
            damaged(r, t, "its counts have an unknown verdict");
        else if (dtypes & ~known)
            damaged(r, t, "its counts have an unknown data type");
        else if (cases > t->planned)
            damaged(r, t, "it counts more cases than it plans");
        for (uint64_t left = r->fine ? dtypes : 0; left; left &= left - 1)
            t->tallies[v] += cases; /* at most 2^63 * 62, which may wrap; then it is not what the planes have */
    }
    sqlite3_finalize(row);
    return r->fine;
}

/* ---- verdicts and findings ---- */

/* A cursor over findings, in the order of tests and cases. */
typedef struct finding_cursor {
    sqlite3_stmt *row;
    bool more;
    int64_t test;
    uint64_t index, verdict, stands_for;
    size_t at;
} finding_cursor;

/* Go to the next finding, and count it. */
static void next_finding(recount *r, finding_cursor *f)
{
    if (!(f->more = step(r, f->row)))
        return;
    f->test = sqlite3_column_int64(f->row, 0);
    f->index = number(f->row, 1);
    f->verdict = number(f->row, 2);
    f->stands_for = number(f->row, 3);
    counted *t = find_test(r, &f->at, f->test, "findings");
    if (!t)
        return;
    if (f->verdict >= VERDICT_COUNT || !(verdict_fails((verdict)f->verdict) || f->verdict == VERDICT_WAIVED))
        damaged(r, t, "it has a finding of case %" PRIu64 ", which did not fail", f->index);
    else if (f->stands_for > t->planned)
        damaged(r, t, "its finding of case %" PRIu64 " stands for more cases than it plans", f->index);
    else
        t->findings[f->verdict]++;
    t->classes += f->stands_for > 0;
    t->stood_for += f->stands_for;
}

/* Hold a finding against the plane that has its case. The place of the case in the plane is known where all indices of
   the plane are cases, and does not matter where all cases have the same verdict. */
static void check_finding(recount *r, const counted *t, const finding_cursor *f, const store_plane *p, bool uniform)
{
    const uint64_t place = uniform ? 0 : f->index - p->first;
    if (p->cases == 0)
        damaged(r, t, "it has a finding of case %" PRIu64 ", which did not run", f->index);
    else if ((uniform || p->cases == p->last - p->first + 1) &&
             (r->nibbles[place / 2] >> (place % 2 ? 4 : 0) & 15) != (int)f->verdict)
        damaged(r, t, "the verdict of case %" PRIu64 " is not that of its finding, %s", f->index,
                verdict_name((verdict)f->verdict));
}

static bool check_plane(recount *r, sqlite3_stmt *row, counted *t, finding_cursor *f)
{
    const store_plane p = { .first = number(row, 1), .last = number(row, 2), .cases = (size_t)number(row, 3) };
    const void *blob = sqlite3_column_blob(row, 4);
    const size_t size = (size_t)sqlite3_column_bytes(row, 4);
    const uint64_t end = t->first + t->indices;
    if (p.first < t->next || p.last < p.first || p.last >= end)
        return damaged(r, t, "verdicts of the cases %" PRIu64 " to %" PRIu64 " are twice there, or not in its range",
                       p.first, p.last);
    if (p.cases > p.last - p.first + 1 || !blob_may_hold(size, p.cases))
        return damaged(r, t, "a plane counts more cases than it holds");
    t->next = p.last + 1;
    if (r->room < p.cases / 2 + 1) {
        free(r->nibbles);
        r->room = p.cases / 2 + 1;
        if (!(r->nibbles = malloc(r->room)))
            return r->fine = error_set(r->e, "out of memory");
    }
    const char *wrong = blob_count_verdicts(blob, size, p.cases, r->nibbles, t->planes);
    if (wrong)
        return damaged(r, t, "%s", wrong);
    t->verdicts += p.cases;
    for (; r->fine && f->more && f->test == t->id && f->index <= p.last; next_finding(r, f)) {
        if (f->index < p.first)
            break;
        check_finding(r, t, f, &p, size == 1);
    }
    return r->fine;
}

static bool add_planes(recount *r)
{
    finding_cursor f = { .row = NULL };
    sqlite3_stmt *row;
    size_t at = 0;
    if (!prepare(r, &row, "SELECT test, first, last, cases, verdicts FROM plane ORDER BY test, first"))
        return false;
    if (prepare(r, &f.row, "SELECT test, case_index, verdict, stands_for FROM finding ORDER BY test, case_index"))
        next_finding(r, &f);
    while (step(r, row)) {
        counted *t = find_test(r, &at, sqlite3_column_int64(row, 0), "verdicts");
        if (!t || !check_plane(r, row, t, &f))
            break;
    }
    if (r->fine && f.more) /* the planes end, or go on, without its case */
        damaged(r, &r->tests[f.at], "it has a finding of case %" PRIu64 ", which did not run", f.index);
    sqlite3_finalize(f.row);
    sqlite3_finalize(row);
    return r->fine;
}

/* ---- the result ---- */

static bool check_test(recount *r, const counted *t)
{
    for (int v = 0; v < VERDICT_COUNT; ++v) {
        const char *name = verdict_name((verdict)v);
        if (t->planes[v] != t->tallies[v])
            return damaged(r, t, "its verdicts have %" PRIu64 " cases of %s where its counts have %" PRIu64,
                           t->planes[v], name, t->tallies[v]);
        if (t->findings[v] > t->planes[v])
            return damaged(r, t, "it has %" PRIu64 " findings of %s and %" PRIu64 " such cases", t->findings[v], name,
                           t->planes[v]);
    }
    return t->verdicts == t->ran ||
           damaged(r, t, "it ran %" PRIu64 " cases and has verdicts of %" PRIu64, t->ran, t->verdicts);
}

/* Failing or waived cases of a test, as its planes or its findings have them. */
static uint64_t of_kind(const uint64_t cases[VERDICT_COUNT], bool waived)
{
    uint64_t sum = 0;
    for (int v = 0; v < VERDICT_COUNT; ++v)
        sum += (waived ? v == VERDICT_WAIVED : verdict_fails((verdict)v)) ? cases[v] : 0;
    return sum;
}

/* Findings of failing or waived cases of a test that stand for their case alone. A finding that stands for a class is
   of a failing case. */
static uint64_t of_one_case(const counted *t, bool waived)
{
    return of_kind(t->findings, waived) - (waived ? 0 : t->classes);
}

/* Every test retains the same number of findings at most, besides those that stand for a class. One with fewer than
   another has one of each failing case that is of no such class. */
static bool check_retained(recount *r)
{
    for (int waived = 0; waived < 2; ++waived) {
        uint64_t most = 0;
        for (size_t i = 0; i < r->count; ++i) {
            const uint64_t findings = of_one_case(&r->tests[i], waived);
            most = findings > most ? findings : most;
        }
        for (size_t i = 0; i < r->count; ++i) {
            const counted *t = &r->tests[i];
            const uint64_t cases = of_kind(t->planes, waived), findings = of_one_case(t, waived);
            if (findings < most && findings + (waived ? 0 : t->stood_for) < cases)
                return damaged(r, t, "it has findings of %" PRIu64 " of %" PRIu64 " %s cases", findings, cases,
                               waived ? "waived" : "failed");
        }
    }
    return true;
}

/* A run has one of three states from its beginning. */
static bool check_state(recount *r, const char *state)
{
    static const char *const states[] = { "running", "complete", "incomplete" };
    for (size_t i = 0; state && i < sizeof states / sizeof states[0]; ++i)
        if (strcmp(state, states[i]) == 0)
            return true;
    return r->count == 0 || (r->fine = store_damaged(r->s, "its state is unknown", r->e));
}

/* The digest is stored at the end of a run, and taken back when it goes on. */
static bool check_digest(recount *r)
{
    char now[33];
    const char *stored = store_get(r->s, STORE_DIGEST);
    run_digest_end(&r->digest, now);
    if (stored && *stored ? strcmp(stored, now) == 0 : !r->complete)
        return true;
    return r->fine = store_damaged(r->s, "its digest is not that of the results of its tests", r->e);
}

/* What the run says about the scope of its verdict can be read, and demands no case more often than there is one. */
static bool check_scope(recount *r)
{
    scope_facts facts;
    const bool fine = scope_facts_read(&facts, store_get(r->s, STORE_SCOPE));
    scope_facts_free(&facts);
    return fine || (r->fine = store_damaged(r->s, "what it says about its scope cannot be read", r->e));
}

bool store_recount(store *s, uint64_t (*cases)[VERDICT_COUNT], error *e)
{
    recount r = { .s = s, .e = e, .fine = true };
    const char *text = store_get(s, STORE_STATE);
    r.complete = text && strcmp(text, "complete") == 0;
    text = store_get(s, STORE_SUITE_DIGEST);
    run_digest_start(&r.digest, text ? text : "");
    bool fine = store_each_test(s, add_test, &r, e) && r.fine && add_tallies(&r) && add_planes(&r);
    for (size_t i = 0; fine && i < r.count; ++i)
        fine = check_test(&r, &r.tests[i]);
    fine =
        fine && check_retained(&r) && check_digest(&r) && check_state(&r, store_get(s, STORE_STATE)) && check_scope(&r);
    for (int v = 0; fine && cases && v < VERDICT_COUNT; ++v) {
        (*cases)[v] = 0;
        for (size_t i = 0; i < r.count; ++i)
            (*cases)[v] += r.tests[i].planes[v];
    }
    free(r.tests);
    free(r.nibbles);
    return fine;
}
