/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/analysis/waive.h"
#include "harness/base/visible.h"

#include "harness/analysis/causes.h"
#include "harness/analysis/region_groups.h"
#include "harness/base/array.h"
#include "harness/casefile/waivers_match.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *waive_state_name(waive_state s)
{
    static const char *const names[] = { "tight", "too-wide", "unexpected-pass", "stale", "expired" };
    return (size_t)s < sizeof names / sizeof *names ? names[s] : "?";
}

static bool is_failing(verdict v)
{
    return verdict_fails(v) || v == VERDICT_WAIVED;
}

/* ---- the tests of a run ---- */

typedef struct test_ids {
    int64_t *list;
    size_t count, capacity;
    bool failed;
} test_ids;

static bool read_id(void *context, const store_test *t)
{
    test_ids *ids = context;
    if (!array_reserve(&ids->list, &ids->capacity, ids->count + 1, sizeof *ids->list)) {
        ids->failed = true;
        return false;
    }
    ids->list[ids->count++] = t->id;
    return true;
}

static bool read_ids(store *run, test_ids *ids, error *e)
{
    memset(ids, 0, sizeof *ids);
    if (!store_each_test(run, read_id, ids, e))
        return false;
    return ids->failed ? error_set(e, "out of memory") : true;
}

/* A test of the run, with the waivers that cover it. */
typedef struct test_at {
    run_cases *run_cases;
    int64_t id;
    const waivers *file;
    waivers_at *waivers;
    const bool *wanted; /* tighten: the waivers to narrow */
} test_at;

static bool adrift_error(const test_at *t, error *e)
{
    const case_test *test = run_cases_test(t->run_cases, t->id);
    return error_usage(e, "%s: the verdicts of the run do not match the cases of the test; run it again",
                       test ? test->name : "a test of the run");
}

static bool each_test(store *run, const waivers *w, bool (*each)(void *context, test_at *t, error *e), void *context,
                      error *e)
{
    test_ids ids = { .list = NULL };
    run_cases *r = run_cases_open(run, e);
    bool fine = r && read_ids(run, &ids, e);
    for (size_t i = 0; fine && i < ids.count; ++i) {
        test_at at = { .run_cases = r, .id = ids.list[i], .file = w };
        case_test *t = run_cases_test(r, ids.list[i]);
        if (!t) {
            fine = run_cases_require(r, e) && adrift_error(&at, e);
            break;
        }
        fine = (at.waivers = waivers_open(w, t, e)) != NULL && each(context, &at, e);
        waivers_close(at.waivers);
    }
    free(ids.list);
    run_cases_close(r);
    return fine;
}

/* ---- review ---- */

typedef struct review {
    waive_row *rows;
    uint64_t *unwaived;
} review;

static bool review_test(void *context, test_at *t, error *e)
{
    review *r = context;
    run_cases_walk w;
    bool fine = run_cases_start(t->run_cases, t->id, &w, e);
    while (fine && !w.ended) {
        run_cases_range range;
        /* Passing cases matter only where a waiver may cover them. */
        while (fine && waivers_count(t->waivers) == 0 && run_cases_between(&w, &range, e) && range.only >= 0 &&
               !verdict_fails((verdict)range.only))
            fine = run_cases_skip(&w, e);
        fine = fine && run_cases_next(&w, e);
        if (!fine || w.ended)
            break;
        size_t count;
        bool waived = false;
        const size_t *matches = waivers_match(t->waivers, w.index, w.values, &count);
        for (size_t i = 0; i < count; ++i) {
            waive_row *row = &r->rows[matches[i]];
            ++*(is_failing(w.verdict) ? &row->failing : w.verdict == VERDICT_PASS ? &row->passing : &row->other);
            waived = waived || !t->file->list[matches[i]].expired;
        }
        if (is_failing(w.verdict) && !waived)
            ++*r->unwaived;
    }
    if (fine && w.adrift)
        fine = adrift_error(t, e);
    run_cases_stop(&w);
    return fine;
}

