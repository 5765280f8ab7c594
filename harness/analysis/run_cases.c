/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/analysis/run_cases.h"

#include "harness/base/array.h"
#include "harness/casefile/casebuild.h"
#include "harness/casefile/query.h"
#include "harness/execute/support.h"
#include "harness/model/tensor.h"
#include "harness/store/store_planes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct run_cases_row {
    int64_t id;
    uint64_t first, end; /* case indices that the run covered */
    uint64_t planned, ran;
    size_t item; /* of the plan, or SIZE_MAX */
} run_cases_row;

struct run_cases {
    store *store;
    plan plan;       /* of the operators that are the same in this program */
    run_suite suite; /* of the run */
    case_tier tier;
    uint64_t seed; /* of the drawn cases */
    bool endless;  /* drawn tests have no end */
    uint32_t profile;
    ts_level level;
    char *refused, *asked, *shard; /* facts of the run */
    char *list;                    /* `asked`, split into queries */
    const char **queries;
    size_t query_count, query_capacity;
    run_cases_row *rows;
    size_t row_count, row_capacity;
};

static char *copy_of(const char *text)
{
    return strdup(text ? text : "");
}

/* ---- opening ---- */

typedef struct row_list {
    run_cases *r;
    bool failed;
} row_list;

static bool read_row(void *context, const store_test *t)
{
    row_list *l = context;
    run_cases *r = l->r;
    if (!array_reserve(&r->rows, &r->row_capacity, r->row_count + 1, sizeof *r->rows)) {
        l->failed = true;
        return false;
    }
    r->rows[r->row_count] = (run_cases_row){ t->id, t->first, t->first + t->indices, t->planned, t->ran, SIZE_MAX };
    for (size_t i = 0; i < r->plan.item_count; ++i)
        if (strcmp(r->plan.items[i].test->name, t->test) == 0 &&
            strcmp(r->plan.items[i].test->file->op->name, t->op) == 0)
            r->rows[r->row_count].item = i;
    r->row_count++;
    return true;
}

/* "a; b where c" */
static bool split_queries(run_cases *r, error *e)
{
    for (char *p = r->list; p && *p;) {
        char *end = strstr(p, "; ");
        if (!array_reserve(&r->queries, &r->query_capacity, r->query_count + 1, sizeof *r->queries))
            return error_set(e, "out of memory");
        r->queries[r->query_count++] = p;
        if (!end)
            break;
        *end = '\0';
        p = end + 2;
    }
    return true;
}

#define ANOTHER_SUITE                                                                                                  \
    "the run was made with another suite: with other cases or another reference than those of this program. Its "      \
    "verdicts cannot be assigned to cases"

/* Plan the operators of the run that are the same here. */
static bool plan_same(run_cases *r, error *e)
{
    char names[RUN_SUITE_NAMES];
    size_t count = 0;
    const char **same = calloc(r->suite.count + 1, sizeof *same);
    if (!same)
        return error_set(e, "out of memory");
    for (size_t i = 0; i < r->suite.count; ++i)
        if (r->suite.operators[i].same)
            same[count++] = r->suite.operators[i].name;
    bool fine = true;
    if (count == 0 && run_suite_changed(&r->suite, names))
        fine = error_usage(e, "%s: " ANOTHER_SUITE, names);
    const plan_options options = { .tier = r->tier,
                                   .operators = (const char *const *)same,
                                   .operator_count = count,
                                   .seed = r->seed,
                                   .endless = r->endless };
    fine = fine && plan_make_with(&r->plan, r->queries, r->query_count, &options, e);
    free(same);
    return fine;
}

static bool read_run(run_cases *r, error *e)
{
    r->tier = TIER_FULL;
    const char *text = store_get(r->store, STORE_TIER);
    if (text && !case_tier_named(text, &r->tier))
        return error_usage(e, "the run has an unknown tier: '%s'", text);
    text = store_get(r->store, STORE_SEED);
    r->seed = text ? strtoull(text, NULL, 10) : 0;
    text = store_get(r->store, STORE_COVERAGE);
    r->endless = r->tier == TIER_EXHAUSTIVE && text && *text;
    text = store_get(r->store, STORE_LEVEL);
    r->level = text ? tensor_level_named(text) : 0;
    text = store_get(r->store, STORE_PROFILE);
    if (text && !tensor_profile_named(text, &r->profile))
        return error_usage(e, "the run has an unknown profile: '%s'", text);
    r->refused = copy_of(store_get(r->store, STORE_REFUSED));
    r->asked = copy_of(store_get(r->store, STORE_QUERY));
    r->shard = copy_of(store_get(r->store, STORE_SHARD));
    r->list = copy_of(r->asked);
    if (!r->refused || !r->asked || !r->shard || !r->list)
        return error_set(e, "out of memory");
    bool fine = split_queries(r, e) && run_suite_read(&r->suite, r->store, e) && plan_same(r, e);
    row_list rows = { r, false };
    fine = fine && store_each_test(r->store, read_row, &rows, e);
    if (fine && rows.failed)
        fine = error_set(e, "out of memory");
    return fine;
}

