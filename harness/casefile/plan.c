/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/plan.h"

#include "harness/base/array.h"
#include "harness/base/did_you_mean.h"
#include "harness/casefile/query_meant.h"
#include "harness/base/platform.h"
#include "harness/casefile/case_sound.h"
#include "harness/casefile/casefile_checked.h"
#include "harness/casefile/kept_points.h"
#include "harness/casefile/query.h"
#include "harness/casefile/quick.h"
#include "harness/casefile/suite_digest.h"
#include "reference/operators.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Does a query fit a test? A test may lack the axes of a predicate, or the point of an id. */
typedef enum fit { FITS, FITS_NOT, BROKEN } fit;

/* The text of a predicate that holds at one point only. */
typedef struct point {
    char text[4096];
} point;

/* The text of an integer; the minimum has no literal. */
static const char *integer(int64_t value, char buf[32])
{
    snprintf(buf, 32, "%lld%s", (long long)(value == INT64_MIN ? value + 1 : value), value == INT64_MIN ? " - 1" : "");
    return buf;
}

/* Append a condition such as ` or kind[2] ~= "new"`: element k of a vector has another value. */
static size_t append_condition(char *out, size_t size, const space_axis *axis, uint32_t k, int64_t value)
{
    char number[32];
    const char *symbol = space_symbol(axis, value);
    if (symbol)
        return (size_t)snprintf(out, size, " or %s[%u] ~= \"%s\"", axis->name, (unsigned)k + 1, symbol);
    return (size_t)snprintf(out, size, " or %s[%u] ~= %s", axis->name, (unsigned)k + 1, integer(value, number));
}

/* Write a predicate that holds at this point only. False if it does not fit into `out`. Must be called before filters
   are added, because the filter of another query may rule out the point. */
static bool describe_point(const space *s, uint64_t index, char *out, size_t size)
{
    space_cursor c;
    char number[32];
    size_t used = 0;
    if (!space_start(&c, s, index, index + 1, NULL, NULL))
        return false;
    for (size_t slot = 0; slot < space_axis_count(s) && used < size; ++slot) {
        const space_axis *axis = space_axis_at(s, slot);
        const char *name = axis->name, *and = used ? " and " : "";
        const expr_value *value = &c.values[slot];
        if (axis->position)
            continue;
        if (axis->per != SPACE_SCALAR) { /* one condition for each axis, the length before the elements */
            used +=
                (size_t)snprintf(out + used, size - used, "%snot (len(%s) ~= %u", and, name, (unsigned)value->length);
            for (uint32_t k = 0; k < value->length && used < size; ++k)
                used += append_condition(out + used, size - used, axis, k, value->v[k]);
            if (used < size)
                used += (size_t)snprintf(out + used, size - used, ")");
            continue;
        }
        const char *symbol = space_symbol(axis, value->v[0]);
        used +=
            (size_t)(symbol ? snprintf(out + used, size - used, "%s%s == \"%s\"", and, name, symbol)
                            : snprintf(out + used, size - used, "%s%s == %s", and, name, integer(value->v[0], number)));
    }
    return used < size;
}

/* A query of a plan, and the result of matching it. */
typedef struct plan_query {
    query q;
    point point; /* with several queries: the predicate of an exact one */
    bool operator_known, test_known, fits;
    const case_file *file; /* of the operator that the query names */
    error refused;         /* why a test does not fit */
} plan_query;

/* A case file of the plan. */
typedef struct planned_file {
    const ts_operator *op;
    char sources[SUITE_DIGEST_SIZE]; /* of the operator: suite_operator_digest */
    bool *in_tier;                   /* of each test: does the tier have cases of it? */
    bool failed;                     /* it cannot be loaded, or its cases cannot be chosen, */
    error e;                         /* for this reason */
} planned_file;

/* Everything that plan_make works with. */
typedef struct planner {
    plan *plan;
    const plan_options *options;
    case_tier tier;
    quick_cases quick;
    plan_query *queries;
    size_t query_count;
    bool checked;        /* the queries are about descriptors alone, which operators' declarations make */
    planned_file *files; /* of the plan */
} planner;

