/* SPDX-License-Identifier: Apache-2.0 */
/* The ledger in the HTML and JSON reports. */
#include "reports/entries.h"
#include "reports/report_rig.h"

/* Make a run of the examples of SLICE1, with a finding in the example of E-SL-1 if `fails`. The caller closes it. */
static store *make_examples(const char *path, bool fails)
{
    store *s = store_create(path, &trouble);
    check(s != NULL);
    set_facts(s, "complete");
    store_test t = { .op = "dml.slice1", .test = "examples", .tier = "full", .title = "t", .points = 9, .planned = 3 };
    check(store_add_test(s, &t, &trouble));
    check(store_add_tally(s, 1, "f32", "1_0", fails ? VERDICT_MISMATCH : VERDICT_PASS, 3, &trouble));
    store_finding f = {
        .test = 1, .case_id = "dml.slice1:examples:example=2,dtype=f16", .verdict = VERDICT_MISMATCH, .clause = "SL-08"
    };
    if (fails)
        check(store_add_finding(s, &f, &trouble));
    store_clause c = { "dml.slice1", "SL-08", "text", "page", "section", "stated", NULL, true, 0, 0 };
    check(store_add_clause(s, &c, &trouble));
    add_ledger(s, false);
    return s;
}

/* The HTML of an entry; the caller frees it. */
static text entry_of(const text *html, const char *id)
{
    char start[64];
    text t = { 0 };
    snprintf(start, sizeof start, "<details class=\"entry\" id=\"ledger-%s\"", id);
    const char *from = strstr(html->data, start), *to = from ? strstr(from, "</details>") : NULL;
    if (!to)
        fail_msg("no entry %s", id);
    text_bytes(&t, from, (size_t)(to - from));
    return t;
}

static void entry_has(const text *html, const char *id, const char *what)
{
    text t = entry_of(html, id);
    has(&t, what);
    text_free(&t);
}

