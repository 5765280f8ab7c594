/* SPDX-License-Identifier: Apache-2.0 */
/* Draws cases of a run, from every test and of every kind of failure, for learning. */
#include "harness/analysis/causes_internal.h"
#include "harness/base/array.h"

#include <stdlib.h>
#include <string.h>

enum {
    ALL_OF_RANGE = 256, /* a range of equal verdicts with so few cases is visited completely, */
    PEEKS = 48,         /* any other at so many places, */
    PEEKED = 4,         /* so many cases each */
    MOST_INSIDE = 5000, /* failing cases that are drawn of an operator and kind, about, */
    LEAST_INSIDE = 60,  /* and at least of each test */
    MOST_OUTSIDE = 6000,
    LEAST_OUTSIDE = 60,
    ELSEWHERE = 4000, /* other cases, of tests without failures */
    LEAST_ELSEWHERE = 16,
    MISTAKES = 2000, /* cases that a rule holds by mistake */
    LEAST_MISTAKES = 60
};

cause_stratum *causes_stratum(const causes_sample *s, size_t test, int kind, int part)
{
    return &s->strata[(test * CAUSE_KINDS + (size_t)kind) * CAUSES_STRATA + (size_t)part];
}

void causes_unpack(const case_test *t, const int64_t *point, expr_value *values)
{
    for (size_t slot = 0; slot < space_axis_count(t->space); ++slot) {
        values[slot].length = (uint32_t)*point++;
        memcpy(values[slot].v, point, values[slot].length * sizeof *point);
        point += values[slot].length;
    }
}

static int64_t *pack(const case_test *t, const expr_value *values)
{
    size_t slots = space_axis_count(t->space), size = slots;
    for (size_t slot = 0; slot < slots; ++slot)
        size += values[slot].length;
    int64_t *point = malloc((size ? size : 1) * sizeof *point), *to = point;
    for (size_t slot = 0; point && slot < slots; ++slot) {
        *to++ = values[slot].length;
        memcpy(to, values[slot].v, values[slot].length * sizeof *to);
        to += values[slot].length;
    }
    return point;
}

static uint64_t next_random(causes_sample *s)
{
    s->random ^= s->random << 13;
    s->random ^= s->random >> 7;
    s->random ^= s->random << 17;
    return s->random;
}

/* Reservoir sampling. */
bool causes_offer(causes_sample *s, cause_stratum *to, uint64_t visited, const case_test *t, const expr_value *values)
{
    size_t at = to->count;
    if (at == to->most) {
        uint64_t place = next_random(s) % visited;
        if (place >= to->most)
            return true;
        at = (size_t)place;
        free(to->points[at]);
        to->points[at] = NULL;
    } else if (!array_reserve(&to->points, &to->capacity, to->count + 1, sizeof *to->points)) {
        return false;
    } else {
        to->count++;
    }
    return (to->points[at] = pack(t, values)) != NULL;
}

/* A test that is being walked. */
typedef struct walking {
    causes_sample *s;
    size_t test;
    run_cases_walk walk;
    cause_stratum *to; /* of the range that is peeked into */
    uint64_t visited[CAUSE_KINDS][CAUSES_PARTS];
    int part;
    int kind;
    bool failed;
} walking;

/* The kind of a case that is learned from, or -1. */
static int kind_of(verdict v)
{
    return v == VERDICT_PASS ? CAUSE_NONE : verdict_fails(v) ? (int)cause_kind_of(v) : -1;
}

static void take(void *context)
{
    walking *w = context;
    uint64_t *visited = &w->visited[w->kind][w->part];
    ++*visited;
    w->failed = w->failed || !causes_offer(w->s, causes_stratum(w->s, w->test, w->kind, w->part), *visited,
                                           w->s->tests[w->test].test, w->walk.values);
}

/* A range of cases with one verdict. False: it is to be walked. */
static bool peek(walking *w, const run_cases_range *range, bool *adrift)
{
    if (range->only < 0 || range->cases <= ALL_OF_RANGE)
        return false;
    w->kind = kind_of((verdict)range->only);
    w->part = 1;
    if (w->kind < 0)
        return true;
    causes_stratum(w->s, w->test, w->kind, 1)->population += range->cases;
    const uint64_t indices = range->last - range->first + 1, step = indices / PEEKS + 1;
    for (uint64_t from = range->first; from <= range->last && !*adrift; from += step)
        *adrift = !run_cases_peek(&w->walk, from + next_random(w->s) % step, PEEKED, take, w);
    return true;
}

