/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the cases of a run that the queries of causes hold, and finds the smallest failing case of each cause. */
#include "harness/analysis/causes_internal.h"
#include "harness/casefile/query.h"
#include "harness/store/shrunk_facts.h"

#include <stdlib.h>
#include <string.h>

/* ---- matching -----------------------------------------------------------------------------------------------------
 */

bool causes_match_make(cause_match *m, const case_test *t, const cause *list, size_t count, error *e)
{
    expr_scope scope = *space_scope(t->space);
    scope.relaxed = true;
    memset(m, 0, sizeof *m);
    for (size_t i = 0; i < count; ++i)
        for (size_t k = 0; k < list[i].query_count; ++k) {
            query q;
            error unfit; /* the test lacks a name of the predicate */
            if (!query_parse(list[i].queries[k], &q, e))
                return false;
            if (!query_match(q.op, t->file->op->name) || !query_match(q.test, t->name))
                continue;
            if (*q.predicate)
                m->predicates[i][k] = expr_compile(q.predicate, &scope, "query", &unfit);
            m->all[i] = m->all[i] || !*q.predicate;
            m->any[i] = m->any[i] || !*q.predicate || m->predicates[i][k];
        }
    return true;
}

void causes_match_free(cause_match *m)
{
    for (size_t i = 0; i < CAUSE_KINDS * CAUSES_OF_KIND; ++i)
        for (size_t k = 0; k < CAUSES_QUERIES; ++k)
            expr_free(m->predicates[i][k]);
    memset(m, 0, sizeof *m);
}

bool causes_match_holds(const cause_match *m, size_t i, const expr_value *values)
{
    if (m->all[i])
        return true;
    for (size_t k = 0; m->any[i] && k < CAUSES_QUERIES; ++k) {
        bool failed = false;
        if (m->predicates[i][k] && expr_eval(m->predicates[i][k], values, &failed) != 0 && !failed)
            return true;
    }
    return false;
}

/* ---- counting -----------------------------------------------------------------------------------------------------
 */

/* Counts, which are fractions where cases stand for several. */
typedef struct counts {
    double cases[CAUSE_KINDS * CAUSES_OF_KIND], others[CAUSE_KINDS * CAUSES_OF_KIND];
    double otherwise[CAUSE_KINDS * CAUSES_OF_KIND], neither[CAUSE_KINDS * CAUSES_OF_KIND];
    unsigned verdicts[CAUSE_KINDS * CAUSES_OF_KIND];
    double missed[CAUSE_KINDS];
    bool seen[CAUSE_KINDS * CAUSES_OF_KIND]; /* in the present test */
    causes_sample *into;                     /* where cases are drawn that a cause holds by mistake, or NULL */
    size_t test;
    bool failed;
} counts;

/* Draw a case that a cause holds by mistake. */
static void draw(counts *c, int kind, const expr_value *values)
{
    causes_sample *s = c->into;
    if (!s || s->rejected_count == CAUSES_ROUNDS)
        return;
    cause_stratum *to = causes_stratum(s, c->test, kind, CAUSES_PARTS + (int)s->rejected_count);
    c->failed = !causes_offer(s, to, ++to->population, s->tests[c->test].test, values) || c->failed;
}

/* Count a case, or several that it stands for. kind < 0: it neither passes nor fails. */
static void add_case(counts *c, const cause_match *m, const cause *list, size_t count, int kind, unsigned verdicts,
                     const expr_value *values, double weight)
{
    bool taken = false;
    for (size_t i = 0; i < count; ++i) {
        if (!causes_match_holds(m, i, values))
            continue;
        if (kind < 0) {
            c->neither[i] += weight;
        } else if (kind == CAUSE_NONE) {
            c->others[i] += weight;
            draw(c, (int)list[i].kind, values);
        } else if (taken || (int)list[i].kind != kind) {
            c->otherwise[i] += weight;
        } else {
            c->cases[i] += weight;
            c->verdicts[i] |= verdicts;
            c->seen[i] = taken = true;
        }
    }
    if (kind > CAUSE_NONE && !taken)
        c->missed[kind] += weight;
}

static int kind_of(verdict v)
{
    return v == VERDICT_PASS ? CAUSE_NONE : verdict_fails(v) ? (int)cause_kind_of(v) : -1;
}

static bool walk(causes_sample *s, size_t test, const cause_match *m, const cause *list, size_t count, counts *c,
                 bool *adrift, error *e)
{
    run_cases_walk w;
    bool fine = run_cases_start(s->run, s->tests[test].id, &w, e);
    while (fine && !w.ended) {
        fine = run_cases_next(&w, e);
        if (fine && !w.ended)
            add_case(c, m, list, count, kind_of(w.verdict), 1u << w.verdict, w.values, 1);
    }
    if (c->failed)
        fine = error_set(e, "out of memory");
    *adrift = *adrift || w.adrift;
    run_cases_stop(&w);
    return fine;
}

