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
        cmocka_unit_test(lua_runs_scripts),
    };
    return cmocka_run_group_tests(tests, enter_folder, remove_folder);
}
