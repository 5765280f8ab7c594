/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/store/history.h"
#include "harness/store/small_disk_testing.h"
#include "harness/testing/platform_testing.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/history_test.XXXXXX";
static char path[sizeof folder + 16];

static int set_up(void **state)
{
    (void)state;
    if (testing_folder(folder) != 0)
        return -1;
    snprintf(path, sizeof path, "%s/h.db", folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return unlink(path) | rmdir(folder);
}

static int no_file(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

static error e;

static void must(bool fine)
{
    if (!fine)
        fail_msg("%s", e.text);
}

static int64_t series(history *h, const char *backend)
{
    history_series s = { .backend = backend,
                         .version = "1",
                         .device = "d",
                         .options = "",
                         .level = "6_4",
                         .profile = "",
                         .tier = "full",
                         .query = "" };
    must(history_add_series(h, &s, &e));
    return s.id;
}

static int64_t run_on(history *h, int64_t of, int day, uint64_t failed)
{
    char started[32];
    snprintf(started, sizeof started, "20%02d-%02d-%02dT01:00:00Z", 20 + day / 360, day / 30 % 12 + 1, day % 30 + 1);
    history_run r = { .series = of, .started = started, .version = "1", .planned = 100, .ran = 100, .failed = failed };
    must(history_insert_run(h, &r, &e));
    return r.id;
}

static void fails(history *h, int64_t test, const char *query, int64_t first, int64_t at, uint64_t cases)
{
    history_span s = { .first = first, .since = first, .cases = cases };
    must(history_add_region(h, test, VERDICT_MISMATCH, query, "x", true, &s.region, &e));
    must(history_set_span(h, &s, at, &e));
}

typedef struct spans {
    char text[1024];
} spans;

static bool take_span(void *context, const history_region *r)
{
    spans *s = context;
    size_t used = strlen(s->text);
    snprintf(s->text + used, sizeof s->text - used, "%s %.10s..%.10s %" PRIu64 " runs %" PRIu64 "%s; ", r->query,
             r->first_started, r->last_started, r->runs, r->cases, r->failing ? " failing" : "");
    return true;
}

static const char *spans_of(history *h, int64_t of)
{
    static spans s;
    s.text[0] = '\0';
    must(history_each_region(h, of, 0, take_span, &s, &e));
    return s.text;
}

static void a_region_keeps_its_first_failing_run(void **state)
{
    (void)state;
    history *h = history_open(path, true, &e);
    assert_non_null(h);
    int64_t of = series(h, "a"), other = series(h, "b"), test;
    assert_int_equal(series(h, "a"), of);
    must(history_add_test(h, of, "o:t", &test, &e));
    int64_t r1 = run_on(h, of, 0, 3);
    fails(h, test, "q", r1, r1, 3);
    run_on(h, other, 0, 0); /* runs of another series do not count */
    int64_t r2 = run_on(h, of, 1, 5);
    fails(h, test, "q", r1, r2, 4);
    fails(h, test, "r", r2, r2, 1);
    assert_string_equal(spans_of(h, of),
                        "q 2020-01-01..2020-01-02 2 runs 4 failing; r 2020-01-02..2020-01-02 1 runs 1 failing; ");
    run_on(h, of, 2, 0);
    int64_t r4 = run_on(h, of, 3, 1);
    fails(h, test, "q", r4, r4, 1);
    assert_string_equal(spans_of(h, of),
                        "q 2020-01-04..2020-01-04 1 runs 1 failing; q 2020-01-01..2020-01-02 2 runs 4; "
                        "r 2020-01-02..2020-01-02 1 runs 1; ");
    assert_string_equal(spans_of(h, other), "");
    history_close(h);
}

static void runs_are_added_once_and_in_order(void **state)
{
    (void)state;
    history *h = history_open(path, true, &e);
    int64_t of = series(h, "a");
    run_on(h, of, 5, 0);
    for (int day = 4; day <= 5; ++day) {
        char started[32];
        snprintf(started, sizeof started, "2020-01-%02dT01:00:00Z", day + 1);
        history_run r = { .series = of, .started = started };
        assert_false(history_insert_run(h, &r, &e));
        assert_int_equal(e.status, EXIT_BAD_USAGE);
        assert_non_null(strstr(e.text, "in order"));
    }
    history_close(h);
}

static void a_rolled_back_run_is_not_added(void **state)
{
    (void)state;
    history *h = history_open(path, true, &e);
    must(history_begin(h, &e));
    int64_t of = series(h, "a");
    run_on(h, of, 1, 0);
    history_rollback(h);
    must(history_begin(h, &e));
    of = series(h, "a");
    run_on(h, of, 1, 0);
    must(history_commit(h, &e));
    history_close(h);
    h = history_open(path, false, &e);
    assert_non_null(h);
    history_close(h);
}

static void other_files_are_refused(void **state)
{
    (void)state;
    assert_null(history_open(path, false, &e));
    assert_non_null(strstr(e.text, "no such history"));
    store *s = store_create(path, &e);
    assert_non_null(s);
    store_close(s);
    assert_null(history_open(path, true, &e));
    assert_non_null(strstr(e.text, "is a run, not a history"));
    assert_int_equal(e.status, EXIT_BAD_USAGE);
    FILE *f = fopen(path, "w");
    fputs("some text that is no database, and long enough not to be taken for an empty one. some more of it.", f);
    fclose(f);
    assert_null(history_open(path, true, &e));
    assert_int_equal(e.status, EXIT_BAD_USAGE);
}

/* ---- files of format 1 ---- */

/* A file of format 1: three runs, a region that fails in all of them, and one that was fixed. */
static const char format_1[] =
    "PRAGMA application_id = 1414744137; PRAGMA user_version = 1;"
    "CREATE TABLE series(id INTEGER PRIMARY KEY, backend TEXT NOT NULL, device TEXT NOT NULL, options TEXT NOT NULL,"
    " level TEXT NOT NULL, tier TEXT NOT NULL, query TEXT NOT NULL,"
    " UNIQUE(backend, device, options, level, tier, query));"
    "CREATE TABLE night(id INTEGER PRIMARY KEY, series INTEGER NOT NULL, started TEXT NOT NULL, version TEXT, driver"
    " TEXT, suite TEXT, digest TEXT, seconds REAL, owed INTEGER NOT NULL, ran INTEGER NOT NULL, failed INTEGER NOT"
    " NULL, waived INTEGER NOT NULL, unsupported INTEGER NOT NULL, UNIQUE(series, started));"
    "CREATE TABLE test(id INTEGER PRIMARY KEY, series INTEGER NOT NULL, name TEXT NOT NULL, UNIQUE(series, name));"
    "CREATE TABLE count(test INTEGER NOT NULL, verdict INTEGER NOT NULL, night INTEGER NOT NULL,"
    " cases INTEGER NOT NULL, PRIMARY KEY(test, verdict, night)) WITHOUT ROWID;"
    "CREATE TABLE region(id INTEGER PRIMARY KEY, test INTEGER NOT NULL, verdict INTEGER NOT NULL, query TEXT NOT NULL,"
    " example TEXT, exact INTEGER NOT NULL, UNIQUE(test, query));"
    "CREATE TABLE span(region INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, cases INTEGER NOT NULL,"
    " PRIMARY KEY(region, first)) WITHOUT ROWID;"
    "INSERT INTO series VALUES(1, 'a', 'd', '', '6_4', 'full by nights', '');"
    "INSERT INTO night VALUES(1, 1, '2020-01-01T01:00:00Z', '1', 'x', 's', 'g', 1.5, 100, 99, 5, 2, 1);"
    "INSERT INTO night VALUES(2, 1, '2020-01-02T01:00:00Z', '1', 'x', 's', 'g', 2.5, 100, 99, 4, 2, 1);"
    "INSERT INTO night VALUES(3, 1, '2020-01-03T01:00:00Z', '2', 'x', 's', 'g', 3.5, 100, 99, 4, 2, 1);"
    "INSERT INTO test VALUES(1, 1, 'o:t');"
    "INSERT INTO count VALUES(1, 2, 1, 5); INSERT INTO count VALUES(1, 2, 2, 4);"
    "INSERT INTO region VALUES(1, 1, 2, 'q', 'x', 1); INSERT INTO region VALUES(2, 1, 2, 'r', 'y', 0);"
    "INSERT INTO span VALUES(1, 1, 3, 4); INSERT INTO span VALUES(2, 1, 1, 1);";

static const char spans_of_format_1[] =
    "q 2020-01-01..2020-01-03 3 runs 4 failing; r 2020-01-01..2020-01-01 1 runs 1; ";

static void make_format_1(bool with_coverage)
{
    static const char text[] =
        "{\"key\":\"0123456789abcdef0123456789abcdef\",\"night\":0,\"since\":0,\"round\":0,\"portions\":5,\"first\":0,"
        "\"end\":5,\"total\":1000,\"ran\":10,\"round_ran\":10,\"ever\":10,\"chained\":true,\"over\":true}";
    sqlite3 *db;
    unlink(path);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, format_1, NULL, NULL, NULL), SQLITE_OK);
    if (with_coverage) {
        char *insert = sqlite3_mprintf("INSERT INTO coverage VALUES(3, %Q)", text);
        assert_int_equal(
            sqlite3_exec(db, "CREATE TABLE coverage(night INTEGER PRIMARY KEY, text TEXT NOT NULL)", NULL, NULL, NULL),
            SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, insert, NULL, NULL, NULL), SQLITE_OK);
        sqlite3_free(insert);
    }
    sqlite3_close(db);
}

