/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/waivers.h"
#include "harness/testing/platform_testing.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define DAY             86400
#define NOON_2026_11_21 1795262400 /* 2026-11-21T12:00:00Z */

static char folder[] = "/tmp/waivers_test.XXXXXX";

static const char *file(const char *name, const char *text)
{
    static char path[sizeof folder + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
    return path;
}

static int set_up(void **state)
{
    (void)state;
    return testing_folder(folder);
}

static int tear_down(void **state)
{
    (void)state;
    return testing_remove(folder);
}

#define REST "reason = 'r', owner = 'o', link = 'l'"

static void both_kinds_of_file_are_read(void **state)
{
    (void)state;
    waivers w;
    error e = { .text = "" };
    if (!waivers_load(
            &w,
            file("a.lua", "local d = '2026-12-31'\nreturn { { query = 'a.b:c where x == 1', " REST ", expires = d } }"),
            NOON_2026_11_21, &e))
        fail_msg("%s", e.text);
    assert_int_equal(w.count, 1);
    assert_string_equal(w.list[0].query.predicate, "x == 1");
    assert_string_equal(w.list[0].expires, "2026-12-31");
    waivers_free(&w);
    if (!waivers_load(&w,
                      file("a.json", "[{\"query\": \"*\", \"reason\": \"r\", \"owner\": \"o\", \"link\": \"l\","
                                     " \"expires\": \"2024-02-29\"}]"),
                      NOON_2026_11_21, &e))
        fail_msg("%s", e.text);
    assert_true(w.list[0].expired);
    waivers_free(&w);
    file("shared.lua", "local days = ...\nreturn { { query = '*', " REST ", expires = days } }");
    assert_true(waivers_load(&w, file("b.lua", "return shared('2026-12-31')"), NOON_2026_11_21, &e));
    assert_string_equal(w.list[0].expires, "2026-12-31");
    waivers_free(&w);
    assert_true(waivers_load(&w, file("none.lua", "return {}"), NOON_2026_11_21, &e));
    assert_int_equal(w.count, 0);
    waivers_free(&w);
}

static void the_day_of_expiry_is_the_last_that_counts(void **state)
{
    (void)state;
    const char *path = file("day.lua", "return { { query = '*', " REST ", expires = '2026-11-21' } }");
    static const struct {
        time_t now;
        bool expired;
    } rows[] = { { NOON_2026_11_21 - DAY, false },
                 { NOON_2026_11_21, false },
                 { NOON_2026_11_21 + DAY / 2 - 1, false },
                 { NOON_2026_11_21 + DAY / 2, true } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        waivers w;
        error e;
        assert_true(waivers_load(&w, path, rows[i].now, &e));
        assert_int_equal(w.list[0].expired, rows[i].expired);
        waivers_free(&w);
    }
}

static void bad_files_are_refused_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *expected;
    } rows[] = {
        { "x.txt", "", "ends in .lua or .json" },
        { "x.lua", "return 1", "x.lua: it returns a number" },
        { "x.lua", "", "x.lua: it returns nothing, where" },
        { "x.lua", "return {\n{ query = }", "x.lua:2:" },
        { "x.lua", "return { 'a' }", "waiver 1: a waiver is a record" },
        { "x.lua", "return { { query = '*', " REST " } }", "waiver 1: expires is missing" },
        { "x.lua", "return { { query = '*' } }", "waiver 1: reason, owner, link, expires are missing" },
        { "x.lua", "return { { query = '*', expire = '2027-01-01' } }",
          "waiver 1: its fields: no field \"expire\" (did you mean \"expires\"?)" },
        { "x.lua", "return { { query = '*', " REST ", expires = 20270101 } }", "expires is missing" },
        { "x.lua", "return { { query = '*', " REST ", expires = '2027-02-29' } }", "expected a date such as" },
        { "x.lua", "return { { query = '*', " REST ", expires = '1.1.2027' } }", "expected a date such as" },
        { "x.lua", "return { { query = '*', " REST ", expires = '2027-01-01', ower = 'x' } }",
          "did you mean \"owner\"" },
        { "x.lua", "return { { query = 'a where ', " REST ", expires = '2027-01-01' } }",
          "waiver 1: query 'a where '" },
        { "x.lua", "return { { query = '* where all(stride < 0)', " REST ", expires = '2027-01-01' } }",
          "x.lua: waiver 1: query: in 'all(stride < 0)' at column 1: unknown function 'all'" },
        /* 100 GB of text from one string */
        { "x.lua", "local s, t = ('x'):rep(1 << 26), {}\nfor i = 1, 1600 do t[i] = s end\nreturn t",
          "x.lua: the list of waivers: needs more" },
        { "x.json", "{}", "expected a list" },
        { "x.json", "[\n{", "x.json:2:" },
        { "x.json", "", "x.json:1:" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        waivers w;
        error e = { .text = "" };
        assert_false(waivers_load(&w, file(rows[i].name, rows[i].text), NOON_2026_11_21, &e));
        if (!strstr(e.text, rows[i].expected))
            fail_msg("\"%s\" has not \"%s\"", e.text, rows[i].expected);
        assert_int_equal(e.status, EXIT_BAD_USAGE);
    }
    waivers w;
    error e;
    assert_false(waivers_load(&w, "/nowhere/x.json", 0, &e));
    assert_non_null(strstr(e.text, "/nowhere/x.json: No such file"));
}

