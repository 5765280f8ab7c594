/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/analysis/diff.h"

#include "harness/base/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(REGION_GROUPS_KEYS / DIFF_STATES >= DIFF_STATES, "two states are a key of a group");

static const char *const kind_names[DIFF_KINDS] = { "new-failure", "changed-kind", "not-run",       "no-longer-planned",
                                                    "fixed",       "newly-run",    "newly-planned", "other" };

const char *diff_kind_name(diff_kind k)
{
    return k < DIFF_KINDS ? kind_names[k] : "?";
}

static bool fails(int v)
{
    return v != DIFF_NOT_PLANNED && verdict_fails((verdict)v);
}

static bool ran(int v)
{
    return v != DIFF_NOT_PLANNED && v != VERDICT_NONE && v != VERDICT_UNSUPPORTED;
}

static bool is_grave(int v)
{
    return v == VERDICT_CRASH || v == VERDICT_HANG || v == VERDICT_LOST || v == VERDICT_WROTE_OUTSIDE;
}

diff_kind diff_kind_of(int from, int to, bool same_cases, bool *worse)
{
    *worse = false;
    if (fails(to) && !fails(from)) {
        *worse = true;
        return DIFF_NEW_FAILURE;
    }
    if (fails(to)) {
        *worse = is_grave(to) && !is_grave(from);
        return DIFF_CHANGED_KIND;
    }
    if (to == DIFF_NOT_PLANNED) {
        *worse = same_cases && ran(from);
        return DIFF_NO_LONGER;
    }
    if (from == DIFF_NOT_PLANNED)
        return DIFF_NEWLY_PLANNED;
    if (ran(from) && !ran(to)) {
        *worse = true;
        return DIFF_NOT_RUN;
    }
    if (!ran(from) && ran(to))
        return DIFF_NEWLY_RUN;
    return (fails(from) || from == VERDICT_WAIVED) && verdict_is_clean((verdict)to) ? DIFF_FIXED : DIFF_OTHER;
}

/* ---- both runs in numbers ---- */

typedef struct reader {
    diff *d;
    bool after, failed;
    int64_t *ids; /* the run's id of each test of the diff; undefined where the run has no such test */
    size_t id_capacity, *test_capacity, *rate_capacity;
} reader;

static bool read_test(void *context, const store_test *t)
{
    reader *r = context;
    diff *d = r->d;
    size_t i = 0;
    while (i < d->test_count && strcmp(d->tests[i].name, t->name) != 0)
        ++i;
    if (i == d->test_count) {
        char *name = strdup(t->name);
        if (!name || !array_reserve(&d->tests, r->test_capacity, i + 1, sizeof *d->tests)) {
            free(name);
            r->failed = true;
            return false;
        }
        d->tests[d->test_count++] = (diff_test){ .name = name };
    }
    diff_counts *c = r->after ? &d->tests[i].after : &d->tests[i].before;
    c->present = true;
    c->planned = t->planned;
    if (!array_reserve(&r->ids, &r->id_capacity, d->test_count, sizeof *r->ids)) {
        r->failed = true;
        return false;
    }
    r->ids[i] = t->id;
    return true;
}

static diff_rate *rate_of(reader *r, size_t test, const store_tally *t)
{
    diff *d = r->d;
    for (size_t i = d->rate_count; i-- > 0;)
        if (d->rates[i].test == test && d->rates[i].verdict == t->verdict && strcmp(d->rates[i].dtype, t->dtype) == 0 &&
            strcmp(d->rates[i].level, t->level) == 0)
            return &d->rates[i];
    if (!array_reserve(&d->rates, r->rate_capacity, d->rate_count + 1, sizeof *d->rates))
        return NULL;
    diff_rate *own = &d->rates[d->rate_count++];
    *own = (diff_rate){ .test = test, .verdict = t->verdict };
    snprintf(own->dtype, sizeof own->dtype, "%s", t->dtype);
    snprintf(own->level, sizeof own->level, "%s", t->level);
    return own;
}

static bool read_tally(void *context, const store_tally *t)
{
    reader *r = context;
    diff *d = r->d;
    for (size_t i = 0; i < d->test_count; ++i) {
        diff_counts *c = r->after ? &d->tests[i].after : &d->tests[i].before;
        if (!c->present || r->ids[i] != t->test)
            continue;
        diff_rate *rate = rate_of(r, i, t);
        if (!rate) {
            r->failed = true;
            return false;
        }
        c->cases[t->verdict] += t->cases;
        *(r->after ? &rate->after : &rate->before) += t->cases;
        break;
    }
    return true;
}

static bool read_run(reader *r, store *s, error *e)
{
    if (!store_each_test(s, read_test, r, e) || (!r->failed && !store_each_tally(s, read_tally, r, e)))
        return false;
    return r->failed ? error_set(e, "out of memory") : true;
}