static int64_t number_in_file(const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *row;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    const int64_t number = sqlite3_column_int64(row, 0);
    sqlite3_finalize(row);
    sqlite3_close(db);
    return number;
}

static bool note_run(void *context, const history_run *r)
{
    spans *s = context;
    size_t used = strlen(s->text);
    snprintf(s->text + used, sizeof s->text - used, "%.10s %s %s %s %s %g %" PRIu64 " %" PRIu64 " %" PRIu64 "; ",
             r->started, r->version, r->driver, r->suite, r->digest, r->seconds, r->planned, r->ran, r->failed);
    return true;
}

static bool note_series(void *context, const history_series *s)
{
    spans *to = context;
    snprintf(to->text, sizeof to->text, "%s %s %s %s %s%s", s->backend, s->version, s->device, s->level, s->tier,
             s->profile);
    return true;
}

static bool note_query(void *context, history_failing *f)
{
    spans *s = context;
    strcat(s->text, f->query);
    return true;
}

/* Everything in the file that make_format_1 made can be read. */
static void has_all_of_format_1(history *h, bool with_coverage)
{
    spans s = { "" };
    coverage c;
    bool found;
    must(history_each_series(h, note_series, &s, &e));
    assert_string_equal(s.text, "a 1, 2 d 6_4 full by sessions");
    s.text[0] = '\0';
    must(history_each_run(h, 1, 0, note_run, &s, &e));
    assert_string_equal(s.text, "2020-01-01 1 x s g 1.5 100 99 5; 2020-01-02 1 x s g 2.5 100 99 4; "
                                "2020-01-03 2 x s g 3.5 100 99 4; ");
    assert_string_equal(spans_of(h, 1), spans_of_format_1);
    s.text[0] = '\0';
    must(history_each_failing(h, 1, "o:t", note_query, &s, &e));
    assert_string_equal(s.text, "r");
    must(history_coverage(h, 3, &c, &found, &e));
    assert_int_equal(found, with_coverage);
    assert_true(!found || (c.total == 1000 && c.ran == 10 && c.slices == 5));
    must(history_coverage(h, 2, &c, &found, &e));
    assert_false(found);
}

