/* SPDX-License-Identifier: Apache-2.0 */
/* The verb check as a user runs it: exit statuses, and the output on both streams. */
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

static char folder[] = "/tmp/check_cmd_test_XXXXXX";
static char *printed, *complained; /* by the last command */

static int run_verb(int (*verb)(int, char **), int argc, char **argv)
{
    return testing_run(verb, argc, argv, NULL, &printed, &complained);
}

static int run(int argc, char **argv)
{
    return run_verb(cmd_check, argc, argv);
}

#define CHECK(...)                                                                                                     \
    run((int)(sizeof(char *[]){ "check", __VA_ARGS__ } / sizeof(char *)), (char *[]){ "check", __VA_ARGS__, NULL })

static const char slice[] = "{ \"type\": \"SLICE1\", \"desc\": {\n  \"InputTensor\": { \"DataType\": \"FLOAT32\", "
                            "\"Sizes\": [4] },\n  \"OutputTensor\": { \"DataType\": \"FLOAT32\", \"Sizes\": [%d] },\n"
                            "  \"DimensionCount\": 1, \"InputWindowOffsets\": [0], \"InputWindowSizes\": [4], "
                            "\"InputWindowStrides\": [1] } }";

static int set_up(void **state)
{
    char text[512];
    (void)state;
    assert_int_equal(testing_folder(folder), 0);
    assert_int_equal(chdir(folder), 0);
    snprintf(text, sizeof text, slice, 4);
    assert_int_equal(testing_write("good.json", text), 0);
    snprintf(text, sizeof text, slice, 5);
    assert_int_equal(testing_write("bad.json", text), 0);
    assert_int_equal(testing_write("broken.json", "{ \"type\": "), 0);
    assert_int_equal(testing_write("unknown.json", "{ \"type\": \"DML_OPERATOR_NO_SUCH\", \"desc\": {} }"), 0);
    assert_int_equal(
        testing_write("good.lua",
                      "return { operator = 'dml.slice1', name = 'n', descriptor = { InputTensor = { DataType ="
                      " 'f32', Sizes = {4} }, InputWindowOffsets = {0}, InputWindowSizes = {4},"
                      " InputWindowStrides = {-2} } }"),
        0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(printed);
    free(complained);
    return chdir("/") == 0 ? testing_remove(folder) : -1;
}

static void exit_statuses(void **state)
{
    (void)state;
    assert_int_equal(CHECK("good.json", "good.lua"), EXIT_CONFORMANT);
    assert_non_null(strstr(printed, "good.json:1:1: dml.slice1: valid\n"));
    assert_non_null(strstr(printed, "good.lua:[1]: n: dml.slice1: valid\n"));
    assert_non_null(strstr(printed, "2 descriptors: 2 valid\n"));
    assert_int_equal(CHECK("good.json", "bad.json"), EXIT_FAILURES);
    assert_non_null(strstr(printed, "  SL-08   3:54: OutputTensor.Sizes[0] = 5"));
    assert_int_equal(CHECK("--feature-level", "2_1", "good.json"), EXIT_FAILURES);
    assert_non_null(strstr(printed, "unsupported"));
    assert_null(strstr(printed, "feature levels\n"));
    assert_int_equal(CHECK("unknown.json"), EXIT_CONFORMANT);
    assert_non_null(strstr(printed, "1 not fully judged: 1 of an unknown operator (DML_OPERATOR_NO_SUCH 1)"));
    assert_int_equal(CHECK("--strict", "good.json", "unknown.json"), EXIT_FAILURES);
    assert_int_equal(CHECK("--strict", "good.json"), EXIT_CONFORMANT);
    assert_int_equal(testing_write("empty.xml", "<net version=\"11\"/>"), 0);
    assert_int_equal(CHECK("good.json", "empty.xml"), EXIT_CONFORMANT);
    assert_string_equal(complained, "touchstone check: empty.xml: note: the file contains no descriptor\n");
    assert_int_equal(CHECK("--strict", "good.json", "empty.xml"), EXIT_FAILURES);
    unlink("empty.xml");
    assert_int_equal(CHECK("--json", "--sarif", "good.json"), EXIT_BAD_USAGE);
    assert_int_equal(CHECK("-p", "openvino,numpy", "good.json"), EXIT_BAD_USAGE);
}

/* Every format reports an unreadable descriptor with its place, and the others are judged. */
static void unreadable_files_do_not_silence_others(void **state)
{
    (void)state;
    assert_int_equal(CHECK("broken.json", "bad.json"), EXIT_BAD_USAGE);
    assert_non_null(strstr(printed, "1 descriptor: 0 valid, 1 invalid\n1 file not readable\n"));
    assert_string_equal(complained, "touchstone check: broken.json:1:11: expected a value, found the end\n");
    assert_int_equal(CHECK("good.txt"), EXIT_BAD_USAGE);
    assert_non_null(strstr(complained, "ends in .json, .jsonc, .lua, .xml or .bin"));
    FILE *file = fopen("long.json", "w");
    assert_int_equal(fseek(file, 64L << 20, SEEK_SET), 0);
    putc(' ', file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(CHECK("long.json"), EXIT_BAD_USAGE);
    assert_non_null(strstr(complained, "long.json: more than 64 MiB"));

    assert_int_equal(testing_write("half.json", "[ { \"operator\": \"dml.gather\" },\n{ \"type\": \"NO_SUCH\" } ]"), 0);
    assert_int_equal(CHECK("half.json", "bad.json"), EXIT_BAD_USAGE);
    assert_non_null(strstr(printed, "half.json:1:3: dml.gather: unreadable\n  unreadable  descriptor is missing\n"));
    assert_non_null(strstr(printed, "2 not fully judged: 1 unreadable, 1 of an unknown operator (NO_SUCH 1)\n"));
    assert_string_equal(complained, "");
    assert_int_equal(CHECK("--json", "none.json", "half.json", "good.json"), EXIT_BAD_USAGE);
    assert_non_null(strstr(complained, "touchstone check: none.json: No such file or directory\n"));
    assert_non_null(strstr(complained, "touchstone check: half.json:1:3: descriptor is missing\n"));
    json_t *list = json_loads(printed, 0, NULL);
    static const char *const statuses[] = { "unreadable", "unreadable", "unknown operator", "valid" };
    assert_int_equal(json_array_size(list), 4);
    for (size_t i = 0; i < 4; ++i)
        assert_string_equal(json_string_value(json_object_get(json_array_get(list, i), "status")), statuses[i]);
    assert_string_equal(json_string_value(json_object_get(json_array_get(list, 1), "reason")), "descriptor is missing");
    json_decref(list);
    assert_int_equal(CHECK("--sarif", "broken.json", "half.json"), EXIT_BAD_USAGE);
    json_t *log = json_loads(printed, 0, NULL), *run_of = json_array_get(json_object_get(log, "runs"), 0);
    assert_int_equal(json_array_size(json_object_get(run_of, "results")), 3);
    json_decref(log);
    unlink("half.json");
}

/* Everything besides a mistake is judged, the mistakes have their own places, and what was not judged is named. */
static void the_rest_of_a_descriptor_is_judged(void **state)
{
    (void)state;
    assert_int_equal(
        testing_write("rest.json",
                      "{ \"operator\": \"dml.gather\", \"descriptor\": {\n"
                      "\"InputTensor\": { \"DataType\": \"FLOAT32\", \"Sizes\": [3,2] },\n"
                      "\"IndicesTensor\": { \"DataType\": \"INT16\", \"Sizes\": [1,2], \"Strides\": [1] },\n"
                      "\"OutputTensor\": { \"DataType\": \"FLOAT16\", \"Sizes\": [1,2] },\n"
                      "\"Axis\": 5, \"IndexDimensions\": 1 } }"),
        0);
    assert_int_equal(CHECK("-l", "6_4", "rest.json"), EXIT_FAILURES);
    static const char *const lines[] = {
        "\n  TYPE-02  3:68: IndicesTensor.Strides has 1 value, but IndicesTensor.Sizes has 2\n",
        "legal:  IndicesTensor.Strides with 2 values, or IndicesTensor.Sizes with 1 value\n",
        "\n  GA-04   3:32: ",
        "\n  GA-03   4:31: ",
        "\n  GA-05   5:9: Axis = 5 ",
        "\n  not judged: the clauses that depend on IndicesTensor.Strides\n"
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; ++i)
        if (!strstr(printed, lines[i]))
            fail_msg("no '%s' in:\n%s", lines[i], printed);

    assert_int_equal(testing_write("rest.json", "{ \"operator\": \"dml.slice1\", \"descriptor\": {\n"
                                                "\"InputTensor\": { \"DataType\": \"FLOAT33\", \"Size\": [4,4] },\n"
                                                "\"OutputTensor\": { \"DataType\": \"FLOAT32\", \"Sizes\": [1,9] },\n"
                                                "\"InputWindowOffset\": [0,\"a\"], \"InputWindowSizes\": [4,4],\n"
                                                "\"InputWindowStrides\": [0,1] } }"),
                     0);
    assert_int_equal(CHECK("rest.json"), EXIT_BAD_USAGE);
    static const char *const mistakes[] = {
        "rest.json:1:1: dml.slice1: unreadable\n",
        "\n  unreadable  2:30: InputTensor.DataType: no data type \"FLOAT33\" (did you mean \"FLOAT32\"?)",
        "\n  unreadable  2:41: InputTensor: no field \"Size\" (did you mean \"Sizes\"?)",
        "\n  unreadable  4:1: dml.slice1: no field \"InputWindowOffset\" (did you mean \"InputWindowOffsets\"?)",
        "\n  unreadable  4:25: InputWindowOffsets[1]: expected an integer, found a string\n",
        "\n  SL-07   5:24: InputWindowStrides[0] = 0\n",
        "\n  not judged: the clauses that depend on InputTensor.DataType, InputWindowOffsets[1]\n",
        "1 not fully judged: 1 unreadable\n"
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; ++i)
        if (!strstr(printed, mistakes[i]))
            fail_msg("no '%s' in:\n%s", mistakes[i], printed);
    assert_null(strstr(printed, "  BUF-02"));
    assert_null(strstr(printed, "  SL-04"));
    assert_int_equal(CHECK("--json", "rest.json"), EXIT_BAD_USAGE);
    assert_non_null(strstr(complained, "touchstone check: rest.json:4:25: InputWindowOffsets[1]: expected"));
    json_t *list = json_loads(printed, 0, NULL);
    assert_int_equal(json_array_size(json_object_get(json_array_get(list, 0), "unreadable")), 4);
    json_decref(list);
    unlink("rest.json");

    assert_int_equal(testing_write("rest.json",
                                   "{ \"operator\": \"openvino.strided_slice\", \"descriptor\": {\n"
                                   "\"data\": { \"type\": \"f32\", \"shape\": [3,2] }, \"begin\": [0,0,0],\n"
                                   "\"end\": [1,1,1], \"stride\": [0,1,1], \"begin_mask\": [0,2] } }"),
                     0);
    assert_int_equal(CHECK("rest.json"), EXIT_FAILURES);
    assert_non_null(strstr(printed, "\n  note: output is absent, and cannot be inferred from what is there\n"));
    assert_non_null(strstr(printed, "\n  SS-02   3:"));
    assert_non_null(strstr(printed, "\n  SS-06   2:"));
    assert_non_null(strstr(printed, "\n  SS-10   3:"));
    assert_null(strstr(printed, "\n    output"));
    unlink("rest.json");
}

/* What the file does not say is never shown as if it did. */
static void an_absent_output_is_marked(void **state)
{
    (void)state;
    assert_int_equal(testing_write("out.json",
                                   "[{ \"operator\": \"dml.slice1\", \"descriptor\": { \"InputTensor\": "
                                   "{ \"DataType\": \"FLOAT32\", \"Sizes\": [4] }, \"InputWindowOffsets\": [0], "
                                   "\"InputWindowSizes\": [4], \"InputWindowStrides\": [1] } },\n"
                                   "{ \"operator\": \"dml.slice1\", \"descriptor\": {} },\n"
                                   "{ \"operator\": \"dml.slise1\", \"descriptor\": {} }]"),
                     0);
    assert_int_equal(CHECK("out.json"), EXIT_BAD_USAGE); /* of dml.slise1 */
    assert_non_null(strstr(printed, "\n  note: OutputTensor is absent: inferred as FLOAT32 {4}\n"));
    assert_null(strstr(printed, "    OutputTensor FLOAT32"));
    assert_non_null(strstr(printed, "  SL-02   OutputTensor is missing\n"));
    assert_null(strstr(printed, "BUF-02"));
    assert_non_null(strstr(printed, "dml.slise1: unknown operator\n  note: not judged: the operator is not known here; "
                                    "did you mean dml.slice1?\n"));
    assert_int_equal(CHECK("-l", "1_0", "out.json"), EXIT_BAD_USAGE);
    assert_non_null(strstr(printed, "InputTensor.DimensionCount = 1, and 2_1 allows only 4 to 5\n"));
    unlink("out.json");
}

/* What a misspelt field is judged as is said, and its settings are the record's. */
static void a_misspelt_field_is_said_to_be_judged(void **state)
{
    (void)state;
    assert_int_equal(testing_write("axs.json",
                                   "{ \"operator\": \"dml.gather_elements\", \"descriptor\": { \"InputTensor\": { "
                                   "\"DataTyp\": \"FLOAT32\", \"Sizes\": [2,2] }, \"IndicesTensor\": { \"DataType\": "
                                   "\"INT32\", \"Sizes\": [2,2] }, \"Axs\": 5, \"Axiss\": 1 } }"),
                     0);
    assert_int_equal(CHECK("axs.json"), EXIT_BAD_USAGE);
    assert_non_null(strstr(printed,
                           "dml.gather_elements: no field \"Axs\" (did you mean \"Axis\"?); known are: InputTensor, "
                           "IndicesTensor, OutputTensor, Axis; the record has profile and feature_level\n"
                           "  note: Axs is judged as Axis\n"));
    assert_non_null(strstr(printed, "\n  note: DataTyp is judged as DataType\n"));
    assert_non_null(strstr(printed, "Axis = 5 is not below"));
    assert_null(strstr(printed, "Axiss is judged")); /* Axis has a value already */
    assert_int_equal(CHECK("--json", "axs.json"), EXIT_BAD_USAGE);
    json_t *list = json_loads(printed, 0, NULL);
    json_t *unreadable = json_object_get(json_array_get(list, 0), "unreadable");
    assert_string_equal(json_string_value(json_object_get(json_array_get(unreadable, 0), "judged_as")), "Axis");
    json_decref(list);
    assert_int_equal(CHECK("--sarif", "axs.json"), EXIT_BAD_USAGE);
    assert_non_null(strstr(printed, "feature_level; judged as Axis\""));
    unlink("axs.json");
}

/* What is missing is named with what it has to be. */
static void missing_attributes_are_to_be_stated(void **state)
{
    (void)state;
    assert_int_equal(
        testing_write("sum.json", "{ \"operator\": \"dml.cumulative_summation\", \"descriptor\": { \"OutputTensor\": { "
                                  "\"DataType\": \"FLOAT32\", \"Sizes\": [2,2] } } }"),
        0);
    assert_int_equal(CHECK("sum.json"), EXIT_FAILURES);
    assert_non_null(strstr(printed, "legal:  InputTensor stated, as a data type and sizes, such as FLOAT32 {2,2}\n"));
    assert_non_null(strstr(printed, "legal:  Axis stated, as an integer, such as 0\n"));
    assert_non_null(strstr(printed, "legal:  AxisDirection stated, as DML_AXIS_DIRECTION_INCREASING or "
                                    "DML_AXIS_DIRECTION_DECREASING\n"));
    assert_non_null(strstr(printed, "legal:  HasExclusiveSum stated, as 0 or 1\n"));
    assert_int_equal(testing_write("sum.json", "{ \"operator\": \"dml.slice1\", \"descriptor\": {} }"), 0);
    assert_int_equal(CHECK("sum.json"), EXIT_FAILURES);
    assert_non_null(strstr(printed, "legal:  InputWindowSizes stated, as a list of integers, such as {"));
    assert_int_equal(testing_write("sum.json", "{ \"operator\": \"dml.scatter\", \"descriptor\": {} }"), 0);
    assert_int_equal(CHECK("sum.json"), EXIT_BAD_USAGE);
    assert_non_null(strstr(printed, "did you mean dml.scatter_elements?\n"));
    unlink("sum.json");
}

/* No type of an output follows from an input's that cannot be read. */
static void no_type_follows_from_an_unread_one(void **state)
{
    (void)state;
    assert_int_equal(testing_write("type.json",
                                   "{ \"operator\": \"openvino.gather_8\", \"descriptor\": { \"data\": { \"type\": "
                                   "\"f23\", \"shape\": [3,2] }, \"indices\": { \"type\": \"i32\", \"shape\": [2] }, "
                                   "\"output\": { \"shape\": [2,2] }, \"axis\": 0, \"batch_dims\": 0 } }"),
                     0);
    assert_int_equal(CHECK("type.json"), EXIT_BAD_USAGE);
    assert_null(strstr(printed, "inferred"));
    assert_non_null(strstr(printed, "\n    output ?       2    2\n"));
    assert_non_null(strstr(printed, "depend on data.DataType, output.DataType\n"));
    unlink("type.json");
}

#define FLOATS(sizes) "{ \"DataType\": \"FLOAT32\", \"Sizes\": " sizes " }"
#define GEMM(a, b)                                                                                                     \
    "{ \"operator\": \"dml.gemm\", \"descriptor\": { \"ATensor\": " FLOATS(a) ", \"BTensor\": " FLOATS(                \
        b) ", \"TransA\": 0, \"TransB\": 0, \"Alpha\": 1, \"Beta\": 0 } }"
#define RESAMPLE(output, scales)                                                                                       \
    "{ \"operator\": \"dml.resample\", \"descriptor\": { \"InputTensor\": " FLOATS(                                    \
        "[1,1,4,4]") ", " output "\"InterpolationMode\": \"LINEAR\", \"Scales\": " scales " } }"
#define MULTIPLY_INTEGER                                                                                               \
    "{ \"operator\": \"dml.matrix_multiply_integer\", \"descriptor\": { \"ATensor\": { \"DataType\": \"INT8\", "       \
    "\"Sizes\": [1,1,4,8] }, \"AZeroPointTensor\": { \"DataType\": \"INT8\", \"Sizes\": [1,1,4,1] }, \"BTensor\": "    \
    "{ \"DataType\": \"INT8\", \"Sizes\": [1,1,8,5] }, \"OutputTensor\": { \"DataType\": \"INT32\" } } }"

/* A clause that names a field is not judged without it, also where its message speaks only of what follows from it. */
static void what_follows_from_an_unread_field_is_not_judged(void **state)
{
    (void)state;
    static const char *const records[] = {
        "{\"operator\": \"dml.join\", \"descriptor\": {\"InputTensors\": [{\"DataType\": \"FLOAT32\", "
        "\"Sizes\": [2,3]}, {\"DataType\": \"FLOAT32\", \"Sizes\": [2,4]}], \"OutputTensor\": {\"DataType\": \"FLOAT32\", \"Sizes\": "
        "[2,7]}, \"Axis\": \"one\"}}",
        "{\"operator\": \"dml.join\", \"descriptor\": {\"InputTensors\": 1, \"OutputTensor\": {\"DataType\": "
        "\"FLOAT32\", \"Sizes\": [2,7]}, \"Axis\": 1}}",
        "{\"operator\": \"openvino.scatter_update\", \"descriptor\": {\"data\": {\"type\": \"f32\", \"shape\": [3,5]}, "
        "\"indices\": {\"type\": \"i32\", \"shape\": [2]}, \"updates\": {\"type\": \"f32\", \"shape\": [3,2]}, "
        "\"axis\": [1]}}",
        "{\"operator\": \"openvino.scatter_elements_update_3\", \"descriptor\": {\"data\": {\"type\": \"f32\", "
        "\"shape\": [3,5]}, \"indices\": {\"type\": \"i32\", \"shape\": \"2,2\"}, \"updates\": {\"type\": \"f32\", "
        "\"shape\": [2,2]}, \"axis\": 1}}",
    };
    for (size_t i = 0; i < sizeof records / sizeof records[0]; ++i) {
        assert_int_equal(testing_write("unread.json", records[i]), 0);
        assert_int_equal(CHECK("--json", "unread.json"), EXIT_BAD_USAGE);
        json_t *list = json_loads(printed, 0, NULL);
        const json_t *violations = json_object_get(json_array_get(list, 0), "violations");
        if (json_array_size(violations) != 0)
            fail_msg("%s: %s", records[i], printed);
        json_decref(list);
    }
    assert_int_equal(testing_write("unread.json",
                                   "{\"operator\": \"openvino.scatter_update\", \"descriptor\": {\"data\": "
                                   "{\"type\": \"f32\", \"shape\": [3,5]}, \"indices\": {\"type\": "
                                   "\"i3\", \"shape\": [2]}, \"updates\": {\"type\": \"f16\", \"shape\": "
                                   "[3,2]}, \"axis\": 1}}"),
                     0);
    assert_int_equal(CHECK("unread.json"), EXIT_BAD_USAGE);
    assert_non_null(strstr(printed, "\n  SU3-03")); /* of updates, whatever the type of indices is */
}

/* An operator that is checked only has no shape: its rules say the sizes of an absent output, or it is undecided, and
   only what does not depend on these sizes is judged. */
static void absent_outputs_of_checked_operators(void **state)
{
    (void)state;
    assert_int_equal(
        testing_write("absent.json",
                      "[" RESAMPLE("", "[1,1,2,2]") ",\n" RESAMPLE("\"OutputTensor\": {}, ", "[1,1]") ",\n" GEMM(
                          "[2,3,4,8]", "[2,3,8,5]") ",\n" GEMM("[2,3,4,8]", "[2,3,7,5]") ",\n" MULTIPLY_INTEGER "]"),
        0);
    assert_int_equal(CHECK("absent.json"), EXIT_FAILURES);
    static const char *const said[] = {
        "absent.json:1:2: dml.resample: undecided\n"
        "  note: OutputTensor is absent, and cannot be inferred from what is there\n",
        "\n  not judged: the clauses that depend on OutputTensor.Sizes\n",
        "    1_0         unsupported: OP-01\n    2_0 to 6_4  undecided\n",
        "absent.json:2:1: dml.resample: invalid\n"
        "  note: the sizes of OutputTensor are absent, and cannot be inferred; the data type of OutputTensor is",
        "absent.json:3:1: dml.gemm: valid\n  note: OutputTensor is absent: inferred as FLOAT32 {2,3,4,5}\n",
        ": BTensor.Sizes[2] = 7 is not the columns of ATensor = 8\n",
        "absent.json:5:1: dml.matrix_multiply_integer: valid\n",
    };
    for (size_t i = 0; i < sizeof said / sizeof said[0]; ++i)
        if (!strstr(printed, said[i]))
            fail_msg("no '%s' in:\n%s", said[i], printed);
    assert_null(strstr(printed, "  OP-09   OutputTensor"));
    assert_int_equal(CHECK("--json", "absent.json"), EXIT_FAILURES);
    json_t *list = json_loads(printed, 0, NULL), *resample = json_array_get(list, 0);
    assert_null(json_object_get(resample, "inferred"));
    assert_string_equal(json_string_value(json_object_get(resample, "not_judged")), "OutputTensor.Sizes");
    assert_int_equal(json_array_size(json_object_get(json_array_get(list, 2), "inferred")), 1);
    json_decref(list);
    assert_int_equal(
        testing_write("absent.json", RESAMPLE("\"OutputTensor\": { \"Strides\": [32,8,1] }, ", "[1,1,2,2]")), 0);
    assert_int_equal(CHECK("absent.json"),
                     EXIT_CONFORMANT); /* strides are not compared with sizes that are not there */
    unlink("absent.json");
}

#define CONVOLUTION_TENSORS "\"InputTensor\": " FLOATS("[1,4,8,8]") ", \"FilterTensor\": " FLOATS("[6,4,3,3]")
#define CONVOLUTION_LISTS                                                                                              \
    "\"Strides\": [1,1], \"Dilations\": [1,1], \"StartPadding\": [0,0], \"EndPadding\": [0], "                         \
    "\"OutputPadding\": [0,0]"
#define CONVOLUTION(more, type)                                                                                        \
    "{ \"operator\": \"dml.convolution\", \"descriptor\": { " more CONVOLUTION_TENSORS ", " CONVOLUTION_LISTS          \
    ", \"Mode\": 0, \"Direction\": 0, \"GroupCount\": 1, \"FusedActivation\": { \"Type\": \"" type "\" } } }"

static unsigned occurrences(const char *text, const char *what)
{
    unsigned n = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        n++;
    return n;
}

/* One list that is too short is one mistake. The type of an activation without its prefix is one that names the type.
 */
static void a_short_list_and_a_short_type_are_one_mistake_each(void **state)
{
    (void)state;
    assert_int_equal(testing_write("short.json", CONVOLUTION("", "RELU")), 0);
    assert_int_equal(CHECK("short.json"), EXIT_BAD_USAGE);
    if (occurrences(printed, "  TYPE-02  ") != 1 ||
        !strstr(printed, ": EndPadding has 1 value, but the other lists have 2\n") ||
        !strstr(printed, "  legal:  EndPadding with 2 values\n"))
        fail_msg("%s", printed);
    if (!strstr(printed, "FusedActivation.Type: no operator \"RELU\" (did you mean \"ACTIVATION_RELU\"?); known are: "
                         "ACTIVATION_CELU, "))
        fail_msg("%s", printed);
    assert_int_equal(testing_write("short.json", CONVOLUTION("\"DimensionCount\": 2, ", "ACTIVATION_RELU")), 0);
    assert_int_equal(CHECK("short.json"), EXIT_FAILURES);
    assert_int_equal(occurrences(printed, "  TYPE-02  "), 1);
    assert_non_null(strstr(printed, ": DimensionCount is 2, but EndPadding has 1 value\n"));
    unlink("short.json");
}

/* The table has what the file has, and no clause judges the nearest number that fits. */
static void numbers_out_of_range_are_shown(void **state)
{
    (void)state;
    assert_int_equal(
        testing_write("range.json",
                      "[{\"type\":\"GATHER\",\"desc\":{\"InputTensor\":{\"DataType\":\"UINT8\",\"Sizes\":[2,-1]},"
                      "\"IndicesTensor\":{\"DataType\":\"UINT32\",\"Sizes\":[1,2],\"Strides\":[4294967296,1]},"
                      "\"OutputTensor\":{\"DataType\":\"UINT8\",\"Sizes\":[2,2]},\"Axis\":-1,\"IndexDimensions\":1}},\n"
                      "{\"type\":\"SLICE1\",\"desc\":{\"InputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[1,4]},"
                      "\"OutputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[1,2]},\"InputWindowOffsets\":[0,0],"
                      "\"InputWindowSizes\":[1,-1],\"InputWindowStrides\":[1,2]}}]"),
        0);
    assert_int_equal(CHECK("range.json"), EXIT_FAILURES);
    static const char *const rows[] = { "    InputTensor UINT8              2   -1\n",
                                        "    Axis                          -1\n",
                                        "    InputWindowSizes        1   -1\n",
                                        "InputTensor.Sizes[1] = -1 is out of range: 0 to 4294967295\n",
                                        "  not judged: the clauses that depend on InputTensor.Sizes[1], Axis\n" };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        if (!strstr(printed, rows[i]))
            fail_msg("no \"%s\" in\n%s", rows[i], printed);
    assert_null(strstr(printed, "BUF-06")); /* a size of 0, which no one stated */
    assert_null(strstr(printed, "SL-06"));
    assert_null(strstr(printed, "judged as"));
    unlink("range.json");
}

#define CONVOLUTION_OF(strides, out, fused)                                                                            \
    "{\"type\":\"CONVOLUTION\",\"desc\":{\"InputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[1,1,4,4]},"              \
    "\"FilterTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[1,1,3,3]},\"OutputTensor\":{\"DataType\":\"FLOAT32\","      \
    "\"Sizes\":[1,1," out "]},\"Mode\":\"CROSS_CORRELATION\",\"Direction\":\"FORWARD\",\"DimensionCount\":2,"          \
    "\"Strides\":[" strides "],\"Dilations\":[1,1],\"StartPadding\":[0,0],\"EndPadding\":[0,0],\"OutputPadding\":"     \
    "[0,0],\"GroupCount\":1" fused "}}"

/* Names of pages and of the fields of a fused activation, and a value that a scalar cannot hold. */
static void names_are_printed(void **state)
{
    (void)state;
    assert_int_equal(
        testing_write(
            "names.json",
            "[" CONVOLUTION_OF("1,-1", "2,2", "") "," CONVOLUTION_OF(
                "1,0", "2,2",
                ",\"FusedActivation\":{\"Type\":\"ELEMENT_WISE_CLIP\",\"ScaleBias\":{\"Scale\":2,\"Bias\":1},"
                "\"Min\":0,\"Max\":6}") ","
                                        "{\"type\":\"FILL_VALUE_CONSTANT\",\"desc\":{\"OutputTensor\":{\"DataType\":\"UINT8\",\"Sizes\":[2]},"
                                        "\"ValueDataType\":\"UINT8\",\"Value\":{\"UInt8\":-1}}}]"),
        0);
    assert_int_equal(CHECK("names.json"), EXIT_BAD_USAGE);
    static const char *const texts[] = { "ELEMENT_WISE_CLIP(ScaleBias {2,1}, Min 0, Max 6)\n",
                                         "          page:   DML_CONVOLUTION_OPERATOR_DESC, Syntax\n",
                                         "Value: expected a number of type UINT8, which -1 is not\n" };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i)
        if (!strstr(printed, texts[i]))
            fail_msg("no \"%s\" in\n%s", texts[i], printed);
    assert_null(strstr(printed, "own page"));
    CHECK("--json", "names.json");
    assert_null(strstr(printed, "own page"));
    unlink("names.json");
}

/* A shape follows from inputs and attributes: while one of these is wrong, no other output is advised. */
static void consequences_are_told(void **state)
{
    (void)state;
    assert_int_equal(
        testing_write("shape.json",
                      "[{\"type\":\"SLICE1\",\"desc\":{\"InputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[1,4]},"
                      "\"OutputTensor\":{\"DataType\":\"FLOAT32\",\"Sizes\":[1,4]},\"InputWindowOffsets\":[0,3],"
                      "\"InputWindowSizes\":[1,2],\"InputWindowStrides\":[1,1]}},\n"
                      "{\"type\":\"JOIN\",\"desc\":{\"InputCount\":2,\"InputTensors\":[{\"DataType\":\"FLOAT32\","
                      "\"Sizes\":[1,4]},{\"DataType\":\"FLOAT32\",\"Sizes\":[2,4]}],\"OutputTensor\":{\"DataType\":"
                      "\"FLOAT32\",\"Sizes\":[1,7]},\"Axis\":1}}]"),
        0);
    assert_int_equal(CHECK("shape.json"), EXIT_FAILURES);
    char *second = strstr(printed, "shape.json:2:");
    assert_non_null(second);
    assert_non_null(strstr(second, "  JO-06   "));
    assert_non_null(strstr(second, "  JO-07   "));
    assert_non_null(strstr(strstr(second, "  JO-07   "), "          legal:  ")); /* another axis is another matter */
    *second = 0;
    assert_non_null(strstr(printed, "          first:  mend SL-05, of which this may be a consequence\n"));
    assert_null(strstr(strstr(printed, "  SL-08   "), "          legal:  "));
    assert_int_equal(CHECK("--json", "shape.json"), EXIT_FAILURES);
    assert_int_equal(occurrences(printed, "\"follows\":\"SL-05\""), 1);
    unlink("shape.json");
}

static void formats(void **state)
{
    (void)state;
    json_t *json;
    assert_int_equal(CHECK("-q", "bad.json"), EXIT_FAILURES);
    assert_string_equal(printed, "");
    assert_int_equal(CHECK("--json", "bad.json", "unknown.json", "good.lua"), EXIT_FAILURES);
    json = json_loads(printed, 0, NULL);
    assert_int_equal(json_array_size(json), 3);
    json_decref(json);
    assert_int_equal(CHECK("--sarif", "bad.json", "good.json"), EXIT_FAILURES);
    json = json_loads(printed, 0, NULL);
    assert_non_null(json);
    json_decref(json);
}

/* eval computes the outputs of a DxDispatch model from the data of its resources. */
static const char model[] =
    "{ \"resources\": {\n"
    "  \"list\": { \"initialValuesDataType\": \"FLOAT16\", \"initialValues\": [ 1, \"nan\", \"-inf\", 2.5, ], },\n"
    "  \"rest\": { \"initialValuesDataType\": \"UINT8\", \"sizeInBytes\": 8,\n"
    "    \"initialValues\": { \"valueCount\": 5, \"valueStart\": 253, \"valueDelta\": 1 } },\n"
    "  \"state\": { \"initialValuesDataType\": \"UINT32\", \"initialValues\": { \"valueCount\": 6, \"value\": 0 } } "
    "},\n"
    "\"dispatchables\": {\n"
    "  \"turn\": { \"type\": \"ELEMENT_WISE_IDENTITY\", \"desc\": { \"InputTensor\": { \"DataType\": \"FLOAT16\",\n"
    "    \"Sizes\": [2,2], \"Strides\": [1,2] }, \"OutputTensor\": { \"DataType\": \"FLOAT16\", \"Sizes\": [2,2] } } "
    "},\n"
    "  \"copy\": { \"type\": \"ELEMENT_WISE_IDENTITY\", \"desc\": { \"InputTensor\": { \"DataType\": \"UINT8\",\n"
    "    \"Sizes\": [4] }, \"OutputTensor\": { \"DataType\": \"UINT8\", \"Sizes\": [4] } } },\n"
    "  \"random\": { \"type\": \"RANDOM_GENERATOR\", \"desc\": { \"InputStateTensor\": { \"DataType\": \"UINT32\",\n"
    "    \"Sizes\": [1,1,1,6] }, \"OutputTensor\": { \"DataType\": \"UINT32\", \"Sizes\": [5] }, \"Type\": 0 } } },\n"
    "\"commands\": [ // two of three are dispatched\n"
    "  { \"type\": \"dispatch\", \"dispatchable\": \"turn\", \"bindings\": { \"InputTensor\": \"list\" } },\n"
    "  { \"type\": \"print\", \"resource\": \"list\" },\n"
    "  { \"type\": \"dispatch\", \"dispatchable\": \"copy\",\n"
    "    \"bindings\": { \"InputTensor\": { \"name\": \"rest\", \"elementOffset\": 1 } } },\n"
    "  { \"type\": \"dispatch\", \"dispatchable\": \"random\", \"bindings\": { \"InputStateTensor\": [\"state\"] } } ] "
    "}";

static int evaluate(char *file)
{
    return run_verb(cmd_eval, 2, (char *[]){ "eval", file, NULL });
}

static void refuse_model(const char *word, const char *by, const char *message)
{
    char text[sizeof model + 64];
    const char *at = strstr(model, word);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - model), model, by, at + strlen(word));
    assert_int_equal(testing_write("other.json", text), 0);
    assert_int_equal(evaluate("other.json"), EXIT_BAD_USAGE);
    assert_string_equal(printed, "");
    if (!strstr(complained, message))
        fail_msg("\"%s\" has no \"%s\"", complained, message);
}

