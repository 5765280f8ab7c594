/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/analysis/causes_internal.h"
#include "harness/base/array.h"
#include "harness/base/text.h"
#include "harness/casefile/query.h"

#include <stdlib.h>
#include <string.h>

cause_kind cause_kind_of(verdict v)
{
    switch (v) {
    case VERDICT_REJECTED_VALID: return CAUSE_REFUSED;
    case VERDICT_ACCEPTED_INVALID: return CAUSE_ACCEPTED;
    case VERDICT_CRASH: return CAUSE_ENDED;
    case VERDICT_HANG: return CAUSE_HUNG;
    case VERDICT_LOST: return CAUSE_LOST;
    default: return verdict_fails(v) ? CAUSE_DIFFERS : CAUSE_NONE;
    }
}

/* The symptom of wrong results with these verdicts. */
static const char *difference_text(unsigned verdicts)
{
    switch (verdicts) {
    case 1u << VERDICT_MISMATCH: return "the output differs";
    case 1u << VERDICT_WROTE_OUTSIDE: return "memory outside of the outputs is written";
    case 1u << VERDICT_READ_OUTSIDE: return "memory outside of the inputs is read";
    case 1u << VERDICT_MODIFIED_INPUT: return "an input is changed";
    case 1u << VERDICT_NONDETERMINISTIC: return "the same case has different results";
    case 1u << VERDICT_MISMATCH | 1u << VERDICT_WROTE_OUTSIDE: return "the output or the memory beside it differs";
    default:
        return verdicts & 1u << VERDICT_NONDETERMINISTIC ? "the results are wrong, not each time in every case"
                                                         : "the output, an input or the memory beside them is wrong";
    }
}

const char *cause_symptom(const cause *c)
{
    static const char *const texts[] = { [CAUSE_NONE] = "no failure",
                                         [CAUSE_DIFFERS] = "the results are wrong",
                                         [CAUSE_REFUSED] = "a legal descriptor is refused",
                                         [CAUSE_ACCEPTED] = "an illegal descriptor is accepted",
                                         [CAUSE_ENDED] = "the process ends",
                                         [CAUSE_HUNG] = "the backend does not answer within the time limit",
                                         [CAUSE_LOST] = "the device is lost, or the backend returns an error" };
    return c->kind == CAUSE_DIFFERS && c->verdicts ? difference_text(c->verdicts)
                                                   : texts[c->kind < CAUSE_KINDS ? c->kind : CAUSE_NONE];
}

bool cause_needs_others(const cause *c)
{
    return c->passes_alone > 0 && c->fails_alone == 0;
}

void causes_free(causes *c)
{
    for (size_t i = 0; i < c->count; ++i)
        causes_free_one(&c->list[i]);
    free(c->list);
    free(c->unknown);
    *c = (causes){ .list = NULL };
}

/* ---- the causes of an operator ------------------------------------------------------------------------------------
 */

/* The causes of an operator while they are looked for. */
typedef struct group {
    cause list[CAUSE_KINDS * CAUSES_OF_KIND];
    size_t count;
} group;

static cause *add_cause(group *g, const causes_sample *s, int kind)
{
    cause *c = &g->list[g->count++];
    *c = (cause){ .kind = (cause_kind)kind, .op = strdup(s->op) };
    return c;
}

static uint64_t failing(const causes_sample *s, int kind)
{
    uint64_t cases = 0;
    for (size_t i = 0; i < s->test_count; ++i)
        cases += s->tests[i].failed[kind];
    return cases;
}

/* Learn the rules of a kind of failure in a sample. The queries of the first go to `into`, if that is not NULL and
   there is one alone; else each becomes a cause. */
static bool learn(group *g, causes_sample *s, int kind, cause *into, error *e)
{
    cause_table t;
    cause_atoms a = { .list = NULL };
    cause_rule rules[CAUSES_TERMS];
    size_t count = 0;
    bool fine =
        causes_table_make(&t, s, kind, e) && causes_atoms_make(&a, &t, e) && causes_learn(&t, &a, rules, &count, e);
    for (size_t i = 0; fine && i < count && (!into || count == 1); ++i)
        fine = causes_write(&t, &a, &rules[i], into ? into : add_cause(g, s, kind), e);
    causes_atoms_free(&a);
    causes_table_free(&t);
    return fine;
}

/* A test with other axes than the rest, such as the examples, is described by a query of its own. */
static bool add_strangers(group *g, causes_sample *s, cause *c, error *e)
{
    bool fine = true;
    for (size_t i = 0; fine && i < s->test_count && c->query_count < CAUSES_QUERIES; ++i) {
        cause_match m;
        if (s->tests[i].failed[c->kind] == 0)
            continue;
        fine = causes_match_make(&m, s->tests[i].test, c, 1, e);
        const bool any = fine && m.any[0];
        causes_match_free(&m);
        if (!fine || any)
            continue;
        char pattern[128];
        causes_sample one = *s;
        snprintf(pattern, sizeof pattern, "%.120s*", s->tests[i].test->name);
        one.tests = &s->tests[i];
        one.test_count = 1;
        one.strata = causes_stratum(s, i, 0, 0);
        one.pattern = pattern;
        one.rejected_count = 0;
        fine = learn(g, &one, (int)c->kind, c, e);
    }
    return fine;
}