run_cases *run_cases_open(store *s, error *e)
{
    run_cases *r = calloc(1, sizeof *r);
    if (!r) {
        error_set(e, "out of memory");
        return NULL;
    }
    r->store = s;
    if (read_run(r, e))
        return r;
    run_cases_close(r);
    return NULL;
}

void run_cases_close(run_cases *r)
{
    if (!r)
        return;
    plan_free(&r->plan);
    run_suite_free(&r->suite);
    free(r->refused);
    free(r->asked);
    free(r->shard);
    free(r->list);
    free(r->queries);
    free(r->rows);
    free(r);
}

bool run_cases_asked_alike(const run_cases *a, const run_cases *b)
{
    return strcmp(a->asked, b->asked) == 0 && strcmp(a->shard, b->shard) == 0 && a->tier == b->tier &&
           a->level == b->level && a->profile == b->profile;
}

uint64_t run_cases_seed(const run_cases *r)
{
    return r->seed;
}

bool run_cases_alike(const run_cases *a, const run_cases *b)
{
    return run_cases_asked_alike(a, b) && strcmp(a->refused, b->refused) == 0;
}

static const run_cases_row *row_of(const run_cases *r, int64_t test)
{
    for (size_t i = 0; i < r->row_count; ++i)
        if (r->rows[i].id == test)
            return &r->rows[i];
    return NULL;
}

case_test *run_cases_test(const run_cases *r, int64_t test)
{
    const run_cases_row *row = row_of(r, test);
    return row && row->item < r->plan.item_count ? r->plan.items[row->item].test : NULL;
}

bool run_cases_require(const run_cases *r, error *e)
{
    char names[RUN_SUITE_NAMES];
    return !run_suite_changed(&r->suite, names) || error_usage(e, "%s: " ANOTHER_SUITE, names);
}

const run_suite *run_cases_suite(const run_cases *r)
{
    return &r->suite;
}

bool run_cases_within(const run_cases *r, const case_test *t, char *buf, size_t size)
{
    size_t used = 0;
    *buf = '\0';
    for (size_t i = 0; i < r->query_count; ++i) {
        query q;
        error e;
        if (!query_parse(r->queries[i], &q, &e) || !query_names(&q, t->file->op) ||
            !query_match(q.test, t->name))
            continue;
        if (q.exact)
            return false;
        if (!*q.predicate) { /* this query selects the whole test */
            *buf = '\0';
            return true;
        }
        used += (size_t)snprintf(buf + used, size - used, "%s(%s)", used ? " or " : "", q.predicate);
        if (used >= size)
            return false;
    }
    return true;
}

/* ---- walking ---- */

typedef struct run_cases_state {
    run_cases *run_cases;
    const case_test *test;
    uint64_t end; /* of the case indices that the run covered */
    store_planes *planes;
    store_planes_at plane;
    bool has_plane; /* `plane` is the current one or the next */
    bool gaps;      /* cases between planes are planned and did not run */
    uint64_t next;  /* the first index not yet visited */
    bool inside;    /* a range */
    bool covered;   /* that range is a plane */
    uint64_t taken; /* cases of it so far */
    const uint8_t *verdicts;
    bool more;
    uint32_t dtypes[SPACE_MAX_INNER]; /* of the case, by the cursor's `inner` */
    space_cursor cursor;
    casebuild build;
} run_cases_state;

/* Is a class of cases planned? Where execute.c asks the backend, this asks the run file. */
static bool gate(void *context, const expr_value *values, unsigned inner)
{
    run_cases_state *w = context;
    const run_cases *r = w->run_cases;
    case_class c;
    w->dtypes[inner] = 0;
    if (!casebuild_class(&w->build, values, &c))
        return true;
    w->dtypes[inner] = operator_dtype(&c.shape);
    bool reached = c.level == 0 || r->level == 0 || c.level <= r->level;
    if (!c.has_level || reached == (w->build.test->kind == CASE_BEYOND))
        return false;
    if (c.breaks && support_refuses_clause(r->refused, c.shape.op->name, c.breaks))
        return false;
    return !support_refuses(r->refused, &c.shape);
}