/* Several queries share one range of indices per test, which does not say which points the exact queries mean: give
   each exact query that names this test a predicate that holds at its point only. */
static bool describe_points(planner *p, case_test *t, error *e)
{
    for (size_t k = 0; k < p->query_count; ++k) {
        const query *q = &p->queries[k].q;
        point *at = &p->queries[k].point;
        uint64_t index;
        error unfit; /* select_test reports it */
        at->text[0] = '\0';
        if (!q->exact || strcmp(q->op, t->file->op->name) != 0 || strcmp(q->test, t->name) != 0)
            continue;
        if (!casefile_prepare(t, e))
            return false;
        if (!space_find(t->space, q->parameters, &index, &unfit))
            continue;
        size_t used = *q->predicate ? (size_t)snprintf(at->text, sizeof at->text, "(%s) and ", q->predicate) : 0;
        if (!describe_point(t->space, index, at->text + used, sizeof at->text - used))
            return error_usage(e, "query '%s' is too long to be joined with others; run it alone", q->text);
    }
    return true;
}

/* How do the queries select a test? */
typedef struct selection {
    bool any, names_it; /* names_it: completely, whatever the tier */
} selection;

static selection selection_of(const planner *p, const case_test *t)
{
    selection how = { .any = false };
    for (size_t k = 0; k < p->query_count; ++k) {
        const query *q = &p->queries[k].q;
        if (!query_names(q, t->file->op) || !query_match(q->test, t->name))
            continue;
        how.any = true;
        how.names_it = how.names_it || q->names_test;
    }
    return how;
}

/* Set the cases of a drawn test: those that the tier draws, and the listed ones. Draws without an end leave no room for
   listed cases behind them. */
static bool set_draws(const planner *p, case_test *t, error *e)
{
    const selection how = selection_of(p, t);
    const bool endless = p->options->endless;
    casefile_set_draws(t, endless ? PLAN_ENDLESS : t->draws[p->tier < t->tier && how.names_it ? t->tier : p->tier],
                       p->options->seed);
    return endless || !how.any || !quick_has(&p->quick, t) || quick_choose(&p->quick, t, e);
}

/* Reduce a test to the cases that the tier has of it; *in_tier: has it any? A query that names the test selects all of
   it. A test that no query selects stays as it is, which saves the cost of choosing. */
static bool choose_cases(const planner *p, case_test *t, bool *in_tier, error *e)
{
    const bool listed = (t->draw || p->tier == TIER_QUICK) && quick_has(&p->quick, t);
    *in_tier = t->tier <= p->tier || listed;
    if (t->draw)
        return set_draws(p, t, e);
    const selection how = selection_of(p, t);
    return t->tier <= p->tier || !listed || !how.any || how.names_it || quick_choose(&p->quick, t, e);
}

/* The points of a test that the tier has: the first ones. Behind those of a drawn test are such that queries name. */
static uint64_t points_of(const planner *p, const case_test *t)
{
    return t->kind == CASE_CHECKED && p->tier == TIER_QUICK && !selection_of(p, t).names_it ? casefile_checked_quick(t)
                                                                                            : space_points(t->space);
}

/* Anybody can write the id of a drawn case: its descriptor has to be what its test says, as those that are drawn are. */
static bool check_named(case_test *t, const query *q, uint64_t index, error *e)
{
    error why;
    expr_value values[EXPR_MAX_SLOTS];
    space_cursor *c = malloc(sizeof *c); /* too large for the stack, as is the next */
    casebuild *b = malloc(sizeof *b);
    bool fine = (c && b) || error_set(e, "out of memory");
    if (fine) {
        casebuild_init(b, t, 0, 0, NULL);
        fine = space_parse_values(t->space, q->parameters, values, e) &&
               space_place(c, t->space, values, index, e) &&
               (case_is_claimed(b, c, &why) || error_usage(e, "query '%s' is no case: %s", q->text, why.text));
    }
    free(b);
    free(c);
    return fine;
}