static void reading_leaves_a_file_of_format_1_unchanged(void **state)
{
    (void)state;
    for (int with_coverage = 0; with_coverage < 2; ++with_coverage) {
        make_format_1(with_coverage);
        history *h = history_open(path, false, &e);
        if (!h)
            fail_msg("%s", e.text);
        has_all_of_format_1(h, with_coverage);
        history_close(h);
        assert_int_equal(number_in_file("PRAGMA user_version"), 1);
        assert_int_equal(number_in_file("SELECT count(*) FROM night"), 3);
    }
}

static void opening_for_writing_converts_format_1(void **state)
{
    (void)state;
    for (int with_coverage = 0; with_coverage < 2; ++with_coverage) {
        make_format_1(with_coverage);
        for (int opened = 0; opened < 2; ++opened) { /* the second time it has the current format */
            history *h = history_open(path, true, &e);
            if (!h)
                fail_msg("%s", e.text);
            has_all_of_format_1(h, with_coverage);
            history_close(h);
            assert_int_equal(number_in_file("PRAGMA user_version"), HISTORY_FORMAT);
            assert_int_equal(number_in_file("SELECT sum(planned) FROM run"), 300);
            assert_int_equal(number_in_file("SELECT count(*) FROM count WHERE run = 2"), 1);
            assert_int_equal(number_in_file("SELECT count(*) FROM sqlite_schema WHERE name = 'night'"), 0);
        }
        history *h = history_open(path, true, &e);
        assert_non_null(h);
        int64_t at = run_on(h, 1, 3, 1), test;
        must(history_add_test(h, 1, "o:t", &test, &e));
        assert_int_equal(test, 1);
        fails(h, test, "q", 1, at, 7);
        assert_string_equal(spans_of(h, 1), "q 2020-01-01..2020-01-04 4 runs 7 failing; "
                                            "r 2020-01-01..2020-01-01 1 runs 1; ");
        history_close(h);
    }
}

