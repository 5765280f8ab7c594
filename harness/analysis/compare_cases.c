/* SPDX-License-Identifier: Apache-2.0 */
/* Walks the cases of a test in all runs at once, in order of case index. */
#include "harness/analysis/compare_internal.h"

#include "harness/base/array.h"
#include "harness/model/tensor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NO_ROW = -1 };

/* A combination of verdicts, one per side. Its position in the list is the key of a group. */
typedef struct outcome {
    uint8_t verdicts[COMPARE_MAX_SIDES];
    compare_kind kind;
    char clauses[COMPARE_CLAUSES_SIZE];
} outcome;

typedef struct test_pass {
    compare_work *w;
    size_t test;
    size_t last; /* the outcome of the previous case, which the next case mostly shares */
    size_t outcome_count;
    outcome outcomes[REGION_GROUPS_KEYS];
    int row_of[TS_DTYPE_COUNT + 1]; /* of each data type, its index in compare.types, or NO_ROW */
    const compare_citation *next[COMPARE_MAX_SIDES],
        *end[COMPARE_MAX_SIDES]; /* citations of the test not yet reached */
} test_pass;

/* ---- citations ---- */

static void find_citations(test_pass *s)
{
    const compare_work *w = s->w;
    for (size_t i = 0; i < w->c->side_count; ++i) {
        const compare_citation *m = w->citations[i], *end = m ? m + w->citation_count[i] : m;
        int64_t id = w->ids[i] ? w->ids[i][s->test] : 0;
        while (m != end && m->test != id)
            ++m;
        s->next[i] = m;
        while (m != end && m->test == id)
            ++m;
        s->end[i] = m;
    }
}

static void add_clause(outcome *o, const char *id)
{
    size_t n = strlen(id), used = strlen(o->clauses);
    for (const char *p = o->clauses; (p = strstr(p, id)); ++p)
        if ((p == o->clauses || p[-1] == ' ') && (p[n] == ' ' || p[n] == '\0'))
            return;
    if (used + n + 2 <= sizeof o->clauses)
        snprintf(o->clauses + used, sizeof o->clauses - used, "%s%s", used ? " " : "", id);
}

static void cite(test_pass *s, outcome *o, uint64_t index)
{
    const compare *c = s->w->c;
    for (size_t i = 0; i < c->side_count; ++i) {
        while (s->next[i] != s->end[i] && s->next[i]->index < index)
            ++s->next[i];
        if (s->next[i] != s->end[i] && s->next[i]->index == index && s->next[i]->clause != SIZE_MAX)
            add_clause(o, c->clauses[s->next[i]->clause].id);
    }
}

/* ---- counting ---- */

static bool find_outcome(test_pass *s, const uint8_t *verdicts, error *e)
{
    size_t sides = s->w->c->side_count;
    if (s->outcome_count && memcmp(s->outcomes[s->last].verdicts, verdicts, sides) == 0)
        return true;
    for (s->last = 0; s->last < s->outcome_count; ++s->last)
        if (memcmp(s->outcomes[s->last].verdicts, verdicts, sides) == 0)
            return true;
    if (s->outcome_count == REGION_GROUPS_KEYS)
        return error_set(
            e, "%s: its cases have more than %d different combinations of verdicts; compare fewer runs at a time",
            s->w->c->tests[s->test].name, REGION_GROUPS_KEYS);
    outcome *own = &s->outcomes[s->outcome_count++];
    memcpy(own->verdicts, verdicts, sides);
    own->kind = compare_kind_of(verdicts, sides);
    return true;
}