static void eval_runs_models(void **state)
{
    (void)state;
    assert_int_equal(testing_write("model.json", model), 0);
    assert_int_equal(evaluate("model.json"), EXIT_CONFORMANT);
    assert_non_null(strstr(printed, "model.json[1]: dml.element_wise_identity turn: ok\n"));
    assert_non_null(strstr(printed, "    [[          1,        -inf],\n     [nan(0x7e00),         2.5]]\n"));
    assert_non_null(strstr(printed, "    [254, 255,   0,   1]\n"));
    assert_non_null(strstr(printed, "    [1713891541, 3781805453, 3159862348, 2600524760, 4175744164]\n"));
    refuse_model("[\"state\"]", "\"other\"", "dispatchable \"random\": there is no resource \"other\"");
    refuse_model("\"valueCount\": 6", "\"valueCount\": 5", "20 raw bytes, expected 24");
    refuse_model("\"valueCount\": 6", "\"valueCount\": -1", "no values, or more than 1024 MiB");
    refuse_model("\"Type\": 0", "\"Type\": 0, \"Scale\": 1", "desc.Scale is not known here");
    refuse_model("\"elementOffset\": 1", "\"elementOffset\": 9", "is bound behind the end of resource \"rest\"");
    refuse_model("\"initialValues\": [ 1,", "\"initialValues\": [ true,",
                 "initialValues[0] = true is no value of FLOAT16");
    unlink("model.json");
    unlink("other.json");
}

