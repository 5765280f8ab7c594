/* SPDX-License-Identifier: Apache-2.0 */
/* The texts, JSON and page of comparisons of real runs. */
#include "harness/base/platform.h"
#include "harness/testing/compare_rig.h"
#include "harness/testing/platform_testing.h"
#include "reports/compare_html.h"
#include "reports/compare_print.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static error e;
static compare_set set;
static compare c;

static int free_comparison(void **state)
{
    (void)state;
    compare_free(&c);
    compare_set_free(&set);
    return 0;
}

static void compare_two(compare_backend first, compare_backend second, const char *query)
{
    const compare_backend list[] = { first, second };
    const run_options o = compare_rig_options(&query);
    if (!compare_run_backends(&set, list, 2, &o, NULL, &e) || !compare_runs(&c, set.sides, set.count, &e))
        fail_msg("%s", e.text);
}

/* The output of a printer; the caller frees it. */
static char *printed(bool (*print)(const compare *, FILE *, error *))
{
    FILE *f = platform_temporary_file();
    assert_non_null(f);
    assert_true(print(&c, f, &e));
    return testing_end_text(f);
}

/* The headline; valid until the next call. */
static const char *headline(void)
{
    static char text[COMPARE_HEADLINE_SIZE];
    return compare_headline(&c, text, sizeof text);
}

static void the_headline_names_the_sides_that_differ(void **state)
{
    (void)state;
    compare_two(compare_rig_backend("cpu", NULL, NULL), compare_rig_backend("cpu", NULL, NULL), "dml.slice1:examples");
    assert_string_equal(headline(), "All agree with the reference in all cases");
    free_comparison(NULL);
    compare_two(compare_rig_backend("faulty", "vector-tail", "mine"), compare_rig_backend("cpu", NULL, NULL),
                "dml.slice1:examples");
    char expected[96];
    snprintf(expected, sizeof expected, "mine differs from cpu in %llu of %llu cases",
             (unsigned long long)c.total.sides[0][COMPARE_FAIL], (unsigned long long)c.total.cases);
    assert_true(c.total.sides[0][COMPARE_FAIL] > 1);
    assert_string_equal(headline(), expected);
    free_comparison(NULL);
    compare_two(compare_rig_backend("cpu", NULL, NULL), compare_rig_backend("example", NULL, NULL),
                "dml.element_wise_identity:examples");
    assert_string_equal(headline(), "All agree with the reference in the cases that they support");
    free_comparison(NULL);
    compare_two(compare_rig_backend("cpu", NULL, NULL), compare_rig_backend("example", NULL, NULL),
                "dml.gather:examples");
    assert_string_equal(headline(), "No case is supported by all");
}

/* The sides that differ are named by the number of cases, most first, and measured by a side that fails nothing. */
static void the_headline_measures_by_a_side_that_fails_nothing(void **state)
{
    (void)state;
    const compare_backend list[] = { compare_rig_backend("faulty", "reject-8-bit", "narrow"),
                                     compare_rig_backend("cpu", NULL, NULL),
                                     compare_rig_backend("faulty", "first-element", "first"),
                                     compare_rig_backend("faulty", "none", "fine") };
    const char *const query = "dml.slice1:examples";
    const run_options o = compare_rig_options(&query);
    char expected[160];
    assert_true(compare_run_backends(&set, list, 4, &o, NULL, &e) && compare_runs(&c, set.sides, set.count, &e));
    const uint64_t narrow = compare_differing(&c, 1, 0), first = compare_differing(&c, 2, 1);
    assert_int_equal(narrow, c.total.sides[0][COMPARE_FAIL]);
    assert_true(first > narrow && narrow > 0);
    assert_int_equal(compare_base(&c), 1);
    snprintf(expected, sizeof expected, "first differs from cpu in %llu of %llu cases, narrow in %llu, fine in none",
             (unsigned long long)first, (unsigned long long)c.total.cases, (unsigned long long)narrow);
    assert_string_equal(headline(), expected);
    free_comparison(NULL);
    /* Where all fail, the reference is the measure. */
    compare_two(list[0], list[2], query);
    assert_int_equal(compare_base(&c), 2);
    assert_non_null(strstr(headline(), "first differs from the reference in "));
}

