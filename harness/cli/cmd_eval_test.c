/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/command.h"
#include "harness/testing/platform_testing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

static char folder[] = "/tmp/cmd_eval_test_XXXXXX";
static char *printed, *complained; /* by the last command */

static int run(int (*verb)(int, char **), int argc, char **argv)
{
    return testing_run(verb, argc, argv, NULL, &printed, &complained);
}

#define EVAL(...)                                                                                                      \
    run(cmd_eval, (int)(sizeof(char *[]){ "eval", __VA_ARGS__ } / sizeof(char *)),                                     \
        (char *[]){ "eval", __VA_ARGS__, NULL })
#define LUA(...)                                                                                                       \
    run(cmd_lua, (int)(sizeof(char *[]){ "lua", __VA_ARGS__ } / sizeof(char *)), (char *[]){ "lua", __VA_ARGS__, NULL })

static const char slice[] =
    "return { name = 'example 2', operator = 'dml.slice1', descriptor = {\n"
    "  InputTensor = { DataType = 'FLOAT32', Sizes = {1,1,4,4} }, OutputTensor = { Sizes = {1,1,2,2} },\n"
    "  InputWindowOffsets = {0,0,0,1}, InputWindowSizes = {1,1,4,3}, InputWindowStrides = {1,1,-2,2} },\n"
    "  inputs = { InputTensor = {1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16} } }\n";

static const char identity[] =
    "local function identity(sizes, data, dtype) return { operator = 'dml.element_wise_identity',\n"
    "  descriptor = { InputTensor = { DataType = dtype or 'INT32', Sizes = sizes } },\n"
    "  inputs = { InputTensor = data } } end\n";

static void outputs_are_printed(void **state)
{
    (void)state;
    assert_int_equal(testing_write("a.lua", slice), 0);
    assert_int_equal(EVAL("a.lua"), EXIT_CONFORMANT);
    assert_string_equal(printed, "a.lua: dml.slice1 example 2: ok\n"
                                 "  OutputTensor FLOAT32 {1,1,2,2}\n"
                                 "    [[[[14, 16],\n"
                                 "       [ 6,  8]]]]\n");
    char text[1024];
    snprintf(text, sizeof text,
             "%sreturn { identity({3}, {1,-20,3}), identity({2,2,1}, {1,2,3,4}),"
             "identity({2}, '\\1\\0\\x80\\x7f\\0\\0\\0\\x80', 'FLOAT32'), identity({1}, {-1}, 'UINT64') }",
             identity);
    assert_int_equal(testing_write("b.lua", text), 0);
    assert_int_equal(EVAL("b.lua"), EXIT_CONFORMANT);
    assert_non_null(strstr(printed, "b.lua[1]"));
    assert_non_null(strstr(printed, "    [  1, -20,   3]\n"));
    assert_non_null(strstr(printed, "    [[[1],\n      [2]],\n     [[3],\n      [4]]]\n"));
    assert_non_null(strstr(printed, "    [nan(0x7f800001),              -0]\n"));
    assert_non_null(strstr(printed, "    [18446744073709551615]\n"));
}

static void empty_and_scalar_outputs(void **state)
{
    (void)state;
    assert_int_equal(
        testing_write("c.json",
                      "[ { \"operator\": \"openvino.strided_slice\", \"descriptor\": { \"data\": { \"type\": \"i32\","
                      "\"shape\": [3] }, \"begin\": [1], \"end\": [1] }, \"inputs\": { \"data\": [7,8,9] } },"
                      "{ \"operator\": \"openvino.strided_slice\", \"descriptor\": { \"data\": { \"type\": \"i32\","
                      "\"shape\": [3] }, \"begin\": [1], \"end\": [1], \"shrink_axis_mask\": [1] },"
                      "\"inputs\": { \"data\": [7,8,9] } } ]"),
        0);
    assert_int_equal(EVAL("c.json"), EXIT_CONFORMANT);
    assert_non_null(strstr(printed, "  output i32 {0}\n    [] (no elements)\n"));
    assert_non_null(strstr(printed, "  output i32 {}\n    8\n"));
}