static void options_are_checked(void **state)
{
    (void)state;
    assert_int_equal(CHECK("--help"), EXIT_CONFORMANT);
    assert_non_null(strstr(printed, "Usage: touchstone check"));
    assert_int_equal(run(1, (char *[]){ "check", NULL }), EXIT_BAD_USAGE);
    assert_int_equal(CHECK("--feature-level", "9_9", "good.json"), EXIT_BAD_USAGE);
    assert_int_equal(CHECK("--profile", "none", "good.json"), EXIT_BAD_USAGE);
    assert_int_equal(CHECK("--output-overlap", "maybe", "good.json"), EXIT_BAD_USAGE);
    assert_int_equal(CHECK("--output-overlap", "allow", "--profile", "numpy,strict_shrink", "good.json"),
                     EXIT_CONFORMANT);
    assert_int_equal(CHECK("--nothing", "good.json"), EXIT_BAD_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exit_statuses),
        cmocka_unit_test(unreadable_files_do_not_silence_others),
        cmocka_unit_test(the_rest_of_a_descriptor_is_judged),
        cmocka_unit_test(an_absent_output_is_marked),
        cmocka_unit_test(a_misspelt_field_is_said_to_be_judged),
        cmocka_unit_test(missing_attributes_are_to_be_stated),
        cmocka_unit_test(no_type_follows_from_an_unread_one),
        cmocka_unit_test(what_follows_from_an_unread_field_is_not_judged),
        cmocka_unit_test(absent_outputs_of_checked_operators),
        cmocka_unit_test(a_short_list_and_a_short_type_are_one_mistake_each),
        cmocka_unit_test(numbers_out_of_range_are_shown),
        cmocka_unit_test(names_are_printed),
        cmocka_unit_test(consequences_are_told),
        cmocka_unit_test(formats),
        cmocka_unit_test(eval_runs_models),
        cmocka_unit_test(options_are_checked),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