static void too_many_and_repeated_waivers_are_found(void **state)
{
    (void)state;
    waivers w;
    error e = { .text = "" };
    assert_false(waivers_load(&w,
                              file("x.lua", "local t, w = {}, { query = '*', " REST ", expires = '2027-01-01' }\n"
                                            "for i = 1, 100001 do t[i] = w end\nreturn t"),
                              NOON_2026_11_21, &e));
    assert_non_null(strstr(e.text, "x.lua: holds 100001 waivers, where 100000 is the most"));
    assert_int_equal(e.status, EXIT_BAD_USAGE);
    char *text = malloc(WAIVERS_BYTES + 8);
    assert_non_null(text);
    memset(text, ' ', WAIVERS_BYTES + 7);
    text[WAIVERS_BYTES + 7] = '\0';
    assert_false(waivers_load(&w, file("long.json", text), NOON_2026_11_21, &e));
    free(text);
    assert_non_null(strstr(e.text, "long.json: is longer than 64 MiB"));
    assert_int_equal(e.status, EXIT_BAD_USAGE);
    if (!waivers_load(&w,
                      file("d.lua", "local function w(q, d) return { query = q, " REST ", expires = d } end\n"
                                    "return { w('*', '2030-01-01'), w('a', '2030-01-01'), w('*', '2020-01-01'),\n"
                                    "w('*', '2031-01-01'), w('*', '2021-01-01') }"),
                      NOON_2026_11_21, &e))
        fail_msg("%s", e.text);
    static const bool repeats[] = { false, false, false, true, true };
    for (size_t i = 0; i < 5; ++i)
        assert_int_equal(w.list[i].repeats, repeats[i]);
    assert_int_equal(w.list[3].original, 0);
    assert_int_equal(w.list[4].original, 2);
    waivers_free(&w);
}

static void written_waivers_are_read_back(void **state)
{
    (void)state;
    const char *text =
        "return { { query = 'a.b:* where d in {x, \"y-z\"}', reason = 'a \"b\" \\\\ \\1 \\n c', owner = 'o', "
        "link = 'l', expires = '2027-01-01' }, { query = '*', " REST ", expires = '2027-01-01' } }";
    waivers w, again;
    error e = { .text = "" };
    if (!waivers_load(&w, file("w.lua", text), NOON_2026_11_21, &e))
        fail_msg("%s", e.text);
    for (int lua = 0; lua < 2; ++lua) {
        char path[128];
        snprintf(path, sizeof path, "%s/again.%s", folder, lua ? "lua" : "json");
        FILE *f = fopen(path, "w");
        assert_true(waivers_write(w.list, w.count, lua, f));
        fclose(f);
        if (!waivers_load(&again, path, NOON_2026_11_21, &e))
            fail_msg("%s", e.text);
        assert_int_equal(again.count, 2);
        assert_string_equal(again.list[0].query.text, w.list[0].query.text);
        assert_string_equal(again.list[0].reason, w.list[0].reason);
        waivers_free(&again);
    }
    waivers_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_kinds_of_file_are_read),
        cmocka_unit_test(the_day_of_expiry_is_the_last_that_counts),
        cmocka_unit_test(bad_files_are_refused_with_their_place),
        cmocka_unit_test(too_many_and_repeated_waivers_are_found),
        cmocka_unit_test(written_waivers_are_read_back),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
