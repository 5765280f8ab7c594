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
    assert_string_equal(headline(), "all agree with the reference in all cases");
    free_comparison(NULL);
    compare_two(compare_rig_backend("faulty", "vector-tail", "mine"), compare_rig_backend("cpu", NULL, NULL),
                "dml.slice1:examples");
    char expected[96];
    snprintf(expected, sizeof expected, "differs from the reference: mine (%llu cases)",
             (unsigned long long)c.total.sides[0][COMPARE_FAIL]);
    assert_true(c.total.sides[0][COMPARE_FAIL] > 1);
    assert_string_equal(headline(), expected);
    free_comparison(NULL);
    compare_two(compare_rig_backend("cpu", NULL, NULL), compare_rig_backend("example", NULL, NULL),
                "dml.element_wise_identity:examples");
    assert_string_equal(headline(), "all agree with the reference in the cases that they support");
    free_comparison(NULL);
    compare_two(compare_rig_backend("cpu", NULL, NULL), compare_rig_backend("example", NULL, NULL),
                "dml.gather:examples");
    assert_string_equal(headline(), "no case is supported by all");
}

static void text_json_and_page_have_the_same_content(void **state)
{
    (void)state;
    char path[128];
    compare_two(compare_rig_backend("cpu", NULL, "<b>&"), compare_rig_backend("faulty", "vector-tail", "mine"),
                "dml.*:examples");
    char *text = printed(compare_print_text);
    assert_non_null(strstr(text, "<b>&: pass; mine: mismatch  SL-10"));
    assert_non_null(strstr(text, "\ndiffers from the reference: mine ("));
    free(text);
    text = printed(compare_print_json);
    json_t *all = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(all);
    assert_int_equal(json_integer_value(json_object_get(all, "status")), EXIT_FAILURES);
    assert_int_equal(json_array_size(json_object_get(all, "regions")), c.group_count);
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
    assert_non_null(strstr(page, "</html>"));
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(the_headline_names_the_sides_that_differ, free_comparison),
        cmocka_unit_test_teardown(text_json_and_page_have_the_same_content, free_comparison),
    };
    return cmocka_run_group_tests(tests, compare_rig_set_up, compare_rig_tear_down);
}
