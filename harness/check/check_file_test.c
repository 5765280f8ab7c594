/* SPDX-License-Identifier: Apache-2.0 */
/* check, eval and explain read the same files, and refuse the same files with the same messages. */
#include "harness/check/check_file.h"
#include "harness/cli/command.h"
#include "harness/testing/platform_testing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/check_file_test_XXXXXX";
static bool quiet;
static char *printed, *complained; /* by the last command */

static const struct verb {
    const char *name;
    int (*run)(int, char **);
} verbs[] = { { "check", cmd_check }, { "eval", cmd_eval }, { "explain", cmd_explain } };
enum { VERBS = sizeof verbs / sizeof verbs[0] };

/* Run a verb with a file of the folder as standard input. */
static int run_on(const struct verb *verb, const char *input, const char *const *paths, int count)
{
    char arguments[3][64], *list[5] = { arguments[0] };
    snprintf(arguments[0], sizeof arguments[0], "%s", verb->name);
    for (int i = 0; i < count; ++i) {
        snprintf(arguments[i + 1], sizeof arguments[0], "%s", paths[i]);
        list[i + 1] = arguments[i + 1];
    }
    if (quiet &&
        verb->run ==
            cmd_check) { /* check continues where the others stop; with -q it prints only what it could not read */
        static char option[] = "-q";
        list[++count] = option;
    }
    return testing_run(verb->run, count + 1, list, input, &printed, &complained);
}

/* On one file of the folder, "-" being the same as standard input. */
static int run(const struct verb *verb, const char *name, const char *path)
{
    return run_on(verb, name, &path, 1);
}

/* ---- files that all of them read --------------------------------------------------------------------------- */

#define SLICE(stride, more)                                                                                            \
    "{ \"operator\": \"dml.slice1\", \"descriptor\": { \"InputTensor\": { \"DataType\": \"FLOAT32\", \"Sizes\": [4] "  \
    "},\n \"InputWindowOffsets\": [0], \"InputWindowSizes\": [4], \"InputWindowStrides\": [" stride "] }" more " }"
#define DATA ", \"inputs\": { \"InputTensor\": [1, 2, 3, 4] }"
#define LUA_SLICE(stride, more)                                                                                        \
    "{ operator = 'dml.slice1', descriptor = { InputTensor = { DataType = 'FLOAT32', Sizes = {4} },\n"                 \
    "InputWindowOffsets = {0}, InputWindowSizes = {4}, InputWindowStrides = {" stride "} }" more " }"
#define LUA_DATA ", inputs = { InputTensor = {1, 2, 3, 4} }"