static void violations_are_printed(void **state)
{
    (void)state;
    assert_int_equal(
        testing_write("d.lua",
                      "return { operator = 'dml.slice1', descriptor = { InputTensor = { DataType = 'f32', Sizes = {3}},"
                      "InputWindowOffsets = {1}, InputWindowSizes = {3}, InputWindowStrides = {1} } }"),
        0);
    assert_int_equal(EVAL("d.lua"), EXIT_FAILURES);
    assert_non_null(strstr(printed, "d.lua: dml.slice1: invalid\n  SL-05   InputWindowOffsets[0]"));
    assert_non_null(strstr(printed, "clause: InputWindowOffsets[i] + InputWindowSizes[i] <="));
    assert_non_null(strstr(printed, "page:   DML_SLICE1_OPERATOR_DESC, InputWindowOffsets\n"));
    assert_int_equal(EVAL("--feature-level", "2_1", "a.lua"), EXIT_CONFORMANT);
    assert_int_equal(EVAL("--feature-level", "1_0", "a.lua"), EXIT_FAILURES);
    assert_non_null(strstr(printed, "unsupported"));
    assert_non_null(strstr(printed, "legal from feature level 2_1 on"));
}

static void missing_inputs_are_named(void **state)
{
    (void)state;
    assert_int_equal(
        testing_write(
            "m.lua",
            "return { operator = 'dml.gather_elements', descriptor = { InputTensor = { DataType = 'f32', Sizes = "
            "{2,2} }, IndicesTensor = { DataType = 'i32', Sizes = {1,2} }, Axis = 0 } }"),
        0);
    assert_int_equal(EVAL("m.lua"), EXIT_BAD_USAGE);
    assert_non_null(strstr(complained,
                           "dml.gather_elements: the record has no inputs, the data of InputTensor (4 elements "
                           "of FLOAT32), IndicesTensor (2 elements of INT32)\n"));
}

static void undefined_elements_are_marked(void **state)
{
    (void)state;
    assert_int_equal(
        testing_write(
            "e.lua",
            "return { operator = 'dml.gather', descriptor = { InputTensor = { DataType = 'UINT8', Sizes = {2}},"
            "IndicesTensor = { DataType = 'UINT32', Sizes = {3} }, Axis = 0, IndexDimensions = 1 },"
            "inputs = { InputTensor = {5,6}, IndicesTensor = {0,9,1} } }"),
        0);
    assert_int_equal(EVAL("e.lua"), EXIT_CONFORMANT);
    assert_non_null(strstr(printed, "1 element is marked ? not defined"));
    assert_int_equal(EVAL("--json", "e.lua"), EXIT_CONFORMANT);
    json_t *list = json_loads(printed, 0, NULL),
           *output = json_array_get(json_object_get(json_array_get(list, 0), "outputs"), 0);
    assert_int_equal(json_integer_value(json_array_get(json_object_get(output, "unspecified"), 0)), 1);
    assert_int_equal(json_array_size(json_object_get(output, "data")), 3);
    assert_non_null(json_object_get(output, "raw"));
    json_decref(list);
    assert_int_equal(EVAL("--json", "a.lua", "d.lua"), EXIT_FAILURES);
    list = json_loads(printed, 0, NULL);
    assert_int_equal(json_array_size(list), 2);
    assert_string_equal(json_string_value(json_object_get(json_array_get(list, 1), "status")), "invalid");
    json_decref(list);
}