bool waive_review(store *run, const waivers *w, waive_row *rows, uint64_t *unwaived, error *e)
{
    review r = { rows, unwaived };
    *unwaived = 0;
    memset(rows, 0, w->count * sizeof *rows);
    if (!each_test(run, w, review_test, &r, e))
        return false;
    for (size_t i = 0; i < w->count; ++i) {
        waive_row *row = &rows[i];
        if (w->list[i].repeats)
            *row = rows[w->list[i].original];
        row->state = w->list[i].expired             ? WAIVE_EXPIRED
                     : row->failing && row->passing ? WAIVE_WIDE
                     : row->failing                 ? WAIVE_TIGHT
                     : row->passing                 ? WAIVE_PASSES
                                                    : WAIVE_STALE;
    }
    return true;
}

bool waive_settled(const waive_row *rows, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (rows[i].state != WAIVE_TIGHT)
            return false;
    return true;
}

void waive_print(const waivers *w, const waive_row *rows, bool all, FILE *out)
{
    for (size_t i = 0; i < w->count; ++i) {
        const waive_row *r = &rows[i];
        const waiver *own = &w->list[i];
        if (!all && r->state == WAIVE_TIGHT)
            continue;
        visible_print(out, "waiver %zu %s: '%s'  (%s, %s, until %s)\n", i + 1, waive_state_name(r->state),
                      own->query.text, own->owner, own->link, own->expires);
        switch (r->state) {
        case WAIVE_TIGHT:
            r->failing == 1 ? visible_print(out, "  the one case that it covers fails\n")
                            : visible_print(out, "  all %" PRIu64 " cases that it covers fail\n", r->failing);
            break;
        case WAIVE_WIDE:
            visible_print(out,
                          "  covers %" PRIu64 " case%s that pass%s and %" PRIu64
                          " that fail%s: 'touchstone waive --tighten' writes the narrowest queries that it finds\n",
                          r->passing, r->passing == 1 ? "" : "s", r->passing == 1 ? "es" : "", r->failing,
                          r->failing == 1 ? "s" : "");
            break;
        case WAIVE_PASSES:
            visible_print(out,
                          "  no case of this run that it covers fails (%" PRIu64
                          " pass%s): remove it if none of the tier does\n",
                          r->passing, r->passing == 1 ? "es" : "");
            break;
        case WAIVE_STALE: visible_print(out, "  covers no case that ran\n"); break;
        case WAIVE_EXPIRED:
            visible_print(out, "  has expired and waives no case; %" PRIu64 " of its cases %s\n", r->failing,
                          r->failing == 1 ? "fails" : "fail");
            break;
        }
    }
}

/* ---- tightening ---- */

enum {
    EXACT_CASES = 300, /* of a waiver and a test, that are listed by their ids where no query describes them */
    MOST_TRIED = 48    /* queries of causes, and their conditions */
};

typedef struct narrower {
    store *run;
    causes causes; /* of the run, once they are needed */
    bool has_causes;
    struct {
        size_t waiver;
        query query;
    } * list;
    size_t count, capacity;
    bool *wanted;    /* per waiver: too wide */
    bool *unchanged; /* per waiver: its failing cases have no narrower region */
} narrower;

static bool visit_waived(void *context, bool all, region_groups_each each, void *to, bool *adrift, error *e)
{
    const test_at *t = context;
    run_cases_walk w;
    bool fine = run_cases_start(t->run_cases, t->id, &w, e), more = true;
    (void)all;
    while (fine && more && !w.ended) {
        fine = run_cases_next(&w, e);
        if (!fine || w.ended)
            break;
        int key = REGION_GROUPS_NONE;
        size_t count = 0;
        const size_t *matches = is_failing(w.verdict) ? waivers_match(t->waivers, w.index, w.values, &count) : NULL;
        for (size_t i = 0; i < count && key == REGION_GROUPS_NONE; ++i)
            if (t->wanted[matches[i]])
                key = (int)matches[i];
        more = each(to, w.cursor, key);
    }
    *adrift = w.adrift;
    run_cases_stop(&w);
    return fine;
}