/* Fill in the totals of each rate and drop the rates that did not change. */
static void finish_rates(diff *d)
{
    for (size_t i = 0; i < d->rate_count; ++i)
        for (size_t k = 0; k < d->rate_count; ++k) {
            diff_rate *a = &d->rates[i];
            const diff_rate *b = &d->rates[k];
            if (a->test != b->test || strcmp(a->dtype, b->dtype) != 0 || strcmp(a->level, b->level) != 0)
                continue;
            a->before_of += b->before;
            a->after_of += b->after;
        }
    size_t changed = 0;
    for (size_t i = 0; i < d->rate_count; ++i) {
        diff_rate *r = &d->rates[i];
        double before = r->before_of ? (double)r->before / (double)r->before_of : 0;
        double after = r->after_of ? (double)r->after / (double)r->after_of : 0;
        r->worse = (verdict_fails(r->verdict) || r->verdict == VERDICT_UNSUPPORTED) && after > before;
        if (r->before * r->after_of != r->after * r->before_of || (r->before == 0) != (r->after == 0))
            d->rates[changed++] = *r;
    }
    d->rate_count = changed;
}

/* ---- case by case ---- */

typedef struct pair {
    run_cases *before, *after;
    int64_t before_id, after_id; /* of the test; 0: none */
    bool alike;
    size_t group_capacity; /* of diff.groups */
} pair;

/* Skip the ranges in which both runs have the same verdicts. */
static bool skip_equal(run_cases_walk *a, run_cases_walk *b, error *e)
{
    run_cases_range x, y;
    while (run_cases_between(a, &x, e) && run_cases_between(b, &y, e) && x.first == y.first && x.last == y.last &&
           x.cases == y.cases && x.size == y.size && memcmp(x.blob, y.blob, x.size) == 0)
        if (!run_cases_skip(a, e) || !run_cases_skip(b, e))
            return false;
    return true;
}

static bool visit_changes(void *context, bool all, region_groups_each each, void *to, bool *adrift, error *e)
{
    const pair *p = context;
    run_cases_walk a = { .ended = true }, b = { .ended = true };
    bool has_a = false, has_b = false, more = true;
    bool fine = (!p->before_id || run_cases_start(p->before, p->before_id, &a, e)) &&
                (!p->after_id || run_cases_start(p->after, p->after_id, &b, e));
    while (fine && more) {
        if (!all && p->alike && !has_a && !has_b && a.state && b.state)
            fine = skip_equal(&a, &b, e);
        fine = fine && (has_a || a.ended || run_cases_next(&a, e)) && (has_b || b.ended || run_cases_next(&b, e));
        has_a = !a.ended;
        has_b = !b.ended;
        if (!fine || (!has_a && !has_b) || a.adrift || b.adrift)
            break;
        bool take_a = has_a && (!has_b || a.index <= b.index), take_b = has_b && (!has_a || b.index <= a.index);
        int from = take_a ? (int)a.verdict : (int)DIFF_NOT_PLANNED,
            now = take_b ? (int)b.verdict : (int)DIFF_NOT_PLANNED;
        more = each(to, take_b ? b.cursor : a.cursor, from == now ? REGION_GROUPS_NONE : from * DIFF_STATES + now);
        has_a = has_a && !take_a;
        has_b = has_b && !take_b;
    }
    *adrift = a.adrift || b.adrift;
    run_cases_stop(&a);
    run_cases_stop(&b);
    return fine;
}

static bool add_group(diff *d, size_t *capacity, size_t test, group *g, bool same_cases, error *e)
{
    if (!array_reserve(&d->groups, capacity, d->group_count + 1, sizeof *d->groups))
        return error_set(e, "out of memory");
    diff_group *own = &d->groups[d->group_count++];
    *own = (diff_group){ .from = g->key / DIFF_STATES, .to = g->key % DIFF_STATES, .test = test, .group = *g };
    own->kind = diff_kind_of(own->from, own->to, same_cases, &own->worse);
    memset(g, 0, sizeof *g); /* the diff owns it now */
    return true;
}

static bool compare_test(diff *d, size_t i, pair *p, bool same_cases, error *e)
{
    region_groups found;
    bool adrift, fine;
    char within[1200];
    run_cases *side = p->after_id ? p->after : p->before;
    const case_test *t = run_cases_test(side, p->after_id ? p->after_id : p->before_id);
    if (!t || (p->before_id && !run_cases_test(p->before, p->before_id)))
        return true; /* only its counts are compared: its operator is of another suite */
    if (!run_cases_within(side, t, within, sizeof within))
        within[0] = '\0';
    fine = region_groups_find(&found, t->space, within, visit_changes, p, &adrift, e);
    d->tests[i].by_case = fine && !adrift;
    for (size_t k = 0; fine && k < found.count; ++k)
        fine = add_group(d, &p->group_capacity, i, &found.list[k], same_cases, e);
    region_groups_free(&found);
    return fine;
}

/* Is the test drawn, and has each run other cases of it? */
static bool is_drawn_apart(const pair *p)
{
    const case_test *t = run_cases_test(p->after_id ? p->after : p->before, p->after_id ? p->after_id : p->before_id);
    return t && t->draw && run_cases_seed(p->before) != run_cases_seed(p->after);
}

