/* SPDX-License-Identifier: Apache-2.0 */
/* Adding a run to a history. A failing case remains in the region that it belonged to in the run before; the others are
   new, and make new regions. Cases decide, not the queries that describe them: a query may hold cases of several
   regions. */
#include "harness/analysis/history_add.h"

#include "harness/analysis/history_known.h"
#include "harness/analysis/region_groups.h"
#include "harness/store/summary.h"

#include <stdlib.h>
#include <string.h>

/* The run that is added. */
typedef struct added_run {
    history *h;
    store *from;
    int64_t id, series;
    int64_t earlier;  /* the run that it is compared with; 0: none */
    bool inherited;   /* that run is one of an earlier version of the backend, in another series */
    bool budget;      /* it had one: it executed some cases only */
    run_cases *cases; /* opened at the first failure: most runs need none */
} added_run;

/* One of its tests. */
typedef struct added_test {
    added_run *run;
    const case_test *test;
    int64_t in_run, in_history; /* its ids */
    const char *suite;          /* the digest of its operator */
    char within[1200];          /* the predicate of the run's query, or "" */
    known known;
} added_test;

/* Visit the cases of the test in ascending order; with `every` false, cases that pass may be left out. */
static bool each_case(added_test *t, bool every, bool (*visit)(void *context, const run_cases_walk *w), void *context,
                      bool *adrift, error *e)
{
    run_cases_walk w;
    run_cases_range range;
    bool fine = known_start(&t->known, t->test, e) && run_cases_start(t->run->cases, t->in_run, &w, e), more = fine;
    if (!fine)
        return false;
    while (fine && more && !w.ended) {
        while (!every && fine && run_cases_between(&w, &range, e) && range.only >= 0 &&
               !verdict_fails((verdict)range.only))
            fine = run_cases_skip(&w, e);
        fine = fine && run_cases_next(&w, e);
        if (fine && !w.ended)
            more = visit(context, &w);
    }
    *adrift = w.adrift;
    run_cases_stop(&w);
    return fine;
}

/* ---- regions that failed before ---- */

/* The case fails: it remains in its region. */
static void keep_case(known_region *r, const run_cases_walk *w)
{
    case_set_add(&r->now, w->index, w->index + 1);
    r->changed += w->verdict != r->verdict;
}

/* A case of a run that executed all cases: those that do not fail leave their regions. */
static bool keep_failing(void *context, const run_cases_walk *w)
{
    added_test *t = context;
    known_region *r = verdict_fails(w->verdict) ? known_find(&t->known, w->index, w->values) : NULL;
    if (r)
        keep_case(r, w);
    return true;
}

/* A case of a run that executed some cases: those that it did not execute remain in their regions. */
static bool keep_unexecuted(void *context, const run_cases_walk *w)
{
    added_test *t = context;
    const bool fails = verdict_fails(w->verdict);
    bool held = false;
    if (w->verdict == VERDICT_NONE)
        return true;
    for (size_t i = 0; i < t->known.count; ++i) {
        known_region *r = &t->known.list[i];
        if (!r->listed)
            continue;
        case_set_copy(&r->at, w->index, &r->now);
        if (case_set_holds(&r->at, w->index)) {
            held = true;
            if (fails)
                keep_case(r, w);
        }
    }
    known_region *r = held ? NULL : known_find_by_query(&t->known, w->index, w->values);
    if (r) {
        r->ran++;
        if (fails)
            keep_case(r, w);
    }
    return true;
}

static bool find_known(added_test *t, bool *adrift, error *e)
{
    const bool budget = t->run->budget;
    if (t->known.count == 0)
        return true;
    if (!each_case(t, budget, budget ? keep_unexecuted : keep_failing, t, adrift, e))
        return false;
    for (size_t i = 0; budget && i < t->known.count; ++i)
        if (t->known.list[i].listed)
            case_set_copy(&t->known.list[i].at, UINT64_MAX, &t->known.list[i].now);
    return true;
}