static compare_type *find_type(test_pass *s, uint32_t dtype, error *e)
{
    compare *c = s->w->c;
    const char *op = c->tests[s->test].op;
    if (dtype >= TS_DTYPE_COUNT)
        dtype = 0;
    int *row = &s->row_of[dtype];
    for (size_t i = 0; *row == NO_ROW && i < c->type_count; ++i)
        if (c->types[i].dtype == dtype && strcmp(c->types[i].op, op) == 0)
            *row = (int)i;
    if (*row == NO_ROW) {
        if (!array_reserve(&c->types, &s->w->capacity.types, c->type_count + 1, sizeof *c->types)) {
            error_set(e, "out of memory");
            return NULL;
        }
        *row = (int)c->type_count++;
        c->types[*row] = (compare_type){ .dtype = dtype };
        snprintf(c->types[*row].op, sizeof c->types[*row].op, "%s", op);
    }
    return &c->types[*row];
}

static bool count_case(test_pass *s, uint64_t index, uint32_t dtype, error *e)
{
    compare *c = s->w->c;
    outcome *o = &s->outcomes[s->last];
    compare_type *type = find_type(s, dtype, e);
    if (!type)
        return false;
    compare_count(&type->counts, o->verdicts, c->side_count, o->kind, 1);
    compare_count(&c->tests[s->test].counts, o->verdicts, c->side_count, o->kind, 1);
    if (o->kind == COMPARE_DIFFERS || o->kind == COMPARE_NOWHERE)
        cite(s, o, index);
    return true;
}

/* ---- walking ---- */

typedef struct walks {
    run_cases_walk list[COMPARE_MAX_SIDES];
    bool has[COMPARE_MAX_SIDES]; /* the walk is at a case that was not counted yet */
    size_t count;
} walks;

static bool start(walks *all, const compare_work *w, size_t test, error *e)
{
    memset(all, 0, sizeof *all);
    all->count = w->c->side_count;
    for (size_t i = 0; i < all->count; ++i)
        all->list[i].ended = true;
    for (size_t i = 0; i < all->count; ++i)
        if (w->cases[i] && w->ids[i] && w->ids[i][test] &&
            !run_cases_start(w->cases[i], w->ids[i][test], &all->list[i], e))
            return false;
    return true;
}

/* Go to the next case of any walk and read its verdict at each side. It makes no difference whether a backend refused
   a whole class of cases as unsupported, or this one. *lead: a walk that is at this case; all->count after the last. */
static bool advance(walks *all, uint8_t *verdicts, size_t *lead, bool *adrift, error *e)
{
    *lead = all->count;
    for (size_t i = 0; i < all->count; ++i) {
        run_cases_walk *w = &all->list[i];
        if (!all->has[i] && !w->ended) {
            if (!run_cases_next(w, e))
                return false;
            all->has[i] = !w->ended;
        }
        *adrift = *adrift || w->adrift;
        if (all->has[i] && (*lead == all->count || w->index < all->list[*lead].index))
            *lead = i;
    }
    for (size_t i = 0; i < all->count && *lead < all->count; ++i) {
        bool here = all->has[i] && all->list[i].index == all->list[*lead].index;
        verdicts[i] =
            here && all->list[i].verdict != VERDICT_UNSUPPORTED ? (uint8_t)all->list[i].verdict : COMPARE_NOT_SUPPORTED;
        all->has[i] = all->has[i] && !here;
    }
    return true;
}

static bool visit_outcomes(void *context, bool all, region_groups_each each, void *to, bool *adrift, error *e)
{
    test_pass *s = context;
    walks w;
    uint8_t verdicts[COMPARE_MAX_SIDES] = { 0 };
    size_t lead = 0;
    bool more = true, fine = start(&w, s->w, s->test, e);
    while (fine && more) {
        fine = advance(&w, verdicts, &lead, adrift, e);
        if (!fine || *adrift || lead == w.count)
            break;
        const run_cases_walk *at = &w.list[lead];
        fine = find_outcome(s, verdicts, e) && (all || count_case(s, at->index, at->dtype, e));
        more = fine && each(to, at->cursor, (int)s->last);
    }
    for (size_t i = 0; i < w.count; ++i)
        run_cases_stop(&w.list[i]);
    return fine;
}

/* ---- */

