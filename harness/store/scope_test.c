/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/store/scope.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A suite of two operators: a with f16, f32 and u8; b with f16, f32, u8 and i8. */
static scope_facts facts_of_suite(void)
{
    static const char *const types[] = { "f32", "f16", "u8", "i8" };
    scope_facts f = { .demand_count = 0 };
    for (size_t i = 0; i < 3; ++i)
        assert_true(scope_counts_add(&f.suite, "a", types[i], 0));
    for (size_t i = 0; i < 4; ++i)
        assert_true(scope_counts_add(&f.suite, "b", types[i], 0));
    return f;
}

/* Judge the cases of an operator with a data type that the backend offers. */
static void offer(scope_facts *f, const char *op, const char *dtype)
{
    assert_true(scope_counts_add(&f->offered, op, dtype, 0));
}

static void pass(scope *s, const char *op, const char *dtype, uint64_t cases)
{
    assert_true(scope_add_operator(s, op, true));
    assert_true(scope_add_cases(s, op, dtype, VERDICT_PASS, cases));
}

static void says(scope *s, const char *subject, const char *rest)
{
    text t = { .data = NULL }, u = { .data = NULL };
    scope_end(s);
    scope_add_subject(s, &t);
    scope_add_rest(s, &u);
    assert_string_equal(t.data ? t.data : "", subject);
    assert_string_equal(u.data ? u.data : "", rest);
    text_free(&t);
    text_free(&u);
    scope_free(s);
}

static void all_that_the_suite_has_needs_no_rest(void **state)
{
    (void)state;
    scope_facts f = facts_of_suite();
    scope s;
    for (size_t i = 0; i < f.suite.count; ++i)
        offer(&f, f.suite.list[i].op, f.suite.list[i].dtype);
    assert_true(scope_begin(&s, &f));
    for (size_t i = 0; i < f.suite.count; ++i)
        pass(&s, f.suite.list[i].op, f.suite.list[i].dtype, 1000);
    assert_false(scope_is_part(&s));
    assert_int_equal(s.judged, 7000);
    says(&s, "a and b, all data types", "");
    scope_facts_free(&f);
}

static void what_is_refused_is_not_offered(void **state)
{
    (void)state;
    scope_facts f = facts_of_suite();
    scope s;
    offer(&f, "a", "f32");
    for (size_t i = 0; i < f.suite.count; ++i)
        assert_true(scope_counts_add(&f.refused, f.suite.list[i].op, f.suite.list[i].dtype, i == 0 ? 1234 : 10));
    assert_true(scope_begin(&s, &f));
    pass(&s, "a", "f32", 222817);
    assert_true(scope_add_operator(&s, "b", false));
    assert_true(scope_is_part(&s));
    says(&s, "a, f32", " Not offered: b, f16 and u8; 1,234 further cases of offered data types.");
    scope_facts_free(&f);
}

/* Cases whose descriptor is illegal have data types as well; that they were refused says nothing about these. */
static void illegal_descriptors_offer_nothing(void **state)
{
    (void)state;
    scope_facts f = facts_of_suite();
    scope s;
    offer(&f, "a", "f32");
    assert_true(scope_counts_add(&f.refused, "a", "f16", 10));
    assert_true(scope_begin(&s, &f));
    pass(&s, "a", "f32", 1);
    pass(&s, "a", "f16", 1);
    pass(&s, "a", "?", 1);
    says(&s, "a, f32", " Not offered: f16. Not tried: b, u8.");
    scope_facts_free(&f);
}

static void a_data_type_may_be_missing_of_one_operator(void **state)
{
    (void)state;
    scope_facts f = facts_of_suite();
    scope s;
    for (size_t i = 0; i < f.suite.count; ++i)
        offer(&f, f.suite.list[i].op, f.suite.list[i].dtype);
    assert_true(scope_begin(&s, &f));
    for (size_t i = 0; i < f.suite.count; ++i)
        if (i != 1)
            pass(&s, f.suite.list[i].op, f.suite.list[i].dtype, 1);
    says(&s, "a and b", " Not tried: f16 of a.");
    scope_facts_free(&f);
}

static void unsupported_and_ambiguous_cases_judge_nothing(void **state)
{
    (void)state;
    scope_facts f = facts_of_suite();
    scope s;
    offer(&f, "a", "f32");
    offer(&f, "a", "f16");
    assert_true(scope_begin(&s, &f));
    assert_true(scope_add_operator(&s, "a", true));
    assert_true(scope_add_cases(&s, "a", "f32", VERDICT_UNSUPPORTED, 5));
    assert_true(scope_add_cases(&s, "a", "f16", VERDICT_AMBIGUOUS, 5));
    assert_int_equal(s.judged, 0);
    assert_false(scope_is_part(&s)); /* what the plan has is no part of what is outside of it */
    says(&s, "", " Not offered: f32. Not tried: b, u8.");
    scope_facts_free(&f);
}

