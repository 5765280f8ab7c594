/* SPDX-License-Identifier: Apache-2.0 */
/* Adding a run to a history: its failures are assigned to known regions first, and the others make new regions. */
#include "harness/analysis/history_add.h"

#include "harness/analysis/region_groups.h"
#include "harness/base/array.h"
#include "harness/casefile/waivers_match.h"
#include "harness/store/summary.h"

#include <stdlib.h>
#include <string.h>

/* A region that failed in the run before, and its cases in the run that is added. */
typedef struct known_region {
    int64_t id;
    uint64_t failed;
    uint64_t ran; /* with any verdict. Counted only for runs with a budget, which may execute none of them */
} known_region;

/* The regions of one test that failed in the run before. */
typedef struct known {
    waivers queries;       /* used for their queries alone: waivers_find says which region holds a case */
    known_region *regions; /* as many */
    size_t query_capacity, region_capacity;
    bool failed;
} known;

static bool read_known(void *context, const history_region *r)
{
    known *k = context;
    error e;
    const size_t i = k->queries.count;
    if (!array_reserve(&k->queries.list, &k->query_capacity, i + 1, sizeof *k->queries.list) ||
        !array_reserve(&k->regions, &k->region_capacity, i + 1, sizeof *k->regions)) {
        k->failed = true;
        return false;
    }
    memset(&k->queries.list[i], 0, sizeof k->queries.list[i]);
    if (!query_parse(r->query, &k->queries.list[i].query, &e))
        return true; /* not written by this program: its failures make new regions */
    k->regions[i] = (known_region){ .id = r->id };
    k->queries.count++;
    return true;
}

static void known_free(known *k)
{
    waivers_free(&k->queries);
    free(k->regions);
}

/* One test of the run that is added. */
typedef struct added_test {
    run_cases *run_cases;
    int64_t id; /* in the run */
    known *known;
    waivers_at *queries; /* the known ones */
    bool budget;         /* the run had one: it may have executed no case of a region */
} added_test;

/* Call each for the cases of the test, with their verdict as key if they failed outside the known regions. Counts the
   cases of the known regions. */
static bool each_new_failure(void *context, bool all, region_groups_each each, void *to, bool *adrift, error *e)
{
    added_test *t = context;
    run_cases_walk w;
    run_cases_range range;
    bool fine = run_cases_start(t->run_cases, t->id, &w, e), more = true;
    const bool every = t->budget && t->known->queries.count > 0; /* passing cases are counted, too */
    for (size_t i = 0; i < t->known->queries.count; ++i)
        t->known->regions[i].failed = t->known->regions[i].ran = 0;
    while (fine && more && !w.ended) {
        while (!all && !every && fine && run_cases_between(&w, &range, e) && range.only >= 0 &&
               !verdict_fails((verdict)range.only))
            fine = run_cases_skip(&w, e);
        fine = fine && run_cases_next(&w, e);
        if (!fine || w.ended)
            break;
        int key = verdict_fails(w.verdict) ? (int)w.verdict : REGION_GROUPS_NONE;
        const waiver *holder = key == REGION_GROUPS_NONE && !every ? NULL : waivers_find(t->queries, w.index, w.values);
        if (holder) {
            known_region *r = &t->known->regions[holder - t->known->queries.list];
            r->failed += key != REGION_GROUPS_NONE;
            r->ran++;
            key = REGION_GROUPS_NONE;
        }
        more = each(to, w.cursor, key);
    }
    *adrift = w.adrift;
    run_cases_stop(&w);
    return fine;
}

static bool store_groups(history *h, const region_groups *found, int64_t test, int64_t run, error *e)
{
    for (size_t i = 0; i < found->count; ++i) {
        const group *g = &found->list[i];
        int64_t id;
        for (size_t k = 0; k < g->part_count; ++k)
            if (!history_add_region(h, test, (verdict)g->key, g->parts[k].query, g->example, g->parts[k].others == 0,
                                    &id, e) ||
                !history_add_failure(h, id, run, g->parts[k].cases, e))
                return false;
        if (g->part_count == 0 &&
            (!history_add_region(h, test, (verdict)g->key, g->example, g->example, false, &id, e) ||
             !history_add_failure(h, id, run, g->cases, e)))
            return false;
    }
    return true;
}

static bool add_test(history *h, run_cases *r, const summary_test *t, known *k, int64_t test, int64_t run, bool budget,
                     error *e)
{
    added_test at = { r, t->id, k, NULL, budget };
    region_groups found = { .count = 0 };
    bool adrift = false;
    const case_test *own = run_cases_test(r, t->id);
    if (!own)
        return run_cases_require(r, e) && error_usage(e, "%s: this suite has no such test", t->name);
    char within[1200];
    if (!run_cases_within(r, own, within, sizeof within))
        within[0] = '\0';
    bool fine = (at.queries = waivers_open(&k->queries, own, e)) != NULL &&
                region_groups_find(&found, own->space, within, each_new_failure, &at, &adrift, e);
    if (fine && adrift)
        fine = error_usage(e, "%s: its verdicts and cases do not fit together; run it again", t->name);
    fine = fine && store_groups(h, &found, test, run, e);
    for (size_t i = 0; fine && i < k->queries.count; ++i) {
        const known_region *before = &k->regions[i];
        if (before->failed)
            fine = history_add_failure(h, before->id, run, before->failed, e);
        else if (budget && before->ran == 0)
            fine = history_carry_region(h, before->id, run, e);
    }
    region_groups_free(&found);
    waivers_close(at.queries);
    return fine;
}