/* One that cannot be computed does not keep the others from it. */
static void what_can_be_computed_is(void **state)
{
    static const char *const others[][3] = {
        { "{ operator = 'dml.element_wise_abs', descriptor = { InputTensor = { DataType = 'FLOAT32', Sizes = {1}},"
          "  OutputTensor = { DataType = 'FLOAT32', Sizes = {1}}}, inputs = { InputTensor = {1} } }",
          "not computed", "is checked, but not computed" },
        { "{ operator = 'dml.element_wise_abs', descriptor = { InputTensor = { DataType = 'FLOAT32', Sizes = {1}},"
          "  OutputTensor = { DataType = 'FLOAT32', Sizes = {2}}}, inputs = { InputTensor = {1} } }",
          "invalid", NULL },
        { "{ operator = 'dml.element_wise_identity', descriptor = {"
          "  InputTensor = { DataType = 'INT32', Sizes = {1}}, OutputTensor = { DataType = 'INT32', Sizes = {2}} } }",
          "invalid", NULL },
        { "{ operator = 'dml.element_wise_identity', descriptor = { InputTensor = { DataType = 'INT32', Sizes = {1}},"
          "  ScaleBias = { Scale = 2, Bias = 0 } }, inputs = { InputTensor = {1} } }",
          "not computed", "descriptor.ScaleBias is given, with which nothing is computed here" },
        { "{ operator = 'HLSL', descriptor = {} }", "unknown operator", "no DirectML operator" },
        { "{ operator = 'DML_OPERATOR_NO_SUCH' }", "unknown operator", "is not known here" },
        { "{ operator = 'dml.element_wise_identity', descriptor = { InputTensor = { DataType = 'INT32', Sizes = "
          "{32768,32768}}} }",
          "not computed", "need more than 4096 MiB" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
        char text[2048];
        snprintf(text, sizeof text, "%sreturn { identity({2}, {7,8}), %s, identity({1}, {9}) }", identity,
                 others[i][0]);
        assert_int_equal(testing_write("mixed.lua", text), 0);
        if (EVAL("--json", "mixed.lua") != EXIT_FAILURES)
            fail_msg("%s: %s%s", others[i][0], printed, complained);
        assert_string_equal(complained, "");
        json_t *list = json_loads(printed, 0, NULL), *it = json_array_get(list, 1);
        assert_int_equal(json_array_size(list), 3);
        assert_string_equal(json_string_value(json_object_get(it, "status")), others[i][1]);
        const char *reason = json_string_value(json_object_get(it, "reason"));
        if (others[i][2] ? !reason || !strstr(reason, others[i][2]) : reason != NULL)
            fail_msg("%s: %s", others[i][0], reason ? reason : "no reason");
        for (size_t k = 0; k < 3; k += 2)
            assert_string_equal(json_string_value(json_object_get(json_array_get(list, k), "status")), "ok");
        json_decref(list);
        assert_int_equal(EVAL("mixed.lua"), EXIT_FAILURES);
        assert_non_null(strstr(printed, "    [7, 8]\n"));
        assert_non_null(strstr(printed, "    [9]\n"));
        assert_non_null(strstr(printed, others[i][1]));
        if (others[i][2] && strstr(others[i][1], "unknown") == NULL) { /* nothing else to evaluate: that is an error */
            snprintf(text, sizeof text, "%sreturn { %s }", identity, others[i][0]);
            assert_int_equal(testing_write("mixed.lua", text), 0);
            assert_int_equal(EVAL("--json", "mixed.lua"), EXIT_BAD_USAGE);
            assert_string_equal(printed, "");
            assert_non_null(strstr(complained, others[i][2]));
        }
    }
}

#define DISPATCH(name)                                                                                                 \
    "{ \"type\": \"dispatch\", \"dispatchable\": \"" name "\", \"bindings\": { \"InputTensor\": \"r\" } }"
#define UINT8(sizes) "{ \"DataType\": \"UINT8\", \"Sizes\": [" sizes "] }"
#define IDENTITY(more)                                                                                                 \
    "{ \"type\": \"ELEMENT_WISE_IDENTITY\", \"desc\": { \"InputTensor\": " UINT8("2") ", \"OutputTensor\": " UINT8(    \
        "2") more " } }"

static void dispatches_of_a_model_are_computed(void **state)
{
    static const char *const wanted[] = {
        "ok", "unknown operator", "not computed", "not computed", "not computed", "invalid", "ok"
    };
    static const char model[] =
        "{ \"resources\": { \"r\": { \"initialValuesDataType\": \"UINT8\", \"initialValues\": [7, 8] },\n"
        "  \"empty\": {} }, \"dispatchables\": { \"a\": " IDENTITY(
            "") ",\n"
                "\"shader\": { \"type\": \"hlsl\", \"sourcePath\": \"a.hlsl\", \"compiler\": \"dxc\" },\n"
                "\"abs\": { \"type\": \"ELEMENT_WISE_ABS\", \"desc\": { \"InputTensor\": { \"DataType\": \"FLOAT32\","
                "  \"Sizes\": [2] }, \"OutputTensor\": { \"DataType\": \"FLOAT32\", \"Sizes\": [2] } } },\n"
                "\"scaled\": " IDENTITY(
                    ", \"ScaleBias\": { \"Scale\": 2, \"Bias\": 0 }") ",\n"
                                                                      "\"illegal\": { \"type\": \"ELEMENT_WISE_IDENTITY\", \"desc\": { \"InputTensor\": " UINT8(
                                                                          "2") ","
                                                                               "  \"OutputTensor\": " UINT8(
                                                                                   "3") " } } },\n"
                                                                                        "\"commands\": [ " DISPATCH("a") "," DISPATCH("shader") "," DISPATCH(
                                                                                            "abs") "," DISPATCH("scaled") ","
                                                                                                                          "{ \"type\": \"dispatch\", \"dispatchable\": \"a\", \"bindings\": { \"InputTensor\": \"empty\" } },"
                                                                                                                          "{ \"type\": \"dispatch\", \"dispatchable\": \"illegal\" }," DISPATCH(
                                                                                                                              "a") " ] }";
    (void)state;
    assert_int_equal(testing_write("model.json", model), 0);
    if (EVAL("--json", "model.json") != EXIT_FAILURES)
        fail_msg("%s%s", printed, complained);
    json_t *list = json_loads(printed, 0, NULL);
    assert_int_equal(json_array_size(list), sizeof wanted / sizeof wanted[0]);
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; ++i)
        assert_string_equal(json_string_value(json_object_get(json_array_get(list, i), "status")), wanted[i]);
    assert_non_null(strstr(printed, "dispatchable \\\"scaled\\\": desc.ScaleBias is given"));
    assert_non_null(strstr(printed, "\"raw\": \"0708\""));
    json_decref(list);
}