static bool add_groups(test_pass *s, region_groups *found, error *e)
{
    compare *c = s->w->c;
    if (found->count == 0)
        return true;
    if (!array_reserve(&c->groups, &s->w->capacity.groups, c->group_count + found->count, sizeof *c->groups))
        return error_set(e, "out of memory");
    for (size_t i = 0; i < found->count; ++i) {
        const outcome *o = &s->outcomes[found->list[i].key];
        compare_group *own = &c->groups[c->group_count++];
        *own = (compare_group){ .kind = o->kind, .test = s->test, .group = found->list[i] };
        memcpy(own->verdicts, o->verdicts, sizeof own->verdicts);
        memcpy(own->clauses, o->clauses, sizeof own->clauses);
        memset(&found->list[i], 0, sizeof found->list[i]); /* the comparison owns it now */
    }
    return true;
}

/* Is the test's operator another one here than in the run of some side? Notes its name. */
static bool is_apart(compare_work *w, size_t test)
{
    compare *c = w->c;
    const char *op = c->tests[test].op;
    for (size_t i = 0; i < c->side_count; ++i) {
        const run_suite_operator *own = w->cases[i] ? run_suite_find(run_cases_suite(w->cases[i]), op) : NULL;
        const size_t used = strlen(c->apart);
        if (!own || own->same)
            continue;
        if (!strstr(c->apart, op) && used + strlen(op) + 3 < sizeof c->apart)
            snprintf(c->apart + used, sizeof c->apart - used, "%s%s", used ? ", " : "", op);
        return true;
    }
    return false;
}

/* Is the test drawn, and has some run other cases of it than another? */
static bool is_drawn_apart(const compare_work *w, size_t test)
{
    const case_test *t = NULL;
    const run_cases *first = NULL;
    bool differs = false;
    for (size_t i = 0; i < w->c->side_count; ++i) {
        if (!w->cases[i] || !w->ids[i] || !w->ids[i][test])
            continue;
        t = t ? t : run_cases_test(w->cases[i], w->ids[i][test]);
        first = first ? first : w->cases[i];
        differs |= run_cases_seed(first) != run_cases_seed(w->cases[i]);
    }
    return t && t->draw && differs;
}

bool compare_test_cases(compare_work *w, size_t test, error *e)
{
    compare *c = w->c;
    const case_test *t = NULL;
    char within[1200] = "";
    if (is_apart(w, test))
        return true;
    if (is_drawn_apart(w, test)) {
        ++c->drawn_apart;
        return true;
    }
    for (size_t i = 0; i < c->side_count && !t; ++i)
        if (w->cases[i] && w->ids[i] && w->ids[i][test] && (t = run_cases_test(w->cases[i], w->ids[i][test])) &&
            !run_cases_within(w->cases[i], t, within, sizeof within))
            within[0] = '\0';
    /* Cases beyond a feature level are planned, and have to be refused, at that level alone. */
    if (t && t->kind == CASE_BEYOND && w->levels_differ)
        return true;
    test_pass *s = t ? calloc(1, sizeof *s) : NULL;
    if (!s)
        return error_set(e, t ? "out of memory" : "%s: this suite has no such test", c->tests[test].name);
    s->w = w;
    s->test = test;
    for (size_t i = 0; i <= TS_DTYPE_COUNT; ++i)
        s->row_of[i] = NO_ROW;
    find_citations(s);
    region_groups found;
    bool adrift, fine = region_groups_find(&found, t->space, within, visit_outcomes, s, &adrift, e);
    if (fine && adrift)
        fine = error_set(e,
                         "%s: the verdicts of one of the runs do not match the cases of the test, so that the runs "
                         "cannot be compared; run again",
                         c->tests[test].name);
    fine = fine && add_groups(s, &found, e);
    compare_add_counts(&c->total, &c->tests[test].counts, c->side_count);
    region_groups_free(&found);
    free(s);
    return fine;
}
