/* SPDX-License-Identifier: Apache-2.0 */
/* The verbs explain and ledger, in process. */
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

static char folder[] = "/tmp/cmd_explain_test_XXXXXX";
static char *printed, *complained; /* by the last command */

static int run(int (*verb)(int, char **), int argc, char **argv)
{
    return testing_run(verb, argc, argv, NULL, &printed, &complained);
}

#define RUN(verb, ...)                                                                                                 \
    run(cmd_##verb, (int)(sizeof(char *[]){ #verb, __VA_ARGS__ } / sizeof(char *)),                                    \
        (char *[]){ #verb, __VA_ARGS__, NULL })

static void a_case_is_explained(void **state)
{
    (void)state;
    assert_int_equal(RUN(explain, "dml.slice1:examples:example=2"), EXIT_CONFORMANT);
    assert_non_null(strstr(printed, "OutputTensor[0,0,1,0] = InputTensor[0,0,1,1] = 6\n"));
    assert_int_equal(RUN(explain, "dml.gather:examples:example=3-as-printed"), EXIT_FAILURES);
    assert_non_null(strstr(printed, "GA-08  broken"));
    assert_int_equal(RUN(explain, "openvino.strided_slice:examples:example=b6-reverse-begin-far-out"), 0);
    assert_non_null(strstr(printed, "by profile openvino"));
    assert_int_equal(RUN(explain, "--feature-level", "1_0", "dml.slice1:examples:example=1"), EXIT_FAILURES);
    assert_non_null(strstr(printed, "unsupported"));
    assert_int_equal(RUN(explain, "dml.slice1:examples"), EXIT_BAD_USAGE);
    assert_int_equal(RUN(explain, "dml.slice1:nothing"), EXIT_BAD_USAGE);
}

static void descriptors_of_a_file_are_explained(void **state)
{
    (void)state;
    assert_int_equal(
        testing_write("a.lua",
                      "return { { operator = 'openvino.strided_slice', name = 'reverse', descriptor = { data = {"
                      "type = 'i32', shape = {4} }, begin = {-9}, ['end'] = {-9}, stride = {-1} } },"
                      "{ operator = 'dml.element_wise_identity', descriptor = { InputTensor = { DataType = 'UINT8',"
                      "Sizes = {2} } }, inputs = { InputTensor = {7,8} } } }"),
        0);
    assert_int_equal(RUN(explain, "a.lua"), EXIT_CONFORMANT);
    assert_non_null(strstr(printed, "a.lua[1]\n  reverse\n"));
    assert_non_null(strstr(printed, "output[0] = data[0]\n")); /* no inputs: no values */
    assert_non_null(strstr(printed, "OutputTensor[1] at 1 = InputTensor[1] at 1 = 8\n"));
    assert_int_equal(RUN(explain, "--profile", "numpy", "--json", "a.lua"), EXIT_CONFORMANT);
    json_t *list = json_loads(printed, 0, NULL), *first = json_array_get(list, 0), *steps, *step;
    assert_int_equal(json_array_size(list), 2);
    assert_string_equal(json_string_value(json_object_get(first, "profile")), "numpy");
    steps = json_object_get(first, "steps");
    assert_true(json_array_size(steps) >= 5);
    size_t i;
    json_array_foreach(steps, i, step)
    {
        assert_int_equal(json_integer_value(json_object_get(step, "step")), i + 1);
        assert_true(json_is_array(json_object_get(step, "clauses")) && json_is_string(json_object_get(step, "title")));
        assert_int_equal(json_array_size(json_object_get(step, "elements")), 0); /* the range is empty */
    }
    json_decref(list);
}

/* Descriptors that cannot be explained are named, and the others are explained. */
static void other_entries_are_skipped(void **state)
{
    (void)state;
    assert_int_equal(
        testing_write("b.json",
                      "[ { \"type\": \"NO_SUCH\" }, { \"operator\": \"dml.element_wise_identity\", \"name\": \"mine\","
                      "\"descriptor\": { \"InputTensor\": { \"DataType\": \"UINT8\", \"Sizes\": [2] } } },"
                      "{ \"operator\": \"dml.gather\" } ]"),
        0);
    assert_int_equal(RUN(explain, "b.json"), EXIT_BAD_USAGE); /* the third cannot be read */
    assert_int_equal(RUN(explain, "-d", "2", "b.json"), EXIT_CONFORMANT);
    assert_int_equal(RUN(explain, "--descriptor=mine", "b.json"), EXIT_CONFORMANT);
    assert_non_null(strstr(printed, "OutputTensor[1] at 1 = InputTensor[1]"));
    assert_int_equal(RUN(explain, "-d", "1", "b.json"), EXIT_BAD_USAGE);
    assert_int_equal(RUN(explain, "-d", "9", "b.json"), EXIT_BAD_USAGE);
    assert_int_equal(/* inputs of an operator that is checked only are not needed */
                     testing_write(
                         "c.json",
                         "{ \"operator\": \"dml.element_wise_abs\", \"descriptor\": { \"InputTensor\": {"
                         "\"DataType\": \"FLOAT32\", \"Sizes\": [1] }, \"OutputTensor\": {"
                         "\"DataType\": \"FLOAT32\", \"Sizes\": [1] } }, \"inputs\": { \"InputTensor\": [1] } }"),
                     0);
    assert_int_equal(RUN(explain, "c.json"), EXIT_CONFORMANT);
    assert_non_null(strstr(printed, "dml.element_wise_abs"));
    static char model[] = TOUCHSTONE_SOURCE_DIR "/fuzz/seeds/ir/model.xml";
    assert_int_equal(RUN(explain, model), EXIT_CONFORMANT);
    assert_non_null(strstr(printed, "begin                {1,1,123}\n"));
    assert_non_null(strstr(printed, "[2]\n  computed: openvino.strided_slice: not explained: begin is not constant"));
    assert_null(strstr(printed, "\\n")); /* the empty lines between the items are empty */
    assert_int_equal(RUN(explain, "--json", model), EXIT_CONFORMANT);
    json_t *list = json_loads(printed, 0, NULL);
    assert_int_equal(json_array_size(list), 3);
    assert_string_equal(json_string_value(json_object_get(json_array_get(list, 1), "status")), "undecided");
    json_decref(list);
}

/* A serialized graph is read as check reads it; what is neither such a file nor a case is said to be neither. */
static void files_are_those_of_check(void **state)
{
    (void)state;
    static char graph[] = TOUCHSTONE_SOURCE_DIR "/fuzz/seeds/graph/edge.bin";
    const int status = RUN(check, graph);
    assert_int_equal(RUN(explain, graph), status);
    assert_non_null(strstr(printed, "edge.bin"));
    assert_non_null(strstr(printed, "one\n  dml.element_wise_identity"));
    assert_int_equal(RUN(explain, "docs.bin"), EXIT_BAD_USAGE);
    assert_non_null(strstr(complained, "docs.bin: No such file"));
    assert_int_equal(RUN(explain, "./docs.txt"), EXIT_BAD_USAGE);
    assert_non_null(strstr(complained, "./docs.txt: expected a name that ends in .json, .jsonc, .lua, .xml or .bin"));
    assert_int_equal(RUN(explain, "docs.txt"), EXIT_BAD_USAGE);
    assert_non_null(strstr(complained, "there is no operator 'docs.txt'"));
    assert_non_null(strstr(complained, "; the name of a FILE ends in .json, .jsonc, .lua, .xml or .bin"));
}

static void elements_are_limited(void **state)
{
    (void)state;
    assert_int_equal(testing_write("b.json",
                                   "{ \"operator\": \"dml.element_wise_identity\", \"descriptor\": { \"InputTensor\": {"
                                   "\"DataType\": \"UINT8\", \"Sizes\": [100000,100000] } } }"),
                     0);
    assert_int_equal(RUN(explain, "b.json"), EXIT_FAILURES); /* BUF-11 */
    assert_non_null(strstr(printed, "... (9999999988 more)\n"));
    assert_non_null(strstr(printed, "OutputTensor[99999,99999] at 9999999999 = "));
    assert_int_equal(RUN(explain, "-n", "2", "b.json"), EXIT_FAILURES);
    assert_non_null(strstr(printed, "... (9999999998 more)\n"));
}

static void mistakes_are_refused(void **state)
{
    (void)state;
    assert_int_equal(testing_write("x1.json", "{"), 0);
    assert_int_equal(testing_write("x2.json", "[]"), 0);
    assert_int_equal(testing_write("x3.json", "{ \"operator\": \"dml.slice\" }"), 0);
    assert_int_equal(testing_write("x4.lua", "return 1"), 0);
    assert_int_equal(testing_write("x5.lua", "return { operator = 'dml.gather', other = 1 }"), 0);
    assert_int_equal(testing_write("x6.json", "{ \"operator\": \"dml.gather\", \"descriptor\": 1 }"), 0);
    assert_int_equal(testing_write("x7.json", "[1]"), 0);
    assert_int_equal(testing_write("x8.json", "{ \"operator\": \"dml.gather\", \"name\": 1 }"), 0);
    static const char *const files[] = { "x1.json", "x2.json", "x3.json", "x4.lua",      "x5.lua",
                                         "x6.json", "x7.json", "x8.json", "missing.json" };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i) {
        char name[32];
        snprintf(name, sizeof name, "%s", files[i]);
        assert_int_equal(RUN(explain, name), EXIT_BAD_USAGE);
        assert_int_equal(RUN(explain, "--json", name), EXIT_BAD_USAGE);
        assert_string_equal(printed, "");
    }
    assert_int_equal(RUN(explain, "--nothing"), EXIT_BAD_USAGE);
    assert_int_equal(RUN(explain, "--profile", "other", "x1.json"), EXIT_BAD_USAGE);
    assert_int_equal(RUN(explain, "--feature-level", "9", "x1.json"), EXIT_BAD_USAGE);
    assert_int_equal(run(cmd_explain, 1, (char *[]){ "explain", NULL }), EXIT_BAD_USAGE);
    assert_int_equal(RUN(explain, "--help"), EXIT_CONFORMANT);
}

static void the_ledger_is_printed(void **state)
{
    (void)state;
    assert_int_equal(RUN(ledger, "E-SS-6"), EXIT_CONFORMANT);
    assert_non_null(strstr(printed, "E-SS-6  IM  openvino.strided_slice\n"));
    assert_non_null(strstr(printed, "OpenVINO 2026.4.1, const, data of dynamic sizes: empty\n"));
    assert_non_null(strstr(printed, "SS-11: negative begin and end count"));
    assert_non_null(strstr(printed, "openvino.strided_slice:examples:example=b6-reverse-begin-far-out\n"));
    assert_null(strstr(printed, "E-SS-7"));
    assert_int_equal(RUN(ledger, "SL-08"), EXIT_CONFORMANT);
    assert_non_null(strstr(printed, "E-SL-1  EN"));
    assert_null(strstr(printed, "E-SL-4"));
    assert_int_equal(RUN(ledger, "--json", "dml.random_generator", "E-SL-1"), EXIT_CONFORMANT);
    json_t *list = json_loads(printed, 0, NULL), *entry = json_array_get(list, 0);
    assert_int_equal(json_array_size(list), 7 + 15); /* its own entries, and those of the shared layout rules */
    assert_string_equal(json_string_value(json_object_get(entry, "id")), "E-SL-1");
    assert_int_equal(json_array_size(json_object_get(entry, "known")), 2);
    json_decref(list);
    assert_int_equal(run(cmd_ledger, 1, (char *[]){ "ledger", NULL }), EXIT_CONFORMANT);
    assert_non_null(strstr(printed, "B6-15"));
    assert_int_equal(RUN(ledger, "gather"), EXIT_CONFORMANT); /* without the name of its specification */
    assert_non_null(strstr(printed, "E-GA-10  AM"));
    assert_non_null(strstr(printed, "BUF-14  IM  dml.element_wise_identity\n"));
    assert_null(strstr(printed, "E-SL-1 "));
    assert_int_equal(RUN(ledger, "TR"), EXIT_CONFORMANT);
    assert_non_null(strstr(printed, "E-SL-4  TR"));
    assert_null(strstr(printed, "E-SS-6 "));
    assert_int_equal(RUN(ledger, "SL-01"), EXIT_CONFORMANT); /* a clause without entries */
    assert_string_equal(printed, "");
    assert_int_equal(RUN(ledger, "E-SS-99"), EXIT_BAD_USAGE);
    assert_int_equal(RUN(ledger, "--nothing"), EXIT_BAD_USAGE);
    assert_int_equal(RUN(ledger, "--help"), EXIT_CONFORMANT);
}

static int enter(void **state)
{
    (void)state;
    return testing_setenv("TOUCHSTONE_CASES", TOUCHSTONE_SOURCE_DIR "/cases") || testing_folder(folder) != 0 ||
           chdir(folder);
}

static int leave(void **state)
{
    (void)state;
    free(printed);
    free(complained);
    return chdir("/") == 0 ? testing_remove(folder) : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_case_is_explained),       cmocka_unit_test(descriptors_of_a_file_are_explained),
        cmocka_unit_test(other_entries_are_skipped), cmocka_unit_test(files_are_those_of_check),
        cmocka_unit_test(elements_are_limited),      cmocka_unit_test(mistakes_are_refused),
        cmocka_unit_test(the_ledger_is_printed),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
