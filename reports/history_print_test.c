/* SPDX-License-Identifier: Apache-2.0 */
/* The texts, the JSON and the page of histories. */
#include "harness/base/platform.h"
#include "harness/testing/platform_testing.h"
#include "reports/history_html.h"
#include "reports/history_parts.h"
#include "reports/history_print.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static error e;
static char folder[] = "/tmp/history_print_test.XXXXXX";
static char path[sizeof folder + 16];
static history *h;

static void must(bool fine)
{
    if (!fine)
        fail_msg("%s", e.text);
}

static int64_t series(const char *profile)
{
    history_series s = { .backend = "<b>mine",
                         .version = "7",
                         .device = "d",
                         .options = "",
                         .level = "6_4",
                         .profile = profile,
                         .tier = "full",
                         .query = "" };
    must(history_add_series(h, &s, &e));
    return s.id;
}

static int64_t run(int64_t of, int day, uint64_t failed)
{
    char started[32];
    snprintf(started, sizeof started, "2024-02-%02dT12:30:00Z", day);
    history_run r = {
        .series = of, .started = started, .version = "7", .planned = 1000, .ran = 1000, .failed = failed
    };
    must(history_insert_run(h, &r, &e));
    return r.id;
}

/* A region of `test` that fails from one run to another. */
static void fails(int64_t test, const char *query, int64_t first, int64_t last, uint64_t cases, uint64_t before)
{
    history_span s = { .first = first, .since = first, .cases = cases, .before = before };
    must(history_add_region(h, test, VERDICT_MISMATCH, query, "o:t:x=1", true, &s.region, &e));
    must(history_set_span(h, &s, last, &e));
}

/* Two series: in one, an old region, a new one and one that was mended, in runs on uneven days; nothing in the other.
 */
static int set_up(void **state)
{
    (void)state;
    if (testing_folder(folder) != 0)
        return -1;
    snprintf(path, sizeof path, "%s/h.db", folder);
    h = history_open(path, true, &e);
    if (!h)
        return -1;
    const int64_t of = series("openvino");
    int64_t test;
    must(history_add_test(h, of, "o:t", &test, &e));
    const int64_t first = run(of, 1, 900), second = run(of, 2, 5), last = run(of, 11, 1205);
    fails(test, "o:t where mended", first, first, 895, 0);
    fails(test, "o:t where old & <i>", first, last, 5, 0);
    fails(test, "o:t where new", last, last, 1200, 3);
    run(series("numpy"), 3, 0);
    return second > first ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    history_close(h);
    return testing_remove(folder);
}

static char *printed(bool (*print)(history *, uint64_t, FILE *, error *), uint64_t most)
{
    FILE *f = platform_temporary_file();
    assert_non_null(f);
    must(print(h, most, f, &e));
    return testing_end_text(f);
}

static void holds(const char *all, const char *part)
{
    if (!strstr(all, part))
        fail_msg("no \"%s\" in %s", part, all);
}

static void the_text_names_series_by_what_differs(void **state)
{
    (void)state;
    char *all = printed(history_print_text, 2);
    holds(all, "1 of 2 series fails, 1 with failures that are new in the last run\n");
    holds(all, "<b>mine, profile openvino\n  version 7, profile openvino, level 6_4, tier full, device d\n");
    holds(all, "<b>mine, profile numpy\n");
    holds(all, "since 2024-02-01T12:30:00Z (3 runs)  5 mismatch  'o:t where old & <i>'\n");
    holds(all, "1200 mismatch  'o:t where new'  (3 other cases of it failed before)\n");
    holds(all, "from 2024-02-01T12:30:00Z to 2024-02-01T12:30:00Z (1 run)  895 mismatch  'o:t where mended'\n");
    assert_null(strstr(all, "900 failed")); /* the last two runs alone */
    free(all);
}

static void json_has_what_the_text_has(void **state)
{
    (void)state;
    char *all = printed(history_print_json, 0);
    json_t *r = json_loads(all, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(r);
    const json_t *list = json_object_get(r, "series"), *first = json_array_get(list, 0);
    assert_int_equal(json_array_size(list), 2);
    assert_string_equal(json_string_value(json_object_get(first, "name")), "<b>mine, profile openvino");
    assert_int_equal(json_array_size(json_object_get(first, "runs")), 3);
    assert_int_equal(json_array_size(json_object_get(first, "regions")), 3);
    assert_int_equal(json_integer_value(json_object_get(first, "failing")), 1205);
    assert_int_equal(json_integer_value(json_object_get(first, "begins")), 1200);
    json_decref(r);
    free(all);
}

static void bars_stand_where_their_dates_are(void **state)
{
    (void)state;
    char name[sizeof folder + 16];
    snprintf(name, sizeof name, "%s/h.html", folder);
    must(history_html(h, name, &e));
    FILE *f = fopen(name, "rb");
    assert_non_null(f);
    char *page = testing_end_text(f);
    remove(name);
    /* Days 1, 2 and 11: the second bar stands at a tenth of the way. */
    holds(page, "<line class=\"failed\" x1=\"12.0\"");
    holds(page, "<line class=\"failed\" x1=\"109.6\"");
    holds(page, "<line class=\"failed\" x1=\"988.0\"");
    holds(page, ">2024-02-01</span>");
    holds(page, ">2024-02-11</span>");
    holds(page, "&lt;b&gt;mine, profile numpy");
    holds(page, "o:t where old &amp; &lt;i&gt;");
    assert_true(strstr(page, "o:t where new") < strstr(page, "o:t where old")); /* what is new is first */
    assert_null(strstr(page, "<b>mine"));
    assert_null(strstr(page, "<script"));
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_text_names_series_by_what_differs),
        cmocka_unit_test(json_has_what_the_text_has),
        cmocka_unit_test(bars_stand_where_their_dates_are),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