bool run_cases_start(run_cases *r, int64_t test, run_cases_walk *w, error *e)
{
    const run_cases_row *row = row_of(r, test);
    memset(w, 0, sizeof *w);
    if (!row || row->item >= r->plan.item_count) {
        w->ended = w->adrift = true;
        return true;
    }
    run_cases_state *state = calloc(1, sizeof *state);
    if (!state)
        return error_set(e, "out of memory");
    w->state = state;
    state->run_cases = r;
    const plan_item *item = &r->plan.items[row->item];
    state->test = item->test;
    state->next = row->first;
    state->end = row->end < item->end ? row->end : item->end;
    /* What an endless test has not drawn yet is not missing. */
    state->gaps = row->ran < row->planned && !(r->endless && item->test->draw);
    casebuild_init(&state->build, state->test, r->profile, r->level, NULL);
    w->cursor = &state->cursor;
    w->values = state->cursor.values;
    state->planes = store_planes_open(r->store, test, e);
    return state->planes && store_planes_next(state->planes, &state->plane, &state->has_plane, e);
}

void run_cases_stop(run_cases_walk *w)
{
    if (w->state)
        store_planes_close(w->state->planes);
    free(w->state);
    memset(w, 0, sizeof *w);
}

static bool set_adrift(run_cases_walk *w)
{
    w->ended = w->adrift = true;
    return true;
}

/* Leave the current range, whose last index is `last`. */
static bool leave(run_cases_state *w, uint64_t last, error *e)
{
    w->inside = false;
    w->next = last + 1;
    return !w->covered || store_planes_next(w->planes, &w->plane, &w->has_plane, e);
}

/* The last index of the current range, or of the next one. */
static uint64_t range_last(const run_cases_state *w)
{
    uint64_t end = w->end;
    return w->covered ? w->plane.last : (w->has_plane && w->plane.first < end ? w->plane.first : end) - 1;
}

/* Go to the next range with cases of this run. False: there is none. */
static bool find_range(run_cases_state *w)
{
    w->covered = w->has_plane && (w->plane.first <= w->next || !w->gaps);
    if (w->covered)
        w->next = w->plane.first;
    return w->covered || (w->gaps && w->next < w->end);
}

bool run_cases_between(run_cases_walk *w, run_cases_range *range, error *e)
{
    run_cases_state *state = w->state;
    if (w->ended || !state)
        return false;
    if (state->inside && state->covered && state->taken == state->plane.cases) {
        /* The space must have no further case in this range, either. */
        if (state->more && space_next(&state->cursor))
            return !set_adrift(w);
        if (!leave(state, range_last(state), e))
            return !set_adrift(w);
    }
    if (state->inside || !find_range(state) || !state->covered)
        return false;
    const store_planes_at *p = &state->plane;
    *range = (run_cases_range){ p->first, p->last, p->cases, p->blob, p->size, -1 };
    if (p->size == 1)
        range->only = *(const uint8_t *)p->blob;
    return true;
}

bool run_cases_skip(run_cases_walk *w, error *e)
{
    return leave(w->state, range_last(w->state), e);
}

bool run_cases_peek(run_cases_walk *w, uint64_t from, unsigned most, void (*each)(void *context), void *context)
{
    run_cases_state *state = w->state;
    const uint64_t end = range_last(state) + 1;
    if (from >= end || !space_start(&state->cursor, state->test->space, from, end, gate, state))
        return !state->cursor.failed && !state->cursor.problem;
    do {
        w->index = state->cursor.index;
        w->dtype = state->dtypes[state->cursor.inner];
        each(context);
    } while (--most > 0 && space_next(&state->cursor));
    return !state->cursor.failed && !state->cursor.problem;
}

bool run_cases_next(run_cases_walk *w, error *e)
{
    run_cases_state *state = w->state;
    while (!w->ended) {
        if (!state->inside) {
            if (!find_range(state)) {
                w->ended = true;
                return true;
            }
            state->inside = true;
            state->taken = 0;
            state->verdicts = NULL;
            if (state->covered && !(state->verdicts = store_planes_verdicts(state->planes, e)))
                return false;
            state->more =
                space_start(&state->cursor, state->test->space, state->next, range_last(state) + 1, gate, state);
        } else {
            state->more = space_next(&state->cursor);
        }
        if (state->cursor.failed || state->cursor.problem)
            return set_adrift(w);
        if (!state->more) {
            if (state->covered && state->taken != state->plane.cases)
                return set_adrift(w);
            if (!leave(state, range_last(state), e))
                return false;
            continue;
        }
        if (state->covered && state->taken == state->plane.cases)
            return set_adrift(w);
        w->index = state->cursor.index;
        w->dtype = state->dtypes[state->cursor.inner];
        w->verdict = state->covered ? (verdict)state->verdicts[state->taken] : VERDICT_NONE;
        state->taken++;
        return true;
    }
    return true;
}