static void the_same_files_are_read(void **state)
{
    static const struct {
        const char *name, *text;
        int status;
    } files[] = {
        { "one.json", SLICE("2", DATA), 0 },
        { "two.json", "[ " SLICE("2", DATA) ",\n" SLICE("-1", DATA ", \"name\": \"n\"") ", ] // two", 0 },
        { "bad.json", "[ " SLICE("2", DATA) "," SLICE("0", "") "]", 1 },
        { "level.json", SLICE("1", DATA ", \"feature_level\": \"2_1\""), 1 },
        { "bom.json", "\xef\xbb\xbf" SLICE("2", DATA), 0 },
        { "raw.json",
          SLICE("2", ", \"inputs\": { \"InputTensor\": { \"raw\": \"00000000000000000000000000000000\" } }"), 0 },
        { "type.json",
          "{ \"type\": \"SLICE1\", \"desc\": { \"InputTensor\": { \"DataType\": \"FLOAT32\", \"Sizes\": [4] },\n"
          "\"OutputTensor\": { \"DataType\": \"FLOAT32\", \"Sizes\": [5] }, \"InputWindowOffsets\": [0],"
          "\"InputWindowSizes\": [4], \"InputWindowStrides\": [1] } }",
          1 },
        { "far.json", SLICE("-9223372036854775808", DATA), 1 },
        { "farther.json", SLICE("100000000000000000000", DATA), 1 },
        { "far.lua", "return " LUA_SLICE("math.mininteger", LUA_DATA), 1 },
        { "farther.lua", "return " LUA_SLICE("1e300", LUA_DATA), 1 },
        { "one.lua", "return " LUA_SLICE("2", LUA_DATA), 0 },
        { "two.lua", "return { " LUA_SLICE("2", LUA_DATA) "," LUA_SLICE("-1", LUA_DATA ", name = 'n'") " }", 0 },
        { "bad.lua", "return { " LUA_SLICE("0", "") " }", 1 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i) {
        assert_int_equal(testing_write(files[i].name, files[i].text), 0);
        for (size_t k = 0; k < VERBS; ++k) {
            if (run(&verbs[k], files[i].name, files[i].name) != files[i].status)
                fail_msg("%s %s: %s%s", verbs[k].name, files[i].name, printed, complained);
            assert_string_equal(complained, "");
            assert_non_null(strstr(printed, "dml.slice1"));
            if (strncmp(files[i].name, "far", 3) == 0)
                assert_non_null(strstr(printed, "TYPE-01"));
            if (!strstr(files[i].name, ".json"))
                continue;
            if (run(&verbs[k], files[i].name, "-") != files[i].status) /* the same from standard input */
                fail_msg("%s - <%s: %s%s", verbs[k].name, files[i].name, printed, complained);
        }
        unlink(files[i].name);
    }
}

/* ---- and that none does ------------------------------------------------------------------------------------ */

static void the_same_files_are_refused(void **state)
{
    static const struct {
        const char *name, *text, *message;
    } files[] = {
        { "a.json", "{", "a.json:1:1: this record does not end" },
        { "c.json", "[ 7 ]", "c.json:1:3: no descriptor: expected a DxDispatch model" },
        { "d.json", "{ \"operator\": \"dml.slice1\",\n\"operator\": \"dml.slice1\" }",
          "d.json:2:1: operator is given" },
        { "e.json", "{ \"operator\": 3 }", "e.json:1:1: operator is no string" },
        { "f.json", "{ \"operator\": \"dml.slice1\", \"descripter\": {} }",
          "f.json:1:29: the record: no field \"descripter\"" },
        { "g.json", "{ \"operator\": \"dml.slice1\", \"descriptor\": 1 }", "g.json:1:1: descriptor is no record" },
        { "h.json", "{ \"operator\": \"dml.slice1\", \"name\": 1 }", "h.json:1:1: name is no string" },
        { "i.json", "{ \"operator\": \"dml.slice1\", \"inputs\": 1 }", "i.json:1:39: inputs is no record of data" },
        { "j.json", SLICE("1", DATA DATA), "j.json:2:126: inputs is given twice" },
        { "k.json", SLICE("1.5", DATA), "k.json:2:77: InputWindowStrides[0]: expected an integer, found a fraction" },
        { "l.json", "[ " SLICE("1", DATA) ",\n" SLICE("1", DATA ", \"others\": 1") "]",
          "l.json:4:126: the record: no field \"others\"" },
        { "m.json", "{ \"operator\": \"dml.slice1\", \"descriptor\": { \"InputTensor\": { \"Sizes\": [4] } } }",
          "m.json:1:60: InputTensor: DataType is missing" },
        { "n.json", "{ \"operator\": \"dml.gather\", \"descriptor\": {}, \"feature_level\": \"9\" }",
          "dml.gather: no feature level \"9\"" },
        { "o.json", "\"text\"", "o.json:1:1: no descriptor: expected" },
        { "p.lua", "return 1",
          "p.lua: it returns a number, where a record { operator, descriptor } or a list of records belongs" },
        { "nothing.lua", "",
          "nothing.lua: it returns nothing, where a record { operator, descriptor } or a list of records belongs" },
        { "q.lua", "return {\n1 +", "q.lua:2: unexpected symbol" },
        { "r.lua", "error 'no'", "r.lua:1: no" },
        { "s.lua", "return { " LUA_SLICE("1", LUA_DATA) ", " LUA_SLICE("1.5", LUA_DATA) " }",
          "s.lua: record 2: InputWindowStrides[0]: expected an integer, found a fraction" },
        { "t.lua", "return { operator = 'dml.slice1', inputs = 1 }", "t.lua: inputs is no record of data by tensor" },
        { "u.lua", "return { operator = 'dml.slice1', inputs = {}, others = 1 }", "the record: no field \"others\"" },
        { "v.lua", "return {}", "v.lua: record 1: operator is missing" },
        { "w.lua",
          "return { { operator = 'dml.gather', feature_level = '2_1', descriptor = { feature_level = '2_1' } } }",
          "w.lua: record 1: feature_level is given twice" },
        { "x.json", NULL, "x.json: No such file or directory" },
        { "y.lua", NULL, "y.lua" },
    };
    (void)state;
    quiet = true;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i) {
        if (files[i].text)
            assert_int_equal(testing_write(files[i].name, files[i].text), 0);
        char first[4096] = "";
        for (size_t k = 0; k < VERBS; ++k) {
            int status = run(&verbs[k], files[i].name, files[i].name);
            if (status != EXIT_BAD_USAGE || !strstr(complained, files[i].message))
                fail_msg("%s %s: status %d, %s", verbs[k].name, files[i].name, status, complained);
            assert_string_equal(printed, "");
            const char *message = strstr(complained, verbs[k].name); /* behind "touchstone VERB: " */
            assert_non_null(message);
            message += strlen(verbs[k].name);
            if (k == 0)
                strcpy(first, message);
            assert_string_equal(message, first);
        }
        if (files[i].text)
            unlink(files[i].name);
    }
    quiet = false;
}