/* `points` of the test are selected, of a drawn one without those that queries name. */
static fit select_test(plan *p, case_test *t, const query *q, uint64_t points, const char *predicate, error *e)
{
    if (!casefile_prepare(t, e))
        return BROKEN;
    plan_item *item = p->item_count && p->items[p->item_count - 1].test == t ? &p->items[p->item_count - 1] : NULL;
    uint64_t first = 0, end = t->strength ? space_points(t->space) : points;
    if (q->exact) {
        if (!space_find(t->space, q->parameters, &first, e) || (t->draw && !check_named(t, q, first, e)))
            return FITS_NOT;
        end = first + 1;
    }
    /* One alternative for each query, so that several make a union. */
    if (!space_filter(t->space, *predicate ? predicate : NULL, "query", e)) {
        const char *why = q->from_parameters ? strstr(e->text, ": in '") : NULL,
                   *behind = why ? strstr(why, " at column ") : NULL;
        const error own = *e;
        if (behind && (behind = strstr(behind, ": "))) /* the predicate was made of the parameters */
            error_usage(e, "query '%s'%s", q->text, own.text + (behind - e->text));
        return FITS_NOT;
    }
    if (item) {
        item->first = first < item->first ? first : item->first;
        item->end = end > item->end ? end : item->end;
        return FITS;
    }
    if (!array_reserve(&p->items, &p->item_capacity, p->item_count + 1, sizeof *p->items)) {
        error_set(e, "out of memory");
        return BROKEN;
    }
    p->items[p->item_count++] = (plan_item){ t, first, end };
    return FITS;
}

static bool unknown_operator(const query *q, error *e)
{
    char names[512], hint[DID_YOU_MEAN_SIZE];
    size_t count;
    did_you_mean_list list = { names, sizeof names, 0, 0 };
    const ts_operator *const *all = operators_all(&count), *meant = query_meant(q->op);
    const did_you_mean d = { .word = q->op, .best = meant ? meant->name : NULL };
    for (size_t i = 0; i < count; ++i)
        did_you_mean_list_add(&list, all[i]->name, count - i - 1);
    if (strcmp(q->op, "where") == 0)
        return error_usage(e, "a predicate belongs to its query: put quotes around both, as in '%s:* where rank == 1'",
                           count ? all[0]->name : "*");
    return error_usage(e, "query '%s': there is no operator '%s'%s; there are %s", q->text, q->op,
                       did_you_mean_hint(&d, hint), names);
}

static bool unknown_test(const case_file *f, const query *q, error *e)
{
    char names[400], hint[DID_YOU_MEAN_SIZE], note[QUERY_NOTE_SIZE];
    const char *written = q->text;
    did_you_mean_list list = { names, sizeof names, 0, 0 };
    did_you_mean d;
    did_you_mean_start(&d, q->test);
    for (size_t i = 0; i < f->test_count; ++i) {
        did_you_mean_try(&d, f->tests[i].name);
        did_you_mean_list_add(&list, f->tests[i].name, f->test_count - i - 1);
    }
    return error_usage(e, "query '%s': %s has no test '%s'%s; it has %s%s", q->text, f->op->name, q->test,
                       did_you_mean_hint(&d, hint), names, query_note(&written, 1, note));
}

/* Add the cases of one test that the queries select. */
static bool plan_test(planner *p, case_test *t, bool in_tier, error *e)
{
    const bool several = p->query_count > 1;
    const uint64_t points = points_of(p, t); /* of a covering test they are not known yet */
    if (several && !describe_points(p, t, e))
        return false;
    for (size_t k = 0; k < p->query_count; ++k) {
        plan_query *one = &p->queries[k];
        if (!query_names(&one->q, t->file->op))
            continue;
        one->file = t->file;
        if (!query_match(one->q.test, t->name))
            continue;
        one->test_known = true;
        if (!in_tier && !one->q.names_test)
            continue;
        error refused;
        const char *predicate = several && one->q.exact ? one->point.text : one->q.predicate;
        fit result = select_test(p->plan, t, &one->q, points, predicate, &refused);
        if (result == FITS)
            one->fits = true;
        else if (!one->refused.text[0] || t->kind != CASE_EXAMPLES)
            one->refused = refused; /* examples have few axes: the message of another test is more helpful */
        if (result == BROKEN) {
            *e = refused;
            return false;
        }
    }
    return true;
}