static bool store_known(added_test *t, known_region *r, error *e)
{
    const added_run *run = t->run;
    const bool carried = run->budget && !r->listed; /* all its cases are not known: its query goes on to decide */
    history_span *s = &r->span;
    if (r->now.count == 0 && !(carried && r->ran == 0))
        return true;
    if (!carried || r->ran) {
        s->cases = r->now.count;
        s->changed = r->changed;
    }
    if (run->inherited) {
        s->first = run->id;
        if (!history_add_region(run->h, t->in_history, r->verdict, r->query, r->example, r->exact, &s->region, e))
            return false;
    }
    return history_set_span(run->h, s, run->id, e) && (carried || history_set_cases(run->h, s, t->suite, &r->now, e));
}

/* ---- new regions ---- */

typedef struct new_failures {
    added_test *test;
    region_groups_each each;
    void *to;
} new_failures;

/* A case for the description of new failures. A case that failed before is neither inside nor outside of them. */
static bool describe(void *context, const run_cases_walk *w)
{
    new_failures *n = context;
    const bool fails = verdict_fails(w->verdict);
    return (fails && known_find(&n->test->known, w->index, w->values)) ||
           n->each(n->to, w->cursor, fails ? (int)w->verdict : REGION_GROUPS_NONE);
}

static bool each_new_failure(void *context, bool all, region_groups_each each, void *to, bool *adrift, error *e)
{
    new_failures n = { context, each, to };
    return each_case(context, all, describe, &n, adrift, e);
}

/* A part of a group of new failures: the cases of one query that no earlier query of the group holds. The last part has
   those that no query holds. */
typedef struct new_part {
    case_set cases;
    uint64_t before; /* cases of the query that failed before */
} new_part;

typedef struct new_group {
    const group *group;
    waivers queries; /* of its parts, used for their queries alone */
    size_t *owners;  /* of each query, its part */
    waivers_at *match;
    new_part *parts; /* one more than the group has */
} new_group;

typedef struct assignment {
    added_test *test;
    new_group *list;
    size_t count;
} assignment;

static bool open_group(new_group *own, const group *g, const case_test *t, error *e)
{
    error unread;
    own->group = g;
    own->parts = calloc(g->part_count + 1, sizeof *own->parts);
    own->owners = calloc(g->part_count + 1, sizeof *own->owners);
    own->queries.list = calloc(g->part_count + 1, sizeof *own->queries.list);
    if (!own->parts || !own->owners || !own->queries.list)
        return error_set(e, "out of memory");
    for (size_t i = 0; i < g->part_count; ++i)
        if (query_parse(g->parts[i].query, &own->queries.list[own->queries.count].query, &unread))
            own->owners[own->queries.count++] = i;
    return (own->match = waivers_open(&own->queries, t, e)) != NULL;
}

static void close_group(new_group *own)
{
    for (size_t i = 0; own->parts && i <= own->group->part_count; ++i)
        case_set_free(&own->parts[i].cases);
    waivers_close(own->match);
    waivers_free(&own->queries);
    free(own->owners);
    free(own->parts);
}

static new_part *part_of(new_group *own, const run_cases_walk *w)
{
    const waiver *holder = own->queries.count ? waivers_find(own->match, w->index, w->values) : NULL;
    return &own->parts[holder ? own->owners[holder - own->queries.list] : own->group->part_count];
}

static bool assign(void *context, const run_cases_walk *w)
{
    assignment *a = context;
    if (!verdict_fails(w->verdict))
        return true;
    const bool before = known_find(&a->test->known, w->index, w->values) != NULL;
    for (size_t i = 0; i < a->count; ++i) {
        new_group *own = &a->list[i];
        if (before)
            part_of(own, w)->before++;
        else if (own->group->key == (int)w->verdict)
            case_set_add(&part_of(own, w)->cases, w->index, w->index + 1);
    }
    return true;
}

static bool store_part(added_test *t, const new_group *own, size_t part, error *e)
{
    const group *g = own->group;
    const bool rest = part == g->part_count;
    new_part *p = &own->parts[part];
    char whole[1600];
    snprintf(whole, sizeof whole, "%s:%s%s%s", space_op(t->test->space), space_test(t->test->space),
             *t->within ? " where " : "", t->within);
    const char *selects = !rest ? g->parts[part].query : g->cases == 1 ? g->example : whole;
    const bool exact = rest ? g->cases == 1 : g->parts[part].others == 0;
    const int64_t run = t->run->id;
    history_span s = { .first = run, .since = run, .cases = p->cases.count, .before = rest ? 0 : p->before };
    return p->cases.count == 0 ||
           (history_add_region(t->run->h, t->in_history, (verdict)g->key, selects, g->example, exact, &s.region, e) &&
            history_set_span(t->run->h, &s, run, e) && history_set_cases(t->run->h, &s, t->suite, &p->cases, e));
}