/* Add a query that replaces that of a waiver. */
static bool add_query(narrower *n, size_t number, const char *text, error *e)
{
    if (!array_reserve(&n->list, &n->capacity, n->count + 1, sizeof *n->list))
        return error_set(e, "out of memory");
    n->list[n->count].waiver = number;
    if (!query_parse(text, &n->list[n->count].query, e))
        return false;
    n->count++;
    return true;
}

/* Parse "OPERATOR:TEST where PREDICATE and PREDICATE"; either predicate may be "". */
static bool restrict_query(const case_test *t, const char *own, const char *more, query *q, error *e)
{
    char text[2 * sizeof q->text];
    int n = snprintf(text, sizeof text, "%s:%s%s%s%s%s%s%s", t->file->op->name, t->name, *own || *more ? " where " : "",
                     *own ? "(" : "", own, *own ? ")" : "", *own && *more ? " and " : "", more);
    return n > 0 && (size_t)n < sizeof text && query_parse(text, q, e);
}

/* The length of the first condition of "CONDITION and CONDITION"; `and` in parentheses or quotes joins none. */
static size_t condition_length(const char *predicate)
{
    static const char joint[] = " and ";
    int depth = 0;
    bool quoted = false;
    size_t n = 0;
    for (; predicate[n]; ++n) {
        quoted = quoted != (predicate[n] == '"');
        depth += quoted ? 0 : (predicate[n] == '(') - (predicate[n] == ')');
        if (depth == 0 && !quoted && strncmp(predicate + n, joint, sizeof joint - 1) == 0)
            break;
    }
    return n;
}

/* Add the conditions of a predicate as queries to try: the first one, the first two and so on, and each alone. */
static size_t list_conditions(const case_test *t, const waiver *own, const char *predicate, waiver *tried, size_t count)
{
    char text[sizeof tried->query.text];
    error ignored;
    for (size_t from = 0, to; predicate[from]; from = to + (predicate[to] ? strlen(" and ") : 0)) {
        to = from + condition_length(predicate + from);
        for (size_t start = 0; start <= from; start += from ? from : 1) {
            snprintf(text, sizeof text, "%.*s", (int)(to - start), predicate + start);
            if (count < MOST_TRIED)
                count += restrict_query(t, own->query.predicate, text, &tried[count].query, &ignored);
        }
    }
    return count;
}

/* List the queries to try for a waiver: first the waiver itself, within the test, then within it those of the causes
   of the test's operator and their conditions. Returns their number. */
static size_t list_tried(const narrower *n, const case_test *t, const waiver *own, waiver *tried)
{
    size_t count = 0;
    error ignored;
    if (restrict_query(t, own->query.predicate, "", &tried[0].query, &ignored))
        count = 1;
    for (size_t i = 0; count > 0 && i < n->causes.count; ++i) {
        const cause *c = &n->causes.list[i];
        for (size_t k = 0; strcmp(c->op, t->file->op->name) == 0 && k < c->query_count; ++k) {
            const char *where = strstr(c->queries[k], " where ");
            count = where ? list_conditions(t, own, where + strlen(" where "), tried, count) : count;
        }
    }
    return count;
}

/* Which of the queries tried is best for a waiver and a group of its failing cases? Row 0 counts the waiver itself. The
   best one covers the fewest passing cases, fewer than the group's region, and misses no failing case, or few enough to
   list their ids. 0: none. */