/* raw ends with the last element, and begins with the first: neither padding nor the rest of a larger buffer is in it.
   Inputs may have it or not. */
static void raw_has_no_padding(void **state)
{
    static const char *const inputs[] = { "010203", "01020300", "[1, 3]", "[[1], [3]]" };
    (void)state;
    for (size_t i = 0; i < 4; ++i) {
        char text[1024];
        snprintf(text, sizeof text,
                 "{ \"operator\": \"dml.element_wise_identity\", \"descriptor\": { \"InputTensor\": { \"DataType\":"
                 "\"UINT8\", \"Sizes\": [2], \"Strides\": [2] }, \"OutputTensor\": { \"DataType\": \"UINT8\", "
                 "\"Sizes\": [2], \"Strides\": [4], \"TotalTensorSizeInBytes\": 16 } },"
                 "\"inputs\": { \"InputTensor\": %s%s%s } }",
                 i < 2 ? "{ \"raw\": \"" : "", inputs[i], i < 2 ? "\" }" : "");
        assert_int_equal(testing_write("raw.json", text), 0);
        if (EVAL("--json", "raw.json") != EXIT_CONFORMANT)
            fail_msg("%s", complained);
        assert_non_null(strstr(printed, "\"raw\": \"0100000003\""));
    }
}

static void unreadable_files_print_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
    } files[] = {
        { "x1.json", "{" },
        { "x2.json", "[]" },
        { "x3.json", "{ \"operator\": \"dml.slice1\", \"operator\": \"dml.slice1\" }" },
        { "x4.json", "{ \"operator\": 3 }" },
        { "x5.json", "[7]" },
        { "x6.json", "{ \"operator\": \"dml.slice1\", \"descriptor\": 1 }" },
        { "x7.lua", "return 1" },
        { "x8.lua", "return { operator = 'dml.slice1', inputs = 1 }" },
        { "x9.lua", "error 'no'" },
        { "x10.txt", "" },
        { "x11.lua", "return { { operator = 'dml.slice1' }, { operator = 'dml.gather', feature_level = '9' } }" },
        { "x12.lua",
          "return { operator = 'dml.gather', feature_level = '2_1', descriptor = { feature_level = '2_1' } }" },
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i) {
        assert_int_equal(testing_write(files[i].name, files[i].text), 0);
        assert_int_equal(EVAL("a.lua", (char *)(size_t)files[i].name), EXIT_BAD_USAGE);
        assert_string_equal(printed, "");
    }
    assert_int_equal(EVAL("--nope"), EXIT_BAD_USAGE);
    assert_int_equal(EVAL("--profile", "x", "a.lua"), EXIT_BAD_USAGE);
    assert_int_equal(EVAL("--help"), EXIT_CONFORMANT);
    assert_non_null(strstr(printed, "Usage: touchstone eval"));
}

static void lua_runs_scripts(void **state)
{
    (void)state;
    assert_int_equal(
        testing_write("s.lua",
                      "io.write(arg[0], ' ', #arg, ' ', arg[2], ' ', ..., ' ', #ts.operators() > 4 and 'ok' or '')\n"
                      "if arg[1] == '-f' then error 'no' end"),
        0);
    assert_int_equal(LUA("s.lua", "a", "--json"), EXIT_CONFORMANT);
    assert_string_equal(printed, "s.lua 2 --json a ok");
    assert_int_equal(LUA("s.lua", "-f", "b"), EXIT_FAILURES);
    assert_int_equal(LUA("nowhere.lua"), EXIT_BAD_USAGE);
    assert_int_equal(LUA("--help"), EXIT_CONFORMANT);
}

static int enter_folder(void **state)
{
    (void)state;
    return testing_folder(folder) == 0 && chdir(folder) == 0 ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    free(printed);
    free(complained);
    return chdir("/") == 0 ? testing_remove(folder) : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outputs_are_printed),      cmocka_unit_test(empty_and_scalar_outputs),
        cmocka_unit_test(violations_are_printed),   cmocka_unit_test(undefined_elements_are_marked),
        cmocka_unit_test(missing_inputs_are_named), cmocka_unit_test(unreadable_files_print_nothing),
        cmocka_unit_test(lua_runs_scripts),         cmocka_unit_test(what_can_be_computed_is),
        cmocka_unit_test(raw_has_no_padding),       cmocka_unit_test(dispatches_of_a_model_are_computed),
    };
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