/* Refusals of illegal descriptors judge none of a type's values. */
static void a_type_that_is_not_judged_is_named(void **state)
{
    (void)state;
    scope_facts f = facts_of_suite();
    scope s;
    offer(&f, "a", "f32");
    offer(&f, "a", "f16");
    assert_true(scope_begin(&s, &f));
    assert_true(scope_add_operator(&s, "a", true));
    pass(&s, "a", "f32", 2);
    pass(&s, "a", "f16", 3);
    assert_true(scope_add_cases(&s, "a", "f16", VERDICT_NOT_JUDGED, 5));
    assert_int_equal(s.judged, 5);
    assert_false(scope_is_part(&s));
    scope_end(&s);
    assert_true(scope_type_is(&s.operators[0].types[0], SCOPE_NOT_JUDGED)); /* f16, by the order of tables */
    assert_false(scope_type_is(&s.operators[0].types[0], SCOPE_JUDGED));
    assert_true(scope_type_is(&s.operators[0].types[0], SCOPE_OFFERED));
    assert_false(scope_operator_is(&s.operators[0], SCOPE_NOT_JUDGED));
    says(&s, "a, f32", " Not judged: f16. Not tried: b, u8.");
    scope_facts_free(&f);
}

static void an_operator_may_have_no_judged_type(void **state)
{
    (void)state;
    scope_facts f = facts_of_suite();
    scope s;
    for (size_t i = 0; i < f.suite.count; ++i)
        offer(&f, f.suite.list[i].op, f.suite.list[i].dtype);
    assert_true(scope_begin(&s, &f));
    for (size_t i = 0; i < f.suite.count; ++i) {
        assert_true(scope_add_operator(&s, f.suite.list[i].op, true));
        assert_true(scope_add_cases(&s, f.suite.list[i].op, f.suite.list[i].dtype,
                                    *f.suite.list[i].op == 'a' ? VERDICT_PASS : VERDICT_NOT_JUDGED, 1));
    }
    scope_end(&s);
    assert_true(scope_operator_is(&s.operators[1], SCOPE_NOT_JUDGED));
    text t = { .data = NULL };
    scope_add_rest(&s, &t);
    assert_int_equal(strncmp(t.data, " Not judged: b", 14), 0);
    text_free(&t);
    scope_free(&s);
    scope_facts_free(&f);
}

static scope_facts demanding(void)
{
    scope_facts f = facts_of_suite();
    f.demands = calloc(1, sizeof *f.demands);
    assert_non_null(f.demands);
    f.demand_count = 1;
    f.demands[0].query = strdup("* where rank == 1");
    f.demands[0].cases = 5000;
    assert_true(scope_counts_add(&f.demands[0].refused, "a", "f16", 1000));
    assert_true(scope_counts_add(&f.demands[0].untried, "b", "f16", 1));
    assert_true(scope_counts_add(&f.demands[0].untried, "b", "i8", 2));
    return f;
}

static void absent_cases_are_named(void **state)
{
    (void)state;
    scope_facts f = demanding();
    text t = { .data = NULL };
    assert_int_equal(scope_facts_absent(&f), 1003);
    scope_add_absent(&f, "<", ">", &t);
    assert_string_equal(t.data, "<1,003 of 5,000 cases required by '* where rank == 1' are absent: 1,000 not offered: "
                                "a (f16); 3 not tried: b (f16, i8)>");
    text_free(&t);
    scope_facts_free(&f);
}

static void facts_are_read_as_they_were_written(void **state)
{
    (void)state;
    scope_facts f = demanding(), g, h;
    char *written = scope_facts_write(&f), *again;
    assert_non_null(written);
    assert_true(scope_facts_read(&g, written));
    assert_non_null(again = scope_facts_write(&g));
    assert_string_equal(again, written);
    assert_true(scope_facts_read(&h, ""));
    assert_int_equal(scope_facts_absent(&h), 0);
    free(again);
    free(written);
    scope_facts_free(&f);
    scope_facts_free(&g);
}

/* Of one required case, two are absent. */
static const char absent_more_often[] =
    "{\"suite\":[],\"refused\":[],\"offered\":[],\"required\":[{\"query\":\"a\",\"cases\":1,"
    "\"refused\":[[\"a\",\"f32\",1]],\"untried\":[[\"a\",\"f16\",1]]}]}";

static void facts_that_cannot_be_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "{", "[]", "{\"suite\":[],\"refused\":[],\"offered\":[]}",
        "{\"suite\":[[\"a\",\"f32\",-1]],\"refused\":[],\"offered\":[],\"required\":[]}", absent_more_often
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        scope_facts f;
        assert_false(scope_facts_read(&f, wrong[i]));
        scope_facts_free(&f);
    }
}

/* Every shard counts what was refused in its own part, and what the run leaves out as a whole. */
static void shards_are_merged(void **state)
{
    (void)state;
    scope_facts f = demanding(), g = demanding();
    assert_true(scope_facts_merge(&f, &g));
    assert_int_equal(scope_counts_sum(&f.demands[0].refused), 2000);
    assert_int_equal(scope_counts_sum(&f.demands[0].untried), 3);
    g.demands[0].cases = 4;
    assert_false(scope_facts_merge(&f, &g));
    scope_facts_free(&f);
    scope_facts_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_that_the_suite_has_needs_no_rest),
        cmocka_unit_test(what_is_refused_is_not_offered),
        cmocka_unit_test(illegal_descriptors_offer_nothing),
        cmocka_unit_test(a_data_type_may_be_missing_of_one_operator),
        cmocka_unit_test(unsupported_and_ambiguous_cases_judge_nothing),
        cmocka_unit_test(a_type_that_is_not_judged_is_named),
        cmocka_unit_test(an_operator_may_have_no_judged_type),
        cmocka_unit_test(absent_cases_are_named),
        cmocka_unit_test(facts_are_read_as_they_were_written),
        cmocka_unit_test(facts_that_cannot_be_are_refused),
        cmocka_unit_test(shards_are_merged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
