/* SPDX-License-Identifier: Apache-2.0 */
/* The drawing of a finding: which elements it marks, and what its legend says. */
#include "reports/html_parts.h"
#include "reports/report_rig.h"

#define INPUT                                                                                                          \
    "{\"name\":\"In\",\"role\":\"input\",\"dtype\":\"u8\",\"sizes\":[2,2],\"values\":[\"1\",\"2\",\"3\",\"4\"]}"
#define OUTPUT(right)                                                                                                  \
    "{\"name\":\"Out\",\"role\":\"output\",\"dtype\":\"u8\",\"sizes\":[2],\"values\":[\"2\",\"9\"],\"expected\":["     \
    "\"2\",\"4\"]" right "}"

#define RIGHT "<td class=g><i>\xE2\x9C\x93</i>"
#define READ  "<td class=s><i>\xE2\x9C\x97</i>"
#define VALUE "<td class=gs><i>\xE2\x89\xA0</i>"

/* The drawing of a finding whose first difference is Out[1]. */
static text draw(const char *tensors, const char *source)
{
    const store_finding f = { .tensor = "Out", .element = "[1]", .source = source };
    json_t *parsed = json_loads(tensors, 0, NULL);
    text t = { .data = NULL };
    html_drawing(&t, &f, parsed);
    assert_false(t.failed);
    json_decref(parsed);
    text_add(&t, "");
    return t;
}

static void the_right_and_the_read_element_are_marked(void **state)
{
    (void)state;
    text t = draw("[" INPUT "," OUTPUT(",\"expected_source\":\"In[1,1]\"") "]", "In[0,1]");
    has(&t, RIGHT "4");
    has(&t, READ "2");
    has(&t, "<td class=\"w f\">4<b>");
    has(&t, "should be read: <b>In[1,1]</b>");
    has(&t, "was read: <b>In[0,1]</b>");
    has(&t, "framed: the first element that differs");
    assert_int_equal(occurrences(&t, "<i>"), 4); /* two in the grid, two in the legend */
    text_free(&t);
}

static void another_value_of_the_right_element_is_said(void **state)
{
    (void)state;
    text t = draw("[" INPUT "," OUTPUT(",\"expected_source\":\"In[1,1]\"") "]", "In[1,1], but its sign was flipped");
    has(&t, VALUE "4");
    has(&t, "the right element came with another value: <b>In[1,1], but its sign was flipped</b>");
    assert_int_equal(occurrences(&t, "was read:"), 0);
    text_free(&t);
}

static void what_came_is_said_where_no_element_was_read(void **state)
{
    (void)state;
    text t =
        draw("[" INPUT "," OUTPUT(",\"expected_source\":\"In[1,1]\"") "]", "a gap of In (element 7 of its buffer)");
    has(&t, RIGHT "4");
    has(&t, "what came: <b>a gap of In (element 7 of its buffer)</b>");
    assert_int_equal(occurrences(&t, READ), 0);
    text_free(&t);
}

/* An element with several answers is wrong only if it has none of them. */
static void several_answers_are_drawn(void **state)
{
    (void)state;
    text t = draw("[{\"name\":\"Out\",\"role\":\"output\",\"dtype\":\"u8\",\"sizes\":[2],\"values\":[\"7\",\"9\"],"
                  "\"expected\":[[\"5\",\"7\"],[\"5\",\"6\"]]}]",
                  NULL);
    has(&t, "<td>7<");
    has(&t, "<td class=\"w f\">5|6<b>\xE2\x86\x92"
            "9</b>");
    text_free(&t);
}

static void an_older_run_has_only_the_element_that_was_read(void **state)
{
    (void)state;
    text t = draw("[" INPUT "," OUTPUT("") "]", "In[0,1]");
    has(&t, READ "2");
    assert_int_equal(occurrences(&t, RIGHT), 0);
    assert_int_equal(occurrences(&t, "should be read"), 0);
    text_free(&t);
    t = draw("[" INPUT "]", NULL);
    assert_int_equal(occurrences(&t, "legend"), 0); /* nothing is marked */
    text_free(&t);
}

/* Where the backend gave no result, what was expected is no difference. */
static void an_output_without_a_result_shows_what_was_expected(void **state)
{
    (void)state;
    text t = draw("[{\"name\":\"Out\",\"role\":\"output\",\"dtype\":\"u8\",\"sizes\":[2],\"expected\":[\"2\",\"4\"]}]",
                  NULL);
    has(&t, "[2], expected</figcaption>");
    has(&t, "<td>2<td>4");
    assert_int_equal(occurrences(&t, "legend"), 0);
    text_free(&t);
}

static void places_outside_the_tensor_are_not_marked(void **state)
{
    (void)state;
    static const char *const named[] = {
        "In[2,0]", "In[0]", "In[0,0,0]", "In", "In[", "Inner[0,1]", "In[0,1", "[0,1]"
    };
    for (size_t i = 0; i < sizeof named / sizeof *named; ++i) {
        text t = draw("[" INPUT "," OUTPUT("") "]", named[i]);
        assert_int_equal(occurrences(&t, READ), 0);
        text_free(&t);
    }
    text t = draw("[" INPUT "," OUTPUT(",\"expected_source\":7") "]", NULL);
    assert_int_equal(occurrences(&t, RIGHT), 0);
    text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_right_and_the_read_element_are_marked),
        cmocka_unit_test(another_value_of_the_right_element_is_said),
        cmocka_unit_test(what_came_is_said_where_no_element_was_read),
        cmocka_unit_test(several_answers_are_drawn),
        cmocka_unit_test(an_older_run_has_only_the_element_that_was_read),
        cmocka_unit_test(an_output_without_a_result_shows_what_was_expected),
        cmocka_unit_test(places_outside_the_tensor_are_not_marked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
