/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/check_testing.h"
#include "harness/check/check_file.h"
#include "reference/operators.h"
#include "harness/base/platform.h"
#include "harness/testing/platform_testing.h"

#include <stdlib.h>

#include <jansson.h>

/* The output of the checker in a format; the caller frees it. */
static char *print_as(check_format format, const char *json)
{
    static check_printer p;
    static check_options o;
    check_file f;
    error e;
    memset(&p, 0, sizeof p);
    p.o = &o;
    p.format = format;
    p.to = platform_temporary_file();
    assert_non_null(p.to);
    check_print_begin(&p);
    assert_true(check_file_copy(&f, "a b.json", json, strlen(json), CHECK_DESCRIPTORS, &e));
    assert_true(check_file_visit(&f, &o, check_print_item, &p, &e));
    check_print_end(&p);
    check_file_close(&f);
    return testing_end_text(p.to);
}

static const char two[] = "{\"dispatchables\":{\n\"x\\\"\\u0007\":" SLICE(
    "[4]", "[5]", "\"DimensionCount\":1," WINDOW("[0]", "[4]", "[1]")) ",\n\"y\":{\"type\":\"NO_SUCH\"}}}";

static void json_output_can_be_parsed(void **state)
{
    (void)state;
    char *text = print_as(CHECK_JSON, two);
    json_t *list = json_loads(text, 0, NULL), *item = json_array_get(list, 0);
    assert_int_equal(json_array_size(list), 2);
    assert_string_equal(json_string_value(json_object_get(item, "name")), "x\"\a");
    assert_string_equal(json_string_value(json_object_get(item, "status")), "invalid");
    assert_int_equal(json_integer_value(json_object_get(item, "line")), 2);
    assert_string_equal(json_string_value(json_object_get(json_object_get(item, "levels"), "2_0")), "invalid");
    json_t *v = json_array_get(json_object_get(item, "violations"), 0);
    assert_string_equal(json_string_value(json_object_get(v, "clause")), "SL-08");
    const ts_clause *clause = operator_clause(operators_find("dml.slice1"), "SL-08");
    assert_int_equal(clause->basis, TS_IMPLIED);
    assert_string_equal(json_string_value(json_object_get(v, "basis")), "implied");
    assert_string_equal(json_string_value(json_object_get(v, "ground")), clause->ground);
    assert_string_equal(json_string_value(json_object_get(v, "legal")), "OutputTensor.Sizes[0] = 1 to 4");
    assert_int_equal(json_integer_value(json_object_get(v, "axis")), 0);
    assert_string_equal(json_string_value(json_object_get(json_array_get(list, 1), "status")), "unknown operator");
    json_decref(list);
    free(text);
}

