/* SPDX-License-Identifier: Apache-2.0 */
/* Runs in a history: which run is blamed for which failing cases. */
#include "harness/analysis/history_add.h"
#include "harness/analysis/run_cases.h"
#include "harness/run/worker_spawn.h"
#include "harness/testing/compare_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include <cmocka.h>

static const char few[] = "dml.slice1:pairwise where rank <= 3";

enum { MOST_RUNS = 20, MOST_CASES = 16384 };

static error e;
static char db[128];
static history *h;

/* The cases that fail in each run of the test, by their position in the walk. */
static bool failing[MOST_RUNS][MOST_CASES];
static size_t case_count;

static void must(bool fine)
{
    if (!fine)
        fail_msg("%s", e.text);
}

static int start(void **state)
{
    (void)state;
    snprintf(db, sizeof db, "%s/h.db", compare_rig_folder);
    h = history_open(db, true, &e);
    return h ? 0 : -1;
}

static int stop(void **state)
{
    (void)state;
    history_close(h);
    return testing_empty(compare_rig_folder, "");
}

/* Note the failing cases of the run's first test. */
static void note_failures(store *run, size_t at)
{
    run_cases *cases = run_cases_open(run, &e);
    run_cases_walk w;
    must(cases && run_cases_start(cases, 1, &w, &e));
    for (case_count = 0; run_cases_next(&w, &e) && !w.ended; ++case_count) {
        assert_true(case_count < MOST_CASES);
        failing[at][case_count] = verdict_fails(w.verdict);
    }
    assert_false(w.adrift);
    run_cases_stop(&w);
    run_cases_close(cases);
}

/* Run the saboteur with a fault, or cpu without one, on day `at` + 1, and add the run to the history as one of the same
   backend with the same options: a fault that the nightly build has on some days. */
static history_run add_night(size_t at, const char *fault, const char *query, const char *key, const char *value)
{
    char folder[128], started[32];
    compare_set set;
    history_run added;
    const compare_backend b = compare_rig_backend("faulty", fault, "it");
    run_options o = compare_rig_options(&query);
    o.max_findings = 1;
    o.workers = 1;
    snprintf(folder, sizeof folder, "%s/runs", compare_rig_folder);
    must(compare_run_backends(&set, &b, 1, &o, folder, &e));
    compare_set_free(&set);
    snprintf(folder, sizeof folder, "%s/runs/1-it.run", compare_rig_folder);
    store *run = store_open(folder, &e);
    assert_non_null(run);
    note_failures(run, at);
    snprintf(started, sizeof started, "2024-01-%02zuT00:00:00Z", at + 1);
    must(store_begin(run, &e) && store_set(run, STORE_STARTED, started, &e) &&
         store_set(run, STORE_BACKEND_OPTIONS, "", &e) && store_set(run, STORE_BACKEND_VERSION, "1", &e) &&
         store_set(run, STORE_BACKEND_DEVICE, "", &e) && (!key || store_set(run, key, value, &e)) &&
         store_commit(run, &e));
    must(history_add_run(h, run, &added, &e));
    store_close(run);
    remove(folder);
    return added;
}

/* The regions of a series that fail now: cases by the day since which they fail. */
typedef struct blame {
    uint64_t cases[MOST_RUNS];
    char queries[MOST_RUNS][2048];
    char fixed[1024]; /* "FIRST-LAST CASES QUERY; " */
} blame;

static bool take_region(void *context, const history_region *r)
{
    blame *b = context;
    const int day = atoi(r->first_started + 8), last = atoi(r->last_started + 8);
    if (r->failing) {
        b->cases[day - 1] += r->cases;
        strcat(b->queries[day - 1], r->query);
        strcat(b->queries[day - 1], "; ");
    } else {
        const size_t used = strlen(b->fixed);
        snprintf(b->fixed + used, sizeof b->fixed - used, "%d-%d %s; ", day, last, r->query);
    }
    return true;
}

static blame blame_of(int64_t series)
{
    blame b = { .fixed = "" };
    must(history_each_region(h, series, 0, take_region, &b, &e));
    return b;
}