static bool is_planned(const planner *p, const ts_operator *op)
{
    const plan_options *o = p->options;
    for (size_t i = 0; i < o->operator_count; ++i)
        if (strcmp(o->operators[i], op->name) == 0)
            return true;
    return o->operators == NULL;
}

/* Does the plan have the operator? Sets `operator_known` of each query that names it. */
static bool is_wanted(planner *p, const ts_operator *op)
{
    bool wanted = false;
    if (p->checked ? !operators_declared(op) : !operator_has_cases(op))
        return false;
    for (size_t k = 0; k < p->query_count; ++k)
        if (query_names(&p->queries[k].q, op))
            wanted = p->queries[k].operator_known = true;
    return wanted && is_planned(p, op);
}

/* Load the case file of an operator of the plan. Of a plan about descriptors alone, make the tests that follow from the
   operator's declaration. */
static bool load_file(const planner *p, const ts_operator *op, size_t i, error *e)
{
    char path[PATH_MAX];
    case_file **f = &p->plan->files[i];
    if (!operator_has_cases(op))
        suite_checked_digest(op, p->plan->digests[i]);
    else if (!casefile_path(op, path, sizeof path, e) ||
             !suite_operator_digest(op, path, &p->quick, p->plan->digests[i], p->files[i].sources, e))
        return false;
    return (*f = p->checked ? casefile_of_checked(op, e) : casefile_load_of(path, op, e)) != NULL;
}

/* Are there points to be drawn that the build may have kept? */
static bool draws_kept_points(const planner *p, const case_file *f)
{
    bool draws = false;
    for (size_t t = 0; t < f->test_count && !draws; ++t)
        draws = f->tests[t].draw && selection_of(p, &f->tests[t]).any;
    return draws && p->tier == TIER_QUICK && p->options->seed == 0;
}

/* Load file i of the plan, and choose the cases of its tests. */
static void prepare_file(void *context, size_t i)
{
    const planner *p = context;
    planned_file *own = &p->files[i];
    bool fine = load_file(p, own->op, i, &own->e);
    case_file *f = p->plan->files[i];
    if (fine && !(own->in_tier = calloc(f->test_count + 1, sizeof *own->in_tier)))
        fine = error_set(&own->e, "out of memory");
    for (size_t t = 0; fine && t < f->test_count; ++t)
        fine = choose_cases(p, &f->tests[t], &own->in_tier[t], &own->e);
    if (fine && draws_kept_points(p, f))
        kept_points_load(f, own->sources);
    own->failed = !fine;
}

/* The error is that of the first operator that has one. */
static bool prepare_files(planner *p, error *e)
{
    if (casefile_is_trusted())
        platform_each(p->plan->file_count, prepare_file, p);
    for (size_t i = 0; i < p->plan->file_count; ++i) {
        if (!casefile_is_trusted())
            prepare_file(p, i);
        if (p->files[i].failed) {
            *e = p->files[i].e;
            return false;
        }
    }
    return true;
}

static bool plan_tests(planner *p, error *e)
{
    for (size_t i = 0; i < p->plan->file_count; ++i)
        for (size_t t = 0; t < p->plan->files[i]->test_count; ++t)
            if (!plan_test(p, &p->plan->files[i]->tests[t], p->files[i].in_tier[t], e))
                return false;
    return true;
}