/* The causes of a kind of failure. */
static bool find_kind(group *g, const causes *earlier, causes_sample *s, int kind, error *e)
{
    const size_t first = g->count;
    if (!learn(g, s, kind, NULL, e))
        return false;
    if (g->count == first)
        add_cause(g, s, kind);
    else if (g->count == first + 1 && !add_strangers(g, s, &g->list[first], e))
        return false;
    return g->count != first + 1 || causes_join(earlier, s, &g->list[first], e);
}

static bool find_in(group *g, const causes *earlier, causes_sample *s, error *e)
{
    for (int kind = CAUSE_NONE + 1; kind < CAUSE_KINDS; ++kind)
        if (failing(s, kind) > 0 && !find_kind(g, earlier, s, kind, e))
            return false;
    return true;
}

/* ---- learning again -----------------------------------------------------------------------------------------------
 */

/* Does a counted cause hold so many cases by mistake that the sample cannot have shown them? */
static bool is_rough(const causes_sample *s, const cause *c)
{
    return c->query_count > 0 && !c->estimated && c->others * 100 > failing(s, (int)c->kind);
}

static bool is_better(const cause *a, const cause *b)
{
    return a->query_count > 0 && a->missed + a->others < b->missed + b->others;
}

/* Learn the only cause of a kind again, with the cases that it holds by mistake, which counting drew. */
static bool learn_again(cause *own, const causes *earlier, causes_sample *s, bool *adrift, error *e)
{
    cause tries[CAUSES_ROUNDS + 1] = { *own };
    size_t count = 1, best = 0;
    bool fine = true;
    s->rejected_count = 0;
    while (fine && !*adrift && count <= CAUSES_ROUNDS && is_rough(s, &tries[count - 1])) {
        uint64_t missed[CAUSE_KINDS] = { 0 };
        group g = { .count = 0 };
        s->rejected[s->rejected_count++] = tries[count - 1];
        fine = find_kind(&g, earlier, s, (int)own->kind, e) &&
               (g.count > 1 || causes_count(s, g.list, g.count, missed, adrift, e));
        for (size_t i = 1; i < g.count; ++i)
            causes_free_one(&g.list[i]);
        tries[count] = g.list[0];
        tries[count].missed = g.count == 1 ? missed[own->kind] : UINT64_MAX / 2;
        const uint64_t before = tries[best].missed + tries[best].others;
        best = is_better(&tries[count], &tries[best]) ? count : best;
        ++count;
        if (g.count > 1 || 2 * (tries[best].missed + tries[best].others) > before)
            break; /* another round would gain little */
    }
    *own = tries[best];
    for (size_t i = 0; i < count; ++i)
        if (i != best)
            causes_free_one(&tries[i]);
    return fine;
}

/* Learn those causes again that hold too many cases by mistake. */
static bool improve(group *g, const causes *earlier, causes_sample *s, uint64_t *missed, bool *adrift, error *e)
{
    bool fine = true;
    for (size_t i = 0; fine && !*adrift && i < g->count; ++i) {
        cause *c = &g->list[i];
        const bool only =
            (i == 0 || g->list[i - 1].kind != c->kind) && (i + 1 == g->count || g->list[i + 1].kind != c->kind);
        if (!only)
            continue;
        c->missed = missed[c->kind];
        fine = learn_again(c, earlier, s, adrift, e);
        missed[c->kind] = c->missed;
        c->missed = 0;
    }
    return fine;
}

/* The failing cases that no query holds belong to the only cause of their kind; else they are one of their own. */
static void share_missed(group *g, const causes_sample *s, const uint64_t *missed)
{
    for (int kind = CAUSE_NONE + 1; kind < CAUSE_KINDS; ++kind) {
        size_t of_kind = 0;
        cause *only = NULL;
        for (size_t i = 0; i < g->count; ++i)
            if ((int)g->list[i].kind == kind) {
                ++of_kind;
                only = &g->list[i];
            }
        if (missed[kind] == 0 || !only)
            continue;
        if (of_kind > 1)
            only = of_kind < CAUSES_OF_KIND ? add_cause(g, s, kind) : only;
        only->cases += missed[kind];
        only->missed += missed[kind];
        for (size_t i = 0; i < s->test_count; ++i)
            only->verdicts |= s->tests[i].verdicts[kind];
    }
}