/* Leave out the tests that both runs drew with different seeds. */
static void leave_out(diff *d, uint64_t seed_before, uint64_t seed_after)
{
    size_t left_out = 0, rates = 0;
    for (size_t i = 0; i < d->test_count; ++i)
        left_out += d->tests[i].left_out;
    for (size_t i = 0; i < d->rate_count; ++i)
        if (!d->tests[d->rates[i].test].left_out)
            d->rates[rates++] = d->rates[i];
    d->rate_count = rates;
    const size_t used = strlen(d->why);
    if (left_out)
        snprintf(d->why + used, sizeof d->why - used,
                 "%s%zu drawn test%s left out: the runs drew other cases, with seed %llu and with seed %llu",
                 used ? "\n" : "", left_out, left_out == 1 ? " is" : "s are", (unsigned long long)seed_before,
                 (unsigned long long)seed_after);
}

static int by_kind(const void *a, const void *b)
{
    const diff_group *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->test != y->test)
        return x->test < y->test ? -1 : 1;
    return (x->group.first > y->group.first) - (x->group.first < y->group.first);
}

static bool compare_cases(diff *d, store *before, store *after, const int64_t *before_ids, const int64_t *after_ids,
                          error *e)
{
    pair p = { .before = run_cases_open(before, e) };
    p.after = p.before ? run_cases_open(after, e) : NULL;
    bool fine = p.after != NULL;
    bool same_cases = fine && run_cases_asked_alike(p.before, p.after);
    p.alike = fine && run_cases_alike(p.before, p.after);
    d->by_case = fine;
    for (size_t i = 0; fine && i < d->test_count; ++i) {
        p.before_id = d->tests[i].before.present ? before_ids[i] : 0;
        p.after_id = d->tests[i].after.present ? after_ids[i] : 0;
        if ((d->tests[i].left_out = is_drawn_apart(&p)))
            continue;
        fine = compare_test(d, i, &p, same_cases, e);
        if (fine && !d->tests[i].by_case && !*d->why)
            snprintf(
                d->why, sizeof d->why,
                "%s: the verdicts of one run do not match the cases of the test, so that only counts can be compared",
                d->tests[i].name);
    }
    if (fine)
        leave_out(d, run_cases_seed(p.before), run_cases_seed(p.after));
    run_cases_close(p.before);
    run_cases_close(p.after);
    if (d->group_count)
        qsort(d->groups, d->group_count, sizeof *d->groups, by_kind);
    return fine;
}

/* Which operators can be compared case by case? d->why names the others. */
static bool comparable(diff *d, store *before, store *after, bool *by_case, error *e)
{
    char names[RUN_SUITE_NAMES], then[32];
    const char *decisions = store_get(before, STORE_DECISIONS);
    snprintf(then, sizeof then, "%s", decisions ? decisions : "");
    decisions = store_get(after, STORE_DECISIONS);
    if (*then && decisions && *decisions && strcmp(then, decisions) != 0)
        return error_usage(e,
                           "one run was made with --decisions %s, and one with %s: the same answers have other verdicts",
                           then, decisions);
    run_suite a, b = { .count = 0 };
    bool fine = run_suite_read(&a, before, e) && run_suite_read(&b, after, e);
    *by_case = fine && run_suite_any(&a) && run_suite_any(&b);
    if (fine && run_suite_differ(&a, &b, names))
        snprintf(d->why, sizeof d->why, "%s: the runs are of different suites: only counts can be compared", names);
    else if (fine && run_suite_changed(&b, names))
        snprintf(d->why, sizeof d->why,
                 "%s: the runs are of another suite than this program and its case files: only counts can be compared",
                 names);
    run_suite_free(&a);
    run_suite_free(&b);
    return fine;
}

bool diff_runs(diff *d, store *before, store *after, error *e)
{
    memset(d, 0, sizeof *d);
    size_t test_capacity = 0, rate_capacity = 0;
    reader b = { .d = d, .after = true, .test_capacity = &test_capacity, .rate_capacity = &rate_capacity };
    reader a = b;
    a.after = false;
    bool by_case = false;
    bool fine = read_run(&b, after, e) && read_run(&a, before, e) && comparable(d, before, after, &by_case, e);
    if (fine) {
        finish_rates(d);
        fine = !by_case || compare_cases(d, before, after, a.ids, b.ids, e);
    }
    for (size_t i = 0; fine && i < d->group_count; ++i)
        d->worse = d->worse || d->groups[i].worse;
    for (size_t i = 0; fine && i < d->rate_count; ++i)
        d->worse = d->worse || (d->rates[i].worse && !d->tests[d->rates[i].test].by_case);
    for (size_t i = 0; fine && i < d->test_count; ++i) /* a missing test has no rates */
        d->worse = d->worse || (!d->tests[i].by_case && !d->tests[i].left_out && d->tests[i].before.present &&
                                !d->tests[i].after.present);
    free(a.ids);
    free(b.ids);
    return fine;
}

void diff_free(diff *d)
{
    for (size_t i = 0; i < d->group_count; ++i)
        group_free(&d->groups[i].group);
    for (size_t i = 0; i < d->test_count; ++i)
        free(d->tests[i].name);
    free(d->groups);
    free(d->tests);
    free(d->rates);
    memset(d, 0, sizeof *d);
}