/* Store the new failures, each as a case of the first query that holds it. */
static bool store_groups(added_test *t, const region_groups *found, error *e)
{
    assignment a = { .test = t, .list = calloc(found->count + 1, sizeof *a.list) };
    bool adrift, fine = a.list || error_set(e, "out of memory");
    for (; fine && a.count < found->count; ++a.count)
        if (!(fine = open_group(&a.list[a.count], &found->list[a.count], t->test, e)))
            close_group(&a.list[a.count]);
    if (found->count)
        fine = fine && each_case(t, false, assign, &a, &adrift, e);
    for (size_t i = 0; i < a.count; ++i) {
        for (size_t k = 0; fine && k <= a.list[i].group->part_count; ++k)
            fine = store_part(t, &a.list[i], k, e);
        close_group(&a.list[i]);
    }
    free(a.list);
    return fine;
}

/* ---- a test ---- */

static bool compare_test(added_test *t, const char *name, error *e)
{
    region_groups found = { .count = 0 };
    bool adrift = false;
    if (!run_cases_within(t->run->cases, t->test, t->within, sizeof t->within))
        t->within[0] = '\0';
    bool fine = find_known(t, &adrift, e) &&
                (adrift || region_groups_find(&found, t->test->space, t->within, each_new_failure, t, &adrift, e));
    if (fine && adrift)
        fine = error_usage(e, "%s: its verdicts and cases do not fit together; run it again", name);
    fine = fine && store_groups(t, &found, e);
    for (size_t i = 0; fine && i < t->known.count; ++i)
        fine = store_known(t, &t->known.list[i], e);
    region_groups_free(&found);
    return fine;
}

static bool add_failures(added_run *run, const summary_test *from, int64_t in_history, error *e)
{
    added_test t = { .run = run, .in_run = from->id, .in_history = in_history };
    if (!run->cases && !(run->cases = run_cases_open(run->from, e)))
        return false;
    const run_suite_operator *op = run_suite_find(run_cases_suite(run->cases), from->op);
    t.test = run_cases_test(run->cases, from->id);
    t.suite = op ? op->digest : "";
    if (!t.test)
        return run_cases_require(run->cases, e) && error_usage(e, "%s: this suite has no such test", from->name);
    bool fine = run->earlier == 0 || known_read(&t.known, run->h, run->earlier, from->name, t.suite, e);
    if (from->counts.failed || t.known.count)
        fine = fine && compare_test(&t, from->name, e);
    known_free(&t.known);
    return fine;
}

static bool add_tests(added_run *run, const summary *m, error *e)
{
    bool fine = true;
    for (size_t i = 0; fine && i < m->test_count; ++i) {
        const summary_test *t = &m->tests[i];
        int64_t test;
        fine = history_add_test(run->h, run->series, t->name, &test, e);
        for (int v = 0; fine && v < VERDICT_COUNT; ++v)
            fine = history_set_count(run->h, test, (verdict)v, run->id, t->counts.cases[v], e);
        if (fine && (t->counts.failed || run->budget))
            fine = add_failures(run, t, test, e);
    }
    run_cases_close(run->cases);
    return fine && history_drop_cases(run->h, run->series, e);
}

/* ---- a run ---- */

/* Copy a value of meta into the caller's buffer, since the result of store_get lives until the next call. */
static const char *copy_meta(store *run, const char *key, char **at, const char *end)
{
    const char *value = store_get(run, key), *start = *at;
    int n = snprintf(*at, (size_t)(end - *at), "%s", value ? value : "");
    *at += n < end - *at ? n + 1 : 0;
    return start;
}