static void behaviours_are_answers_in_words(void **state)
{
    (void)state;
    static const char *const rows[][2] = { { "our decision (clamped index)", "clamped index, as decided" },
                                           { "our decision", "as decided" },
                                           { "another known interpretation (flat clamp)", "flat clamp" },
                                           { "other than our decision (zero)", "zeros" },
                                           { "other than our decision (not written)", "output not written" },
                                           { "other than our decision (sizes [2,1])", "sizes [2,1]" },
                                           { "accepted: our decision", "accepted: as decided" },
                                           { "accepted: other than our decision (zero)", "accepted: zeros" },
                                           { "accepted", "accepted" },
                                           { "refused", "refused" } };
    char answer[COMPARE_BEHAVIOUR_SIZE];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        assert_string_equal(compare_answer(rows[i][0], answer, sizeof answer), rows[i][1]);
}

static void text_json_and_page_have_the_same_content(void **state)
{
    (void)state;
    char path[128];
    compare_two(compare_rig_backend("cpu", NULL, "<b>&"), compare_rig_backend("faulty", "vector-tail", "mine"),
                "dml.*:examples");
    char *text = printed(compare_print_text);
    assert_non_null(strstr(text, "<b>&: pass; mine: mismatch  SL-10"));
    assert_non_null(strstr(text, "mine differs from <b>& in "));
    free(text);
    text = printed(compare_print_json);
    json_t *all = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(all);
    assert_int_equal(json_integer_value(json_object_get(all, "status")), EXIT_FAILURES);
    assert_int_equal(json_array_size(json_object_get(all, "regions")), c.group_count);
    const json_t *asked = json_array_get(json_object_get(all, "questions"), 0);
    assert_non_null(json_object_get(asked, "question"));
    assert_int_equal(json_array_size(json_object_get(asked, "sides")), 2);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(all, "total"), "cases")), c.total.cases);
    assert_string_equal(json_string_value(json_object_get(all, "headline")), headline());
    json_decref(all);
    free(text);
    snprintf(path, sizeof path, "%s/page.html", compare_rig_folder);
    assert_true(compare_html(&c, path, &e));
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    char *page = testing_end_text(f);
    remove(path);
    assert_non_null(strstr(page, "&lt;b&gt;&amp;"));
    assert_null(strstr(page, "<b>&:"));
    assert_null(strstr(page, "(null)"));
    assert_non_null(strstr(page, "E-GA-10"));
    assert_non_null(strstr(page, "clamped index, as decided"));
    assert_true(strstr(page, "id=\"everywhere\"") < strstr(page, "id=\"matrix\""));
    assert_true(strstr(page, "id=\"matrix\"") < strstr(page, "id=\"questions\""));
    assert_true(strstr(page, "id=\"questions\"") < strstr(page, "id=\"regions\""));
    assert_non_null(strstr(page, "</html>"));
    free(page);
}

static void questions_that_no_case_asked_are_named(void **state)
{
    (void)state;
    char path[128];
    compare_two(compare_rig_backend("cpu", NULL, NULL), compare_rig_backend("faulty", "none", "mine"),
                "dml.gather:examples where example == \"out-of-range\"");
    char *text = printed(compare_print_text);
    assert_non_null(strstr(text, "  E-GA-9  not observed\n"));
    assert_non_null(strstr(text, "      mine  not observed: no case that was compared asks it\n"));
    free(text);
    text = printed(compare_print_json);
    json_t *all = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    const json_t *questions = json_object_get(all, "questions"), *asked = json_array_get(questions, 0);
    const json_t *open = json_array_get(questions, 1);
    assert_int_equal(json_array_size(questions), 2);
    assert_true(json_is_null(json_array_get(json_object_get(asked, "unanswered"), 1)));
    assert_string_equal(json_string_value(json_object_get(open, "entry")), "E-GA-9");
    assert_int_equal(json_integer_value(json_object_get(open, "answering")), 0);
    assert_non_null(json_string_value(json_array_get(json_object_get(open, "unanswered"), 1)));
    json_decref(all);
    free(text);
    snprintf(path, sizeof path, "%s/open.html", compare_rig_folder);
    assert_true(compare_html(&c, path, &e));
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    char *page = testing_end_text(f);
    remove(path);
    assert_non_null(strstr(page, "<b>E-GA-9</b> <span class=\"state dim\">not observed</span>"));
    assert_non_null(strstr(page, "<td class=\"dim\">not observed: no case that was compared asks it</td>"));
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(the_headline_names_the_sides_that_differ, free_comparison),
        cmocka_unit_test_teardown(the_headline_measures_by_a_side_that_fails_nothing, free_comparison),
        cmocka_unit_test(behaviours_are_answers_in_words),
        cmocka_unit_test_teardown(questions_that_no_case_asked_are_named, free_comparison),
        cmocka_unit_test_teardown(text_json_and_page_have_the_same_content, free_comparison),
    };
    return cmocka_run_group_tests(tests, compare_rig_set_up, compare_rig_tear_down);
}
