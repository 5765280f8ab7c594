/* SPDX-License-Identifier: Apache-2.0 */
/* A run as a night of a history: known regions are asked first, what they do not hold is learnt. */
#include "harness/analysis/history_add.h"

#include "harness/analysis/region_groups.h"
#include "harness/casefile/waivers.h"
#include "harness/store/summary.h"

#include <stdlib.h>
#include <string.h>

/* The regions of a test that failed in the night before. */
typedef struct known {
    waivers regions; /* only their queries are used: what holds a case is asked the same way */
    int64_t *ids;
    uint64_t *cases; /* that fail tonight */
    uint64_t *ran;   /* of any verdict: counted only where tonight's share may have none (a run with a budget) */
    size_t capacity;
    bool failed;
} known;

static bool take_known(void *context, const history_region *r)
{
    known *k = context;
    error e;
    if (k->regions.count == k->capacity) {
        k->capacity = k->capacity ? k->capacity * 2 : 16;
        waiver *list = realloc(k->regions.list, k->capacity * sizeof *list);
        if (list)
            k->regions.list = list;
        int64_t *ids = realloc(k->ids, k->capacity * sizeof *ids);
        if (ids)
            k->ids = ids;
        uint64_t *cases = realloc(k->cases, k->capacity * sizeof *cases);
        if (cases)
            k->cases = cases;
        uint64_t *ran = realloc(k->ran, k->capacity * sizeof *ran);
        if (ran)
            k->ran = ran;
        if (!list || !ids || !cases || !ran) {
            k->failed = true;
            return false;
        }
    }
    size_t i = k->regions.count;
    memset(&k->regions.list[i], 0, sizeof k->regions.list[i]);
    if (!query_parse(r->query, &k->regions.list[i].query, &e))
        return true; /* written by other hands: what it held is learnt anew */
    k->ids[i] = r->id;
    k->cases[i] = 0;
    k->regions.count++;
    return true;
}

static void known_free(known *k)
{
    waivers_free(&k->regions);
    free(k->ids);
    free(k->cases);
    free(k->ran);
}

typedef struct night_test {
    run_cases *run_cases;
    int64_t id; /* in the run */
    known *known;
    waivers_at *regions;
    bool share; /* the run had a budget */
} night_test;

/* Shows the failures that no known region holds. */
static bool show_new(void *context, bool all, region_groups_each each, void *to, bool *adrift, error *e)
{
    night_test *t = context;
    run_cases_walk w;
    run_cases_range range;
    bool fine = run_cases_start(t->run_cases, t->id, &w, e), more = true;
    const bool every = t->share && t->known->regions.count > 0; /* those that pass count as well */
    for (size_t i = 0; i < t->known->regions.count; ++i)
        t->known->cases[i] = t->known->ran[i] = 0;
    while (fine && more && !w.ended) {
        while (!all && !every && fine && run_cases_between(&w, &range, e) && range.only >= 0 &&
               !verdict_fails((verdict)range.only))
            fine = run_cases_skip(&w, e);
        fine = fine && run_cases_next(&w, e);
        if (!fine || w.ended)
            break;
        int key = verdict_fails(w.verdict) ? (int)w.verdict : REGION_GROUPS_NONE;
        const waiver *holder = key == REGION_GROUPS_NONE && !every ? NULL : waivers_find(t->regions, w.index, w.values);
        if (holder) {
            t->known->cases[holder - t->known->regions.list] += key != REGION_GROUPS_NONE;
            t->known->ran[holder - t->known->regions.list]++;
            key = REGION_GROUPS_NONE;
        }
        more = each(to, w.cursor, key);
    }
    *adrift = w.adrift;
    run_cases_stop(&w);
    return fine;
}

static bool store_groups(history *h, const region_groups *found, int64_t test, int64_t night, error *e)
{
    for (size_t i = 0; i < found->count; ++i) {
        const group *g = &found->list[i];
        int64_t id;
        for (size_t k = 0; k < g->part_count; ++k)
            if (!history_add_region(h, test, (verdict)g->key, g->parts[k].query, g->example, g->parts[k].others == 0,
                                    &id, e) ||
                !history_fails(h, id, night, g->parts[k].cases, e))
                return false;
        if (g->part_count == 0 &&
            (!history_add_region(h, test, (verdict)g->key, g->example, g->example, false, &id, e) ||
             !history_fails(h, id, night, g->cases, e)))
            return false;
    }
    return true;
}