/* The disk fills up at each write of the conversion in turn. */
static void an_interrupted_conversion_loses_nothing(void **state)
{
    (void)state;
    bool converted = false;
    int interrupted = 0;
    small_disk_begin();
    for (int allowed = 0; !converted && allowed < 1000; ++allowed) {
        small_disk_writes_left = 1000000;
        make_format_1(true);
        small_disk_writes_left = allowed;
        history *h = history_open(path, true, &e);
        converted = h != NULL;
        interrupted += !converted;
        history_close(h);
        small_disk_writes_left = 1000000;
        const int64_t format = number_in_file("PRAGMA user_version");
        assert_true(converted ? format == HISTORY_FORMAT : format == 1 || format == HISTORY_FORMAT);
        h = history_open(path, format == HISTORY_FORMAT, &e);
        if (!h)
            fail_msg("after %d writes: %s", allowed, e.text);
        has_all_of_format_1(h, true);
        history_close(h);
    }
    small_disk_end();
    assert_true(converted && interrupted > 0);
}

/* ---- size ---- */

/* Make a history with so many runs of 240 tests and 100 failing regions. In each run one region is fixed, another one
   begins, and the counts of ten tests change. */
static int make(const char *name, int runs)
{
    history *h = history_open(name, true, &e);
    bool fine = h != NULL;
    int64_t tests[240], ids[100], begun[100];
    for (int n = 0; fine && n < runs; ++n) {
        char query[256];
        must(history_begin(h, &e));
        int64_t of = series(h, "cpu"), at = run_on(h, of, n, 1000);
        for (int t = 0; t < 240; ++t) {
            snprintf(query, sizeof query, "dml.operator%d:test-of-some-length-%d", t % 5, t);
            must(history_add_test(h, of, query, &tests[t], &e));
            must(history_set_count(h, tests[t], VERDICT_PASS, at, 33000 + (t < 10 ? (uint64_t)(n % 7) : 0), &e));
            must(history_set_count(h, tests[t], VERDICT_MISMATCH, at, t < 10 ? 1000 + (uint64_t)(n % 7) : 0, &e));
        }
        for (int r = 0; r < 100; ++r) {
            if (n == 0 || r == n % 100) {
                snprintf(query, sizeof query,
                         "dml.operator%d:test-of-some-length-%d where dtype in {f16, bf16} and rank == %d and "
                         "any(stride < 0) and size[rank] == %d",
                         r % 5, r, r % 8, n);
                must(history_add_region(h, tests[r], VERDICT_MISMATCH, query, "dml.operator1:test:dtype=f16,size=4.4.4",
                                        true, &ids[r], &e));
                begun[r] = at;
            }
            history_span s = { ids[r], begun[r], begun[r], 100 + (uint64_t)n % 3, 0, 0 };
            must(history_set_span(h, &s, at, &e));
        }
        must(history_commit(h, &e));
    }
    history_close(h);
    return fine ? 0 : 1;
}

static void a_history_of_a_month_stays_small(void **state)
{
    (void)state;
    assert_int_equal(make(path, 30), 0);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    assert_true(ftell(f) < 200000);
    fclose(f);
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "--make") == 0)
        return make(argv[2], atoi(argv[3]));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_region_keeps_its_first_failing_run, no_file),
        cmocka_unit_test_setup(runs_are_added_once_and_in_order, no_file),
        cmocka_unit_test_setup(a_rolled_back_run_is_not_added, no_file),
        cmocka_unit_test_setup(other_files_are_refused, no_file),
        cmocka_unit_test_setup(reading_leaves_a_file_of_format_1_unchanged, no_file),
        cmocka_unit_test_setup(opening_for_writing_converts_format_1, no_file),
        cmocka_unit_test_setup(an_interrupted_conversion_loses_nothing, no_file),
        cmocka_unit_test_setup(a_history_of_a_month_stays_small, no_file),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