/* Cases that have failed in all runs since `first`, up to `last`, and not in the run before. */
static uint64_t since(size_t first, size_t last)
{
    uint64_t count = 0;
    for (size_t i = 0; i < case_count; ++i) {
        bool all = first == 0 || !failing[first - 1][i];
        for (size_t n = first; n <= last; ++n)
            all = all && failing[n][i];
        count += all;
    }
    return count;
}

static void blames_each_run_for_its_new_failures(int64_t series, size_t last)
{
    const blame b = blame_of(series);
    for (size_t first = 0; first <= last; ++first)
        if (b.cases[first] != since(first, last))
            fail_msg("run %zu of %zu is blamed for %llu cases and not for %llu: %s", first + 1, last + 1,
                     (unsigned long long)b.cases[first], (unsigned long long)since(first, last), b.queries[first]);
}

/* Two faults whose regions overlap come and go. Each run is blamed for exactly the cases that begin to fail in it. */
static void an_overlap_with_an_older_fault_is_not_blamed(void **state)
{
    (void)state;
    static const char *const nights[] = { "reject-8-bit", "reverse-start", "reject-8-bit" };
    int64_t series = 0;
    for (size_t i = 0; i < sizeof nights / sizeof *nights; ++i) {
        series = add_night(i, nights[i], few, NULL, NULL).series;
        if (i > 0)
            assert_true(since(0, i) > 0 && since(i, i) > 0); /* they overlap, and something is new */
        blames_each_run_for_its_new_failures(series, i);
    }
}

/* Regions that no query describes exactly are no exception. */
static void approximate_regions_blame_no_other_cases(void **state)
{
    (void)state;
    static const char *const nights[] = { "reverse-start", "vector-tail" };
    for (size_t i = 0; i < sizeof nights / sizeof *nights; ++i)
        blames_each_run_for_its_new_failures(add_night(i, nights[i], "dml.slice1:pairwise", NULL, NULL).series, i);
}

/* The series of the history, as "VERSION PROFILE; ". */
static bool take_series(void *context, const history_series *s)
{
    char *names = context;
    snprintf(names + strlen(names), 200 - strlen(names), "%s %s; ", s->version, s->profile);
    return true;
}

static const char *series_names(void)
{
    static char names[200];
    names[0] = '\0';
    must(history_each_series(h, take_series, names, &e));
    return names;
}

static bool take_since(void *context, const history_region *r)
{
    char *text = context;
    snprintf(text, 64, "%.10s of version %s, %u runs", r->since_started, r->since_version, (unsigned)r->runs);
    return r->failing;
}

static void runs_of_another_profile_or_version_are_a_series_of_their_own(void **state)
{
    (void)state;
    char text[64] = "";
    const history_run first = add_night(0, "reject-8-bit", few, NULL, NULL);
    assert_int_equal(add_night(1, "reject-8-bit", few, NULL, NULL).series, first.series);
    assert_int_not_equal(add_night(2, "reject-8-bit", few, STORE_PROFILE, "numpy").series, first.series);
    const history_run later = add_night(3, "reject-8-bit", few, STORE_BACKEND_VERSION, "2");
    assert_int_not_equal(later.series, first.series);
    assert_string_equal(series_names(), "1 openvino; 1 numpy; 2 openvino; ");
    /* What failed with the version before has not begun with this one. */
    must(history_each_region(h, later.series, 0, take_since, text, &e));
    assert_string_equal(text, "2024-01-01 of version 1, 1 runs");
    /* The other series goes on for itself. */
    blames_each_run_for_its_new_failures(first.series, 1);
}