static bool walk_test(causes_sample *s, size_t test, bool *adrift, error *e)
{
    cause_test *t = &s->tests[test];
    walking w = { .s = s, .test = test };
    run_cases_range range;
    bool fine = run_cases_start(s->run, t->id, &w.walk, e);
    uint64_t walked = 0, most = s->budget / (s->test_count + 1) + 20000;
    error none = { .text = "" };
    while (fine && !w.walk.ended && !w.failed && !*adrift) {
        if (run_cases_between(&w.walk, &range, &none)) {
            bool over = walked > most && range.only < 0;
            t->stepped = t->stepped || over;
            if (over || peek(&w, &range, adrift)) {
                fine = run_cases_skip(&w.walk, e);
                continue;
            }
        }
        fine = run_cases_next(&w.walk, e);
        if (!fine || w.walk.ended)
            break;
        ++walked;
        w.kind = kind_of(w.walk.verdict);
        w.part = 0;
        if (w.kind < 0)
            continue;
        causes_stratum(s, test, w.kind, 0)->population++;
        take(&w);
    }
    *adrift = *adrift || w.walk.adrift;
    run_cases_stop(&w.walk);
    return fine && (!w.failed || error_set(e, "out of memory"));
}

/* ---- names --------------------------------------------------------------------------------------------------------
 */

static int find_name(causes_sample *s, const char *name, bool vector, bool symbols)
{
    for (size_t i = 0; i < s->name_count; ++i)
        if (strcmp(s->names[i].name, name) == 0)
            return s->names[i].vector == vector && s->names[i].symbols == symbols ? (int)i : -1;
    if (s->name_count == CAUSES_NAMES)
        return -1;
    s->names[s->name_count] = (cause_name){ .name = strdup(name), .vector = vector, .symbols = symbols };
    return s->names[s->name_count].name ? (int)s->name_count++ : -1;
}

/* The axis with the number of elements of vectors of this `per`, or their constant number. */
static void set_length(cause_name *n, const space *s, int per)
{
    for (size_t slot = 0; slot < space_axis_count(s); ++slot) {
        const space_axis *axis = space_axis_at(s, slot);
        if (!space_scope(s)->names[slot].vector || space_scope(s)->names[slot].per != per)
            continue;
        if (axis->per >= 0 && !n->length)
            n->length = strdup(space_axis_at(s, (size_t)axis->per)->name);
        n->fixed = axis->per == SPACE_FIXED ? axis->fixed : 0;
        return;
    }
}

int64_t causes_symbol(causes_sample *s, const char *name)
{
    for (size_t i = 0; i < s->symbol_count; ++i)
        if (strcmp(s->symbols[i], name) == 0)
            return (int64_t)i;
    if (!array_reserve(&s->symbols, &s->symbol_capacity, s->symbol_count + 1, sizeof *s->symbols) ||
        !(s->symbols[s->symbol_count] = strdup(name)))
        return -1;
    return (int64_t)s->symbol_count++;
}

/* Number the names of the values of an axis. */
static void number_symbols(causes_sample *s, cause_test *t, int name)
{
    const space_axis *axis =
        space_axis_at(t->test->space, (size_t)space_axis_named(t->test->space, s->names[name].name));
    t->ids[name] = calloc(axis->symbol_count + 1, sizeof *t->ids[name]);
    for (size_t i = 0; t->ids[name] && i < axis->symbol_count; ++i)
        t->ids[name][i] = causes_symbol(s, axis->symbols[i]);
    t->id_count[name] = t->ids[name] ? axis->symbol_count : 0;
}

static bool is_fact(const expr_scope *scope, const char *name)
{
    bool found = false;
    for (size_t i = 0; scope->facts && i < scope->facts->count; ++i)
        found = found || strcmp(scope->facts->names[i].name, name) == 0;
    return found;
}

/* Add a name of a test. One that does not fit the name of another test is left out. */
static void add_name(causes_sample *s, cause_test *t, const char *name, bool symbols)
{
    error e;
    expr_scope scope = *space_scope(t->test->space);
    scope.relaxed = true;
    expr *x = expr_compile(name, &scope, "cause", &e);
    if (!x)
        return;
    const bool vector = expr_type_of(x) == EXPR_VECTOR;
    const int at = find_name(s, name, vector, symbols);
    if (at < 0) {
        expr_free(x);
        return;
    }
    t->values[at] = x;
    s->names[at].truth = expr_type_of(x) == EXPR_BOOL;
    if (symbols)
        number_symbols(s, t, at);
    if (symbols && !t->ids[at]) {
        expr_free(x);
        t->values[at] = NULL;
        return;
    }
    if (vector)
        set_length(&s->names[at], t->test->space, expr_per_of(x));
    s->names[at].fact = is_fact(&scope, name);
    if (vector && s->names[at].fact)
        s->names[at].per = expr_per_of(x);
}