static bool add_tests(history *h, store *from, const summary *m, int64_t series, int64_t run, bool budget, error *e)
{
    run_cases *r = NULL; /* opened at the first failure: most runs need none */
    bool fine = true;
    for (size_t i = 0; fine && i < m->test_count; ++i) {
        const summary_test *t = &m->tests[i];
        int64_t test;
        fine = history_add_test(h, series, t->name, &test, e);
        for (int v = 0; fine && v < VERDICT_COUNT; ++v)
            fine = history_set_count(h, test, (verdict)v, run, t->counts.cases[v], e);
        if (!fine || (t->counts.failed == 0 && !budget))
            continue;
        known k = { .regions = NULL };
        fine = history_each_failing(h, test, run, read_known, &k, e);
        if (fine && k.failed)
            fine = error_set(e, "out of memory");
        if (t->counts.failed || k.queries.count)
            fine = fine && (r || (r = run_cases_open(from, e))) && add_test(h, r, t, &k, test, run, budget, e);
        known_free(&k);
    }
    run_cases_close(r);
    return fine;
}

/* Copy a value of meta into the caller's buffer, since the result of store_get lives until the next call. */
static const char *copy_meta(store *run, const char *key, char **at, const char *end)
{
    const char *value = store_get(run, key), *start = *at;
    int n = snprintf(*at, (size_t)(end - *at), "%s", value ? value : "");
    *at += n < end - *at ? n + 1 : 0;
    return start;
}

bool history_add_run(history *h, store *run, history_run *added, error *e)
{
    char texts[8192], *at = texts;
    const char *end = texts + sizeof texts;
    summary m = { .tests = NULL };
    const char *state = copy_meta(run, STORE_STATE, &at, end);
    if (strcmp(state, "complete") != 0)
        return error_usage(e,
                           "the run is not complete (%s): failures that it has not reached would count as fixed. "
                           "Finish it with 'touchstone resume' first.",
                           state);
    const char *seconds = store_get(run, STORE_SECONDS);
    memset(added, 0, sizeof *added);
    added->seconds = seconds ? strtod(seconds, NULL) : 0;
    added->started = copy_meta(run, STORE_STARTED, &at, end);
    added->version = copy_meta(run, STORE_BACKEND_VERSION, &at, end);
    added->driver = copy_meta(run, STORE_BACKEND_DRIVER, &at, end);
    added->suite = copy_meta(run, STORE_SUITE_DIGEST, &at, end);
    added->digest = copy_meta(run, STORE_DIGEST, &at, end);
    history_series s = { .backend = copy_meta(run, STORE_BACKEND, &at, end),
                         .device = copy_meta(run, STORE_BACKEND_DEVICE, &at, end),
                         .options = copy_meta(run, STORE_BACKEND_OPTIONS, &at, end),
                         .level = copy_meta(run, STORE_LEVEL, &at, end),
                         .tier = copy_meta(run, STORE_TIER, &at, end),
                         .query = copy_meta(run, STORE_QUERY, &at, end) };
    coverage covered;
    const bool budget = coverage_of_run(&covered, run);
    const char *seed = copy_meta(run, STORE_SEED, &at, end);
    char tier[256]; /* the results of a part of a tier, or of other drawn cases, are comparable to their like alone */
    snprintf(tier, sizeof tier, "%.64s%s%s%.64s", s.tier, budget ? " by sessions" : "",
             strtoull(seed, NULL, 10) ? ", seed " : "", strtoull(seed, NULL, 10) ? seed : "");
    s.tier = tier;
    bool begun = summary_read(&m, run, e) && history_begin(h, e), fine = begun;
    added->planned = m.total.planned;
    added->ran = m.total.ran;
    added->failed = m.total.failed;
    added->waived = m.total.cases[VERDICT_WAIVED];
    added->unsupported = m.total.cases[VERDICT_UNSUPPORTED];
    fine = fine && history_add_series(h, &s, e);
    added->series = s.id;
    fine = fine && history_insert_run(h, added, e) && (!budget || history_add_coverage(h, added->id, &covered, e)) &&
           add_tests(h, run, &m, s.id, added->id, budget, e) && history_commit(h, e);
    if (begun && !fine)
        history_rollback(h);
    summary_free(&m);
    added->started = added->version = added->driver = added->suite = added->digest = NULL;
    return fine;
}
