/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/store/history.h"
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
    history_series s = {
        .backend = backend, .device = "d", .options = "", .level = "6_4", .tier = "full", .query = ""
    };
    must(history_add_series(h, &s, &e));
    return s.id;
}

static int64_t night(history *h, int64_t of, int day, uint64_t failed)
{
    char started[32];
    snprintf(started, sizeof started, "20%02d-%02d-%02dT01:00:00Z", 20 + day / 360, day / 30 % 12 + 1, day % 30 + 1);
    history_night n = {
        .series = of, .started = started, .version = "1", .planned = 100, .ran = 100, .failed = failed
    };
    must(history_add_night(h, &n, &e));
    return n.id;
}

static int64_t fails(history *h, int64_t test, const char *query, int64_t at, uint64_t cases)
{
    int64_t id;
    must(history_add_region(h, test, VERDICT_MISMATCH, query, "x", true, &id, &e));
    must(history_fails(h, id, at, cases, &e));
    return id;
}

typedef struct spans {
    char text[1024];
} spans;

static bool take_span(void *context, const history_region *r)
{
    spans *s = context;
    size_t used = strlen(s->text);
    snprintf(s->text + used, sizeof s->text - used, "%s %.10s..%.10s %" PRIu64 " nights %" PRIu64 "%s; ", r->query,
             r->first_night, r->last_night, r->nights, r->cases, r->open ? " open" : "");
    return true;
}

static const char *spans_of(history *h, int64_t of)
{
    static spans s;
    s.text[0] = '\0';
    must(history_each_region(h, of, 0, take_span, &s, &e));
    return s.text;
}

static void a_region_keeps_its_first_bad_night(void **state)
{
    (void)state;
    history *h = history_open(path, true, &e);
    assert_non_null(h);
    int64_t of = series(h, "a"), other = series(h, "b"), test;
    assert_int_equal(series(h, "a"), of);
    must(history_add_test(h, of, "o:t", &test, &e));
    int64_t n1 = night(h, of, 0, 3);
    fails(h, test, "q", n1, 3);
    night(h, other, 0, 0); /* nights of another series lie between and do not count */
    int64_t n2 = night(h, of, 1, 5);
    fails(h, test, "q", n2, 4);
    fails(h, test, "r", n2, 1);
    assert_string_equal(spans_of(h, of),
                        "q 2020-01-01..2020-01-02 2 nights 4 open; r 2020-01-02..2020-01-02 1 nights 1 open; ");
    night(h, of, 2, 0);
    int64_t n4 = night(h, of, 3, 1);
    fails(h, test, "q", n4, 1);
    assert_string_equal(spans_of(h, of),
                        "q 2020-01-04..2020-01-04 1 nights 1 open; q 2020-01-01..2020-01-02 2 nights 4; "
                        "r 2020-01-02..2020-01-02 1 nights 1; ");
    assert_string_equal(spans_of(h, other), "");
    history_close(h);
}

static void nights_come_once_and_in_order(void **state)
{
    (void)state;
    history *h = history_open(path, true, &e);
    int64_t of = series(h, "a");
    night(h, of, 5, 0);
    for (int day = 4; day <= 5; ++day) {
        char started[32];
        snprintf(started, sizeof started, "2020-01-%02dT01:00:00Z", day + 1);
        history_night n = { .series = of, .started = started };
        assert_false(history_add_night(h, &n, &e));
        assert_int_equal(e.status, EXIT_BAD_USAGE);
        assert_non_null(strstr(e.text, "in order"));
    }
    history_close(h);
}

static void what_is_rolled_back_is_not_there(void **state)
{
    (void)state;
    history *h = history_open(path, true, &e);
    must(history_begin(h, &e));
    int64_t of = series(h, "a");
    night(h, of, 1, 0);
    history_rollback(h);
    must(history_begin(h, &e));
    of = series(h, "a");
    night(h, of, 1, 0);
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

/* A history as large as years make it: `nights` of 240 tests and 100 failing regions, of which one in a hundred is
   fixed each night and another one begins, and in which the counts of ten tests move. */
static int make(const char *name, int nights)
{
    history *h = history_open(name, true, &e);
    bool fine = h != NULL;
    int64_t tests[240], ids[100];
    for (int n = 0; fine && n < nights; ++n) {
        char query[256];
        must(history_begin(h, &e));
        int64_t of = series(h, "cpu"), at = night(h, of, n, 1000);
        for (int t = 0; t < 240; ++t) {
            snprintf(query, sizeof query, "dml.operator%d:test-of-some-length-%d", t % 5, t);
            must(history_add_test(h, of, query, &tests[t], &e));
            must(history_set_count(h, tests[t], VERDICT_PASS, at, 33000 + (t < 10 ? (uint64_t)(n % 7) : 0), &e));
            must(history_set_count(h, tests[t], VERDICT_MISMATCH, at, t < 10 ? 1000 + (uint64_t)(n % 7) : 0, &e));
        }
        for (int r = 0; r < 100; ++r) {
            if (n == 0 || r == n % 100) {
                snprintf(query, sizeof query,
                         "dml.operator%d:test-of-some-length-%d where dtype in {f16, bf16} and rank == %d and not "
                         "(stride >= 0) and size[rank] == %d",
                         r % 5, r, r % 8, n);
                must(history_add_region(h, tests[r], VERDICT_MISMATCH, query, "dml.operator1:test:dtype=f16,size=4.4.4",
                                        true, &ids[r], &e));
            }
            must(history_fails(h, ids[r], at, 100 + (uint64_t)n % 3, &e));
        }
        must(history_commit(h, &e));
    }
    history_close(h);
    return fine ? 0 : 1;
}

static void a_month_is_small(void **state)
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
        cmocka_unit_test_setup(a_region_keeps_its_first_bad_night, no_file),
        cmocka_unit_test_setup(nights_come_once_and_in_order, no_file),
        cmocka_unit_test_setup(what_is_rolled_back_is_not_there, no_file),
        cmocka_unit_test_setup(other_files_are_refused, no_file),
        cmocka_unit_test_setup(a_month_is_small, no_file),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