static size_t best_tried(const waive_row *rows, size_t count, const group *g)
{
    uint64_t fewest = g->part_count == 0 || g->missed ? rows[0].passing : 0;
    size_t best = 0;
    for (size_t k = 0; k < g->part_count && !g->missed; ++k)
        fewest += g->parts[k].others;
    for (size_t i = 1; i < count; ++i) {
        bool fewer =
            rows[i].passing < fewest || (best && rows[i].passing == fewest && rows[i].failing > rows[best].failing);
        if (!fewer || rows[i].failing == 0 || rows[0].failing - rows[i].failing > EXACT_CASES)
            continue;
        fewest = rows[i].passing;
        best = i;
    }
    return best;
}

/* Add the ids of the failing cases of a waiver in a test, except those that `but` covers, which may be NULL. */
static bool add_ids(narrower *n, test_at *t, size_t number, waivers_at *but, error *e)
{
    run_cases_walk w;
    char id[CASE_ID_SIZE];
    bool fine = run_cases_start(t->run_cases, t->id, &w, e);
    while (fine && !w.ended) {
        fine = run_cases_next(&w, e);
        size_t count = 0;
        bool matched = false;
        const size_t *matches =
            fine && !w.ended && is_failing(w.verdict) ? waivers_match(t->waivers, w.index, w.values, &count) : NULL;
        for (size_t i = 0; i < count; ++i)
            matched = matched || matches[i] == number;
        if (matched && but)
            matched = waivers_find(but, w.index, w.values) == NULL;
        if (matched) {
            space_format_id(w.cursor, id, sizeof id);
            fine = add_query(n, number, id, e);
        }
    }
    run_cases_stop(&w);
    return fine;
}

/* Add a query, and the ids of the failing cases that it misses. */
static bool add_tried(narrower *n, test_at *t, size_t number, waiver *chosen, const waive_row *row, uint64_t failing,
                      error *e)
{
    waivers one = { .list = chosen, .count = 1 };
    if (!add_query(n, number, chosen->query.text, e))
        return false;
    if (row->failing == failing)
        return true;
    waivers_at *at = waivers_open(&one, run_cases_test(t->run_cases, t->id), e);
    bool fine = at && add_ids(n, t, number, at, e);
    waivers_close(at);
    return fine;
}

/* Replace a waiver in a test by the query of a cause, if that is narrower than the group's region. */
static bool add_cause(narrower *n, test_at *t, const group *g, bool *added, error *e)
{
    const size_t number = (size_t)g->key;
    case_test *test = run_cases_test(t->run_cases, t->id);
    waiver *tried = calloc(MOST_TRIED, sizeof *tried);
    waive_row rows[MOST_TRIED] = { { .failing = 0 } };
    uint64_t unwaived = 0;
    *added = false;
    if (!tried)
        return error_set(e, "out of memory");
    bool fine = n->has_causes || causes_find(&n->causes, n->run, e);
    n->has_causes = true;
    waivers some = { .list = tried, .count = fine ? list_tried(n, test, &t->file->list[number], tried) : 0 };
    test_at at = { .run_cases = t->run_cases, .id = t->id, .file = &some };
    review r = { rows, &unwaived };
    fine = fine && (at.waivers = waivers_open(&some, test, e)) != NULL;
    fine = fine && review_test(&r, &at, e);
    const size_t best = fine ? best_tried(rows, some.count, g) : 0;
    *added = best > 0;
    fine = fine && (best == 0 || add_tried(n, t, number, &tried[best], &rows[best], rows[0].failing, e));
    waivers_close(at.waivers);
    free(tried);
    return fine;
}

/* Replace a waiver in a test: by its region if that is exact, else by the ids of a few cases, else by the query of a
   cause, and else by the region. */