/* Errors in data are reported only by the verbs that read data, with the same messages. */
static void the_same_data_is_refused(void **state)
{
    static const char *const files[][3] = {
        { "a.json", "[ " SLICE("2", DATA) ",\n" SLICE("2", ", \"inputs\": {}") " ]",
          "a.json:3:1: dml.slice1: the inputs" },
        { "b.json", SLICE("2", ", \"inputs\": { \"InputTensor\": [1, 2] }"), "b.json:1:1: InputTensor: 2 " },
        { "c.json", SLICE("2", ", \"inputs\": { \"Input\": [1, 2] }"), "c.json:1:1: dml.slice1: no input \"Input\"" },
        { "d.lua", "return { " LUA_SLICE("2", LUA_DATA) "," LUA_SLICE("2", ", inputs = { InputTensor = {1} }") " }",
          "d.lua: record 2: InputTensor: 1 " },
        { "e.json", "{ \"type\": \"NO_SUCH\", \"desc\": {} }", "e.json:1:1: operator \"NO_SUCH\" is not known here" },
        { "f.json", "{ \"type\": \"SLICE1\", \"desc\": { \"other\": 1 } }",
          "f.json:1:1: desc.other is not known here" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i) {
        assert_int_equal(testing_write(files[i][0], files[i][1]), 0);
        assert_true(run(&verbs[0], files[i][0], files[i][0]) <= EXIT_FAILURES);
        for (size_t k = 1; k < VERBS; ++k) {
            if (run(&verbs[k], files[i][0], files[i][0]) != EXIT_BAD_USAGE || !strstr(complained, files[i][2]))
                fail_msg("%s %s: %s", verbs[k].name, files[i][0], complained);
            assert_string_equal(printed, ""); /* not even of the evaluations before the error */
        }
        unlink(files[i][0]);
    }
}

/* After an error in a later file, nothing is printed of the earlier ones. */
static void nothing_is_printed_before_a_mistake(void **state)
{
    (void)state;
    quiet = true;
    assert_int_equal(testing_write("good.json", SLICE("2", DATA)), 0);
    assert_int_equal(testing_write("broken.json", "{"), 0);
    for (size_t k = 0; k < VERBS; ++k) {
        assert_int_equal(run_on(&verbs[k], "good.json", (const char *[]){ "good.json", "broken.json" }, 2), 64);
        assert_string_equal(printed, "");
    }
    unlink("good.json");
    unlink("broken.json");
    quiet = false;
}

/* check and explain read the dispatchables of a model, which have no data; eval reads its dispatches. */
static void models_are_read(void **state)
{
    (void)state;
    assert_int_equal(
        testing_write(
            "model.json",
            "{ \"resources\": { \"r\": { \"initialValuesDataType\": \"UINT8\", \"initialValues\": [7, 8] } },\n"
            "\"dispatchables\": {\n\"a\": { \"type\": \"ELEMENT_WISE_IDENTITY\", \"desc\": { \"InputTensor\": {"
            "\"DataType\": \"UINT8\", \"Sizes\": [2] }, \"OutputTensor\": { \"DataType\": \"UINT8\", \"Sizes\": [2] "
            "} } },\n\"b\": { \"type\": \"ELEMENT_WISE_IDENTITY\", \"desc\": { \"InputTensor\": {"
            "\"DataType\": \"UINT8\", \"Sizes\": [2] }, \"OutputTensor\": { \"DataType\": \"UINT8\", \"Sizes\": [3] "
            "} } } },\n\"commands\": [ { \"type\": \"dispatch\", \"dispatchable\": \"a\","
            "\"bindings\": { \"InputTensor\": \"r\" } } ] }"),
        0);
    assert_int_equal(run(&verbs[0], "model.json", "model.json"), EXIT_FAILURES);
    assert_non_null(strstr(printed, "model.json:4:6: b: dml.element_wise_identity: invalid"));
    assert_int_equal(run(&verbs[1], "model.json", "model.json"), EXIT_CONFORMANT);
    assert_non_null(strstr(printed, "[7, 8]"));
    assert_int_equal(run(&verbs[2], "model.json", "model.json"), EXIT_FAILURES);
    assert_non_null(strstr(printed, "model.json[1]\n  a\n"));
    assert_non_null(strstr(printed, "model.json[2]\n  b\n"));
    unlink("model.json");
}

/* ---- the folder -------------------------------------------------------------------------------------------- */

static int enter(void **state)
{
    (void)state;
    return testing_folder(folder) == 0 && chdir(folder) == 0 ? 0 : -1;
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
        cmocka_unit_test(the_same_files_are_read),  cmocka_unit_test(the_same_files_are_refused),
        cmocka_unit_test(the_same_data_is_refused), cmocka_unit_test(nothing_is_printed_before_a_mistake),
        cmocka_unit_test(models_are_read),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