/* Estimate the counts of a test from the cases that were drawn of it. */
static void estimate(const causes_sample *s, size_t test, const cause_match *m, const cause *list, size_t count,
                     counts *c)
{
    expr_value values[EXPR_MAX_SLOTS];
    for (int kind = 0; kind < CAUSE_KINDS; ++kind)
        for (int p = 0; p < CAUSES_PARTS; ++p) {
            const cause_stratum *from = causes_stratum(s, test, kind, p);
            const uint64_t alike = causes_stratum(s, test, kind, 1)->population, all = s->tests[test].failed[kind];
            const double population = (double)(p == 1 ? alike : all > alike ? all - alike : 0);
            for (size_t k = 0; k < from->count; ++k) {
                causes_unpack(s->tests[test].test, from->points[k], values);
                add_case(c, m, list, count, kind, s->tests[test].verdicts[kind], values,
                         population / (double)from->count);
            }
        }
}

bool causes_count(causes_sample *s, cause *list, size_t count, uint64_t *missed, bool *adrift, error *e)
{
    counts c = { .into = s };
    uint64_t all = 0;
    bool fine = true;
    for (size_t i = 0; i < s->test_count; ++i)
        for (int k = 0; k < CAUSE_KINDS; ++k)
            all += s->tests[i].failed[k];
    for (size_t i = 0; i < s->test_count && fine && !*adrift; ++i) {
        cause_match m;
        bool any = false;
        c.test = i;
        memset(c.seen, 0, sizeof c.seen);
        fine = causes_match_make(&m, s->tests[i].test, list, count, e);
        for (size_t k = 0; k < count; ++k) {
            any = any || m.any[k];
            list[k].estimated = all > s->budget;
        }
        if (fine && !any)
            for (int k = CAUSE_NONE + 1; k < CAUSE_KINDS; ++k)
                c.missed[k] += (double)s->tests[i].failed[k];
        else if (fine && all > s->budget)
            estimate(s, i, &m, list, count, &c);
        else if (fine)
            fine = walk(s, i, &m, list, count, &c, adrift, e);
        for (size_t k = 0; k < count; ++k)
            list[k].tests += c.seen[k];
        causes_match_free(&m);
    }
    for (size_t k = 0; k < count; ++k) {
        list[k].cases = (uint64_t)(c.cases[k] + 0.5);
        list[k].missed = 0; /* the caller shares out what none holds */
        list[k].others = (uint64_t)(c.others[k] + 0.5);
        list[k].otherwise = (uint64_t)(c.otherwise[k] + 0.5);
        list[k].neither = (uint64_t)(c.neither[k] + 0.5);
        list[k].verdicts = c.verdicts[k];
    }
    for (int k = 0; k < CAUSE_KINDS; ++k)
        missed[k] = (uint64_t)(c.missed[k] + 0.5);
    return fine;
}

bool causes_estimate(const causes_sample *s, cause *own, error *e)
{
    counts c = { .cases = { 0 } };
    bool fine = true;
    for (size_t i = 0; i < s->test_count && fine; ++i) {
        cause_match m;
        fine = causes_match_make(&m, s->tests[i].test, own, 1, e);
        if (fine && !m.any[0])
            c.missed[own->kind] += (double)s->tests[i].failed[own->kind];
        else if (fine)
            estimate(s, i, &m, own, 1, &c);
        causes_match_free(&m);
    }
    own->missed = (uint64_t)(c.missed[own->kind] + 0.5);
    own->cases = (uint64_t)(c.cases[0] + 0.5) + own->missed;
    own->others = (uint64_t)(c.others[0] + 0.5);
    return fine;
}

/* ---- examples -----------------------------------------------------------------------------------------------------
 */

/* Findings that are looked at. */
typedef struct looking {
    const causes_sample *s;
    cause *list;
    size_t count;
    cause_match *matches; /* of each test */
    uint64_t *elements;   /* of the smallest case of each cause so far; UINT64_MAX: it was not shrunk */
    unsigned *axes;
    int *ranks; /* of the case that bisection knows best, as rank_of says; 0: none */
    bool failed;
} looking;

static char *copy_of(const char *from)
{
    return from ? strdup(from) : NULL;
}

static void set_case(cause *c, const store_finding *f, const char *id, const char *story, const char *reproducer)
{
    c->verdict = f->verdict;
    const char *from = f->case_id && id && strcmp(f->case_id, id) != 0 ? f->case_id : NULL;
    char *values[] = { copy_of(id), copy_of(from), copy_of(f->clause), copy_of(story), copy_of(reproducer) };
    char **members[] = { &c->case_id, &c->shrunk_from, &c->clause, &c->story, &c->reproducer };
    for (size_t i = 0; i < sizeof values / sizeof *values; ++i) {
        free(*members[i]);
        *members[i] = values[i];
    }
}

/* Does a cause of the finding's kind have no case yet? */
static bool lacks_case(const looking *l, const store_finding *f)
{
    for (size_t i = 0; i < l->count; ++i)
        if (l->list[i].kind == cause_kind_of(f->verdict) && !l->list[i].case_id)
            return true;
    return false;
}