/* The profile, and whether decisions bind: a run where they do continues none where they do not. */
static void describe_profile(store *run, char *out, size_t size)
{
    const char *profile = store_get(run, STORE_PROFILE);
    const size_t used = (size_t)snprintf(out, size, "%s", profile ? profile : "");
    const char *decisions = store_get(run, STORE_DECISIONS);
    if (decisions && strcmp(decisions, "binding") == 0 && used < size)
        snprintf(out + used, size - used, "%sdecisions=binding", used ? ", " : "");
}

/* The tier, and what else decides which of its cases the run executed: only runs that agree in it can be compared. */
static void describe_tier(store *run, bool budget, char *buf, size_t size)
{
    char texts[512], *at = texts;
    const char *end = texts + sizeof texts, *tier = copy_meta(run, STORE_TIER, &at, end);
    const char *seed = copy_meta(run, STORE_SEED, &at, end), *shard = copy_meta(run, STORE_SHARD, &at, end);
    const bool seeded = strtoull(seed, NULL, 10) != 0;
    snprintf(buf, size, "%.64s%s%s%.64s%s%.64s", tier, budget ? " by sessions" : "", seeded ? ", seed " : "",
             seeded ? seed : "", *shard ? ", shard " : "", shard);
}

/* Find the run that this one is compared with. */
static bool find_earlier(added_run *run, const history_series *s, const history_run *added, error *e)
{
    if (!history_last_run(run->h, s->id, run->id, &run->earlier, e))
        return false;
    run->inherited = run->earlier == 0;
    return !run->inherited || history_earlier_version(run->h, s, added->started, &run->earlier, e);
}

bool history_can_add(store *run, error *e)
{
    const char *state = summary_state(run);
    return (state && strcmp(state, "complete") == 0) ||
           error_usage(e,
                       "the run is not complete (%s): failures that it has not reached would count as fixed. "
                       "Finish it with 'touchstone resume' first.",
                       state ? state : "unknown");
}

bool history_add_run(history *h, store *run, history_run *added, error *e)
{
    char texts[8192], *at = texts;
    const char *end = texts + sizeof texts;
    summary m = { .tests = NULL };
    if (!history_can_add(run, e))
        return false;
    const char *seconds = store_get(run, STORE_SECONDS);
    memset(added, 0, sizeof *added);
    added->seconds = seconds ? strtod(seconds, NULL) : 0;
    added->started = copy_meta(run, STORE_STARTED, &at, end);
    added->version = copy_meta(run, STORE_BACKEND_VERSION, &at, end);
    added->driver = copy_meta(run, STORE_BACKEND_DRIVER, &at, end);
    added->suite = copy_meta(run, STORE_SUITE_DIGEST, &at, end);
    added->digest = copy_meta(run, STORE_DIGEST, &at, end);
    coverage covered;
    added_run adding = { .h = h, .from = run, .budget = coverage_of_run(&covered, run) };
    char tier[256], profile[64];
    describe_tier(run, adding.budget, tier, sizeof tier);
    describe_profile(run, profile, sizeof profile);
    history_series s = { .backend = copy_meta(run, STORE_BACKEND, &at, end),
                         .version = added->version,
                         .device = copy_meta(run, STORE_BACKEND_DEVICE, &at, end),
                         .options = copy_meta(run, STORE_BACKEND_OPTIONS, &at, end),
                         .level = copy_meta(run, STORE_LEVEL, &at, end),
                         .profile = profile,
                         .tier = tier,
                         .query = copy_meta(run, STORE_QUERY, &at, end) };
    bool begun = summary_read(&m, run, e) && history_begin(h, e), fine = begun;
    added->planned = m.total.planned;
    added->ran = m.total.ran;
    added->failed = m.total.failed;
    added->waived = m.total.cases[VERDICT_WAIVED];
    added->unsupported = m.total.cases[VERDICT_UNSUPPORTED];
    fine = fine && history_add_series(h, &s, e);
    adding.series = added->series = s.id;
    fine = fine && history_insert_run(h, added, e);
    adding.id = added->id;
    fine = fine && find_earlier(&adding, &s, added, e) &&
           (!adding.budget || history_add_coverage(h, added->id, &covered, e)) && add_tests(&adding, &m, e) &&
           history_commit(h, e);
    if (begun && !fine)
        history_rollback(h);
    summary_free(&m);
    added->started = added->version = added->driver = added->suite = added->digest = NULL;
    return fine;
}