static void sarif_output_has_the_required_members(void **state)
{
    (void)state;
    char *text = print_as(CHECK_SARIF, two);
    json_t *log = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(log);
    assert_string_equal(json_string_value(json_object_get(log, "version")), "2.1.0");
    json_t *run = json_array_get(json_object_get(log, "runs"), 0);
    json_t *driver = json_object_get(json_object_get(run, "tool"), "driver");
    json_t *rules = json_object_get(driver, "rules"), *results = json_object_get(run, "results");
    assert_string_equal(json_string_value(json_object_get(driver, "name")), "touchstone");
    assert_true(json_array_size(rules) > 60);
    for (size_t i = 0; i < json_array_size(rules); ++i) { /* ids are unique */
        for (size_t j = 0; j < i; ++j)
            assert_string_not_equal(json_string_value(json_object_get(json_array_get(rules, i), "id")),
                                    json_string_value(json_object_get(json_array_get(rules, j), "id")));
    }
    const ts_operator *op;
    for (size_t k = 0; (op = operators_known(k)); ++k) { /* and every clause has one */
        for (unsigned c = 0; c < op->clause_count; ++c) {
            size_t i = 0;
            while (i < json_array_size(rules) &&
                   strcmp(json_string_value(json_object_get(json_array_get(rules, i), "id")), op->clauses[c].id) != 0)
                ++i;
            if (i == json_array_size(rules))
                fail_msg("%s of %s has no rule", op->clauses[c].id, op->name);
        }
    }
    assert_int_equal(json_array_size(results), 2);
    assert_string_equal(json_string_value(json_object_get(json_array_get(results, 1), "ruleId")), "unknown operator");
    json_t *result = json_array_get(results, 0);
    json_t *rule = json_array_get(rules, (size_t)json_integer_value(json_object_get(result, "ruleIndex")));
    assert_string_equal(json_string_value(json_object_get(rule, "id")), "SL-08");
    assert_string_equal(json_string_value(json_object_get(result, "ruleId")), "SL-08");
    assert_string_equal(json_string_value(json_object_get(result, "level")), "error");
    json_t *properties = json_object_get(result, "properties");
    assert_string_equal(json_string_value(json_object_get(properties, "basis")), "implied");
    assert_string_equal(json_string_value(json_object_get(properties, "ground")),
                        operator_clause(operators_find("dml.slice1"), "SL-08")->ground);
    assert_null(json_object_get(json_array_get(results, 1), "properties"));
    assert_non_null(json_string_value(json_object_get(json_object_get(result, "message"), "text")));
    json_t *location = json_array_get(json_object_get(result, "locations"), 0);
    json_t *physical = json_object_get(location, "physicalLocation");
    json_t *region = json_object_get(physical, "region");
    assert_string_equal(json_string_value(json_object_get(json_object_get(physical, "artifactLocation"), "uri")),
                        "a%20b.json");
    assert_int_equal(json_integer_value(json_object_get(region, "startLine")), 2);
    assert_true(json_integer_value(json_object_get(region, "startColumn")) > 1);
    json_decref(log);
    free(text);
}

/* Of what no page settles, the ledger's knowledge of implementations is told. */
static void text_output_has_what_is_known(void **state)
{
    (void)state;
    char *text = print_as(CHECK_TEXT, "{\"operator\":\"dml.element_wise_identity\",\"descriptor\":{\"InputTensor\":{"
                                      "\"DataType\":\"FLOAT32\",\"Sizes\":[2,3]},\"OutputTensor\":{\"DataType\":"
                                      "\"FLOAT32\",\"Sizes\":[2,3],\"Strides\":[0,1]}}}");
    assert_non_null(strstr(text, "          known:  DirectML 1.15.4: refuses a stride of 0 "));
    free(text);
}

static void text_output_marks_the_axis(void **state)
{
    (void)state;
    char *stride = print_as(CHECK_TEXT, SLICE("[4]", "[1]", WINDOW("[0]", "[4]", "[0]")));
    assert_non_null(strstr(stride, "    InputTensor FLOAT32     4\n    OutputTensor")); /* only the stride is marked */
    assert_non_null(strstr(stride, "    InputWindowStrides      0\n                            ^  SL-07\n"));
    free(stride);
    char *text = print_as(CHECK_TEXT, two);
    assert_non_null(strstr(text, "a b.json:2:13: x\"?: dml.slice1: invalid"));
    assert_non_null(strstr(text, "    OutputTensor FLOAT32    5\n                            ^  SL-08\n"));
    assert_non_null(strstr(text, "clause: 1 <= OutputTensor.Sizes[i]"));
    assert_non_null(strstr(text, "page:   DML_SLICE1_OPERATOR_DESC, Description"));
    assert_non_null(strstr(text, "legal:  OutputTensor.Sizes[0] = 1 to 4"));
    assert_non_null(strstr(text, "    1_0 to 2_0  invalid: SL-01 SL-08\n"));
    assert_non_null(strstr(
        text, "\n\n2 descriptors: 0 valid, 1 invalid\n1 not fully judged: 1 of an unknown operator (NO_SUCH 1)\n"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(json_output_can_be_parsed, reset),
        cmocka_unit_test_setup(sarif_output_has_the_required_members, reset),
        cmocka_unit_test_setup(text_output_has_what_is_known, reset),
        cmocka_unit_test_setup(text_output_marks_the_axis, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