static bool add_narrower(narrower *n, test_at *t, const group *g, error *e)
{
    bool useful = g->part_count > 0 && g->missed == 0, added = false;
    if (!g->exact && g->cases <= EXACT_CASES)
        return add_ids(n, t, (size_t)g->key, NULL, e);
    if (!g->exact && !add_cause(n, t, g, &added, e))
        return false;
    if (added)
        return true;
    for (size_t k = 0; useful && k < g->part_count; ++k)
        useful = add_query(n, (size_t)g->key, g->parts[k].query, e);
    if (!useful)
        n->unchanged[g->key] = true;
    return true;
}

static bool tighten_test(void *context, test_at *t, error *e)
{
    narrower *n = context;
    region_groups found;
    bool adrift, fine;
    if (waivers_count(t->waivers) == 0)
        return true;
    t->wanted = n->wanted;
    fine = region_groups_find(&found, run_cases_test(t->run_cases, t->id)->space, "", visit_waived, t, &adrift, e);
    if (fine && adrift)
        fine = adrift_error(t, e);
    for (size_t i = 0; fine && i < found.count; ++i)
        fine = add_narrower(n, t, &found.list[i], e);
    region_groups_free(&found);
    return fine;
}

bool waive_tighten(store *run, const waivers *w, bool lua, FILE *out, bool *changed, error *e)
{
    uint64_t unwaived;
    waive_row *rows = calloc(w->count + 1, sizeof *rows);
    narrower n = { .run = run,
                   .wanted = calloc(w->count + 1, sizeof *n.wanted),
                   .unchanged = calloc(w->count + 1, sizeof *n.unchanged) };
    waiver *list = NULL;
    size_t count = 0;
    bool fine = rows && n.wanted && n.unchanged ? true : error_set(e, "out of memory");
    fine = fine && waive_review(run, w, rows, &unwaived, e);
    for (size_t i = 0; fine && i < w->count; ++i)
        n.wanted[i] = rows[i].state == WAIVE_WIDE && i < REGION_GROUPS_KEYS; /* the others stay as they are */
    fine = fine && each_test(run, w, tighten_test, &n, e);
    if (fine && !(list = calloc(w->count + n.count + 1, sizeof *list)))
        fine = error_set(e, "out of memory");
    *changed = false;
    for (size_t i = 0; fine && i < w->count; ++i) {
        bool drop = rows[i].state == WAIVE_PASSES || rows[i].state == WAIVE_STALE;
        bool narrow = n.wanted[i] && !n.unchanged[i];
        *changed = *changed || drop || narrow;
        if (!drop && !narrow)
            list[count++] = w->list[i];
        for (size_t k = 0; narrow && k < n.count; ++k)
            if (n.list[k].waiver == i) {
                list[count] = w->list[i]; /* only the query changes; the texts are borrowed */
                list[count++].query = n.list[k].query;
            }
    }
    if (fine && !waivers_write(list, count, lua, out))
        fine = error_set(e, "the waivers cannot be written");
    free(list);
    if (n.has_causes)
        causes_free(&n.causes);
    free(n.list);
    free(n.wanted);
    free(n.unchanged);
    free(rows);
    return fine;
}

/* ---- after a run ---- */

static bool report_file(store *run, const char *path, FILE *out, error *e)
{
    waivers w;
    uint64_t unwaived;
    if (!waivers_load(&w, path, time(NULL), e))
        return false;
    waive_row *rows = calloc(w.count + 1, sizeof *rows);
    bool fine = rows ? waive_review(run, &w, rows, &unwaived, e) : error_set(e, "out of memory");
    if (fine)
        waive_print(&w, rows, false, out);
    free(rows);
    waivers_free(&w);
    return fine;
}

bool waive_report(const char *run, FILE *out, error *e)
{
    store *s = store_open(run, e);
    const char *path = s ? store_get(s, STORE_WAIVERS) : NULL;
    char *copy = path && *path ? strdup(path) : NULL;
    bool fine = s && (!path || !*path || copy || error_set(e, "out of memory"));
    fine = fine && (!copy || report_file(s, copy, out, e));
    free(copy);
    store_close(s);
    return fine;
}