static bool find_causes(causes *c, causes_sample *s, store *run_file, error *e)
{
    group *g = calloc(1, sizeof *g);
    uint64_t missed[CAUSE_KINDS] = { 0 };
    bool adrift = false, fine = g ? true : error_set(e, "out of memory");
    fine = fine && causes_sample_draw(s, run_file, &adrift, e);
    if (fine && !adrift)
        fine = find_in(g, c, s, e) && causes_count(s, g->list, g->count, missed, &adrift, e) &&
               (adrift || improve(g, c, s, missed, &adrift, e));
    if (fine && !adrift) {
        share_missed(g, s, missed);
        fine = causes_examples(s, run_file, g->list, g->count, e);
    }
    if (fine && adrift)
        c->unknown = strdup("the verdicts of the run do not match the cases of this program");
    for (size_t i = 0; g && i < g->count; ++i) {
        const bool wanted = fine && !adrift && g->list[i].cases > 0;
        if (wanted && array_reserve(&c->list, &c->capacity, c->count + 1, sizeof *c->list))
            c->list[c->count++] = g->list[i];
        else
            causes_free_one(&g->list[i]);
    }
    free(g);
    return fine;
}

/* ---- the causes of a run ------------------------------------------------------------------------------------------
 */

/* The operators with failing cases. */
typedef struct operators {
    char *names[64];
    size_t count;
    int64_t tests[4096]; /* with failing cases */
    size_t test_count;
    uint64_t cases;
} operators;

static bool add_tally(void *context, const store_tally *t)
{
    operators *o = context;
    o->cases += t->cases;
    if (!verdict_fails(t->verdict) || (o->test_count && o->tests[o->test_count - 1] == t->test))
        return true;
    if (o->test_count < sizeof o->tests / sizeof *o->tests)
        o->tests[o->test_count++] = t->test;
    return true;
}

static bool add_operator(void *context, const store_test *t)
{
    operators *o = context;
    bool fails = false;
    for (size_t i = 0; i < o->test_count; ++i)
        fails = fails || o->tests[i] == t->id;
    for (size_t i = 0; i < o->count; ++i)
        fails = fails && strcmp(o->names[i], t->op) != 0;
    if (fails && o->count < sizeof o->names / sizeof *o->names && (o->names[o->count] = strdup(t->op)))
        o->count++;
    return true;
}

static int by_cases(const void *a, const void *b)
{
    const cause *x = a, *y = b;
    if (x->cases != y->cases)
        return x->cases < y->cases ? 1 : -1;
    const int order = strcmp(x->op, y->op);
    return order ? order : (int)x->kind - (int)y->kind;
}

static bool set_explain(cause *c, store *s, error *e)
{
    text line = { .data = NULL };
    const char *profile = store_get(s, STORE_PROFILE);
    const bool numpy = profile && strcmp(profile, "numpy") == 0;
    if (!c->case_id)
        return true;
    text_add(&line, "touchstone explain ");
    text_shell(&line, c->case_id);
    text_add(&line, numpy ? " --profile numpy" : "");
    c->explain = line.data;
    return !line.failed || error_set(e, "out of memory");
}

/* The tests and the predicate that the run was asked for of an operator: those of its only query for it, else all.
   False where it was asked for single cases. */
static bool read_query(store *s, const char *op, query *own)
{
    const char *asked = store_get(s, STORE_QUERY);
    char *list = strdup(asked ? asked : "");
    size_t found = 0, exact = 0;
    *own = (query){ .op = "*", .test = "*" };
    for (char *p = list, *next = p; p && *p; p = next) {
        query q;
        error e;
        char *end = strstr(p, "; ");
        next = end ? end + 2 : NULL;
        if (end)
            *end = '\0';
        if (!query_parse(p, &q, &e) || !query_match(q.op, op))
            continue;
        exact += q.exact;
        *own = found++ == 0 && !q.exact ? q : (query){ .op = "*", .test = "*" };
    }
    free(list);
    return exact == 0 || exact < found;
}

static bool find_all(causes *c, store *s, const operators *o, error *e)
{
    error why;
    query own;
    run_cases *run = run_cases_open(s, &why);
    bool fine = true;
    if (!run) {
        c->unknown = strdup(why.text);
        return true;
    }
    for (size_t i = 0; fine && i < o->count; ++i) {
        if (!read_query(s, o->names[i], &own))
            continue; /* their ids say all */
        causes_sample sample = { .op = o->names[i],
                                 .pattern = own.test,
                                 .within = own.predicate,
                                 .run = run,
                                 .budget = CAUSES_WALKED / o->count };
        fine = find_causes(c, &sample, s, e);
        causes_sample_free(&sample);
    }
    run_cases_close(run);
    if (fine && c->count == 0 && !c->unknown)
        c->unknown = strdup("the run was asked for single cases");
    for (size_t i = 0; fine && i < c->count; ++i)
        fine = set_explain(&c->list[i], s, e);
    fine = fine && causes_fold(c, e);
    if (c->count)
        qsort(c->list, c->count, sizeof *c->list, by_cases);
    return fine;
}

bool causes_find(causes *c, store *s, error *e)
{
    operators *o = calloc(1, sizeof *o);
    *c = (causes){ .list = NULL };
    bool fine = o ? true : error_set(e, "out of memory");
    fine = fine && store_each_tally(s, add_tally, o, e) && store_each_test(s, add_operator, o, e);
    if (fine && o->count)
        fine = find_all(c, s, o, e);
    for (size_t i = 0; o && i < o->count; ++i)
        free(o->names[i]);
    free(o);
    return fine;
}