/* The cause of a finding; count: none. A cause without queries takes what is left of its kind. */
static size_t cause_of(const looking *l, const store_finding *f, size_t test)
{
    space_cursor *at = malloc(sizeof *at);
    const space *s = l->s->tests[test].test->space;
    size_t found = l->count;
    const bool has = at && space_start(at, s, f->index, f->index + 1, NULL, NULL);
    for (size_t i = 0; i < l->count && found == l->count; ++i)
        if (l->list[i].kind == cause_kind_of(f->verdict) &&
            (l->list[i].query_count == 0 || (has && causes_match_holds(&l->matches[test], i, at->values))))
            found = i;
    free(at);
    return found;
}

static bool look(void *context, const store_finding *f)
{
    looking *l = context;
    size_t test = 0;
    while (test < l->s->test_count && l->s->tests[test].id != f->test)
        ++test;
    if (test == l->s->test_count || !verdict_fails(f->verdict) || (!f->shrunk && !lacks_case(l, f)))
        return true;
    const size_t i = cause_of(l, f, test);
    if (i == l->count)
        return true;
    shrunk_facts facts;
    const bool shrunk = f->shrunk && shrunk_facts_read(&facts, f->shrunk_facts);
    if (shrunk && (facts.size.elements < l->elements[i] ||
                   (facts.size.elements == l->elements[i] && facts.size.axes < l->axes[i]))) {
        l->elements[i] = facts.size.elements;
        l->axes[i] = facts.size.axes;
        set_case(&l->list[i], f, f->shrunk, facts.detail ? facts.detail : f->detail, facts.reproducer);
    } else if (!l->list[i].case_id) {
        set_case(&l->list[i], f, f->case_id, f->detail, f->reproducer);
    }
    if (f->shrunk)
        shrunk_facts_free(&facts);
    return true;
}

/* How good an example of its cause is a finding that was executed alone? It fails there, fails after cases that are
   known, or after others. */
static int rank_of(const store_finding *f)
{
    return !f->depends ? 3 : strcmp(f->depends, STORE_DEPENDS_UNKNOWN) != 0 ? 2 : 1;
}

/* Count what came of the cases that were executed alone, and take the best one for a cause that has no shrunk case. */
static bool look_alone(void *context, const store_finding *f)
{
    looking *l = context;
    size_t test = 0;
    while (test < l->s->test_count && l->s->tests[test].id != f->test)
        ++test;
    const size_t i = test < l->s->test_count && verdict_fails(f->verdict) ? cause_of(l, f, test) : l->count;
    if (i == l->count)
        return true;
    if (f->depends)
        l->list[i].passes_alone++;
    else if (f->verdict != VERDICT_NONDETERMINISTIC) /* of such a case it is not known */
        l->list[i].fails_alone++;
    if (l->elements[i] == UINT64_MAX && rank_of(f) > l->ranks[i]) {
        l->ranks[i] = rank_of(f);
        set_case(&l->list[i], f, f->case_id, f->detail, f->reproducer);
    }
    return true;
}

/* Look at the first `most` findings (0: at all) of each test that may have a case for a cause without one. */
static bool look_in_tests(looking *l, store *run_file, uint64_t most, error *e)
{
    bool fine = true;
    for (size_t i = 0; fine && i < l->s->test_count; ++i) {
        bool wanted = false;
        for (size_t k = 0; k < l->count; ++k)
            wanted = wanted || (!l->list[k].case_id && l->s->tests[i].failed[l->list[k].kind] > 0);
        fine = !wanted || store_each_finding(run_file, l->s->tests[i].id, most, look, l, e);
    }
    return fine;
}

bool causes_examples(const causes_sample *s, store *run_file, cause *list, size_t count, error *e)
{
    enum { FINDINGS = 40 }; /* of a test: nearly always enough */
    looking l = { .s = s, .list = list, .count = count };
    size_t made = 0;
    l.matches = calloc(s->test_count + 1, sizeof *l.matches);
    l.elements = malloc((count + 1) * sizeof *l.elements);
    l.axes = calloc(count + 1, sizeof *l.axes);
    l.ranks = calloc(count + 1, sizeof *l.ranks);
    bool fine = l.matches && l.elements && l.axes && l.ranks ? true : error_set(e, "out of memory");
    for (size_t i = 0; fine && i < count; ++i)
        l.elements[i] = UINT64_MAX;
    for (; fine && made < s->test_count; ++made)
        fine = causes_match_make(&l.matches[made], s->tests[made].test, list, count, e);
    fine = fine && store_each_finding(run_file, STORE_SHRUNK_FINDINGS, 0, look, &l, e);
    fine = fine && store_each_finding(run_file, STORE_BISECTED_FINDINGS, 0, look_alone, &l, e);
    fine = fine && look_in_tests(&l, run_file, FINDINGS, e) && look_in_tests(&l, run_file, 0, e);
    for (size_t i = 0; i < made; ++i)
        causes_match_free(&l.matches[i]);
    free(l.matches);
    free(l.elements);
    free(l.axes);
    free(l.ranks);
    return fine;
}