static void the_ledger_has_the_observed_behaviours(void **state)
{
    (void)state;
    make_run(at("run"), 20, 1500000, "complete");
    text html = report(report_html, at("run"), "r.html"), json = report(report_json, at("run"), "r.json");
    has(&html, "<section id=\"ledger\"");
    assert_int_equal(occurrences(&html, "<details class=\"entry\""), 4);
    entry_has(&html, "E-GA-9", "data-state=\"as-decided\"");
    char expected[160];
    snprintf(expected, sizeof expected, "our decision (ignored)</b> in 11 cases of %s:boundary", operator_name(0));
    entry_has(&html, "E-GA-9", expected);
    entry_has(&html, "E-GA-10", "data-state=\"unlike\" data-op=\"dml.gather\" open>");
    entry_has(&html, "E-GA-10",
              "<span class=\"status warn\">another known interpretation (flat clamp) and 1 more</span>");
    entry_has(&html, "E-GA-10", "another known interpretation (flat clamp)</b> in 4,321 cases");
    entry_has(&html, "E-GA-10", "<p>OutputTensor[1] is 5</p>");
    entry_has(&html, "E-GA-10", "touchstone run &#39;dml.gather:examples:example=b&#39; -b directml");
    entry_has(&html, "E-GA-10", "DirectML <span class=\"note\">1.15.4</span></th><td>the flat address is clamped</td>");
    entry_has(&html, "E-GA-10", "<a href=\"#clause-dml.gather-SL-10\"");
    entry_has(&html, "E-GA-6", "No case of this run tests it.");
    entry_has(&html, "E-SL-1", "data-state=\"not-tested\""); /* this run does not have the test with its examples */
    /* Clauses and findings link to their entries. Observations about an entry are in its section only. */
    has(&html, "id=\"clause-dml.gather-SL-10\"");
    has(&html, "<td class=\"entries\"><a href=\"#ledger-E-GA-10\">E-GA-10</a></td>");
    has(&html, "ledger: </span><a href=\"#ledger-E-GA-10\">E-GA-10</a>");
    has(&html, "\"examples\":{\"dml.gather:examples:example=leading\":\"E-GA-9\"");
    assert_null(strstr(strstr(html.data, "<h3 id=\"observations\">"), "<td>E-GA-"));
    clean(&html);
    json_t *all = json_loadb(json.data, json.length, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(all);
    json_t *ledger = json_object_get(all, "ledger"), *second = json_array_get(ledger, 1);
    assert_int_equal(json_array_size(ledger), 4);
    assert_string_equal(json_string_value(json_object_get(second, "id")), "E-GA-10");
    assert_string_equal(json_string_value(json_object_get(second, "state")), "unlike");
    assert_string_equal(json_string_value(json_object_get(second, "decision")), "Undefined.");
    json_t *behaviour = json_array_get(json_object_get(second, "behaviours"), 1);
    assert_int_equal(json_integer_value(json_object_get(behaviour, "cases")), 4321);
    assert_string_equal(json_string_value(json_object_get(behaviour, "behaviour")),
                        "another known interpretation (flat clamp)");
    json_decref(all);
    text_free(&html);
    text_free(&json);
}

static void decided_entries_are_judged_by_their_examples(void **state)
{
    (void)state;
    store_close(make_examples(at("good"), false));
    store_close(make_examples(at("bad"), true));
    text good = report(report_html, at("good"), "g.html"), bad = report(report_html, at("bad"), "b.html");
    entry_has(&good, "E-SL-1", "data-state=\"judged\"");
    entry_has(&good, "E-SL-1", "Judged by the decision. No finding");
    entry_has(&good, "E-SL-1", "touchstone run &#39;dml.slice1:examples:example=2&#39; -b directml");
    entry_has(&bad, "E-SL-1", "<b class=\"v bad\">1 finding</b>");
    has(&bad, "<tr><th scope=\"row\">ledger</th><td colspan=\"2\"><a href=\"#ledger-E-SL-1\">E-SL-1</a></td>");
    text_free(&good);
    text_free(&bad);
}

static void an_invalid_ledger_does_no_harm(void **state)
{
    (void)state;
    static const char *const ledgers[] = {
        "[]",
        "",
        "no JSON",
        "{}",
        "[1,null,{},[]]",
        "[{\"id\":5}]",
        "[{\"id\":\"<script>\",\"known\":[1,{}],\"examples\":[null,\"</script>\"],\"clauses\":7}]"
    };
    for (size_t i = 0; i < sizeof ledgers / sizeof *ledgers; ++i) {
        store *s = store_create(at("run"), &trouble);
        check(s != NULL);
        set_facts(s, "complete");
        store_test t = { .op = "x", .test = "examples", .tier = "full", .title = "t", .points = 9, .planned = 3 };
        check(store_add_test(s, &t, &trouble));
        check(store_add_tally(s, 1, "f32", "1_0", VERDICT_PASS, 3, &trouble));
        check(store_add_ledger(s, "x", ledgers[i], &trouble));
        store_observation o = { 1, "<script>: refused", 1, NULL, NULL };
        check(store_add_observation(s, &o, &trouble));
        store_close(s);
        text html = report(report_html, at("run"), "r.html"), json = report(report_json, at("run"), "r.json");
        bool any = strstr(ledgers[i], "<script>") != NULL;
        assert_int_equal(occurrences(&html, "<script"), 1); /* the only one of the page */
        assert_int_equal(occurrences(&html, "<details class=\"entry\""), any);
        has(&html, "<section id=\"ledger\"");
        json_t *all = json_loadb(json.data, json.length, JSON_REJECT_DUPLICATES, NULL);
        assert_non_null(all);
        assert_int_equal(json_array_size(json_object_get(all, "ledger")), any);
        json_decref(all);
        text_free(&html);
        text_free(&json);
        remove(at("run"));
    }
}

static void an_example_may_have_a_type_of_its_own(void **state)
{
    (void)state;
    json_t *json = json_pack("{s:[s,s]}", "examples", "1", "wrap,dtype=u32");
    const entry own = { .op = "dml.slice1", .json = json };
    assert_true(entry_has_example(&own, "dml.slice1:examples:example=1"));
    assert_true(entry_has_example(&own, "dml.slice1:examples:example=1,dtype=f16"));
    assert_true(entry_has_example(&own, "dml.slice1:examples:example=wrap,dtype=u32"));
    assert_false(entry_has_example(&own, "dml.slice1:examples:example=wrap,dtype=u3"));
    assert_false(entry_has_example(&own, "dml.slice1:examples:example=12"));
    assert_false(entry_has_example(&own, "dml.gather:examples:example=1"));
    json_decref(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_ledger_has_the_observed_behaviours, empty_folder),
        cmocka_unit_test_setup(decided_entries_are_judged_by_their_examples, empty_folder),
        cmocka_unit_test_setup(an_invalid_ledger_does_no_harm, empty_folder),
        cmocka_unit_test(an_example_may_have_a_type_of_its_own),
    };
    return cmocka_run_group_tests(tests, set_up_folder, remove_folder);
}
