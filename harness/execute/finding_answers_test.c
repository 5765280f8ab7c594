/* SPDX-License-Identifier: Apache-2.0 */
/* Elements that may have one of several values: what passes, what is observed, and what a finding says. */
#include "harness/execute/execute_testing.h"

/* Two updates fall on the last element of the output, 5 and 7. */
static const char scatter[] =
    "local op = operator 'dml.scatter_elements'\n"
    "op:example 'twice' { own_types = true,\n"
    "  InputTensor = { DataType = 'UINT8', Sizes = { 4 }, data = { 1, 2, 3, 4 } },\n"
    "  IndicesTensor = { DataType = 'UINT32', Sizes = { 3 }, data = { 3, 1, 3 } },\n"
    "  UpdatesTensor = { DataType = 'UINT8', Sizes = { 3 }, data = { 5, 6, 7 } },\n"
    "  OutputTensor = { DataType = 'UINT8', Sizes = { 4 }, data = { 1, 6, 3, 7 } }, Axis = 0 }\n"
    "op:example 'out' { own_types = true,\n"
    "  InputTensor = { DataType = 'UINT8', Sizes = { 4 }, data = { 1, 2, 3, 4 } },\n"
    "  IndicesTensor = { DataType = 'UINT32', Sizes = { 3 }, data = { 3, 9, 3 } },\n"
    "  UpdatesTensor = { DataType = 'UINT8', Sizes = { 3 }, data = { 5, 6, 7 } },\n"
    "  OutputTensor = { DataType = 'UINT8', Sizes = { 4 } }, Axis = 0 }\n";

static uint64_t first_update(const fake_element *e)
{
    return e->number == 3 ? 5 : e->bits;
}

static uint64_t no_update(const fake_element *e)
{
    return e->number == 3 ? 9 : e->bits;
}

/* An element with one answer has that of another. */
static uint64_t misplaced(const fake_element *e)
{
    return e->number == 2 ? 6 : e->bits;
}

/* Run the example with these parameters and this change of the output; *c has the result. */
static void run_example(const char *parameters, uint64_t (*change)(const fake_element *e), chunk *c)
{
    case_file *file = load(scatter);
    const case_test *t = test_named(file, "examples");
    const execute_options options = { .level = TS_LEVEL_6_4 };
    error e = { .text = "" };
    uint64_t index = 0;
    fake f;
    if (!space_parse_id(t->space, parameters, &index, &e))
        fail_msg("%s", e.text);
    const execute_range range = { .first = index, .end = index + 1, .max_cases = 1, .findings = 1 };
    fake_open(&f, change ? CHANGED : RIGHT, 1);
    f.change = change;
    chunk_init(c);
    executor *x = execute_open(&f.plugin, &options, &e);
    if (!execute_run(x, t, &range, c, &e))
        fail_msg("%s", e.text);
    assert_int_equal(c->cases, 1);
    execute_close(x);
    casefile_free(file);
}

static void each_of_the_values_passes(void **state)
{
    (void)state;
    chunk c;
    run_example("", NULL, &c);
    assert_int_equal(c.verdicts[0], VERDICT_PASS);
    assert_non_null(observed(&c, "E-SE-2: our decision (the last update)"));
    chunk_clear(&c);
    run_example("", first_update, &c);
    assert_int_equal(c.verdicts[0], VERDICT_PASS);
    const chunk_observation *o = observed(&c, "E-SE-2: another known interpretation (the first update)");
    assert_non_null(o);
    assert_string_equal(o->detail, "OutputTensor[3] is 0x05 (5); our decision gives 0x07 (7)");
    chunk_clear(&c);
}

static void another_value_is_a_mismatch_that_names_them(void **state)
{
    (void)state;
    chunk c;
    run_example("", no_update, &c);
    assert_int_equal(c.verdicts[0], VERDICT_MISMATCH);
    assert_int_equal(c.finding_count, 1);
    const store_finding *g = &c.findings[0];
    assert_string_equal(g->element, "[3]");
    assert_string_equal(g->expected, "one of 0x05 (5), 0x07 (7)");
    assert_string_equal(g->actual, "0x09 (9)");
    assert_non_null(strstr(g->detail, "OutputTensor[3] is 0x09 (9) where the specification gives one of 0x05 (5), "
                                      "0x07 (7). It should come from one of UpdatesTensor[0] (by IndicesTensor[0] = "
                                      "3) and UpdatesTensor[2] (by IndicesTensor[2] = 3); it is no element of "
                                      "InputTensor or UpdatesTensor: computed, or read from elsewhere"));
    assert_non_null(strstr(g->tensors, "\"expected\":[\"1\",\"6\",\"3\",[\"5\",\"7\"]]"));
    assert_null(strstr(g->tensors, "expected_source")); /* it may come from either */
    chunk_clear(&c);
}

static void the_other_elements_have_one_answer(void **state)
{
    (void)state;
    chunk c;
    run_example("", misplaced, &c);
    assert_int_equal(c.verdicts[0], VERDICT_MISMATCH);
    assert_string_equal(c.findings[0].expected, "0x03 (3)");
    assert_non_null(strstr(c.findings[0].detail, "It should come from InputTensor[2]"));
    chunk_clear(&c);
}

/* Where the whole output is undefined, no element has several answers. */
static void undefined_elements_are_observed_apart(void **state)
{
    (void)state;
    chunk c;
    run_example("example=out", no_update, &c);
    assert_int_equal(c.verdicts[0], VERDICT_PASS);
    assert_int_equal(c.observation_count, 1);
    assert_non_null(observed(&c, "E-SE-3: other than our decision (other values)"));
    chunk_clear(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_of_the_values_passes),
        cmocka_unit_test(another_value_is_a_mismatch_that_names_them),
        cmocka_unit_test(the_other_elements_have_one_answer),
        cmocka_unit_test(undefined_elements_are_observed_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