static void add_names(causes_sample *s, cause_test *t)
{
    const space *of = t->test->space;
    const expr_scope *scope = space_scope(of);
    for (size_t slot = 0; slot < space_axis_count(of); ++slot)
        if (!space_axis_at(of, slot)->position)
            add_name(s, t, space_axis_at(of, slot)->name, space_axis_at(of, slot)->symbols != NULL);
    for (size_t i = 0; i < scope->alias_count; ++i)
        add_name(s, t, scope->aliases[i].name, false);
    for (size_t i = 0; scope->facts && i < scope->facts->count; ++i)
        add_name(s, t, scope->facts->names[i].name, false);
}

/* ---- tests --------------------------------------------------------------------------------------------------------
 */

static bool add_test(void *context, const store_test *t)
{
    causes_sample *s = context;
    case_test *found = strcmp(t->op, s->op) == 0 ? run_cases_test(s->run, t->id) : NULL;
    if (!found)
        return true;
    cause_test *list = realloc(s->tests, (s->test_count + 1) * sizeof *list);
    if (!list)
        return false;
    s->tests = list;
    list[s->test_count++] = (cause_test){ .id = t->id, .test = found };
    return true;
}

static bool add_tally(void *context, const store_tally *t)
{
    causes_sample *s = context;
    const int kind = kind_of(t->verdict);
    for (size_t i = 0; kind >= 0 && i < s->test_count; ++i)
        if (s->tests[i].id == t->test) {
            s->tests[i].failed[kind] += t->cases;
            s->tests[i].verdicts[kind] |= 1u << t->verdict;
        }
    return true;
}

static size_t share(size_t most, size_t of, size_t least)
{
    const size_t part = of ? most / of : most;
    return part > least ? part : least;
}

static bool set_sizes(causes_sample *s)
{
    size_t with[CAUSE_KINDS] = { 0 }, any = 0;
    s->strata = calloc((s->test_count + 1) * CAUSE_KINDS * CAUSES_STRATA, sizeof *s->strata);
    for (size_t i = 0; s->strata && i < s->test_count; ++i) {
        bool fails = false;
        for (int k = CAUSE_NONE + 1; k < CAUSE_KINDS; ++k) {
            with[k] += s->tests[i].failed[k] > 0;
            fails = fails || s->tests[i].failed[k] > 0;
        }
        any += fails;
    }
    for (size_t i = 0; s->strata && i < s->test_count; ++i) {
        bool fails = false;
        for (int k = CAUSE_NONE + 1; k < CAUSE_KINDS; ++k) {
            fails = fails || s->tests[i].failed[k] > 0;
            for (int p = 0; p < CAUSES_PARTS; ++p)
                causes_stratum(s, i, k, p)->most = share(MOST_INSIDE, with[k], LEAST_INSIDE);
            for (int p = CAUSES_PARTS; p < CAUSES_STRATA; ++p)
                causes_stratum(s, i, k, p)->most =
                    s->tests[i].failed[k] ? share(MISTAKES, with[k], LEAST_MISTAKES) : LEAST_MISTAKES;
        }
        for (int p = 0; p < CAUSES_PARTS; ++p)
            causes_stratum(s, i, CAUSE_NONE, p)->most = fails ? share(MOST_OUTSIDE, any, LEAST_OUTSIDE)
                                                              : share(ELSEWHERE, s->test_count - any, LEAST_ELSEWHERE);
    }
    return s->strata != NULL;
}

bool causes_sample_draw(causes_sample *s, store *run_file, bool *adrift, error *e)
{
    s->random = UINT64_C(0x9E3779B97F4A7C15);
    if (!store_each_test(run_file, add_test, s, e) || !store_each_tally(run_file, add_tally, s, e))
        return false;
    if (!set_sizes(s))
        return error_set(e, "out of memory");
    for (size_t i = 0; i < s->test_count; ++i)
        add_names(s, &s->tests[i]);
    s->bytes_name = s->name_count;
    for (size_t n = 0; n < s->name_count; ++n)
        if (strcmp(s->names[n].name, "ElementBytes") == 0)
            s->bytes_name = n;
    for (size_t i = 0; i < s->test_count && !*adrift; ++i)
        if (!walk_test(s, i, adrift, e))
            return false;
    return true;
}

void causes_sample_free(causes_sample *s)
{
    for (size_t i = 0; s->strata && i < s->test_count * CAUSE_KINDS * CAUSES_STRATA; ++i) {
        for (size_t k = 0; k < s->strata[i].count; ++k)
            free(s->strata[i].points[k]);
        free(s->strata[i].points);
    }
    free(s->strata);
    for (size_t i = 0; i < s->test_count; ++i)
        for (size_t n = 0; n < CAUSES_NAMES; ++n) {
            expr_free(s->tests[i].values[n]);
            free(s->tests[i].ids[n]);
        }
    free(s->tests);
    for (size_t i = 0; i < s->name_count; ++i) {
        free(s->names[i].name);
        free(s->names[i].length);
    }
    for (size_t i = 0; i < s->symbol_count; ++i)
        free(s->symbols[i]);
    free(s->symbols);
    memset(s, 0, sizeof *s);
}
