/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/analysis/compare_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names in JSON and in texts ---- */

static const char *const state_names[COMPARE_STATES] = { "pass",       "fail",        "waived", "ambiguous",
                                                         "not-judged", "unsupported", "not-run" };
static const char *const kind_names[COMPARE_KINDS] = { "everywhere",  "differs",     "nowhere",
                                                       "unsupported", "unspecified", "not-run" };
static const char *const clause_names[] = { "not-tested", "satisfied", "violated" };

const char *compare_state_name(compare_state s)
{
    return s < COMPARE_STATES ? state_names[s] : "?";
}

const char *compare_kind_name(compare_kind k)
{
    return k < COMPARE_KINDS ? kind_names[k] : "?";
}

const char *compare_clause_state_name(compare_clause_state s)
{
    return clause_names[s];
}

compare_state compare_state_of(int v)
{
    switch (v) {
    case VERDICT_NONE: return COMPARE_NOT_RUN;
    case VERDICT_PASS: return COMPARE_PASS;
    case VERDICT_AMBIGUOUS: return COMPARE_AMBIGUOUS;
    case VERDICT_NOT_JUDGED: return COMPARE_NOT_JUDGED;
    case VERDICT_WAIVED: return COMPARE_WAIVED;
    case VERDICT_UNSUPPORTED:
    case COMPARE_NOT_SUPPORTED: return COMPARE_UNSUPPORTED;
    default: return COMPARE_FAIL;
    }
}

/* ---- kinds and counts ---- */

compare_kind compare_kind_of(const uint8_t *verdicts, size_t sides)
{
    size_t count[COMPARE_STATES] = { 0 };
    for (size_t i = 0; i < sides; ++i)
        count[compare_state_of(verdicts[i])]++;
    if (count[COMPARE_FAIL] + count[COMPARE_WAIVED] > 0)
        return count[COMPARE_PASS] + count[COMPARE_NOT_JUDGED] ? COMPARE_DIFFERS : COMPARE_NOWHERE;
    if (count[COMPARE_NOT_RUN])
        return COMPARE_INCOMPLETE;
    if (count[COMPARE_AMBIGUOUS] + count[COMPARE_NOT_JUDGED])
        return COMPARE_UNSPECIFIED;
    return count[COMPARE_UNSUPPORTED] ? COMPARE_SUPPORTED_BY_SOME : COMPARE_EVERYWHERE;
}

void compare_count(compare_counts *counts, const uint8_t *verdicts, size_t sides, compare_kind kind, uint64_t cases)
{
    bool common = true;
    for (size_t i = 0; i < sides; ++i) {
        compare_state s = compare_state_of(verdicts[i]);
        counts->sides[i][s] += cases;
        common = common && s != COMPARE_UNSUPPORTED && s != COMPARE_NOT_RUN;
    }
    counts->cases += cases;
    counts->kinds[kind] += cases;
    counts->common += common ? cases : 0;
}

void compare_add_counts(compare_counts *to, const compare_counts *more, size_t sides)
{
    to->cases += more->cases;
    to->common += more->common;
    for (int k = 0; k < COMPARE_KINDS; ++k)
        to->kinds[k] += more->kinds[k];
    for (size_t i = 0; i < sides; ++i)
        for (int k = 0; k < COMPARE_STATES; ++k)
            to->sides[i][k] += more->sides[i][k];
}

compare_clause_state compare_clause_overall(const compare_clause *c, size_t sides)
{
    compare_clause_state all = COMPARE_CLAUSE_SATISFIED;
    for (size_t i = 0; i < sides; ++i) {
        if (c->sides[i].state == COMPARE_CLAUSE_VIOLATED)
            return COMPARE_CLAUSE_VIOLATED;
        if (c->sides[i].state == COMPARE_CLAUSE_NOT_TESTED)
            all = COMPARE_CLAUSE_NOT_TESTED;
    }
    return all;
}

exit_status compare_status(const compare *c)
{
    uint64_t not_run = 0, others = 0;
    for (size_t i = 0; i < c->side_count; ++i) {
        if (c->total.sides[i][COMPARE_FAIL])
            return EXIT_FAILURES;
        not_run += c->total.sides[i][COMPARE_NOT_RUN];
        others += c->total.cases - c->total.sides[i][COMPARE_NOT_JUDGED];
    }
    return not_run || !others || !c->total.common || *c->apart || c->drawn_apart ? EXIT_NOT_RUN : EXIT_CONFORMANT;
}

/* ---- the whole comparison ---- */

static void copy_meta(const compare_side *side, const char *key, char *buf, size_t size)
{
    const char *value = store_get(side->store, key);
    snprintf(buf, size, "%s", value ? value : "");
}