static bool add_test(history *h, run_cases *r, const summary_test *t, known *k, int64_t test, int64_t night, bool share,
                     error *e)
{
    night_test at = { r, t->id, k, NULL, share };
    region_groups found = { .count = 0 };
    bool adrift = false;
    const case_test *own = run_cases_test(r, t->id);
    if (!own)
        return error_usage(e, "%s: this suite has no such test", t->name);
    char within[1200];
    if (!run_cases_within(r, own, within, sizeof within))
        within[0] = '\0';
    bool fine = (at.regions = waivers_open(&k->regions, own, e)) != NULL &&
                region_groups_find(&found, own->space, within, show_new, &at, &adrift, e);
    if (fine && adrift)
        fine = error_usage(e, "%s: its verdicts and cases do not fit together; run it again", t->name);
    fine = fine && store_groups(h, &found, test, night, e);
    for (size_t i = 0; fine && i < k->regions.count; ++i)
        fine = k->cases[i] ? history_fails(h, k->ids[i], night, k->cases[i], e)
                           : !share || k->ran[i] || history_carry(h, k->ids[i], night, e);
    region_groups_free(&found);
    waivers_close(at.regions);
    return fine;
}

static bool add_tests(history *h, store *run, const summary *m, int64_t series, int64_t night, bool share, error *e)
{
    run_cases *r = NULL; /* only where something failed: most nights need none */
    bool fine = true;
    for (size_t i = 0; fine && i < m->test_count; ++i) {
        const summary_test *t = &m->tests[i];
        int64_t test;
        fine = history_add_test(h, series, t->name, &test, e);
        for (int v = 0; fine && v < VERDICT_COUNT; ++v)
            fine = history_set_count(h, test, (verdict)v, night, t->counts.cases[v], e);
        if (!fine || (t->counts.failed == 0 && !share))
            continue;
        known k = { .ids = NULL };
        fine = history_each_open(h, test, night, take_known, &k, e);
        if (fine && k.failed)
            fine = error_set(e, "out of memory");
        if (t->counts.failed || k.regions.count)
            fine = fine && (r || (r = run_cases_open(run, e))) && add_test(h, r, t, &k, test, night, share, e);
        known_free(&k);
    }
    run_cases_close(r);
    return fine;
}

/* Texts of meta one after another in a buffer of the caller's, for store_get's result lives until the next. */
static const char *keep(store *run, const char *key, char **at, const char *end)
{
    const char *value = store_get(run, key), *start = *at;
    int n = snprintf(*at, (size_t)(end - *at), "%s", value ? value : "");
    *at += n < end - *at ? n + 1 : 0;
    return start;
}

bool history_add_run(history *h, store *run, history_night *night, error *e)
{
    char texts[8192], *at = texts;
    const char *end = texts + sizeof texts;
    summary m = { .tests = NULL };
    const char *state = keep(run, STORE_STATE, &at, end);
    if (strcmp(state, "complete") != 0)
        return error_usage(e,
                           "the run is not complete (%s): what it did not run would pass for fixed. Finish it with "
                           "'touchstone resume' first.",
                           state);
    const char *seconds = store_get(run, STORE_SECONDS);
    memset(night, 0, sizeof *night);
    night->seconds = seconds ? strtod(seconds, NULL) : 0;
    night->started = keep(run, STORE_STARTED, &at, end);
    night->version = keep(run, STORE_BACKEND_VERSION, &at, end);
    night->driver = keep(run, STORE_BACKEND_DRIVER, &at, end);
    night->suite = keep(run, STORE_SUITE_DIGEST, &at, end);
    night->digest = keep(run, STORE_DIGEST, &at, end);
    history_series s = { .backend = keep(run, STORE_BACKEND, &at, end),
                         .device = keep(run, STORE_BACKEND_DEVICE, &at, end),
                         .options = keep(run, STORE_BACKEND_OPTIONS, &at, end),
                         .level = keep(run, STORE_LEVEL, &at, end),
                         .tier = keep(run, STORE_TIER, &at, end),
                         .query = keep(run, STORE_QUERY, &at, end) };
    coverage covered;
    const bool share = coverage_of_run(&covered, run);
    char tier[64];
    if (share) { /* a series of its own: what comes of a share goes with nothing but other shares */
        snprintf(tier, sizeof tier, "%s by sessions", s.tier);
        s.tier = tier;
    }
    bool begun = summary_read(&m, run, e) && history_begin(h, e), fine = begun;
    night->planned = m.total.planned;
    night->ran = m.total.ran;
    night->failed = m.total.failed;
    night->waived = m.total.cases[VERDICT_WAIVED];
    night->unsupported = m.total.cases[VERDICT_UNSUPPORTED];
    fine = fine && history_add_series(h, &s, e);
    night->series = s.id;
    fine = fine && history_add_night(h, night, e) && (!share || history_add_coverage(h, night->id, &covered, e)) &&
           add_tests(h, run, &m, s.id, night->id, share, e) && history_commit(h, e);
    if (begun && !fine)
        history_rollback(h);
    summary_free(&m);
    night->started = night->version = night->driver = night->suite = night->digest = NULL;
    return fine;
}