static void change_file(const char *sql)
{
    sqlite3 *file;
    history_close(h);
    assert_int_equal(sqlite3_open(db, &file), SQLITE_OK);
    if (sqlite3_exec(file, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(file));
    sqlite3_close(file);
    h = history_open(db, true, &e);
    if (!h)
        fail_msg("%s", e.text);
}

/* Without the cases of a region, its query decides once, and its cases from then on. */
static void queries_decide_where_cases_are_not_known(void **state)
{
    (void)state;
    add_night(0, "reject-8-bit", few, NULL, NULL);
    change_file("UPDATE failing SET suite = 'another'");
    blames_each_run_for_its_new_failures(add_night(1, "reject-8-bit", few, NULL, NULL).series, 1);
    blames_each_run_for_its_new_failures(add_night(2, "reverse-start", few, NULL, NULL).series, 2);
}

static const char as_format_2[] =
    "ALTER TABLE series RENAME TO s; ALTER TABLE span RENAME TO n; ALTER TABLE region RENAME TO r; DROP TABLE failing;"
    "CREATE TABLE series(id INTEGER PRIMARY KEY, backend TEXT NOT NULL, device TEXT NOT NULL, options TEXT NOT NULL,"
    " level TEXT NOT NULL, tier TEXT NOT NULL, query TEXT NOT NULL,"
    " UNIQUE(backend, device, options, level, tier, query));"
    "CREATE TABLE region(id INTEGER PRIMARY KEY, test INTEGER NOT NULL, verdict INTEGER NOT NULL, query TEXT NOT NULL,"
    " example TEXT, exact INTEGER NOT NULL, UNIQUE(test, query));"
    "CREATE TABLE span(region INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, cases INTEGER NOT NULL,"
    " PRIMARY KEY(region, first)) WITHOUT ROWID;"
    "INSERT INTO series SELECT id, backend, device, options, level, tier, query FROM s;"
    "INSERT INTO region SELECT * FROM r; INSERT INTO span SELECT region, first, last, cases FROM n;"
    "DROP TABLE s; DROP TABLE r; DROP TABLE n; PRAGMA user_version = 2;";

static void a_history_of_format_2_goes_on(void **state)
{
    (void)state;
    add_night(0, "reject-8-bit", few, NULL, NULL);
    change_file(as_format_2);
    assert_string_equal(series_names(), "1 ; ");
    blames_each_run_for_its_new_failures(add_night(1, "reject-8-bit", few, NULL, NULL).series, 1);
    assert_string_equal(series_names(), "1 openvino; "); /* the series has the facts of its next run */
    blames_each_run_for_its_new_failures(add_night(2, "reverse-start", few, NULL, NULL).series, 2);
    /* A series of several versions names them, and ends. */
    char text[64] = "";
    change_file("UPDATE run SET version = '0' WHERE id = 1");
    change_file(as_format_2);
    assert_string_equal(series_names(), "0, 1 ; ");
    const history_run next = add_night(3, "reverse-start", few, NULL, NULL);
    assert_string_equal(series_names(), "0, 1 ; 1 openvino; ");
    must(history_each_region(h, next.series, 0, take_since, text, &e));
    assert_string_equal(text, "2024-01-03 of version 1, 1 runs");
}

/* Make a history as nightly runs would, with faults that come and go, a pause, another profile and another version. */
static int make(const char *path)
{
    static const struct {
        size_t day;
        const char *fault, *key, *value;
    } nights[] = { { 0, "none", NULL, NULL },
                   { 1, "none", NULL, NULL },
                   { 2, "reject-8-bit", NULL, NULL },
                   { 3, "reject-8-bit", NULL, NULL },
                   { 3, "reject-8-bit", STORE_PROFILE, "numpy" },
                   { 11, "reverse-start", NULL, NULL },
                   { 12, "reverse-start", NULL, NULL },
                   { 13, "vector-tail", NULL, NULL },
                   { 14, "vector-tail", STORE_BACKEND_VERSION, "2" } };
    if (compare_rig_set_up(NULL) != 0)
        return 1;
    snprintf(db, sizeof db, "%s", path);
    if (!(h = history_open(db, true, &e)))
        return 1;
    for (size_t i = 0; i < sizeof nights / sizeof *nights; ++i)
        add_night(nights[i].day, nights[i].fault, few, nights[i].key, nights[i].value);
    history_close(h);
    return compare_rig_tear_down(NULL) == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    worker_run_if_spawned();
    if (argc == 3 && strcmp(argv[1], "--make") == 0)
        return make(argv[2]);

    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_overlap_with_an_older_fault_is_not_blamed, start, stop),
        cmocka_unit_test_setup_teardown(approximate_regions_blame_no_other_cases, start, stop),
        cmocka_unit_test_setup_teardown(runs_of_another_profile_or_version_are_a_series_of_their_own, start, stop),
        cmocka_unit_test_setup_teardown(queries_decide_where_cases_are_not_known, start, stop),
        cmocka_unit_test_setup_teardown(a_history_of_format_2_goes_on, start, stop),
    };
    return cmocka_run_group_tests(tests, compare_rig_set_up, compare_rig_tear_down);
}