/* Only verdicts of the same cases can be compared. */
static bool same_request(const compare *c, error *e)
{
    static const struct {
        const char *key, *name;
    } facts[] = {
        { STORE_QUERY, "query" }, { STORE_TIER, "tier" }, { STORE_SHARD, "shard" }, { STORE_PROFILE, "profile" },
        { STORE_DECISIONS, "use of decisions" }
    };
    const compare_side *first = NULL;
    for (size_t i = 0; i < c->side_count; ++i) {
        const compare_side *side = &c->sides[i];
        if (!side->store)
            continue;
        char coverage[16]; /* "" unless the run had a budget */
        copy_meta(side, STORE_COVERAGE, coverage, sizeof coverage);
        if (*coverage)
            return error_usage(
                e,
                "%s: the run had a time budget (--budget), so that it left out cases that its backend may "
                "support; run without a budget",
                side->label);
        if (!first)
            first = side;
        for (size_t k = 0; k < sizeof facts / sizeof facts[0]; ++k) {
            char a[2048], b[2048];
            copy_meta(first, facts[k].key, a, sizeof a);
            copy_meta(side, facts[k].key, b, sizeof b);
            if (strcmp(a, b) != 0)
                return error_usage(
                    e,
                    "%s and %s were asked for different cases: %s '%.200s' and '%.200s'; run both with the same "
                    "options",
                    first->label, side->label, facts[k].name, a, b);
        }
    }
    return true;
}

static bool levels_differ(const compare *c)
{
    char level[32] = "", other[32];
    for (size_t i = 0; i < c->side_count; ++i) {
        if (!c->sides[i].store)
            continue;
        copy_meta(&c->sides[i], STORE_LEVEL, other, sizeof other);
        if (*level && strcmp(level, other) != 0)
            return true;
        memcpy(level, other, sizeof level);
    }
    return false;
}

static int group_order(const void *a, const void *b)
{
    const compare_group *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->test != y->test)
        return x->test < y->test ? -1 : 1;
    return (x->group.first > y->group.first) - (x->group.first < y->group.first);
}

/* The position of an operator in the plan. */
static size_t op_place(const compare *c, const char *op)
{
    size_t i = 0;
    while (i < c->test_count && strcmp(c->tests[i].op, op) != 0)
        ++i;
    return i;
}

/* An insertion sort of a few dozen rows: qsort cannot pass the tests to its comparison. */
static void sort_types(compare *c)
{
    for (size_t i = 1; i < c->type_count; ++i)
        for (size_t k = i; k > 0; --k) {
            compare_type *a = &c->types[k - 1], *b = &c->types[k];
            size_t x = op_place(c, a->op), y = op_place(c, b->op);
            if (x < y || (x == y && a->dtype <= b->dtype))
                break;
            compare_type swap = *a;
            *a = *b;
            *b = swap;
        }
}

static bool compare_all(compare_work *w, error *e)
{
    compare *c = w->c;
    if (!same_request(c, e))
        return false;
    for (size_t i = 0; i < c->side_count; ++i) {
        const compare_side *side = &c->sides[i];
        if (side->store && !(w->cases[i] = run_cases_open(side->store, e)))
            return error_prefix(e, "%s", side->label);
        if (side->store && !compare_read_side(w, i, e))
            return false;
    }
    w->levels_differ = levels_differ(c);
    for (size_t t = 0; t < c->test_count; ++t)
        if (!compare_test_cases(w, t, e))
            return false;
    if (c->group_count)
        qsort(c->groups, c->group_count, sizeof *c->groups, group_order);
    sort_types(c);
    compare_finish_behaviours(c);
    compare_finish_questions(c);
    compare_finish_clauses(c);
    return true;
}

bool compare_runs(compare *c, compare_side *sides, size_t count, error *e)
{
    memset(c, 0, sizeof *c);
    c->sides = sides;
    c->side_count = count;
    compare_work w = { .c = c };
    bool fine = compare_all(&w, e);
    for (size_t i = 0; i < count; ++i) {
        run_cases_close(w.cases[i]);
        free(w.ids[i]);
        free(w.citations[i]);
    }
    return fine;
}

void compare_free(compare *c)
{
    for (size_t i = 0; i < c->test_count; ++i) {
        free(c->tests[i].name);
        free(c->tests[i].op);
        free(c->tests[i].title);
    }
    for (size_t i = 0; i < c->group_count; ++i)
        group_free(&c->groups[i].group);
    for (size_t i = 0; i < c->clause_count; ++i) {
        free(c->clauses[i].op);
        free(c->clauses[i].id);
        free(c->clauses[i].text);
    }
    for (size_t i = 0; i < c->behaviour_count; ++i)
        free(c->behaviours[i].example);
    free(c->tests);
    free(c->types);
    free(c->groups);
    free(c->clauses);
    free(c->behaviours);
    memset(c, 0, sizeof *c);
}