/* An error for the first query that names nothing or fits no test that it names. */
static bool check_queries(const planner *p, error *e)
{
    for (size_t k = 0; k < p->query_count; ++k) {
        const plan_query *one = &p->queries[k];
        if (p->options->operators && !one->file)
            continue;
        if (!one->operator_known)
            return unknown_operator(&one->q, e);
        if (!one->test_known)
            return unknown_test(one->file, &one->q, e);
        if (!one->fits && one->refused.text[0]) {
            *e = one->refused;
            return false;
        }
    }
    return true;
}

/* Is a query about descriptors alone: `validation`, or operators that are checked, but not computed? It has to name
   these: `*` means those that are computed. */
static bool is_of_checked(const query *q)
{
    const ts_operator *op;
    bool found = q->validation;
    if (found)
        return true;
    for (size_t i = 0; (op = operators_known(i)); ++i) {
        if (!query_names(q, op))
            continue;
        if (operator_has_cases(op))
            return false;
        found = true;
    }
    return found;
}

/* What a backend computes and what descriptors it accepts are two things: one run does not mix them. */
static bool find_kind(planner *p, error *e)
{
    for (size_t k = 0; k < p->query_count; ++k) {
        const bool checked = is_of_checked(&p->queries[k].q);
        if (k == 0)
            p->checked = checked;
        else if (checked != p->checked)
            return error_usage(e,
                               "query '%s' is about descriptors alone, and '%s' is not; these are two runs",
                               p->queries[checked ? k : 0].q.text, p->queries[checked ? 0 : k].q.text);
    }
    return true;
}

/* Are there cases that another seed would draw differently? */
static bool has_draws(const plan *p)
{
    for (size_t i = 0; i < p->item_count; ++i)
        if (p->items[i].test->draw)
            return true;
    return false;
}

bool plan_make_with(plan *p, const char *const *queries, size_t query_count, const plan_options *options, error *e)
{
    static const char *const everything[] = { "*" };
    size_t count = 0;
    const ts_operator *op;
    while (operators_known(count))
        ++count;
    memset(p, 0, sizeof *p);
    if (query_count == 0) {
        queries = everything;
        query_count = 1;
    }
    planner now = { .plan = p, .options = options, .tier = options->tier, .query_count = query_count };
    now.queries = calloc(query_count, sizeof *now.queries);
    now.files = calloc(count + 1, sizeof *now.files);
    p->files = calloc(count + 1, sizeof *p->files);
    p->digests = calloc(count + 1, sizeof *p->digests);
    p->operators = calloc(count + 1, sizeof *p->operators);
    bool fine = (now.queries && now.files && p->files && p->digests && p->operators) || error_set(e, "out of memory");
    for (size_t i = 0; fine && i < query_count; ++i)
        fine = query_parse(queries[i], &now.queries[i].q, e);
    fine = fine && find_kind(&now, e) && quick_read(&now.quick, e);
    for (size_t i = 0; fine && (op = operators_known(i)); ++i) {
        if (is_wanted(&now, op)) {
            now.files[p->file_count].op = op;
            p->operators[p->file_count++] = op->name;
        }
    }
    fine = fine && prepare_files(&now, e) && plan_tests(&now, e) && check_queries(&now, e);
    if (fine)
        suite_digest(p->file_count, p->operators, p->digests, has_draws(p) ? options->seed : 0, p->suite_digest);
    free(now.queries);
    for (size_t i = 0; now.files && i < p->file_count; ++i)
        free(now.files[i].in_tier);
    free(now.files);
    quick_free(&now.quick);
    if (!fine)
        plan_free(p);
    return fine;
}

bool plan_make(plan *p, const char *const *queries, size_t query_count, case_tier tier, error *e)
{
    const plan_options options = { .tier = tier };
    return plan_make_with(p, queries, query_count, &options, e);
}

static void free_file(void *context, size_t i)
{
    const plan *p = context;
    casefile_free(p->files[i]);
}

void plan_free(plan *p)
{
    platform_each(p->file_count, free_file, p); /* in threads, as they were loaded: every run ends with this */
    free(p->files);
    free(p->digests);
    free(p->operators);
    free(p->items);
    memset(p, 0, sizeof *p);
}
